# check_conform -- methods on problems: `pendula conform` certifies every substep and every metric, and finds the same bits.
#
#   check.py conform [--turn | --all | --every] [--problem NAME]... [--method NAME]... [--device NAME]... [--lanes LIST] [--counts FILE]
#
# Without a word, three methods of different kinds meet two problems on all devices. With `--all` every method meets every problem in
# robust and in paper mode, at the default tolerances, and the few meet their problems by differences, in single precision, with modified
# updates and with extrapolated guesses too, and there are sweeps of special kinds. `--turn` takes the part of the pairs whose turn it is
# (support/turn.py), and a fifth of the special sweeps.
# With `--every` each of these settings meets every pair, for which --device and --lanes may name what bits are to be compared on. Kernels
# are compiled as C (`-d native`) there unless devices are named: certificates need no others. `--counts` writes what was certified as JSON.
#
# Problems and methods come from the program's own lists, so one that is added is checked without a new line here; pairs that the
# program refuses, because the method needs what the problem does not provide, are named.
import argparse
import concurrent.futures
import json
import os
import re

from checking import check, ended, failures, finish, listed, suits, write
import turn

arguments = argparse.ArgumentParser()
for name in ("--turn", "--all", "--every"):
    arguments.add_argument(name, action="store_true")
for name in ("--problem", "--method", "--device"):
    arguments.add_argument(name, action="append", default=[])
arguments.add_argument("--counts", metavar="FILE")
arguments.add_argument("--lanes", default="1")
given = arguments.parse_args()
PARTS = 25
SPECIAL_PARTS = 5  # a divisor of PARTS: each is taken by four of them
everything = given.all or given.every or given.turn
part = turn.part(PARTS) if given.turn else None
devices = [word for name in given.device or (["native"] if everything else []) for word in ("-d", name)]
axes = {
    "harmonic_oscillator": "omega: [1, 10], zeta: [0, 0.1]",
    "pendulum": "x0: {linear: [0.5, 2.5, 5]}, zeta: [0, 0.1]",
    "elastic_pendulum_cartesian": "eps: {linear: [0.08, 0.2, 5]}",
    "elastic_pendulum_polar": "eps: {linear: [0.08, 0.2, 5]}",
    "modal_oscillators": "k2: [50, 100], d1: [0, 0.1]",
    "spring_chain": "n: 3, eps: [0.1, 0.3], cubic: [0, 0.5], r_k: [0, 0.01]",
    "barrier_particle": "kappa: 100, d_hat: [0.5, 1], x0: [0.6, 0.9]",
    "friction_block": "mu: [0.2, 0.5], phi: [0.1, 0.3], v_smooth: 0.5",
    "double_pendulum": "th1: {linear: [0.3, 1.5, 4]}",
    "duffing": "x0: 0.5, delta: [0, 0.3], force: [0, 0.2]",
    "van_der_pol": "mu: [0.5, 1, 2]",
    "lorenz": "rho: [10, 28]",
    "robertson": "clock: logarithmic, t0: 1.0e-3, k3: [100, 1000]",
    "fitzhugh_nagumo": "current: [0, 0.5]",
}
few_problems = ["pendulum", "elastic_pendulum_cartesian"]
few_methods = ["generalized_alpha", "theta2", "rk4"]
parameters = {
    "generalized_alpha": "rho_inf: [0.3, 0.6, 0.9]",
    "theta2": "theta: [0.07, 0.45]",
    "hht_alpha": "alpha: [-0.3, -0.1]",
    "wbz_alpha": "alpha: [-0.5, -0.1]",
    "newmark": "beta: [0.25, 0.3]",
    "theta1": "theta1: [0.55, 0.8]",
    "bathe": "rho_inf: [0, 0.5]",
    "central_difference": "r_m: [0, 0.1]",
    "variational_explicit": "r_m: [0, 0.1]",
    "sofa_euler": "r_m: [0, 0.1], r_k: [0, 0.01]",
    "sofa_newmark": "r_m: [0, 0.1], r_k: [0, 0.01]",
    "incremental_newmark": "beta: [0, 0.25]",
    "chung_lee": "beta: [1, 1.03]",
    "dopri5_adaptive": "rtol: [1.0e-8, 1.0e-4]",
    "generalized_alpha_adaptive": "rho_inf: [0, 0.6], rtol: [1.0e-4, 1.0e-2]",
    "tr_bdf2_adaptive": "rtol: [1.0e-5, 1.0e-3]",
    "esdirk4_adaptive": "rtol: [1.0e-7, 1.0e-4]",
    "rodas5p": "rtol: [1.0e-8, 1.0e-4]",
}


def sweep(problem, methods):
    lines = [f"problem: {problem}", f"parameters: {{{axes.get(problem, '')}}}", "methods:"]
    for method in methods:
        lines.append(f"  - {method}: {{{parameters.get(method, '')}}}")
        if method in ("theta2", "bdf2"):
            lines.append(f"  - {{label: {method}_variable, {method}: {{{parameters.get(method, '')}}}, substeps: {{start: variable}}}}")
    lines += ["step: {log: [0.005, 0.05, 6]}", "end: 2", "newton: {}"]
    return "\n".join(lines) + "\n"


def pairs():
    """For every problem the methods that meet it here, and those that it lacks something for."""
    chosen = {}
    for i, problem in enumerate(listed("problems")):
        here, refused = [], []
        for j, method in enumerate(listed("methods")):
            now = everything or (problem["name"] in few_problems and method["name"] in few_methods)
            if not suits(method, problem):
                refused.append(method["name"])
            elif now and part in (None, (i + j) % PARTS) and (not given.method or method["name"] in given.method):
                here.append(method["name"])
        chosen[problem["name"]] = here, refused
    return chosen


def check_pairs_refused(problem, refused):
    """A method that a problem cannot serve is an error of the sweep file, with the reason."""
    for method in refused:
        done = ended("plan", write("refused.yaml", sweep(problem, [method])))
        check(done.code == 4 and ("which problem" in done.err or "is of first order" in done.err),
              f"{problem}: {method} should be refused, got exit {done.code}: {done.err}")


def certify(path, methods, settings, lanes=given.lanes):
    """Runs one sweep; returns its groups and what is wrong with it."""
    words = [word for setting in settings for word in ("-s", setting)]
    done = ended("conform", path, *devices, "--lanes", lanes, *words, "--json", "-")
    if done.code not in (0, 7):
        return [], [f"exit {done.code}: {done.err}"]
    groups = json.loads(done.out)
    wrong = [json.dumps(group) for group in groups if not group["passed"]]
    wrong += [f"{group['label']}: steps or metrics without a certificate" for group in groups
              if group["certified_steps"] != group["steps"] or group["certified_metrics"] != group["metrics"]]
    # The reference computes in double: there its own steps are certified, on some points of every group.
    wrong += [f"the reference's steps: {json.dumps(group)}" for group in groups
              if (group["reference_substeps"] > 0) != (group["precision"] == "double")
              or group["certified_reference_substeps"] != group["reference_substeps"]
              or group["certified_reference_metrics"] != group["reference_metrics"]]
    if [group["method"] for group in groups] != methods:
        wrong.append("not every method was checked")
    if (done.code == 7) != any(not group["passed"] for group in groups):
        wrong.append(f"exit {done.code} does not fit the report")
    return groups, wrong


def conforms(what, wrong):
    if check(not wrong, f"{what}: {'; '.join(wrong)}"):
        print(f"{what}: conforms")


def two_points(groups):
    return [f"{group['points']} points" for group in groups if group["points"] != 2]


def often_halved(groups):
    return [f"{group['label']}: few halved steps" for group in groups if group["substeps"] < 1.5 * group["steps"]]


def special_sweeps():
    """What no pair has: name, methods, sweep, lanes, and what its groups are asked beside their certificates."""
    # As many degrees of freedom as there may be.
    yield ("spring_chain of 32 masses", ["generalized_alpha"],
           "problem: spring_chain\nparameters: {n: 32, eps: [0.1, 1], cubic: 0.5}\nstep: 0.05\nend: 0.5\n", given.lanes, two_points)
    # A force that bends within a thousandth of the velocity, where a derivative takes narrow differences.
    yield ("friction that is nearly a jump", ["trapezoidal"],
           "problem: friction_block\nparameters: {mu: 0.5, v_smooth: [1.0e-3, 1.0e-2], phi: 0.2, g: 9.81, v0: 1}\nstep: 0.01\nend: 0.5\n"
           "newton: {tolerance: 1.0e-10}\n", given.lanes, two_points)
    # Guesses that are extrapolated, where most steps are halved, in lane groups whose lanes halve at different times.
    guessing = [method["name"] for method in listed("methods") if method["extrapolates"]]
    for problem, values, step in (("double_pendulum", "th1: [1, 2.5], w1: 0.3", "[0.3, 0.7]"),
                                  ("pendulum", "x0: [1, 3], v0: [0, 2]", "[0.7, 1.5]")):
        for few in [guessing[begin:begin + 3] for begin in range(0, len(guessing), 3)]:
            yield (f"{problem}, extrapolated guesses and halved steps of {few[0]} and on", few,
                   f"problem: {problem}\nparameters: {{{values}}}\nstep: {step}\nsteps: 8\n"
                   "newton: {tolerance: 1.0e-10, max_updates: [2, 3], guess: extrapolated}\n", "1,16", often_halved)
    # Least sizes of coordinates, of which some are far above what moves, in systems of both orders and where steps are halved.
    for problem, values, methods, times, scale in (
            ("double_pendulum", "th1: [0.3, 2.5], w1: 0.2", ["generalized_alpha", "tr_bdf2", "sofa_euler"], "step: [0.1, 0.4]\nend: 4", "theta1: 1.0e-3, x1: 2"),
            ("spring_chain", "n: 3, eps: [0.1, 0.3], cubic: 0.5", ["theta2", "incremental_newmark"], "step: 0.05\nend: 1", "u2: 1.0e-2"),
            ("robertson", "k3: [100, 1000]", ["theta2", "backward_euler"], "steps: 50\nend: 20", "y1: 1, y2: 1.0e-4, y3: 1")):
        yield (f"{problem}, least sizes", methods,
               f"problem: {problem}\nparameters: {{{values}}}\n{times}\nnewton: {{scale: {{{scale}}}, max_updates: 3, tolerance: 1.0e-10}}\n",
               given.lanes, lambda groups: [])


def check_special(name, methods, text, lanes, asked):
    groups, wrong = certify(write(f"{name}.yaml".replace(", ", "_").replace(" ", "_"), f"{text}methods: [{', '.join(methods)}]\n"), methods, [], lanes)
    return name, wrong + asked(groups)


# A reaction in a cell of volume V: amounts of 1e-3 V.
REACTION = """problem:
  coordinates: {a: mol, b: mol}
  define: {flux: "5.0e-5*V*a/(1.0e-4*V + a)"}
  rate: ["-flux", "flux"]
  start: ["5.0e-3*V", "0"]
  parameters: {V: [1, 1.0e-12]}
methods: [trapezoidal, rk4]
steps: [20, 40]
end: 60
"""


def solver_shares(path, *settings):
    words = [word for setting in settings for word in ("-s", setting)]
    words = ["-d", "native", *words]
    groups = json.loads(ended("conform", path, "--lanes", "1", *words, "--json", "-").out)
    done = ended("run", path, *words, "-o", "share.h5", "--force", "-q", "--progress", "none")
    return [group["solver_share"] for group in groups], done.err


def check_share():
    """What the solver leaves beside the method's own error: nothing to speak of by sizes, all by an absolute tolerance of amounts that
    are far below it; then `run` says at which values. An explicit method solves nothing, and what the reference does not compute is not
    measured."""
    path, wrong = write("share.yaml", REACTION), []
    (share, none), said = solver_shares(path)
    wrong += [f"by sizes {share}"] * (not 0 < share < 0.1) + [f"rk4 {none}"] * (none is not None) + [said] * (said != "")
    (share, none), said = solver_shares(path, "newton.residual=raw")
    place = re.search(r"trapezoidal: what Newton's tolerance leaves is (\S+) of the method's own error of a step, in x\[\d\] at steps = \d+, V = 1e-12; "
                      "a smaller newton.tolerance shows more of the method\n", said)
    wrong += [f"by an absolute tolerance {share}"] * (not share > 2) + [f"run says {said}"] * (not place)
    (share, none), said = solver_shares(path, "precision=single")
    wrong += [f"in single precision {share}, {said}"] * (share is not None or said != "")
    conforms("the solver's share", wrong)


# What a sweep is run with; `newton` says nothing to explicit methods.
variants = {"robust": [], "paper": ["newton.mode=paper"], "differences": ["newton.jacobian=central"],
            "forward": ["newton.jacobian=forward"], "modified": ["newton.update=modified"],
            "extrapolated": ["newton.guess=extrapolated"], "single": ["precision=single"],
            "single, paper": ["precision=single", "newton.mode=paper"]}


def main():
    totals = dict.fromkeys(("pairs", "points", "steps", "substeps", "metrics"), 0)
    count = 0
    worst = 0.0
    implicit = {method["name"]: method["implicit"] for method in listed("methods")}
    extrapolates = {method["name"] for method in listed("methods") if method["extrapolates"]}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        runs, special = [], []
        if everything:  # first, since some of these take longest
            special = [workers.submit(check_special, *sweep) for i, sweep in enumerate(special_sweeps()) if part is None or (i + part) % SPECIAL_PARTS == 0]
        for problem, (methods, refused) in pairs().items():
            check_pairs_refused(problem, refused)
            if given.problem and problem not in given.problem:
                continue
            for variant, settings in variants.items():
                here = [m for m in methods if implicit[m] or not set(variant.split(", ")) & {"paper", "modified", "differences", "forward"}]
                if variant == "extrapolated":
                    here = [m for m in here if m in extrapolates]
                if not given.every and variant not in (("robust", "paper") if everything else ("robust",)):
                    here = [m for m in here if everything and problem in few_problems and m in few_methods]
                # A few methods at a time, so that both cores have work to the end.
                for few in [here[begin:begin + 4] for begin in range(0, len(here), 4)]:
                    path = write(f"{problem}_{variant}_{few[0]}.yaml".replace(", ", "_"), sweep(problem, few))
                    shown = [m for method in few for m in ([method] * (2 if method in ("theta2", "bdf2") else 1))]
                    runs.append((problem, variant, few, workers.submit(certify, path, shown, settings)))
        for problem, variant, few, run in runs:
            groups, wrong = run.result()
            for line in wrong:
                check(False, f"{problem}, {variant}: {line}")
            if wrong:
                chosen = " ".join(f"--method {method}" for method in few)
                print(f"again: PENDULA_PROGRAM=build/pendula python3 tests/check.py conform --{'every' if given.every else 'all'} "
                      f"--problem {problem} {chosen}", flush=True)
            if variant == "robust":
                totals["pairs"] += len(few)
            for key in ("points", "steps", "substeps", "metrics"):
                totals[key] += sum(group[key] for group in groups)
            count += len(groups)
            share = max((group["worst_share"] for group in groups), default=0)
            worst = max(worst, share)
            print(f"{problem}, {variant}: {sum(g['points'] for g in groups)} points with {', '.join(few)}: "
                  f"at most {share:.3f} of a bound", flush=True)
        for name, wrong in [one.result() for one in special]:
            conforms(name, wrong)
            if wrong and given.turn:
                print(f"again: PENDULA_TURN={turn.WORD} ctest --test-dir build -R '^conform_turn$'", flush=True)
        check_share()
    if part is not None:
        print(f"these are the pairs of part {part} of {PARTS}; --all takes every pair")
    if given.counts:
        with open(given.counts, "w", encoding="utf-8") as file:
            json.dump({**totals, "groups": count, "failed": bool(failures)}, file)
    if not everything:
        print(f"these are {', '.join(few_methods)} on {', '.join(few_problems)} in robust mode; --all takes every pair")
    finish(f"{totals['points']} points in {count} groups, {totals['steps']} steps, {totals['substeps']} substeps, "
           f"{totals['metrics']} metrics, at most {worst:.4f} of a bound")


main()
