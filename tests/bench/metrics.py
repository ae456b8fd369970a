#!/usr/bin/env python3
# metrics -- what each metric costs: machine instructions of a step of lanes with it, beside those with the status alone.
"""Counts instructions by valgrind and prints a page of Markdown.

    metrics.py [--pendula PROGRAM] [--workloads W1,W3] [--apart] [--jobs N] [--write]

--write makes the page METRICS.md of it, among the reports of docs/results.

The kernels are those of `-d native` by clang, for vectors of 256 bits whatever the processor is (`-march=haswell`), of 16 lanes. Their
64 points are neighbours among the 65536 of `pendula bench` and swing through 700 steps, more than a period. With --apart they are
64 of the whole range: extremes and crossings then fall into other steps in each lane. Metrics whose kernels differ in nothing but what is printed at the end are counted once.
No clock and no neighbour moves a count. Exit code 77: valgrind or clang is missing.
"""
import argparse
import concurrent.futures
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/results/METRICS.md"
LANES, POINTS, STEPS = 16, 64, 700
WORKLOADS = {"W1": "pendulum, generalized_alpha", "W3": "pendulum, rk4", "W4n4": "spring_chain of 4 masses, generalized_alpha"}
STATUS = "[status, x_final, v_final]"  # both are in every result file
# What a metric's entry has to give, of a workload that takes about a second for its shortest motion.
OPTIONS = {"events": "{of: x0, level: 0.1}", "section": "{of: x0, level: 0.1}", "poincare": "{period: 1.5}", "stats": "{of: x0}",
           "steady": "{of: x0}"}
# Metrics that need what no workload has, a solution or data.
LEFT_OUT = {"misfit", "error", "visual"}


class Counter:
    def __init__(self, pendula, folder, apart=False):
        self.pendula, self.folder, self.apart = pendula, pathlib.Path(folder), apart
        compiler = self.folder / "clang"  # by its name the program knows that it has vectors
        compiler.write_text(f'#!/bin/sh\nexec {shutil.which("clang")} "$@" -march=haswell\n', encoding="utf-8")
        compiler.chmod(0o755)
        self.environment = {**os.environ, "PENDULA_CC": str(compiler), "PENDULA_CACHE_DIR": "none"}

    def run(self, *words, **options):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, check=False, **options)

    def few(self, first, last):
        """A few neighbours of the 65536 points, or as few over all of their range."""
        spread = 1.0 if self.apart else POINTS / 65536
        begin = first if self.apart else (first * last) ** 0.5
        return f"[{begin!r}, {begin + spread * (last - first)!r}, {POINTS}]"

    def sweep(self, workload, metrics):
        """The workload's sweep with these metrics; None: those of every sweep that lists none."""
        text = self.run(self.pendula, "bench", "--print", workload, "--steps", str(STEPS)).stdout
        text, changed = re.subn(r"\[([-+.\de]+), ([-+.\de]+), 65536\]", lambda found: self.few(*map(float, found.groups())), text)
        text, listed = re.subn(r"^metrics: .*\n", f"metrics: {metrics}\n" if metrics else "", text, flags=re.M)
        if changed != 1 or listed != 1:
            sys.exit(f"metrics: the axis and the metrics of {workload} were not found in:\n{text}")
        return text

    def kernel(self, workload, metrics):
        """What distinguishes the kernel: its text without the list of results. None: the sweep is refused."""
        name = hashlib.sha256(f"{workload} {metrics}".encode()).hexdigest()[:16]
        path = self.folder / f"{name}.yaml"
        path.write_text(self.sweep(workload, metrics), encoding="utf-8")
        said = self.run(self.pendula, "source", path)
        if said.returncode != 0:
            return None, said.stderr.strip()
        text = re.sub(r"^#define (RESULTS|RESULT_ROWS|SAMPLES)\b.*\n", "", said.stdout, flags=re.M)
        return hashlib.sha256(text.encode()).hexdigest(), path

    def count(self, path):
        """Instructions of a step of the lanes: all that the kernel's two functions execute."""
        out = path.with_suffix(".counts")
        said = self.run("valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={out}", self.pendula, "run", path, "-o",
                        path.with_suffix(".h5"), "-d", "native", "--lanes", str(LANES), "--force")
        if said.returncode != 0:
            sys.exit(f"metrics: {path.read_text()}\n{said.stderr[-2000:]}")
        inside, total = False, 0
        for line in out.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("fn="):
                inside = line.startswith(("fn=sweep", "fn=observe_block", "fn=observe_steps"))
            elif inside and line[0].isdigit():
                total += int(line.split()[1])
        if total == 0:
            sys.exit(f"metrics: nothing was counted of\n{path.read_text()}")
        return total * LANES / POINTS / STEPS


def entry(name, file):
    return f"{{{name}: {OPTIONS[file]}}}" if file in OPTIONS else name


def rows_of(pendula):
    """The rows of the table: a title and the list of metrics; None: the default."""
    listed = json.loads(subprocess.run([pendula, "list", "metrics", "--json"], check=True, capture_output=True, text=True).stdout)
    files = {}
    for metric in listed:
        file = metric.get("metric")
        if file and file not in LEFT_OUT:
            files.setdefault(file, []).append(metric["name"])
    return files


def measure(counter, workload, files, pool):
    """The counts: of the status alone, of the default, of all, and of each metric by its name."""
    wanted = {"status": STATUS, "default": None}
    for file, names in files.items():
        for name in names:
            wanted[name] = f"[status, x_final, v_final, {entry(name, file)}]"
    kernels = {row: counter.kernel(workload, metrics) for row, metrics in wanted.items()}
    every = [entry(file, file) for file, names in files.items() if any(kernels[name][0] for name in names)]
    wanted["all"] = f"[status, x_final, v_final, {', '.join(every)}]"
    kernels["all"] = counter.kernel(workload, wanted["all"])
    if not kernels["all"][0]:
        sys.exit(f"metrics: {kernels['all'][1]}")
    distinct = {key: place for key, place in kernels.values() if key}
    counts = dict(zip(distinct, pool.map(counter.count, distinct.values())))
    return {row: counts[key] for row, (key, _) in kernels.items() if key}


def main():
    parser = argparse.ArgumentParser(description="What each metric costs, in instructions.")
    parser.add_argument("--pendula", default=os.environ.get("PENDULA_PROGRAM", "build/pendula"))
    parser.add_argument("--workloads", default=",".join(WORKLOADS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    pendula = os.path.abspath(given.pendula)
    if not shutil.which("valgrind") or not shutil.which("clang"):
        print("skipped: counting needs valgrind and clang")
        return 77
    workloads, files = given.workloads.split(","), rows_of(pendula)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        counter = Counter(pendula, folder, given.apart)
        counts = {workload: measure(counter, workload, files, pool) for workload in workloads}
    lines = []

    def row(title, key):
        cells = []
        for workload in workloads:
            count, alone = counts[workload].get(key), counts[workload]["status"]
            cells.append("- | -" if count is None else f"{count:.0f} | {alone / count:.2f}")
        lines.append(f"| {title} | {' | '.join(cells)} |")

    lines.append("| metrics | " + " | ".join(f"{w} | of status" for w in workloads) + " |")
    lines.append("|---|" + "---:|---:|" * len(workloads))
    row("`status` alone", "status")
    row("those of a sweep that lists none", "default")
    row("all of this table", "all")
    for names in files.values():
        groups = {}
        for name in names:
            key = tuple(counts[w].get(name) for w in workloads)
            if any(key):
                groups.setdefault(key, []).append(name)
        for group in groups.values():
            row(", ".join(f"`{name}`" for name in group), group[0])
    table = "\n".join(lines)
    print(table)
    if given.write:
        text = PAGE.read_text(encoding="utf-8")
        head, tail = text.split("<!-- table -->\n", 1)[0], text.split("<!-- end of the table -->", 1)[1]
        head = re.sub(r"Counted on \d{4}-\d\d-\d\d", f"Counted on {datetime.date.today().isoformat()}", head)
        PAGE.write_text(f"{head}<!-- table -->\n{table}\n<!-- end of the table -->{tail}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
