# check_derived -- `pendula conform` certifies derivatives of states, of kernels and of the reference, and tells a problem's wrong ones.
import re

from checking import check, main, need_compiler, pendula, write

FORMULAS = """problem: {coordinates: [x, y], start: [0.6, "-s"], start_velocity: [0.2, 0.1], parameters: {k: 9, g: 0.8, c: 0.05, s: [0.9, 1.2]},
          acceleration: ["-k*(1 - 1/sqrt(x^2 + y^2))*x - c*v_x*v_y", "-k*(1 - 1/sqrt(x^2 + y^2))*y - g - c*v_y"]}
derivatives: [k, g, c, s, y, v_x]
"""
LORENZ = """problem: {coordinates: [x, y, z], rate: ["s*(y - x)", "x*(r - z) - y", "x*y - b*z"], start: [1, "c", 2], parameters: {s: 10, r: 28, b: 2.5, c: 1.5}}
derivatives: [s, r, b, c, z]
"""
# A pendulum of a user's, whose derivative by g is what the text says.
OWN = """//: problem: own
//: title: A pendulum
//: equation: "x'' = -g sin x"
//: dofs: 1
//: coordinates: {x: "1"}
//: parameters:
//:   g: {default: 9.81, unit: 1/s2, about: gravity over length}
//:   x0: {default: 1.2, unit: "1", about: initial angle}
//: provides: [jacobian, slopes]
static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x0;
    v[0] = ZERO;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = -p->g * real_sin(x[0]);
}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, MATRIX(dadx), MATRIX(dadv))
{
    ENTRY(dadx, 0, 0) = -p->g * real_cos(x[0]);
    ENTRY(dadv, 0, 0) = ZERO;
}

static void slopes(real t, const real x[DOF], const real v[DOF], const Params *p, Slopes *a)
{
    a->g[0] = SLOPE;
}

static void start_slopes(const Params *p, Slopes *x, Slopes *v)
{
    x->x0[0] = ONE;
}
"""


def conform(name, text, code=0):
    """The report of each group, by its label."""
    done = pendula("conform", write(f"{name}.yaml", text), "-d", "native", "--lanes", "1", code=code)
    groups = {}
    for line in done.out.splitlines():
        if head := re.match(r"(\w+): ", line):
            label = head[1]
        groups.setdefault(label, []).append(line)
    return {label: "\n".join(lines) for label, lines in groups.items()}


def conforms(name, text, labels):
    groups = conform(name, text)
    check(list(groups) == labels, f"{name}: groups {list(groups)}")
    for label, report in groups.items():
        check(report.endswith("  conforms"), f"{name}, {label}: {report}")


def check_formulas():
    """Explicit and implicit methods, of several stages, and of two steps that are halved."""
    text = FORMULAS + "step: 0.1\nsteps: 12\nmetrics: [x_final, v_final]\n"
    conforms("formulas", text + "methods: [rk4, generalized_alpha, tr_bdf2]\n", ["rk4", "generalized_alpha", "tr_bdf2"])
    conforms("apart", text + "methods: [bdf2]\nnewton: {max_updates: 2, tolerance: 1.0e-13}\n", ["bdf2"])


def check_first_order():
    conforms("rates", LORENZ + "methods: [theta2]\nstep: 0.02\nsteps: 20\nmetrics: [x_final]\n", ["theta2"])


def check_single():
    conforms("single", FORMULAS + "methods: [wbz_alpha]\nprecision: single\nstep: 0.1\nsteps: 12\nmetrics: [x_final, v_final]\n", ["wbz_alpha"])


def check_shipped():
    """Problems of files: their own derivatives by parameters."""
    conforms("shipped", "problem: double_pendulum\nparameters: {th1: [0.5, 1.5]}\nderivatives: [l1, m2, th1]\nmethods: [velocity_verlet]\n"
             "step: 0.05\nsteps: 12\nmetrics: [x_final]\n", ["velocity_verlet"])


def check_wrong():
    """A derivative that a problem's file has wrong is told, since it is not the slope of the acceleration."""
    sweep = "problem: ./own.cl\nderivatives: [x0, g]\nmethods: [rk4]\nstep: 0.05\nsteps: 12\nmetrics: [x_final]\n"
    write("own.cl", OWN.replace("SLOPE", "-real_sin(x[0])"))
    conforms("own", sweep, ["rk4"])
    write("own.cl", OWN.replace("SLOPE", "-0.999999 * real_sin(x[0])"))
    report = conform("own", sweep, code=7)["rk4"]
    check("worst: derived by g: the acceleration, by differences, component 0: " in report and report.endswith("DOES NOT CONFORM"), report)


# The pendulum of lengths l, hung up at q; its derivative by q, which is 0, is wrong by a factor.
SHIFTED = (OWN.replace('{x: "1"}', '{x: m}').replace('unit: "1"', "unit: m")
           .replace("//:   x0:", "//:   l: {default: 1.0, unit: m, about: length}\n//:   q: {default: 0.0, unit: m, about: place}\n//:   x0:")
           .replace("-p->g * real_sin(x[0])", "-p->g * p->l * real_sin((x[0] - p->q) / p->l)")
           .replace("-p->g * real_cos(x[0])", "-p->g * real_cos((x[0] - p->q) / p->l)")
           .replace("a->g[0] = SLOPE", "a->q[0] = FACTOR * p->g * real_cos((x[0] - p->q) / p->l)"))


def check_units():
    """A parameter that is 0 has no size of its own: a wrong derivative by it is found whatever the unit of lengths is."""
    for length in (1e-9, 1.0, 1e9):
        sweep = (f"problem: ./own.cl\nparameters: {{l: {length!r}, x0: {1.2 * length!r}}}\nderivatives: [q]\nmethods: [rk4]\n"
                 "step: 0.05\nsteps: 12\nmetrics: [x_final]\n")
        write("own.cl", SHIFTED.replace("FACTOR", "ONE"))
        conforms("own", sweep, ["rk4"])
        write("own.cl", SHIFTED.replace("FACTOR", "0.999999"))
        report = conform("own", sweep, code=7)["rk4"]
        check("worst: derived by q: the acceleration, by differences, component 0: " in report, f"{length}: {report}")


if __name__ == "__main__":
    need_compiler()
    main(check_formulas, check_first_order, check_single, check_shipped, check_wrong, check_units)
