# check_damage -- damaged result files given to `info`, `plot`, `pareto` and `replay`: no crash, no hang, one line of message.
#
#   check.py damage [COUNT]   damages COUNT files (60) in ways that depend on their number alone
#
# Most damage goes where HDF5 keeps its own structures, above all to its heap of texts, which has no checksums.
import random
import re
import sys

from checking import check, ended, finish, folder, pendula, remove, write
from seal import split
from sweeps import FEW

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 60
COMMANDS = (["info"], ["info", "--json"], ["verify"], ["merge", "--force", "-o", "merged.h5", "--progress", "none"], ["plot", "--force", "-o", "picture"], ["pareto", "--cost", "steps", "--error", "energy_drift"],
            ["replay", "--group", "theta2", "--point", "15", "-d", "reference"])
FIRST = 900  # without the check of the seal HDF5 spun on file 938 and crashed on 943
SECONDS = 120
# How HDF5's structures begin: the file itself, heap of texts, object headers, heaps and trees of links and attributes.
MARKS = re.compile(rb"\x89HDF|GCOL|OHDR|OCHK|FRHP|FHDB|FHIB|FSHD|FSSE|BTHD|BTLF|BTIN|SNOD|TREE|HEAP")
PATTERNS = (b"\xff" * 8, b"\x00" * 8, b"\xff\xff\xff\x7f", b"\x01\x00\x00\x00\x00\x00\x00\x00", b"\xf0\xff\xff\xff")


def place(rng, data, marks):
    kind = rng.random()
    if kind < 0.2:
        offset, length = rng.choice(split(data)[1])
        return offset + rng.randrange(length)
    if kind < 0.45:  # texts
        heap = rng.choice([mark for mark in marks if data[mark:mark + 4] == b"GCOL"])
        return heap + rng.randrange(4096) if rng.random() < 0.5 else heap + rng.randrange(64)
    if kind < 0.8:
        return rng.choice(marks) + rng.randrange(256)
    if kind < 0.9:
        return len(data) - 1 - rng.randrange(512)
    return rng.randrange(len(data))


# The bytes of damaged file `number`, and what was done to it.
def damaged(number, whole, marks):
    rng = random.Random(number)
    data = bytearray(whole)
    at = min(place(rng, whole, marks), len(data) - 1)
    size = 1 << rng.randrange(13)
    kind = rng.choice(("flip", "flip", "flips", "pattern", "noise", "zero", "cut", "swap", "copy"))
    if kind == "flip":
        data[at] ^= 1 << rng.randrange(8)
    elif kind == "flips":
        for _ in range(8):
            data[min(place(rng, whole, marks), len(data) - 1)] ^= 1 << rng.randrange(8)
    elif kind == "pattern":
        pattern = rng.choice(PATTERNS)
        at &= ~3
        data[at:at + len(pattern)] = pattern
    elif kind == "noise":
        data[at:at + size] = rng.randbytes(size)
    elif kind == "zero":
        data[at:at + size] = bytes(size)
    elif kind == "cut":
        del data[at:]
    else:
        other = min(place(rng, whole, marks), len(data) - 1)
        data[at:at + size], moved = data[other:other + size], data[at:at + size]
        if kind == "swap":
            data[other:other + size] = moved
    return bytes(data[:max(len(whole), 1)]), f"file {number} ({kind} of {size} at {at})"


counts = {}
pendula("run", write("small.yaml", FEW), "-o", "whole.h5", "-d", "reference", "--progress", "none")
whole = (folder / "whole.h5").read_bytes()
marks = [match.start() for match in MARKS.finditer(whole)]
for number in range(FIRST, FIRST + COUNT):
    bytes_now, what = damaged(number, whole, marks)
    (folder / "damaged.h5").write_bytes(bytes_now)
    remove("picture*")
    for command in COMMANDS:
        code, _, error = ended(command[0], "damaged.h5", *command[1:], seconds=SECONDS)
        counts[command[0], code] = counts.get((command[0], code), 0) + 1
        # What is damaged is missing (6) where a file is checked or merged; merge names it besides.
        lines = {"verify": 1, "merge": 2}.get(command[0], 0) if code == 6 else 1
        check(code == 0 or (code in (4, 6) and 0 < error.count("\n") <= lines and error.startswith("pendula: ")), f"{command[0]} of {what}: {code}: {error[:400]}")
for (command, code), count in sorted(counts.items(), key=str):
    print(f"{command}: {count} files with exit code {code}")
finish(f"{COUNT} damaged files of {len(whole)} bytes: all as documented")
