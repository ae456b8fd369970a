# check_tutorial -- every file and every command of the pages tutorial, sensitivity, distribution, refine and advise of docs, in order, each in an empty folder.
#
# Files are the blocks whose first line is a comment with a name. Commands must end with 0, and sweeps have no failed point. Beside that,
# what a page says of the results is checked, and each line of a block of text stands in what the commands before it print.
import csv
import json
import math
import re
import shlex
import shutil
import sys

from checking import check, execute, failures, finish, folder, need, need_compiler, PROGRAM, ROOT

h5py, np = need("h5py", "numpy")

DOCS = ROOT / "docs"
printed = ""
place = folder


def read(name):
    return h5py.File(place / name, "r")


def run(line):
    global printed
    words = shlex.split(line)
    if words[0] == "Rscript" and (not shutil.which("Rscript") or execute(["Rscript", "-e", "library(hdf5r)"]).code != 0):
        print(f"skipped: {line}: R or its package hdf5r is not installed")
        return
    words[0] = {"pendula": PROGRAM, "python3": sys.executable}.get(words[0], words[0])
    done = execute(words, cwd=place)
    check(done.code == 0, f"{line}: exit {done.code}: {done.err}")
    printed += done.out


def write_block(text):
    name = re.match(r"# ([\w.]+)\n", text).group(1)
    (place / name).write_text(text)
    if name.endswith(".yaml"):
        # What stands beside the system: at most six keys.
        beside = [line for line in text.splitlines()[1:] if not line.startswith((" ", "problem:", "parameters:"))]
        check(len(beside) <= 6, f"{name}: {len(beside)} lines beside the system")


def all_ok(name):
    with read(name) as file:
        for group in file.values():
            if isinstance(group, h5py.Group) and "status" in group:
                check(np.all(group["status"][...] == 1), f"{name}: a point failed")


def test_results():
    for name in ("duffing.h5", "mathieu.h5", "oscillator.h5", "masses.h5", "robertson.h5", "stiff.h5", "sampled.h5", "quake.h5", "fragile.h5", "doses.h5", "ball.h5"):
        all_ok(name)
    # A hardening spring resonates above its own frequency of 1.
    with read("duffing.h5") as file:
        omega, amplitude = file["rk4/force_omega"][...], file["rk4/amplitude_final"][...]
        peak = omega[np.nanargmax(amplitude)]
        check(1.05 < peak < 1.6, f"duffing: the peak is at {peak}")
    # What the doses leave is a geometric sum.
    with read("doses.h5") as file:
        for method, bound in (("rk4", 1e-4), ("dopri5_adaptive", 1e-6)):
            for tau, x in zip((6, 8, 12, 24), file[f"{method}/x_final"][...].reshape(-1)):
                left = sum(5 * np.exp(-0.17 * (84 - tau * i)) for i in range(10) if tau * i <= 84)
                check(abs(x / left - 1) < bound, f"doses: {method}: {x} at tau = {tau}, not {left}")
    # Bounce n + 1 comes 2 e^n t1 after bounce n.
    with read("ball.h5") as file:
        fall = np.sqrt(2 / 9.81)
        for method in ("rk4", "newmark"):
            for e, time in zip((0.7, 0.8, 0.9), file[f"{method}/bounces_time_2"][...]):
                check(abs(time - fall * (1 + 2 * e)) < 1e-13, f"ball: {method}: the second bounce of {e} is at {time}")
    # A stiff oscillator goes with its ground: its force is the peak of the ground's acceleration. A soft one stays behind.
    with read("quake.h5") as file:
        period, peak = file["rk4/T"][...], file["rk4/x_max"][...]
        force = (2.0 * np.pi / period) ** 2 * peak / 9.81
        check(np.all(abs(force[:, 0] - 0.3) < 0.03) and np.all(force[:, -1] < 0.03), f"quake: {force[:, 0]}, {force[:, -1]}")
    # A stiff oscillator goes with its ground at each angle. RotD50 is the median of the peaks over them.
    angles, times = np.deg2rad(np.linspace(0, 178, 90)), np.linspace(0, 1.2, 1201)
    north, east = np.interp(times, (0, 0.2, 0.4, 0.7, 1), (0, 0.3, -0.25, 0.1, 0)), np.interp(times, (0, 0.3, 0.5, 0.9, 1.2), (0, -0.2, 0.28, -0.05, 0))
    stiff = 9.81 * (0.02 / 2 / np.pi) ** 2 * np.abs(np.outer(np.cos(angles), north) + np.outer(np.sin(angles), east)).max(axis=1)
    rows = [row for row in csv.DictReader(open(place / "rotd50.csv", encoding="utf-8")) if row["statistic"] in ("quantile", "maximum")]
    median, largest = (np.array([float(row["value"]) for row in rows if row["statistic"] == name]) for name in ("quantile", "maximum"))
    with read("rotated.h5") as file:
        peaks = file["rk4/x_max"][...]
    check(peaks.shape == (40, 90) and np.allclose(median, np.median(peaks, axis=1), rtol=1e-8) and np.allclose(largest, peaks.max(axis=1), rtol=1e-8),
          f"rotated: {median} are not the medians")
    check(abs(median[0] / np.median(stiff) - 1) < 0.05 and abs(largest[0] / stiff.max() - 1) < 0.1, f"rotated: {median[0]}, {largest[0]}")
    # A structure that yields goes farther than in proportion to the record.
    with read("scaled.h5") as file:
        farther = file["rk4/x_max"][...] / file["rk4/scale"][...]
    check(abs(farther[1] / farther[0] - 1) < 0.01 and farther[-1] > 3 * farther[0], f"scaled: {farther}")
    # The end of a linear oscillator under normal accelerations is normal. The sample at s is a hat, three ramps from s - 0.05 on; the first
    # one is the half of it behind 0, a step and two ramps.
    w, z = 2 * np.pi, 0.1
    damped = w * np.sqrt(1 - z * z)
    wave = lambda t, a, b: np.exp(-z * w * t) * (a * np.cos(damped * t) + b / damped * np.sin(damped * t))
    ramp = lambda t: (t - 2 * z / w + wave(t, 2 * z / w, 2 * z * z - 1)) / w**2
    ramps = ramp(np.maximum(10 - 0.05 * np.arange(-1, 202), 0))
    hats = (ramps[:-2] - 2 * ramps[1:-1] + ramps[2:]) / 0.05
    hats[0] = (1 - wave(10, 1, z * w)) / w**2 - (ramps[1] - ramps[2]) / 0.05
    deviation = np.sqrt(np.sum(hats**2))
    held = 0
    for row in csv.DictReader(open(place / "at_end.csv", encoding="utf-8")):
        if row["statistic"] == "above":
            probability = math.erfc(float(row["at"]) / (float(row["scale"]) * deviation * math.sqrt(2)))
            held += float(row["low"]) <= probability <= float(row["high"])
    check(held >= 60 and (place / "fragility.png").is_file(), f"fragile: {held} of 80 intervals hold")
    with read("grounds.h5") as grounds, read("fragile.h5") as file:
        due = np.outer(file["rk4/scale"][...], np.abs(grounds["a"][...] @ hats))
        check(np.max(np.abs(file["rk4/at_end"][...] - due)) < 1e-6, "fragile: the ends are not those of the records")
    # A jump of the friction leaves no method its order.
    jump = '-s', 'problem.acceleration=["-x - mu*sign(v_x) + 0.5*cos(0.7*t)"]'
    done = execute([PROGRAM, "check", "slide.yaml", "--manufactured", "-d", "native", "--json", *jump], cwd=place)
    found = {row["group"]: (row["finding"], round(row["own"], 1)) for row in json.loads(done.out)}
    check(done.code == 4 and found == {"generalized_alpha": ("low", 1.4), "rk4": ("low", 1.2)}, f"slide: exit {done.code}: {found}")
    # Tongues leave the axis q = 0 at a = 1, 4; beside them the motion stays small.
    with read("mathieu.h5") as file:
        a, q, x_max = (file[f"rk4/{n}"][...] for n in ("a", "q", "x_max"))
        at = lambda x, y: x_max[np.argmin(abs(a - x)), np.argmin(abs(q - y))]
        check(at(1, 0.5) > 1e3 and at(2.5, 0.3) < 3 and at(-1, 0) > 1e10, f"mathieu: {at(1, 0.5)}, {at(2.5, 0.3)}, {at(-1, 0)}")
    # Both methods are of order 2.
    with read("oscillator.h5") as file:
        for name in ("generalized_alpha", "theta2"):
            errors = file[name]["error_max"][...]
            orders = np.log2(errors[-2] / errors[-1])
            check(np.all(np.abs(orders - 2) < 0.3), f"oscillator: {name} has orders {orders}")
    # Resonances are where K - W^2 M is singular.
    with read("masses.h5") as file:
        omega, amplitude = file["generalized_alpha/W"][...], file["generalized_alpha/amplitude_final"][...]
        check(amplitude.shape == (3, 49), f"masses: {amplitude.shape}")
        for i, m in enumerate((0.5, 1, 2)):
            own = np.sqrt(np.linalg.eigvals(np.diag([1, 1, 1 / m]) @ np.array([[2, -1, 0], [-1, 2, -1], [0, -1, 1]])).real.min())
            peak = omega[np.nanargmax(amplitude[i])]
            check(abs(peak - own) < 0.06, f"masses: the peak is at {peak}, not {own}")
    # The solution at 4e6 s, as SciPy's Radau, BDF and LSODA have it at a relative tolerance of 1e-11.
    with read("robertson.h5") as file:
        for name, least in (("backward_euler", 1.8), ("bdf2", 3.7), ("tr_bdf2", 3.5)):
            final, drift = file[name]["x_final"][...], file[name]["energy_drift"][...]
            errors = np.abs(final[:, 0] - 5.1680960e-4)
            check(errors[0] / errors[1] > least and errors[2] < 2.5e-5, f"robertson: {name} is off by {errors}")
            check(np.all(drift < 1e-11), f"robertson: {name} drifts by {drift}")
    # Mazzia and Magherini 2008, Test set for IVP solvers, at the second k.
    with read("stiff.h5") as file:
        errors = np.abs(file["esdirk4_adaptive/x_final"][1, :, 0] / 0.2083340149701255e-7 - 1)
        check(np.all(errors < (1e-2, 5e-4, 5e-5)), f"stiff: {errors}")
        check(np.all(np.diff(file["esdirk4_adaptive/substeps"][...], axis=-1) > 0), "stiff: a smaller tolerance takes no more substeps")
    with read("sampled.h5") as file:
        y = file["rk4/amplitude_final"][...]
        check(y.shape == (20480,), f"sampled: {y.shape}")
    # Rows of Saltelli's design, as SALib has them: indices by the formulas of Saltelli et al. (2010) and Jansen (1999).
    y = y.reshape(2048, 10) - np.mean(y.reshape(2048, 10)[:, [0, 9]])
    variance = np.var(y[:, [0, 9]])
    for i, factor in enumerate(("delta", "beta", "force", "x0")):
        first = np.mean(y[:, 9] * (y[:, 1 + i] - y[:, 0])) / variance
        total = np.mean((y[:, 1 + i] - y[:, 0])**2) / 2 / variance
        line = re.search(rf"^  {factor} +(\S+) +\S+ +(\S+)", printed, re.M)
        check(line and np.allclose([float(line.group(1)), float(line.group(2))], [first, total], rtol=1e-3, atol=1e-5),
              f"sampled: {factor}: {line and line.group(0)}, not {first:.5g} and {total:.5g}")


def test_indices():
    """Failing depends on the stiffness and on the damping alone; c acts both ways."""
    for name in ("stiff.h5", "screen.h5", "given.h5", "map.h5", "local.h5", "swing.h5"):
        all_ok(name)
    with read("failing.h5") as file:
        failed = np.mean(file["generalized_alpha/status"][...] != 1)
        check(0.01 < failed < 0.99, f"failing: {failed} of the points failed")
    if (line := re.search(r"^ +eps +k +g +rho_inf *\n(.*)$", printed, re.M)):
        with read("stiff.h5") as file:
            y = file["generalized_alpha/x_final"][:, 1].reshape(-1, 6)
        exact = [np.mean(y[:, 1] * (y[:, 2 + i] - y[:, 0])) / np.var(y[:, :2], ddof=1) for i in range(4)]
        check(np.allclose([float(n) for n in line.group(1).split()], exact, rtol=1e-5), f"first.R: {line.group(1)}, not {exact}")
    effects = dict(re.findall(r"^  ([abcd]) +(\S+ +\S+ +\S+ +\S+)$", printed, re.M))
    mu, mu_star, _, sigma = map(float, effects["c"].split())
    check(abs(mu) < 0.5 * mu_star, f"screen: c has mu {mu} and mu_star {mu_star}")
    check(effects["d"].split()[1] == "0", f"screen: d has {effects['d']}")


def mathieu_values(q):
    """Where solutions of Mathieu's equation have period pi or 2 pi: eigenvalues of its Fourier series, even and odd (DLMF 28.4)."""
    values = []
    for square, corner in (((2 * np.arange(40)) ** 2, "even"), ((2 * np.arange(1, 41)) ** 2, ""), ((2 * np.arange(40) + 1) ** 2, "+"),
                           ((2 * np.arange(40) + 1) ** 2, "-")):
        matrix = np.diag(square.astype(float)) + q * (np.eye(40, k=1) + np.eye(40, k=-1))
        if corner == "even":
            matrix[0, 1] = matrix[1, 0] = np.sqrt(2) * q
        elif corner:
            matrix[0, 0] += q if corner == "+" else -q
        values.extend(np.linalg.eigvalsh(matrix))
    return np.sort(values)


def test_boundaries():
    cells = np.genfromtxt(place / "tongues.csv", delimiter=",", skip_header=1, usecols=(1, 2, 3, 4))
    check(np.all(cells[:, 1] - cells[:, 0] <= 0.01) and np.all(cells[:, 3] - cells[:, 2] <= 0.024), "cells are short enough")
    crossed = 0
    for low, high, a_low, a_high in cells:
        # Values change with q: the curves cross the cell where they pass its height between its two sides.
        left, right = mathieu_values(low)[:8], mathieu_values(high)[:8]
        crossed += np.any((np.minimum(left, right) <= a_high + 1e-4) & (np.maximum(left, right) >= a_low - 1e-4))
    check(len(cells) > 1000 and crossed == len(cells), f"tongues: {len(cells) - crossed} of {len(cells)} cells have no curve")
    for q in np.linspace(0.75, 4.95, 15):
        for a in mathieu_values(q):
            inside = (cells[:, 0] <= q) & (q <= cells[:, 1]) & (cells[:, 2] <= a + 1e-4) & (a - 1e-4 <= cells[:, 3])
            check(not -2 < a < 10 or np.any(inside), f"tongues: the curve through q = {q}, a = {a} is in no cell")
    check(abs(mathieu_values(1)[2] - 1.859108) < 1e-6, "the end of the first tongue")


def test_advice():
    with read("study.h5") as file:
        least = {}
        for name, group in file.items():
            if "status" not in group:
                continue
            along = [d[0].name.rsplit("/", 1)[1] for d in group["status"].dims].index("force")
            error = np.where(group["status"][...] == 1, group["error_max"][...], np.inf).max(axis=along)
            cost = group["evaluations"][...].mean(axis=along)
            for target in (1e-3, 1e-6, 1e-9):
                if np.any(error <= target):
                    least[target, name] = cost[error <= target].min()
        for target, name in ((1e-3, "dopri5"), (1e-6, "dopri5_adaptive"), (1e-9, "rodas5p")):
            check(least[target, name] == min(c for (t, _), c in least.items() if t == target), f"advise: {name} for {target}: {least}")


def test_distributions():
    """The curves of the page are lognormal, and the peak is that of a sudden force."""
    for name in ("fragile.h5", "one.h5"):
        all_ok(name)
    for name in ("fragility.png", "peaks.png", "histogram.png", "bands.png", "correlation.png", "tail.png"):
        check((place / name).is_file(), f"distribution.md: no {name}")
    peak = (1 + math.exp(-math.pi * 0.05 / math.sqrt(1 - 0.05**2))) / (2 * math.pi) ** 2
    with read("fragile.h5") as file:
        force, strength, x_max = (file[f"rk4/{name}"][...] for name in ("force", "strength", "x_max"))
    check(np.allclose(x_max, force[:, None] * strength * peak, rtol=1e-3), "distribution.md: the peak of a sudden force")
    curve = re.findall(r"force = ([\d.]+)\n(?:(?!rk4:).*\n)*?  P\(> 1\) +([\d.]+) +([\d.]+) +([\d.]+)", (place / "fragility.txt").read_text())
    held = [float(low) <= 0.5 * math.erfc(-math.log(float(at) * peak) / 0.4 / math.sqrt(2)) <= float(high) for at, _, low, high in curve]
    check(len(held) == 30 and sum(held) >= 20, f"distribution.md: {sum(held)} of {len(held)} intervals of the curve hold")


def test_fits():
    """The intervals of the page hold what its data were made with."""
    for name, truth in (("omega", 2.0), ("zeta", 0.1)):
        low, high = re.search(rf"parameter   {name} .* (\S+) +(\S+)$", printed, re.M).groups()
        check(float(low) < truth < float(high), f"fit.md: {name} is not within {low} to {high}")
    # The sweep of the optimum has the sum of squares that was printed last.
    with read("best.h5") as file:
        squares = np.sum((np.ravel(file["rk4/x"]) - [4.6, 3.5, 1.1, 1.2, 0.1]) ** 2)
    check(abs(squares / float(re.findall(r"^  squares +- +(\S+)", printed, re.M)[-1]) - 1) < 1e-6, f"fit.md: the sum of squares is {squares}")
    check((place / "dose.png").is_file() or not shutil.which("gnuplot"), "fit.md: no picture")


def follow(page, least, test):
    """The files and commands of a page, and what it says of them."""
    global place, printed
    printed, place = "", folder / page
    place.mkdir()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", (DOCS / page).read_text(), re.M | re.S)
    check(len(blocks) >= least, f"only {len(blocks)} blocks in {page}")
    for kind, text in blocks:
        if kind == "sh":
            for line in text.splitlines():
                run(line)
        elif kind == "text":
            for line in text.splitlines():
                check(line in printed, f"{page}: no command before it prints: {line}")
        else:
            write_block(text)
    if not failures:
        test()


need_compiler()
follow("tutorial.md", 20, test_results)
follow("sensitivity.md", 8, test_indices)
follow("distribution.md", 4, test_distributions)
follow("fit.md", 7, test_fits)
follow("refine.md", 7, test_boundaries)
follow("advise.md", 4, test_advice)
finish("all as it should be")
