# check_values -- a damaged number is shown by no command: each that reads values of points checks their blocks, or says that it does
# not.
import shutil
import signal
import time

from checking import check, flip, folder, h5, main, need, pendula, run, start, write
from sweeps import FEW

h5py = need("h5py")

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


def error_of(*words, code=4):
    return pendula(*words, code=code, seconds=120).err


# Where the numbers of a file's variables are: the name of the group and variable, offset and bytes.
def values(name):
    with h5(name) as file:
        return [(group, name, data.id.get_offset(), data.nbytes)
                for group, members in file.items() if group != "journal"
                for name, data in members.items() if not h5py.h5ds.is_scale(data.id) and data.dtype.kind in "fiu" and name in BLOCKED]


# One bit of one number of a variable: of a block that is done.
def damage(name, offset, size, number):
    flip(name, offset + number * 7919 % size, "damaged", 1 << number % 8)


def damaged_numbers():
    run("whole", FEW)
    run("sampled", SAMPLED)
    for number, (group, name, offset, size) in enumerate(values("whole")):
        damage("whole", offset, size, number)
        for command, *words in COMMANDS:
            error = error_of(command, "damaged.h5", *words)
            check("damaged" in error and group in error, f"{command} {words}, {group}/{name}: {error}")
        error_of("run", "whole.yaml", "-o", "damaged.h5", "-d", "reference", "--resume", "--trust", "--fail-on", "any", "--progress", "none")
    _, _, offset, size = values("sampled")[-1]
    damage("sampled", offset, size, 5)
    check("damaged" in error_of("sensitivity", "damaged.h5"), "sensitivity of a damaged file")


# Only the block of the point that is run again is looked at, whatever the file's size.
def damaged_point():
    group, name, offset, size = next(v for v in values("whole") if v[0] == "other" and v[1] == "energy_drift")
    damage("whole", offset, size, 3)
    words = ["--point", "3", "-d", "reference"]
    check("damaged" in error_of("replay", "damaged.h5", "--group", "other", *words), "a point of a damaged block is run again")
    error_of("replay", "damaged.h5", "--group", "theta2", *words, code=0)


# A file of 0.5 GB whose numbers count as more than 4 GiB: nothing of it is computed.
def large():
    if shutil.disk_usage(folder).free < 1 << 30:
        print("skipped: a file of 0.5 GB has no room here")
        return
    child = start("run", write("large.yaml", LARGE), "-d", "reference", "--progress", "none")
    for _ in range(600):
        if (folder / "large.h5").exists():
            break
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    child.communicate()
    for words in (["info"], ["info", "--stats"]):
        error = error_of(words[0], "large.h5", *words[1:], code=0)
        check("larger than 4 GiB: its checksums were not looked at" in error, f"{words} of a large file: {error}")


main(damaged_numbers, damaged_point, large, fine="no command shows a damaged number")
