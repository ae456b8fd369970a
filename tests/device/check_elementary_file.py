# check_elementary_file -- a problem file of a user's own that calls every function of kernels/elementary.h.
"""Its result files have the same bytes on every device and lane count, the reference is near, conform certifies it."""
import os
import re

from checking import check, compilers, finish, folder, h5, need, pendula, ROOT, skip, write
import turn

np, _ = need("numpy", "h5py")

# Each coordinate is moved by one function of a number that moves with it; `held` keeps what grows within bounds, and arguments
# outside of where a function is defined are moved into it.
INSIDE = {"pow": "real_abs(u) + 0.01, w", "asin": "real_tanh(u)", "acos": "real_max(-ONE, real_min(ONE, u))", "log1p": "real_abs(u) - 0.99"}
ROWS = re.findall(r"^FUNCTION\(\w+, (\w+), (\d), elementary,", (ROOT / "host/catalog/functions.def").read_text(), re.M)
CALLS = [f"real_{name}({INSIDE.get(name, 'u' if arguments == '1' else 'u, w')})" for name, arguments in ROWS]

EVERY = """//: problem: every
//: title: Every function of elementary.h
//: equation: x_i'' = f_i(p + x_i, q)
//: dofs: %d
//: parameters:
//:   p: {default: 1.0, unit: "1", about: "first argument, where the motion begins"}
//:   q: {default: 1.0, unit: "1", about: "second argument"}

static real held(real f) { return f / (1.0 + real_abs(f)); }

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    EACH_DOF(i) x[i] = ZERO;
    EACH_DOF(i) v[i] = ZERO;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    real       u = ZERO;
    const real w = p->q;
%s}
""" % (len(CALLS), "".join(f"    u = p->p + x[{i}];\n    a[{i}] = held({call});\n" for i, call in enumerate(CALLS)))

SWEEP = """problem: ./every.cl
parameters: {p: [-1.0e+17, -745.2, -30, -2.5, -1, -0.31, -1.0e-9, 0, 1.0e-12, 0.3, 0.99, 1, 2.25, 17.1, 88.9, 1.0e+6, 1.0e+30], q: [-3, -0.5, 0.7, 2, 9.6, 1.0e-20]}
methods: [rk4, theta2]
step: 0.0625
steps: 16
metrics: [updates, x_final, v_final]
"""

# Where all functions are smooth, and all their results matter.
SMOOTH = """//: problem: smooth
//: title: An oscillator in smooth functions of elementary.h
//: equation: x'' = -(f(x) + ... + g(x))
//: dofs: 1
//: parameters:
//:   k: {default: 1.0, above: 0, unit: "1", about: stiffness}
//:   x0: {default: 1.0, unit: "1", about: initial place}

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = real_asin(0.5 * p->x0) + real_acos(0.25 * p->x0) - real_atan(p->x0);
    v[0] = real_cbrt(p->x0);
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    const real u = real_hypot(x[0], v[0]);
    a[0] = -p->k * (real_tanh(x[0]) + 0.1 * real_sinh(x[0]) + real_tan(0.2 * x[0]) + x[0] * (real_cosh(x[0]) - 1.0))
           - 0.1 * v[0] * (real_pow(u, 1.5) + real_log1p(u)) - 0.1 * real_expm1(x[0]);
}
"""

# The place begins where rounding decides the jump: 1 / 49 * 49 is below 1 in double precision, and 1 in long double.
JUMP = """//: problem: jump
//: title: A jump within rounding of the place
//: equation: x'' = floor(x) - 1
//: dofs: 1
//: parameters:
//:   c: {default: 49.0, unit: "1", about: divisor}

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = ONE;
    v[0] = ZERO;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = real_floor(x[0] / p->c * p->c) - 1.0;
}
"""


def result(name, *words, **environment):
    """The bytes of the sweep's file."""
    pendula("run", "every.yaml", "-o", name, "--force", "--progress", "none", *words, **environment)
    return (folder / name).read_bytes() if (folder / name).exists() else None


def check_bytes(compilers):
    """A turn takes one precision, and half of its builds."""
    part = turn.part(4)
    for number, precision in enumerate(("double", "single")):
        if part not in (None, number, number + 2):
            continue
        setting = ("-s", f"precision={precision}")
        first = result(f"{precision}.h5", "-d", "cpu", *setting)
        builds = [("cpu", "none", 1)] + [("native", compiler, lanes) for compiler in compilers
                                                                  for lanes in ((1, 16) if compiler == "clang" else (1,))]
        for device, compiler, lanes in builds if part is None else builds[part // 2::2]:
            same = result("other.h5", "-d", device, "--lanes", str(lanes), *setting, PENDULA_CC=compiler) == first
            check(first is not None and same, f"{device} {compiler}, {lanes} lanes, {precision}: the file is that of the first OpenCL device")


def check_reference(compiler):
    """Where no function is near a jump, a pole or an angle of many turns, the C library's functions give the same."""
    for precision, bound in (("double", 1e-12), ("single", 2e-4)):
        words = ("-s", "parameters.p=[-2.5,-1.3,-0.31,0.3,0.7,2.25]", "-s", "parameters.q=[0.7,2]", "-s", "steps=8", "-s", f"precision={precision}")
        result("kernel.h5", "-d", "native", "--lanes", "1", *words, PENDULA_CC=compiler)
        result("reference.h5", "-d", "reference", *words, PENDULA_CC=compiler)
        with h5("kernel") as kernel, h5("reference") as reference:
            for label in ("rk4", "theta2"):
                ours, theirs = kernel[label]["x_final"][()], reference[label]["x_final"][()]
                apart = np.max(np.abs(ours - theirs))
                check(np.all(np.isfinite(theirs)) and apart <= bound, f"{label}, {precision}: the reference is within {apart:.2g}")
                moved = np.max(np.abs(theirs), axis=tuple(axis for axis in range(theirs.ndim) if theirs.shape[axis] != len(CALLS)))
                check(np.all(moved > 0.01), f"{label}, {precision}: every coordinate moves")


def check_certificates(compiler):
    write("smooth.cl", SMOOTH)
    write("smooth.yaml", "problem: ./smooth.cl\nparameters: {k: [0.5, 4], x0: [0.1, 1]}\nmethods: [rk4, theta2]\nstep: 0.05\nsteps: 20\n")
    for precision in ("double", "single"):
        words = ("-s", "newton.tolerance=1e-5") if precision == "single" else ()
        done = pendula("conform", "smooth.yaml", "-d", "native", "--lanes", "1", "-s", f"precision={precision}", *words, PENDULA_CC=compiler)
        check(done.out.count("  conforms") == 2, f"conform, {precision}: {done.out}")
    write("jump.cl", JUMP)
    write("jump.yaml", "problem: ./jump.cl\nmethods: [rk4]\nstep: 0.125\nsteps: 4\n")
    done = pendula("conform", "jump.yaml", "-d", "native", "--lanes", "1", PENDULA_CC=compiler)
    check("  conforms" in done.out, f"conform: nothing is demanded where rounding decides a jump: {done.out}")


def check_text():
    """A composed text has elementary.h where one of its functions is named as a word, and there only."""
    for text, there in (("real_tan(x[0])", True), ("real_sin(x[0])", False), ("real_tangent", False), ("surreal_tan", False), ("real_tan", True)):
        comment = "" if "(" in text else f"// {text}\n"
        value = text if "(" in text else "-x[0]"
        write("named.cl", EVERY[:EVERY.index("static real held")].replace(": every", ": named").replace(f"dofs: {len(CALLS)}", "dofs: 1")
                                         .replace("Every function of elementary.h", "One") + comment +
                                         "static void initial_state(const Params *p, real x[DOF], real v[DOF]) { x[0] = p->p; v[0] = ZERO; }\n"
                                         "static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])\n"
                                         f"{{\n    a[0] = {value};\n}}\n")
        write("named.yaml", "problem: ./named.cl\nmethods: [rk4]\nstep: 0.1\nend: 1\n")
        done = pendula("source", "named.yaml")
        check(done.out.count('#line 1 "elementary.h"') == there, f"{text}: elementary.h {'once' if there else 'absent'}")
    named = (folder / "named.cl").read_text()
    for builtin in ("tan(x[0])", "pow(x[0], 2.0)", "floor(x[0])"):
        write("named.cl", named.replace("-x[0]", builtin))
        done = pendula("run", "named.yaml", "-d", "cpu", "--lanes", "1", "-o", "named.h5", code=9)
        word = f"use_real_{builtin.split('(')[0]}"
        check("named.cl:" in done.err and word in done.err, f"{builtin}: the compiler says {word}")


found = [name for name in compilers() if name != "cc"]
if not found:
    skip("neither gcc nor clang is installed")
os.environ["TMPDIR"] = str(folder)
os.environ["PENDULA_CACHE_DIR"] = "none"
write("every.cl", EVERY)
write("every.yaml", SWEEP)
quick = ROOT / "tests/support/quick" / found[-1]
check_text()
check_reference(quick)
check_certificates(quick)
check_bytes(found)
finish()
