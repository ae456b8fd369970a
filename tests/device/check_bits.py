# check_bits -- result files are the same bytes on all OpenCL devices of this machine, and in the shape of a GPU.
"""Runs a small sweep of problems with methods on each device, and on PoCL in the shape of a GPU, and compares the files.

    python3 tests/check.py bits [PROGRAM] [--shim FILE.so] [--problems all] [--methods all] [--precisions double,single]
                                [--modes robust,paper] [--lanes 1,2,4,8,16]

PROGRAM is build/pendula or $PENDULA_PROGRAM. A C compiler ($CC or cc) finds out which kernels differ. Devices are those of
`pendula list devices`; OCL_ICD_VENDORS names a folder of .icd files where they are not installed. --shim names tests/shim's library, which adds the GPU shape: one lane and work
groups of 64; --lanes names lane counts beside each device's own. In paper mode explicit methods are left out,
which it does not concern, and all metrics but a few, which it does not change. With --record FILE, pairs that the file holds as equal, with the same kernel on
the same devices, are not run again: all of them take hours (docs/devices.md). Prints a Markdown table. Exit status: 0 the same bytes, 1
others, 77 there is one device, said after the comparison with the GPU shape.
"""
import argparse
import concurrent.futures
import hashlib
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from checking import PROGRAM, skip, suits

FIELDS = ("energy", "kinetic", "error", "fast", "slow", "condition", "updates")


def ask(program, *words):
    return json.loads(subprocess.run([program, *words, "--json"], check=True, capture_output=True, text=True).stdout)


def values_of(parameter):
    """Two values within a parameter's range, of many digits: products of round numbers hide how they are rounded."""
    default = parameter["default"]
    low = max(parameter.get("min", -1e9), parameter.get("above", -1e9))
    high = min(parameter.get("max", 1e9), parameter.get("below", 1e9))
    tried = [0, 0.1371] if default == 0 else [0.8371 * default, 1.3713 * default, 0.9713 * default, 1.0371 * default]
    return [value for value in tried if low <= value <= high][:2]


def axes_of(card, count):
    """The first parameter that is 0 by default and the first that is not, two values each."""
    numbers = [p for p in card["parameters"] if "choices" not in p and p["name"] != card.get("dofs_parameter")]
    chosen = [p for p in numbers if p["default"] != 0][:1] + [p for p in numbers if p["default"] == 0][:1]
    return {p["name"]: values_of(p) for p in chosen[:count]}


def sweep_of(problem, method, precision, mode):
    """A sweep of 8 or 16 points of 24 steps, all metrics and all fields; in paper mode a few metrics."""
    provides = {"energy", "kinetic", "fast", "slow", "condition", "updates"} & {*problem["provides"], "condition", "updates"}
    provides |= {"error"} if "exact" in problem["provides"] else set()
    parameters = axes_of(problem, 2)
    if "dofs_parameter" in problem:
        parameters[problem["dofs_parameter"]] = 3
    moving = [] if problem["first_order"] else ["v"]
    final = [f"{name}_final" for name in ("x", *moving)]
    few = {"newton": {"mode": "paper"}, "metrics": ["updates", "failed_solves", *final]} if mode == "paper" else {}
    return {"problem": problem["name"], "parameters": parameters, **few,
            "methods": [{method["name"]: axes_of(method, 1)}],
            "step": [0.05, 0.4137], "steps": 24, "precision": precision,
            "trajectory": {"every": 1, "fields": ["x", *moving, *(f for f in FIELDS if f in provides)]}}


class Pair:
    def __init__(self, given, problem, method, precision, mode, folder):
        self.given = given
        self.names = {"problem": problem["name"], "method": method["name"], "precision": precision,
                      "settings": ([f"newton.mode={mode}"] if mode != "robust" else []) + given.set}
        self.sweep = folder / "pair.yaml"
        self.folder = folder
        self.sweep.write_text(json.dumps(sweep_of(problem, method, precision, mode)))

    def words(self, command):
        return [self.given.program, command, str(self.sweep), *(w for s in self.given.set for w in ("-s", s))]

    def source(self):
        """The digest of what compilers see of the kernel: comments, cards and parts that are switched off are none of it."""
        text = subprocess.run(self.words("source"), check=True, capture_output=True).stdout
        digest = hashlib.sha256()
        for lanes in (1, 2, 4, 8, 16):
            done = subprocess.run([os.environ.get("CC", "cc"), "-E", "-P", "-x", "c", f"-DLANES={lanes}",
                                   f"-DSINGLE={int(self.names['precision'] == 'single')}", "-DLOCAL_SIZE=1", "-"],
                                  check=True, input=text, capture_output=True)
            digest.update(b" ".join(done.stdout.split()))
        return digest.hexdigest()[:16]

    def run(self, device, lanes, environment):
        """The digest of the result file, or why there is none."""
        output = self.folder / "pair.h5"
        done = subprocess.run([*self.words("run"), "-d", device, *lanes, "-o", str(output), "--force", "--progress", "none"],
                              env={**os.environ, **environment}, capture_output=True, text=True)
        if done.returncode:
            return f"exit {done.returncode}: {done.stderr.strip()[-300:]}"
        digest = hashlib.sha256(output.read_bytes()).hexdigest()[:16]
        output.unlink()
        return digest


def name_of(device):
    """The processor is no part of it."""
    return device["name"].split(",")[0] if device["platform"] == "native" else device["platform"]


def places_of(given):
    """Name to device, options and environment."""
    devices = ask(given.program, "list", "devices")
    places = {f"{name_of(d)}, {d['lanes']} lanes": (str(d["index"]), [], {}) for d in devices}
    for d in devices:
        # A compiler without vectors has one lane.
        for lanes in (given.lanes.split(",") if given.lanes and (d["platform"] != "native" or d["lanes"] > 1) else ()):
            places.setdefault(f"{name_of(d)}, {lanes} lanes", (str(d["index"]), ["--lanes", lanes], {}))
    if given.shim and devices:
        cpu = next(d for d in devices if "Portable" in d["platform"] or d is devices[-1])
        places[f"{cpu['platform']}, GPU shape"] = (
            str(cpu["index"]), [], {"LD_PRELOAD": str(Path(given.shim).resolve()), "PENDULA_FAKE_TYPE": "gpu", "PENDULA_CC": "none"})
    return places


def pairs_of(given):
    problems, methods = (ask(given.program, "list", what) for what in ("problems", "methods"))
    for precision, mode in itertools.product(given.precisions.split(","), given.modes.split(",")):
        for problem, method in itertools.product(problems, methods):
            if ((given.problems == "all" or problem["name"] in given.problems.split(","))
                    and (given.methods == "all" or method["name"] in given.methods.split(","))
                    and suits(method, problem)
                    and (method["implicit"] or mode == "robust")):
                yield problem, method, precision, mode


class Record:
    """Pairs whose files were equal everywhere: a line for each, after one that names the places and drivers of those that follow."""

    def __init__(self, path, places, drivers):
        self.path, self.rows = path, {}
        self.head = {"places": sorted(places), "drivers": drivers}
        head = None
        for line in Path(path).read_text().splitlines() if path and Path(path).exists() else ():
            row = json.loads(line)
            if "places" in row:
                head = row
            elif head["places"] == self.head["places"]:
                self.rows[key_of(row)] = row
        if path and head != self.head:
            self.write(self.head)

    def write(self, row):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def known(self, row):
        """The row with its files, if it is there with the same kernel."""
        kept = self.rows.get(key_of(row))
        return {**row, "files": dict.fromkeys(self.head["places"], kept["file"])} if kept and kept["source"] == row["source"] else None

    def add(self, row):
        files = set(row["files"].values())
        if not self.path or len(files) > 1 or next(iter(files)).startswith("exit") or self.known(row):
            return
        kept = {**{k: v for k, v in row.items() if k != "files"}, "file": files.pop()}
        self.rows[key_of(row)] = kept
        self.write(kept)


def key_of(row):
    return tuple(row[k] for k in ("problem", "method", "precision")) + tuple(row["settings"])


def print_table(rows, places):
    print(f"| precision | settings | pairs | {' | '.join(places)} | all equal | different |")
    print("|" + "---|" * (len(places) + 5))
    kinds = {(r["precision"], " ".join(r["settings"]) or "defaults") for r in rows}
    for precision, settings in sorted(kinds):
        those = [r for r in rows if (r["precision"], " ".join(r["settings"]) or "defaults") == (precision, settings)]
        first = next(iter(places))
        same = [sum(r["files"].get(p) == r["files"].get(first) for r in those) for p in places]
        whole = sum(len(set(r["files"].values())) == 1 for r in those)
        print(f"| {precision} | {settings} | {len(those)} | {' | '.join(map(str, same))} | {whole} | {len(those) - whole} |")


def run_pair(given, places, record, cache, problem, method, precision, mode):
    """A row of the record: of this run, or of an earlier one with the same kernel.

    The cache begins empty, and no two runs have a kernel in common but the one that examines a device."""
    with tempfile.TemporaryDirectory() as folder:
        pair = Pair(given, problem, method, precision, mode, Path(folder))
        row = {**pair.names, "source": pair.source()}
        known = record.known(row)
        if known:
            return known
        kept = {"POCL_CACHE_DIR": folder, "PENDULA_CACHE_DIR": cache}
        row["files"] = {name: pair.run(device, lanes, {**kept, **extra}) for name, (device, lanes, extra) in places.items()}
    if len(set(row["files"].values())) > 1 or any(f.startswith("exit") for f in row["files"].values()):
        print(f"DIFFERENT: {row}", file=sys.stderr, flush=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=PROGRAM)
    parser.add_argument("--shim")
    parser.add_argument("--record")
    parser.add_argument("--counts", metavar="FILE", help="the number of pairs, as JSON")
    parser.add_argument("--problems", default="elastic_pendulum_cartesian", help="names with commas, or all")
    parser.add_argument("--methods", default="generalized_alpha", help="likewise")
    parser.add_argument("--precisions", default="double")
    parser.add_argument("--modes", default="robust")
    parser.add_argument("--lanes", help="lane counts with commas")
    parser.add_argument("-s", dest="set", action="append", default=[], metavar="KEY=VALUE")
    given = parser.parse_args()
    places = places_of(given)
    if len(places) < 2:
        skip("one OpenCL device and no --shim, there is nothing to compare with")
    drivers = sorted({f"{name_of(d)}, {d['driver']}" for d in ask(given.program, "list", "devices")})
    record, rows = Record(given.record, places, drivers), []
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        runs = [workers.submit(run_pair, given, places, record, cache, *pair) for pair in pairs_of(given)]
        for run in runs:
            rows.append(run.result())
            record.add(rows[-1])
    print_table(rows, places)
    if given.counts:
        Path(given.counts).write_text(json.dumps({"pairs": len(rows), "places": sorted(places)}))
    if any(len(set(r["files"].values())) > 1 or r["files"][p].startswith("exit") for r in rows for p in places):
        return 1
    if len({device for device, _, _ in places.values()}) < 2:
        skip("in part: one OpenCL device on this machine, none of another vendor to compare with")
    return 0


if __name__ == "__main__":
    sys.exit(main())
