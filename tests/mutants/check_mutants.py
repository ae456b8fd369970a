# check_mutants -- every edit of the lists still fits its file, and the parts that turns choose hold each mutant once.
#
# Exit status: 0 all as it should be, 1 something is not.
import os
import pathlib
import subprocess
import sys

CAMPAIGN = pathlib.Path(os.environ["PENDULA_SOURCE_DIR"]) / "tests/mutants/campaign.py"
PARTS = 10
failures = []


def names(*words, code=0):
    done = subprocess.run([sys.executable, CAMPAIGN, "--list", *words], capture_output=True, text=True)
    if done.returncode != code:
        failures.append(f"{words}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout.splitlines()[:-1]


def main():
    everything = names()
    parts = [names("--turn", f"{part:x}/{PARTS}") for part in range(PARTS)]
    if sorted(sum(parts, [])) != sorted(everything) or len(everything) < 1000:
        failures.append(f"{len(everything)} mutants, {sum(map(len, parts))} in {PARTS} parts")
    if min(map(len, parts)) < len(everything) / PARTS / 2:
        failures.append(f"uneven parts: {[len(part) for part in parts]}")
    # Of a long hash the first eight digits are taken: 0x1b = 27 chooses part 7.
    if names("--turn", f"0000001b{'f' * 32}/{PARTS}") != parts[7]:
        failures.append("a hash chooses another part than its first digits")
    names("--turn", "x/10", code=2)
    names("--turn", "1/0", code=2)
    names("--only", "no such mutant", code=2)
    for line in failures:
        print(f"wrong: {line}")
    return 1 if failures else 0


sys.exit(main())
