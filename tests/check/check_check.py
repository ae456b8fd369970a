# check_check -- `pendula check` finds a planted error in the line that has it, and nothing in files that are right.
#
#   check_check.py [PROGRAM]     PROGRAM: pendula (default: $PENDULA_PROGRAM)
#
# Wrong files are right ones with an edit each. All run on the native devices. A finding must name the line of the edit, or of the
# function that it is in, and hold words that say what is wrong.
#
# Exit status: 0 all as it should be, 1 something is not, 77 skipped because there is no C compiler.
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else os.environ["PENDULA_PROGRAM"]
KERNELS = pathlib.Path(os.environ.get("PENDULA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2])) / "kernels"
folder = None
failures = []

RMS = """//: metric: rms
//: title: Root mean square of a coordinate
//: state: [squares]
//: counts: [seen]
//: options: [of, window]
//: results:
//:   rms_x: {unit: "1", about: "root mean square of the coordinate"}
//:   rms_seen: {unit: "1", about: "observations", type: whole}

static void M(start)(const Observation *o, M(State) *m)
{
    m->squares = ZERO;
    m->seen = 0;
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real x = OF(o);
    const mask within = WITHIN(o->t);
    m->squares = choose(within, real_fma(x, x, m->squares), m->squares);
    m->seen = count(m->seen, within);
}

static real M(rms_x)(const Observation *o, const M(State) *m) { return real_sqrt(m->squares / to_real(m->seen)); }
static whole M(rms_seen)(const Observation *o, const M(State) *m) { return m->seen; }
"""


def check(fine, what):
    if not fine:
        failures.append(what)
        print(f"wrong: {what}", flush=True)


def pendula(*words, **more):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, cwd=folder, env={**os.environ, **more})


def source(kind, name):
    return (KERNELS / f"{kind}s" / f"{name}.cl").read_text()


def write(name, text, *changes):
    for before, after in changes:
        assert text.count(before) >= 1, f"{name}: '{before}' is not there"
        text = text.replace(before, after, 1)
    (folder / f"{name}.cl").write_text(text)
    return text


def line_of(text, part):
    at = text.index(part)
    return text.count("\n", 0, at) + 1


def right(name):
    done = pendula("check", f"{name}.cl", "-d", "native")
    check(done.returncode == 0 and "right: " in done.stdout and ": 0 findings, " in done.stdout,
          f"{name}: exit {done.returncode}: {done.stdout} {done.stderr}")
    return done.stdout


def wrong(name, line, *words, **more):
    """The file has a finding in the line, with the words; the exit code is 4, and stderr says how many there are."""
    done = pendula("check", f"{name}.cl", "-d", "native", **more)
    found = [text for text in done.stdout.splitlines() if text.startswith(f"{name}.cl:{line}: ") and not text.startswith(f"{name}.cl:{line}: note")]
    check(done.returncode == 4 and re.search(rf"{name}\.cl: \d+ finding", done.stderr) and any(all(word in text for word in words) for text in found),
          f"{name}: exit {done.returncode}, not a finding in line {line} with {words}:\n{done.stdout}{done.stderr}")
    return done.stdout


def check_right_files():
    """What `new` writes, and files of the program's under their own names."""
    for kind, name in (("problem", "hard"), ("method", "ralston"), ("metric", "level")):
        check(pendula("new", kind, name).returncode == 0, f"new {kind}")
        text = right(name)
        check("same bits" in text, f"{name}: {text}")
    write("harmonic_oscillator", source("problem", "harmonic_oscillator"))
    text = right("harmonic_oscillator")
    for words in ("memory: as C", "jacobian(): dadx", "kinetic() + potential()", "-dU/dx - dR/dv + F", "dE/dt", "exact(): v", "after period()", "certificates: "):
        check(f"right: {words}" in text or f"is {words}" in text, f"harmonic_oscillator: no '{words}' in {text}")
    write("velocity_verlet", source("method", "velocity_verlet").replace('"2 (sqrt(4 zeta^2 + 1) - 2 zeta)"', '"2"'))
    text = right("velocity_verlet")
    check("order on" in text and "right: critical: " in text, f"velocity_verlet: {text}")


def check_cards():
    """Errors of the card; what it promises beside what is there. These need no compiler."""
    text = source("problem", "harmonic_oscillator")
    write("broken", text)
    wrong("broken", 1, "the name 'harmonic_oscillator' is not the file's")
    named = text.replace("problem: harmonic_oscillator", "problem: mine")
    changed = write("mine", named, ("dofs: 1", "dofs: many"))
    wrong("mine", line_of(changed, "dofs: many"), "dofs")
    changed = write("mine", named, ("provides: [", "provides: [fast, "))
    wrong("mine", line_of(changed, "provides: ["), "promises 'fast'", "define it")
    changed = write("mine", named, ("jacobian, ", ""))
    wrong("mine", line_of(changed, "static void jacobian("), "jacobian()", "does not promise", "`provides`")
    changed = write("rms", RMS, ("static whole M(rms_seen)", "static whole M(rms_soon)"))
    wrong("rms", line_of(changed, "rms_seen: "), "'rms_seen'", "does not define")
    changed = write("rms", RMS, ("[of, window]", "[of]"))
    wrong("rms", line_of(changed, "WITHIN(o->t)"), "WITHIN()", "'window'")
    changed = write("rms", RMS, ("WITHIN(o->t)", "(o->t >= ZERO)"))
    wrong("rms", line_of(changed, "options: "), "'window'", "never asks WITHIN()")
    write("mine", source("method", "rk4").replace("method: rk4", "method: mine"), ("static void step(", "static void stop("))
    wrong("mine", 1, "step()")
    rows = json.loads(pendula("check", "mine.cl", "--json").stdout)
    check(rows and rows[0]["file"] == "mine.cl" and rows[0]["line"] == 1 and rows[0]["kind"] == "finding" and "step()" in rows[0]["text"], f"json: {rows}")
    for code, words in ((3, ["absent.cl"]), (2, []), (2, ["mine.cl", "rms.cl"])):
        done = pendula("check", *words)
        check(done.returncode == code and len(done.stderr.splitlines()) == 1, f"{words}: exit {done.returncode}: {done.stderr}")


def check_problems():
    """An edit of a right problem each."""
    text = source("problem", "harmonic_oscillator").replace("problem: harmonic_oscillator", "problem: mine")
    compiler = {"PENDULA_CC": os.environ.get("PENDULA_CC", "gcc")}  # one lane shows what functions say of each other

    def edit(function, *words, change, line=None):
        changed = write("mine", text, change)
        return wrong("mine", line_of(changed, line or f" {function}("), *words, **compiler)

    edit("jacobian", "jacobian(): dadx[0][0]", "difference of acceleration()", change=("dadx[0][0] = -p->", "dadx[0][0] = p->"))
    edit("jacobian", "jacobian(): dadv[0][0]", "nan", change=("    dadv[0][0] = -2.0 * p->zeta * p->omega;\n", ""))
    edit("energy", "energy()", "kinetic() + potential()", change=("return kinetic(x, v, p) + potential(x, p)", "return kinetic(x, v, p)"))
    edit("potential", "-dU/dx + F", change=("0.5 * p->omega * p->omega * x[0] * x[0]", "0.51 * p->omega * p->omega * x[0] * x[0]"))
    edit("dissipation", "-dU/dx - dR/dv + F", "depends on v", change=("return p->zeta * p->omega * v[0]", "return 0.5 * p->zeta * p->omega * v[0]"))
    edit("kinetic", "kinetic()", "masses()", change=("return 0.5 * v[0] * v[0]", "return v[0] * v[0]"))
    edit("exact", "exact() at t = 0", change=("real x0 = p->x0", "real x0 = 2.0 * p->x0"))
    edit("exact", "acceleration() on exact()", change=("s = p->zeta * p->omega, square", "s = 1.1 * p->zeta * p->omega, square"))
    edit("period", "after period()", change=("TWO_PI / (p->omega", "PI / (p->omega"))
    edit("initial_state", "not a finite number at the defaults", change=("    v[0] = p->v0;\n", ""))
    edit("acceleration", "beside an array", change=("    a[0] = -p->omega * (", "    a[1] = ZERO;\n    a[0] = -p->omega * ("), line="a[1] = ZERO")
    edit("acceleration", "does not compile", change=("    a[0] = -p->omega * (", "    a[0] = -p->omega2 * ("), line="p->omega2")
    changed = write("mine", text, ("    x[0] = p->x0;\n", "    for (int i = 0; i >= 0; i = 0)\n        x[0] = p->x0;\n"))
    wrong("mine", 1, "does not end within 10 s", **compiler)
    # Energy alone: a motion that can be run backwards must keep it, one that is damped cannot be judged.
    pendula("new", "problem", "soft", "--force")
    soft = (folder / "soft.cl").read_text()
    changed = write("soft", soft, (" + 0.25 * p->b * square * square", ""))
    shown = wrong("soft", line_of(changed, "real energy("), "dE/dt along the motion", "lacks a term", **compiler)
    check(compiler["PENDULA_CC"] != "gcc" or "several lanes were not examined" in shown, f"one lane: {shown}")


def check_not_c():
    """A file that is no C has one finding where it is not, and nothing that follows from it is found."""
    text = source("problem", "harmonic_oscillator").replace("problem: harmonic_oscillator", "problem: mine")
    for what, words, at, change in (
            ("a word too many", "does not compile as C", "a[0] = ", ("    a[0] = -p->", "    a[0] = oops -p->")),
            ("a brace that is not closed", "a brace of this line is not closed", "void acceleration(", ("    a[0] = -p->omega * (", "    { a[0] = -p->omega * (")),
            ("a brace too many", "or closes nothing", "} // too many", ("static void acceleration(", "} // too many\nstatic void acceleration("))):
        changed = write("mine", text, change)
        line = line_of(changed, at)
        shown = wrong("mine", line if "brace" not in what or "many" in what else line + 1, words)
        check(shown.count("mine.cl:") == 2 and "sweep" not in shown and "sanitizers" not in shown, f"{what}: {shown}")


def check_lanes():
    """A branch on a number, which one lane permits."""
    if "clang" not in pendula("list", "devices").stdout:
        print("not tested: clang is not here, and several lanes are not")
        return
    pendula("new", "problem", "soft", "--force")
    changed = write("soft", (folder / "soft.cl").read_text(), ("    a[0] = -p->k * x[0]", "    if (x[0] > 0.0)\n        a[0] = ZERO;\n    a[0] = -p->k * x[0]"))
    text = wrong("soft", line_of(changed, "if (x[0] > 0.0)"), "does not compile at 16 lanes", "choose(mask, a, b)")
    check("at 1 lane" not in text, f"branch: {text}")
    changed = write("rms", RMS, ("    m->squares = choose(within, real_fma(x, x, m->squares), m->squares);",
                                 "    if (any_lane(within & (x > 0.0)))\n        m->squares = choose(within, real_fma(x, x, m->squares), m->squares);"))
    wrong("rms", line_of(changed, "static void M(observe)"), "other bits", "choose(mask, a, b)")


def check_methods_and_metrics():
    text = source("method", "rk2").replace("method: rk2", "method: mine")
    changed = write("mine", text, ("order: 2", "order: 3"))
    wrong("mine", line_of(changed, "order: 3"), "'order: 3'", "fall with order 2")
    text = source("method", "velocity_verlet").replace("method: velocity_verlet", "method: mine")
    changed = write("mine", text, ('"2 (sqrt(4 zeta^2 + 1) - 2 zeta)"', '"2.4"'))
    wrong("mine", line_of(changed, "critical: "), "2.4", "largest stable step")
    text = source("method", "dopri5_adaptive").replace("method: dopri5_adaptive", "method: mine")
    write("mine", text)
    check("right: tolerance: " in right("mine"), "adaptive: tolerance")
    changed = write("mine", text, ("    return worst;", "    return 0.5 * ONE;"))
    wrong("mine", line_of(changed, "static real trial("), "does not fall with the tolerance")
    changed = write("rms", RMS, ("    m->squares = choose(within, real_fma(x, x, m->squares), m->squares);\n    m->seen = count(m->seen, within);",
                                 "    m->squares = real_fma(x, x, m->squares);\n    m->seen = count(m->seen, within | YES);"))
    wrong("rms", line_of(changed, "options: "), "no result depends on the window")
    changed = write("rms", RMS, ("WITHIN(o->t)", "WITHIN(o->t + 1000.0)"))
    wrong("rms", line_of(changed, "static void M(observe)"), "in a window that holds every observation")


def main():
    global folder
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_cards()
        if "native" not in pendula("list", "devices").stdout:
            print("skipped: no C compiler on this machine")
            return 1 if failures else 77
        for part in (check_problems, check_not_c, check_lanes, check_methods_and_metrics, check_right_files):
            part()
    print(f"{len(failures)} are wrong" if failures else "planted errors are found, and right files are right")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
