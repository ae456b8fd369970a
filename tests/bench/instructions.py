#!/usr/bin/env python3
# instructions -- machine instructions that the kernel of each `pendula bench` workload takes for a step of its lanes, counted by
# valgrind, beside a ceiling.
#
# A count depends on the compiler and the instruction set. No clock, neighbour or frequency moves it, so that it shows on a busy
# machine what a measured rate shows on a quiet one only. valgrind offers PoCL one processor whatever the real one is (`haswell`, with
# vectors of 256 bits), and counts what the kernel's own functions execute, which is the first launch without work too: 14 of each
# number. The length of slices, which follows the clock, moves a count by half a percent; the ceilings leave 3 %.
#
# usage: instructions.py [--pendula PROGRAM] [--turn] [WORKLOAD...]
# Without names all workloads are counted, with --turn the half whose turn it is (tests/support/turn.py).
# Exit codes: 0 none above its ceiling, 1 one is, 77 nothing could be counted here. A change that saves instructions lowers `counted`.
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, f"{sys.path[0]}/../support")
import turn  # noqa: E402

PROCESSOR = "haswell"
LANES, POINTS, STEPS = 16, 64, 100
ALLOWED = 1.03

# For one step of 16 points, with PoCL 3.1 on LLVM 15 (Debian 12).
counted = {
    "W1": 1218,
    "W2": 2481,
    "W3": 832,
    "W5": 5156,
    "W4n4": 6635,
    "W4n8": 16819,
    "W1a": 938,
    "W4n8a": 9867,
}


def fill_sweep(program, workload, path):
    """Writes the workload's sweep, with few points."""
    text = subprocess.run([program, "bench", "--print", workload, "--steps", str(STEPS)], check=True, capture_output=True, text=True).stdout
    few, changed = re.subn(r", 65536\]", f", {POINTS}]", text)
    if changed != 1:
        sys.exit(f"instructions: the axis of {workload} was not found in:\n{text}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(few)


def run_under(tool, program, folder):
    """Runs the sweep under a tool of valgrind and returns the program's summary, which names the device."""
    return subprocess.run(["valgrind", *tool, program, "run", "work.yaml", "-d", "cpu", "--lanes", str(LANES), "--force"],
                          cwd=folder, env={**os.environ, "POCL_CACHE_DIR": folder, "PENDULA_CACHE_DIR": "none"}, check=True,
                          capture_output=True, text=True).stdout


def count_in(path):
    """The instructions of the kernel in a file of cachegrind's: lines fn=NAME, each followed by lines LINE COUNT."""
    inside, count = False, 0
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("fn="):
                inside = line.startswith(("fn=_pocl_kernel_sweep", "fn=observe_block"))
            elif inside and line[0].isdigit():
                count += int(line.split()[1])
    return count


class NotCounted(Exception):
    pass


def count_workload(program, workload, folder):
    os.mkdir(folder)
    fill_sweep(program, workload, os.path.join(folder, "work.yaml"))
    run_under(["--tool=none"], program, folder)  # the compiler, under the fastest tool: below, PoCL's cache has the kernel
    said = run_under(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=counts"], program, folder)
    if PROCESSOR not in said:
        raise NotCounted(f"counts are for PoCL on {PROCESSOR}, and the device is another:\n{said}")
    return count_in(os.path.join(folder, "counts")) * LANES / POINTS / STEPS


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pendula", default=os.environ.get("PENDULA_PROGRAM", "build/pendula"))
    parser.add_argument("--turn", action="store_true")
    parser.add_argument("workloads", nargs="*", default=[])
    given = parser.parse_args()
    program = os.path.abspath(given.pendula)
    if not shutil.which("valgrind"):
        print("skipped: counting instructions needs the Debian package valgrind")
        return 77
    failed = False
    half = turn.part(2) if given.turn else None
    workloads = given.workloads or [name for i, name in enumerate(counted) if half in (None, i % 2)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = pool.map(lambda workload: count_workload(program, workload, os.path.join(folder, workload)), workloads)
        for workload in workloads:
            try:
                now, before = next(counts), counted.get(workload)
            except NotCounted as why:
                print(f"skipped: {why}")
                return 77
            ratio = now / before if before else float("nan")
            verdict = "TOO MANY" if ratio > ALLOWED else "fewer: lower its line in tests/bench/instructions.py" if ratio < 0.97 else ""
            print(f'    "{workload}": {now:.0f},  # {ratio:.3f} of what was counted before {verdict}'.rstrip(), flush=True)
            failed = failed or not now > 0 or ratio > ALLOWED
    return 1 if failed else 0


sys.exit(main())
