# check_newcomer -- what a newcomer types or interrupts ends with a line that helps: other files, other words, Ctrl-C while a kernel compiles.
import os
import shutil
import signal
import subprocess
import time

from checking import PROGRAM, answer, check, environment, folder, main, need_compiler, refused, run, write

SWEEP = """problem: harmonic_oscillator
parameters: {omega: {linear: [1, 2, 3]}, x0: {linear: [1, 2, 3]}}
methods: [{label: one, rk4: {}}]
step: 0.1
end: 1
metrics: [x_final]
"""
KERNEL = """//: problem: mine
//: title: A spring of one's own
//: equation: x'' + k x = 0
//: dofs: 1
//: parameters:
//:   k: {default: 2.0, above: 0, unit: 1/s2, about: stiffness}

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    x[0] = ONE;
    v[0] = ZERO;
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = -p->k * x[0];
}
"""


def other_files():
    """A table or a sweep file where a result file is wanted."""
    write("table.csv", "a,b,y\n" + "1,2,3\n" * 40)
    write("sweep.yaml", SWEEP)
    for words in (("distribution",), ("info",), ("plot",), ("report",), ("pareto",), ("verify",), ("export",), ("replay", "--point", "0"),
                  ("predict", "--metric", "y", "--at", "a=1")):
        for file in ("table.csv", "sweep.yaml"):
            err = refused("not a result file, but text", words[0], file, *words[1:], code=4)
            check(file in err and "pendula run" in err and "sensitivity FILE.csv --inputs" in err, f"{words[0]} {file}: {err}")


def either_word():
    """A group is named by --group and by --method."""
    run("either", SWEEP)
    for words in (("export", "either.h5"), ("distribution", "either.h5"), ("source", "either.yaml")):
        by_group, by_method = (answer(*words, option, "one") for option in ("--group", "--method"))
        check(by_group == by_method and by_group, f"{words}: {by_group} {by_method}")
        check("two" in answer(*words, "--group", "two", code=2), f"{words}: a group that is not there")


def ends_while_compiling(words, expect):
    """A compiler that never ends, and SIGINT for all of the group, as a terminal sends it."""
    mark = folder / "at_work"
    mark.unlink(missing_ok=True)
    child = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, start_new_session=True,
                             env=environment(PENDULA_CC=folder / "bin" / "gcc", PENDULA_CACHE_DIR="none", PENDULA_PROGRESS="plain"))
    end = time.monotonic() + 60
    while not mark.exists() and child.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    check(mark.exists(), f"{words}: the compiler was called")
    time.sleep(1.5)
    os.killpg(child.pid, signal.SIGINT)
    err = child.communicate(timeout=60)[1]
    check(child.returncode == 75 and "stopped" in err and "does not compile" not in err, f"{words}: exit {child.returncode}: {err}")
    check(("--resume" in err) == expect, f"{words}: only `run` has --resume: {err}")


def stopped():
    need_compiler()
    (folder / "bin").mkdir()
    write("bin/gcc", f"""#!/bin/sh
case "$*" in
*-shared*|*-fsanitize*) touch {folder}/at_work; sleep 300 ;;
*) exec {shutil.which("gcc") or shutil.which("clang")} "$@" ;;
esac
""")
    (folder / "bin/gcc").chmod(0o755)
    write("sweep.yaml", SWEEP)
    write("mine.cl", KERNEL)
    for words in (("conform", "sweep.yaml", "-d", "native"), ("advise", "sweep.yaml", "-d", "native", "--method", "rk4"),
                  ("refine", "sweep.yaml", "-d", "native", "--boundary", "x_final[0]=0.2"), ("check", "mine.cl", "-d", "native")):
        ends_while_compiling(words, False)


main(other_files, either_word, stopped, fine="a newcomer is told what to type")
