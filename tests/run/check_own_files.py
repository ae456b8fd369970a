# check_own_files -- kernel files of a user's own, named by their paths: the same bits as what they copy, options, refusals.
import json
import pathlib
import re
import shutil

from checking import check, ended, folder, h5, main, need, pendula, PROGRAM, ROOT, says, skip, write
import rms

np, _ = need("numpy", "h5py")

KERNELS = ROOT / "kernels"

RMS = rms.RMS.replace("rms_x", "rms")


def copy(kind, name, own, *changes, equations=True):
    """A file of the program's under another name, with texts replaced, and without equations on its card where they are not wanted."""
    text = (KERNELS / f"{kind}s" / f"{name}.cl").read_text().replace(f"//: {kind}: {name}\n", f"//: {kind}: {own}\n")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    write(f"{own}.cl", text if equations else re.sub(r"//: (equations\w*|tableau):\n(//:   - .*\n)+", "", text))


def run(name, *words):
    pendula("run", name, *(() if "-d" in words else ("-d", "native")), "-o", "out.h5", "--force", "--progress", "none", *words)
    return h5("out")


def check_copies():
    """Copies have the bits of what they copy, whatever their parameters, axes and labels."""
    copy("method", "rk4", "mine", equations=False)
    copy("method", "theta1", "half")
    copy("metric", "extent", "reach", ("x_max", "reach"))
    write("copies.yaml", """problem: elastic_pendulum_polar
parameters: {eps: [0.1, 0.02], k: 1}
methods: [./mine.cl, rk4, {label: halves, ./half.cl: {theta1: [0.5, 0.7]}, newton: {tolerance: [1.0e-6, 1.0e-9]}}, {label: theirs, theta1: {theta1: [0.5, 0.7]}, newton: {tolerance: [1.0e-6, 1.0e-9]}}]
step: 0.05
end: 2
metrics: [updates, x_max, ./reach.cl, x_final, v_final]
""")
    file = run("copies.yaml")
    for own, built_in, method in (("mine", "rk4", "mine"), ("halves", "theirs", "half")):
        check(file[own].attrs["method"] == method, f"{own}: method {file[own].attrs['method']}")
        check(file[own]["x_final"].shape == file[built_in]["x_final"].shape, f"{own}: shape")
        for name in ("status", "updates", "x_max", "x_final", "v_final"):
            check(np.array_equal(file[own][name], file[built_in][name], equal_nan=True), f"{own}: {name}")
        check(np.array_equal(file[own]["reach"], file[own]["x_max"]), f"{own}: reach")


def check_problem():
    """A copy of a problem, without its closed form: errors by a solution that the reference makes, the reference's numbers, certificates."""
    copy("problem", "duffing", "spring")
    copy("problem", "harmonic_oscillator", "weight", ("exact, ", ""))
    write("spring.yaml", """problem: ./spring.cl
parameters: {x0: [0.5, 1], delta: 0.1}
methods: [rk4, theta2]
step: 0.05
end: 4
metrics: [updates, energy_drift, error_final, error_max, x_final]
""")
    for device in ("native", "reference"):
        own = {label: {name: group[name][()] for name in group} for label, group in run("spring.yaml", "-d", device).items() if label != "journal"}
        file = run("spring.yaml", "-d", device, "-s", "problem=duffing")
        for label, group in own.items():
            for name in ("status", "updates", "x_final", "error_final", "error_max"):
                check(np.array_equal(group[name], file[label][name]), f"problem: {device}: {label}/{name}")
    write("weight.yaml", "problem: ./weight.cl\nparameters: {omega: [1, 3], zeta: 0.1}\nmethods: [rk4, newmark]\nstep: 0.05\nend: 4\nmetrics: [error_final, error_max]\n")
    made = {label: group["error_max"][()] for label, group in run("weight.yaml").items() if label != "journal"}
    for label, errors in made.items():
        check(np.all(np.abs(errors - run("weight.yaml", "-s", "problem=harmonic_oscillator")[label]["error_max"][()]) <= 1e-11), f"problem: closed form: {label}")
    done = ended("conform", "spring.yaml", "-d", "native", "--lanes", "1")
    check(done.code == 0 and done.out.count("  conforms") == 2 and done.out.count("reference: 162 of 162 substeps") == 2,
          f"problem: conform: {done.code} {done.out} {done.err}")


def check_metric():
    """Options and labels of an own metric, from the trajectory."""
    write("rms.cl", RMS)
    write("metric.yaml", """problem: modal_oscillators
methods: [rk4]
step: 0.125
end: 8
metrics: [./rms.cl, {./rms.cl: {of: fast, from: 2, to: 5, result: rms, label: middle}}, {./rms.cl: {of: x0, from: 3, result: rms_seen, label: late}}]
trajectory: {every: 1, fields: [x, fast, slow]}
""")
    group = run("metric.yaml")["rk4"]
    x, fast, slow, time = group["x"][:], group["fast"][:], group["slow"][:], group["time"][:]
    middle = (time >= 2) & (time <= 5)
    for name, expected in (("rms", np.sqrt(np.mean(slow[1:] ** 2))), ("middle", np.sqrt(np.mean(fast[middle] ** 2)))):
        check(abs(group[name][()] - expected) <= 1e-12 * expected, f"metric: {name} {group[name][()]}, not {expected}")
    check(group["late"][()] == np.sum(time >= 3), f"metric: late {group['late'][()]}")
    check("rms_seen" in group and group["middle"].attrs["units"] == "1", "metric: results")
    check(len(x) == 65, "metric: samples")


def refused(code, words, *command, **how):
    done = ended(*command, **how)
    check(done.code == code and all(word in done.err for word in words), f"{command}: exit {done.code}, not {code} with {words}: {done.err}")


def check_missing():
    """An integer that needs Newton's method has the fill value of an explicit method, and one that the reference lacks of any."""
    write("lack.cl", """//: metric: lack
//: title: A count of updates
//: needs: [newton]
//: results:
//:   lack_updates: {unit: "1", type: whole, about: updates}
//:   lack_depth:   {unit: "1", type: whole, bits: 32, about: the deepest level}

static whole M(lack_updates)(const Point *q) { return q->n.updates; }
static whole M(lack_depth)(const Point *q) { return q->n.depth_max; }
""")
    write("lack.yaml", "problem: pendulum\nparameters: {x0: [1, 2]}\nmethods: [rk4, theta2]\nstep: 0.1\nend: 1\nmetrics: [updates, ./lack.cl]\n")
    fills = {"lack_updates": -(2**63) + 2, "lack_depth": -(2**31) + 1}
    for device, missing in (("native", ("rk4",)), ("reference", ("rk4", "theta2"))):
        file = run("lack.yaml", "-d", device)
        for label in ("rk4", "theta2"):
            for name, fill in fills.items():
                values = file[label][name]
                check(list(values.attrs["_FillValue"]) == [fill], f"fill value: {label}/{name}: {values.attrs['_FillValue']}")
                check(np.all((values[()] == fill) == (label in missing)), f"fill value: {device}: {label}/{name}: {values[()]}")
        check(np.all(file["rk4/updates"][()] == 0), "fill value: an explicit method makes no updates")
        table = ended("export", "out.h5", "--group", "rk4").out.splitlines()
        check(table[0] == "x0,status,updates,lack_updates,lack_depth" and table[1] == "1,1,0,,", f"fill value: as a table {table}")


def check_refusals():
    """A compiler's error names file and line; a file that changed; who knows no formula of an own file says so."""
    write("broken.cl", RMS.replace("rms", "broken").replace("    m->seen = count", "    if (x > 1.0)\n        m->squares = ZERO;\n    m->seen = count"))
    write("own.yaml", "problem: pendulum\nmethods: [./mine.cl]\nstep: 0.1\nend: 1\nmetrics: [./rms.cl]\n")
    write("broken.yaml", "problem: pendulum\nmethods: [rk4]\nstep: 0.1\nend: 1\nmetrics: [./broken.cl]\n")
    if "clang" in ended("list", "devices").out:
        refused(9, ["broken.cl:21", "choose(mask, a, b)"], "run", "broken.yaml", "-d", "native", "--lanes", "4", "-o", "b.h5")
    refused(8, ["the reference has no method", "mine.cl"], "run", "own.yaml", "-d", "reference", "-o", "b.h5")
    copy("method", "rk4", "rk4", equations=False)
    write("copy.yaml", "problem: pendulum\nmethods: [./rk4.cl]\nstep: 0.1\nend: 1\nmetrics: [updates]\n")
    refused(8, ["the reference has no method", "rk4.cl"], "run", "copy.yaml", "-d", "reference", "-o", "b.h5")
    copy("problem", "duffing", "unfinished", ("provides: [", "provides: [period, "))
    write("unfinished.yaml", "problem: ./unfinished.cl\nmethods: [rk4]\nstep: 0.1\nend: 1\nmetrics: [updates]\n")
    refused(9, ["unfinished.cl", "period"], "run", "unfinished.yaml", "-d", "reference", "-o", "b.h5")
    refused(8, ["spring.cl' for the reference: no C compiler on this machine; install one"], "run", "spring.yaml", "-d", "reference", "-o", "b.h5",
            PENDULA_CC="none")
    run("own.yaml")
    shutil.copy(folder / "out.h5", folder / "kept.h5")
    write("rms.cl", RMS + "\n")
    refused(4, ["kept.h5"], "run", "own.yaml", "-d", "native", "-o", "kept.h5", "--resume")
    write("rms.cl", RMS)
    pendula("run", "own.yaml", "-d", "native", "-o", "kept.h5", "--resume")
    refused(3, ["is a file that this command reads"], "run", "own.yaml", "-d", "native", "-o", "rms.cl", "--force")


def check_new():
    """The files that `new` writes run and are certified as they are, also by the Jacobian that the problem's has."""
    for kind, name in (("problem", "hard"), ("method", "ralston"), ("metric", "level")):
        done = ended("new", kind, name)
        check(done.code == 0 and f"./{name}.cl" in done.out, f"new {kind}: {done.code} {done.err}")
    write("new.yaml", """problem: ./hard.cl
parameters: {x0: [0.5, 1.5], c: [0, 0.1]}
methods: [./ralston.cl: {c: [0.5, 1]}, theta2]
step: 0.05
end: 5
metrics: [updates, energy_drift, error_max, ./level.cl, {./level.cl: {from: 2, result: level_rms, label: late}}]
""")
    group = run("new.yaml")["theta2"]
    check(np.all(group["level_seen"][:] == 100) and np.all(np.isfinite(group["late"][:])) and np.all(group["energy_drift"][:, 0] < 0.05), "new: metrics")
    for words in ((), ("-s", "newton.jacobian=analytic")):
        done = ended("conform", "new.yaml", "-d", "native", "--lanes", "1", *words)
        check(done.code == 0 and done.out.count("  conforms") == 2, f"new: conform: {done.code} {done.out} {done.err}")
    refused(3, ["hard.cl", "exists already", "--force"], "new", "metric", "hard")
    before = (folder / "hard.cl").read_text()
    check(ended("new", "problem", "hard", "--force").code == 0 and (folder / "hard.cl").read_text() == before, "new --force")
    for code, word, words in ((2, "not a name", ["problem", "3x"]), (2, "not a name", ["problem", "../x"]), (2, "say what to write", ["thing", "x"]),
                              (2, "say what to write", []), (2, "name the metric", ["metric"]), (2, "choose another", ["problem", "pendulum"]),
                              (2, "choose another", ["method", "rk4"])):
        refused(code, [word], "new", *words)
    check(sorted(p.name for p in folder.iterdir() if p.name in ("3x.cl", "x.cl", "pendulum.cl")) == [], "new: files of refused names")


def check_many():
    """As many files as a sweep may have, none of which a run replaces; and one more."""
    names = [f"one_{i}" for i in range(33)]
    for name in names:
        copy("metric", "extent", name, ("x_max", f"reach_{name}"))
    many = "problem: pendulum\nmethods: [rk4]\nstep: 0.1\nend: 1\nmetrics: ["
    write("many.yaml", many + ", ".join(f"./{name}.cl" for name in names[:32]) + "]\n")
    write("more.yaml", many + ", ".join(f"./{name}.cl" for name in names) + "]\n")
    check(len(run("many.yaml")["rk4"]["reach_one_31"].shape) == 0, "many: results")
    for name in (names[3], names[31]):
        refused(3, [f"{name}.cl", "is a file that this command reads"], "run", "many.yaml", "-d", "native", "-o", f"{name}.cl", "--force")
    refused(4, ["more.yaml:5:", "more than 32 kernel files of your own"], "plan", "more.yaml", "-d", "native")


def check_conform():
    """Own methods without equations are certified by the order of their cards, own metrics compared between devices; a method that
    copies the name of the program's, with another formula, is not taken for it."""
    copy("method", "theta2", "theta2", ("m->theta)", "1.25 * m->theta)"), equations=False)
    write("theta.yaml", "problem: pendulum\nparameters: {x0: [0.5, 1.5]}\nmethods: [./theta2.cl, ./mine.cl]\nstep: 0.05\nend: 3\nmetrics: [./rms.cl]\n")
    done = ended("conform", "theta.yaml", "-d", "native", "--lanes", "1")
    text = done.out
    check(done.code == 0 and text.count("  conforms") == 2 and text.count("2 on the card") == 1 and text.count("4 on the card") == 1
          and text.count("compared between devices only: rms, rms_seen") == 2, f"conform: {done.code} {text} {done.err}")
    copy("method", "rk4", "wrong", ("h / 6.0, s->v", "h / 6.001, s->v"), equations=False)
    write("wrong.yaml", "problem: pendulum\nmethods: [./wrong.cl]\nstep: 0.05\nend: 1\n")
    says([PROGRAM, "conform", "wrong.yaml", "-d", "native", "--lanes", "1"], "DOES NOT CONFORM", code=7, what="conform: wrong method")


def check_equations():
    """An own method with equations on its card has the reference, certificates of every step, `spectrum` and `pairs`; equations that
    are wrong are found by the order that its card claims, or by its steps."""
    tableau = pathlib.Path(__file__).with_name("sdirk2.cl").read_text()
    write("sdirk2.cl", tableau)
    copy("method", "theta2", "ours")
    write("equations.yaml", "problem: pendulum\nparameters: {x0: [0.5, 1.5]}\nmethods: [./sdirk2.cl, ./ours.cl]\nstep: 0.05\nend: 3\n")
    done = ended("conform", "equations.yaml", "-d", "native", "--lanes", "1", "--json", "-")
    groups = json.loads(done.out) if done.code == 0 else []
    check([(g["certified_by"], g["passed"], g["certified_steps"], g["certified_reference_substeps"] == g["reference_substeps"] > 0)
           for g in groups] == [("equations", True, 120, True)] * 2, f"conform: equations: {done.code} {groups} {done.err}")
    ours = run("equations.yaml", "-d", "reference")["ours"]["x_final"][:]
    theirs = run("equations.yaml", "-d", "reference", "-s", "methods=[theta2]")["theta2"]["x_final"][:]
    check((ours == theirs).all(), "the reference by a copy's equations")
    # The stability function of the SDIRK method, (1 + (1 - 2 g) z)/(1 - g z)^2, at z = i/2: theory and kernel.
    row = ended("spectrum", "./sdirk2.cl", "--omega-h", "0.5", "--format", "csv").out.splitlines()[-1].split(",")
    g, z = 1 - 0.5**0.5, 0.5j
    radius = abs((1 + (1 - 2 * g) * z) / (1 - g * z) ** 2)
    check(len(row) > 5 and max(abs(float(row[k]) - radius) for k in (2, 5)) < 1e-14, f"spectrum of an own file: {row}")
    pairs = [ended("pairs", name, "generalized_alpha", "--values", "0.1,0.4", "--problem", "none", "--format", "csv").out.splitlines()[1:]
             for name in ("./ours.cl", "theta2")]
    check(len(pairs[0]) == 2 and pairs[0] == pairs[1], f"pairs of an own file: {pairs}")
    write("sdirk2.cl", tableau.replace("//:   - x1 | 1/sqrt(2)", "//:   - x1 | 1/sqrt(3)"))
    refused(4, ["sdirk2.cl: order: the equations have order 0, and 0 with damping, not 2 and 2"], "spectrum", "./sdirk2.cl")
    write("sdirk2.cl", tableau.replace("1/sqrt(2), 1 - 1/sqrt(2)\n//:   - x1", "1/sqrt(2), 1 - 1.00001/sqrt(2)\n//:   - x1"))
    says([PROGRAM, "conform", "equations.yaml", "-d", "native", "--lanes", "1", "-s", "methods=[./sdirk2.cl]"], "DOES NOT CONFORM", code=7,
         what="conform: wrong equations")


write("any.yaml", "problem: pendulum\nmethods: [rk4]\nstep: 0.1\nend: 1\n")
if ended("run", "any.yaml", "-d", "native", "-o", "any.h5").code == 8:
    skip("no C compiler on this machine")
main(check_copies, check_problem, check_metric, check_missing, check_refusals, check_new, check_many, check_conform, check_equations, fine="own files are read")
