# check_dropped_method -- a problem, a method or a metric is added by its file alone, dropped into a copy of the sources.
#
# The copy is built, and its program certifies a sweep of the new problem by the new methods. Four methods are dropped,
# Heun's, one that claims order 2 and has 1, a copy of theta2, and an SDIRK method that none of ours is, by its tableau; another card is changed to a lie. The tests that walk
# the catalog must take the first and name the others. Two metrics are dropped, a real and a whole number, which the
# reference does not have: sweeps run there without them.
import json
import re
import shutil

from checking import check, failures, finish, folder, need_compiler, need_program, ROOT, says, skip

# The parts of the sources that a build takes.
PARTS = ["CMakeLists.txt", "host", "analysis", "kernels", "packaging", "tests", "sweeps"]

QUINTIC = """//: problem: quintic
//: title: Oscillator with a force of fifth power
//: equation: x'' + c x^5 = 0
//: dofs: 1
//: provides: [energy]
//: parameters:
//:   c:  {default: 1, unit: "1", about: stiffness}
//:   x0: {default: 1, unit: "1", about: initial position}

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = p->x0;
    v[0] = ZERO;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    const real square = x[0] * x[0];
    a[0] = -p->c * square * square * x[0];
}

static real energy(const real x[DOF], const real v[DOF], const Params *p)
{
    const real square = x[0] * x[0];
    return 0.5 * v[0] * v[0] + p->c * square * square * square / 6.0;
}
"""

METHOD = """//: method: {name}
//: title: {title}
//: source: {source}
//: order: 2
//: unknown: none

static void start(const Params *p, const MethodParams *m, State *s) {{}}

static void step(real t, real h, const Params *p, const MethodParams *m, State *s)
{{
    real a[DOF], b[DOF], x[DOF], v[DOF];
    acceleration(t, s->x, s->v, p, a);
    for (int i = 0; i < DOF; ++i) {{
        x[i] = real_fma(h, s->v[i], s->x[i]);
        v[i] = real_fma(h, a[i], s->v[i]);
    }}
    acceleration(t + h, x, v, p, b);
    for (int i = 0; i < DOF; ++i) {{
        s->x[i] = real_fma(h, {weight} * s->v[i] + {rest} * v[i], s->x[i]);
        s->v[i] = real_fma(h, {weight} * a[i] + {rest} * b[i], s->v[i]);
    }}
}}
"""

# The weights 0.5 and 0.5 are Heun's; others that add up to 1 are of first order.
HEUN = METHOD.format(name="heun", title="Heun's method", source="Heun 1900", weight="0.5", rest="0.5")
LAME = METHOD.format(name="lame", title="Heun's method with wrong weights", source="none", weight="0.6", rest="0.4")

SDIRK2 = (ROOT / "tests/run/sdirk2.cl").read_text()

REACH = """//: metric: reach
//: title: Farthest coordinate
//: state: [largest]
//: results:
//:   reach: {unit: "1", about: "largest |x_i| over time"}

static void M(start)(const Observation *o, M(State) *m) { m->largest = norm(o->s->x); }
static void M(observe)(const Observation *o, M(State) *m) { m->largest = real_max(m->largest, norm(o->s->x)); }
static real M(reach)(const Observation *o, const M(State) *m) { return m->largest; }
"""

TALLY = """//: metric: tally
//: title: Steps once more
//: results:
//:   tally: {unit: "1", type: whole, about: completed steps}

static whole M(tally)(const Point *q) { return q->step; }
"""

SWEEP = """problem: quintic
parameters: {x0: [0.5, 1]}
methods: [rk4, heun, twin, sdirk2]
step: 0.1
end: 1
"""

# Metrics that no formula certifies: the dropped ones.
UNKNOWN = ["reach", "tally"]


def copy_sources(tree):
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, tree / part)
        else:
            shutil.copy(ROOT / part, tree / part)


# Returns the build folder.
def build(tree):
    folder = tree / "build"
    output = says(["cmake", "-S", tree, "-B", folder, "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS=-O0 -g0"], what="cmake configures the copy")
    if "cmocka (" in output:
        skip("cmocka is not installed")
    says(["cmake", "--build", folder, "-j", "2", "--target", "pendula", "test_orders", "test_amplification"], what="the copy builds")
    return folder


def spectrum_of(program, method):
    """The row of the method's table at omega h = 0.5."""
    return says([program, "spectrum", method, "--omega-h", "0.5", "--format", "csv"]).splitlines()[-1].split(",")


def check_program(program):
    problems = {problem["name"]: problem for problem in json.loads(says([program, "list", "problems", "--json"]))}
    check(problems.get("quintic", {}).get("dofs") == 1, f"list has quintic: {problems}")
    says([program, "show", "quintic"], "x'' + c x^5 = 0")
    methods = {method["name"]: method for method in json.loads(says([program, "list", "methods", "--json"]))}
    for name, title in (("heun", "Heun's method"), ("lame", "Heun's method with wrong weights")):
        check(methods.get(name, {}).get("order") == 2, f"list has {name}")
        says([program, "show", name], name, title)
    row = spectrum_of(program, "heun")
    # rk2's matrix: |1 + i/2 - 1/8|.
    radius = (0.875**2 + 0.5**2) ** 0.5
    check(len(row) > 5 and abs(float(row[2]) - radius) < 1e-14 and row[2] == row[5], f"spectrum reads heun off its kernel: {row}")
    # The stability function of the SDIRK method, (1 + (1 - 2 g) z)/(1 - g z)^2, at z = i/2.
    row = spectrum_of(program, "sdirk2")
    g, z = 1 - 0.5**0.5, 0.5j
    radius = abs((1 + (1 - 2 * g) * z) / (1 - g * z) ** 2)
    check(len(row) > 5 and max(abs(float(row[k]) - radius) for k in (2, 5)) < 1e-14, f"spectrum has sdirk2 by its equations: {row}")
    says([program, "show", "sdirk2"], "1/sqrt(2), 1 - 1/sqrt(2)")


def check_reference(program, scratch):
    sweep = scratch / "sweep.yaml"
    sweep.write_text(SWEEP)
    report = scratch / "report.json"
    output = says([program, "conform", sweep, "-d", "native", "--json", report], "reference: not compared; the reference has no method 'heun'")
    check(output.count("\n  conforms\n") == 4, "conform certifies what no paper's equations are known of", output)
    check(output.count("metrics without a formula, compared between devices only: " + ", ".join(UNKNOWN)) == 4,
          "conform names the metrics", output)
    check(re.search(r"order: (1\.[89]|2\.[01])\d* measured for [xv] .*, 2 on the card, at point .*2 of 2 points reach it", output),
          "conform measures heun's order", output)
    for group in json.loads(report.read_text()):
        own = group["method"] == "heun"
        check(group["certified_by"] == ("order" if own else "equations") and group["unknown_metrics"] == UNKNOWN and
              group["steps"] == group["certified_steps"] == 20 and group["metrics"] == group["certified_metrics"] > 0,
              f"the report has what {group['method']} is certified by", str(group))
        check(not own or (group["order_card"] == 2 and abs(group["order_measured"] - 2) < 0.25),
              f"the report has the order of {group['method']}", str(group))
    report.unlink()
    says([program, "conform", sweep, "-d", "native", "-s", "methods=[lame]", "--json", report], "order: NOT THE CARD'S; ", "DOES NOT CONFORM", code=7)
    group = json.loads(report.read_text())[0]
    check(group.get("certified_steps") == 0 and not group.get("passed") and abs(group.get("order_measured", 0) - 1) < 0.25,
          "the report has the order of lame", str(group))
    says([program, "run", sweep, "-d", "reference", "-o", scratch / "heun.h5"], "group 'heun': the reference has no method 'heun'", code=8)
    # A method whose card has equations has all that one of the catalog has.
    says([program, "run", sweep, "-d", "reference", "-s", "methods=[sdirk2, twin]", "-o", scratch / "sdirk2.h5"], "ok               4")
    says([program, "run", sweep, "-d", "reference", "-s", "methods=[rk4]", "-o", scratch / "rk4.h5"],
         "2 metrics left out", "rk4/reach, rk4/tally", "ok               2")


def check_tests(folder):
    orders, amplification = folder / "tests/test_orders", folder / "tests/test_amplification"
    says([orders, "heun"], "heun", "order 2: x 2.0")
    output = says([orders, "lame"], code=None)
    check("method 'lame' on harmonic_oscillator, zeta 0.0 : declared order 2, measured 1.0" in output or
          "method 'lame' on harmonic_oscillator, zeta 0.0 : declared order 2, measured 0.9" in output,
          "test_orders names lame, its declared and its measured order", output)
    output = says([orders, "heun", "lame"], code=None)
    check("method 'heun'" not in output, "test_orders names only the wrong one of two", output)
    says([amplification, "heun"], "method 'heun' has no amplification matrix: its card has no equations", code=None)
    says([amplification, "trapezoidal"], "rho_infinity: the equations have 1 at the defaults, not 0.9", code=None)
    # A limit that is wrong in both places.
    says([amplification, "rk4"], "are stable up to Omega 2.8284271247461943, not 2.5", code=None)


# One lie on a card alone, one that theory repeats.
def spoil(tree):
    def replace(path, old, new):
        text = (tree / path).read_text()
        check(old in text, f"{path} has {old!r}")
        (tree / path).write_text(text.replace(old, new))

    replace("kernels/methods/trapezoidal.cl", '//: rho_infinity: "1"', '//: rho_infinity: "0.9"')
    replace("kernels/methods/rk4.cl", '//: critical: "2 sqrt(2) at zeta 0"', '//: critical: "5/2 at zeta 0"')
    replace("tests/kernels/test_amplification.c", '"2 sqrt(2) at zeta 0"', '"5/2 at zeta 0"')
    replace("tests/support/closed_forms.c", "zeta == 0.0 ? 2.0 * sqrt(2.0)", "zeta == 0.0 ? 2.5")


need_program("cmake")
need_compiler()
tree = folder
copy_sources(tree)
for place, text in (("problems/quintic", QUINTIC), ("methods/heun", HEUN), ("methods/lame", LAME), ("methods/sdirk2", SDIRK2), ("metrics/reach", REACH), ("metrics/tally", TALLY)):
    (tree / f"kernels/{place}.cl").write_text(text)
theta2 = (tree / "kernels/methods/theta2.cl").read_text()
(tree / "kernels/methods/twin.cl").write_text(theta2.replace("method: theta2", "method: twin"))
spoil(tree)
made = build(tree)
if not failures:
    check_program(made / "pendula")
    check_reference(made / "pendula", tree)
    check_tests(made)
finish()
