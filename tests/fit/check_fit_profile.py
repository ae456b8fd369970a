# check_fit_profile -- profiles of fits by closed forms, the picture of a fit, and the sweep file of an optimum.
import math
import os
import re

from check_fit import data, DECAY, decay, FREE, find, least_squares, noisy_decay, one, oscillator, OSCILLATOR, same, table
from checking import answer, check, csv_rows, folder, h5, main, need, need_program, pendula, refused, remove, write
from picture import data_blocks, faults_of

np = need("numpy")
need("h5py")
os.environ["PENDULA_PROGRESS"] = "none"  # whether a compiler takes a second depends on the machine

STUDENT = {29: 2.0452296421, 30: 2.0422724563, 31: 2.0395134464}  # 0.975 quantiles, of tables
NORMAL = 1.9599639845

# x' = a + b t from c: after n steps of h by Euler's method x is c + a h n + b h^2 n (n - 1) / 2.
LINE = """problem: {coordinates: [y], rate: ["a + b*t"], start: [c], parameters: PARAMETERS}
methods: [explicit_euler]
step: 0.125
end: 4
design: {random: {samples: 1}}
"""
WIDE = "{a: {uniform: [-50, 50]}, b: {uniform: [-50, 50]}, c: {uniform: [-50, 50]}}"


def ends(rows, name):
    row = one(rows, "profile", parameter=name)
    return row["low"], row["high"]


def near(rows, name, due, scale, what, rtol=1e-6):
    for end, found, right in zip(("low", "high"), ends(rows, name), due):
        check(found is not None and abs(found - right) < rtol * scale, f"{what}: {end} end of the profile of {name} is {found}, not {right}")


def line(p, t):
    n = np.round(t / 0.125)
    slopes = np.stack([0.125 * n, 0.125**2 * n * (n - 1) / 2, np.ones_like(t)], axis=1)
    return slopes @ np.asarray(p), slopes


def see_linear():
    """A model that is linear in its parameters: profiles are the intervals by J^T J, by Student's t and by chi-square."""
    rng = np.random.default_rng(11)
    t = 0.125 * np.arange(1, 33)
    sigma = np.where(np.arange(32) % 4 == 0, 0.3, 0.1)
    y = line((1.2, -0.4, 0.7), t)[0] + sigma * rng.standard_normal(32)
    sweep = write("line.yaml", LINE.replace("PARAMETERS", WIDE))
    plain, weighted = data("line.csv", "t,y", zip(t, y)), data("line_sigma.csv", "t,y,y_sigma", zip(t, y, sigma))
    names = ("a", "b", "c")
    for what, words, weights, quantile, scale in (
            ("plain", (plain,), 1.0, STUDENT[29], None), ("weighted", (weighted,), sigma, STUDENT[29], None),
            ("absolute", (weighted, "--sigma", "absolute"), sigma, NORMAL, 1.0), ("differences", (plain, "--differences"), 1.0, STUDENT[29], None)):
        values, deviations, correlations, squares = due = least_squares(line, (0, 0, 0), t, y, weights)
        rows = table(sweep, "--data", *words, "--starts", 3, "--profile", "all")
        same(rows, names, due, 1e-5, quantile, scale, what)
        reach = quantile * deviations * (math.sqrt(squares / 29) if scale is None else scale)
        for name, value, r in zip(names, values, reach):
            near(rows, name, (value - r, value + r), r, what, rtol=1e-5 if what == "differences" else 1e-7)
            check(abs(one(rows, "profile", parameter=name)["value"] - value) < 1e-6 * r, f"{what}: value of the profile of {name}")
    rows = table(sweep, "--data", plain, "--starts", 3, "--profile", "c,a")
    check([row["parameter"] for row in find(rows, "profile")] == ["a", "c"], f"chosen profiles: {find(rows, 'profile')}")
    check(not find(table(sweep, "--data", plain, "--starts", 3), "profile"), "profiles without a question")


def see_bounds():
    """A bound between the optimum and an end: the profile is open there, and the other end stays; one on its bound has one end."""
    rng = np.random.default_rng(12)
    t = 0.125 * np.arange(1, 33)
    n = 0.125 * np.arange(1, 33)
    y = 1.2 * n + 0.5 * rng.standard_normal(32)
    plain = data("ray.csv", "t,y", zip(t, y))
    value = float(n @ y / (n @ n))
    squares = float(np.sum((y - value * n) ** 2))
    r = STUDENT[31] * math.sqrt(squares / 31 / (n @ n))
    ray = LINE.replace('"a + b*t"', '"a"').replace("[c]", "[0]")
    bound = value + 0.7 * r
    sweep = write("ray.yaml", ray.replace("PARAMETERS", f"{{a: {{uniform: [-5, {bound!r}]}}}}"))
    rows = table(sweep, "--data", plain, "--starts", 3, "--profile", "a")
    low, high = ends(rows, "a")
    check(abs(low - (value - r)) < 1e-6 * r and high is None, f"a bound above: {low} .. {high}, not {value - r} and none")
    text = answer("fit", sweep, "--data", plain, "--starts", 3, "--profile", "a")
    check(f"the profile of a is open above: as far as {bound:.6g}, its bound, the data do not rule a value out" in text, text)
    check("open below" not in text, text)
    # Fitted on its bound, beyond which the optimum lies: S rises from there by as much as chance allows.
    bound = value - 0.7 * r
    sweep = write("ray.yaml", ray.replace("PARAMETERS", f"{{a: {{uniform: [-5, {bound!r}]}}}}"))
    rows = table(sweep, "--data", plain, "--starts", 3, "--profile", "a")
    low, high = ends(rows, "a")
    # One parameter less is free: 32 degrees of freedom, of which the quantile is 2.0369333435.
    there = float(np.sum((y - bound * n) ** 2))
    rise = 2.0369333435**2 * there / 32
    due = value - math.sqrt((there - squares + rise) / (n @ n))
    check(abs(low - due) < 1e-6 * r and high is None, f"on a bound: {low} .. {high}, not {due} and none")


def see_others_bounds():
    """A line whose start is bounded: where the start would lie beyond, the profile of the slope has it on the bound."""
    rng = np.random.default_rng(13)
    n = 0.125 * np.arange(1, 33)
    y = 0.4 + 1.2 * n + 0.5 * rng.standard_normal(32)
    plain = data("slope.csv", "t,y", zip(n, y))
    columns = np.stack([n, np.ones(32)], axis=1)
    (a, c), squares, *_ = np.linalg.lstsq(columns, y, rcond=None)
    squares, bound = float(squares[0]), float(c) + 0.1

    def profile(at):
        start = min(float(np.mean(y - at * n)), bound)
        return float(np.sum((y - at * n - start) ** 2))

    due = profile_ends(profile, a, squares, STUDENT[30] ** 2 * squares / 30, (a - 3, a + 3))
    free = STUDENT[30] * math.sqrt(squares / 30 * np.linalg.inv(columns.T @ columns)[0, 0])
    text = LINE.replace('"a + b*t"', '"a"').replace("PARAMETERS", f"{{a: {{uniform: [-5, 5]}}, c: {{uniform: [-5, {bound!r}]}}}}")
    rows = table(write("slope.yaml", text), "--data", plain, "--starts", 3, "--profile", "a")
    near(rows, "a", due, free, "a bounded start")
    check(abs(due[0] - (a - free)) > 0.05 * free, "the bound changes nothing")


def bisect(function, low, high):
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) * function(low) > 0 else (low, middle)
    return (low + high) / 2


def least(function, low, high):
    """The least value of a function with one minimum: golden section."""
    part = (math.sqrt(5) - 1) / 2
    for _ in range(70):
        one_third, two_thirds = high - part * (high - low), low + part * (high - low)
        low, high = (low, two_thirds) if function(one_third) < function(two_thirds) else (one_third, high)
    return function((low + high) / 2)


def profile_ends(profile, value, squares, limit, far):
    """Where a profile has risen by the limit, by bisection between the optimum and places far off."""
    return [bisect(lambda c: profile(c) - squares - limit, value, end) for end in far]


def decay_profiles(t, y, sigma):
    """S(a) with b by its linear equation, and S(b) with a by golden section."""
    n = np.round(t / 0.125)

    def of_a(a):
        left = (1 - 0.125 * a) ** n / sigma
        return float((y / sigma) @ (y / sigma) - (left @ (y / sigma)) ** 2 / (left @ left))

    def of_b(b):
        return least(lambda a: float(np.sum(((b * (1 - 0.125 * a) ** n - y) / sigma) ** 2)), 0.05, 4)

    return of_a, of_b


def see_nonlinear():
    """The decay by Euler's method from few and noisy data, whose profiles are lopsided."""
    t, y, _ = noisy_decay()
    t, sigma = t[1::2], np.full(16, 0.6)
    y = y[1::2] + 0.5 * np.random.default_rng(7).standard_normal(16)
    sweep = write("decay.yaml", DECAY.replace("PARAMETERS", FREE))
    measured = data("few.csv", "t,y,y_sigma", zip(t, y, sigma))
    (a, b), deviations, _, squares = least_squares(decay, (0.7, 3.0), t, y, sigma)
    of_a, of_b = decay_profiles(t, y, sigma)
    quantile = 2.1447866879  # Student's with 14
    for what, words, limit in (("relative", (), quantile**2 * squares / 14), ("absolute", ("--sigma", "absolute"), NORMAL**2)):
        rows = table(sweep, "--data", measured, "--starts", 8, "--profile", "a,b", *words)
        due_a, due_b = profile_ends(of_a, a, squares, limit, (0.06, 3.9)), profile_ends(of_b, b, squares, limit, (0.3, 20))
        near(rows, "a", due_a, deviations[0], what)
        near(rows, "b", due_b, deviations[1], what)
        row = one(rows, "parameter", parameter="a")
        check(abs(row["high"] - due_a[1]) > 0.05 * (due_a[1] - a), f"{what}: the profile is the interval by J^T J: {row}, {due_a}")


def see_open():
    """Of c and d only the product counts, e does nothing, nor does g, which has no bounds."""
    t, y, _ = noisy_decay()
    plain = data("plain.csv", "t,y", zip(t, y))
    few = write("decay.yaml", DECAY.replace("PARAMETERS", FREE))
    low, high = ends(table(few, "--data", plain, "--starts", 8, "--profile", "a"), "a")
    text = DECAY.replace("-a*y", "-c*d*y").replace("PARAMETERS", FREE.replace("a:", "c:").replace(
        "b:", "d: {uniform: [0.5, 2]}, e: {uniform: [0, 1]}, g: {normal: [3, 1]}, b:"))
    sweep = write("product.yaml", text)
    words = sweep, "--data", plain, "--starts", 8, "--profile", "all"
    rows = table(*words)
    found = ends(rows, "c")
    check(None not in found and abs(found[0] / (low / 2) - 1) < 1e-4 and abs(found[1] / (high / 0.5) - 1) < 1e-4,
          f"the ends of c are {found}, not {low / 2}, {high / 0.5}")
    check(ends(rows, "e") == (None, None) and ends(rows, "g") == (None, None) and ends(rows, "d") == (None, None), f"{find(rows, 'profile')}")
    text = answer(*("fit", *words))
    for name, side, far in (("e", "below", "0, its bound,"), ("e", "above", "1, its bound,"), ("d", "above", "2, its bound,"), ("d", "below", "0.5, its bound,")):
        check(f"the profile of {name} is open {side}: as far as {far} the data do not rule a value out" in text, f"{name} {side}: {text}")
    far = re.search(r"the profile of g is open above: as far as ([\d.e+]+) the data", text)
    check(far and float(far[1]) > 1e9, f"g without bounds: {text}")


def see_others():
    """From the lesser of two optima, between which the sum of squares rises little, the profile finds the better one."""
    wells = LINE.replace('"a + b*t"', '"0"').replace("[c]", '["0.35*(a^2 - 1)^2 - 0.85 + 0.15*a"]').replace("PARAMETERS", "{a: {uniform: [-1.5, 1.5]}}")
    sweep = write("wells.yaml", wells)
    four = data("four.csv", "t,y", [(1, -0.99), (2, -1.01), (3, -1.0), (4, -1.0)])
    said = 0
    for seed in range(1, 7):
        text = answer("fit", sweep, "--data", four, "--starts", 1, "--seed", seed, "--profile", "a")
        value = float(re.search(r"parameter +a +- +([-\d.]+)", text)[1])
        less = re.search(r"a profile found the sum of squares ([\d.e-]+), which is less than at the best optimum: give more --starts", text)
        check(bool(less) == (value > 0), f"seed {seed}: optimum at {value}: {text}")
        if less:
            squares = float(re.search(r"squares +- +([\d.e-]+)", text)[1])
            check(float(less[1]) < squares, f"{less[1]} is not less than {squares}")
        said += bool(less)
    check(0 < said < 6, f"{said} of 6 seeds ended at the lesser optimum")
    # With both optima found, the profile of a slope is that of a line: the better well reaches the starts that it has along it.
    t = 0.125 * np.arange(1, 33)
    y = -0.8 + 0.2 * t + 0.03 * np.random.default_rng(14).standard_normal(32)
    slope = wells.replace('"0"', '"b"').replace("{a:", "{b: {uniform: [-1, 1]}, a:")
    rows = table(write("slope.yaml", slope), "--data", data("slope.csv", "t,y", zip(t, y)), "--starts", 12, "--profile", "b")
    columns = np.stack([t, np.ones(32)], axis=1)
    (b, start), squares, *_ = np.linalg.lstsq(columns, y, rcond=None)
    reach = STUDENT[30] * math.sqrt(float(squares[0]) / 30 * np.linalg.inv(columns.T @ columns)[0, 0])
    check(len(find(rows, "starts")) >= 2, f"one optimum: {find(rows, 'starts')}")
    near(rows, "b", (b - reach, b + reach), reach, "two wells")
    exact = data("exact.csv", "t,y", [(1, 2.0), (2, 3.0), (3, 4.0)])
    refused("3 measured values for 3 parameters leave no error to measure by", "fit", write("line.yaml", LINE.replace("PARAMETERS", WIDE)),
            "--data", exact, "--profile", "a", "-d", "reference", code=4)


def squares_of(name, label, columns, y):
    """The sum of squares of samples in a result file: `columns` names each value's group of conditions by a function of the file."""
    with h5(name) as file:
        return float(np.sum((columns(file[label]) - y) ** 2))


def see_sweep():
    """The sweep of the optimum runs as it is, and its samples have the sum of squares that was printed."""
    rng = np.random.default_rng(4)
    t = np.tile(np.linspace(0.3, 9.9, 25), 2)
    x0 = np.repeat([0.5, 1.5], 25)
    x = oscillator((2.0, 0.1, 0.3), (t, x0))[0] + 0.02 * rng.standard_normal(50)
    measured = data("two.csv", "t,x0,x", zip(t, x0, x))
    text = OSCILLATOR.replace("AMPLITUDES", "[0.5, 1.5]")
    ranged = text.replace("{random: {samples: 1}, inside: grid}", "grid").replace("{uniform: [0.5, 5]}", "{linear: [0.5, 5, 4]}").replace(
        "{uniform: [0, 0.8]}", "{log: [0.001, 0.8, 4]}")
    for kind, written in (("grid inside", text), ("a random condition", text.replace("[0.5, 1.5]", "{uniform: [0.1, 3]}")),
                          ("ranges", ranged), ("correlated", text + "correlated: {of: [omega, zeta], spearman: 0.2}\n"),
                          ("a title", text + 'title: "of \\"two\\": places"\ntrajectory: null\n')):
        remove("best.*")
        rows = table(write("two.yaml", written), "--data", measured, "--starts", 12, "--sweep", "best.yaml")
        pendula("run", "best.yaml", "-d", "reference", "--progress", "none", "-o", "best.h5")
        squares = one(rows, "squares", optimum=None)["value"]
        found = squares_of("best", "rk4", lambda group: np.asarray(group["x"]).reshape(2, 25).ravel(), x)
        check(abs(found / squares - 1) < 1e-9, f"{kind}: the sweep's samples have the sum of squares {found}, not {squares}")
        best = (folder / "best.yaml").read_text(encoding="utf-8")
        check(best.startswith("# Fitted by `pendula fit` to 50 measured values: the sum of squares is ") and "uniform" not in best, best)
    check("title: 'of \"two\": places'" in best, best)
    # Conditions of two axes: the points between them are run too.
    v0 = np.where(x0 == 0.5, -0.4, 0.3)
    both = np.concatenate([oscillator((2.0, 0.1, v), (t[x0 == x], x))[0] for x, v in ((0.5, -0.4), (1.5, 0.3))])
    both = both + 0.02 * rng.standard_normal(50)
    written = text.replace("[0.5, 1.5]", "{uniform: [0.1, 3]}").replace("{linear: [-1, 1, 3]}", "{uniform: [-1, 1]}")
    rows = table(write("two.yaml", written), "--data", data("both.csv", "t,x0,v0,x", zip(t, x0, v0, both)), "--starts", 12, "--sweep", "best.yaml", "--force")
    pendula("run", "best.yaml", "-d", "reference", "--progress", "none", "-o", "best.h5", "--force")
    found = squares_of("best", "rk4", lambda group: np.asarray(group["x"]).reshape(2, 2, 25)[[0, 1], [0, 1]].ravel(), both)
    check(abs(found / one(rows, "squares", optimum=None)["value"] - 1) < 1e-9, f"conditions of two axes: {found}, {find(rows, 'squares')}")
    # Parameters of a problem of formulas; overrides; the user's own trajectory stays.
    t, y, _ = noisy_decay()
    plain = data("plain.csv", "t,y", zip(t, y))
    own = DECAY.replace("PARAMETERS", FREE) + "trajectory: {every: 1, fields: [x]}\n"
    rows = table(write("decay.yaml", own), "--data", plain, "--sweep", "best.yaml", "--force", "-s", "parameters.b=2.5", "-s", "end=5")
    pendula("run", "best.yaml", "-d", "reference", "--progress", "none", "-o", "best.h5", "--force")
    found = squares_of("best", "explicit_euler", lambda group: np.asarray(group["x"]).ravel()[1:33], y)
    squares = one(rows, "squares", optimum=None)["value"]
    check(abs(found / squares - 1) < 1e-9, f"formulas: {found}, not {squares}")
    best = (folder / "best.yaml").read_text(encoding="utf-8")
    check("trajectory: {every: 1, fields: [x]}" in best and "end: 5" in best and "b: 2.5" in best and "times" not in best, best)
    # From standard input, where the text is read once.
    found = csv_rows("fit", "-", "--data", plain, text=DECAY.replace("PARAMETERS", FREE))
    check([row["value"] for row in found if row["statistic"] == "data"] == ["32"], f"standard input: {found}")
    sweep = write("decay.yaml", DECAY.replace("PARAMETERS", FREE))
    words = "fit", sweep, "--data", plain, "--sweep"
    refused("'best.yaml' exists already", *words, "best.yaml", code=3)
    refused("--sweep: name a file", *words, "-")
    refused("an optimum of its own: choose one, as by -s methods=[explicit_euler]", *words, "other.yaml", "-s", "methods=[explicit_euler, rk4]")
    write("still.csv", "t,f\n0,1\n4,1\n")
    tabled = write("tabled.yaml", DECAY.replace("PARAMETERS", FREE).replace('"-a*y"', '"-a*y*f(t)"') + "tables: {f: {file: ./still.csv, columns: [t, f]}}\n")
    os.mkdir(folder / "away")
    refused("the sweep names files, by their place from the folder of 'tabled.yaml'", "fit", tabled, "--data", plain, "--sweep", "away/best.yaml")
    check(one(table(tabled, "--data", plain, "--sweep", "beside.yaml"), "data")["value"] == 32 and (folder / "beside.yaml").exists(), "beside it")
    refused("'step' has a distribution and is no parameter of the problem", "fit", write("steps.yaml", DECAY.replace("PARAMETERS", FREE).replace(
        "step: 0.125", "step: {uniform: [0.1, 0.2]}")), "--data", data("steps.csv", "t,step,y", [(1, 0.125, 1), (2, 0.125, 1), (3, 0.125, 2)]),
        "--sweep", "never.yaml")


def see_picture():
    """Curves are the motion of the optimum, residuals what is left of the data; what has no room is said."""
    need_program("gnuplot", "gnuplot-nox")
    rng = np.random.default_rng(4)
    t = np.tile(np.linspace(0.3, 9.9, 25), 2)
    x0 = np.repeat([0.5, 1.5], 25)
    x = oscillator((2.0, 0.1, 0.3), (t, x0))[0] + 0.02 * rng.standard_normal(50)
    sweep = write("two.yaml", OSCILLATOR.replace("AMPLITUDES", "[0.5, 1.5]"))
    measured = data("two.csv", "t,x0,x,x_sigma", zip(t, x0, x, np.full(50, 0.02)))
    done = pendula("fit", sweep, "--data", measured, "--starts", 12, "--plot", "two.png", "--format", "csv")
    check("two.png, two.svg; script two.gp" in done.err, done.err)
    svg, script = ((folder / f"two.{end}").read_text(encoding="utf-8") for end in ("svg", "gp"))
    check(not faults_of(svg, ""), f"faults of the picture: {faults_of(svg, '')}")
    for words in ("rk4: x", "x [m]", "residual / sigma", "x0 = 0.5", "x0 = 1.5"):
        check(words in svg or words.replace(" ", "&#160;") in svg, f"'{words}' is not in the picture")
    blocks = data_blocks(script)
    best = least_squares(oscillator, (2.0, 0.1, 0.3), (t, x0), x)[0]
    for c, amplitude in enumerate((0.5, 1.5)):
        curve = np.array(blocks[f"curve0_{c}"], float)
        due = oscillator(best, (curve[:, 0], amplitude))[0]
        check(len(curve) == 401 and curve[0, 0] == 0 and abs(curve[-1, 0] - 9.9) < 1e-12 and np.max(abs(curve[:, 1] - due)) < 1e-5, f"curve {c}")
        points = np.array(blocks[f"data0_{c}"][:-1], float)
        mine = x0 == amplitude
        left = (x[mine] - oscillator(best, (t[mine], amplitude))[0]) / 0.02
        check(np.max(abs(points[:, 0] - t[mine])) < 1e-5 and np.max(abs(points[:, 1] - x[mine])) < 1e-5 and np.max(abs(points[:, 2] - left)) < 1e-3,
              f"points {c}: {points[:3]}, {left[:3]}")
    # Nine conditions and two quantities of three methods.
    rows = [(t, x0, math.cos(2 * t) * x0, -2 * math.sin(2 * t) * x0) for x0 in range(1, 10) for t in (0.5, 1, 2)]
    text = OSCILLATOR.replace("AMPLITUDES", "{linear: [1, 9, 9]}").replace("[rk4]", "[rk4, explicit_euler, velocity_verlet]").replace("0.01", "0.05")
    done = pendula("fit", write("nine.yaml", text), "--data", data("nine.csv", "t,x0,x,v_x", rows), "--starts", 1, "--plot", "nine", "-d", "reference",
                   "-s", "parameters.v0=0", "-s", "end=2")
    check("the first 4 quantities are drawn, not 2 more" in done.err and "the first 8 conditions are drawn, not 1 more" in done.err, done.err)
    blocks = data_blocks((folder / "nine.gp").read_text(encoding="utf-8"))
    check({"curve3_7", "data3_7"} <= set(blocks) and not {"curve4_0", "curve0_8"} & set(blocks), f"blocks {sorted(blocks)}")
    check(not faults_of((folder / "nine.svg").read_text(encoding="utf-8"), ""), "faults of the other picture")
    refused("'two.gp' exists already", "fit", sweep, "--data", measured, "--plot", "two", code=3)


if __name__ == "__main__":
    main(see_linear, see_bounds, see_others_bounds, see_nonlinear, see_open, see_others, see_sweep, see_picture)
