# check_maps -- tables of two arguments have the values of their definition, in kernels, the reference and certificates.
#
# One step of explicit Euler for y' = f(p, q) ends at f(p, q), so that a sweep over p and q lists the values of a map; one step of a method
# that is linearised once shows its derivatives. What they must be is computed here in rational numbers.
import csv
import pathlib
import random
from bisect import bisect_right
from fractions import Fraction
from math import exp, log, nan, pi, sqrt

from checking import answer, check, folder, main, need, need_compiler, pendula, refused, results, write
from pulled import write_pulled

h5py, np = need("h5py", "numpy")

X, Y = [-1.0, -0.5, 0.25, 3.0], [0.0, 0.5, 1.0, 1.5, 2.0]
VALUES = {(x, y): round(2.0 * random.Random(7 * i + j).random() - 1.0, 3) for i, x in enumerate(X) for j, y in enumerate(Y)}
P, Q = [-2.0, -1.0, -0.8, -0.5, 0.0, 1.7, 3.0, 3.5], [-0.5, 0.0, 0.3, 1.0, 1.9, 2.0, 9.0]
DEVICES = ("reference", "native")
SWEEPS = pathlib.Path(__file__).resolve().parents[2] / "sweeps"


def samples():
    """In an order that is no grid's."""
    rows = [(*node, value) for node, value in VALUES.items()]
    random.Random(5).shuffle(rows)
    return rows


def listed():
    return "[" + ", ".join(f"[{x!r}, {y!r}, {f!r}]" for x, y, f in samples()) + "]"


def piece(axis, q):
    """The piece of an argument, its share of it and its length."""
    i = min(max(bisect_right(axis, q) - 1, 0), len(axis) - 2)
    length = Fraction(axis[i + 1]) - Fraction(axis[i])
    return i, (Fraction(q) - Fraction(axis[i])) / length, length


def value(p, q, outside, by=None):
    """The value of the map at p, q, or its derivative by one of them."""
    within = X[0] <= p <= X[-1], Y[0] <= q <= Y[-1]
    if not all(within):
        if outside != "hold":
            return {"zero": 0.0, "refuse": float("nan")}[outside]
        if (by == 0 and not within[0]) or (by == 1 and not within[1]):
            return 0.0
        p, q = min(max(p, X[0]), X[-1]), min(max(q, Y[0]), Y[-1])
    (i, s, h), (j, t, k) = piece(X, p), piece(Y, q)
    f = [[Fraction(VALUES[X[i + a], Y[j + b]]) for b in (0, 1)] for a in (0, 1)]
    if by == 0:
        return float(((1 - t) * (f[1][0] - f[0][0]) + t * (f[1][1] - f[0][1])) / h)
    if by == 1:
        return float(((1 - s) * (f[0][1] - f[0][0]) + s * (f[1][1] - f[1][0])) / k)
    return float((1 - s) * ((1 - t) * f[0][0] + t * f[0][1]) + s * ((1 - t) * f[1][0] + t * f[1][1]))


def close(what, found, expected, bound):
    found, expected = np.ravel(found), np.ravel(expected)
    fine = (np.abs(found - expected) <= bound * np.maximum(1.0, np.abs(expected))) | (np.isnan(found) & np.isnan(expected))
    check(len(found) == len(expected) and np.all(fine), f"{what}: {found[~fine][:3]}, not {expected[~fine][:3]}")


def head(outside, *parts):
    return f"tables: {{f: {{samples: {listed()}, outside: {outside}}}}}\nproblem: {{{', '.join(parts)}, parameters: {{p: {P}, q: {Q}}}}}\n"


def check_values():
    """Values between, at and outside of nodes, in both precisions."""
    for outside in ("zero", "hold", "refuse"):
        for precision, bound in (("double", 1e-14), ("single", 1e-6)):
            text = head(outside, 'coordinates: [y]', 'rate: ["f(p, q)"]') + f"precision: {precision}\nmethods: [explicit_euler]\nstep: 1\nsteps: 1\nmetrics: [status, x_final]\n"
            right = [[value(p, q, outside) for q in Q] for p in P]
            for device in DEVICES:
                group = results("values", text, device=device)["explicit_euler"]
                close(f"{outside} on {device} in {precision}", group["x_final"][:], right, bound)
                check(np.array_equal(np.ravel(group["status"][:]) == 1, ~np.isnan(np.ravel(right))), f"{outside} on {device}: status")


def check_slopes():
    """Derivatives: a step of 1 from rest, linearised once, of two oscillators that the map moves by its first and by its second argument."""
    text = head("hold", 'coordinates: [a, b]', 'acceleration: ["f(a, q)", "f(p, b)"]', 'start: [p, q]') + "methods: [sofa_euler]\nstep: 1\nsteps: 1\nmetrics: [x_final]\n"
    right = [[[at + value(p, q, "hold") / (1.0 - value(p, q, "hold", by)) for by, at in enumerate((p, q))] for q in Q] for p in P]
    for device in DEVICES:
        close(f"slopes on {device}", results("slopes", text, device=device)["sofa_euler/x_final"][:], right, 1e-11)


def check_certificates():
    """Kernels of both precisions conform, with a map of a coordinate and the time, and its analytic Jacobian."""
    for precision, methods in (("double", "rk4, generalized_alpha"), ("single", "rk4")):
        text = head("hold", 'coordinates: [a, b]', 'acceleration: ["f(a, 2*t) - 9*a", "f(b, a) - 20*b"]', 'start: [0.3*p, q]')
        text += f"precision: {precision}\nmethods: [{methods}]\nstep: 0.03125\nend: 1\nmetrics: [x_final]\n"
        pendula("conform", write(f"certified_{precision}.yaml", text), "-d", "native", "--lanes", "1,8")


def check_kernel_file():
    """A problem file of the user's has the map by TABLE(), and its derivatives."""
    write_pulled("x'' = f(x, x')", "x[0], v[0]", "TABLE_SLOPE(f, x[0], v[0])", "TABLE_SLOPE_2(f, x[0], v[0])")
    given = f"tables: {{f: {{samples: {listed()}, outside: hold}}}}\n"
    rest = "methods: [{trapezoidal: , newton: {jacobian: analytic}}]\nstep: 0.0625\nend: 2\nmetrics: [x_final]\n"
    own = 'problem: {coordinates: [x], acceleration: ["f(x, v_x)"], start: [0.3]}\n'
    finals = [results("kernel_file", given + problem + rest, device=device)["trapezoidal/x_final"][()] for problem, device in
              (("problem: ./pulled.cl\n", "native"), ("problem: ./pulled.cl\n", "reference"), (own, "native"), (own, "reference"))]
    close("a kernel file and formulas", finals, [finals[3]] * 4, 1e-10)


def check_files():
    """A CSV file, whose rows come in any order: a node that is there twice, or missing, is refused by its line."""
    rest = 'outside: zero}}\nproblem: {coordinates: [y], rate: ["f(0.1, t)"]}\nmethods: [explicit_euler]\nstep: 0.125\nend: 1\nmetrics: [x_final]\n'
    text = "tables: {f: {file: ./map.csv, columns: [x, y, force], " + rest
    lines = "force,y,x\n" + "".join(f"{f!r},{y!r},{x!r}\n" for x, y, f in samples())
    finals = []
    for sweep in (text, f"tables: {{f: {{samples: {listed()}, " + rest):
        write("map.csv", lines)
        finals.append(results("file", sweep, device="reference")["explicit_euler/x_final"][()])
    close("a file and a list", finals[0], finals[1], 0.0)
    rows = "x,y,force\n0,0,1\n1,1,2\n0,1,3\n1,0,4\n"
    for wrong, message in ((rows + "1,1,2\n", "map.csv:6:1: table 'f': the node 1, 1 is there twice"),
                           (rows.replace("0,1,3\n", ""), "map.csv:2:1: table 'f': the node 0, 1 is missing beside this one"),
                           (rows.replace("1,1,2\n", ""), "map.csv:4:1: table 'f': the node 1, 1 is missing beside this one"),
                           (rows.replace("1,0,4\n", "2,0,4\n"), "table 'f': the node 1, 0 is missing beside this one"),
                           ("x,y,force\n0,0,1\n0,1,3\n", "1 sample, `between: linear` takes 2 or more"),
                           ("x,y,force\n0,0,1\n1,0,3\n", "1 sample, `between: linear` takes 2 or more")):
        write("map.csv", wrong)
        refused(message, "plan", write("wrong.yaml", text), code=4)


def check_kept():
    """A result file keeps the map: without the sweep's file a point is computed and judged again, and a run goes on."""
    text = 'tables: {f: {file: ./kept.csv, columns: [x, y, force], outside: hold}}\nproblem: {coordinates: [y], rate: ["f(y, t + q)"], parameters: {q: [0, 1]}}\nmethods: [rk4]\nstep: 0.125\nend: 4\nmetrics: [x_final]\n'
    write("kept.csv", "x,y,force\n" + "".join(f"{x!r},{y!r},{f!r}\n" for x, y, f in samples()))
    pendula("run", write("kept.yaml", text), "-d", "native", "--progress", "none")
    (folder / "kept.csv").unlink()
    judged = answer("replay", "kept.h5", "--point", "1", "-d", "native")
    check("certificates 33 of 33 hold" in judged, f"replay: {judged}")
    check("its samples are those in the result file" in pendula("run", "kept.yaml", "-d", "native", "--progress", "none", "--resume").err, "resumed")
    with h5py.File(folder / "kept.h5") as file:
        rows = file["journal/table_f"][()]
        check({(X[int(i) - 1], y): f for i, y, f in rows if i > 0} == VALUES, "the file has the nodes")
        check([tuple(row) for row in rows if row[0] == 0] == [(0.0, x, float(i)) for i, x in enumerate(X)], "and the first abscissae")


def read_engine():
    """The nodes of engine.csv, by name of their columns."""
    with open(SWEEPS / "engine.csv", encoding="utf-8") as file:
        nodes = {(float(row["speed (1/min)"]), float(row["throttle"])): float(row["torque (N m)"]) for row in csv.DictReader(file)}
    return [sorted({node[by] for node in nodes}) for by in (0, 1)], nodes


def car(engine, ratio, throttle, v, end, level):
    """Speed at the end, and time at which a level is passed, of the car of engine_map.yaml.

    Within a piece of the map's speeds v' = a + b v - c v^2 = c (up - v) (v - low): (v - up)/(v - low) decays as exp(-c (up - low) t).
    """
    mass, radius, drag, roll = 1400.0, 0.31, 0.39, 0.012
    (speeds, throttles), nodes = engine
    turn, (j, share, _) = ratio / radius, piece(throttles, throttle)
    knots = [speed * pi / 30 / turn for speed in speeds]
    torques = [(1 - float(share)) * nodes[speed, throttles[j]] + float(share) * nodes[speed, throttles[j + 1]] for speed in speeds]
    t, passed, i = 0.0, nan, bisect_right(knots, v) - 1
    while True:
        slope = (torques[i + 1] - torques[i]) / (knots[i + 1] - knots[i])
        a, b, c = turn * (torques[i] - slope * knots[i]) / mass - roll * 9.81, turn * slope / mass, drag / mass
        rate = sqrt(b * b + 4 * a * c)
        up, low = (b + rate) / (2 * c), (b - rate) / (2 * c)

        def time_to(w):
            return t + log((v - up) / (v - low) * (w - low) / (w - up)) / rate if w < up else float("inf")

        if v < level <= knots[i + 1] and time_to(level) <= end:
            passed = time_to(level)
        if time_to(knots[i + 1]) >= end:
            left = (v - up) / (v - low) * exp(-rate * (end - t))
            return (up - left * low) / (1 - left), passed
        t, v, i = time_to(knots[i + 1]), knots[i + 1], i + 1


def check_shipped():
    """The shipped sweep of a car has the closed form of its motion, and so has its time to 20 m/s. Steps that a kink of the map lies in
    are off by the square of their length; with short ones and tight tolerances all digits that a comparison can have are right."""
    engine = read_engine()
    motions = [car(engine, ratio, throttle, 6.0, 12.0, 20.0) for ratio in (5.6, 4.4) for throttle in np.linspace(0.2, 1, 17)]
    check(sum(np.isnan(passed) for _, passed in motions) not in (0, len(motions)), "some motions reach 20 m/s in time, and some do not")
    tight = [f"methods.dopri5_adaptive.{name}=1e-13" for name in ("rtol", "atol")]
    for overrides, bound in ([], 1e-7), (["step=0.00025", *tight], 2e-11):
        words = [word for override in overrides for word in ("-s", override)]
        pendula("run", SWEEPS / "engine_map.yaml", "-d", "native", "--progress", "none", "-o", "car.h5", "--force", *words)
        with h5py.File(folder / "car.h5") as file:
            for method in ("rk4", "dopri5_adaptive"):
                close(f"speeds by {method}", file[method]["x_final"][...], [v for v, _ in motions], bound)
                close(f"times by {method}", file[method]["section_t"][...], [passed for _, passed in motions], bound)


need_compiler()
main(check_values, check_slopes, check_certificates, check_kernel_file, check_files, check_kept, check_shipped, fine="maps have their values")
