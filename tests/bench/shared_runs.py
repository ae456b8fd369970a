#!/usr/bin/env python3
# shared_runs -- what sharing a run costs: two ranks against one process, two devices against each alone; and a run of 10^7 points.
"""Prints one line of JSON per measurement; run it on a machine with nothing else to do.

    shared_runs.py [--program PROGRAM] [--mpi PROGRAM] [--repeat N] [--only ranks|devices|large] [--device DEVICE]

- ranks: `mpirun -n 2` against one process with as many threads as both have together (--mpi: a build with MPI)
- devices: `-d 0,1` against `-d 0` and `-d 1`, by two devices of PoCL of one thread each (POCL_DEVICES="basic basic"); and, what the
  machine itself leaves of two, both at a time in processes of their own
- large: 10^7 points of metrics: time, share of it that is not computing, peak memory; then `verify` and `run --resume`

Each turn measures all of a comparison, one after the other; the ratios of turns are listed as median and quartiles. Programs are
compiled before.
"""
import argparse
import filecmp
import json
import os
import pathlib
import re
import statistics
import tempfile
import time

from measured import finish, ROOT, start

SWEEP = """problem: pendulum
parameters: {{x0: {{linear: [0.1, 3, {count}]}}, zeta: {{linear: [0, 0.2, 500]}}}}
methods: [generalized_alpha]
step: 0.05
end: {end}
metrics: [status, updates, energy_drift, x_final]
"""
ALONE = {"POCL_DEVICES": "basic basic"}


def wall(*commands):
    """Seconds until all have ended that are started together."""
    begun = time.monotonic()
    for child in [start(*words, **environment) for words, environment in commands]:
        finish(child)
    return time.monotonic() - begun


def spread(ratios):
    low, middle, high = statistics.quantiles(ratios, n=4)
    return {"median": round(middle, 3), "quartiles": [round(low, 3), round(high, 3)], "turns": len(ratios)}


def run(program, folder, device, name):
    return [program, "run", folder / "sweep.yaml", "-o", folder / name, "--force", "--progress", "none", *(["-d", device] if device else [])]


def ranks(given, folder):
    launcher = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "2"]
    one = (run(given.mpi, folder, "cpu", "one.h5"), {})
    two = (launcher + run(given.mpi, folder, "cpu", "two.h5"), {})
    wall(one), wall(two)
    same = filecmp.cmp(folder / "one.h5", folder / "two.h5", shallow=False)
    turns = [(wall(one), wall(two)) for _ in range(given.repeat)]
    print(json.dumps({"ranks": spread([a / b for a, b in turns]), "one_seconds": statistics.median(a for a, _ in turns),
                      "two_seconds": statistics.median(b for _, b in turns), "same_bytes": same}), flush=True)


def devices(given, folder):
    def on(device, name):
        return run(given.program, folder, device, name), ALONE
    wall(on("0", "a.h5")), wall(on("0,1", "b.h5"))
    turns = [(wall(on("0", "a.h5")), wall(on("1", "a.h5")), wall(on("0,1", "b.h5")), wall(on("0", "a.h5"), on("1", "c.h5"))) for _ in range(given.repeat)]
    same = filecmp.cmp(folder / "a.h5", folder / "b.h5", shallow=False)
    print(json.dumps({"devices": spread([1 / both / (1 / a + 1 / b) for a, b, both, _ in turns]),
                      "two_processes": spread([2 / apart / (1 / a + 1 / b) for a, b, _, apart in turns]), "same_bytes": same}), flush=True)


def large(given, folder):
    words = run(given.program, folder, given.device, "large.h5")
    finish(start(*words, "-s", "end=1"))
    out, memory = finish(start(*words))
    seconds, ratio, computing = map(float, re.search(r"in ([\d.]+) s, ([\d.]+) x the ([\d.]+) s", out).groups())
    row = {"points": int(re.search(r": (\d+) points", out)[1]), "bytes": (folder / "large.h5").stat().st_size, "seconds": seconds,
           "computing_seconds": computing, "beside_computing": round(ratio - 1, 4), "peak_mib": round(memory, 1)}
    for name, command in (("verify", [given.program, "verify", folder / "large.h5"]), ("resume", words + ["--resume"]), ("trust", words + ["--resume", "--trust"])):
        begun = time.monotonic()
        _, memory = finish(start(*[w for w in command if w != "--force" or name == "verify"]))
        row |= {f"{name}_seconds": round(time.monotonic() - begun, 3), f"{name}_mib": round(memory, 1)}
    print(json.dumps(row), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("PENDULA_PROGRAM", ROOT / "build/pendula"))
    parser.add_argument("--mpi")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--only", choices=["ranks", "devices", "large"])
    parser.add_argument("--device")
    given = parser.parse_args()
    for name, part, count, end in (("ranks", ranks, 2000, 480), ("devices", devices, 2000, 720), ("large", large, 20000, 60)):
        if given.only in (None, name) and (name != "ranks" or given.mpi):
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "sweep.yaml").write_text(SWEEP.format(count=count, end=end))
                part(given, pathlib.Path(folder))


if __name__ == "__main__":
    main()
