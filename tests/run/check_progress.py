# check_progress -- what is said while a run goes on: which kernel compiles, and objects for programs.
#
# A compiler that takes its time stands before the machine's own, so that what takes long to compile does. --quick looks
# at runs that compile alone.
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from checking import check, folder, main, on_terminal, pendula, skip, start, write

SWEEP = "problem: pendulum\nparameters: {x0: {linear: [0.1, 3, 40]}}\nmethods: [rk4, {label: second, explicit_euler: {}}]\nstep: 0.1\nend: 2\nmetrics: [x_max]\n"
LONG = "problem: pendulum\nparameters: {x0: {linear: [0.1, 3, 20000]}}\nmethods: [rk4]\nstep: 1.0e-6\nend: 20\nmetrics: [status]\n"
SOME = "problem: pendulum\nparameters: {g: {log: [1, 1e8, 40]}}\nmethods: [generalized_alpha]\nstep: 0.5\nend: 2\nnewton: {max_updates: 4}\nsubsteps: {max_depth: 0}\n"
KEYS = ["event", "file", "points", "points_done", "points_failed", "points_per_second", "steps_per_second", "seconds", "seconds_left"]
COMPILE = ["event", "file", "number", "count", "group", "device", "first_launch"]


def surroundings(slow=True, compilers=("cc",)):
    """Compilers that wait before they compile; what they are is asked for without -shared, at once."""
    bin_folder = folder / "bin"
    bin_folder.mkdir(exist_ok=True)
    for name in compilers:
        script = bin_folder / name
        wait = 'for word; do case "$word" in -shared) sleep 1.3;; esac; done\n' if slow else ""
        script.write_text(f'#!/bin/sh\n{wait}exec {shutil.which(name)} "$@" -O0\n')
        script.chmod(0o755)
    chosen = {"PENDULA_CC": bin_folder / compilers[0]} if len(compilers) == 1 else {"PENDULA_CC": None, "PATH": f"{bin_folder}:{os.environ['PATH']}"}
    return {"PENDULA_CACHE_DIR": "none", "OCL_ICD_VENDORS": folder, **chosen}


def told(*words, code=0, **how):
    done = pendula(*words, code=code, **surroundings(**how))
    return done.out, done.err


def objects(err, what):
    """The lines that begin with a brace, each an object with the keys of its event; and the others."""
    found = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    for one in found:
        check(list(one) == (COMPILE if one["event"] == "compile" else KEYS), f"{what}: keys {list(one)}")
    return found, [line for line in err.splitlines() if not line.startswith("{")]


def compiling():
    """Plain and as objects; those alone that are compiled count."""
    run = ["run", "sweep.yaml", "-d", "native", "--force"]
    out, err = told(*run, "--progress", "plain")
    check(err.startswith("compiling 1 of 2: rk4\ncompiling 2 of 2: second\n100.0%") and "launch" not in err, f"plain: {err}")
    found, others = objects(told(*run, "--progress", "json")[1], "json")
    check([(o["event"], o.get("number"), o.get("count"), o.get("group"), o.get("device"), o.get("first_launch")) for o in found[:2]] ==
          [("compile", 1, 2, "rk4", None, False), ("compile", 2, 2, "second", None, False)] and others == [], f"json: {found} {others}")
    told("run", "sweep.yaml", "-d", "native", "--force", "-q", "-s", "methods=[rk4]", "-o", "old.h5", slow=False)
    out, err = told(*run, "--reuse", "old.h5", "--progress", "plain")
    check(err.startswith("compiling 1 of 1: second\n"), f"one of two groups is compiled: {err}")


def on_a_terminal():
    try:
        code, text = on_terminal("run", "sweep.yaml", "-d", "native", "--force", stdout=subprocess.DEVNULL, **surroundings())
    except OSError as error:
        print(f"skipped: no pseudo-terminal on this machine: {error}")
        return
    check(code == 0 and text.startswith(b"\rcompiling 1 of 2: rk4\rcompiling 2 of 2: second\r") and text.count(b"\n") == 1, f"a terminal: {text}")


def several():
    """Each device compiles by itself, and is named."""
    if not all(shutil.which(name) for name in ("clang", "gcc")):
        print("skipped: clang and gcc are not both there, so that no two devices compile")
        return
    out, err = told("run", "sweep.yaml", "-d", "clang,gcc", "--force", "--progress", "plain", compilers=("clang", "gcc"))
    lines = err.splitlines()
    for name in ("clang", "gcc"):
        mine = [line for line in lines if f" on {name}" in line]
        check(len(mine) == 2 and mine[0].startswith("compiling 1 of 2: rk4 on ") and mine[1].startswith("compiling 2 of 2: second on "), f"{name}: {err}")


def studies():
    """Other commands that compile say it too."""
    out, err = told("advise", "sweep.yaml", "-s", "parameters.x0=1", "-d", "native", "--method", "rk4", "--method", "rk2", "--steps", "4,8")
    check(err.startswith("compiling 1 of 2: rk4\ncompiling 2 of 2: rk2\n") or err.startswith("compiling 1 of 2: rk2\ncompiling 2 of 2: rk4\n"), f"advise: {err}")
    out, err = told("refine", "sweep.yaml", "-d", "native", "--boundary", "x_max=1", "--width", "0.1")
    check(err.startswith("compiling 1 of 2: rk4\ncompiling 2 of 2: second\n"), f"refine: {err}")
    out, err = told("conform", "sweep.yaml", "-s", "parameters.x0=1", "-s", "metrics=[status]", "-d", "native")
    check("compiling 1 of 2: rk4, 2 kernels\n" in err and "compiling 2 of 2: second, 2 kernels\n" in err, f"conform: {err}")


def events():
    """How a run ended is the last object's event; words stay words."""
    run = ["--progress", "json", "-d", "reference"]
    found, others = objects(told("run", "sweep.yaml", *run, "--force")[1], "done")
    first, last = found[0], found[-1]
    check((first["event"], first["file"], first["points"], first["points_done"]) == ("progress", "sweep.h5", 80, 0), f"the first object comes at once: {first}")
    check((last["event"], last["points"], last["points_done"], last["points_failed"], last["seconds_left"]) == ("done", 80, 80, 0, None) and others == [], f"the last: {found}")
    check(len(found) == 2 and last["steps_per_second"] > 0 and last["points_per_second"] > 0, f"no more objects than plain lines, and a first one: {found}")
    found, others = objects(told("run", "sweep.yaml", *run, "--resume")[1], "complete")
    check([(o["event"], o["points"], o["points_done"]) for o in found] == [("done", 80, 80)], f"nothing to compute: {found}")
    found, others = objects(told("run", "some.yaml", *run, "--fail-on", "any", code=10)[1], "some failed")
    check(found[-1]["event"] == "done" and 0 < found[-1]["points_failed"] < 40 and len(others) == 1 and others[0].startswith("pendula: some.h5: "), f"words beside objects: {found} {others}")
    found, others = objects(told("run", "sweep.yaml", *run, "-o", "no.h5", "-s", "step=-1", code=2)[1], "wrong sweep")
    check([(o["event"], o["file"]) for o in found] == [("failed", None)] and len(others) == 1, f"a wrong sweep: {found} {others}")
    found, others = objects(told("run", "sweep.yaml", *run, code=3)[1], "existing file")
    check([(o["event"], o["file"]) for o in found] == [("failed", "sweep.h5")], f"a file that exists: {found}")
    out, err = told("run", "sweep.yaml", *run, "--force", "-q", "--summary", "json")
    check(json.loads(out)["points"] == 80 and [o["event"] for o in objects(err, "-q")[0]] == ["progress", "done"], f"-q leaves what is asked for: {out}{err}")


def stopped():
    process = start("run", "long.yaml", "-d", "native", "--progress", "json", **surroundings(slow=False))
    lines = [process.stderr.readline()]  # comes when the run begins, not when a buffer is full
    while lines[-1] and '"progress"' not in lines[-1]:
        lines.append(process.stderr.readline())
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    rest = process.communicate()[1]
    found, others = objects("".join(lines) + rest, "stopped")
    last = found[-1]
    check(process.returncode == 75 and [o["event"] for o in found[-2:]] == ["progress", "stopped"], f"stopped: {process.returncode} {found} {others}")
    check(last["points"] == 20000 and last["points_done"] < 20000 and last["steps_per_second"] > 0 and last["seconds"] >= 1 and len(others) == 1 and "--resume goes on" in others[0], f"stopped: {last} {others}")


if not shutil.which("cc"):
    skip("no C compiler")
for name, text in (("sweep", SWEEP), ("long", LONG), ("some", SOME)):
    write(f"{name}.yaml", text)
main(*(compiling, on_a_terminal, several), *(() if "--quick" in sys.argv else (studies, events, stopped)), fine="all as documented")
