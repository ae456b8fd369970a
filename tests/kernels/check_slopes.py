# check_slopes -- derivatives by every parameter of the shipped problems are those of the papers' equations, by complex steps, and of energies.
from checking import check, listed, main, need, need_compiler, results
from complex_steps import TINY, walk

np, h5py = need("numpy", "h5py")


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


def check_gradients():
    """The derivatives of energies and of the slow and the fast coordinate, by each parameter, are the differences of runs."""
    cards = {card["name"]: card for card in listed("problems")}
    seen = 0
    for number, (name, words, numbers, _, _, h, steps) in enumerate(SHIPPED):
        of = [word for word in ("energy", "kinetic", "slow", "fast") if word in cards[name]["provides"]]
        metrics = ", ".join(f"{{mean_value: {{of: {word}, label: {word}_end, from: {(steps - 0.5) * h}}}}}" for word in of)
        for by, value in numbers.items() if of else ():
            step = 3e-5 * max(abs(value), 0.1)
            moved = ", ".join(repr(value + k * step) for k in (-2, -1, 0, 1, 2))
            said = ", ".join(f"{key}: {f'[{moved}]' if key == by else other}" for key, other in (words | numbers).items())
            group = results(f"gradients_{number}_{by}", f"""problem: {name}
parameters: {{{said}}}
derivatives: [{', '.join(numbers)}]
methods: [rk4]
step: {h}
steps: {steps}
metrics: [{metrics}]
""", device="native")["rk4"]
            for word in of:
                y, found = group[f"{word}_end"][...], group[f"{word}_end_d_{by}"][2]
                difference = (8 * (y[3] - y[1]) - (y[4] - y[0])) / (12 * step)
                off = abs(found - difference) / max(1, abs(difference))
                check(off <= 1e-7, f"{name} {words}, {word} by {by}: {found}, differences are {difference}, off by {off:.2g}")
                seen += found != 0
    check(seen > 150, f"only {seen} derivatives of energies and coordinates are not 0")


if __name__ == "__main__":
    need_compiler()
    main(check_shipped, check_gradients)
