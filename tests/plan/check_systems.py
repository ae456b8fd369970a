# check_systems -- systems that a sweep file gives by formulas: the same bits as the problem files that say the same,
# closed forms, parameters and axes, and what `show` prints.
from checking import check, ended, main, need, need_compiler, pendula, PROGRAM, refused, results, says, write

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


def test_not_a_number():
    """The larger or smaller of two numbers is NaN where either is, whichever stands first: the point ends, on every device."""
    for formula in ("max(o/o, 1)", "max(1, o/o)", "min(o/o, 1)", "min(1, o/o)"):
        own = f'problem: {{coordinates: [x], acceleration: ["-x*{formula}"], start: [1], parameters: {{o: [0, 1]}}}}\n'
        for words in ((), ("--lanes", "1"), ("-d", "reference")):
            with run("nan", own + "methods: [rk4]\nstep: 0.1\nend: 1\nmetrics: [status]\n", *words) as file:
                statuses = [int(status) for status in file["rk4/status"][...].ravel()]
            check(statuses == [5, 1], f"{formula} {words}: {statuses}")
        pendula("conform", "nan.yaml", "-d", "native")


need_compiler()
main(test_pendulum, test_duffing, test_exact, test_two, test_parameters, test_not_a_number, fine="all as it should be")
