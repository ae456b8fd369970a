# check_check -- `pendula check` finds a planted error in the line that has it, and nothing in files that are right.
#
# Wrong files are right ones with an edit each. All run on the native devices. A finding must name the line of the edit, or of the
# function that it is in, and hold words that say what is wrong.
import json
import os
import re

from checking import answer, check, ended, folder, main, pendula, refused, ROOT, skip, write
from rms import RMS

KERNELS = ROOT / "kernels"


def source(kind, name):
    return (KERNELS / f"{kind}s" / f"{name}.cl").read_text()


def changed_file(name, text, *changes):
    for before, after in changes:
        assert text.count(before) >= 1, f"{name}: '{before}' is not there"
        text = text.replace(before, after, 1)
    write(f"{name}.cl", text)
    return text


def line_of(text, part):
    at = text.index(part)
    return text.count("\n", 0, at) + 1


def right(name):
    done = ended("check", f"{name}.cl", "-d", "native")
    check(done.code == 0 and "right: " in done.out and ": 0 findings, " in done.out,
          f"{name}: exit {done.code}: {done.out} {done.err}")
    return done.out


def wrong(name, line, *words, **more):
    """The file has a finding in the line, with the words; the exit code is 4, and stderr says how many there are."""
    done = ended("check", f"{name}.cl", "-d", "native", **more)
    found = [text for text in done.out.splitlines() if text.startswith(f"{name}.cl:{line}: ") and not text.startswith(f"{name}.cl:{line}: note")]
    check(done.code == 4 and re.search(rf"{name}\.cl: \d+ finding", done.err) and any(all(word in text for word in words) for text in found),
          f"{name}: exit {done.code}, not a finding in line {line} with {words}:\n{done.out}{done.err}")
    return done.out


def check_right_files():
    """What `new` writes, and files of the program's under their own names."""
    for kind, name in (("problem", "hard"), ("method", "ralston"), ("metric", "level")):
        pendula("new", kind, name)
        text = right(name)
        check("same bits" in text, f"{name}: {text}")
    changed_file("harmonic_oscillator", source("problem", "harmonic_oscillator"))
    text = right("harmonic_oscillator")
    for words in ("memory: as C", "jacobian(): dadx", "slopes() is the difference of acceleration()", "start_slopes() of v is", "kinetic() + potential()", "-dU/dx - dR/dv + F", "dE/dt", "exact(): v", "after period()", "certificates: "):
        check(f"right: {words}" in text or f"is {words}" in text, f"harmonic_oscillator: no '{words}' in {text}")
    changed_file("velocity_verlet", source("method", "velocity_verlet").replace('"2*(sqrt(4*zeta^2 + 1) - 2*zeta)"', '"2"'))
    text = right("velocity_verlet")
    check("order on" in text and "right: critical: " in text, f"velocity_verlet: {text}")


def check_cards():
    """Errors of the card; what it promises beside what is there. These need no compiler."""
    text = source("problem", "harmonic_oscillator")
    changed_file("broken", text)
    wrong("broken", 1, "the name 'harmonic_oscillator' is not the file's")
    named = text.replace("problem: harmonic_oscillator", "problem: mine")
    changed = changed_file("mine", named, ("dofs: 1", "dofs: many"))
    wrong("mine", line_of(changed, "dofs: many"), "dofs")
    changed = changed_file("mine", named, ("provides: [", "provides: [fast, "))
    wrong("mine", line_of(changed, "provides: ["), "promises 'fast'", "define it")
    changed = changed_file("mine", named, ("jacobian, ", ""))
    wrong("mine", line_of(changed, "static void jacobian("), "jacobian()", "does not promise", "`provides`")
    changed = changed_file("rms", RMS, ("static whole M(rms_seen)", "static whole M(rms_soon)"))
    wrong("rms", line_of(changed, "rms_seen: "), "'rms_seen'", "does not define")
    changed = changed_file("rms", RMS, ("[of, window]", "[of]"))
    wrong("rms", line_of(changed, "WITHIN(o->t)"), "WITHIN()", "'window'")
    changed = changed_file("rms", RMS, ("WITHIN(o->t)", "(o->t >= ZERO)"))
    wrong("rms", line_of(changed, "options: "), "'window'", "never asks WITHIN()")
    changed_file("mine", source("method", "rk4").replace("method: rk4", "method: mine"), ("static void step(", "static void stop("))
    wrong("mine", 1, "step()")
    rows = json.loads(pendula("check", "mine.cl", "--json", code=4).out)
    check(rows and rows[0]["file"] == "mine.cl" and rows[0]["line"] == 1 and rows[0]["kind"] == "finding" and "step()" in rows[0]["text"], f"json: {rows}")
    for code, words in ((3, ["absent.cl"]), (2, []), (2, ["mine.cl", "rms.cl"])):
        refused("", "check", *words, code=code)
    refused("'mine.yaml' is a sweep file: --manufactured measures the orders of methods on it", "check", "mine.yaml", code=2)


def check_units():
    """What is 0 has no size of its own: whatever the unit of lengths, a slope by it that is wrong by 1e-5 is found, and a right one is right."""
    text = source("problem", "harmonic_oscillator").replace("problem: harmonic_oscillator", "problem: mine")
    for length in ("1.0e-9", "1", "1.0e9"):
        card = re.sub(r"(//:   x0: *{default: )[^,]*", rf"\g<1>{length}", text)
        changed_file("mine", card)
        check(re.search(rf"x0: *{{default: {length},", card), f"no default in {card}")
        right("mine")
        changed = changed_file("mine", card, ("v->v0[0] = ONE", "v->v0[0] = 1.00001 * ONE"))
        wrong("mine", line_of(changed, " start_slopes("), "start_slopes() of v by v0, component 0", "difference of initial_state()")


def check_problems():
    """An edit of a right problem each."""
    text = source("problem", "harmonic_oscillator").replace("problem: harmonic_oscillator", "problem: mine")
    compiler = {"PENDULA_CC": os.environ.get("PENDULA_CC", "gcc")}  # one lane shows what functions say of each other

    def edit(function, *words, change, line=None):
        changed = changed_file("mine", text, change)
        return wrong("mine", line_of(changed, line or f" {function}("), *words, **compiler)

    edit("jacobian", "jacobian(): dadx[0][0]", "difference of acceleration()", change=("dadx[0][0] = -p->", "dadx[0][0] = p->"))
    edit("jacobian", "jacobian(): dadv[0][0]", "nan", change=("    dadv[0][0] = -2.0 * p->zeta * p->omega;\n", ""))
    edit("slopes", "slopes() by zeta, component 0", "difference of acceleration()", change=("a->zeta[0] = -2.0", "a->zeta[0] = -2.00001"))
    edit("slopes", "slopes() by omega, component 0", "0 where nothing is set", change=("    a->omega[0] =", "    const real unused =") )
    edit("start_slopes", "start_slopes() of v by x0, component 0", "difference of initial_state()", change=("v->v0[0] = ONE", "v->x0[0] = ONE"))
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
    changed = changed_file("mine", text, ("    x[0] = p->x0;\n", "    for (int i = 0; i >= 0; i = 0)\n        x[0] = p->x0;\n"))
    wrong("mine", 1, "does not end within 10 s", **compiler)
    # Energy alone: a motion that can be run backwards must keep it, one that is damped cannot be judged.
    pendula("new", "problem", "soft", "--force")
    soft = (folder / "soft.cl").read_text()
    changed = changed_file("soft", soft, (" + 0.25 * p->b * square * square", ""))
    shown = wrong("soft", line_of(changed, "real energy("), "dE/dt along the motion", "lacks a term", **compiler)
    check(compiler["PENDULA_CC"] != "gcc" or "several lanes were not examined" in shown, f"one lane: {shown}")


def check_not_c():
    """A file that is no C has one finding where it is not, and nothing that follows from it is found."""
    text = source("problem", "harmonic_oscillator").replace("problem: harmonic_oscillator", "problem: mine")
    for what, words, at, change in (
            ("a word too many", "does not compile as C", "a[0] = ", ("    a[0] = -p->", "    a[0] = oops -p->")),
            ("a brace that is not closed", "a brace of this line is not closed", "void acceleration(", ("    a[0] = -p->omega * (", "    { a[0] = -p->omega * (")),
            ("a brace too many", "or closes nothing", "} // too many", ("static void acceleration(", "} // too many\nstatic void acceleration("))):
        changed = changed_file("mine", text, change)
        line = line_of(changed, at)
        shown = wrong("mine", line if "brace" not in what or "many" in what else line + 1, words)
        check(shown.count("mine.cl:") == 2 and "sweep" not in shown and "sanitizers" not in shown, f"{what}: {shown}")


def check_lanes():
    """A branch on a number, which one lane permits."""
    if "clang" not in ended("list", "devices").out:
        print("not tested: clang is not here, and several lanes are not")
        return
    pendula("new", "problem", "soft", "--force")
    changed = changed_file("soft", (folder / "soft.cl").read_text(), ("    a[0] = -p->k * x[0]", "    if (x[0] > 0.0)\n        a[0] = ZERO;\n    a[0] = -p->k * x[0]"))
    text = wrong("soft", line_of(changed, "if (x[0] > 0.0)"), "does not compile at 16 lanes", "choose(mask, a, b)")
    check("at 1 lane" not in text, f"branch: {text}")
    changed = changed_file("rms", RMS, ("    m->squares = choose(within, real_fma(x, x, m->squares), m->squares);",
                                 "    if (any_lane(within & (x > 0.0)))\n        m->squares = choose(within, real_fma(x, x, m->squares), m->squares);"))
    wrong("rms", line_of(changed, "static void M(observe)"), "other bits", "choose(mask, a, b)")


def check_methods_and_metrics():
    text = source("method", "rk2").replace("method: rk2", "method: mine")
    changed = changed_file("mine", text, ("order: 2", "order: 3"))
    wrong("mine", line_of(changed, "order: 3"), "'order: 3'", "fall with order 2")
    text = source("method", "velocity_verlet").replace("method: velocity_verlet", "method: mine")
    changed = changed_file("mine", text, ('"2*(sqrt(4*zeta^2 + 1) - 2*zeta)"', '"2.4"'))
    wrong("mine", line_of(changed, "critical: "), "2.4", "largest stable step")
    text = source("method", "dopri5_adaptive").replace("method: dopri5_adaptive", "method: mine")
    changed_file("mine", text)
    check("right: tolerance: " in right("mine"), "adaptive: tolerance")
    changed = changed_file("mine", text, ("    return worst;", "    return 0.5 * ONE;"))
    wrong("mine", line_of(changed, "static real trial("), "does not fall with the tolerance")
    changed = changed_file("rms", RMS, ("    m->squares = choose(within, real_fma(x, x, m->squares), m->squares);\n    m->seen = count(m->seen, within);",
                                 "    m->squares = real_fma(x, x, m->squares);\n    m->seen = count(m->seen, within | YES);"))
    wrong("rms", line_of(changed, "options: "), "no result depends on the window")
    changed = changed_file("rms", RMS, ("WITHIN(o->t)", "WITHIN(o->t + 1000.0)"))
    wrong("rms", line_of(changed, "static void M(observe)"), "in a window that holds every observation")


check_cards()
if "native" not in answer("list", "devices"):
    skip("no C compiler on this machine")
main(check_units, check_problems, check_not_c, check_lanes, check_methods_and_metrics, check_right_files, fine="planted errors are found, and right files are right")
