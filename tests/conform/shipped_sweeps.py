#!/usr/bin/env python3
# shipped_sweeps -- the table of docs/results/CONFORMANCE.md: every sweep of this folder's tree, whole, at its own settings.
"""Certifies whole sweeps and prints a row of a Markdown table for each.

    python3 tests/conform/shipped_sweeps.py [PROGRAM] [SWEEP.yaml ...]

PROGRAM is build/pendula or $PENDULA_PROGRAM; without a sweep it takes all in sweeps/. The largest share is that of the bound of any
substep or metric. Exit status: 0 all conform with every step, count and metric certified; 1 one does not.
"""
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]


def certify(program, sweep):
    """Groups of the sweep as `conform --json` has them, and seconds."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        begun = time.monotonic()
        done = subprocess.run([program, "conform", str(sweep), "-d", "native", "--lanes", "1", "--json", str(report)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seconds = time.monotonic() - begun
        if not report.exists():
            sys.exit(f"{sweep}: {done.stderr.strip()}")
        return json.loads(report.read_text()), seconds


def row_of(name, groups, seconds):
    def total(*keys):
        return sum(g[k] for g in groups for k in keys)

    whole = all(g["points"] == g["group_points"] for g in groups)
    steps, substeps, metrics = (total(f"certified_{k}") for k in ("steps", "substeps", "metrics"))
    right = whole and all(g["passed"] for g in groups) and substeps == total("substeps") and metrics == total("metrics")
    share = max(g["worst_share"] for g in groups)
    cells = [f"`{name}`", f"{len(groups)}", f"{total('points'):,}", f"{steps:,} of {total('steps'):,}",
             f"{substeps:,} of {total('substeps'):,}", f"{metrics:,} of {total('metrics'):,}",
             f"{total('certified_reference_substeps'):,} of {total('reference_substeps'):,}", f"{share:.4f}", f"{seconds:.0f} s"]
    return f"| {' | '.join(cells)} |", right


def main():
    words = sys.argv[1:]
    program = words.pop(0) if words and not words[0].endswith(".yaml") else os.environ.get("PENDULA_PROGRAM", "build/pendula")
    sweeps = [Path(w) for w in words] or sorted((TREE / "sweeps").rglob("*.yaml"))
    print("| sweep | groups | points | steps | substeps | metrics | the reference's substeps | largest share | time |")
    print("|---|---|---|---|---|---|---|---|---|")
    wrong = 0
    for sweep in sweeps:
        groups, seconds = certify(program, sweep)
        row, right = row_of(sweep.stem if sweep.parent.name == "sweeps" else f"{sweep.parent.name}/{sweep.stem}", groups, seconds)
        print(row + ("" if right else " DOES NOT CONFORM"), flush=True)
        wrong += not right
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
