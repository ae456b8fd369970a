# check_index_pictures -- the pictures of `pendula sensitivity --plot`: their data beside numbers found otherwise, and their refusals.
import csv
import io
import re

from checking import answer, check, csv_rows, folder, h5, main, need, need_compiler, need_program, pendula, run
from picture import data_blocks

np, _ = need("numpy", "h5py")

STUDY = """title: A study
problem: harmonic_oscillator
parameters: {omega: {uniform: [0.5, 2]}, x0: {normal: [1, 0.1]}, zeta: {loguniform: [0.001, 0.1]}}
methods: [rk4]
step: 0.05
steps: 60
metrics: [status, x_final, updates, period, kinetic_max]
design: {saltelli: {samples: 256}}
"""
MAPS = STUDY.replace("x0: {normal: [1, 0.1]}", "x0: {linear: [0, 1, 3]}, v0: {linear: [0, 1, 4]}").replace("samples: 256}}", "samples: 64}, inside: grid}")
MORRIS = "morris: {trajectories: 8}"
LOCAL = "local: {step: 0.1, halvings: 3}"


def draw(file, stem, *words):
    """The picture's data blocks, and the texts in its SVG."""
    answer("sensitivity", file, "--plot", stem, "-o", "-", *words)
    script, svg = (folder / f"{stem}.gp").read_text(), (folder / f"{stem}.svg").read_text()
    check((folder / f"{stem}.png").stat().st_size > 5000, f"{stem}.png is drawn")
    return {name: np.array(rows, float) for name, rows in data_blocks(script).items()}, re.findall(r"<text>(.*?)</text>", svg)


def scatter():
    blocks, words = draw("study.h5", "scatter", "--picture", "scatter", "--metric", "x_final[0]")
    check(len(blocks) == 6 and words.count("rk4: x_final[0]") == 3 and words.count("512 of 512 points") == 3, f"panels: {list(blocks)} {words}")
    check(all(word in words for word in ("omega [rad/s]", "x0 [m]", "zeta", "points", "conditional mean, 95 %")), f"names: {words}")
    with h5("study") as file:
        group = file["rk4"]
        taken = np.arange(group["omega"].size) % 5 < 2  # A and B
        y = group["x_final"][:, 0][taken]
        for k, name in enumerate(("omega", "x0", "zeta")):
            x = group[name][...][taken]
            check(np.allclose(blocks[f"points{k}"], np.column_stack([x, y]), rtol=1e-8), f"points over {name}")
            order = np.argsort(x)
            slices = np.split(order, [s * len(order) // 20 for s in range(1, 20)])
            means = blocks[f"means{k}"]
            check(len(means) == 20, f"{len(means)} slices over {name}")
            error = np.array([1.96 * y[s].std(ddof=1) / np.sqrt(len(s)) for s in slices])
            check(np.allclose(means[:, 1], [y[s].mean() for s in slices], atol=1e-8), f"means over {name}")
            check(np.allclose(means[:, 3] - means[:, 1], error, atol=1e-8) and np.allclose(means[:, 1] - means[:, 2], error, atol=1e-8), f"bands over {name}")
            middle = [np.sqrt(x[s].min() * x[s].max()) if name == "zeta" else 0.5 * (x[s].min() + x[s].max()) for s in slices]
            check(np.allclose(means[:, 0], middle, rtol=1e-8), f"places over {name}")
    thinned("many", 16384)
    thinned("even", 16000)


def thinned(name, count):
    """Of many points one is drawn from each of 2000 equal parts of their order; they lie in the whole range of each factor."""
    blocks, words = draw(f"{name}.h5", name, "--picture", "scatter", "--metric", "x_final[0]")
    check(words.count(f"2000 of {count} points") == 3, f"{name}: how many are drawn: {[w for w in words if 'points' in w]}")
    with h5(name) as file:
        y = file["rk4/x_final"][:, 0]
        for k, factor in enumerate(("omega", "x0", "zeta")):
            x, drawn = file[f"rk4/{factor}"][...], blocks[f"points{k}"]
            at = [np.argmin(abs(x[j * count // 2000 : (j + 1) * count // 2000] - drawn[j, 0])) + j * count // 2000 for j in range(2000)]
            check(np.allclose(drawn, np.column_stack([x[at], y[at]]), rtol=1e-8), f"{name}: points over {factor}")
            shares = np.histogram(drawn[:, 0], np.quantile(x, [0, 0.25, 0.5, 0.75, 1]))[0]
            check(all(abs(shares - 500) < 100), f"{name}: points in the quarters of {factor}: {shares}")
            means = blocks[f"means{k}"]
            slices = np.split(np.argsort(x), [s * count // 20 for s in range(1, 20)])
            check(np.allclose(means[:, 1], [y[s].mean() for s in slices], atol=1e-8), f"{name}: means over {factor} are of all points")


def other_designs():
    """Means have a band where the points are a random sample; points around a centre have no means."""
    blocks, words = draw("screen.h5", "screen", "--picture", "scatter", "--metric", "x_final[0]")
    with h5("screen") as file:
        x, y = file["rk4/omega"][...], file["rk4/x_final"][:, 0]
        check(len(x) == 32 and np.allclose(blocks["points0"], np.column_stack([x, y]), rtol=1e-8), "all points of Morris' trajectories")
        means = blocks["means0"]
        levels = np.unique(x)
        check(np.allclose(means[:, 1], [y[x == level].mean() for level in levels], atol=1e-8), "means at the levels")
    check(np.array_equal(means[:, 2], means[:, 3]) and "conditional mean" in words, f"points of a trajectory are no random sample: {words}")
    blocks, words = draw("near.h5", "near", "--picture", "scatter", "--metric", "x_final[0]")
    check(list(blocks) == ["points0", "points1", "points2"] and "points" in words and not any("mean" in w for w in words), f"points around a centre: {words}")
    blocks, words = draw("grid.h5", "grid", "--picture", "scatter", "--metric", "x_final[0]")
    with h5("grid") as file:
        y = file["rk4/x_final"][..., 0]
        check(np.allclose(blocks["means0"][:, :2], np.column_stack([file["rk4/omega"][...], y.reshape(7, -1).mean(axis=1)]), atol=1e-8), "means at the values of an axis")
    check(np.array_equal(blocks["means0"][:, 2], blocks["means0"][:, 3]), "points of a whole grid are not random")
    axes = re.findall(r"^(unset|set) logscale x$", (folder / "grid.gp").read_text(), re.M)
    check(axes == ["unset", "unset", "unset", "set"], f"the axis with logarithmic values: {axes}")
    blocks, words = draw("maps.h5", "first", "--picture", "scatter", "--metric", "x_final[0]")
    check("of the design at x0 = 0, v0 = 0" in words, f"which design of the grid: {words}")
    blocks, words = draw("partly.h5", "partly", "--picture", "scatter", "--metric", "period")
    with h5("partly") as file:
        x, y = file["rk4/omega"][...], file["rk4/period"][...]
        fine = np.isfinite(y)
        check(0 < fine.sum() < len(y) and np.allclose(blocks["points0"], np.column_stack([x, y])[fine], rtol=1e-8), f"points without a number are left out: {fine.sum()} of {len(y)}")
        check(words.count(f"{fine.sum()} of {fine.sum()} points") == 3, f"how many there are: {words}")


def surrogate():
    blocks, words = draw("study.h5", "surrogate", "--picture", "surrogate", "--metric", "x_final[0]")
    points = blocks["points0"]
    title = next(w for w in words if w.startswith("Q2"))
    said = answer("predict", "study.h5", "--metric", "x_final[0]", "--at", "omega=1,x0=1,zeta=0.01", "--format", "csv")
    q2 = float(next(csv.DictReader(io.StringIO(said)))["Q2"])
    check(float(title.split()[1].rstrip(",")) == float(f"{q2:.4g}") and "512 points" in title, f"title: {title}")
    with h5("study") as file:
        group = file["rk4"]
        taken = np.flatnonzero(np.arange(group["omega"].size) % 5 < 2)
        check(np.allclose(points[:, 0], group["x_final"][:, 0][taken], rtol=1e-8), "computed")
        for i in (0, 17, 300):
            at = ",".join(f"{n}={group[n][taken[i]]!r}" for n in ("omega", "x0", "zeta")).replace("np.float64(", "").replace(")", "")
            row = csv_rows("predict", "study.h5", "--metric", "x_final[0]", "--at", at)[0]
            check(abs(float(row["value"]) - points[i, 1]) < 1e-8, f"predicted at {at}: {row['value']}, not {points[i, 1]}")
    check("computed [m]" in words and "predicted by the expansion [m]" in words and "predicted = computed" in words, f"axes: {words}")
    printed = answer("sensitivity", "study.h5", "--metric", "x_final[0]", "--plot", "surrogate", "--picture", "surrogate", "--force", "--format", "csv")
    check("shapley" in printed.splitlines()[0], f"the index is chaos: {printed.splitlines()[0]}")
    blocks, words = draw("rough.h5", "rough", "--picture", "surrogate", "--metric", "x_final[0]")
    title = [re.fullmatch(r"Q2 (\S+) refused, \d+ terms?, 128 of 128 points", w) for w in words]
    check(any(m and float(m[1]) < 0.9 for m in title) and len(blocks["points0"]) == 128, f"an expansion that is refused: {words}")


def cells_of(blocks, k):
    """{(x, y): index} of a panel; NaN: grey."""
    cells = {(round(c[0], 6), round(c[1], 6)): c[6] for c in blocks[f"panel{k}"]}
    return cells | {(round(c[0], 6), round(c[1], 6)): np.nan for c in blocks[f"none{k}"]}


def expect(file, metric, index, *words):
    """{factor: {(x0, v0): index}} of the printed table."""
    table = csv_rows("sensitivity", file, "--metric", metric, *words)
    found = {}
    for row in table:
        if not row.get("with"):
            found.setdefault(row["parameter"], {})[(round(float(row["x0"]), 6), round(float(row["v0"]), 6))] = float(row[index] or "nan")
    return found


def same(cells, expected):
    return cells.keys() == expected.keys() and all(np.isclose(cells[c], expected[c], rtol=1e-5, atol=1e-6, equal_nan=True) for c in cells)


def maps():
    blocks, words = draw("maps.h5", "maps", "--metric", "x_final[0]")
    expected = expect("maps.h5", "x_final[0]", "ST")
    check(len(blocks) == 4 and "omega" in words and "zeta" in words and "ST" in words and words.count("rk4: x_final[0]") == 2, f"a map for each factor: {list(blocks)} {words}")
    for k, factor in enumerate(("omega", "zeta")):
        cells = cells_of(blocks, k)
        check(len(cells) == 12 and same(cells, expected[factor]), f"cells of {factor}: {cells}, not {expected[factor]}")
        check([c for c in cells if np.isnan(cells[c])] == [(0, 0)], f"at rest nothing moves, so that there is no index: {cells}")
        check(np.allclose(np.unique(blocks[f"panel{k}"][:, 2:4]), [-0.25, 0.25, 0.75, 1.25]), f"edges of cells along x0: {np.unique(blocks[f'panel{k}'][:, 2:4])}")
        check(np.allclose(np.unique(blocks[f"panel{k}"][:, 4:6].round(6)), np.array([-1, 1, 3, 5, 7]) / 6, atol=1e-6), f"edges along v0: {np.unique(blocks[f'panel{k}'][:, 4:6])}")
    check("no index: output constant, or points failed" in words, f"the entry of grey cells: {words}")
    blocks, words = draw("maps.h5", "turned", "--metric", "x_final[0]", "--map", "v0,x0")
    check(cells_of(blocks, 0).keys() == {(y, x) for x, y in expected["omega"]}, "axes as they are named")
    blocks, words = draw("maps.h5", "fitted", "--metric", "x_final[0]", "--index", "chaos")
    check(same(cells_of(blocks, 1), expect("maps.h5", "x_final[0]", "S1", "--index", "chaos")["zeta"]), "cells of an expansion")
    blocks, words = draw("three.h5", "three", "--metric", "x_final[0]", "--map", "x0,steps")
    table = csv_rows("sensitivity", "three.h5", "--metric", "x_final[0]")
    middle = {(round(float(r["x0"]), 6), float(r["steps"])): float(r["ST"]) for r in table if r["parameter"] == "omega" and abs(float(r["v0"]) - 2 / 3) < 1e-9}
    check(len(middle) == 6 and same(cells_of(blocks, 0), middle), f"cells at the middle of the third axis: {cells_of(blocks, 0)}, not {middle}")
    check(any("v0 = 0.6667" in w for w in words), f"the third axis at its middle: {words}")


def scales():
    """Colours of what has a unit are those of each metric, and of a derivative those of each factor, with its sign."""
    for name, index in (("screened", "mu_star"), ("derived", "derivative")):
        blocks, words = draw(f"{name}.h5", name, "--metric", "x_final[0]", "--metric", "kinetic_max")
        ranges = re.findall(r"^set cbrange \[(\S+):(\S+)\]$", (folder / f"{name}.gp").read_text(), re.M)
        check(len(ranges) == 4 and len(blocks) == 8, f"{name}: panels: {list(blocks)}, scales: {ranges}")
        for m, metric in enumerate(("x_final[0]", "kinetic_max")):
            expected = expect(f"{name}.h5", metric, index)
            for k, factor in enumerate(("omega", "zeta")):
                check(same(cells_of(blocks, 2 * m + k), expected[factor]), f"{name}: cells of {metric} over {factor}")
                shown = [expected[factor]] if index == "derivative" else expected.values()
                most = max(np.nanmax(np.abs(list(cells.values()))) for cells in shown)
                low, high = map(float, ranges[2 * m + k])
                check(np.isclose(high, most, rtol=1e-5) and low == (-high if index == "derivative" else 0), f"{name}: scale of {metric} over {factor}: {low} to {high}, not {most}")
        check("omega, mu_star [J]" in words or index == "derivative" and "omega, derivative" in words, f"{name}: titles: {words}")
    blocks, words = draw("two.h5", "two", "--metric", "x_final[0]")
    check(len(blocks) == 12 and "rho_inf" in words and "theta1" in words, f"groups with other axes: {list(blocks)} {words}")


def dummy():
    blocks, words = draw("given.h5", "given", "--metric", "x_final[0]")
    table = csv_rows("sensitivity", "given.h5", "--metric", "x_final[0]")
    check("PAWN of a dummy" in words, f"the legend: {words}")
    check(np.allclose(blocks["panel0"][:, 5], [float(r["pawn_dummy"]) for r in table]), "PAWN of a dummy")
    draw("waves.h5", "waves", "--metric", "x_final[0]")
    table = csv_rows("sensitivity", "waves.h5", "--metric", "x_final[0]")
    bars, level = (max(float(r[key]) for r in table for key in keys) for keys in (("S1", "pawn"), ("pawn_dummy",)))
    high = float(re.search(r"^set xrange \[\S+:(\S+)\]$", (folder / "waves.gp").read_text(), re.M)[1])
    check(high > level > 1.05 * bars, f"a level beyond all bars lies in the panel: {level}, {bars}, {high}")


def refusals():
    def refuses(words, message, file="study.h5", code=2):
        error = pendula("sensitivity", file, *words, code=code).err
        check(message in error and error.count("\n") == 1, f"sensitivity {' '.join(words)}: '{message}' in: {error}")

    refuses(["--picture", "scatter"], "add --plot FILE")
    refuses(["--picture", "indices"], "add --plot FILE")
    refuses(["--map", "x0,v0"], "add --plot FILE", "maps.h5")
    refuses(["--picture", "bars", "--plot", "no"], "--picture takes indices, scatter or surrogate, got 'bars'")
    refuses(["--map", "x0", "--plot", "no"], "--map takes two axes, X,Y", "maps.h5")
    refuses(["--map", "x0,x0", "--plot", "no"], "--map takes two axes, X,Y", "maps.h5")
    refuses(["--map", "x0,w0", "--plot", "no"], "has no axis 'w0' around its designs; it has x0, v0", "maps.h5")
    refuses(["--map", "omega,x0", "--plot", "no"], "has no axis 'omega' around its designs; it has x0, v0", "maps.h5")
    refuses(["--map", "omega,x0", "--plot", "no"], "has no axis 'omega' around its designs; it has no grid of designs: add `inside: grid` to the design")
    refuses(["--map", "x0,rho_inf", "--plot", "no"], "has no axis 'x0' around its designs; it has steps, rho_inf", "two.h5")
    refuses(["--map", "x0,v0", "--plot", "no", "--picture", "scatter"], "leave out --picture scatter", "maps.h5")
    refuses(["--map", "x0,v0", "--plot", "no", "--over", "samples"], "--over draws curves", "maps.h5")
    refuses(["--over", "samples", "--plot", "no", "--picture", "scatter"], "--over draws curves")
    refuses(["--index", "sobol", "--plot", "no", "--picture", "surrogate"], "draws the expansion of --index chaos, not of sobol")
    refuses(["--plot", "no", "--picture", "surrogate"], "morris, does not serve the index chaos", "screen.h5")
    refuses(["--metric", "updates", "--picture", "surrogate", "--plot", "no"], "there is nothing to draw", code=4)
    check(not list(folder.glob("no.*")), "nothing is left of a picture that is refused")


need_compiler()
need_program("gnuplot")
run("study", STUDY, device="native")
run("many", STUDY.replace("saltelli: {samples: 256}", "lhs: {samples: 16384}"), device="native")
run("given", STUDY.replace("saltelli: {samples: 256}", "random: {samples: 1000}"), device="native")
rough = STUDY.replace("steps: 60", "steps: 20000").replace("[0.001, 0.1]", "[1.0e-6, 1.0e-5]")
run("rough", rough.replace("saltelli: {samples: 256}", "sobol: {samples: 128}"), device="native")
waves = re.sub("parameters: .*", "parameters: {omega: {linear: [0.5, 2, 25]}}", STUDY).replace("design: {saltelli: {samples: 256}}\n", "")
run("waves", waves.replace("steps: 60", f"steps: {[19000 + 37 * i for i in range(25)]}"), device="native")
run("maps", MAPS, device="native")
run("three", MAPS.replace("steps: 60", "steps: [40, 60]"), device="native")
run("partly", STUDY.replace("steps: 60", "steps: 200").replace("saltelli: {samples: 256}", "random: {samples: 300}"), device="native")
run("even", STUDY.replace("saltelli: {samples: 256}", "sobol: {samples: 16000}"), device="native")
run("screen", STUDY.replace("normal: [1, 0.1]", "uniform: [0.8, 1.2]").replace("saltelli: {samples: 256}", MORRIS), device="native")
run("near", STUDY.replace("saltelli: {samples: 256}", LOCAL), device="native")
run("grid", re.sub("parameters: .*", "parameters: {omega: {linear: [0.5, 2, 7]}, x0: {linear: [1, 2, 3]}, zeta: {log: [0.001, 0.1, 5]}}", STUDY).replace("design: {saltelli: {samples: 256}}\n", ""), device="native")
run("screened", MAPS.replace("saltelli: {samples: 64}", MORRIS), device="native")
run("derived", MAPS.replace("saltelli: {samples: 64}", LOCAL), device="native")
run("two", STUDY.replace("[rk4]", "[{generalized_alpha: {rho_inf: [0.2, 0.8]}}, {theta1: {theta1: [0.6, 0.8]}}]").replace("steps: 60", "steps: [40, 60]").replace("samples: 256}}", "samples: 16}, inside: grid}"), device="native")
main(scatter, other_designs, surrogate, maps, scales, dummy, refusals, fine="all as it should be")
