# check_shape_trial -- a trial finds the shape that is fastest, long runs make one, and what was found is remembered.
#
#   check.py shape_trial --shim LIBRARY     LIBRARY: what makes programs of some shapes slow (tests/shim)
#
# Which shape is the fastest is decided by the shim, which lets launches of the others take longer.
import json
import re
import signal
import time

from checking import check, faked, finish, folder, log_of, option, start, write

SWEEP = "problem: pendulum\nparameters: {x0: {linear: [0.1, 3, 4096]}}\nmethods: [rk4]\nstep: 0.01\nsteps: 100\nmetrics: [status, x_final]\n"
LONG = SWEEP.replace("4096", "4000000").replace("100\n", "20\n")
FEW = SWEEP.replace("4096", "65536").replace("100\n", "400\n") + "trajectory: {every: 1, where: {x0: 0.1}}\n"


def begun(*words, cache, compiler="none", **fakes):
    return start(*words, PENDULA_CC=compiler, PENDULA_CACHE_DIR=folder / cache, **faked(option("--shim"), **fakes))


def pendula(*words, code=0, **more):
    process = begun(*words, **more)
    out, error = process.communicate()
    check(process.returncode == code, f"{words}: exit {process.returncode}, not {code}: {error}")
    return out, error


def bench(*words, **more):
    out, _ = pendula("bench", "sweep.yaml", "--repetitions", "1", "--seconds", "0.001", "--json", *words, **more)
    return json.loads(out)[0]


def slow(*options, seconds=0.1):
    return ",".join(f"{option}:{seconds}" for option in options)


def check_lanes(name, taken, words, **fakes):
    """A trial finds `taken` lanes; later builds begin with them, and make no other."""
    found = bench("--try-shapes", cache=name, **fakes)
    check(found["lanes"] == taken and re.search(words, found["trial"]), f"{name}: {found['lanes']} lanes, '{found['trial']}'")
    for more in ((), ("--try-shapes",)):
        again = bench(*more, cache=name, **fakes)
        check(again["lanes"] == taken and again["trial"] == "", f"{name}, again: {again['lanes']} lanes, '{again['trial']}'")


def check_trials():
    unasked = bench(cache="unasked", slow_build=slow("LANES=16"))
    check(unasked["lanes"] == 16 and unasked["trial"] == "", f"unasked: {unasked['lanes']} lanes, '{unasked['trial']}'")
    asked = bench("--lanes", "8", "--try-shapes", cache="unasked")
    check(asked["lanes"] == 8 and asked["trial"] == "", f"asked for 8: {asked['lanes']} lanes, '{asked['trial']}'")
    by_hand = json.loads(pendula("bench", "--workloads", "W3", "--lanes", "8", "--steps", "20", "--repetitions", "1", "--seconds", "0.001",
                                 "--json", cache="unasked")[0])[0]
    check(by_hand["lanes"] == 8 and by_hand["bare_ratio"] > 0, f"W3 with 8: {by_hand}")
    check_lanes("more", 32, r"^16 lanes 1\.000, 8 lanes [0-9.]+, 32 lanes [0-9.]+: 32 lanes taken$", slow_build=slow("LANES=16", "LANES=8"))
    check_lanes("same", 16, r": 16 lanes taken$", slow_build=slow("LANES=8", "LANES=32"))
    check_lanes("refused", 8, r"^16 lanes 1\.000, 8 lanes [0-9.]+, 32 lanes not to be had: 8 lanes taken$", slow_build=slow("LANES=16"),
                no_option="LANES=32")


def check_groups():
    """On a GPU an item is one point, and the size of work groups is tried."""
    gpu = {"type": "gpu", "work_group": "128"}
    found = bench("--try-shapes", cache="groups", slow_build=slow("LOCAL_SIZE=64", "LOCAL_SIZE=32"), **gpu)
    words = r"^work groups of 64 1\.000, work groups of 32 [0-9.]+, work groups of 128 [0-9.]+: work groups of 128 taken$"
    check(found["lanes"] == 1 and re.search(words, found["trial"]), f"a GPU: {found['lanes']} lanes, '{found['trial']}'")
    again = bench("--try-shapes", cache="groups", log="launches", **gpu)
    launches = (folder / "launches").read_text(encoding="utf-8")
    sizes = set(re.findall(r"launch sweep global \d+ local (\d+) ", launches))
    check(again["trial"] == "" and sizes == {"128"}, f"a GPU: what was found is not remembered: work groups of {sizes}")


def check_gpu():
    """A GPU works on many points at a time where few of them store trajectories, and `conform` builds for its one lane."""
    pendula("run", "few.yaml", "-o", "few.h5", "--progress", "none", cache="few", type="gpu", units="8", log="few-calls")
    launches = re.findall(r"launch sweep global (\d+) ", (folder / "few-calls").read_text(encoding="utf-8"))
    check(launches and set(launches) == {"65536"}, f"a GPU is given {set(launches)} points at a time, not 65536")
    out, _ = pendula("conform", "small.yaml", cache="few", compiler="gcc", type="gpu", log="conform-calls")
    lanes = set(re.findall(r"LANES=(\d+)", (folder / "conform-calls").read_text(encoding="utf-8")))
    check(" (lane 1)\n" in out and lanes == {"1"}, f"conform builds for {lanes} lanes of a GPU: {out}")


def check_run():
    """A long run looks for the fastest shape, and its results are those of a run without."""
    pendula("run", "long.yaml", "-o", "plain.h5", "--lanes", "8", "--progress", "none", cache="run")
    _, said = pendula("run", "long.yaml", "-o", "tried.h5", "--progress", "none", cache="run", slow_build=slow("LANES=16", "LANES=8", seconds=0.4))
    words = "group 'rk4': a trial on '.*': 16 lanes 1.000, 8 lanes [0-9.]+, 32 lanes [0-9.]+: 32 lanes taken\n"
    check(len(re.findall(words, said)) == 1, f"a long run does not say what its trial found: {said}")
    out, _ = pendula("diff", "plain.h5", "tried.h5", cache="run")
    check("4000000 points in common" in out and not re.search(r": [1-9]\d* of", out), f"a trial changed results: {out}")
    log = log_of("tried")
    check(len(log[-1].get("trials", [])) == 1 and log[-1]["trials"][0] in said, f"the log does not hold what the trial found: {log[-1]}")
    # A run of seconds makes none.
    _, said = pendula("run", "short.yaml", "-o", "short.h5", "--progress", "none", cache="short", slow_build=slow("LANES=16", seconds=0.05))
    check("trial" not in said, f"a short run makes a trial: {said}")


def check_signal():
    """A signal while other shapes are compiled ends the run as at any time."""
    process = begun("run", "long.yaml", "-o", "ended.h5", "--progress", "none", cache="signal", slow_build=slow("LANES=16", seconds=0.4), build="4",
                    log="builds")
    builds = folder / "builds"
    began = time.monotonic()
    while time.monotonic() - began < 120 and not (builds.exists() and "LANES=8" in builds.read_text(encoding="utf-8")):
        time.sleep(0.05)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    check(process.returncode == 75 and "--resume goes on" in said, f"a signal while shapes compile: exit {process.returncode}: {said}")
    check(time.monotonic() - sent < 4, f"a signal while shapes compile took {time.monotonic() - sent:.1f} s")


write("sweep.yaml", SWEEP)
write("short.yaml", SWEEP.replace("4096", "200000").replace("100\n", "20\n"))
write("long.yaml", LONG)
write("few.yaml", FEW)
write("small.yaml", SWEEP.replace("4096", "4"))
for part in (check_trials, check_groups, check_gpu, check_run, check_signal):
    began = time.monotonic()
    part()
    print(f"{part.__name__}: {time.monotonic() - began:.1f} s", flush=True)
finish()
