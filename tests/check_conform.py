#!/usr/bin/env python3
# check_conform -- every method on every problem, in both Newton modes: `pendula conform` must pass.
#
# Problems and methods come from the program's own lists, so one that is added is checked without a new line here. In paper mode the
# tolerance is absolute and the Jacobian noisy: 1e-4 keeps it away from the residuals that rounding leaves behind, where counts would
# be decided by the last bit; the stiff problems run where no solve fails.
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

program = os.environ["PENDULA_PROGRAM"]
axes = {
    "harmonic_oscillator": "omega: [1, 10], zeta: [0, 0.1]",
    "modal_oscillators": "k2: [50, 100], d1: [0, 0.1]",
    "pendulum": "x0: {linear: [0.5, 2.5, 5]}",
    "elastic_pendulum_polar": "eps: {linear: [0.08, 0.2, 5]}",
    "elastic_pendulum_cartesian": "eps: {linear: [0.08, 0.2, 5]}",
}
damping = {
    "generalized_alpha": "rho_inf: [0.3, 0.6, 0.9]",
    "theta2": "theta: [0.07, 0.45]",
}


def names(kind):
    listed = subprocess.run([program, "list", kind, "--json"], check=True, capture_output=True, text=True).stdout
    return [entry["name"] for entry in json.loads(listed)]


def sweep(problem, methods):
    lines = [f"problem: {problem}", f"parameters: {{{axes.get(problem, '')}}}", "methods:"]
    for method in methods:
        lines.append(f"  - {method}: {{{damping.get(method, '')}}}")
    lines += ["step: {log: [0.005, 0.05, 24]}", "end: 2", "newton: {}"]
    return "\n".join(lines) + "\n"


def check(path, methods, mode, tolerance):
    """Runs one sweep; returns its groups and what is wrong with it."""
    run = subprocess.run([program, "conform", path, "-s", f"newton.mode={mode}", "-s", f"newton.tolerance={tolerance}",
                          "--json", "-"], capture_output=True, text=True)
    if run.returncode not in (0, 7):
        return [], [f"exit {run.returncode}: {run.stderr}"]
    groups = json.loads(run.stdout)
    wrong = [json.dumps(group) for group in groups if not group["passed"]]
    if [group["method"] for group in groups] != methods:
        wrong.append("not every method was checked")
    if (run.returncode == 7) != any(not group["passed"] for group in groups):
        wrong.append(f"exit {run.returncode} does not fit the report")
    return groups, wrong


def check_refusal(folder):
    """A sweep whose counts are chance at every point shows nothing, and must not pass."""
    path = os.path.join(folder, "chance.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write("problem: elastic_pendulum_polar\nparameters: {eps: [1.0e-4, 2.0e-4]}\nmethods: [generalized_alpha]\n"
                   "step: 0.05\nend: 5\nnewton: {mode: paper, tolerance: 3.0e-9}\n")
    groups, wrong = check(path, ["generalized_alpha"], "paper", "3e-9")
    return len(wrong) == 1 and not groups[0]["passed"] and groups[0]["ill_conditioned"] > 0


def main():
    failed = False
    points = ill = 0
    methods = names("methods")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        runs = []
        for problem in names("problems"):
            path = os.path.join(folder, problem + ".yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(sweep(problem, methods))
            for mode, tolerance in (("robust", "1e-8"), ("paper", "1e-4")):
                runs.append((problem, mode, workers.submit(check, path, methods, mode, tolerance)))
        for problem, mode, run in runs:
            groups, wrong = run.result()
            for line in wrong:
                failed = True
                print(f"{problem}, {mode}: {line}")
            points += sum(group["points"] for group in groups)
            ill += sum(group["ill_conditioned"] for group in groups)
            print(f"{problem}, {mode}: {sum(g['points'] for g in groups)} points with {len(groups)} methods, "
                  f"{sum(g['ill_conditioned'] for g in groups)} ill-conditioned, "
                  f"nearest to its bound {max((g['worst_share'] for g in groups), default=0):.2f}", flush=True)
        if not check_refusal(folder):
            failed = True
            print("a sweep of chance counts passed")
    print(f"{points} points, {ill} ill-conditioned ({100 * ill / max(points, 1):.2f} %)")
    return 1 if failed else 0


sys.exit(main())
