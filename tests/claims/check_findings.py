# check_findings -- docs/FINDINGS.md: its commands parse, its tables of theory are what is printed, its statements still hold.
#
# What docs/findings.py measures is measured by its functions. Sweeps run with fewer values of their axes. Directions and
# bounds are checked, never counts of runs in which solves fail: these are chance.
#
# Exit status: 0 all as stated, 1 something is not, 77 left out because a Python package is absent.
import contextlib
import importlib.util
import io
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

try:
    import h5py  # of docs/findings.py
    import numpy as np
except ImportError as error:
    print(f"left out: {error}")
    sys.exit(77)

PROGRAM = os.environ["PENDULA_PROGRAM"]
ROOT = pathlib.Path(os.environ["PENDULA_SOURCE_DIR"])
PAGE = (ROOT / "docs/FINDINGS.md").read_text(encoding="utf-8")
SCRIPT = ROOT / "docs/findings.py"


def script():
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("findings", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


findings = script()
A, T, VALUES = findings.A, findings.T, findings.VALUES
equivalents, over, right = findings.equivalents, findings.over, findings.right
failures = []


def check(fine, what):
    if not fine:
        failures.append(what)
        print(f"wrong: {what}", flush=True)


def run(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        check(False, f"pendula {shlex.join(map(str, words))}: exit {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


# --- the page's commands

def quoted_commands():
    found = []
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S):
        found += block.strip().split("\n")
    found += [text.replace("\n", " ") for text in re.findall(r"`(pendula [^`]+)`", PAGE)]
    return [shlex.split(line) for line in found]


def check_options(words, helps):
    if words[1] not in helps:
        helps[words[1]] = run(words[1], "--help")
    for word in words[2:]:
        if word.startswith("--"):
            check(word.split("=")[0] in helps[words[1]], f"{shlex.join(words)}: no option {word}")


def check_commands():
    commands, helps, runs = quoted_commands(), {}, findings.page_runs()
    check(len(commands) >= 20, f"only {len(commands)} commands are quoted")
    for names in re.findall(r"load\((\"[^)]+)\)", SCRIPT.read_text(encoding="utf-8")):
        check(set(re.findall(r'"(\w+)"', names)) <= set(runs), f"the page does not run all of {names}")
    parts = []
    with tempfile.TemporaryDirectory() as folder:
        for words in commands:
            if words[:2] == ["python3", "docs/findings.py"]:
                parts.append(words[2])
                continue
            check(words[0] == "pendula", f"{words} is no command of pendula")
            check_options(words, helps)
            if words[1] == "run":
                check((ROOT / words[2]).is_file(), f"there is no {words[2]}")
                run("plan", words[2], "--no-time", *(words[3:-2] if "-o" in words else words[3:]))
            elif words[1] == "pairs":
                if "--plot" in words:
                    words[words.index("--plot") + 1] = pathlib.Path(folder) / "picture"
                if not shutil.which("gnuplot"):
                    words = [word for i, word in enumerate(words)
                             if not {"--plot", "--pair"} & {word, words[i - 1]}]
                device = [] if "measured" in words else ["--problem", "none"]
                run(*words[1:], *device, "--force", "-o", pathlib.Path(folder) / "table")
            elif words[1] == "spectrum":
                run(*words[1:], "--force", "-o", pathlib.Path(folder) / "table")
            else:
                check(pathlib.Path(words[2]).stem in runs, f"{shlex.join(words)}: no run writes {words[2]}")
    check(parts == ["pairs", "flip", "elastic", "chain", "soft"], f"the page has findings.py print {parts}")


# --- sections 1 and 2: linear theory

# The tables of theory, as findings.py prints them.
def check_tables():
    for part, expected in ((findings.print_pairs, 9), (findings.print_flip, 7)):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            part(PROGRAM)
        table = [line for line in printed.getvalue().split("\n") if line.startswith("|")]
        check(len(table) == expected, f"{part.__name__} prints {len(table)} rows of a table")
        for line in table:
            check(f"\n{line}\n" in PAGE, f"the page does not have {line}")


def check_by_eye():
    omegas = np.concatenate([[0.05, 0.77, 0.78], np.geomspace(0.1, 1e4, 60)])
    found = findings.damping_ratios(PROGRAM, VALUES, findings.BY_EYE, omegas)
    check(found[0, 0] > 1.14 and found[0, 1] > 1 > found[0, 2] and found[0, -1] < 0.014, f"(0.9, 0.001): {found[0]}")
    for i, least, most in ((1, 0.18, 0.81), (2, 0.30, 0.79), (3, 0.61, 0.89)):
        check(found[i].min() > least and found[i].max() < most, f"{VALUES[i]}: {found[i].min()} to {found[i].max()}")


def ratios(rhos, omegas):
    return findings.damping_ratios(PROGRAM, rhos, equivalents(PROGRAM, rhos), omegas)


def check_flips():
    found = ratios([0.365, 0.361], [0.3])[:, 0]
    check(found[0] < 1 < found[1], f"rho_inf 0.3629 parts nothing as Omega -> 0: {found}")
    rhos = [0.9, 0.6, 0.5, 0.365, 0.215, 0.13]
    for rho, found in zip(rhos, ratios(rhos, np.geomspace(0.3, 1e6, 40))):
        check(all(found > 1) if rho < 0.2192 else all(found < 1), f"rho_inf {rho}: a flip: {found}")
    radius = equivalents(PROGRAM, [0.2193, 0.2192], column="radius_infinity_to")
    check(radius[0] > 0.2193 and radius[1] < 0.2192, f"the radii at infinity do not change places at 0.2192: {radius}")
    found = np.isfinite(equivalents(PROGRAM, [0.1151, 0.1150]))
    check(found[0] and not found[1], "0.1150 is not where equivalents end")
    rhos = [0.6, 0.5, 0.188, 0.186]
    radii = equivalents(PROGRAM, rhos, "max_decay", "radius_infinity_to") / rhos
    check(radii[0] > 1.3 and radii[1] > 1.3 and radii[2] > 1 > radii[3], f"at equal maximum decay: {radii}")


# --- sections 3 to 5: sweeps of fewer values

def sweep(folder, name, *settings):
    path = pathlib.Path(folder) / "result.h5"
    words = [word for setting in settings for word in ("-s", setting)]
    run("run", ROOT / "sweeps" / f"{name}.yaml", "--force", "-o", path, "--progress", "none", *words)
    groups = findings.groups_of(path)
    for label, group in groups.items():
        check((group["status"] == 1).all(), f"{name} {settings}: {label} has points that are not ok")
    return groups


# The sweeps' parameters are the pairs they say they are.
def check_parameters(groups):
    for label, criterion in ((T, "low_frequency"), ("equal_high", "high_frequency")):
        found = equivalents(PROGRAM, VALUES, criterion)
        check(np.allclose(groups[label]["theta"], found, rtol=1e-8, atol=0), f"{label}: {groups[label]['theta']}")
    check((groups[A]["rho_inf"] == VALUES).all() and (groups["by_eye"]["theta"] == findings.BY_EYE).all(), "values by eye")


def check_pendulum(folder):
    few = ("parameters.eps={log: [1.0e-4, 1.0e-2, 21]}",)
    start = sweep(folder, "pairs_elastic", *few)
    rest = sweep(folder, "pairs_elastic", *few, "parameters.k=0")
    check_parameters(start)
    for label in (T, "by_eye"):
        check(right(start[label]).all(), f"{label} is visually wrong somewhere")
    seen = right(start[A])
    limits = "{:g}, {:g}, {:g} and {:g}".format(*findings.LIMITS)
    check(limits in PAGE, f"the page does not have the limits {limits}")
    outside = findings.out_of_limits(start[A], 1).sum()
    check(outside <= 2, f"{outside} of A's points are on the wrong side of k h^2/eps = {limits}")
    for i in range(4):
        check(seen[..., i].any() and not seen[..., i].all(), f"rho_inf {VALUES[i]}: A is right everywhere or nowhere")
    for label, group in rest.items():
        check(right(group).all(), f"k = 0: {label} is visually wrong somewhere")
        check(group["energy_drift"].max() < 0.6, f"k = 0: {label}: energy_drift {group['energy_drift'].max()}")
    check(start[T]["energy_drift"].max() < 1.6 and start[A]["energy_drift"].max() > 1000, "energy_drift at k = 1")

    for groups in (start, rest):
        updates, condition = over(groups, T, "updates"), over(groups, T, "condition_mean")
        check(updates.min() > 0.9 and 1.2 < np.median(updates) < 2, f"updates: {np.median(updates)}")
        check(0.9 < condition.min() and condition.max() < 1.05, f"condition numbers: {condition.min()}")
        check((groups[T]["failed_solves"] == 0).all(), "theta2 has failed solves")
    high = over(start, T, "high_frequency_amplitude")
    check((high[..., 0] > 1.1).mean() > 0.5, "at 0.9 theta2 does not leave more of the fast mode")
    check(high[seen].min() > 0.94 and high[..., 1:][seen[..., 1:]].max() < 1.1, "fast amplitudes at equal damping")
    check(over(start, "equal_high", "high_frequency_amplitude")[seen].max() < 1.02, "fast amplitudes, equal_high")
    for label, wanted in ((T, (1, 1, 1)), ("by_eye", (0.80, 0.785, 0.765)), ("equal_high", (5, 3, 1.33))):
        found = findings.decrements(rest, label)[1:]
        check(np.allclose(found, wanted, rtol=0.02), f"{label}: decrement of the slow mode {found}, not {wanted}")


def check_chain(folder):
    few = ("step=[0.0125, 0.05, 0.1]", "parameters.eps=[0.01]", "end=25")
    for settings in (("parameters.n=2",), ("parameters.n=8",), ("parameters.n=8", "newton.mode=paper")):
        groups = sweep(folder, "pairs_chain", *few, *settings)
        updates, condition = over(groups, T, "updates"), over(groups, T, "condition_mean")
        if "newton.mode=paper" in settings:
            check(0.9 < np.median(updates) < 1.1 and updates.min() > 0.6, f"{settings}: updates {np.median(updates)}")
        else:
            check(updates.min() > 0.98 and updates.max() < 2, f"{settings}: updates {updates.min()}, {updates.max()}")
        check(0.93 < condition.min() and condition.max() < 1.01, f"{settings}: condition {condition}")
        check(0.8 < np.median(over(groups, T, "angle_error_max")) < 1, f"{settings}: errors")
        high = over(groups, T, "high_frequency_amplitude")
        check(np.median(high[..., 0]) > 2, f"{settings}: 0.9: {high[..., 0]}")
        check(0.95 < np.median(high[..., 1:]) < 1.1, f"{settings}: {high[..., 1:]}")
        check(all((group["failed_solves"] == 0).all() for group in groups.values()), f"{settings}: failed solves")


def check_updates(folder):
    for settings, error in (((), (1.02, 1.25)), (("problem=duffing",), (0.85, 0.98))):
        groups = sweep(folder, "pairs_soft", *settings)
        updates, errors = over(groups, T, "updates"), over(groups, T, "error_max")
        check(updates.min() > 0.999 and updates.max() > 1.5, f"{settings}: updates {updates.min()}, {updates.max()}")
        check(error[0] < errors.min() and errors.max() < error[1], f"{settings}: errors {errors.min()}, {errors.max()}")
        check((groups[A]["updates"][:, :, -1].T <= 1.3 * np.round(50 / groups[A]["step"])).all() and
              (groups[T]["updates"][:, :, -1].T <= 1.3 * np.round(50 / groups[T]["step"])).all(),
              f"{settings}: more than one update a step at tolerance 1e-4")
        for label, other in (("newmark", A), ("trapezoidal", T)):
            share = np.median(groups[label]["updates"][:, None] / groups[other]["updates"])
            check(0.98 < share < 1.02, f"{settings}: {label} makes {share} of {other}'s updates")
        same = groups["newmark"]["error_max"][:, 0] / groups["trapezoidal"]["error_max"][:, 0]
        check(np.allclose(same, 1, rtol=1e-3), f"{settings}: newmark is not the trapezoidal rule: {same}")
        change = groups[T]["error_max"][:, :, -1] / groups[T]["error_max"][:, :, 0]
        check(np.allclose(change, 1, rtol=0.02), f"{settings}: the tolerance tells in theta2's error: {change}")
    fine = ("newton.tolerance={log: [1.0e-14, 1.0e-2, 97]}", "step=[0.05, 0.1, 0.2]")
    for residual, wanted in (("scaled", {A: 7, "newmark": 7, T: 5, "trapezoidal": 5}), ("raw", {A: 6, T: 5})):
        groups = sweep(folder, "pairs_soft", *fine, f"newton.residual={residual}")
        for label, order in wanted.items():
            slope = findings.one_update(groups[label])[1]
            check(abs(slope - order) < 0.3, f"{residual}: the tolerance of {label} goes like h^{slope:.2f}, not {order}")
        if residual == "scaled":
            first = {label: findings.one_update(groups[label])[0][0] for label in (A, T)}
            check(first[T] > 500 * first[A], f"the advantage of the better guess: {first}")


def main():
    check_commands()
    check_tables()
    check_by_eye()
    check_flips()
    with tempfile.TemporaryDirectory() as folder:
        check_pendulum(folder)
        check_chain(folder)
        check_updates(folder)
    print(f"{len(failures)} wrong" if failures else "all as stated")
    return 1 if failures else 0


sys.exit(main())
