# abba -- compares two builds of pendula: both run `bench` in turns, A B B A and so on, and the medians decide.
#
#   python3 tests/bench/abba.py BUILD_A BUILD_B [options]     builds: folders with the program pendula, or such programs
#
# Prints B over A for each workload. A change of the machine's mood meets both of a pair, and one that goes one way meets
# A first and B first alike. Exit status: 1 where B is more than 3 % slower beyond the noise, that is where even the upper
# end of the median's 95 % interval is; 2 where something does not run.
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
from pathlib import Path

SLOWER = 0.97


def arguments():
    parser = argparse.ArgumentParser(description="Compares two builds' rates: A B B A.")
    parser.add_argument("a", metavar="BUILD_A", help="a build folder, or its program")
    parser.add_argument("b", metavar="BUILD_B", help="another")
    parser.add_argument("--turns", type=int, default=6, help="how often A B B A is run (default: 6)")
    parser.add_argument("--workloads", default="W1,W2,W3,W5,W4n4,W4n8", help="as of pendula bench")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--repetitions", type=int, default=3, help="of a workload in one run (default: 3)")
    parser.add_argument("--seconds", type=float, default=0.1, help="of a repetition (default: 0.1)")
    parser.add_argument("--steps", type=int, default=500, help="of a point (default: 500)")
    parser.add_argument("--ratio", action="store_true",
                        help="compare ratios to the plain loop: for a noisy machine, where both builds have the same loop")
    asked = parser.parse_args()
    if asked.turns < 2:
        parser.error("--turns is at least 2: fewer say nothing of the noise")
    for build in (asked.a, asked.b):
        if not program_of(build).is_file():
            parser.error(f"no program at {program_of(build)}")
    return asked


def program_of(build):
    path = Path(build)
    return path / "pendula" if path.is_dir() else path


def measure(build, asked):
    """The rate of each workload, in one run of a build."""
    command = [str(program_of(build).resolve()), "bench", "--json", "-d", asked.device, "--workloads", asked.workloads,
               "--repetitions", str(asked.repetitions), "--seconds", str(asked.seconds), "--steps", str(asked.steps)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ)
    if done.returncode != 0:
        raise OSError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
    return {row["workload"]: row["ratio" if asked.ratio else "steps_per_s"] for row in json.loads(done.stdout)}


def interval(ratios):
    """Median and the half width of its 95 % interval: 1.57 times the quartiles' distance over the root of the count."""
    lower, _, upper = statistics.quantiles(ratios, n=4, method="inclusive")
    return statistics.median(ratios), 1.57 * (upper - lower) / math.sqrt(len(ratios))


def main():
    asked = arguments()
    ratios, rates = {}, {}
    for turn in range(asked.turns):
        runs = {"a": [], "b": []}
        for who in "abba" if turn % 2 == 0 else "baab":
            runs[who].append(measure(getattr(asked, who), asked))
        # Neighbours: the first run with the second, the third with the fourth.
        for a, b in zip(runs["a"], runs["b"], strict=True):
            for name in a:
                ratios.setdefault(name, []).append(b[name] / a[name])
                rates.setdefault(name, []).append((a[name], b[name]))
    print(f"{'workload':8} {'A':>10} {'B':>10} {'B/A':>8} {'within':>16} {'range':>16}")
    slower = []
    for name, values in ratios.items():
        middle, half = interval(values)
        a, b = (statistics.median(rate[i] for rate in rates[name]) for i in (0, 1))
        worse = middle + half < SLOWER
        slower += [name] if worse else []
        print(f"{name:8} {a:10.3g} {b:10.3g} {middle:8.3f} {middle - half:8.3f}..{middle + half:.3f} "
              f"{min(values):8.3f}..{max(values):.3f}{'  SLOWER' if worse else ''}")
    return 1 if slower else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
