#!/usr/bin/env python3
# check_conform -- every method on every problem, in both Newton modes: `pendula conform` must pass.
#
# Problems and methods come from the program's own lists, so one that is added is checked without a new line here. In paper mode the
# tolerance is absolute and the Jacobian noisy: 1e-4 keeps it away from the residuals that rounding leaves behind, where counts would
# be decided by the last bit; the stiff problems run where no solve fails.
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


def main():
    bad = points = ill = 0
    methods = names("methods")
    with tempfile.TemporaryDirectory() as folder:
        for problem in names("problems"):
            path = os.path.join(folder, problem + ".yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(sweep(problem, methods))
            for mode, tolerance in (("robust", "1e-8"), ("paper", "1e-4")):
                run = subprocess.run([program, "conform", path, "-s", f"newton.mode={mode}", "-s", f"newton.tolerance={tolerance}",
                                      "--json", "-"], capture_output=True, text=True)
                if run.returncode not in (0, 7):
                    print(f"{problem}, {mode}: exit {run.returncode}: {run.stderr}")
                    return 1
                groups = json.loads(run.stdout)
                if [group["method"] for group in groups] != methods:
                    print(f"{problem}, {mode}: not every method was checked")
                    return 1
                for group in groups:
                    points += group["points"]
                    ill += group["ill_conditioned"]
                    if not group["passed"] or (run.returncode != 0) != any(not g["passed"] for g in groups):
                        bad += 1
                        print(f"{problem}, {mode}: {json.dumps(group)}")
                print(f"{problem}, {mode}: {sum(g['points'] for g in groups)} points with {len(groups)} methods, "
                      f"{sum(g['ill_conditioned'] for g in groups)} ill-conditioned, "
                      f"nearest to its bound {max(g['worst_share'] for g in groups):.2f}")
    print(f"{points} points, {ill} ill-conditioned ({100 * ill / points:.2f} %)")
    return 1 if bad else 0


sys.exit(main())
