# check_tangents -- derivatives of final states: those of each method's equations by complex steps, closed forms, differences, the same bits.
import re
import sys

from checking import check, listed, main, need, need_compiler, results
from complex_steps import TINY, lorenz, spring, swing, walk

np, h5py = need("numpy", "h5py")

REFUSED = ("incremental_newmark", "incremental_potential", "rodas5p", "sofa_euler", "sofa_newmark")


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


# Rows of its Newton matrices change places.
CROSS = """problem: {coordinates: [x, y, z], start: [0.3, 0.1, "c"], parameters: {s: 700, g: 2, c: 0.2},
          acceleration: ["-s*y + g*x^2", "-s*z - v_y", "-s*x + g*z*y"]}
derivatives: [s, g, c, v_z]
"""


def cross(t, x, v, p):
    return np.array([-p["s"] * x[1] + p["g"] * x[0] ** 2, -p["s"] * x[2] - v[1], -p["s"] * x[0] + p["g"] * x[2] * x[1]])


PROBLEMS = {
    "pendulum": (PENDULUM, swing, dict(g=1.3, z=0.1, f=0.4, w=1.7, b=0.9, s=-0.4, idle=3.0),
                 lambda p: ([p["b"] ** 2], [p["b"] * p["s"]]), ["q"], 0.1),
    "spring": (SPRING, spring, dict(k=9.0, g=0.8, c=0.05, s=0.9), lambda p: ([0.6, -p["s"]], [0.2, 0.1]), ["x", "y"], 0.08),
    "cross": (CROSS, cross, dict(s=700.0, g=2.0, c=0.2), lambda p: ([0.3, 0.1, p["c"]], [0, 0, 0]), ["x", "y", "z"], 0.1),
    "lorenz": (LORENZ, lorenz, dict(s=10.0, r=28.0, b=2.5, c=1.5), lambda p: ([0, 0, 0], [1, p["c"], 2]), ["x", "y", "z"], 0.02),
}


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
    check_equations("pendulum", 20, "native")


def check_spring():
    check_equations("spring", 20, "native")


def check_cross():
    check_equations("cross", 3, "native")


def check_lorenz():
    check_equations("lorenz", 15, "native")


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
    methods = ("dopri5_adaptive", "generalized_alpha", "theta2")
    entries = "methods: [{dopri5_adaptive: {rtol: 1.0e-3}}, generalized_alpha, theta2]\n"
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


def check_halved(device="native"):
    """Where steps are halved, derivatives are the differences of motions that are halved alike."""
    entries = "methods: [theta2, bdf2, {label: variable, theta2: {theta: 0.5}, substeps: {start: variable}}, generalized_alpha, tr_bdf2, wbz_alpha]\n"
    rest = f"{entries}step: 0.3\nend: 9\nnewton: {{max_updates: 2, tolerance: 1.0e-13}}\nmetrics: [x_final, v_final, substeps, updates]\n"
    moved = [f"{7 + k * 1e-4!r}" for k in (-2, -1, 0, 1, 2)]
    file = results("halved", PENDULUM.replace("f: 0.4", f"f: [{', '.join(moved)}]") + rest, device=device)
    for label in ("theta2", "bdf2", "variable", "generalized_alpha", "tr_bdf2", "wbz_alpha"):
        group = file[label]
        check(np.all(group["substeps"][...] > 0), f"{label}: no step was halved")
        for final in ("x_final", "v_final"):
            at = group[final][:, 0]
            difference = (8 * (at[3] - at[1]) - (at[4] - at[0])) / 12e-4
            found = group[f"{final}_d_f"][2, 0]
            check(abs(found - difference) <= 1e-7 * max(1, abs(found)), f"{label}, halved: {final}_d_f is {found}, differences are {difference}")


def check_reference():
    """The reference derives the equations of the cards: of all four problems and all methods, and where steps are halved."""
    check_equations("pendulum", 20, "reference")
    check_equations("spring", 20, "reference")
    check_equations("cross", 3, "reference")
    check_equations("lorenz", 15, "reference")
    check_halved("reference")


if __name__ == "__main__":
    need_compiler()
    main(check_cross, check_bits, check_pendulum, check_lorenz,
         *[] if "--quick" in sys.argv else [check_spring, check_single, check_swing, check_halved, check_reference])
