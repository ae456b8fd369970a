# check_points -- the points of a sweep have the values that its file says: sweeps enumerated and run a second time.
#
# Kernels, reference and certificates are handed the same points, so that they agree on a wrong one. Here a sweep's axes are
# written out as nested loops, each point is computed by a few lines of Python, and the result file of `-d reference` must
# hold that number at that place: every form of axis, step and steps and end, zip, entries with parameters of their own,
# Newton's numbers, files of points, words, windows, trajectories, single precision, blocks, and the solutions that groups are compared with.
import itertools
import math
from fractions import Fraction

from checking import answer, check, folder, main, need, results, write

h5py, np = need("h5py", "numpy")


def close(what, found, expected, bound=1e-12):
    """Arrays of one shape whose numbers agree, relative to those that are larger than 1; NaN agrees with NaN."""
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    if found.shape != expected.shape:
        check(False, f"{what}: shape {found.shape}, not {expected.shape}")
        return
    wrong = ~(np.abs(found - expected) <= bound * np.maximum(1.0, np.abs(expected))) & ~(np.isnan(found) & np.isnan(expected))
    for place in list(zip(*np.nonzero(wrong)))[:3] if found.ndim else [()] * bool(wrong):
        check(False, f"{what}{[int(i) for i in place]}: {found[place]!r}, not {expected[place]!r}")


def run(text):
    """The result file of a sweep."""
    return results(str(len(list(folder.iterdir()))), text)


def linear(first, last, count):
    return [float(Fraction(first) + (Fraction(last) - Fraction(first)) * i / (count - 1)) for i in range(count)]


def logarithmic(first, last, count):
    return [first * (last / first) ** (i / (count - 1)) for i in range(count)]


def check_axes(name, group, axes):
    """Axes in this order, each a dimension of every metric and a variable with its values."""
    names = [dim[0].name.rsplit("/", 1)[1] for dim in group["status"].dims]
    check(names == list(axes), f"{name}: dimensions {names}, not {list(axes)}")
    for axis, values in axes.items():
        if axis in group:
            close(f"{name}: {axis}", group[axis][:], values, 1e-14)
            check(len(values) == 0 or (group[axis][0], group[axis][-1]) == (values[0], values[-1]), f"{name}: ends of {axis}")


def check_dims(name, dataset, names):
    """Dimensions of a dataset by the scales attached to it."""
    found = [dim[0].name.rsplit("/", 1)[1] for dim in dataset.dims]
    check(found == names, f"{name}: dimensions {found}, not {names}")


def over(axes, compute):
    """An array over the axes of what compute(values by name) returns."""
    shape = [len(values) for values in axes.values()]
    numbers = [compute(dict(zip(axes, values))) for values in itertools.product(*axes.values())]
    return np.reshape(np.array(numbers, float), shape + list(np.shape(numbers[0])))


def oscillator(p, t, x, v):
    return -p.get("omega", 1.0) ** 2 * x - 2.0 * p.get("zeta", 0.0) * p.get("omega", 1.0) * v


def pendulum(p, t, x, v):
    return -p.get("g", 1.0) * math.sin(x) - 2.0 * p.get("zeta", 0.0) * v + p.get("force", 0.0) * math.cos(p.get("force_omega", 1.0) * t)


def duffing(p, t, x, v):
    return p.get("force", 0.2) * math.cos(p.get("force_omega", 1.2) * t) - p.get("delta", 0.3) * v - p.get("alpha", -1.0) * x - p.get("beta", 1.0) * x**3


def euler(problem, p, h, steps, x0, v0=0.0):
    """States of the explicit Euler method, the first one included."""
    states = [(x0, v0)]
    for n in range(steps):
        x, v = states[-1]
        states.append((x + h * v, v + h * problem(p, n * h, x, v)))
    return states


def theta(p, h, steps, share, x, v):
    """The last state of theta1 on the linear oscillator: its equation solved for v."""
    for _ in range(steps):
        a, c = oscillator(p, 0.0, x, v), h * share
        middle = x + h * (1.0 - share) * v
        v = (v + h * (1.0 - share) * a - c * p["omega"] ** 2 * middle) / (1.0 + c * (2.0 * p["zeta"] * p["omega"] + c * p["omega"] ** 2))
        x = middle + c * v
    return x, v


def exact(problem, p, end, x, v=0.0, parts=4000):
    """The state at the end, by so many steps of the classical Runge-Kutta method that only rounding is left."""
    h = end / parts
    for n in range(parts):
        t = n * h
        k1 = problem(p, t, x, v)
        v2 = v + 0.5 * h * k1
        k2 = problem(p, t + 0.5 * h, x + 0.5 * h * v, v2)
        v3 = v + 0.5 * h * k2
        k3 = problem(p, t + 0.5 * h, x + 0.5 * h * v2, v3)
        v4 = v + h * k3
        k4 = problem(p, t + h, x + h * v3, v4)
        x, v = x + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4), v + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return x, v


def check_grid():
    """Every form of axis, axes of the method, an entry with its own parameters, a window."""
    file = run("""problem: harmonic_oscillator
parameters: {omega: {log: [0.5, 8, 5]}, zeta: 0.1, x0: [1, -2, 0.5], v0: {linear: [-1, 1, 4]}}
step: [0.1, 0.05]
end: 0.4
methods:
  - explicit_euler
  - {label: own, theta1: {theta1: {linear: [0.5, 1, 3]}}, parameters: {v0: 0.25, zeta: [0.2, 0.3], omega: [3]}, newton: {tolerance: 0}}
metrics: [x_final, v_final, steps, {kinetic_max: {from: 0.1, to: 0.3}}, {kinetic_integral: {from: 0.05, label: late}}]
""")
    axes = {"step": [0.1, 0.05], "omega": logarithmic(0.5, 8, 5), "x0": [1, -2, 0.5], "v0": linear(-1, 1, 4)}
    group = file["explicit_euler"]

    def states(q):
        return euler(oscillator, {"zeta": 0.1, **q}, q["step"], round(0.4 / q["step"]), q["x0"], q["v0"])

    def window(q, first, last):
        return [0.5 * v * v for n, (x, v) in enumerate(states(q)) if first - 1e-9 <= n * q["step"] <= last + 1e-9]

    def integral(q):
        kinetic = window(q, 0.05, 1.0)
        return q["step"] * (sum(kinetic) - 0.5 * kinetic[0] - 0.5 * kinetic[-1])

    check_axes("grid", group, axes)
    close("grid: x_final", group["x_final"], over(axes, lambda q: states(q)[-1][:1]))
    close("grid: v_final", group["v_final"], over(axes, lambda q: states(q)[-1][1:]))
    close("grid: steps", group["steps"], over(axes, lambda q: round(0.4 / q["step"])), 0.0)
    # 3 0.1 is more than 0.3.
    close("grid: kinetic_max", group["kinetic_max"], over(axes, lambda q: max(window(q, 0.1, 0.3 - q["step"] / 2 * (3 * 0.1 > 0.3)))))
    close("grid: late", group["late"], over(axes, integral))
    # Parameters stand in the order of the sweep; what the entry alone gives would come after them.
    own = {"step": [0.1, 0.05], "omega": [3], "zeta": [0.2, 0.3], "x0": [1, -2, 0.5], "theta1": [0.5, 0.75, 1]}
    check_axes("own", file["own"], own)
    ends = over(own, lambda q: theta(q, q["step"], round(0.4 / q["step"]), q["theta1"], q["x0"], 0.25))
    close("own: x_final", file["own/x_final"], ends[..., :1])
    close("own: v_final", file["own/v_final"], ends[..., 1:])


def check_times():
    """step or steps beside end; steps beside step; steps that do not reach end."""
    for text, axes, times in (
        ("steps: {linear: [10, 30, 3]}\nend: 2", {"steps": [10, 20, 30]}, lambda q: (2.0 / q["steps"], int(q["steps"]))),
        ("step: [0.3, 0.7, 0.26]\nend: 2", {"step": [0.3, 0.7, 0.26]}, lambda q: (q["step"], {0.3: 7, 0.7: 3, 0.26: 8}[q["step"]])),
        ("steps: [3, 9]\nstep: {log: [0.02, 0.32, 3]}", {"step": [0.02, 0.08, 0.32], "steps": [3, 9]}, lambda q: (q["step"], int(q["steps"]))),
        ("step: 1.5\nend: 2", {}, lambda q: (1.5, 1)),
    ):
        file = run(f"problem: duffing\nparameters: {{x0: 0.7, v0: 0.2, force_omega: 2.3}}\nmethods: [explicit_euler]\n{text}\nmetrics: [x_final, v_final]\n")
        expected = over(axes, lambda q: euler(duffing, {"force_omega": 2.3}, *times(q), 0.7, 0.2)[-1])
        check_axes(text, file["explicit_euler"], axes)
        close(f"{text}: x_final", file["explicit_euler/x_final"], expected[..., :1])
        close(f"{text}: v_final", file["explicit_euler/v_final"], expected[..., 1:])


def check_zip():
    """Axes side by side, of the step, the problem and the method; values may repeat."""
    omegas, x0s, steps, shares = [1, 2, 2, 5], logarithmic(1, 8, 4), [0.1, 0.2, 0.1, 0.05], linear(0.5, 1, 4)
    file = run("""problem: harmonic_oscillator
design: zip
parameters: {omega: [1, 2, 2, 5], x0: {log: [1, 8, 4]}, zeta: 0.3}
methods: [theta1: {theta1: {linear: [0.5, 1, 4]}}]
step: [0.1, 0.2, 0.1, 0.05]
end: 0.4
newton: {tolerance: 0}
metrics: [x_final]
trajectory: {every: 2, fields: [x, v], where: {omega: 2}}
""")
    group = file["theta1"]
    points = list(zip(omegas, x0s, steps, shares))
    close("zip: x_final", group["x_final"], [theta({"omega": w, "zeta": 0.3}, h, round(0.4 / h), s, x, 0.0)[:1] for w, x, h, s in points])
    # Steps 0 and 2 of the second point, 0, 2 and 4 of the third; the last one, of 8 steps, is not stored.
    for field, i in (("x", 0), ("v", 1)):
        close(f"zip: {field}", group[field][..., 0], [
            [theta({"omega": w, "zeta": 0.3}, h, n, s, x, 0.0)[i] if n <= round(0.4 / h) else np.nan for n in range(0, 9, 2)]
            for w, x, h, s in points[1:3]])


def check_zip_lists():
    """Some axes side by side inside the grid of the others, of the sweep and of an entry; a group without one of them has the other alone."""
    file = run("""problem: harmonic_oscillator
zip: [[omega, x0], [theta1, tolerance]]
parameters: {v0: [0, 0.5], omega: [1, 3, 3], zeta: 0.3, x0: [1, -2, 0.25]}
methods: [theta1: {theta1: [0.5, 0.75]}, explicit_euler]
newton: {tolerance: [0, 1.0e-12], jacobian: analytic}
step: [0.1, 0.2]
end: 0.4
metrics: [x_final]
trajectory: {every: 1, fields: [x], where: {omega: 3, v0: 0.5}}
""")
    pairs, shares = [(1, 1), (3, -2), (3, 0.25)], [0.5, 0.75]
    axes = {"step": [0.1, 0.2], "v0": [0, 0.5], "omega_x0": pairs, "theta1_tolerance": shares}

    def last(q, n):
        (w, x), h = q["omega_x0"], q["step"]
        return theta({"omega": w, "zeta": 0.3}, h, n, q["theta1_tolerance"], x, q["v0"])

    group = file["theta1"]
    check_dims("zip lists", group["x_final"], ["step", "v0", "omega_x0", "theta1_tolerance", "dof"])
    close("zip lists: x_final", group["x_final"], over(axes, lambda q: last(q, round(0.4 / q["step"]))[:1]), 1e-9)
    close("zip lists: omega", group["omega"], [1, 3, 3], 0.0)
    close("zip lists: x0", group["x0"], [1, -2, 0.25], 0.0)
    close("zip lists: tolerance", group["tolerance"], [0, 1e-12], 0.0)
    kept = {**axes, "v0": [0.5], "omega_x0": pairs[1:]}
    close("zip lists: x", group["x"][..., 0], over(kept, lambda q: [last(q, n)[0] if n <= round(0.4 / q["step"]) else np.nan for n in range(5)]), 1e-9)
    close("zip lists: places", group["trajectory_omega_x0"], [1, 2], 0.0)
    group = file["explicit_euler"]
    check_dims("zip lists: explicit", group["x_final"], ["step", "v0", "omega_x0", "dof"])


def check_file():
    """Points of a CSV file and of a dataset, alone and inside a grid; the step, the method's and Newton's numbers among its columns."""
    rows = [(0.5, 0.1, 1.0, 0.5), (2.0, 0.2, -1.5, 0.75), (2.0, 0.05, 0.25, 1.0), (7.0, 0.1, 3.0, 0.6)]
    write("samples.csv", "omega,step,x0,theta1\r\n" + "".join(",".join(map(repr, row)) + "\r\n" for row in rows))
    with h5py.File(folder / "samples.h5", "w") as file:
        file["X"] = np.array(rows)
    for points in ("{file: ./samples.csv}", "{file: samples.h5, dataset: /X, columns: [omega, step, x0, theta1]}"):
        file = run(f"""problem: harmonic_oscillator
points: {points}
parameters: {{zeta: 0.3, v0: [0, 0.5, 1]}}
methods: [theta1, explicit_euler: ]
newton: {{tolerance: 0, jacobian: analytic}}
steps: 4
metrics: [x_final]
trajectory: {{every: 2, fields: [v], where: {{omega: [0.5, 2], x0: [0.25, 1, 3], v0: [0.5]}}}}
""")
        group, axes = file["theta1"], {"point": rows, "v0": [0, 0.5, 1]}

        def last(q, n):
            w, h, x, share = q["point"]
            return theta({"omega": w, "zeta": 0.3}, h, n, share, x, q["v0"])

        check_dims(points, group["x_final"], ["point", "v0", "dof"])
        check(group.attrs["design"] == "points" and group["x_final"].attrs["coordinates"].startswith("step omega x0 theta1 "), f"{points}: attributes")
        for i, name in enumerate(("omega", "step", "x0", "theta1")):
            close(f"{points}: {name}", group[name], [row[i] for row in rows], 0.0)
        close(f"{points}: x_final", group["x_final"], over(axes, lambda q: last(q, 4)[:1]), 1e-9)
        kept = {"point": [rows[0], rows[2]], "v0": [0.5]}
        close(f"{points}: v", group["v"][..., 0], over(kept, lambda q: [last(q, n)[1] for n in (0, 2, 4)]), 1e-9)
        close(f"{points}: places", group["trajectory_point"], [0, 2], 0.0)
        close(f"{points}: time", group["time"], [[n * h for n in (0, 2, 4)] for h in (0.1, 0.05)])
        check_dims(f"{points}: explicit", file["explicit_euler/x_final"], ["point", "v0", "dof"])
    file = run("problem: harmonic_oscillator\ndesign: zip\npoints: {file: samples.csv, columns: [x0, step]}\nparameters: {omega: {linear: [1, 4, 4]}}\n"
               "methods: [explicit_euler]\nsteps: 3\nmetrics: [x_final]\n")
    close("file: zip", file["explicit_euler/x_final"], [euler(oscillator, {"omega": w}, h, 3, x)[-1][:1] for w, (_, h, x, _) in zip((1, 2, 3, 4), rows)])


def check_trajectories():
    """Samples in equal parts and after every few steps, of the nearest values that `where` names."""
    for sampling, numbers in (("samples: 4", {10: [0, 3, 6, 10], 23: [0, 7, 15, 23]}), ("every: 4", {10: [0, 4, 8], 23: [0, 4, 8, 12, 16, 20]})):
        file = run(f"""problem: pendulum
parameters: {{x0: {{linear: [0.5, 2.5, 5]}}, g: [1, 3, 2], zeta: 0.05}}
methods: [explicit_euler]
steps: [10, 23]
end: 1.7
metrics: [x_final]
trajectory: {{{sampling}, fields: [x, energy, v, kinetic, slow], where: {{x0: [2.6, 1.02, 1], g: [2, 1]}}}}
""")
        group, most = file["explicit_euler"], max(len(n) for n in numbers.values())
        axes = {"steps": [10, 23], "x0": [1, 2.5], "g": [1, 2]}

        def samples(q):
            states = euler(pendulum, {"zeta": 0.05, **q}, 1.7 / q["steps"], q["steps"], q["x0"])
            taken = [[x, v, 0.5 * v * v, q["g"] * (1.0 - math.cos(x))] for x, v in (states[n] for n in numbers[q["steps"]])]
            return taken + [[np.nan] * 4] * (most - len(taken))

        expected = over(axes, samples)
        for field, values in (("x", expected[..., :1]), ("v", expected[..., 1:2]), ("slow", expected[..., 0]), ("kinetic", expected[..., 2]),
                              ("energy", expected[..., 2] + expected[..., 3])):
            close(f"{sampling}: {field}", group[field], values)
        close(f"{sampling}: time", group["time"], [[n * 1.7 / steps for n in taken] + [np.nan] * (most - len(taken)) for steps, taken in numbers.items()])


def solve_once(p, h, x, tolerance, most):
    """One step of backward Euler: updates, and whether the residual came within the tolerance."""
    u = 0.0
    residual = lambda w: w + h * (p["g"] * math.sin(x + h * w) + 2.0 * p["zeta"] * w)
    for update in range(1, most + 1):
        u -= residual(u) / (1.0 + h * (h * p["g"] * math.cos(x + h * u) + 2.0 * p["zeta"]))
        if abs(residual(u)) <= tolerance * abs(u):  # the velocity at which the force is asked; it begins at rest
            return update, 1
    return most, 2


def check_newton():
    """Axes of Newton's numbers: those of the sweep, those of an entry in their place; a method without them has none."""
    file = run("""problem: pendulum
parameters: {g: [4, 9], zeta: 0.3, x0: 1.5}
methods: [backward_euler, explicit_euler, {label: own, backward_euler: , newton: {max_updates: [9, 1]}}]
newton: {tolerance: {log: [1.0e-1, 1.0e-9, 3]}, max_updates: [1, 2, 50], jacobian: analytic, floor_guard: false}
substeps: {max_depth: 0}
step: [0.5]
steps: 1
metrics: [updates]
""")
    for label, most in (("backward_euler", [1, 2, 50]), ("own", [9, 1])):
        axes = {"step": [0.5], "g": [4, 9], "tolerance": [1e-1, 1e-5, 1e-9], "max_updates": most}
        solved = over(axes, lambda q: solve_once({"zeta": 0.3, **q}, q["step"], 1.5, q["tolerance"], q["max_updates"]))
        check_axes(label, file[label], axes)
        close(f"{label}: updates", file[label]["updates"], solved[..., 0], 0.0)
        close(f"{label}: status", file[label]["status"], solved[..., 1], 0.0)
    check_axes("explicit", file["explicit_euler"], {"step": [0.5], "g": [4, 9]})


def check_words():
    """A choice, by default, of the sweep and of an entry; defaults of numbers that nothing names."""
    file = run("""problem: pendulum
parameters: {forcing: cosine, force: 0.4}
methods: [explicit_euler, {label: free, explicit_euler: , parameters: {forcing: none}}, {label: strong, explicit_euler: , parameters: {force: [2, 3], v0: 1}}]
step: 0.1
steps: 7
metrics: [x_final]
""")
    close("words", file["explicit_euler/x_final"], euler(pendulum, {"force": 0.4}, 0.1, 7, 1.0)[-1][:1])
    close("words: free", file["free/x_final"], euler(pendulum, {}, 0.1, 7, 1.0)[-1][:1])
    close("words: strong", file["strong/x_final"], [euler(pendulum, {"force": f}, 0.1, 7, 1.0, 1.0)[-1][:1] for f in (2, 3)])


def check_coordinates():
    """A metric of each coordinate, by its number or its word; of the slow one where nothing is said."""
    file = run("""problem: modal_oscillators
parameters: {k1: 1, k2: 9}
methods: [rk4]
step: 0.02
end: 20
metrics: [period, {period: {of: x0, label: first}}, {period: {of: x1, label: second}}, {period: {of: slow, label: soft}}, {period: {of: fast, label: stiff}}]
""")
    for label, omega in (("period", 1), ("first", 1), ("second", 3), ("soft", 1), ("stiff", 3)):
        close(f"coordinates: {label}", file["rk4"][label][()], 2.0 * math.pi / omega, 1e-4)


def check_single():
    """Parameters and step are those that single precision has; the reference goes on in double."""
    file = run("problem: harmonic_oscillator\nprecision: single\nparameters: {omega: [0.7, 1.9], x0: 0.3}\nmethods: [explicit_euler]\nstep: 0.1\nsteps: 9\nmetrics: [x_final]\n")
    f = lambda number: float(np.float32(number))
    close("single", file["explicit_euler/x_final"], [euler(oscillator, {"omega": f(w)}, f(0.1), 9, f(0.3))[-1][:1] for w in (0.7, 1.9)])


def check_blocks():
    """Points of several blocks and of two groups."""
    file = run("""problem: harmonic_oscillator
parameters: {omega: {linear: [1, 3, 61]}, x0: {linear: [-1, 1, 43]}}
methods: [explicit_euler, {label: more, explicit_euler: , parameters: {v0: 2}}]
step: 0.25
steps: 2
metrics: [x_final]
""")
    for label, v0 in (("explicit_euler", 0.0), ("more", 2.0)):
        axes = {"omega": linear(1, 3, 61), "x0": linear(-1, 1, 43)}
        check_axes(label, file[label], axes)
        close(f"blocks: {label}", file[label]["x_final"], over(axes, lambda q: euler(oscillator, q, 0.25, 2, q["x0"], v0)[-1][:1]))


def check_solutions():
    """Groups are compared with their own motions, also where neighbours share a table."""
    entries = (("a", {"x0": [1.0]}, ""), ("b", {"x0": [1.0]}, ""), ("c", {"x0": [2.0]}, "x0: 2"), ("d", {"x0": [1.0]}, "x0: [1]"),
               ("e", {"x0": [1.0, 2.0]}, "x0: [1, 2]"), ("f", {"x0": [1.0, 2.5]}, "x0: [1, 2.5]"), ("g", {"x0": [2.0]}, "x0: [2]"),
               ("h", {"x0": [1.0], "g": [1.5]}, "g: 1.5"), ("i", {"x0": [1.0], "g": [2.5]}, "g: 2.5"), ("j", {"x0": [1.0], "zeta": [0.1]}, "zeta: 0.1"),
               ("k", {"x0": [1.0], "zeta": [0.1], "force": [0.5]}, "zeta: 0.1, forcing: cosine, force: 0.5"),
               ("l", {"x0": [1.0], "zeta": [0.1], "force": [0.5], "force_omega": [2.0]}, "zeta: 0.1, forcing: cosine, force: 0.5, force_omega: 2"),
               ("m", {"x0": [1.0], "zeta": [0.1]}, "zeta: 0.1, force: 0.5, force_omega: 2"), ("n", {"x0": [1.0]}, ""))
    text = "problem: pendulum\nmetrics: [error_final, x_final]\nend: 2\nsteps: [40, 30]\nmethods:\n"
    file = run(text + "".join(f"  - {{label: group_{label}, explicit_euler: , parameters: {{{own}}}}}\n" for label, _, own in entries))
    for label, own, _ in entries:
        p = {name: values[0] for name, values in own.items() if name != "x0"}
        right = {x0: exact(pendulum, p, 2.0, x0)[0] for x0 in own["x0"]}
        errors = over({"steps": [40, 30], "x0": own["x0"]}, lambda q: abs(euler(pendulum, p, 2.0 / q["steps"], q["steps"], q["x0"])[-1][0] - right[q["x0"]]))
        close(f"solutions: {label}", np.reshape(file[f"group_{label}"]["error_final"][:], errors.shape), errors, 1e-11)


def check_plan():
    """What `pendula plan` prints of a sweep that is not run."""
    sweep = write("plan.yaml", "problem: pendulum\nparameters: {x0: {linear: [0, 2, 7]}, g: [3, 1, 2]}\nmethods: [rk4, theta2: {theta: {log: [0.1, 1, 4]}}]\n"
                  "step: [0.1, 0.04]\nend: 1\nnewton: {max_updates: [5, 6]}\nmetrics: [x_final]\ntrajectory: {every: 5, fields: [x], where: {g: [1, 2]}}\n")
    lines = [" ".join(line.split()) for line in answer("plan", sweep, "-d", "reference").splitlines()]
    # Bytes: 1 for the status and 8 for x_final of a point, 8 for a sample.
    for line in ("step 2 values: 0.1, 0.04", "x0 7 values: 0 .. 2", "g 3 values: 3 .. 2", "theta 4 values: 0.1 .. 1", "max_updates 2 values: 5, 6",
                 "42 points, 735 steps, 1 block, 1.7 KiB, 28 trajectories of 6 samples",
                 "336 points, 5880 steps, 1 block, 13.5 KiB, 224 trajectories of 6 samples"):
        check(line in lines, f"plan: no line '{line}' in {lines}")


main(check_grid, check_times, check_zip, check_zip_lists, check_file, check_trajectories, check_newton, check_words, check_coordinates, check_single, check_blocks, check_solutions, check_plan, fine="points have the values of their sweeps")
