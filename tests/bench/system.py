#!/usr/bin/env python3
# system -- from the call to the result: what a whole run costs beside its kernels, ratios and seconds taken in turns.
"""Measures one program, or two in turns, and prints a table of Markdown.

    system.py --pendula build/pendula [--before OTHER] [--repetitions N] [--only TEXT] [--write]

A figure is the median of its repetitions; those of both programs alternate. A command that takes more than a minute is ended. --only takes the rows whose words have TEXT. --write makes
docs/results/SYSTEM.md of it. Files lie in /dev/shm where there is one, so that no disk is measured. Nothing else should run meanwhile.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import tempfile
import time

from measured import ROOT, processor

LONGEST = 60  # seconds of a command on a result file
PAGE = ROOT / "docs/results/SYSTEM.md"
PENDULUM = """problem: pendulum
parameters: {x0: {linear: [0.5, 2.5, %d]}}
methods: [%s]
step: 0.01
steps: %d
newton: {mode: paper, tolerance: 1.0e-10}
metrics: [status, x_final]
"""
ALPHA, RK4 = "generalized_alpha: {rho_inf: 0.6}", "rk4"
STIFF = """problem: %s
parameters: {eps: [%s]}
methods: [%s]
step: %g
steps: %d
newton: {mode: paper, tolerance: 1.0e-10}
metrics: [status, updates]
"""
POLAR = """problem:
  coordinates: {r: m, theta: rad}
  acceleration: ["r*v_theta^2 - (1/eps^2)*(r - 1) + g*cos(theta)", "-(2*v_r*v_theta + g*sin(theta))/r"]
  start: ["1 + k*eps", "pi/4"]
  start_velocity: ["sqrt(0.5)", "-sqrt(0.5)"]
  parameters: {eps: {default: 0.01}, k: {default: 1}, g: {default: 1}}
"""
SHAPE = """parameters: {eps: {log: [1.0e-3, 1.0e-1, 32768]}}
methods: [theta2: {theta: 0.5}]
step: 0.005
steps: 500
newton: {jacobian: analytic}
metrics: [status, x_final]
"""
GRID = """problem: pendulum
parameters: {x0: {linear: [0.1, 3, 1000]}, g: {linear: [0.5, 2, 1000]}}
methods: [rk4]
step: 0.01
steps: 100
"""
ALL = "problem: double_pendulum\nmethods: [generalized_alpha]\nparameters: {g: {linear: [1, 2, 100]}}\nstep: 0.01\nsteps: 100\n"
QUICKSTART = (ROOT / "sweeps/quickstart.yaml").read_text()


def geometric(first, last, count):
    return [first * (last / first) ** (i / (count - 1)) for i in range(count)]


class Program:
    """A built program, with a cache and a folder of its own."""

    def __init__(self, path, folder):
        self.path, self.folder = os.path.abspath(path), pathlib.Path(folder)
        self.cache = self.folder / "cache"
        self.folder.mkdir()
        self.cache.mkdir(mode=0o700)

    def start(self, words, environment=None, **how):
        return subprocess.Popen([self.path, *map(str, words)], env={**os.environ, "PENDULA_CACHE_DIR": str(self.cache), **(environment or {})},
                                stdout=subprocess.DEVNULL, **{"stderr": subprocess.PIPE, "text": True, **how})

    def command(self, *words):
        """Seconds of a command, whose files are thrown away; infinity where it does not end in time."""
        began = time.monotonic()
        child = self.start(words)
        try:
            _, error = child.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return math.inf
        if child.returncode:
            raise SystemExit(f"{self.path} {' '.join(map(str, words))}: {error[-500:]}")
        return time.monotonic() - began

    def run(self, text, *words, environment=None, cores=None):
        """One run: what its log's last line says, seconds of the whole command, and on a terminal, which shows progress ten times a second,
        seconds until the first points."""
        sweep, output = self.folder / "sweep.yaml", self.folder / "result.h5"
        sweep.write_text(text)
        output.unlink(missing_ok=True)
        log = pathlib.Path(f"{output}.log")
        log.unlink(missing_ok=True)
        ours, its = os.openpty()
        all_words = ["run", sweep, "-o", output, "--force", *(words if "-d" in words else ("-d", "cpu", *words))]
        began, first, shown = time.monotonic(), None, b""
        child = self.start(all_words, environment, stderr=its, preexec_fn=(lambda: os.sched_setaffinity(0, cores)) if cores else None)
        os.close(its)
        try:
            while piece := os.read(ours, 1 << 16):
                shown += piece
                if first is None and re.search(rb"(?<![0-9.])(?!0+\.?0*%)[0-9.]+%", shown):
                    first = time.monotonic() - began
        except OSError:  # its other end is closed
            pass
        os.close(ours)
        if child.wait():
            raise SystemExit(f"{self.path}: a sweep failed:\n{text}{shown[-500:].decode(errors='replace')}")
        whole = time.monotonic() - began
        end = json.loads(log.read_text().splitlines()[-1])
        return {"rate": end["steps"] / max(end["compute_seconds"], 1e-9), "whole_rate": end["steps"] / whole, "whole": whole,
                "first": first if first is not None else whole, "per_compute": end["seconds_per_compute"], "lanes": end["lane_efficiency"]}

    def cold(self, text, key, *words):
        """The same with an empty cache, which is thrown away."""
        fresh = self.folder / "fresh"
        fresh.mkdir(mode=0o700)
        value = self.run(text, *words, environment={"PENDULA_CACHE_DIR": str(fresh)})[key]
        shutil.rmtree(fresh)
        return value

    def over(self, key, measured, yardstick):
        """One figure over the other, both measured now."""
        return self.run(*measured)[key] / self.run(*yardstick)[key]


def ratio(measured, yardstick, key="rate"):
    return lambda program: program.over(key, measured, yardstick)


def value(key, *what, **how):
    return lambda program: program.run(*what, **how)[key]


def cores(program, text):
    """Both cores over one."""
    return program.run(text)["rate"] / program.run(text, environment={"POCL_MAX_PTHREAD_COUNT": "1"}, cores={0})["rate"]


def file_system(folder, count):
    """Bytes a second that a new file takes, its room taken before as a run does."""
    piece, path = bytes(1 << 24), folder / "room"
    began = time.monotonic()
    with open(path, "wb", buffering=0) as file:
        os.posix_fallocate(file.fileno(), 0, count)
        for _ in range(count // len(piece)):
            file.write(piece)
    seconds = time.monotonic() - began
    path.unlink()
    return count / seconds


def after_grid(program, *words):
    """A command on a result file of a million points."""
    grid = program.folder / "grid.h5"
    if not grid.exists():
        program.run(GRID)
        (program.folder / "result.h5").rename(grid)
    return program.command(*(grid if word == "FILE" else program.folder / word[1:] if str(word).startswith("@") else word for word in words))


def rows():
    """What is measured: words, what is wanted, digits, the figure of a program."""
    many, w3 = PENDULUM % (65536, ALPHA, 1000), PENDULUM % (131072, RK4, 1000)
    random.seed(1)
    stiff, halving = geometric(1e-1, 1e-3, 32768), geometric(1e-1, 1e-4, 8192)

    def sweep(problem, values, method, step, steps):
        return STIFF % (problem, ", ".join("%.17g" % eps for eps in values), method, step, steps)

    two = ("elastic_pendulum_cartesian", "theta2: {theta: 0.07}", 0.01, 1000)
    w2, shuffled = (sweep(two[0], values, *two[1:]) for values in (stiff, random.sample(stiff, len(stiff))))
    hard = sweep("elastic_pendulum_polar", random.sample(halving, len(halving)), ALPHA, 0.05, 50)
    samples = lambda every: ("-s", "trajectory={every: %d, fields: [x, v]}" % every)
    by_default = lambda text: "".join(line + "\n" for line in text.splitlines() if not line.startswith("metrics:"))
    hundred = PENDULUM % (100, ALPHA, 100)
    return [
        ("metrics of a sweep that lists none over the status alone, pendulum, generalized_alpha", 0.85, 2, ratio((by_default(many),), (many,))),
        ("the same, pendulum, rk4", 0.85, 2, ratio((by_default(w3),), (w3,))),
        ("the same, W2", 0.85, 2, ratio((by_default(w2),), (w2,))),
        ("a sample every step over none, rate of the kernels, pendulum, rk4", 0.8, 2, ratio((w3, *samples(1)), (w3,))),
        ("the same, whole command", 0.7, 2, ratio((w3, *samples(1)), (w3,), "whole_rate")),
        ("a sample every step, bytes a second of the whole command over those that the file system takes", None, 2,
         lambda program: 131072 * 16016 / program.run(w3, *samples(1))["whole"] / file_system(program.folder, 131072 * 16016)),
        ("a sample every tenth step over none, whole command", 0.95, 2, ratio((w3, *samples(10)), (w3,), "whole_rate")),
        ("quickstart, nothing cached: whole command, s", 5, 1, lambda program: program.cold(QUICKSTART, "whole")),
        ("quickstart, nothing cached: until the first points, s", 0.8, 1, lambda program: program.cold(QUICKSTART, "first")),
        ("100 points, nothing cached, s", 1, 2, lambda program: program.cold(hundred, "whole")),
        ("double pendulum, all that apply, nothing cached, s", 6, 1, lambda program: program.cold(ALL, "whole")),
        ("quickstart, nothing cached, native: whole command, s", 5, 1, lambda program: program.cold(QUICKSTART, "whole", "-d", "native")),
        ("the same, native: until the first points, s", 0.8, 1, lambda program: program.cold(QUICKSTART, "first", "-d", "native")),
        ("100 points, nothing cached, native, s", 1, 2, lambda program: program.cold(hundred, "whole", "-d", "native")),
        ("100 points, kernels cached, PoCL, s", 0.06, 3, value("whole", hundred)),
        ("100 points, kernels cached, native, s", 0.04, 3, value("whole", hundred, "-d", "native")),
        ("lane efficiency where most steps are halved, shuffled", 0.75, 2, value("lanes", hard)),
        ("the same sweep, 16 lanes over 1, rate", 6, 1, ratio((hard, "--lanes", "16"), (hard, "--lanes", "1"))),
        ("W2 in shuffled order over sorted, rate", 0.92, 2, ratio((shuffled,), (w2,))),
        *((f"{count} point{'s' if count > 1 else ''} of a million steps over many points, rate", wanted, 2,
           ratio(((PENDULUM if count > 1 else PENDULUM.replace("{linear: [0.5, 2.5, %d]}", "%d")) % (count, RK4, 1000000),), (w3,))) for count, wanted in ((1, 0.06), (16, 0.9), (100, 0.95))),
        ("formulas over the built-in problem, polar pendulum, theta2, rate", 1, 2,
         ratio((POLAR + SHAPE,), ("problem: elastic_pendulum_polar\n" + SHAPE,))),
        ("both cores over one, pendulum, generalized_alpha, rate", 1.95, 2, lambda program: cores(program, many)),
        ("native over PoCL, W2, rate", 1, 2, ratio((w2, "-d", "native"), (w2,))),
        ("single over double precision, pendulum, rk4, rate", None, 2, ratio((w3, "-s", "precision=single"), (w3,))),
        ("end to end over computing, 2^20 points", 1.15, 2, value("per_compute", PENDULUM % (1 << 20, ALPHA, 1000))),
        ("export of a million points, rows a second", 1e6, 0, lambda program: 1e6 / after_grid(program, "export", "FILE", "-o", "@g.csv", "--force")),
        ("plot of a million points, s", 5, 1, lambda program: after_grid(program, "plot", "FILE", "-o", "@grid", "--force")),
        ("report of a million points, s", 10, 1, lambda program: after_grid(program, "report", "FILE", "-o", "@g.html", "--force")),
    ]


def number(figure, digits):
    if math.isinf(figure):
        return f"over {LONGEST}"
    return f"{figure:,.0f}" if digits == 0 else f"{figure:.{digits}f}"


def main():
    parser = argparse.ArgumentParser(description="What a whole run costs beside its kernels.")
    parser.add_argument("--pendula", required=True, help="the built program")
    parser.add_argument("--before", help="another one, measured in turns with it")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--only", default="", help="rows whose words have this text")
    parser.add_argument("--write", action="store_true", help="make docs/results/SYSTEM.md of it")
    options = parser.parse_args()
    fast = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=fast if fast.is_dir() else None) as folder:
        programs = [Program(path, pathlib.Path(folder, str(i))) for i, path in enumerate(filter(None, (options.before, options.pendula)))]
        head = ["what", *(["before"] if options.before else []), "now", "wanted"]
        lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
        print("\n".join(lines), flush=True)
        for words, wanted, digits, figure in rows():
            if options.only not in words:
                continue
            found = [[] for _ in programs]
            for turn in range(options.repetitions + 1):
                for program, figures in zip(programs, found):
                    figures.append(math.inf if figures and math.isinf(figures[-1]) else figure(program))
            # The first of each compiles.
            cells = [words, *(number(statistics.median(figures[1:]), digits) for figures in found), "-" if wanted is None else f"{wanted:,g}"]
            lines.append("| " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    if options.write:
        words = PAGE.read_text(encoding="utf-8").split("<!-- table -->")[0]
        command = f"tests/bench/system.py --pendula PROGRAM{' --before OTHER' if options.before else ''} --repetitions {options.repetitions}"
        rest = PAGE.read_text(encoding="utf-8").split("<!-- end of the table -->")[1]
        said = f"{datetime.date.today()}, {processor()}, PoCL; medians of {options.repetitions} by `python3 {command}`."
        PAGE.write_text("\n".join([words + "<!-- table -->", said, "", *lines, "<!-- end of the table -->"]) + rest, encoding="utf-8")


if __name__ == "__main__":
    main()
