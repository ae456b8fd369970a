# check_tangents -- derivatives of final states: those of each method's equations by complex steps, closed forms, differences, the same bits.
#
# The equations on a method's card are carried out here in complex numbers, one parameter moved by 1e-30 i: the imaginary part over
# 1e-30 is the derivative of the discrete map, without cancellation. No line of this comes from a kernel.
import re

from checking import check, listed, main, need, need_compiler, refused, results, ROOT, run

np, h5py = need("numpy", "h5py")

TINY = 1e-30
REFUSED = ("incremental_newmark", "incremental_potential", "rodas5p", "sofa_euler", "sofa_newmark")


# --- the equations of a card

def card_lists(method):
    """The lists of statements on a method's card, by their keys."""
    lists, key = {}, None
    for line in (ROOT / "kernels/methods" / f"{method}.cl").read_text().split("\n"):
        if not line.startswith("//: "):
            break
        head = re.fullmatch(r"//: (\w+):.*", line)
        key = head[1] if head else key
        if item := re.fullmatch(r"//:   - (.*)", line):
            lists.setdefault(key, []).append(item[1].strip('"'))
    return lists


def evaluate(words, names):
    return eval(words.replace("^", "**"), {"__builtins__": {}}, names)


def accelerate(statements, names):
    """Carries out statements, of which `solve u` begins a solve that ends with the first whose left side is no new name."""
    at = 0
    while at < len(statements):
        if not statements[at].startswith("solve "):
            left, right = statements[at].split(" = ")
            names[left] = evaluate(right, names)
            at += 1
            continue
        unknown, end = statements[at][6:], at + 1
        known = set(names) | {unknown}
        while (left := statements[end].split(" = ")[0]) not in known and re.fullmatch(r"\w+", left):
            known.add(left)
            end += 1
        inner, equation = statements[at + 1:end], statements[end].split(" = ")

        def residual(u):
            names[unknown] = u
            accelerate(inner, names)
            return evaluate(equation[0], names) - evaluate(equation[1], names)

        u = names["v"] * (1 + 0j)
        for _ in range(9):
            here = residual(u)
            columns = [(residual(u + 1e-6 * e) - here) / 1e-6 for e in np.eye(len(u))]
            u = u - np.linalg.solve(np.array(columns).T, here)
        residual(u)
        at = end + 1
    return names


def of_tableau(rows):
    """The statements of a Runge-Kutta tableau: slopes (k_i, l_i) of x and v, a line with a weight of its own slope solved for."""
    statements, count = [], 0
    for row in rows:
        place, *weights = [part.strip() for part in row.split("|")]
        weights = weights[0].split(",") if weights else []
        if place == "error":
            continue
        own = len(weights) == count + 1 and place != "x1"
        sums = [" + ".join(["0*x"] + [f"({w})*{slope}_{i + 1}" for i, w in enumerate(weights[:count])]) for slope in "kl"]
        if place == "x1":
            statements += [f"x1 = x + h*({sums[0]})", f"v1 = v + h*({sums[1]})"]
        elif own:
            count += 1
            statements += [f"solve l_{count}", f"k_{count} = v + h*({sums[1]} + ({weights[-1]})*l_{count})",
                           f"l_{count} = accel(t + ({place})*h, x + h*({sums[0]} + ({weights[-1]})*k_{count}), k_{count})"]
        else:
            count += 1
            statements += [f"k_{count} = v + h*({sums[1]})", f"l_{count} = accel(t + ({place})*h, x + h*({sums[0]}), k_{count})"]
    return statements


def walk(method, parameters, problem, p, x, v, h, steps):
    """The state after so many steps of one size."""
    lists = card_lists(method)
    step = lists.get("equations") or of_tableau(lists["tableau"])
    if "tableau" in lists and "equations_start" in lists:
        step = step + ["a1 = accel(t + h, x1, v1)"]
    common = {**parameters, "accel": lambda t, x, v: problem(t, x, v, p), "h": h, "h_prev": h, "starter": 1, "t": 0.0, "sqrt": np.sqrt, "cbrt": lambda y: y ** (1 / 3)}
    state = accelerate(lists.get("equations_start", []), {**common, "x": x, "v": v})
    kept = [name for name in ("x", "v", "a", "j") if name in state]
    before = None
    for n in range(steps):
        names = {**common, **{name: state[name] for name in kept}, "t": n * h}
        if "equations_first" in lists and before is None:
            made = accelerate(lists["equations_first"], names)
        else:
            made = accelerate(step, {**names, **(before or {})})
        before = {"x_prev": state["x"], "v_prev": state["v"]} if "equations_first" in lists else None
        state = {name: made[f"{name}1"] for name in kept}
    return state["x"], state["v"]


# --- the problems: a sweep's, and the same in Python

PENDULUM = """problem: {coordinates: [q], acceleration: ["-g*sin(q) - 2*z*v_q + f*cos(w*t)"], start: ["b^2"], start_velocity: ["b*s"],
          parameters: {g: 1.3, z: 0.1, f: 0.4, w: 1.7, b: 0.9, s: -0.4, idle: 3}}
derivatives: [g, z, f, w, b, s, q, v_q, idle]
"""
SPRING = """problem: {coordinates: [x, y], start: [0.6, "-s"], start_velocity: [0.2, 0.1], parameters: {k: 9, g: 0.8, c: 0.05, s: 0.9},
          acceleration: ["-k*(1 - 1/sqrt(x^2 + y^2))*x - c*v_x*v_y", "-k*(1 - 1/sqrt(x^2 + y^2))*y - g - c*v_y"]}
derivatives: [k, g, c, s, y, v_x]
"""
LORENZ = """problem: {coordinates: [x, y, z], rate: ["s*(y - x)", "x*(r - z) - y", "x*y - b*z"], start: [1, "c", 2], parameters: {s: 10, r: 28, b: 2.5, c: 1.5}}
derivatives: [s, r, b, c, z]
"""


def pendulum(t, x, v, p):
    return -p["g"] * np.sin(x) - 2 * p["z"] * v + p["f"] * np.cos(p["w"] * t)


def spring(t, x, v, p):
    pull = -p["k"] * (1 - 1 / np.sqrt(x[0] ** 2 + x[1] ** 2))
    return np.array([pull * x[0] - p["c"] * v[0] * v[1], pull * x[1] - p["g"] - p["c"] * v[1]])


def lorenz(t, x, v, p):
    """Of a system of first order u stands in v."""
    return np.array([p["s"] * (v[1] - v[0]), v[0] * (p["r"] - v[2]) - v[1], v[0] * v[1] - p["b"] * v[2]])


PROBLEMS = {
    "pendulum": (PENDULUM, pendulum, dict(g=1.3, z=0.1, f=0.4, w=1.7, b=0.9, s=-0.4, idle=3.0),
                 lambda p: ([p["b"] ** 2], [p["b"] * p["s"]]), ["q"], 0.1),
    "spring": (SPRING, spring, dict(k=9.0, g=0.8, c=0.05, s=0.9), lambda p: ([0.6, -p["s"]], [0.2, 0.1]), ["x", "y"], 0.08),
    "lorenz": (LORENZ, lorenz, dict(s=10.0, r=28.0, b=2.5, c=1.5), lambda p: ([0, 0, 0], [1, p["c"], 2]), ["x", "y", "z"], 0.02),
}


# --- the shipped problems: their equations from the papers, in Python

def clip(x, low, high):
    """Of complex numbers, by their real parts."""
    return np.where(x.real < low, low, np.where(x.real > high, high, x))


def barrier(t, x, v, p):
    d = np.where(x.real < p["d_hat"].real, x, p["d_hat"])
    return (p["kappa"] * ((d - p["d_hat"]) ** 2 / d - 2 * (p["d_hat"] - d) * np.log(d / p["d_hat"]))) / p["mass"] - p["g"]


def rods(t, x, v, p):
    c, s, m = np.cos(x[0] - x[1]), np.sin(x[0] - x[1]), p["m1"] + p["m2"]
    matrix = np.array([[m * p["l1"], p["m2"] * p["l2"] * c], [p["l1"] * c, p["l2"]]])
    return np.linalg.solve(matrix, np.array([-p["m2"] * p["l2"] * s * v[1] ** 2 - m * p["g"] * np.sin(x[0]), p["l1"] * s * v[0] ** 2 - p["g"] * np.sin(x[1])]))


def polar(printed, hanging):
    def acceleration(t, x, v, p):
        angle = x[1] - hanging
        turn = x[1] ** 2 / x[0] ** 3 if printed else x[0] * v[1] ** 2
        return np.array([turn - (x[0] - 1) / p["eps"] ** 2 + p["g"] * np.cos(angle), -((0 if printed else 2 * v[0] * v[1]) + p["g"] * np.sin(angle)) / x[0]])
    return acceleration


def cartesian(printed, downwards):
    def acceleration(t, x, v, p):
        r = np.sqrt(x[0] ** 2 + x[1] ** 2)
        c, s = x / r
        weight = np.array({(0, 0): [1, 0], (0, 1): [0, -1], (1, 0): [s * s - c * c, 0], (1, 1): [2 * s * c, 1]}[printed, downwards])
        return -(r - 1) / p["eps"] ** 2 * x / r + p["g"] * weight
    return acceleration


def block(t, x, v, p):
    s = clip(v / p["v_smooth"], -1.0, 1.0)
    return p["g"] * (np.sin(p["phi"]) - p["mu"] * np.cos(p["phi"]) * s * (2 - s * np.sign(s.real)))


def modes(t, x, v, p):
    m, d, k = (np.array([p[name + "1"], p[name + "2"]]) for name in "mdk")
    return -(k * x + (d + p["r_m"] * m + p["r_k"] * k) * v) / m


def chain(t, x, v, p):
    n = len(x)
    k = p["k"] * p["eps"] ** (-2 * np.arange(n) / max(n - 1, 1))
    d, rate = np.diff(x, prepend=0), np.diff(v, prepend=0)
    tension = k * (d + p["cubic"] * d ** 3 + p["r_k"] * rate)
    return (np.append(tension[1:], 0) - tension) / p["mass"] - p["r_m"] * v


def reaction(logarithmic):
    def rate(t, x, u, p):
        a, b, c = p["k1"] * u[0], p["k2"] * u[1] ** 2, p["k3"] * u[1] * u[2]
        return (p["t0"] * np.exp(t) if logarithmic else 1) * np.array([c - a, a - b - c, b])
    return rate


def oscillator(force):
    return lambda t, x, v, p: -p["omega"] ** 2 * x - 2 * p["zeta"] * p["omega"] * v + force * p["force"] * np.cos(p["force_omega"] * t)


def begin(x, v):
    return lambda p: ([p.get(name, 0) for name in x], [p.get(name, 0) for name in v])


ANGLE = np.pi / 4
STRETCHED = (lambda p: ([1 + p["k"] * p["eps"], ANGLE], [np.sqrt(0.5), -np.sqrt(0.5)]))
ASIDE = (lambda p: ([(1 + p["k"] * p["eps"]) * np.sqrt(0.5)] * 2, [1 + p["k"] * p["eps"] / 2, -p["k"] * p["eps"] / 2]))
ONES = begin(["x0"], ["v0"])
# Problem, words for its choices, numbers for its parameters, equations, start, step, number of steps.
SHIPPED = [
    ("harmonic_oscillator", {"forcing": "cosine"}, dict(omega=1.3, zeta=0.1, force=0.7, force_omega=0.9, x0=1, v0=0.2), oscillator(1), ONES, 0.1, 30),
    ("harmonic_oscillator", {"forcing": "none"}, dict(omega=1.3, zeta=0.1, x0=1, v0=0.2), oscillator(0), ONES, 0.1, 30),
    ("pendulum", {"forcing": "cosine"}, dict(g=1.2, zeta=0.1, force=0.7, force_omega=0.9, x0=1, v0=0.2),
     lambda t, x, v, p: -p["g"] * np.sin(x) - 2 * p["zeta"] * v + p["force"] * np.cos(p["force_omega"] * t), ONES, 0.1, 30),
    ("duffing", {}, dict(delta=0.3, alpha=-1.1, beta=0.9, force=0.2, force_omega=1.2, x0=1.2, v0=0.1),
     lambda t, x, v, p: p["force"] * np.cos(p["force_omega"] * t) - p["delta"] * v - p["alpha"] * x - p["beta"] * x ** 3, ONES, 0.1, 30),
    ("van_der_pol", {}, dict(mu=1.3, x0=2, v0=0.1), lambda t, x, v, p: p["mu"] * (1 - x ** 2) * v - x, ONES, 0.1, 30),
    ("fitzhugh_nagumo", {}, dict(eps=0.08, alpha=0.7, beta=0.8, current=0.5, v0=-1, w0=-0.5), lambda t, x, u, p: np.array(
        [u[0] - u[0] ** 3 / 3 - u[1] + p["current"], p["eps"] * (u[0] + p["alpha"] - p["beta"] * u[1])]), begin(["", ""], ["v0", "w0"]), 0.2, 30),
    ("lorenz", {}, dict(sigma=10, rho=28, beta=2.7, x0=1, y0=0.5, z0=2), lambda t, x, u, p: np.array(
        [p["sigma"] * (u[1] - u[0]), u[0] * (p["rho"] - u[2]) - u[1], u[0] * u[1] - p["beta"] * u[2]]), begin([""] * 3, ["x0", "y0", "z0"]), 0.02, 30),
    ("robertson", {"clock": "linear"}, dict(k1=0.04, k2=30, k3=10), reaction(False), lambda p: ([0] * 3, [1, 0, 0]), 0.05, 30),
    ("robertson", {"clock": "logarithmic"}, dict(k1=0.04, k2=30, k3=10, t0=0.3), reaction(True), lambda p: ([0] * 3, [1, 0, 0]), 0.05, 30),
    ("barrier_particle", {}, dict(kappa=1000, d_hat=0.3, g=9.81, mass=1.2, x0=0.35, v0=-0.4), barrier, ONES, 0.002, 80),
    ("double_pendulum", {}, dict(l1=1.1, l2=0.8, m1=1.2, m2=0.7, g=9.81, th1=1, th2=0.5, w1=0.3, w2=-0.2), rods, begin(["th1", "th2"], ["w1", "w2"]), 0.02, 40),
    *[("elastic_pendulum_polar", {"variant": ("right", "printed")[printed], "gravity": ("e1", "minus_e2")[down]}, dict(eps=0.2, k=1.3, g=0.9),
       polar(printed, -np.pi / 2 * down), STRETCHED, 0.05, 30) for printed in (0, 1) for down in (0, 1)],
    *[("elastic_pendulum_cartesian", {"variant": ("right", "printed")[printed], "gravity": ("e1", "minus_e2")[down]}, dict(eps=0.2, k=1.3, g=0.9),
       cartesian(printed, down), ASIDE, 0.05, 30) for printed in (0, 1) for down in (0, 1)],
    ("friction_block", {}, dict(mu=0.5, v_smooth=0.9, phi=0.3, g=9.81, mass=1, x0=0.2, v0=1.1), block, ONES, 0.02, 40),
    ("modal_oscillators", {}, dict(m1=1.1, m2=0.9, d1=0.1, d2=0.2, k1=1.2, k2=90, r_m=0.05, r_k=0.01, x01=1, x02=0.7, v01=0.1, v02=-0.2), modes,
     begin(["x01", "x02"], ["v01", "v02"]), 0.05, 30),
    ("spring_chain", {"n": 3}, dict(mass=1.2, k=1.1, eps=0.4, cubic=0.8, r_m=0.05, r_k=0.02, x0=0.9, v0=0.3), chain,
     lambda p: ([p["x0"] * i / 3 for i in (1, 2, 3)], [0, 0, p["v0"]]), 0.1, 30),
    ("spring_chain", {"n": 1}, dict(mass=1.2, k=1.1, eps=0.4, cubic=0.8, r_m=0.05, r_k=0.02, x0=0.9, v0=0.3), chain, ONES, 0.1, 30),
]


def check_shipped():
    """Each shipped problem's derivatives, of an explicit and an implicit method, by all parameters that are numbers."""
    cards = {card["name"]: card for card in listed("problems")}
    check({name for name, *_ in SHIPPED} == set(cards), f"not each problem is looked at: {sorted(set(cards) - {name for name, *_ in SHIPPED})}")
    for number, (name, words, numbers, problem, start, h, steps) in enumerate(SHIPPED):
        first = cards[name]["first_order"]
        said = ", ".join(f"{key}: {value}" for key, value in (words | numbers).items())
        text = f"""problem: {name}
parameters: {{{said}}}
derivatives: [{', '.join(numbers)}]
methods: [rk4, theta2]
step: {h}
steps: {steps}
newton: {{tolerance: 1.0e-14}}
metrics: [x_final]
"""
        file = results(f"shipped_{number}", text, device="native")
        for method in ("rk4", "theta2"):
            values = {key: float(file[method][key][()]) for key in ("theta",) if key in file[method]}
            for by in numbers:
                p = {key: complex(value) for key, value in numbers.items()} | {"": 0j, "force": 0j} | {key: complex(value) for key, value in numbers.items()}
                p.setdefault("force_omega", 0j)
                p[by] += TINY * 1j
                x, v = walk(method, values, problem, p, *(np.array(vector, complex) for vector in start(p)), h, steps)
                exact, found = (v if first else x).imag / TINY, file[method][f"x_final_d_{by}"][...]
                off = np.max(np.abs(found - exact)) / max(1e-3, np.max(np.abs(exact)))
                check(off <= 2e-10, f"{name} {words}, {method}, by {by}: {found}, its equations have {exact}, off by {off:.2g}")


def methods_of(first):
    cards = [m for m in listed("methods") if m["name"] not in REFUSED and (m["first_order"] or not first)]
    entries = []
    for card in cards:  # substeps of an adaptive method are its steps where all errors are permitted
        name, adaptive = card["name"], "rtol" in [p["name"] for p in card["parameters"]]
        entries.append(f"  - {name}: {{{'rtol: 1, atol: 1.0e+9' if adaptive else ''}}}")
    return [card["name"] for card in cards], "methods:\n" + "\n".join(entries) + "\n"


def check_equations(name, steps, device, precision="double"):
    """Each method's derivatives are those of its equations."""
    text, problem, given, start, coordinates, h = PROBLEMS[name]
    first = name == "lorenz"
    methods, entries = methods_of(first)
    wanted = re.search(r"derivatives: \[(.*)\]", text)[1].split(", ")
    file = results(f"equations_{name}_{precision}", f"{text}{entries}step: {h}\nsteps: {steps}\nmetrics: [x_final{'' if first else ', v_final'}]\n"
                   + ("newton: {tolerance: 1.0e-14}\n" if precision == "double" else f"precision: {precision}\n"), device=device)
    for method in methods:
        group = file[method]
        values = {key: float(group[key][()]) for key in group if group[key].shape == () and group[key].dtype == np.float64}
        for by in wanted:
            p = {key: complex(value) for key, value in given.items()}
            if by in p:
                p[by] += TINY * 1j
            x, v = (np.array(vector, complex) for vector in start(p))
            if by not in p:
                moved = v if first or by.startswith("v_") else x
                moved[coordinates.index(by.removeprefix("v_"))] += TINY * 1j
            x, v = walk(method, values, problem, p, x, v, h, steps)
            for final, right in (("x_final", v if first else x), ("v_final", v))[:1 if first else 2]:
                found, exact = group[f"{final}_d_{by}"][...], right.imag / TINY
                off = np.max(np.abs(found - exact)) / max(1.0, np.max(np.abs(exact)))
                bound = 2e-11 if precision == "double" else 2e-3
                check(off <= bound, f"{name}, {method}, {final} by {by}: {found}, its equations have {exact}, off by {off:.2g}")


def check_pendulum():
    check_equations("pendulum", 40, "native")


def check_spring():
    check_equations("spring", 40, "native")


def check_lorenz():
    check_equations("lorenz", 30, "native")


def check_single():
    check_equations("pendulum", 20, "native", "single")


# --- closed forms

def check_swing():
    """After one period of a free pendulum, T(b) = 4 K(sin(b/2))/sqrt(g), from rest at b: dx/db = 1, dv/db = g sin(b) T'(b), dx/dg = 0,
    dv/dg = -sin(b) T/2, whatever else the motion is. The errors fall by the order of the method."""
    def period(b):
        a, c = 1.0 + 0j, np.cos(0.5 * b)
        for _ in range(6):
            a, c = 0.5 * (a + c), np.sqrt(a * c)
        return 2 * np.pi / a
    b = 2.2
    T, slope = period(b).real, period(b + TINY * 1j).imag / TINY
    exact = {"x_final_d_b": 1.0, "v_final_d_b": np.sin(b) * slope, "x_final_d_g": 0.0, "v_final_d_g": -0.5 * np.sin(b) * T}
    text = f"""problem: {{coordinates: [q], acceleration: ["-g*sin(q)"], start: [b], parameters: {{g: 1, b: {b}}}}}
derivatives: [b, g]
methods: [dopri5, rk4, generalized_alpha, theta2, implicit_midpoint, {{tight: {{dopri5_adaptive: {{rtol: 1.0e-11, atol: 1.0e-13}}}}}}, {{stiff: {{esdirk4_adaptive: {{rtol: 1.0e-9, atol: 1.0e-12}}}}}}]
steps: [400, 800]
end: {T!r}
newton: {{tolerance: 1.0e-13}}
metrics: [x_final, v_final]
""".replace("{tight: {", "{label: tight, ").replace("{stiff: {", "{label: stiff, ").replace("}}}", "}}")
    file = results("swing", text, device="native")
    for label, order, bound in (("dopri5", 5, 2e-8), ("rk4", 4, 3e-6), ("generalized_alpha", 2, 2e-2), ("theta2", 2, 1e-2), ("implicit_midpoint", 2, 1e-2),
                                ("tight", None, 3e-8), ("stiff", None, 3e-6)):
        for name, value in exact.items():
            off = np.abs(file[label][name][:, 0] - value)
            check(off[1] <= bound, f"a free swing by {label}: {name} is off by {off[1]:.3g}, more than {bound}")
        if order:
            off = np.max([np.abs(file[label][name][:, 0] - value) for name, value in exact.items()], axis=0)
            check(abs(np.log2(off[0] / off[1]) - order) < 0.25, f"a free swing by {label}: errors {off} do not fall by order {order}")


# --- what must not change

def same(one, other, names, what):
    for name in names:
        check(one[name][...].tobytes() == other[name][...].tobytes(), f"{what}: {name} has other bits")


def check_bits():
    """Other results have the bits that they have without derivatives, and derivatives the same bits at all lanes and in pieces of a list."""
    methods = ("rk4", "dopri5_adaptive", "generalized_alpha", "theta2", "bathe", "tr_bdf2_adaptive")
    entries = "methods: [rk4, {dopri5_adaptive: {rtol: 1.0e-3}}, generalized_alpha, theta2, bathe, tr_bdf2_adaptive]\n"
    axes = PENDULUM.replace("g: 1.3", "g: {linear: [0.5, 4, 19]}").replace("f: 0.4", "f: [0.4, 7]")
    rest = f"{entries}step: 0.3\nend: 30\nnewton: {{max_updates: 2, tolerance: 1.0e-12}}\nmetrics: [x_final, v_final, updates, substeps, evaluations]\n"
    plain = results("plain", re.sub("derivatives.*\n", "", axes) + rest, device="native")
    whole = results("whole", axes + rest, "--lanes", "8", device="native")
    one = results("one", axes + rest, "--lanes", "1", device="native")
    few = results("few", re.sub("derivatives.*\n", "derivatives: [z, v_q]\n", axes) + rest, device="native")
    halved = 0
    for method in methods:
        names = [name for name in plain[method] if plain[method][name].dtype.kind in "if"]
        same(plain[method], whole[method], names, f"{method} with derivatives")
        same(one[method], whole[method], [name for name in whole[method] if "_d_" in name], f"{method} at one lane")
        same(few[method], whole[method], [f"{final}_d_{by}" for final in ("x_final", "v_final") for by in ("z", "v_q")], f"{method} with fewer derivatives")
        halved += int(np.sum(whole[method]["substeps"][...] > 0)) if "substeps" in whole[method] else 0
    check(halved > 40, f"only {halved} points have halved steps")


def check_halved():
    """Where steps are halved, derivatives are the differences of motions that are halved alike."""
    entries = "methods: [theta2, bdf2, {label: variable, theta2: {theta: 0.5}, substeps: {start: variable}}, generalized_alpha, tr_bdf2, wbz_alpha]\n"
    rest = f"{entries}step: 0.3\nend: 9\nnewton: {{max_updates: 2, tolerance: 1.0e-13}}\nmetrics: [x_final, v_final, substeps, updates]\n"
    moved = [f"{7 + k * 1e-4!r}" for k in (-2, -1, 0, 1, 2)]
    file = results("halved", PENDULUM.replace("f: 0.4", f"f: [{', '.join(moved)}]") + rest, device="native")
    for label in ("theta2", "bdf2", "variable", "generalized_alpha", "tr_bdf2", "wbz_alpha"):
        group = file[label]
        check(np.all(group["substeps"][...] > 0), f"{label}: no step was halved")
        for final in ("x_final", "v_final"):
            at = group[final][:, 0]
            difference = (8 * (at[3] - at[1]) - (at[4] - at[0])) / 12e-4
            found = group[f"{final}_d_f"][2, 0]
            check(abs(found - difference) <= 1e-7 * max(1, abs(found)), f"{label}, halved: {final}_d_f is {found}, differences are {difference}")


def check_refused():
    """The reference, certificates and replays have no derivatives, and say so."""
    text = SPRING + "methods: [rk4]\nstep: 0.1\nend: 1\n"
    run("refused", text, device="native")
    refused("the reference has no derivatives, leave 'derivatives' out or take another device", "run", "refused.yaml", "-d", "reference", "-o", "no.h5", code=4)
    refused("no certificate has derivatives; leave 'derivatives' out, the other results are the same bits", "conform", "refused.yaml", "-d", "native", code=4)
    refused("a replay has no derivatives; run the sweep without 'derivatives'", "replay", "refused.h5", "--point", "0", "--sweep", "refused.yaml", code=4)


if __name__ == "__main__":
    need_compiler()
    main(check_shipped, check_pendulum, check_spring, check_lorenz, check_single, check_swing, check_bits, check_halved, check_refused)
