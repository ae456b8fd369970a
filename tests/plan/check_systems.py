# check_systems -- systems that a sweep file gives by formulas: the same bits as the problem files that say the same,
# closed forms, parameters and axes, and what `show` prints.
from checking import check, ended, folder, listed, main, need, need_compiler, pendula, PROGRAM, refused, results, says, write

h5py, np = need("h5py", "numpy")

ALL = "methods: [rk4, theta2, dopri5_adaptive, generalized_alpha, {label: analytic, trapezoidal: {}, newton: {jacobian: analytic}}]\n"
TIMES = "step: 0.05\nend: 5\ntrajectory: {every: 10, fields: [x, v, energy]}\n"


def run(*words):
    return results(*words, device="native")


def same(what, own, built_in, least):
    """Datasets of both files, bit by bit, but for the composed kernels, which differ."""
    compared = 0
    for group in built_in:
        if not isinstance(built_in[group], h5py.Group) or group == "journal":
            continue
        for name in built_in[group]:
            if name in own[group] and name != "source":
                a, b = own[group][name][...], built_in[group][name][...]
                check(a.tobytes() == b.tobytes(), f"{what}: {group}/{name}: {a.ravel()[:3]} and {b.ravel()[:3]}")
                compared += 1
    check(compared >= least, f"{what}: only {compared} datasets to compare")


def test_pendulum():
    """A user's expression for the pendulum has the pendulum's bits, the kernel's and, but for the C library's sine, the reference's."""
    own = """problem:
  coordinates: [x]
  acceleration: ["-g*sin(x) - 2*zeta*v_x"]
  start: [x0]
  parameters: {g: 1, zeta: {linear: [0, 0.1, 3]}, x0: {log: [0.1, 3, 4]}}
  energy: "v_x^2/2 + 2*g*sin(x/2)^2"
"""
    built_in = "problem: pendulum\nparameters: {zeta: {linear: [0, 0.1, 3]}, x0: {log: [0.1, 3, 4]}}\n"
    for words in ((), ("-s", "precision=single"), ("--lanes", "1"), ("-d", "reference")):
        same(f"pendulum {words}", run("own", own + ALL + TIMES, *words), run("file", built_in + ALL + TIMES, *words), 100)


def test_duffing():
    """Time, and a Jacobian that is equal but for rounding."""
    own = """problem:
  coordinates: [x]
  define: {s: "x*x"}
  acceleration: ["force*cos(force_omega*t) - delta*v_x - x*(alpha + beta*x*x)"]
  start: [1.2]
  parameters: {delta: 0.3, alpha: -1, beta: 1, force: 0.2, force_omega: 1.2}
  kinetic: "0.5*v_x*v_x"
  potential: "s*(0.5*alpha + 0.25*beta*s)"
"""
    methods = "methods: [rk4, theta2, generalized_alpha]\n"
    same("duffing", run("own", own + methods + TIMES), run("file", "problem: duffing\n" + methods + TIMES), 60)
    # The written derivative is -alpha - 3 beta x^2; the one of the formula is a sum of products.
    analytic = "methods: [{generalized_alpha: {}, newton: {jacobian: analytic}}]\nmetrics: [x_final, v_final, condition_max]\n"
    with run("own", own + analytic + TIMES) as a, run("file", "problem: duffing\n" + analytic + TIMES) as b:
        for name in ("x_final", "v_final", "condition_max"):
            x, y = a["generalized_alpha"][name][...], b["generalized_alpha"][name][...]
            check(np.all(np.abs(x - y) <= 1e-13 * np.abs(y)), f"duffing, analytic: {name} {x} and {y}")


def test_exact():
    """A solution that is given, and its derivative."""
    own = """problem:
  coordinates: [x]
  acceleration: ["-w^2*x - 2*z*w*v_x"]
  define: {d: "w*sqrt(1 - z^2)"}
  start: [x0]
  exact: ["x0*exp(-z*w*t)*(cos(d*t) + z*w/d*sin(d*t))"]
  parameters: {w: {default: 2, above: 0, unit: rad/s, about: "it's the frequency"}, z: [0.05, 0.3], x0: 1}
methods: [rk4]
metrics: [error_max, error_final]
step: [0.1, 0.05]
end: 10
"""
    with run("exact", own) as file:
        for name in ("error_max", "error_final"):
            errors = file["rk4"][name][...]
            check(np.all((errors[0] / errors[1] > 13) & (errors[0] / errors[1] < 19)), f"exact: {name} {errors} is not of order 4")
    shown = ended("show", "exact.yaml")
    check("it''s the frequency" in shown.out and "static void jacobian(" in shown.out and "static void exact(" in shown.out,
          f"show: {shown.out} {shown.err}")
    write("own_system.cl", shown.out)
    says([PROGRAM, "check", "own_system.cl", "-d", "native"], "0 findings", what="check")


def test_two():
    """Rows and columns of a Jacobian, and which coordinate a solution is of."""
    write("two.yaml", """problem:
  coordinates: [x, y]
  acceleration: [-x, 3*x - 4*y]
  start: [1, 2]
  exact: [cos(t), cos(t) + cos(2*t)]
methods: [rk4]
step: 0.1
end: 1
""")
    write("own_system.cl", ended("show", "two.yaml").out)
    says([PROGRAM, "check", "own_system.cl", "-d", "native"], "0 findings", what="two")


def test_parameters():
    """Axes that stand with the system, and the sweep's own parameters before them."""
    own = """problem:
  coordinates: [x]
  acceleration: ["-k*x - c*v_x"]
  start: [1]
  parameters: {k: [1, 2, 3], c: {linear: [0, 0.1, 2]}}
methods: [rk4]
step: 0.1
end: 1
"""
    with run("axes", own) as file:
        check(file["rk4/x_final"].shape[:2] == (3, 2), f"axes: {file['rk4/x_final'].shape}")
    with run("axes", own + "parameters: {k: 5}\n") as file:
        check(file["rk4/x_final"].shape[0] == 2, f"parameters: {file['rk4/x_final'].shape}")
    with run("axes", own, "-s", "problem.parameters.c=0.5", "-s", "parameters.k=[1, 2]") as file:
        check(file["rk4/x_final"].shape[0] == 2, f"overrides: {file['rk4/x_final'].shape}")
    write("open.yaml", own.replace("[1, 2, 3]", "{default: 1, above: 0}"))
    refused("greater than 0", "plan", "open.yaml", "-s", "parameters.k=0")
    pendula("run", "axes.yaml", "-d", "native", "-o", "axes.h5", "--resume", "-s", "problem.acceleration=[-x]", code=4)  # another formula


def opencl():
    """Words that choose an OpenCL device, in a list; empty where there is none."""
    return [("-d", "cpu")] if any(device["type"] == "cpu" and device["platform"] != "native" for device in listed("devices")) else []


def test_not_a_number():
    """The larger or smaller of two numbers is NaN where either is, whichever stands first: the point ends, on every device. What is not
    chosen ends none, and no comparison with NaN holds."""
    formulas = ["max(o/o, 1)", "max(1, o/o)", "min(o/o, 1)", "min(1, o/o)", "max(log(-1 - o), 0.5)", "min(0.5, log(-1 - o))",
                "if(o/o < 1, o/o, 1)", "if(not o/o >= 1, 1, 1 + 0*o)", "if(o < 0, o/0, 1)"]
    chosen = "1"
    for k, formula in enumerate(formulas):
        chosen = f"if(which >= {k} and which < {k + 1}, {formula}, {chosen})"
    own = f'problem: {{coordinates: [x], acceleration: ["-x*{chosen}"], start: [1], parameters: {{which: {list(range(9))}, o: [0, 1]}}}}\n'
    due = [[5, 1], [5, 1], [5, 1], [5, 1], [5, 5], [5, 5], [1, 1], [1, 1], [1, 1]]
    for words in ((), ("--lanes", "1"), ("-d", "reference"), *opencl()):
        with run("nan", own + "methods: [rk4]\nstep: 0.1\nend: 1\nmetrics: [status]\n", *words) as file:
            statuses = file["rk4/status"][...].tolist()
        check(statuses == due, f"{words}: {statuses}")
    pendula("conform", "nan.yaml", "-d", "native", "--lanes", "1")


def bounce(k, gap, t):
    """x'' = -x - k (x - gap) beyond the gap, from x = 1 at rest beyond it: pieces of sines, whose ends are found by their angles."""
    stiff, rest, x, v = np.sqrt(1 + k), k * gap / (1 + k), 1.0, 0.0
    while True:
        # Beyond the gap the piece turns around `rest` with the frequency `stiff`, else around 0 with 1.
        w, middle = (stiff, rest) if x > gap or (x == gap and v > 0) else (1.0, 0.0)
        size, angle = np.hypot(x - middle, v / w), np.arctan2(-v / w, x - middle)
        reached = np.arccos((gap - middle) / size)
        # It meets the gap where its angle is next at +-reached; it begins there itself but for the first piece.
        turn = (reached - angle) % (2 * np.pi) if middle else (2 * np.pi - reached - angle) % (2 * np.pi)
        if turn / w >= t:
            return middle + size * np.cos(angle + w * t), -size * w * np.sin(angle + w * t)
        t -= turn / w
        x, v = gap, -size * w * np.sin(angle + turn)


def test_gap():
    """A stop with a gap: the end and the energy of pieces of sines, each step certified on native and OpenCL."""
    own = """problem:
  coordinates: [x]
  define: {touches: "x > gap"}
  acceleration: ["-x - if(touches, k*(x - gap), 0)"]
  start: [1]
  potential: "x^2/2 + if(touches, k*(x - gap)^2/2, 0)"
  kinetic: "v_x^2/2"
  parameters: {k: [0.5, 8], gap: [0.5, 0.2]}
methods: [rk4, {label: analytic, trapezoidal: {}, newton: {jacobian: analytic}}, {label: tight, dopri5_adaptive: {rtol: 1.0e-12, atol: 1.0e-12}}]
metrics: [x_final, v_final, energy_drift]
step: 0.02
end: 8
"""
    with run("gap", own) as file:
        for i, k in enumerate((0.5, 8)):
            for j, gap in enumerate((0.5, 0.2)):
                due = bounce(k, gap, 8.0)
                for label, bound in (("rk4", 4e-4), ("analytic", 3e-3), ("tight", 1e-8)):
                    found = [file[label][name][i, j].item() for name in ("x_final", "v_final")]
                    check(np.max(np.abs(np.subtract(found, due))) < bound, f"gap: {label}, k {k}, gap {gap}: {found}, not {due}")
                check(file["tight/energy_drift"][i, j] < 1e-8, f"gap: k {k}, gap {gap}: the energy drifts")
    words = ["-s", "methods=[{label: analytic, trapezoidal: {}, newton: {jacobian: analytic}}]", "-s", "step=0.04", "-s", "end=2",
             "-s", "parameters.gap=0.5"]
    pendula("conform", "gap.yaml", "-d", "native", *[word for more in opencl() for word in more], "--lanes", "1", *words)


def test_switch():
    """A force that jumps: constant pieces, decided by the time, by a parameter and by numbers. A step at the jump has the order of it."""
    own = """problem:
  coordinates: [x]
  acceleration: ["if(t < 1, 2, if(not (up > 0 or 2 < 1), -1, 1))"]
  parameters: {up: [0, 1]}
methods: [rk4, {label: analytic, trapezoidal: {}, newton: {jacobian: analytic}}]
metrics: [x_final, v_final]
step: 0.0625
end: 3
"""
    with run("switch", own) as file:
        for k, side in enumerate((-1, 1)):
            for label in ("rk4", "analytic"):
                found = np.array([file[label][name][k].item() for name in ("x_final", "v_final")])
                check(np.all(np.abs(found - [1 + 2 * 2 + side * 2, 2 + side * 2]) <= 0.2), f"switch: {label}, {side}: {found}")
    shown = ended("show", "switch.yaml")
    check("choose(t < 1.0, 2.0, choose(!((p->up > 0.0) | ((real)(2.0) < 1.0)), -1.0, 1.0))" in shown.out, f"show: {shown.out}")
    write("own_system.cl", shown.out)
    write("file.yaml", "problem: ./own_system.cl\nparameters: {up: [0, 1]}\n" + own[own.index("methods"):])
    with results("file", (folder / "file.yaml").read_text(), device="native") as file, h5py.File(folder / "switch.h5") as before:
        same("switch", before, file, 4)


need_compiler()
main(test_pendulum, test_duffing, test_exact, test_two, test_parameters, test_not_a_number, test_gap, test_switch,
     fine="all as it should be")
