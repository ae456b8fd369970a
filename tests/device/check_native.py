# check_native -- `-d native`: bytes of every compiler and lane count, choice of the compiler, its errors, its cache.
"""Runs the program on the system's C compilers, and compares result files with those of the first OpenCL device. Zig is one of them where
PATH has it; by it every method is compared with the others (docs/devices.md)."""
import json
import os
import re
import shutil

from checking import check, compilers, finish, folder, listed, pendula, skip, suits, write
from check_bits import sweep_of
import turn

# Points that end well and points that fail, halved steps, an adaptive method, fields of all kinds.
SWEEP = """
problem: elastic_pendulum_polar
parameters: {eps: [1.0e-4, 3.1e-2, 0.37]}
methods:
  - theta2: {theta: [0.0, 0.137, 1.0]}
  - bathe: {}
  - dopri5_adaptive: {}
step: [0.0137, 0.3137]
steps: 60
substeps: {max_depth: 6, budget: 30}
metrics: [status, updates, failed_solves, energy_drift, condition_max, decay_rate, period]
trajectory: {every: 7, fields: [x, v, energy]}
"""

MINE = """//: problem: mine
//: title: A spring of one's own
//: equation: x'' + k x = 0
//: dofs: 1
//: parameters:
//:   k: {default: 2.0, above: 0, unit: 1/s2, about: stiffness}

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    // Names that the C library has too.
    real y0 = ONE, gamma = ZERO, index = ZERO;
    x[0] = y0 + gamma;
    v[0] = index;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = -p->k * x[0]SEMICOLON
}
"""


def run(*words, expect=0, **variables):
    return pendula(*words, code=expect, **{"PENDULA_CACHE_DIR": "none", **variables})


def result(name, *words, **environment):
    """The bytes of the sweep's file."""
    run("run", "sweep.yaml", "-o", name, "--force", "--progress", "none", *words, **environment)
    return (folder / name).read_bytes()


def counting(compiler):
    """A compiler that notes each call in the file `calls`."""
    path = folder / "bin" / compiler
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'#!/bin/sh\necho call >>{folder}/calls\nexec {shutil.which(compiler)} "$@"\n')
    path.chmod(0o755)
    return str(path)


def calls():
    path = folder / "calls"
    return len(path.read_text().splitlines()) if path.exists() else 0


def check_bytes(compilers):
    """A turn takes a third of the builds."""
    part = turn.part(3)
    for precision in ("double", "single"):
        setting = ("-s", f"precision={precision}")
        first = result("cpu.h5", "-d", "cpu", *setting)
        builds = [(compiler, lanes) for compiler in compilers for lanes in ((1,) if compiler == "gcc" else (1, 2, 4, 8, 16, 32))]
        for number, (compiler, lanes) in enumerate(builds):
            if part in (None, number % 3) and (lanes, precision) != (32, "single"):
                same = result("native.h5", "-d", "native", "--lanes", str(lanes), *setting, PENDULA_CC=compiler) == first
                check(same, f"{compiler}, {lanes} lanes, {precision}: the file is that of the first OpenCL device")
    one = result("one.h5", "-d", "native", "--lanes", "1", PENDULA_CC=compilers[0])
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    check(result("two.h5", "-d", "native", "--lanes", "1", PENDULA_CC=compilers[0]) == one, "one thread: the same file")


def check_names(compilers):
    """A compiler of another name is asked which it is: options of clang's make single precision's constants. A floor needs them."""
    write("jump.yaml", """problem: {coordinates: [y], rate: ["floor(t/0.7)"], start: [0]}
methods: [rk4]
step: 0.0625
end: 1
precision: single
metrics: [x_final]
""")
    files = set()
    for compiler in compilers:
        for name in (compiler, str(folder / "named" / f"cc-of-{compiler}")):
            if name != compiler:
                (folder / "named").mkdir(exist_ok=True)
                (folder / "named" / f"cc-of-{compiler}").symlink_to(shutil.which(compiler))
            run("run", "jump.yaml", "-o", "jump.h5", "--force", "--progress", "none", "-d", "native", "--lanes", "1", PENDULA_CC=name)
            files.add((folder / "jump.h5").read_bytes())
    check(len(files) == 1, "a compiler by another name gives the same bytes")


def check_methods(compilers):
    """Every method on three problems in both precisions; a turn takes one of the six."""
    if "zig" not in compilers:
        print("not looked at: every method by zig (pip: ziglang), which is not in PATH")
        return
    cards = {card["name"]: card for card in listed("problems")}
    cases = [(problem, precision) for problem in ("elastic_pendulum_polar", "duffing", "spring_chain") for precision in ("double", "single")]
    for number, (problem, precision) in enumerate(cases):
        if turn.part(len(cases)) not in (None, number):
            continue
        sweeps = [sweep_of(cards[problem], method, precision, "robust") for method in listed("methods") if suits(method, cards[problem])]
        sweeps[0]["methods"] = [method for sweep in sweeps for method in sweep["methods"]]
        write("methods.yaml", json.dumps(sweeps[0]))
        files = {}
        for compiler, lanes in ((compiler, lanes) for compiler in compilers for lanes in ((1,) if compiler == "gcc" else (1, 0))):
            run("run", "methods.yaml", "-o", "methods.h5", "--force", "--progress", "none", "-d", "native", *(("--lanes", "1") if lanes else ()),
                PENDULA_CC=compiler)
            files[f"{compiler}, {lanes or 'its own'} lanes"] = (folder / "methods.h5").read_bytes()
        check(len(set(files.values())) == 1, f"{problem}, {precision}: not the same bytes by {list(files)}")
        print(f"{problem}, {precision}: {len(sweeps)} methods have the same bytes by {'; '.join(files)}")


def check_choice(compilers):
    devices = run("list", "devices").out
    check(all(f"{compiler}, " in devices for compiler in compilers), "every compiler is listed as a device")
    done = run("run", "sweep.yaml", "-o", "alone.h5", OCL_ICD_VENDORS="/nowhere")
    check(f"points on {compilers[0]}, " in done.out, "without an OpenCL platform the default is native")
    loaded = {device: run("run", "sweep.yaml", "-o", "loaded.h5", "--force", "-d", device, LD_DEBUG="files").err for device in ("native", compilers[0])}
    drivers = {device: {word for word in text.split() if re.match(r"file=.*(pocl|intelocl|nvidia-opencl|amdocl)", word)} for device, text in loaded.items()}
    check("file=libhdf5" in loaded["native"] and not drivers["native"], f"native is opened without a driver: {drivers}")
    if "Portable Computing Language" in devices:
        check(drivers[compilers[0]], "a name is looked for among the devices of all drivers")
    done = run("run", "sweep.yaml", "-o", "none.h5", "-d", f"native,{compilers[0]}", expect=2)
    check("is named twice" in done.err, "native is the first compiler's device")
    done = run("run", "sweep.yaml", "-o", "none.h5", expect=8, OCL_ICD_VENDORS="/nowhere", PENDULA_CC="none")
    check("no OpenCL device on this machine" in done.err and "or gcc, or by pip pendula[compiler], or choose the device reference" in done.err,
          "PENDULA_CC=none: there is no native device")
    done = run("run", "sweep.yaml", "-o", "none.h5", "-d", "native", expect=8, PENDULA_CC="/nowhere/cc")
    check("no device 'native'" in done.err and "needs a C compiler" in done.err, "a compiler that is not there is no device")
    if "gcc" in compilers:
        done = run("run", "sweep.yaml", "-o", "none.h5", "-d", "gcc", "--lanes", "8", expect=9)
        check("choose one lane, or clang" in done.err, "gcc at 8 lanes: what helps is said")


def check_errors(compilers):
    write("mine.cl", MINE.replace("SEMICOLON", ""))
    write("mine.yaml", "problem: ./mine.cl\nmethods: [{rk4: {}}]\nstep: 0.1\nsteps: 10\n")
    for compiler in compilers:
        done = run("run", "mine.yaml", "-o", "mine.h5", "-d", "native", expect=9, PENDULA_CC=compiler)
        check("mine.cl:18:" in done.err, f"{compiler}: an error names the user's file and line")
        check(not (folder / "mine.h5").exists(), f"{compiler}: and there is no file")
    write("mine.cl", MINE.replace("SEMICOLON", ";").replace("-p->k", "-sqrt(p->k)"))
    for compiler in compilers:
        err = run("run", "mine.yaml", "-o", "mine.h5", "-d", "native", expect=9, PENDULA_CC=compiler).err
        check("mine.cl:18:" in err and "use_real_sqrt" in err, f"{compiler}: a function that nothing declares: {err}")
    write("mine.cl", MINE.replace("SEMICOLON", ";"))
    run("run", "mine.yaml", "-o", "mine.h5", "-d", "native")
    left = list(folder.glob("pendula-driver-*")) + list(folder.glob("native-*"))
    check(not left, "nothing is left of what was compiled")


def check_cache(compilers):
    surroundings = {"PENDULA_CC": counting(compilers[-1]), "PENDULA_CACHE_DIR": str(folder / "cache")}
    (folder / "cache").mkdir(mode=0o700)
    first, made = result("first.h5", "-d", "native", **surroundings), calls()
    check(made == 4, f"three groups and the trial of the arithmetic are compiled, each once (it was {made})")
    check(result("second.h5", "-d", "native", **surroundings) == first and calls() == made, "the next run takes them from the cache")
    write(f"bin/{compilers[-1]}", (folder / "bin" / compilers[-1]).read_text() + "# another\n")
    result("third.h5", "-d", "native", **surroundings)
    check(calls() == 2 * made, "another compiler compiles them anew")


found = [name for name in [*compilers(), "zig"] if name != "cc" and shutil.which(name)]
if not found:
    skip("neither gcc nor clang is installed")
os.environ["TMPDIR"] = str(folder)
write("sweep.yaml", SWEEP)
for part in (check_choice, check_errors, check_cache, check_names, check_bytes, check_methods):
    part(found)
if len({"gcc", "clang"} & set(found)) < 2:
    skip(f"in part: of gcc and clang only {found[0]} is installed")
finish()
