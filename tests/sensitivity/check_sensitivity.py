# check_sensitivity -- `pendula sensitivity` on functions whose indices are known, and on designs that do not serve an index.
#
# The functions run through kernels, as shipped in sweeps/sensitivity. Indices must lie within three standard errors of the exact ones,
# agree to rounding with the published formulas written in NumPy (and with SALib where that is installed), and errors must fall with the
# number of samples. Points must be the same whatever the device, its lanes and the size of the design.
import re
import shutil

from checking import answer, check, csv_rows, folder, h5, main, need, need_compiler, parsed, ROOT
from picture import data_blocks

h5py, np = need("h5py", "numpy")

SWEEPS = ROOT / "sweeps/sensitivity"


def made(name, sweep, *words, device="native"):
    """The result file of a shipped sweep, or of a text."""
    path = SWEEPS / f"{sweep}.yaml"
    if "\n" in sweep:
        path = folder / f"{name}.yaml"
        path.write_text(sweep)
    answer("run", path, "-d", device, "-o", f"{name}.h5", *words)
    return f"{name}.h5"


def rows(*words):
    """Rows of the table as {(metric, parameter, with): {column: number}}."""
    table = csv_rows("sensitivity", *words)
    number = lambda text: float(text) if text else np.nan
    words = ("label", "metric", "parameter", "with")
    return [{k: v if k in words else number(v) for k, v in row.items()} for row in table]


def points(name):
    with h5py.File(folder / name) as file:
        group = file["explicit_euler"]
        along = [n for n in group if group[n].dims and group[n].ndim == 1 and n.startswith("x") and n != "x_final"]
        return np.array([group[n][...] for n in along]).T, group["x_final"][..., 0]


def ishigami(x):
    return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


def ishigami_indices():
    a, b, pi = 7, 0.1, np.pi
    v1, v2, v13 = 0.5 * (1 + b * pi**4 / 5) ** 2, a**2 / 8, b**2 * pi**8 * 8 / 225
    v = v1 + v2 + v13
    return {
        ("x1", ""): (v1 / v, (v1 + v13) / v),
        ("x2", ""): (v2 / v, v2 / v),
        ("x3", ""): (0, v13 / v),
        ("x1", "x2"): 0,
        ("x1", "x3"): v13 / v,
        ("x2", "x3"): 0,
    }


def g_indices():
    a = np.array([0, 1, 4.5, 9, 99, 99, 99, 99])
    v = 1 / (3 * (1 + a) ** 2)
    total = np.prod(1 + v) - 1
    return {(f"x{i + 1}", ""): (v[i] / total, v[i] * np.prod(1 + np.delete(v, i)) / total) for i in range(8)}


def errors(found, exact):
    """(error, standard error) of each index."""
    for row in found:
        truth = exact[(row["parameter"], row["with"])]
        if row["with"]:
            yield row["S2"] - truth, row["S2_conf"] / 1.96, row
        else:
            yield row["S1"] - truth[0], row["S1_conf"] / 1.96, row
            yield row["ST"] - truth[1], row["ST_conf"] / 1.96, row


def published(y, d):
    """S1, ST, S2 of Saltelli et al. 2010, Jansen 1999 and Saltelli 2002, on outputs that are centred by all of them."""
    y = (y - y.mean()) / y.std()
    a, b, ab, ba = y[:, 0], y[:, 1], y[:, 2 : 2 + d].T, y[:, 2 + d :].T
    v = np.var(np.r_[a, b])
    first = np.mean(b * (ab - a), axis=1) / v
    total = 0.5 * np.mean((a - ab) ** 2, axis=1) / v
    second = {(i, j): np.mean(ba[i] * ab[j] - a * b) / v - first[i] - first[j] for i in range(len(ba)) for j in range(i + 1, d)}
    return first, total, second


def test_known_functions():
    for name, exact in (("ishigami", ishigami_indices()), ("sobol_g", g_indices())):
        file = made(name, name)
        found = rows(file)
        check(len(found) == len(exact), f"{name}: {len(found)} rows")
        for error, deviation, row in errors(found, exact):
            check(abs(error) <= 3 * deviation + 1e-9, f"{name}: {error} is beyond three times {deviation}: {row}")
            check(deviation < 0.05, f"{name}: the interval says nothing: {row}")
    x, y = points("ishigami.h5")
    check(np.abs(y - ishigami(x)).max() < 1e-13, "ishigami: the kernel computes another function")


def test_formulas():
    x, y = points("ishigami.h5")
    first, total, second = published(y.reshape(-1, 8), 3)
    found = rows("ishigami.h5", "--estimator", "saltelli")
    for i, row in enumerate(found[:3]):
        check(abs(row["S1"] - first[i]) < 1e-12 and abs(row["ST"] - total[i]) < 1e-12, f"not the published formulas: {row}")
    for row, value in zip(found[3:], second.values()):
        check(abs(row["S2"] - value) < 1e-12, f"not the published formula: {row}, {value}")
    try:
        from SALib.analyze import sobol
    except ImportError:
        print("SALib is not installed: its estimators are compared as NumPy formulas only")
        return
    # SALib's order: A, AB_i, BA_i, B.
    order = [0, 2, 3, 4, 5, 6, 7, 1]
    problem = {"num_vars": 3, "names": ["x1", "x2", "x3"], "bounds": [[-np.pi, np.pi]] * 3}
    theirs = sobol.analyze(problem, y.reshape(-1, 8)[:, order].ravel(), calc_second_order=True, seed=1)
    check(np.abs(theirs["S1"] - first).max() < 1e-12 and np.abs(theirs["ST"] - total).max() < 1e-12, "SALib has other indices")
    check(abs(theirs["S2"][0, 2] - second[(0, 2)]) < 1e-12, "SALib has another second order")


def test_convergence():
    """Sobol' points: errors of one net fall about as 1/N, and of more at least as 1/sqrt(N), which is a factor of 8 here."""
    exact = ishigami_indices()
    for nets, most in ((1, 1e-3), (8, 4e-3)):
        worst = {}
        for samples in (1 << 10, 1 << 16):
            design = f"design={{saltelli: {{samples: {samples}, nets: {nets}}}}}"
            file = made(f"converge_{samples}_{nets}", "ishigami", "-s", design)
            worst[samples] = max(abs(error) for error, _, _ in errors(rows(file, "--replicates", 50), exact))
        check(worst[1 << 16] < worst[1 << 10] / 8 and worst[1 << 16] < most, f"{nets} nets: errors do not fall: {worst}")


def test_nets():
    """A sample is one of net k mod 8, and the net of one that of `nets: 1`; fewer samples than two a net are refused."""
    one, _ = points(made("one_net", "ishigami", "-s", "design={saltelli: {samples: 32, nets: 1}}"))
    eight, _ = points(made("eight_nets", "ishigami", "-s", "design={saltelli: {samples: 256, nets: 8}}"))
    check(np.array_equal(eight.reshape(256, 5, 3)[::8], one.reshape(32, 5, 3)), "the first net is another one")
    nets = [eight.reshape(256, 5, 3)[net::8, 0, 0] for net in range(8)]
    check(len({tuple(net) for net in nets}) == 8, "two nets are the same")
    # Each net of 32 points has one in each of 32 equal parts of a factor's range.
    check(all(np.array_equal(np.sort(np.floor((net + np.pi) / (2 * np.pi) * 32)), np.arange(32)) for net in nets), "a net is uneven")
    with h5py.File(folder / "eight_nets.h5") as file:
        check("nets: 8" in file["explicit_euler"].attrs["sampling"], "the file does not say its nets")
    with h5py.File(folder / "one_net.h5") as file:
        check("nets" not in file["explicit_euler"].attrs["sampling"], "one net is no word")


def test_points():
    """Points belong to their numbers: to no device, no lanes, no number of samples."""
    few, _ = points(made("few", "ishigami", "-s", "design={saltelli: {samples: 64, second_order: true}}"))
    check("S2_conf" in answer("sensitivity", "few.h5"), "no S2 of a design with second order")
    check("S2" not in answer("sensitivity", made("first_order", "ishigami", "-s", "design={saltelli: {samples: 64}}")), "S2 of a design without it")
    many, _ = points("ishigami.h5")
    check(np.array_equal(few, many[: len(few)]), "a larger design has other points")
    device = "clang" if "clang" in answer("list", "devices") else "0"  # gcc has one lane only
    wide, y = points(made("wide", "ishigami", "--lanes", 16, "-s", "design={saltelli: {samples: 64, second_order: true}}", device=device))
    narrow, z = points(made("narrow", "ishigami", "--lanes", 1, "-s", "design={saltelli: {samples: 64, second_order: true}}"))
    check(np.array_equal(wide, narrow) and np.array_equal(y, z), "lanes change points")
    check(np.array_equal(few.reshape(64, 8, 3)[:, 2, 0], few.reshape(64, 8, 3)[:, 1, 0]), "AB_1 does not take x1 from B")
    with h5("ishigami") as file:
        group = file["explicit_euler"]
        check(group.attrs["design"] == "saltelli", "the file does not say its design")
        check(np.array_equal(group["design_role"][:16], [*range(8)] * 2), "roles are wrong")
        check(np.array_equal(group["design_sample"][:16], [0] * 8 + [1] * 8), "samples are wrong")
        check(group["x1"].attrs["distribution"].startswith("{uniform: [-3.14"), "the file does not say the distribution")


def test_screening():
    file = made("morris", "morris")
    found = {row["parameter"]: row for row in rows(file)}
    # Factors 8 to 10 are linear but for pairs with factors of unit coefficients; 11 to 20 have those alone.
    for i in (8, 9, 10):
        check(abs(found[f"x{i}"]["mu"] - 40) < 8 and found[f"x{i}"]["sigma"] < 12, f"morris: {found[f'x{i}']}")
    for i in range(11, 21):
        check(found[f"x{i}"]["mu_star"] < 12, f"morris: {found[f'x{i}']}")
    for i in (1, 2, 4):
        check(found[f"x{i}"]["sigma"] > 30 and found[f"x{i}"]["mu_star"] > 30, f"morris: {found[f'x{i}']}")
    change = "parameters={x1: {uniform: [0, 2]}, x2: {uniform: [0.25, 0.75]}, x3: {uniform: [1, 3]}}"
    local = rows(made("local", "ishigami", "-s", change, "-s", "design={local: {step: 0.2, halvings: 8}}"))
    slopes = [np.cos(1) * (1 + 0.1 * 2**4), 7 * np.sin(1.0), 0.4 * 2**3 * np.sin(1)]
    for row, slope in zip(local, slopes):
        check(abs(row["derivative"] - slope) < 1e-8 and abs(row["derivative"] - slope) <= row["error"] + 1e-9, f"local: {row}, {slope}")
    value = np.sin(1) * (1 + 0.1 * 2**4) + 7 * np.sin(0.5) ** 2
    check(abs(local[0]["elasticity"] - slopes[0] / value) < 1e-8, f"local: {local[0]}")
    swing = rows(made("swing", "ishigami", "-s", "design={one_at_a_time: {levels: 5}}"))
    levels = -np.pi + 2 * np.pi * (np.arange(5) + 0.5) / 5
    check(abs(swing[0]["most"] - np.sin(levels).max()) < 1e-12 and abs(swing[1]["swing"] - np.ptp(7 * np.sin(levels) ** 2)) < 1e-12, f"swing: {swing}")


def test_given_points():
    exact = ishigami_indices()
    for name, design in (("random", "{random: {samples: 16384}}"), ("lhs", "{lhs: {samples: 16384}}"), ("sobol", "{sobol: {samples: 16384}}")):
        for row in rows(made(name, "ishigami", "-s", f"design={design}")):
            truth = exact[(row["parameter"], "")][0]
            # Ranks are as uncertain as points are few; slices of Sobol' points are nearly exact.
            bound = 0.005 if name == "sobol" else max(0.005, 1.5 * row["S1_conf"])
            check(abs(row["S1"] - truth) < bound < 0.06, f"{name}: {row}, not {truth}")
            influence = row["pawn"] > 1.5 * row["pawn_dummy"]
            check(influence, f"{name}: PAWN sees no influence of {row}")


FAILING = """problem:
  coordinates: [y]
  rate: ["x2 + sqrt(x1)"]
  parameters: {x1: {uniform: [-0.2, 1]}, x2: {uniform: [0, 1]}}
design: {saltelli: {samples: 1024}}
methods: [explicit_euler]
step: 1
end: 1
metrics: [x_final]
"""


LINEAR = """problem:
  coordinates: [y]
  rate: ["2*a + b"]
  parameters: {a: {normal: [0, 1]}, b: {normal: [3, 1]}}
design: {sobol: {samples: 1024}}
correlated: {of: [a, b], spearman: 0.5}
methods: [explicit_euler]
step: 1
end: 1
metrics: [x_final]
"""


def test_chaos():
    """All indices from 1024 points; a function that is no polynomial is refused; Shapley effects of correlated factors."""
    exact = ishigami_indices()
    for design in ("{sobol: {samples: 1024}}", "{saltelli: {samples: 512}}", "{lhs: {samples: 1024}}"):
        file = made("chaos", "ishigami", "--force", "-s", f"design={design}")
        for error, _, row in errors(rows(file, "--index", "chaos"), exact):
            check(abs(error) < 1e-3, f"chaos of {design}: {error}: {row}")
    file = made("steps", "ishigami", "-s", 'problem.rate=["fmod(floor(9*x1) + floor(9*x2) + floor(9*x3), 2)"]', "-s", "design={random: {samples: 1024}}")
    text = answer("sensitivity", file, "--index", "chaos")
    check("the expansion says too little of the output" in text and "Q2" in text, f"a poor expansion is not refused: {text}")
    # y = 2 a + b of normals with correlation r: the effects of Owen and Prieur (2017), section 4.1.
    r = 2 * np.sin(np.pi / 12)
    variance = 4 + 1 + 4 * r
    effect = (4 * (1 - r**2 / 2) + 1 * r**2 / 2 + 2 * r) / variance
    found = rows(made("linear", LINEAR), "--index", "chaos")
    check(abs(found[0]["shapley"] - effect) < 3 * found[0]["shapley_conf"] < 0.1, f"Shapley: {found}, not {effect}")
    check(abs(found[0]["shapley"] + found[1]["shapley"] - 1) < 1e-9 and np.isnan(found[0]["S1"]), f"Shapley: {found}")
    check("the factors are correlated" in answer("sensitivity", "linear.h5"), "correlation is not said")


def test_predictions():
    """Predictions lie within some of their errors, also between the points of a map; what was not sampled is refused."""
    file = made("predicted", "ishigami", "-s", "design={sobol: {samples: 1024}}")
    where = np.random.default_rng(1).uniform(-np.pi, np.pi, (8, 3))
    for x in where:
        at = ",".join(f"x{i + 1}={value!r}" for i, value in enumerate(x.tolist()))
        row = parsed("predict", file, "--metric", "x_final[0]", "--at", at, "--format", "json")[0]
        check(abs(row["value"] - ishigami(x[None])[0]) < 6 * row["error"] < 1e-4, f"predict: {row}, not {ishigami(x[None])[0]}")
        named = parsed("predict", file, "--metric", "x_final[y]", "--at", at, "--format", "json")[0]
        check(named == row, f"predict: x_final[y] is {named}, x_final[0] is {row}")
    mapped = parsed("predict", made("mapped", GRID), "--metric", "x_final[0]", "--at", "k=2,x1=0.25,x2=0.5", "--format", "json")[0]
    check(abs(mapped["value"] - 1) < 1e-9, f"predict: {mapped}, not 1")
    for at, words in (("x1=0,x2=0", "'x3' has no value"), ("x1=4,x2=0,x3=0", "lies outside"), ("x1=0,x2=0,x4=0", "has no axis or factor 'x4'"), ("x1=0,x1=1", "given twice"), ("x1", "takes NAME=VALUE")):
        check(words in answer("predict", file, "--metric", "x_final[0]", "--at", at, code=2), f"predict: {at} is not refused in words")
    check("give 'k' one of its 3 values" in answer("predict", "mapped.h5", "--metric", "x_final[0]", "--at", "k=3,x1=0,x2=0", code=2), "predict: a node that is not there")
    check("Q2 below 0.9" in answer("predict", "steps.h5", "--metric", "x_final[0]", "--at", "x1=0,x2=0,x3=0"), "a poor prediction is not refused")


def test_grids():
    """A whole grid has no noise: S1 of each axis is the variance of the means over the others."""
    axes = "parameters={x1: {linear: [-3, 3, 13]}, x2: {linear: [-3, 2, 11]}, x3: {linear: [0, 3, 7]}}"
    found = rows(made("plain_grid", "ishigami", "-s", axes, "-s", "design=grid"))
    x = np.meshgrid(np.linspace(-3, 3, 13), np.linspace(-3, 2, 11), np.linspace(0, 3, 7), indexing="ij")
    y = ishigami(np.array([axis.ravel() for axis in x]).T).reshape(x[0].shape)
    for i, row in enumerate(found):
        share = y.mean(axis=tuple(k for k in range(3) if k != i)).var() / y.var()
        check(abs(row["S1"] - share) < 1e-12, f"grid: {row}, not {share}")
    one = rows(made("one_factor", "ishigami", "-s", "parameters={x1: {uniform: [0, 1]}, x2: 0, x3: 0}", "-s", "design={saltelli: {samples: 256}}"))
    check(len(one) == 1 and abs(one[0]["S1"] - 1) < 0.1 and abs(one[0]["ST"] - 1) < 0.1, f"one factor: {one}")
    half = made("half", "ishigami", "-s", "parameters={x1: {uniform: [0, 1]}, x2: 0, x3: {uniform: [0, 1e-300]}}", "-s", "design={saltelli: {samples: 256}}")
    check(rows(half)[1]["ST"] == 0, "a factor without width has an index")


def test_failed_points():
    file = made("failing", FAILING)
    text = answer("sensitivity", file)
    check("points failed or have no number" in text and "are left out" in text, f"failing: {text}")
    classified = rows(file, "--failed", "classify")
    check(abs(classified[0]["S1"] - 1) < 0.05 and classified[1]["ST"] == 0, f"failing depends on x1 alone: {classified}")
    check("--failed is refuse" in answer("sensitivity", file, "--failed", "refuse", code=4), "refuse does not refuse")
    check(np.isfinite(rows(file, "--failed", "worst")[0]["S1"]), "worst has no index")
    # Where x1 alone decides who fails, what is left is a sample of x1 in [0, 0.7] and of x2.
    left = rows(made("left", FAILING, "-s", "problem.rate=[x1 + x2/2 + 0*sqrt(0.7 - x1)]", "-s", "parameters.x1={uniform: [0, 1]}",
                    "-s", "parameters.x2={uniform: [0, 1]}", "-s", "design={saltelli: {samples: 4096}}"), "--metric", "x_final[0]")
    for row, share in zip(left, (0.49 / 0.74, 0.25 / 0.74)):
        check(abs(row["S1"] - share) < 0.05 and abs(row["ST"] - share) < 0.05, f"left after failures of x1: {row}, not {share}")
    none = answer("sensitivity", made("none", FAILING, "-s", "parameters.x1={uniform: [-2, -1]}"))
    check("no indices: every point failed or has no number" in none and "nan" not in none, f"all failed: {none}")


GRID = """problem:
  coordinates: [y]
  rate: ["k*x1 + x2"]
  parameters: {k: [0, 1, 2], x1: {uniform: [0, 1]}, x2: {uniform: [0, 1]}}
design: {saltelli: {samples: 4096}, inside: grid}
methods: [explicit_euler]
steps: 4
end: 1
trajectory: {every: 1, fields: [x]}
metrics: [x_final]
"""


def test_maps_and_time():
    """y = t (k x1 + x2): S1 = k^2/(k^2 + 1) at every time but 0, where the output is constant."""
    file = made("grid", GRID)
    found = rows(file)
    check([row["k"] for row in found] == [0, 0, 1, 1, 2, 2], f"grid: {found}")
    for row in found[::2]:
        check(abs(row["S1"] - row["k"] ** 2 / (row["k"] ** 2 + 1)) < 0.01, f"grid: {row}")
    over = rows(file, "--over", "time")
    check(len(over) == 3 * 5 * 2 and {row["time"] for row in over} == {0, 0.25, 0.5, 0.75, 1}, f"time: {len(over)} rows")
    for row in over[::2]:
        check(np.isnan(row["S1"]) if row["time"] == 0 else abs(row["S1"] - row["k"] ** 2 / (row["k"] ** 2 + 1)) < 0.01, f"time: {row}")
    check("the output is constant" in answer("sensitivity", file, "--over", "time"), "a constant output is not said")
    # The first samples are a design of their own.
    over = [row for row in rows("ishigami.h5", "--over", "samples") if row["samples"] == 512]
    alone = rows(made("first", "ishigami", "-s", "design={saltelli: {samples: 512, second_order: true}}"))
    for found, expected in zip(over, alone, strict=True):
        check(np.allclose([found[k] for k in ("S1", "ST", "S2")], [expected[k] for k in ("S1", "ST", "S2")], 1e-10, 1e-12, True), f"samples: {found}, not {expected}")


def test_sizes():
    """Outputs whose squares do not fit into a double: a power of two changes no digit of an index, at no sample of a trajectory."""
    sweep = """problem:
  coordinates: [x]
  rate: ["0"]
  start: ["SIZE*(sin(a) + 0.5*b*b + 0.2*a*b + 3)"]
  parameters: {a: {uniform: [-1, 2]}, b: {uniform: [0, 1.5]}}
methods: [rk4]
step: 0.1
steps: 4
trajectory: {samples: 3, fields: [x]}
metrics: [x_final]
design: {DESIGN}
"""
    designs = {"sobol": "saltelli: {samples: 64, second_order: true}", "morris": "morris: {trajectories: 20}", "local": "local: {}",
               "swing": "one_at_a_time: {}", "given": "sobol: {samples: 64}", "chaos": "sobol: {samples: 64}"}
    scaled = {"mu", "mu_star", "mu_star_conf", "sigma", "derivative", "error", "output_sd", "least", "most", "swing"}
    for index, design in designs.items():
        for over in ((), ("--over", "time"), ("--over", "samples")) if index == "sobol" else ((),):
            tables = {}
            for exponent in (0, -700, 560):
                name = made(f"size{exponent}", sweep.replace("SIZE", repr(2.0**exponent)).replace("DESIGN", design), "--force", "--progress", "none", device="reference")
                tables[exponent] = rows(name, "--index", index, *over)
            for exponent in (-700, 560):
                for due, found in zip(tables[0], tables[exponent]):
                    for key, value in due.items():
                        moved = value * 2.0**exponent if key in scaled else value
                        check(found[key] == moved or moved != moved != found[key] != found[key], f"{index} {over} of 2^{exponent}: {key} {found[key]}, not {moved}")
            check(any(isinstance(v, float) and np.isfinite(v) for row in tables[0] for v in row.values()), f"{index} {over}: no numbers")


def test_pictures():
    """Every panel has its title, and every factor its name or a word that names are left out."""
    if not shutil.which("gnuplot"):
        print("gnuplot is not installed: no pictures")
        return
    pair = [row["S2"] for row in rows("ishigami.h5") if (row["parameter"], row["with"]) == ("x1", "x3")][0]
    for file, more, words in (
        ("ishigami.h5", (), ("explicit_euler: x_final[0]", "explicit_euler: x_final[0], S2", "x1", "x2", "x3", "S1", "ST", f">{pair:.2f}<")),
        ("morris.h5", (), ("mu_star", "sigma", "x2", "x5", "names are left out")),
        ("grid.h5", (), (">k<", ">ST<", "x1", "x2")),
        ("grid.h5", ("--over", "time"), ("explicit_euler: x[0]", "time", "x1", "x2")),
        ("ishigami.h5", ("--over", "samples"), (">samples<", ">ST<", "x1", "x3")),
        ("swing.h5", (), (">swing<", "x1")),
        ("lhs.h5", (), ("PAWN", "S1", "x1")),
    ):
        answer("sensitivity", file, *more, "--plot", "picture", "--force")
        text = (folder / "picture.svg").read_text()
        for word in words:
            check(word in text, f"{file}: '{word}' is not in the picture")
        # A curve or bar is drawn of each factor: the columns that layers name are those of the data.
        script = (folder / "picture.gp").read_text()
        widths = {len(row) for row in data_blocks(script)["panel0"]}
        named = {int(n) for n in re.findall(r"\$panel0 using [^w]*?1:(\d+) with lines", script)}
        curves = set(range(2, max(widths) + 1, 2)) if named else set()
        check(len(widths) == 1 and named == curves, f"{file}: curves of columns {named}, data of {widths}")
        check((folder / "picture.png").stat().st_size > 3000, f"{file}: an empty picture")


def test_refusals():
    for file, index, words in (("morris.h5", "sobol", "design: {saltelli: {samples: 1024}} would"), ("ishigami.h5", "morris", "design: {morris: {trajectories: 50}} would"), ("random.h5", "local", "design: {local: {}} would"), ("local.h5", "given", "design: {sobol: {samples: 1024}} would")):
        check(words in answer("sensitivity", file, "--index", index, code=2), f"{file}: {index} is not refused in words")
    check("has no metric 'x_finel[0]'; did you mean 'x_final[0]'?" in answer("sensitivity", "ishigami.h5", "--metric", "x_finel[0]", code=2), "a misspelt metric")
    check("stores no trajectory" in answer("sensitivity", "ishigami.h5", "--over", "time", code=2), "no trajectories")
    check("it has no group 'rk4', but explicit_euler" in answer("sensitivity", "ishigami.h5", "--method", "rk4", code=2), "no such group")


need_compiler()
main(test_known_functions, test_formulas, test_convergence, test_nets, test_points, test_screening, test_given_points, test_chaos, test_predictions, test_grids, test_failed_points, test_maps_and_time, test_sizes, test_pictures, test_refusals, fine="all as it should be")
