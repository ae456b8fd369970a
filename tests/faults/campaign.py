#!/usr/bin/env python3
# campaign -- kills the commands that make result files, lets disks fail and damages files: each must come out the same, or be refused.
#
#   campaign.py [--full] [--only KIND]... [--KIND COUNT]... [--seed N] [--index I] [--json] [--counts FILE]
#
# PENDULA_PROGRAM names the program, PENDULA_FAULT_SHIM the library of shim.c; without them those of build/ are taken. Each trial depends on
# the seed, its kind and its index alone, but for the moment at which a signal arrives. A trial whose fault came too late is counted as that.
#
# Exit status: 0 all as documented, 1 something is not.
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
os.environ.setdefault("PENDULA_FAULT_SHIM", str(ROOT / "build" / "tests" / "libfault_shim.so"))

sys.path.insert(0, str(ROOT / "tests" / "support"))
import scenarios  # noqa: E402
import trials  # noqa: E402
import turn  # noqa: E402

# Counts of a test among others, and all; None: each that there is.
COUNTS = {"kills": (100, 500), "operations": (400, None), "cuts": (300, 800), "disk": (400, None), "bytes": (300, 2000), "truncations": (40, 100), "ranks": (6, 35)}


def read_arguments():
    parser = argparse.ArgumentParser(description="Disturbs the making of result files in every way that is known.")
    parser.add_argument("--full", action="store_true", help="all trials: ten minutes on two cores")
    parser.add_argument("--only", action="append", choices=list(COUNTS), metavar="KIND", help="this kind alone: " + ", ".join(COUNTS))
    for kind in COUNTS:
        parser.add_argument(f"--{kind}", type=int, metavar="COUNT", help=f"so many trials of {kind}")
    parser.add_argument("--seed", type=int, default=turn.part(1 << 16) or 0, help="default: by PENDULA_TURN (tests/support/turn.py)")
    parser.add_argument("--index", type=int, help="this trial alone, of one kind")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="an object per kind")
    parser.add_argument("--counts", metavar="FILE", help="the number of trials of each kind, as JSON")
    given = parser.parse_args()
    if given.index is not None and len(given.only or []) != 1:
        parser.error("--index is of one kind: --only KIND")
    return given


def choose(given, name, kind):
    """The indices of the trials of a kind."""
    if given.index is not None:
        return [given.index]
    count = getattr(given, name)
    if count is None:
        count = COUNTS[name][given.full]
    if kind.total is None:
        return range(count)
    if count is None or count >= kind.total:
        return range(kind.total)
    return sorted(random.Random(f"{given.seed} {name}").sample(range(kind.total), count))


def try_one(given, name, kind, base, index):
    folder = pathlib.Path(tempfile.mkdtemp(dir=base))
    try:
        what, wrong, in_time = kind.trial(index, trials.make_rng(given.seed, name, index), folder)
    except Exception as error:  # a trial that breaks is one that failed
        what, wrong, in_time = "the trial itself", [f"{type(error).__name__}: {error}"], True
    shutil.rmtree(folder)
    return {"index": index, "what": what, "wrong": wrong, "in_time": in_time}


def campaign(given, name, made, shim, base):
    row = {"kind": name, "trials": 0, "equal": 0, "late": 0, "failures": [], "seconds": 0.0, "skipped": trials.KINDS[name].unless}
    if row["skipped"]:
        return row
    begun = time.monotonic()
    kind = trials.KINDS[name](made, shim, base)
    with concurrent.futures.ThreadPoolExecutor(given.workers) as pool:
        for done in pool.map(lambda index: try_one(given, name, kind, base, index), choose(given, name, kind)):
            row["trials"] += 1
            row["late"] += not done["in_time"]
            row["equal"] += not done["wrong"]
            if done["wrong"]:
                row["failures"].append(done | {"repeat": f"python3 tests/faults/campaign.py --only {name} --seed {given.seed} --index {done['index']}"})
    row["seconds"] = round(time.monotonic() - begun, 1)
    return row


def show(row):
    if row["skipped"]:
        print(f"{row['kind']:12} skipped: {row['skipped']}", flush=True)
        return
    print(f"{row['kind']:12} {row['trials']:5} trials, {row['equal']:5} equal, {row['late']:4} too late, {len(row['failures']):4} failures; {row['seconds']:.0f} s", flush=True)
    for failure in row["failures"]:
        print(f"  {failure['what']}: {'; '.join(failure['wrong'])}\n    {failure['repeat']}", flush=True)


def main():
    given = read_arguments()
    shim = pathlib.Path(os.environ["PENDULA_FAULT_SHIM"]).resolve()
    # In memory, where a disk of this machine does not decide how long it takes.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 1 << 29 else None
    with tempfile.TemporaryDirectory(dir=memory) as place:
        base = pathlib.Path(place)
        made = scenarios.make_all(base, shim)
        rows = []
        for name in given.only or COUNTS:
            rows.append(campaign(given, name, made, shim, base))
            if not given.json:
                show(rows[-1])
    if given.json:
        print(json.dumps(rows))
    if given.counts:
        pathlib.Path(given.counts).write_text(json.dumps({row["kind"]: row["trials"] for row in rows}))
    return 1 if any(row["failures"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
