# check_units -- the user's units change no bit: lengths by 2^a, times by 2^b and masses by 2^c, each coordinate by its own a.
#
# One sweep a problem: its first point is in plain units, each other one in units of its own. All methods that suit the problem run
# it with their default settings, or with differences; states, statuses and counters must be the first point's, scaled, to the last
# bit, and every metric that applies the first point's times one power of the units. So must states and counters be where
# `newton.scale` sets least sizes by hand, in these units. Which problems of the table a run takes, the commit chooses
# (support/turn.py); the systems by formulas and by a file are always taken.
import json
import random
import re

from checking import check, ended, failures, finish, folder, h5, listed, need, need_compiler, suits, write
import turn

np, _ = need("numpy", "h5py")
need_compiler()

# the methods whose metrics are looked at; what a metric is asked with; the norms over coordinates, which have one unit only
OBSERVED = ["generalized_alpha", "rk4", "sofa_newmark", "tr_bdf2"]
GIVEN = {"of": "x0", "samples": "4"}
NORMS = ["x_max", "error_max", "error_final"]
# powers of the time that results have in every problem; of the others it is only asked that they are the same at all points
OF_TIME = {"lyapunov_exponent": -1, "lyapunov_spread": -1, "decay_rate": -1, "period": 1, "event_first": 1, "section_t": 1, "energy_drift": 0,
           "energy_ratio": 0, "damping_ratio": 0, "log_decrement": 0, "steady_change": 0, "condition_mean": 0, "steady_amplitude": 0}
COUNTERS = ["updates", "residual_evaluations", "failed_solves", "stagnated_solves", "substeps", "depth_max", "status"]
POINTS = 13
# length, time and mass in the units that cards name
BASES = {"1": (0, 0, 0), "rad": (0, 0, 0), "m": (1, 0, 0), "s": (0, 1, 0), "kg": (0, 0, 1), "N": (1, -2, 1)}

# parameters that bring the problem to work; what the scaling may change: L lengths, T times, M masses. The elastic pendulums (a
# length and a velocity of 1), Lorenz', van der Pol's and FitzHugh and Nagumo's systems have numbers without a parameter.
PROBLEMS = {
    "duffing": ({"delta": 0.3, "alpha": -1, "beta": 1, "force": 0.5, "force_omega": 1.2, "x0": 1.2, "v0": 0.1}, "LT"),
    "harmonic_oscillator": ({"omega": 3, "zeta": 0.1, "x0": 1, "v0": -0.5}, "LT"),
    "modal_oscillators": ({"m1": 1, "m2": 2, "d1": 0.1, "d2": 0, "k1": 1, "k2": 400, "r_m": 0.01, "r_k": 0.001, "x01": 1, "x02": 0.01,
                           "v01": 0, "v02": 1}, "LTM"),
    "spring_chain": ({"mass": 1, "k": 2, "cubic": 3, "r_m": 0.01, "r_k": 0.001, "x0": 0.5, "v0": 0.1}, "LTM"),
    "double_pendulum": ({"l1": 1, "l2": 0.7, "m1": 1, "m2": 0.3, "g": 9.81, "w1": 0.5, "w2": 0}, "LTM"),
    "friction_block": ({"v_smooth": 0.1, "g": 9.81, "mass": 1, "x0": 0, "v0": 3}, "LTM"),
    "barrier_particle": ({"kappa": 1000, "d_hat": 0.3, "g": 9.81, "mass": 1, "x0": 1, "v0": 0}, "LTM"),
    "pendulum": ({"g": 9.81, "zeta": 0.1, "x0": 2, "v0": 0}, "T"),
    "robertson": ({"k1": 0.04, "k2": 3e7, "k3": 1e4}, "T"),
}

# Coefficients and starts of three coordinates in units of their own: name: (value, exponents of x, y, z, and of time). The force
# of one depends on all; z begins at rest at 0, and its force there is 0.
OWN = {
    "k1": (9.0, (0, 0, 0), -2), "k2": (4.0, (-2, 0, 0), -2), "k3": (0.7, (1, -1, 0), -2),
    "k4": (400.0, (0, 0, 0), -2), "k5": (3.0, (-2, 0, 0), -2), "k6": (0.2, (0, -1, 0), 0),
    "k7": (5.0, (-1, -1, 1), -2), "k8": (1.5, (0, 0, 0), -2), "k9": (0.3, (0, 0, 0), -1),
    "k10": (30.0, (-1, 1, 0), -2),
    "x0": (0.4, (1, 0, 0), 0), "y0": (0.02, (0, 1, 0), 0), "w0": (3.0, (0, 1, 0), -1),
}
FORCES = ["-k1*x - k2*x^3 + k3*y", "k10*x - k4*y - k5*y*x^2 - k6*v_y*abs(v_y)", "k7*x*y - k8*z - k9*v_z"]
# Three amounts of a reaction, each counted in a unit of its own: a + b -> c, c -> a.
AMOUNTS = {
    "k1": (3.0, (0, -1, 0), -1), "k2": (3.0, (-1, 0, 0), -1), "k3": (3.0, (-1, -1, 1), -1), "k4": (0.2, (0, 0, 0), -1),
    "k5": (0.2, (1, 0, -1), -1), "km": (0.1, (1, 0, 0), 0), "x0": (2.0, (1, 0, 0), 0), "y0": (0.03, (0, 1, 0), 0),
}
SIZES = (3.0, 0.5, 2.0)  # least ones, far above what moves
RATES = ["-k1*x*y*km/(km + x) + k5*z", "-k2*x*y*km/(km + x)", "k3*x*y*km/(km + x) - k4*z"]

FILE = """//: problem: apart
//: title: Three coordinates in units of their own
//: equation: as FORCES has it
//: dofs: 3
//: coordinates: {x: m, y: m, z: m}
//: parameters:
%s
static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x0, x[1] = p->y0, x[2] = ZERO;
    v[0] = ZERO, v[1] = p->w0, v[2] = ZERO;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = -p->k1 * x[0] - p->k2 * x[0] * x[0] * x[0] + p->k3 * x[1];
    a[1] = p->k10 * x[0] - p->k4 * x[1] - p->k5 * x[1] * x[0] * x[0] - p->k6 * v[1] * real_abs(v[1]);
    a[2] = p->k7 * x[0] * x[1] - p->k8 * x[2] - p->k9 * v[2];
}
"""


def exponents(unit):
    """Length, time and mass of a unit such as 1/(m2 s2)."""
    top, _, bottom = unit.partition("/")
    total = np.zeros(3, int)
    for sign, text in ((1, top), (-1, bottom)):
        for name, power in re.findall(r"([A-Za-z]+|1)(\d*)", text.strip("()")):
            total += sign * int(power or 1) * np.array(BASES[name])
    return tuple(int(n) for n in total)


def write_points(name, columns):
    """columns: name: values"""
    with open(folder / f"{name}.csv", "w") as out:
        out.write(",".join(columns) + "\n")
        for k in range(POINTS):
            out.write(",".join(repr(float(values[k])) for values in columns.values()) + "\n")


def states(problem):
    """The fields of the last state, and the counters."""
    fields = ["x_final"] if "rate:" in problem or problem == "robertson" else ["x_final", "v_final"]
    return fields + COUNTERS


def observed(provides, first_order, norms, period=None):
    """What is asked of the metrics that suit every one of OBSERVED."""
    known = GIVEN | ({"period": period} if period else {})
    has = set(provides) | ({"velocity"} if not first_order else set())
    asked = []
    for metric in listed("metrics"):
        given = {p["name"]: known[p["name"]] for p in metric["parameters"] if p["name"] in known}
        if "metric" in metric and metric["metric"] not in ("counters", "condition", "lyapunov_exponents", "" if period else "poincare") and set(metric["needs"]) <= has and \
                (norms or metric["name"] not in NORMS):
            asked.append(f"{{{metric['name']}: {{{', '.join(f'{k}: {v}' for k, v in given.items())}}}}}")
    return asked


def run(name, problem, steps, methods, columns, device, precision, newton="{}", metrics=None):
    """The groups' results, or None; the step is scaled as the column says."""
    write_points(name, columns)
    text = f"""problem: {problem}
points: {{file: {name}.csv}}
steps: {steps}
methods: [{', '.join(methods)}]
precision: {precision}
newton: {newton}
metrics: [{', '.join(metrics or states(problem))}]
"""
    write(f"{name}.yaml", text)
    done = ended("run", f"{name}.yaml", "-d", device, "-o", f"{name}.h5", "--force", "--progress", "none")
    check(done.code in (0, 3), f"{name}: run exits with {done.code}: {done.err[-300:]}")
    return h5(name) if (folder / f"{name}.h5").exists() else None


def same(name, file, methods, lengths, times):
    """lengths: exponents [point][dof], times: [point]"""
    if file is None:
        return
    failed = updates = 0
    for method in methods:
        group = file[method] if method in file else file
        for counter in COUNTERS:
            if counter not in group:
                continue
            values = group[counter][...].ravel()
            check((values == values[0]).all(), f"{name}, {method}: {counter} {values.tolist()}")
            failed += int(values[0]) if counter == "failed_solves" else 0
            updates += int(values[0]) if counter == "updates" else 0
        for field, power in (("x_final", 0), ("v_final", -1)):
            if field not in group:
                continue
            values = group[field][...].reshape(POINTS, -1)
            for k in range(POINTS):
                plain = np.ldexp(values[k].astype(float), -np.array(lengths[k]) - power * times[k])
                check(np.array_equal(plain, values[0], equal_nan=True),
                      f"{name}, {method}: {field} of point {k} is {plain.tolist()}, of the first {values[0].tolist()}")
    print(f"{name}: {len(methods)} methods, {updates} updates, {failed} failed solves")


def powers(name, file, methods, drawn, times):
    """Every metric is the first point's times a power of each unit; drawn: exponents of the units [unit][point], `times` among them"""
    found = 0
    for method in methods if file else []:
        group = file[method] if method in file else file
        for result in group:
            values = group[result][...]
            if values.shape[:1] != (POINTS,) or values.dtype.kind not in "fiu" or result in ("step", "end"):
                continue
            for column in values.reshape(POINTS, -1).T.astype(float):
                part, exponent = np.frexp(column)
                number = np.isfinite(column[0]) and column[0] != 0
                fine = np.array_equal(part, np.full(POINTS, part[0]), equal_nan=True)
                if fine and number:
                    power = np.rint(np.linalg.lstsq(np.array(drawn).T, exponent - exponent[0], rcond=None)[0])
                    fine = np.array_equal(power @ np.array(drawn), exponent - exponent[0])
                    fine = fine and power[drawn.index(times)] == OF_TIME.get(result, power[drawn.index(times)])
                    found += 1
                check(fine, f"{name}, {method}: {result} {column.tolist()}")
    print(f"{name}: {found} numbers of metrics")


def draw(precision, most):
    """Exponents of the points: the first is plain, the last two as large as they may be."""
    numbers = [0] + [random.randint(-most, most) for _ in range(POINTS - 3)] + [-most, most]
    return [n // 3 for n in numbers] if precision == "single" else numbers


def of_catalog(name, methods, device, precision, newton="{}"):
    parameters, may = PROBLEMS[name]
    card = next(card for card in listed("problems") if card["name"] == name)
    of = {p["name"]: exponents(p["unit"]) for p in card["parameters"] if "unit" in p}
    # A force has up to four units in it, all of which may be at their largest: 4*20 is within single precision's range, 4*33 is not.
    most = 100 if precision == "double" and name not in ("barrier_particle", "friction_block") else 60
    drawn = [draw(precision, most if word in may else 0) for word in "LTM"]
    columns = {}
    for parameter, value in parameters.items():
        power = [sum(of[parameter][i] * drawn[i][k] for i in range(3)) for k in range(POINTS)]
        columns[parameter] = [np.ldexp(float(value), n) for n in power]
    step = 0.0625 if name != "robertson" else 0.01
    columns["step"] = [np.ldexp(step, n) for n in drawn[1]]
    chosen = [m["name"] for m in methods if suits(m, card)]
    lengths = [[drawn[0][k]] for k in range(POINTS)]
    if name in ("double_pendulum", "pendulum"):
        lengths = [[0]] * POINTS
    label = f"{name}_{precision}_{device}"
    same(label, run(label, name, 120, chosen, columns, device, precision, newton), chosen, lengths, drawn[1])
    if newton == "{}":
        metrics = observed(card["provides"], card["first_order"], True)
        chosen = [m for m in chosen if m in OBSERVED]
        label += "_metrics"
        powers(label, run(label, name, 480, chosen, columns, device, precision, newton, metrics), chosen, drawn, drawn[1])


def own_columns(coefficients, precision):
    apart = [draw(precision, 40) for _ in range(3)]
    times = draw(precision, 60)
    return {name: [np.ldexp(value, sum(of[i] * apart[i][k] for i in range(3)) + time * times[k]) for k in range(POINTS)]
            for name, (value, of, time) in coefficients.items()}, apart, times


def describe(form):
    """The problem as a sweep file has it, what it provides, and its coefficients."""
    rates = form == "rates"
    coefficients = AMOUNTS if rates else OWN
    if form == "file":
        write("apart.cl", FILE % "\n".join(f"//:   {name}: {{default: {value}, unit: \"1\", about: \"{name}\"}}"
                                                          for name, (value, _, _) in coefficients.items()))
        return "./apart.cl", [], coefficients
    defaults = ", ".join(f"{name}: {value}" for name, (value, _, _) in coefficients.items())
    start = "start: [x0, y0, 0]" if rates else "start: [x0, y0, 0]\n  start_velocity: [0, w0, 0]"
    key = "rate" if rates else "acceleration"
    formulas = json.dumps(RATES if rates else FORCES)
    problem = (f"\n  coordinates: {{x: '1', y: '1', z: '1'}}\n  {key}: {formulas}\n  {start}\n"
               f"  parameters: {{{defaults}}}")
    return problem, ["jacobian"], coefficients


def of_own(methods, device, precision, form, newton=lambda apart: "{}", metrics=None):
    """Runs one of the systems of three coordinates by all methods that suit it. newton: of the points' exponents; metrics: in place of
    states and counters"""
    problem, provides, coefficients = describe(form)
    columns, apart, times = own_columns(coefficients, precision)
    step = 0.125 if form == "rates" else 0.0625
    columns["step"] = [np.ldexp(step, n) for n in times]
    chosen = [m["name"] for m in methods if suits(m, {"provides": provides, "first_order": form == "rates"})]
    lengths = [[apart[i][k] for i in range(3)] for k in range(POINTS)]
    label = f"{form}_{precision}_{device}"
    steps = 480 if metrics else 120
    return label, run(label, problem, steps, chosen, columns, device, precision, newton(lengths), metrics), chosen, lengths, times


def of_formulas(methods, device, precision, form):
    same(*of_own(methods, device, precision, form))
    rates = form == "rates"
    metrics = observed(["jacobian"] if form != "file" else [], rates, False, "1/k4" if rates else "1/k9")
    few = [m for m in methods if m["name"] in OBSERVED]
    label, file, chosen, lengths, times = of_own(few, device, precision, form, metrics=metrics)
    powers(f"{label}, metrics", file, chosen, [*map(list, zip(*lengths)), times], times)


def numbers(file, method, k, lengths, times):
    """A point's counters, and its final state in plain units."""
    group = file[method]
    counters = [int(group[counter][...].ravel()[k]) for counter in COUNTERS]
    fields = [(group[field][k].astype(float), power) for field, power in (("x_final", 0), ("v_final", -1)) if field in group]
    return counters, [np.ldexp(values, -np.array(lengths[k]) - power * times[k]).tobytes() for values, power in fields]


def of_scales(methods, form):
    """Least sizes of the coordinates, each in its own unit, with a method of each family: kernels for each point's. The reference counts as they do."""
    families = [m for m in methods if m["name"] in ("generalized_alpha", "theta2", "tr_bdf2", "implicit_midpoint", "sofa_newmark", "variational_implicit")]
    first, plain, state = {}, {}, random.getstate()
    for k, device in ((None, "native"), (0, "native"), (POINTS // 2, "native"), (POINTS - 1, "native"), (0, "reference")):
        random.setstate(state)  # the same units
        sizes = "" if k is None else "scale: {x: %r, y: %r, z: %r}"
        label, file, chosen, lengths, times = of_own(
            families, device, "double", form, lambda lengths: "{%s}" % (sizes and sizes % tuple(float(np.ldexp(s, n)) for s, n in zip(SIZES, lengths[k]))))
        for method in chosen if file else ():
            sizes_said = [file[method].attrs.get(f"newton.scale.{name}") for name in "xyz"]
            due = [None] * 3 if k is None else [np.ldexp(size, n) for size, n in zip(SIZES, lengths[k])]
            check(sizes_said == due, f"{label}, {method}: least sizes {sizes_said} in the file, not {due}")
            here = numbers(file, method, k or 0, lengths, times)
            if k is None:
                plain[method] = here
            elif method not in first:
                first[method] = here
            elif device == "reference":
                check(here[0] == first[method][0], f"{label}, {method}, least sizes: {here[0]} counted, by kernels {first[method][0]}")
            else:
                check(here == first[method], f"{label}, {method}, least sizes of point {k}: {here[0]}, of the first {first[method][0]}, or another state")
    fewer = [method for method in first if first[method][0][0] < plain[method][0][0]]
    check(len(fewer) > len(first) / 2, f"{form}: least sizes save updates only with {fewer}")
    print(f"{form} with least sizes: {len(first)} methods, {sum(n[0][0] for n in first.values())} updates, without {sum(n[0][0] for n in plain.values())}")


methods = listed("methods")
random.seed(turn.WORD)
names = sorted(PROBLEMS)
part = turn.part(len(names))
chosen = names if part is None else [names[part]]
for precision in ("double", "single"):
    for form in ("formulas", "file", "rates"):
        of_formulas(methods, "native", precision, form)
of_scales(methods, "file")
of_scales(methods, "rates")
for name in chosen:
    of_catalog(name, methods, "native", "double")
of_catalog(chosen[0], methods, "native", "single", "{jacobian: central}")
few = [m for m in methods if m["name"] in ("generalized_alpha", "tr_bdf2")]
for name in chosen:
    of_catalog(name, few, "cpu", "double", "{jacobian: central}")
if failures:
    print(f"again: PENDULA_TURN={turn.WORD} ctest --test-dir build -R '^units$'")
finish("no unit changes a bit")
