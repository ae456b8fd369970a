# check_metric_tangents -- derivatives of metrics: those of each method's equations by complex steps, closed forms, the same bits everywhere.
import re
import sys

from checking import check, listed, main, need, need_compiler, results
from complex_steps import TINY, lorenz, path, spring, swing

np, h5py = need("numpy", "h5py")


# --- the problems: a sweep's, and the same in Python

SWING = """problem: {coordinates: [q], acceleration: ["-g*sin(q) - 2*z*v_q + f*cos(w*t)"], start: ["b^2"], start_velocity: ["b*s"],
          parameters: {g: 1.3, z: 0.1, f: 0.4, w: 1.7, b: 0.9, s: -0.4, idle: 3}}
derivatives: [g, z, w, b, s, q, v_q, idle]
observe: {pull: "g*q*t + a_q^2 - z*v_q", size: "sqrt(q^2 + v_q^2/g)"}
"""
SPRING = """problem: {coordinates: [x, y], start: [0.6, "-s"], start_velocity: [0.2, 0.1], parameters: {k: 9, g: 0.8, c: 0.05, s: 0.9},
          acceleration: ["-k*(1 - 1/sqrt(x^2 + y^2))*x - c*v_x*v_y", "-k*(1 - 1/sqrt(x^2 + y^2))*y - g - c*v_y"]}
derivatives: [k, g, c, s, y, v_x]
observe: {stretch: "k*(sqrt(x^2 + y^2) - 1)", load: "a_y + g"}
"""
LORENZ = """problem: {coordinates: [x, y, z], rate: ["s*(y - x)", "x*(r - z) - y", "x*y - b*z"], start: [1, "c", 2], parameters: {s: 10, r: 28, b: 2.5, c: 1.5}}
derivatives: [s, r, b, c, z]
observe: {turn: "v_x*v_y + s*z"}
"""


# The sweep's text; the equations; the parameters; the start; coordinates; the step; what is observed, by its name.
PROBLEMS = {
    "swing": (SWING, swing, dict(g=1.3, z=0.1, f=0.4, w=1.7, b=0.9, s=-0.4, idle=3.0), lambda p: ([p["b"] ** 2], [p["b"] * p["s"]]), ["q"], 0.1,
              {"q": lambda t, x, v, a, p: x[0], "v_q": lambda t, x, v, a, p: v[0],
               "pull": lambda t, x, v, a, p: p["g"] * x[0] * t + a[0] ** 2 - p["z"] * v[0],
               "size": lambda t, x, v, a, p: np.sqrt(x[0] ** 2 + v[0] ** 2 / p["g"])}),
    "spring": (SPRING, spring, dict(k=9.0, g=0.8, c=0.05, s=0.9), lambda p: ([0.6, -p["s"]], [0.2, 0.1]), ["x", "y"], 0.08,
               {"y": lambda t, x, v, a, p: x[1], "stretch": lambda t, x, v, a, p: p["k"] * (np.sqrt(x[0] ** 2 + x[1] ** 2) - 1),
                "load": lambda t, x, v, a, p: a[1] + p["g"]}),
    "lorenz": (LORENZ, lorenz, dict(s=10.0, r=28.0, b=2.5, c=1.5), lambda p: ([0, 0, 0], [1, p["c"], 2]), ["x", "y", "z"], 0.02,
               {"z": lambda t, x, v, a, p: v[2], "turn": lambda t, x, v, a, p: a[0] * a[1] + p["s"] * v[2]}),
}


def extreme(y, sign):
    """The largest or least observation. Where its neighbours are on one side of it, its imaginary part is that at the vertex of the
    parabola through the three: a turning point does not move with what the motion is derived by, to first order."""
    n = int(np.argmax(sign * y.real))
    if n == 0 or n == len(y) - 1 or sign * (y[n] - y[n - 1]).real <= 0 or sign * (y[n] - y[n + 1]).real <= 0:
        return y[n]
    rise, bend = 0.5 * (y[n + 1] - y[n - 1]), y[n + 1] - 2 * y[n] + y[n - 1]
    s = -rise.real / bend.real
    return complex(y[n].real, (y[n] + s * rise + 0.5 * s * s * bend).imag)


# The definition of each result of one quantity's observations, in numbers that may be complex.
STATS = {"minimum": lambda y: extreme(y, -1), "maximum": lambda y: extreme(y, 1), "mean_value": np.mean,
         "rms_value": lambda y: np.sqrt(np.mean(y * y)), "peak_to_peak": lambda y: extreme(y, 1) - extreme(y, -1)}


def moved(by, given, start, first, coordinates):
    """The parameters and the start, of which what `by` names is moved by a complex step."""
    p = {key: complex(value) for key, value in given.items()}
    if by in p:
        p[by] += TINY * 1j
    x, v = (np.array(vector, complex) for vector in start(p))
    if by not in p:
        (v if first or by.startswith("v_") else x)[coordinates.index(by.removeprefix("v_"))] += TINY * 1j
    return p, x, v


def near(found, exact, bound, what):
    off = abs(found - exact) / max(1.0, abs(exact))
    check(off <= bound, f"{what}: {found}, its equations have {exact}, off by {off:.2g}")


def check_stats(name, methods, steps, window, precision="double"):
    """Derivatives of extremes and means are those of the metric's definition at the states of the method's equations."""
    text, problem, given, start, coordinates, h, observed = PROBLEMS[name]
    first = name == "lorenz"
    wanted = text.split("derivatives: [")[1].split("]")[0].split(", ")
    windows = {"": (0, steps), "late_": window}
    metrics = [f"{{stats: {{of: {of}, label: {head}{of}{f', from: {(a - 0.5) * h}, to: {(b + 0.5) * h}' if head else ''}}}}}"
               for of in observed for head, (a, b) in windows.items()]
    file = results(f"stats_{name}_{precision}", f"{text}methods: [{', '.join(methods)}]\nstep: {h}\nsteps: {steps}\nmetrics: [{', '.join(metrics)}]\n"
                   + ("newton: {tolerance: 1.0e-14}\n" if precision == "double" else f"precision: {precision}\n"), device="native")
    for method in methods:
        group = file[method]
        values = {key: float(group[key][()]) for key in group if group[key].shape == () and group[key].dtype == np.float64}
        for by in wanted:
            p, x, v = moved(by, given, start, first, coordinates)
            states = list(path(method, values, problem, p, x, v, h, steps))
            for of, formula in observed.items():
                y = np.array([formula(n * h, a, b, problem(n * h, a, b, p), p) for n, (a, b) in enumerate(states)])
                for head, (begin, end) in windows.items():
                    for stat, definition in STATS.items():
                        near(group[f"{head}{of}_{stat}_d_{by}"][()], definition(y[begin:end + 1]).imag / TINY, 1e-10 if precision == "double" else 3e-3,
                             f"{name}, {method}, {precision}, {head}{of}, {stat} by {by}")


# --- the other metrics that have derivatives

DATA = [(0, 1.1), (0.53, 0.2), (0.56, 0.1), (1.7, -0.4), (2.6, -0.2), (3.1, 0.3), (4, 0.2)]  # times, some within steps, and values


def magnitude(y):
    """|y| of numbers that may be complex, along the real axis."""
    return y * np.sign(y.real)


def hermite(s, h, a, b, slope_a, slope_b):
    return (1 + 2 * s) * (1 - s) ** 2 * a + s * (1 - s) ** 2 * h * slope_a + s * s * (3 - 2 * s) * b + s * s * (s - 1) * h * slope_b


def at_time(t, h, states, accelerate):
    """The state at a time, of the cubic through both ends of its step and their derivatives."""
    n = min(int(t / h + 1e-9), len(states) - 2)
    (xa, va), (xb, vb), s = states[n], states[n + 1], t / h - n
    return hermite(s, h, xa, xb, va, vb), hermite(s, h, va, vb, accelerate(n * h, xa, va), accelerate((n + 1) * h, xb, vb))


# Of check_whole()'s steady states: where the second half of the first begins, the quantity turns, and that is no extreme of the motion; it is
# larger than the half before it, of the other one smaller.
SHARES = {"": 0.52, "longer_": 0.8}


def whole(h, states, window, accelerate, kinetic, energy, observed):
    """The results by their names, from their definitions."""
    n = len(states) - 1
    K, E, y = (np.array([formula(k * h, x, v) for k, (x, v) in enumerate(states)]) for formula in (kinetic, energy, observed))
    size = [max(magnitude(np.array(x)), key=lambda e: e.real) for x, _ in states]
    found = {"x_max": extreme(np.array(size), 1)}
    for head, (begin, end) in {"": (0, n), "late_": window}.items():
        part, moving = E[begin:end + 1], K[begin:end + 1]
        scale = max(magnitude(part[0]), moving[0], key=lambda e: e.real)
        up, down = extreme(part, 1) - part[0], part[0] - extreme(part, -1)
        found |= {f"{head}energy_initial": part[0], f"{head}energy_final": part[-1], f"{head}energy_ratio": part[-1] / part[0],
                  f"{head}energy_drift": max(up, down, key=lambda e: e.real) / scale, f"{head}kinetic_max": extreme(moving, 1),
                  f"{head}kinetic_integral": h * (np.sum(moving) - 0.5 * (moving[0] + moving[-1]))}
        off = np.array([observed(t, *at_time(t, h, states, accelerate)) - value for t, value in DATA if (begin - 0.5) * h <= t <= (end + 0.5) * h])
        found |= {f"{head}misfit_rms": np.sqrt(np.mean(off ** 2)), f"{head}misfit_max": max(magnitude(off), key=lambda e: e.real)}
    left = n - np.arange(n + 1)
    for head, share in SHARES.items():
        late, early = y[left <= 0.5 * share * n], y[(left <= share * n) & (left > 0.5 * share * n)]
        A, first = (0.5 * (extreme(part, 1) - extreme(part, -1)) for part in (late, early))
        found |= {f"{head}steady_amplitude": A, f"{head}steady_offset": 0.5 * (extreme(late, 1) + extreme(late, -1)),
                  f"{head}steady_change": magnitude(A - first) / A}
    return found


ENERGIES = '  kinetic: "m*v_q^2/2", potential: "g*(1 - cos(q)) + s*q^4", slow: "q - 0.1*b*q^3", fast: "q^2"'


def check_whole():
    """The energy, the kinetic energy, the largest coordinate, the steady state and the misfit."""
    text, problem, given, start, coordinates, h, _ = PROBLEMS["swing"]
    text = with_energies(text)
    given, steps, window = given | {"m": 1.4}, 40, (7, 33)
    methods = ["rk4", "theta2", "generalized_alpha"]
    late = f"from: {6.5 * h}, to: {33.5 * h}"
    names = ["energy_initial", "energy_final", "energy_ratio", "energy_drift", "kinetic_max", "kinetic_integral", "misfit_rms", "misfit_max"]
    steady = [f"{{steady: {{of: size, share: {share}{f', label: {head[:-1]}' if head else ''}}}}}" for head, share in SHARES.items()]
    metrics = ["x_max", *steady, *names, *[f"{{{name}: {{{late}, label: late_{name}}}}}" for name in names]]
    file = results("whole", f"{text}methods: [{', '.join(methods)}]\nstep: {h}\nsteps: {steps}\nmetrics: [{', '.join(metrics)}]\nnewton: {{tolerance: 1.0e-14}}\n" + COMPARED, device="native")
    wanted = text.split("derivatives: [")[1].split("]")[0].split(", ")
    pull, size = (PROBLEMS["swing"][6][of] for of in ("pull", "size"))
    for method in methods:
        group = file[method]
        values = {key: float(group[key][()]) for key in group if group[key].shape == () and group[key].dtype == np.float64}
        for by in wanted:
            p, x, v = moved(by, given, start, False, coordinates)
            states = list(path(method, values, problem, p, x, v, h, steps))
            kinetic = lambda t, x, v: p["m"] * v[0] ** 2 / 2
            energy = lambda t, x, v: kinetic(t, x, v) + p["g"] * (1 - np.cos(x[0])) + p["s"] * x[0] ** 4
            accelerate = lambda t, x, v: problem(t, x, v, p)
            exact = whole(h, states, window, accelerate, kinetic, energy, lambda t, x, v: pull(t, x, v, accelerate(t, x, v), p))
            exact |= {name: value for name, value in whole(h, states, window, accelerate, kinetic, energy,
                                                           lambda t, x, v: size(t, x, v, None, p)).items() if "steady" in name}
            for name, value in exact.items():
                near(group[f"{name}_d_{by}"][()], value.imag / TINY, 1e-10, f"{method}, {name} by {by}")


# --- what must not change, and what has no equations

COMPARED = f"compare: {{samples: {[list(pair) for pair in DATA]}, of: pull}}\n"
ALL = """metrics: [x_max, {steady: {of: size, share: 0.8}}, {stats: {of: pull, from: 20, to: 200.5}}, energy_initial, energy_final, energy_drift, energy_ratio,
          kinetic_max, {kinetic_integral: {from: 20.1}}, misfit_rms, misfit_max, substeps, updates]
"""


def with_energies(text):
    return text.replace("          parameters: {", ENERGIES + ",\n          parameters: {m: 1.4, ").replace("derivatives: [", "derivatives: [m, ")


def check_bits():
    """Other results have the bits that they have without derivatives; derivatives have the same bits at all lanes and on all devices,
    through slices of launches and halved steps."""
    entries = "methods: [{dopri5_adaptive: {rtol: 1.0e-3}}, theta2, rk4]\n"
    text = with_energies(SWING).replace("g: 1.3", "g: {linear: [0.5, 4, 19]}").replace("f: 0.4", "f: [0.4, 7]")
    rest = f"{entries}step: 0.3\nend: 300\nnewton: {{max_updates: 2, tolerance: 1.0e-12}}\n{ALL}{COMPARED}"
    plain = results("plain", re.sub("derivatives.*\n", "", text) + rest, device="native")
    one = results("one", text + rest, "--lanes", "1", device="native")
    many = results("many", text + rest, "--lanes", "16", device="native")
    driver = results("driver", text + rest, device="cpu")
    compared = halved = 0
    for method in ("dopri5_adaptive", "theta2", "rk4"):
        for name in one[method]:
            if one[method][name].dtype.kind not in "if":
                continue
            bits = one[method][name][...].tobytes()
            check(many[method][name][...].tobytes() == bits, f"{method}, {name}: other bits at 16 lanes")
            check(driver[method][name][...].tobytes() == bits, f"{method}, {name}: other bits on the OpenCL device")
            if "_d_" not in name:
                check(plain[method][name][...].tobytes() == bits, f"{method}, {name}: other bits than without derivatives")
            compared += "_d_" in name
        halved += int(np.sum(one[method]["substeps"][...] > 0))
    check(compared == 3 * 17 * 9, f"{compared} derivatives, {3 * 17 * 9} are looked for")
    check(halved > 25, f"only {halved} points have halved steps")


def check_held():
    """Where steps are halved alike, or a method with a step of its own takes the same ones, derivatives are the differences of runs."""
    entries = ("methods: [theta2, generalized_alpha, {label: explicit, dopri5_adaptive: {rtol: 1, atol: 1.0e+9}}, "
               "{label: implicit, esdirk4_adaptive: {rtol: 1, atol: 1.0e+9}}]\n")
    text = with_energies(SWING).replace("f: 0.4", "f: 7")
    text = re.sub("derivatives.*", "derivatives: [b, g]", text)
    for by, value, step in (("b", 0.9, 1e-4), ("g", 1.3, 1e-4)):
        moved_by = ", ".join(repr(value + k * step) for k in (-2, -1, 0, 1, 2))
        file = results(f"held_{by}", text.replace(f"{by}: {value}", f"{by}: [{moved_by}]") + f"{entries}step: 0.3\nend: 9\n"
                       f"newton: {{max_updates: 2, tolerance: 1.0e-13}}\n{ALL.replace('from: 20, to: 200.5', 'from: 2, to: 7').replace('20.1', '2')}{COMPARED}",
                       device="native")
        for label in ("theta2", "generalized_alpha", "explicit", "implicit"):
            group = file[label]
            check(label in ("explicit", "implicit") or np.all(group["substeps"][...] > 0), f"{label}: no step was halved")
            for name in group:
                if name.endswith(f"_d_{by}") and not re.match("x_max|minimum|maximum|peak|kinetic_max|steady|energy_drift", name):  # see check_turns()
                    y, found = group[name.removesuffix(f"_d_{by}")][...], group[name][2]
                    difference = (8 * (y[3] - y[1]) - (y[4] - y[0])) / (12 * step)
                    check(abs(found - difference) <= 2e-7 * max(1, abs(found)), f"{label}: {name} is {found}, differences are {difference}")


def check_turns():
    """Derivatives of extremes are those of the motion's, x = A cos(w t - p) with A^2 = 1 + (b/w)^2, and nearer by the cube of the step.
    Those of the observations would be off by up to half a step times the derivative of the velocity, A w^2 t = 25 at the end. Of the
    parabola the vertex is off by up to h (w h)^2/16, and the derivative, whose third one is up to 30, by up to 30 h^3/16: 4 h^3 in all."""
    w, b = 1.1, 0.3
    A = np.sqrt(1 + (b / w) ** 2)
    by_w, by_b = -b * b / (A * w ** 3), b / (A * w * w)
    exact = {"x_max_d_w": by_w, "x_max_d_b": by_b, "maximum_d_w": by_w, "minimum_d_b": -by_b, "peak_to_peak_d_w": 2 * by_w, "late_maximum_d_w": by_w,
             "late_minimum_d_w": -by_w, "steady_amplitude_d_w": by_w, "steady_amplitude_d_b": by_b, "steady_offset_d_w": 0, "kinetic_max_d_w": w, "kinetic_max_d_b": b}
    file = results("turns", f"""problem: {{coordinates: [q], acceleration: ["-w^2*q"], start: [1], start_velocity: [b], kinetic: "v_q^2/2", potential: "w^2*q^2/2",
          parameters: {{w: {w}, b: {b}}}}}
derivatives: [w, b]
methods: [dopri5]
step: [0.2, 0.1, 0.05]
end: 20
metrics: [x_max, kinetic_max, {{steady: {{of: q, share: 1}}}}, {{stats: {{of: q}}}}, {{stats: {{of: q, from: 3, to: 14, label: late}}}}]
""", device="native")["dopri5"]
    for name, value in exact.items():
        off = np.abs(file[name][...].ravel() - value)
        check(np.all(off <= 4 * np.array([0.2, 0.1, 0.05]) ** 3), f"{name}: {file[name][...].ravel()} is off {value} by {off}")


def check_swing():
    check_stats("swing", ["rk4", "theta2", "generalized_alpha", "velocity_verlet", "tr_bdf2"], 40, (7, 33))


def check_spring():
    check_stats("spring", ["rk4", "generalized_alpha"], 40, (7, 33))


def check_lorenz():
    check_stats("lorenz", ["rk4", "bdf2"], 40, (7, 33))


def check_single():
    check_stats("swing", ["rk4", "theta2"], 40, (7, 33), "single")


if __name__ == "__main__":
    need_compiler()
    main(check_whole, check_swing, check_turns, check_lorenz, *[] if "--quick" in sys.argv else [check_held, check_bits, check_spring, check_single])
