# check_first_order -- systems u' = f(t, u): orders, closed forms, published digits, own files, certificates, and what is refused.
from checking import check, ended, folder, listed, main, need, need_compiler, pendula, refused, results, write

np, _ = need("numpy", "h5py")

OWN = """//: problem: relaxation
//: title: Relaxation towards a cosine
//: equation: u' = -k (u - cos t)
//: order: first
//: dofs: 1
//: provides: [exact, jacobian, energy]
//: parameters:
//:   k: {default: 2.0, above: 0, unit: 1/s, about: "rate"}

static void initial_state(const Params *p, real u[DOF]) { u[0] = ZERO; }

static void rate(real t, const real u[DOF], const Params *p, real du[DOF]) { du[0] = -p->k * (u[0] - real_cos(t)); }

static void jacobian(real t, const real u[DOF], const Params *p, real dfdu[DOF][DOF]) { dfdu[0][0] = -p->k; }

static void exact(real t, const Params *p, real u[DOF])
{
    const real part = p->k / (1.0 + p->k * p->k);
    u[0] = part * (p->k * real_cos(t) + real_sin(t) - p->k * real_exp(-p->k * t));
}

static real energy(const real u[DOF], const Params *p) { return 0.5 * u[0] * u[0]; }
"""


def run(*words):
    return results(*words, device="native")


def suited():
    return [m for m in listed("methods") if m["first_order"]]


def test_orders():
    """Every method that suits them has its order on a system with a closed form, and on Lorenz's against the tight solver."""
    write("relaxation.cl", OWN)
    names = ", ".join(m["name"] for m in suited() if not m["adaptive"])
    tail = "steps: [40, 80, 160, 320]\nnewton: {tolerance: 1.0e-12}\nmetrics: [error_max, error_final]\n"
    for name, head in (("relaxation", "problem: ./relaxation.cl\nend: 2\n"), ("lorenz", "problem: lorenz\nparameters: {rho: 14}\nend: 0.5\n")):
        with run(name, f"{head}methods: [{names}]\n{tail}") as file:
            for method in suited():
                if not method["adaptive"]:
                    errors = file[method["name"]]["error_max"][...]
                    # theta1 near the trapezoidal rule shows its order late.
                    order, due = np.log2(errors[-2] / errors[-1]), method["order"]
                    check(abs(order - due) < 0.25, f"{name}: {method['name']} is of order {order:.3f}, not {due}: {errors}")
    adaptive = "methods: [{dopri5_adaptive: {rtol: [1.0e-4, 1.0e-6, 1.0e-8], atol: 1.0e-10}}]\nsteps: 20\nmetrics: [error_max]\n"
    with run("adaptive", f"problem: ./relaxation.cl\nend: 2\n{adaptive}") as file:
        errors = file["dopri5_adaptive/error_max"][...]
        check(np.all(errors <= [1e-3, 1e-5, 1e-7]) and errors[0] > errors[1] > errors[2], f"adaptive: {errors}")


def test_published_digits():
    """Van der Pol's oscillator at eps = 1e-6 at t = 2: Mazzia and Magherini 2008, Test set for IVP solvers, problem VDPOL."""
    text = """problem:
  coordinates: [y, z]
  rate: ["z", "((1 - y^2)*z - y)/eps"]
  start: [2, 0]
  parameters: {eps: 1.0e-6}
methods: [{dopri5_adaptive: {rtol: 1.0e-8, atol: 1.0e-10}}]
end: 2
steps: 20000
metrics: [x_final]
"""
    with run("van_der_pol", text) as file:
        final = file["dopri5_adaptive/x_final"][...]
        check(np.max(np.abs(final - [1.706167732170483, -0.8928097010247975])) < 1e-7, f"van der Pol: {final}")


def test_same_bits():
    """A formula has the bits of the file that says the same, and the reference comes near."""
    tail = "methods: [%s]\nnewton: {jacobian: central}\nsubsteps: {budget: 2000}\nstep: 0.01\nend: 1\ntrajectory: {every: 10, fields: [x]}\nmetrics: [x_final, evaluations]\n" % ", ".join(m["name"] for m in suited())
    own = """problem:
  coordinates: [x, y, z]
  rate: ["sigma*(y - x)", "x*(rho - z) - y", "x*y - beta*z"]
  start: [1, 0, 0]
  parameters: {sigma: 10, rho: [10, 28], beta: 2.6666666666666665}
"""
    built_in = "problem: lorenz\nparameters: {rho: [10, 28]}\n"
    for words in ((), ("-s", "precision=single"), ("--lanes", "1")):
        with run("own", own + tail, *words) as a, run("built_in", built_in + tail, *words) as b:
            for method in suited():
                for name in ("x", "x_final", "evaluations"):
                    same = a[method["name"]][name][...].tobytes() == b[method["name"]][name][...].tobytes()
                    check(same, f"{method['name']} {words}: {name} differs")
                check("v_final" not in b[method["name"]], f"{method['name']} has velocities")
    # Where nothing is said, the Jacobian is that of the formulas; the paper's rules have differences.
    for words, wanted in (((), "analytic"), (("-s", "newton.mode=robust"), "analytic"), (("-s", "newton.mode=paper"), "central")):
        with run("own", own + "methods: [trapezoidal]\nstep: 0.01\nend: 1\nmetrics: [x_final]\n", *words) as a:
            jacobian = a["trapezoidal"].attrs["newton.jacobian"]
            check(jacobian == wanted, f"formulas {words}: jacobian {jacobian}")
    with run("reference", built_in + tail, "-d", "reference") as a, run("built_in", built_in + tail) as b:
        for method in suited():
            x, y = a[method["name"]]["x_final"][...], b[method["name"]]["x_final"][...]
            check(np.max(np.abs(x - y)) < 1e-9, f"reference: {method['name']} {x} and {y}")


def test_certificates():
    """A few methods of each family are certified; halved steps too. Everywhere else conform_all does it."""
    write("relaxation.cl", OWN)
    write("some.yaml", "problem: ./relaxation.cl\nparameters: {k: [2, 40]}\nmethods: [rk4, theta2, tr_bdf2]\nstep: 0.1\nend: 2\n")
    write("halved.yaml", "problem: lorenz\nmethods: [theta2, dopri5_adaptive]\nstep: 1.5\nend: 15\n")
    for name in ("some", "halved"):
        pendula("conform", f"{name}.yaml", "-d", "native")
    with run("halved", (folder / "halved.yaml").read_text()):
        done = ended("replay", "halved.h5", "--point", 0, "--method", "theta2", "-d", "native")
        check(done.code == 0 and "the reference's" not in done.err, f"replay: exit {done.code}: {done.err}")


def test_refusals():
    def refuses(text, message):
        refused(message, "plan", write("refused.yaml", text), code=4)

    times = "step: 0.1\nend: 1\n"
    for method in listed("methods"):
        if not method["first_order"]:
            refuses(f"problem: lorenz\nmethods: [{method['name']}]\n{times}", "is of first order")
    refuses(f"problem: lorenz\nmethods: [rk4]\n{times}trajectory: {{every: 1, fields: [v]}}\n", "has no velocities")
    refuses(f"problem: lorenz\nmethods: [rk4]\n{times}metrics: [v_final]\n", "has no velocities")
    refuses(f"problem: lorenz\nmethods: [rk4]\n{times}metrics: [kinetic_max]\n", "'kinetic'")
    write("relaxation.cl", OWN.replace("[exact,", "[kinetic, exact,"))
    refuses(f"problem: ./relaxation.cl\nmethods: [rk4]\n{times}", "relaxation.cl:6:15: provides: 'kinetic' is of systems of second order only")
    write("relaxation.cl", OWN.replace("order: first", "order: third"))
    refuses(f"problem: ./relaxation.cl\nmethods: [rk4]\n{times}", "relaxation.cl:4:12: order: expected first or second")


need_compiler()
main(test_orders, test_published_digits, test_same_bits, test_certificates, test_refusals, fine="all as it should be")
