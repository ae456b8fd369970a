# check_values -- a damaged number is shown by no command: each that reads values of points checks their blocks, or says that it does
# not.
#
# Exit status: 0 all as documented, 1 something is not, 77 skipped because h5py is absent.
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

try:
    import h5py
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

PROGRAM = os.environ["PENDULA_PROGRAM"]
SWEEP = """
problem: pendulum
parameters: {x0: [0.5, 1.0, 1.5], zeta: {linear: [0, 0.3, 4]}}
methods: [theta2: {theta: [0.1, 0.5]}, {label: other, theta1: {}}]
step: 0.1
steps: 20
metrics: [updates, energy_drift]
trajectory: {every: 2, where: {x0: [1.0], zeta: [0.1]}}
"""
SAMPLED = """
problem: pendulum
parameters: {x0: {uniform: [0.5, 1.5]}, zeta: {uniform: [0, 0.3]}}
design: {saltelli: {samples: 8}}
methods: [theta2]
step: 0.1
steps: 20
metrics: [energy_drift]
"""
LARGE = """
problem: pendulum
parameters: {x0: {linear: [0, 1, 23200]}, zeta: {linear: [0, 1, 23200]}}
methods: [theta2]
step: 0.1
steps: 1
metrics: []
"""
COMMANDS = (["info"], ["info", "--json"], ["info", "--stats"], ["export", "--group", "theta2"], ["plot", "--force", "-o", "picture"],
            ["pareto", "--cost", "updates", "--error", "energy_drift"], ["report", "--force", "-o", "page.html"], ["diff", "whole.h5"],
            ["pack", "--force", "-o", "packed.h5"])
BLOCKED = ("status", "updates", "energy_drift", "x", "v")
failures = []


def check(fine, what):
    if not fine:
        failures.append(what)
        print(f"wrong: {what}", flush=True)


def run(words, code=0):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=120)
    check(done.returncode == code, f"{' '.join(words)}: exit {done.returncode}, not {code}: {done.stderr[-300:]}")
    return done.stderr


def sweep(name, text, *words):
    pathlib.Path(f"{name}.yaml").write_text(text)
    run(["run", f"{name}.yaml", "-o", f"{name}.h5", "-d", "reference", "--progress", "none", "--summary", "none", *words])


# Where the numbers of a file's variables are: the name of the group and variable, offset and bytes.
def values(path):
    with h5py.File(path) as file:
        return [(group, name, data.id.get_offset(), data.nbytes)
                for group, members in file.items() if group != "journal"
                for name, data in members.items() if not h5py.h5ds.is_scale(data.id) and data.dtype.kind in "fiu" and name in BLOCKED]


# One bit of one number of a variable: of a block that is done.
def damage(path, to, offset, size, number):
    data = bytearray(pathlib.Path(path).read_bytes())
    data[offset + number * 7919 % size] ^= 1 << number % 8
    pathlib.Path(to).write_bytes(data)


def damaged_numbers():
    sweep("whole", SWEEP)
    sweep("sampled", SAMPLED)
    for number, (group, name, offset, size) in enumerate(values("whole.h5")):
        damage("whole.h5", "damaged.h5", offset, size, number)
        for command, *words in COMMANDS:
            error = run([command, "damaged.h5", *words], 4)
            check("damaged" in error and group in error, f"{command} {words}, {group}/{name}: {error}")
        run(["run", "whole.yaml", "-o", "damaged.h5", "-d", "reference", "--resume", "--trust", "--fail-on", "any", "--progress", "none"], 4)
    _, _, offset, size = values("sampled.h5")[-1]
    damage("sampled.h5", "damaged.h5", offset, size, 5)
    check("damaged" in run(["sensitivity", "damaged.h5"], 4), "sensitivity of a damaged file")


# Only the block of the point that is run again is looked at, whatever the file's size.
def damaged_point():
    group, name, offset, size = next(v for v in values("whole.h5") if v[0] == "other" and v[1] == "energy_drift")
    damage("whole.h5", "damaged.h5", offset, size, 3)
    words = ["--point", "3", "-d", "reference"]
    check("damaged" in run(["replay", "damaged.h5", "--group", "other", *words], 4), "a point of a damaged block is run again")
    run(["replay", "damaged.h5", "--group", "theta2", *words])


# A file of 0.5 GB whose numbers count as more than 4 GiB: nothing of it is computed.
def large():
    if shutil.disk_usage(".").free < 1 << 30:
        print("skipped: a file of 0.5 GB has no room here")
        return
    pathlib.Path("large.yaml").write_text(LARGE)
    child = subprocess.Popen([PROGRAM, "run", "large.yaml", "-d", "reference", "--progress", "none"], stderr=subprocess.DEVNULL)
    for _ in range(600):
        if pathlib.Path("large.h5").exists():
            break
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    child.wait()
    for words in (["info"], ["info", "--stats"]):
        error = run([words[0], "large.h5", *words[1:]])
        check("larger than 4 GiB: its checksums were not looked at" in error, f"{words} of a large file: {error}")


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        damaged_numbers()
        damaged_point()
        large()
    print(f"values: {len(failures)} wrong" if failures else "values: no command shows a damaged number")
    return 1 if failures else 0


sys.exit(main())
