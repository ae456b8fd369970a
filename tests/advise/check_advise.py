# check_advise -- `pendula advise` names what an exhaustive sweep names: its study is run again by `pendula run`, and all choices are
# compared by hand.
#
#   check.py advise [--quick]     --quick: the comparisons, and what is refused
import math
import os
import re
import signal
import sys
import time

from checking import answer, check, csv_rows, finish, folder, h5, need, need_compiler, parsed, refused, start, write

np, _ = need("numpy", "h5py")

QUICK = "--quick" in sys.argv
DEVICE = "reference" if QUICK else "native"  # the reference measures no time
os.environ["PENDULA_PROGRESS"] = "none"  # whether a compiler takes a second depends on the machine
METHOD_AXES = {}  # by group
SOME = [w for m in ("rk4", "dopri5", "generalized_alpha", "bdf2", "theta2", "velocity_verlet") for w in ("--method", m)]
ADAPTIVE = ["--method", "dopri5_adaptive"]  # on the stiff spring its least tolerance takes a minute

# A pendulum on a stiff spring, a chain with two stiffnesses, formulas with a driving frequency on an axis.
SWEEPS = {
    "stiff": ("problem: elastic_pendulum_polar\nparameters: {eps: [1.0e-2, 3.0e-2, 6.0e-2]}\nmethods: [generalized_alpha]\nstep: 0.01\nend: 2\n", "25,1600"),
    "chain": ("problem: spring_chain\nparameters: {n: 3}\nmethods: [rk4]\nstep: 0.05\nend: 5\nnewton: {tolerance: 1.0e-10}\n", "8,2048"),
    "own": ("""problem:
  coordinates: [x]
  acceleration: ["-w^2*x - 2*z*w*v_x + f*cos(W*t)"]
  start: [x0]
  parameters: {w: 1, z: 0.05, f: 0.3, W: [0.7, 1.3, 2.1], x0: 1}
methods: [generalized_alpha]
step: 0.1
steps: 100
""", "16,2048"),
}


def choices(file, error, together):
    """Every choice of a result file: method, steps, parameters, error and evaluations, by hand."""
    for label, group in file.items():
        if "status" not in group:
            continue
        axes = [d[0].name.rsplit("/", 1)[1] for d in group["status"].dims]
        problem = [a for a in axes if a != "steps" and a not in METHOD_AXES[label]]
        status, errors, evaluations = (group[n][()] for n in ("status", error, "evaluations"))
        chosen = [a for a in axes if a not in problem]
        order = [axes.index(a) for a in chosen] + [axes.index(a) for a in problem]
        status, errors, evaluations = (x.transpose(order).reshape([x.shape[axes.index(a)] for a in chosen] + [-1]) for x in (status, errors, evaluations))
        for index in np.ndindex(*status.shape[:-1]):
            of = np.where(status[index] == 1, errors[index], np.inf)
            values = {a: group[a][i] for a, i in zip(chosen, index)}
            yield {"method": label, "error": together(of), "evaluations": evaluations[index].mean(), "steps": int(values.pop("steps")),
                   "parameters": ", ".join(f"{a} = {v:.4g}" for a, v in values.items())}


def read_method_axes(study):
    """Which axes of a group are its method's: those of the entry in the study's list."""
    METHOD_AXES.clear()
    for line in study.split("methods:\n")[1].splitlines():
        name, values = re.fullmatch(r"  - ([^:]+): \{(.*)\}", line).groups()
        METHOD_AXES[name] = re.findall(r"(\w+): [\[{]", values)
        METHOD_AXES[name] += [f"{name}.{a}" for a in METHOD_AXES[name]]


def same(found, wanted):
    return (found["method"], found["steps"], found["parameters"]) == (wanted["method"], wanted["steps"], wanted["parameters"]) and \
        math.isclose(found["error"], wanted["error"], rel_tol=1e-12) and math.isclose(found["evaluations"], wanted["evaluations"], rel_tol=1e-12)


def exhaustive(name, text, steps, *words, error="error_max", together=np.max):
    write(f"{name}.yaml", text)
    rows = parsed("advise", f"{name}.yaml", "-d", DEVICE, "--steps", steps, "--for", "1e-2,1e-4,1e-7", "--sweep", "study.yaml", "--force", "--format", "json", *words)
    study = (folder / "study.yaml").read_text()
    read_method_axes(study)
    answer("run", "study.yaml", "-d", DEVICE, "--force", "--progress", "none")
    with h5("study") as file:
        every = [c for c in choices(file, error, together)]
    finite = [c for c in every if np.isfinite(c["error"])]
    front = [c for c in finite if not any(o["evaluations"] <= c["evaluations"] and o["error"] <= c["error"] and
                                          (o["evaluations"] < c["evaluations"] or o["error"] < c["error"]) for o in finite)]
    shown = [r for r in rows if r["kind"] == "front"]
    check({(r["evaluations"], r["error"]) for r in shown} == {(c["evaluations"], c["error"]) for c in front}, f"{name}: the front")
    check(all(any(same(r, c) for c in front) for r in shown), f"{name}: choices of the front")
    for target in (1e-2, 1e-4, 1e-7):
        best = {}
        for c in finite:
            key = (c["evaluations"], c["error"])
            if c["error"] <= target and key < best.get(c["method"], (math.inf,))[:2]:
                best[c["method"]] = (*key, c)
        ranked = sorted(best.values(), key=lambda b: b[:2])
        found = [r for r in rows if r["kind"] == "best" and r["target"] == target]
        check(len(found) == len(ranked), f"{name}: {len(found)} of {len(ranked)} methods within {target}")
        for r, (evaluations, error_there, c) in zip(found, ranked):
            check(math.isclose(r["evaluations"], evaluations, rel_tol=1e-12) and r["error"] <= target, f"{name}: within {target}: {r} for {c}")
        if ranked:
            check(same(found[0], ranked[0][2]), f"{name}: the first within {target}: {found[0]} for {ranked[0][2]}")
            check(QUICK or all(r.get("seconds", 0) > 0 for r in found[:5]), f"{name}: the time of those that are shown")
    check(len(every) > 100 and len(front) > 3, f"{name}: {len(every)} choices, {len(front)} on the front")
    return rows, study


def words_and_pictures():
    text = answer("advise", "own.yaml", "-d", "native", "--steps", "16,128", "--for", "1e-3,1e-30", "--plot", "work", "--force")
    check("for an error of 0.001: " in text and "front: " in text, text)
    check("left out: incremental_newmark, incremental_potential" in text and "needs 'potential'" in text, "methods that do not apply")
    none = re.search(r"for an error of 1e-30: no choice of the study; the least error is (\S+), by (\w+) with a step of \S+; finer steps may reach it: --steps 256,8192\n", text)
    shown = min(float(error) for error in re.findall(r"^ +(\d\S*) +\S+ +\S+ +\S+  \w+", text.partition("for an error")[0], re.M))
    check(none is not None and shown / 2.01 <= float(none[1]) <= shown, f"an error that nothing reaches, and the front down to {shown}: {text}")
    text = answer("advise", "own.yaml", "-d", "native", "--steps", "16,128", "--for", "1e-3", "--method", "rk4", "--method", "backward_euler")
    check(re.search(r"for an error of 0.001: rk4 .*\n  not by backward_euler, whose least error is 0.\d+\n", text, re.S) is not None, f"a method that was asked for: {text}")
    refused("--method takes one method, got 'rk4,bdf2'; repeat it for more", "advise", "own.yaml", "--method", "rk4,bdf2", code=2)
    picture = (folder / "work.svg").read_text()
    first = re.search(r"for an error of 0.001: (\w+) with a step", text)
    check(first is not None and f">{first[1]}<" in picture, "the advice is in the picture's legend")
    table = csv_rows("advise", "own.yaml", "-d", "native", "--steps", "16,64", "--method", "rk4")
    check(list(table[0]) == ["kind", "target", "error", "evaluations", "updates", "seconds", "step", "steps", "method", "parameters"], f"columns: {list(table[0])}")
    check(all(float(r["step"]) * int(r["steps"]) - 10 < 1e-9 for r in table), "steps end where the sweep ends")


def own_methods():
    (folder / "sub").mkdir()
    answer("new", "method", "taylor", cwd=folder / "sub")
    write("sub/mine.yaml", SWEEPS["own"][0].replace("[generalized_alpha]", "[./taylor.cl]"))
    rows = parsed("advise", "sub/mine.yaml", "-d", "native", "--method", "rk4", "--steps", "64,2048", "--for", "0.5", "--format", "json", "--sweep", "sub/study.yaml")
    check(any(r["method"] == "taylor" for r in rows), "a method of one's own takes part")
    err = answer("advise", "sub/mine.yaml", "-d", "native", "--sweep", "elsewhere.yaml", code=2)
    check("sub/mine.yaml" in err and not (folder / "elsewhere.yaml").exists(), f"a study that names files: {err}")
    answer("plan", "sub/study.yaml")


def carried():
    """What a sweep says of its motion goes into the study: tables, and what is observed of them. What cannot is refused."""
    table = "tables: {ag: {samples: [[0, 0], [0.5, 1], [2, 0]], outside: zero}}\nobserve: {push: \"ag(t)\"}\n"
    problem = "problem: {coordinates: [x], acceleration: [\"-4*x + PUSH\"], start: [1], parameters: {k: 1}}\nmethods: [rk4]\nstep: 0.05\nend: 2\n"
    write("carried.yaml", table + problem.replace("PUSH", "ag(t)"))
    rows = parsed("advise", "carried.yaml", "-d", "reference", "--method", "rk4", "--steps", "16,1024", "--sweep", "study.yaml", "--force", "--format", "json")
    errors = [r["error"] for r in rows if r["kind"] == "front"]
    check(len(errors) > 3 and all(e < 10 for e in errors) and errors[-1] < 1e-6, f"with a table: {errors}")
    study = (folder / "study.yaml").read_text()
    check("\ntables: {ag: " in study and "\nobserve: {push: " in study, f"with a table: {study}")
    for name, text in (("breaks", problem.replace("PUSH", "0") + "breaks: [{at: 0.3, set: {v_x: 2}}]\n"),
                       ("events", problem.replace("PUSH", "0") + "events: [{when: x, direction: down, set: {v_x: -0.5*v_x}}]\n")):
        write("carried.yaml", text)
        check("carried.yaml:" in refused(f"{name}: advice compares with a smooth solution", "advise", "carried.yaml", "-d", "reference", code=4), name)


def refusals():
    for what, text, part in (("a random design", "problem: duffing\nparameters: {force: {uniform: [0, 1]}}\nmethods: [rk4]\nstep: 0.1\nend: 1\ndesign: {random: {samples: 4}}\n", "needs a grid"),
                             ("several ends", "problem: duffing\nmethods: [rk4]\nstep: [0.1, 0.2]\nsteps: 10\n", "end at different times")):
        err = refused(part, "advise", write("refused.yaml", text), "-d", "native", code=4)
        check("refused.yaml" in err, f"{what}: {err}")
    for words, part in ((["--for", "0"], "--for"), (["--error", "x_max"], "error_max or error_final"), (["--over", "mean"], "worst or median"),
                        (["--steps", "0.5,8"], "whole numbers"), (["--steps", "8,4"], "--steps"), (["--method", "rk5"], "did you mean 'rk2'"), (["--format", "xml"], "--format")):
        refused(part, "advise", "own.yaml", *words)
    write("there.yaml", "mine\n")
    check("there.yaml" in answer("advise", "own.yaml", "--sweep", "there.yaml", code=3), "a file that exists")
    check("own.yaml" in answer("advise", "own.yaml", "--sweep", "own.yaml", "--force", code=3), "the sweep itself")
    check((folder / "there.yaml").read_text() == "mine\n", "a file that exists stays")


def stopped():
    before = sorted(p.name for p in folder.iterdir())
    child = start("advise", "stiff.yaml", "-d", "native", "-s", "end=200", *SOME, *ADAPTIVE, "--steps", "1000,1000000", "--sweep", "no.yaml", "--plot", "no")
    time.sleep(3)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate()
    check(child.returncode == 75 and out == "", f"Ctrl-C: exit {child.returncode}: {err}")
    check(sorted(p.name for p in folder.iterdir()) == before, "nothing is left of a study that was stopped")


need_compiler()
for name, (text, steps) in SWEEPS.items():
    rows, study = exhaustive(name, text, steps, *SOME, *(ADAPTIVE if name != "stiff" else []))
    check(("newton: {tolerance: 1.0e-10}" in study) == (name == "chain"), f"{name}: the sweep's settings: {study}")
    check("rk4" in study and "generalized_alpha: {rho_inf: [0, 0.25, 0.5, 0.6, 0.75, 1]}" in study, f"{name}: the study: {study}")
exhaustive("stiff", *SWEEPS["stiff"], *SOME, "--over", "median", "--error", "error_final", error="error_final", together=lambda x: np.sort(x)[x.size // 2])
refusals()
carried()
if not QUICK:
    words_and_pictures()
    own_methods()
    stopped()
finish("names what an exhaustive sweep names")
