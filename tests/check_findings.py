# check_findings -- docs/FINDINGS.md: its commands parse, its tables are what the program prints, its statements still hold.
#
# Sweeps run with fewer values of their axes. Directions and bounds are checked, never counts of runs in which solves
# fail: these are chance.
#
# Exit status: 0 all as stated, 1 something is not, 77 left out because a Python package is absent.
import csv
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
    import h5py
    import numpy as np
except ImportError as error:
    print(f"left out: {error}")
    sys.exit(77)

PROGRAM = os.environ["PENDULA_PROGRAM"]
ROOT = pathlib.Path(os.environ["PENDULA_SOURCE_DIR"])
PAGE = (ROOT / "docs/FINDINGS.md").read_text(encoding="utf-8")
PAIR = ("generalized_alpha", "theta2")
VALUES = [0.9, 0.6, 0.5, 0.3]
BY_EYE = [0.001, 0.07, 0.15, 0.45]
A, T = "generalized_alpha", "equal_low"
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


def rows(*words):
    return list(csv.DictReader(io.StringIO(run(*words, "--format", "csv"))))


def listed(numbers):
    return ",".join(format(number, ".17g") for number in numbers)


# --- the page's commands

def quoted_commands():
    found = []
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S):
        found += block.strip().split("\n")
    found += [text.replace("\n", " ") for text in re.findall(r"`(pendula [^`]+)`", PAGE)]
    return [shlex.split(line) for line in found]


# The file a run writes: -o, or the sweep's name.
def result_of(words):
    return words[words.index("-o") + 1] if "-o" in words else pathlib.Path(words[2]).stem + ".h5"


def check_options(words, helps):
    if words[1] not in helps:
        helps[words[1]] = run(words[1], "--help")
    for word in words[2:]:
        if word.startswith("--"):
            check(word.split("=")[0] in helps[words[1]], f"{shlex.join(words)}: no option {word}")


def check_commands():
    commands, helps, written = quoted_commands(), {}, set()
    check(len(commands) >= 20, f"only {len(commands)} commands are quoted")
    with tempfile.TemporaryDirectory() as folder:
        for words in commands:
            check(words[0] == "pendula", f"{words} is no command of pendula")
            check_options(words, helps)
            if words[1] == "run":
                check((ROOT / words[2]).is_file(), f"there is no {words[2]}")
                written.add(result_of(words))
                rest = [word for word in words[3:] if word not in ("-o", result_of(words))]
                run("plan", words[2], "--no-time", *rest)
            elif words[1] == "pairs":
                if "--plot" in words:
                    words[words.index("--plot") + 1] = pathlib.Path(folder) / "picture"
                if not shutil.which("gnuplot"):
                    words = [word for i, word in enumerate(words)
                             if not {"--plot", "--pair"} & {word, words[i - 1]}]
                device = [] if "measured" in words else ["--problem", "none"]
                run(*words[1:], *device, "-o", pathlib.Path(folder) / "table")
            elif words[1] == "spectrum":
                run(*words[1:], "-o", pathlib.Path(folder) / "table")
            else:
                check(words[2] in written, f"{shlex.join(words)}: no run above writes {words[2]}")
    for name in re.findall(r'h5py\.File\("([^"]+)"\)', PAGE):
        check(name in written, f"no run writes {name}")
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.S):
        compile(block, "docs/FINDINGS.md", "exec")


# --- sections 1 and 2: linear theory

def check_criteria():
    table = re.findall(r"^\| `([a-z_]+(?: --omega-h [0-9.]+)?)` \|(.*%\)) \|$", PAGE, re.M)
    check(len(table) == 8, f"{len(table)} criteria in the table, 8 are expected")
    for criterion, cells in table:
        name, *options = criterion.split()
        device = [] if name == "measured" else ["--problem", "none"]
        found = [float(row["theta"]) for row in
                 rows("pairs", *PAIR, "--values", listed(VALUES), "--criterion", name, *options, *device)]
        for cell, theta, eye in zip(cells.split("|"), found, BY_EYE):
            told, differs = re.fullmatch(r"\s*([0-9.]+) \(([+-]\d+) %\)\s*", cell).groups()
            check(abs(float(told) / theta - 1) < 6e-4, f"{criterion}: {told}, the program has {theta}")
            check(abs(float(differs) - 100 * (eye / theta - 1)) < 0.6, f"{criterion}: {differs} %")


# ln(radius) of theta2 over that of generalized_alpha.
def ratios(rho, theta, omegas):
    found = rows("spectrum", *PAIR, "-p", f"rho_inf={rho!r}", "-p", f"theta={theta!r}", "--omega-h", listed(omegas))
    logs = [np.log([float(row["radius"]) for row in found if row["method"] == name]) for name in PAIR]
    return logs[1] / logs[0]


def check_by_eye():
    omegas = np.geomspace(0.03, 1e4, 60)
    for rho, theta, least, most in ((0.6, 0.07, 0.18, 0.81), (0.5, 0.15, 0.30, 0.79), (0.3, 0.45, 0.61, 0.89)):
        found = ratios(rho, theta, omegas)
        check(found.min() > least and found.max() < most, f"({rho}, {theta}): {found.min()} to {found.max()}")
    found = ratios(0.9, 0.001, [0.05, 0.77, 0.78, 1e4])
    check(found[0] > 1.14 and found[1] > 1 > found[2] and found[3] < 0.014, f"(0.9, 0.001): {found}")


def low(rhos):
    return [float(row["theta"]) for row in rows("pairs", *PAIR, "--values", listed(rhos), "--problem", "none")]


def check_flips():
    table = [(float(rho), float(theta), float(omega)) for rho, theta, omega in
             re.findall(r"^\| (0\.\d+) \| ([0-9.]+) \| below Omega ([0-9.]+) \|$", PAGE, re.M)]
    check(len(table) == 7, f"{len(table)} flips in the table")
    for (rho, told, omega), theta in zip(table, low([rho for rho, _, _ in table])):
        check(abs(told - theta) < 6e-5, f"rho_inf {rho}: theta {told}, the program has {theta}")
        found = ratios(rho, theta, [omega / 3, 0.99 * omega, 1.01 * omega, 30 * omega])
        check(found[0] > 1 and found[1] > 1 > found[2] > found[3], f"rho_inf {rho}: no flip at {omega}: {found}")
    above, below = 0.365, 0.361
    for rho, theta in zip((above, below), low([above, below])):
        found = ratios(rho, theta, [0.3])
        check((found[0] < 1) == (rho == above), f"rho_inf {rho}: {found} as Omega -> 0")
    for rho, theta in zip((0.9, 0.6, 0.5, 0.365, 0.215, 0.13), low([0.9, 0.6, 0.5, 0.365, 0.215, 0.13])):
        found = ratios(rho, theta, np.geomspace(0.3, 1e6, 40))
        check(all(found > 1) if rho < 0.2192 else all(found < 1), f"rho_inf {rho}: a flip: {found}")
    found = rows("pairs", *PAIR, "--values", "0.2193,0.2192,0.1151,0.1150", "--problem", "none")
    signs = [float(row["radius_infinity_to"] or "nan") > float(row["rho_inf"]) for row in found]
    check(signs[0] and not signs[1], "the radii at infinity do not change places at 0.2192")
    check(found[2]["theta"] and not found[3]["theta"], "0.1150 is not where equivalents end")
    found = rows("pairs", *PAIR, "--values", "0.6,0.5,0.188,0.186", "--criterion", "max_decay", "--problem", "none")
    radii = [float(row["radius_infinity_to"]) / float(row["rho_inf"]) for row in found]
    check(radii[0] > 1.3 and radii[1] > 1.3 and radii[2] > 1 > radii[3], f"at equal maximum decay: {radii}")


# --- sections 3 to 5: sweeps of fewer values

def sweep(folder, name, *settings):
    path = pathlib.Path(folder) / "result.h5"
    words = [word for setting in settings for word in ("-s", setting)]
    run("run", ROOT / "sweeps" / f"{name}.yaml", "--force", "-o", path, "--progress", "none", *words)
    with h5py.File(path) as file:
        groups = {label: {key: data[:] for key, data in group.items() if isinstance(data, h5py.Dataset)}
                  for label, group in file.items() if isinstance(group, h5py.Group) and "status" in group}
    for label, group in groups.items():
        check((group["status"] == 1).all(), f"{name} {settings}: {label} has points that are not ok")
    return groups


# The sweeps' parameters are the pairs they say they are.
def check_parameters(groups):
    criteria = {"equal_low": "low_frequency", "equal_high": "high_frequency"}
    for label, criterion in criteria.items():
        found = [float(row["theta"]) for row in
                 rows("pairs", *PAIR, "--values", listed(VALUES), "--criterion", criterion, "--problem", "none")]
        check(np.allclose(groups[label]["theta"], found, rtol=1e-8, atol=0), f"{label}: {groups[label]['theta']}")
    check(list(groups[A]["rho_inf"]) == VALUES and list(groups["by_eye"]["theta"]) == BY_EYE, "values by eye")


def over(groups, label, name):
    return groups[label][name] / groups[A][name]


def check_pendulum(folder):
    few = ("step=[0.0125, 0.05, 0.1]", "parameters.eps=[1.0e-4, 3.0e-4, 1.0e-3, 3.0e-3, 1.0e-2]")
    start = sweep(folder, "pairs_elastic", *few)
    rest = sweep(folder, "pairs_elastic", *few, "parameters.k=0")
    check_parameters(start)
    for label in (T, "by_eye"):
        check((start[label]["visually_correct"] == 1).all(), f"{label} is visually wrong somewhere")
    seen = start[A]["visually_correct"] == 1
    for i, most in enumerate((70, 3.1, 1.9, 0.75)):
        reach = start[A]["step"][:, None] ** 2 / start[A]["eps"]
        check(seen[..., i][reach < 0.8 * most].all(), f"rho_inf {VALUES[i]}: wrong below k h^2/eps = {most}")
        check(not seen[..., i][reach > 1.2 * most].any(), f"rho_inf {VALUES[i]}: right above k h^2/eps = {most}")
    for label, group in rest.items():
        check((group["visually_correct"] == 1).all(), f"k = 0: {label} is visually wrong somewhere")
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
        found = np.nanmedian(over(rest, label, "log_decrement")[..., 1:], axis=(0, 1))
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


# The smallest tolerance at which one update suffices at every step, for each step size.
def thresholds(group):
    updates = group["updates"][:, 1] if group["updates"].ndim == 3 else group["updates"]
    steps = np.round(50 / group["step"])
    return np.array([group["tolerance"][updates[i] <= steps[i]].min() for i in range(len(steps))])


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
            found = thresholds(groups[label])
            slope = np.log(found[-1] / found[0]) / np.log(4)
            check(abs(slope - order) < 0.3, f"{residual}: the tolerance of {label} goes like h^{slope:.2f}, not {order}")
        if residual == "scaled":
            check(thresholds(groups[T])[0] > 500 * thresholds(groups[A])[0], "the advantage of the better guess")


def main():
    check_commands()
    check_criteria()
    check_by_eye()
    check_flips()
    with tempfile.TemporaryDirectory() as folder:
        check_pendulum(folder)
        check_chain(folder)
        check_updates(folder)
    print(f"{len(failures)} wrong" if failures else "all as stated")
    return 1 if failures else 0


sys.exit(main())
