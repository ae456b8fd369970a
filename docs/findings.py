# findings -- prints the tables of FINDINGS.md and the numbers of its text.
#
#   python3 docs/findings.py pairs|flip|elastic|chain|soft [--pendula PATH]
#
# pairs and flip (sections 1 and 2) ask the program (default: build/pendula); elastic, chain and soft (sections 3 to 5)
# reduce the result files that the page's commands make in the current folder. A is generalized_alpha, T theta2; T/A is a
# ratio point by point, T at the theta of equal low-frequency damping, told as median (least to largest); four numbers in
# a row are those at rho_inf 0.9, 0.6, 0.5 and 0.3. Lines that begin with | are rows of the page's tables.
import argparse
import csv
import pathlib
import re
import shlex
import subprocess

import h5py
import numpy as np

PAIR = ("generalized_alpha", "theta2")
A, T = "generalized_alpha", "equal_low"
VALUES, BY_EYE = np.array([[0.9, 0.6, 0.5, 0.3], [0.001, 0.07, 0.15, 0.45]])
CRITERIA = ["low_frequency", "measured", "measured -s step=0.5 -s end=500", "radius --omega-h 0.05", "radius --omega-h 1",
            "radius --omega-h 10", "damping_ratio --omega-h 1", "max_decay", "high_frequency"]
LIMITS = np.array([70, 3.1, 1.9, 0.75])  # k h^2/eps beyond which A is visually wrong


def page_runs():
    """The page's run commands, by the name of the file that each makes."""
    page = pathlib.Path(__file__).with_name("FINDINGS.md").read_text(encoding="utf-8")
    lines = re.findall(r"^pendula run .*$", page, re.M)
    return {pathlib.Path(shlex.split(line)[-1 if " -o " in line else 2]).stem: line for line in lines}


def groups_of(path):
    """The groups of a result file: by label, axes and metrics by name."""
    with h5py.File(path) as file:
        return {label: {name: data[:].astype(float) for name, data in group.items() if isinstance(data, h5py.Dataset)}
                for label, group in file.items() if isinstance(group, h5py.Group) and "status" in group}


def load(*names):
    """These files' groups; how many of a file's points are not ok is printed."""
    files = {}
    for name in names:
        if not pathlib.Path(f"{name}.h5").exists():
            raise SystemExit(f"{name}.h5 is missing: {page_runs()[name]}")
        files[name] = groups_of(f"{name}.h5")
        print(f"{name}: {sum((group['status'] != 1).sum() for group in files[name].values())} points are not ok")
    return files


def over(groups, label, metric):
    return groups[label][metric] / groups[A][metric]


def span(numbers):
    """The median, and the range."""
    found = (np.median(numbers), np.min(numbers), np.max(numbers))
    return "{} ({} to {})".format(*(f"{x:.2f}" if x < 10 else f"{float(f'{x:.2g}'):.0f}" for x in found))


def listed(numbers, form=".2f"):
    return ", ".join(format(number, form) for number in numbers)


def table_row(*cells):
    print("| " + " | ".join(cells) + " |")


def rows(program, *words):
    """What a command of the program prints as csv."""
    done = subprocess.run([program, *words, "--format", "csv"], stdout=subprocess.PIPE, text=True, check=True)
    return list(csv.DictReader(done.stdout.splitlines()))


def equivalents(program, values, criterion="low_frequency", column="theta"):
    """T's theta at values of rho_inf, or another column of the table; nan where there is none."""
    device = [] if criterion.startswith("measured") else ["--problem", "none"]
    words = [*PAIR, "--values", ",".join(map(str, values)), "--criterion", *criterion.split(), *device]
    return np.array([float(row[column] or "nan") for row in rows(program, "pairs", *words)])


def damping_ratios(program, rhos, thetas, omegas):
    """-ln(radius), T/A: a row for each pair, a column for each Omega."""
    found = rows(program, "spectrum", *PAIR, "-p", "rho_inf=" + ",".join(map(str, rhos)),
                 "-p", "theta=" + ",".join(map(str, thetas)), "--omega-h", ",".join(map(str, omegas)))
    logs = {(float(row["rho_inf"] or row["theta"]), row["method"], float(row["omega_h"])): np.log(float(row["radius"]))
            for row in found}
    return np.array([[logs[theta, "theta2", omega] / logs[rho, "generalized_alpha", omega] for omega in omegas]
                     for rho, theta in zip(rhos, thetas)])


def crossing(x, y):
    """Where y first passes 1; nan where it does not."""
    found = np.nonzero((y[:-1] - 1) * (y[1:] - 1) <= 0)[0]
    return x[found[0]] + (1 - y[found[0]]) * (np.diff(x) / np.diff(y))[found[0]] if len(found) else np.nan


def print_pairs(program):
    """Section 1: theta under each criterion, and how far from it the choice by eye is."""
    for criterion in CRITERIA:
        table_row(f"`{criterion}`", *(f"{theta:#.4g} ({100 * (eye / theta - 1):+.0f} %)"
                                      for theta, eye in zip(equivalents(program, VALUES, criterion), BY_EYE)))
    omegas = np.geomspace(0.01, 1e4, 201)
    for rho, eye, ratio in zip(VALUES, BY_EYE, damping_ratios(program, VALUES, BY_EYE, omegas)):
        print(f"({rho}, {eye}): -ln(radius), T/A, {ratio.min():.2f} to {ratio.max():.2f}; {ratio[0]:.2f} at Omega 0.01, "
              f"{ratio[-1]:.3f} at 10,000, 1 at {crossing(omegas, ratio):.3f}")


def print_flip(program):
    """Section 2: the Omega below which T damps more at equal low-frequency damping."""
    rhos, omegas = np.array([0.36, 0.34, 0.32, 0.3, 0.28, 0.26, 0.24]), np.geomspace(0.5, 500, 1001)
    thetas = equivalents(program, rhos)
    for rho, theta, ratio in zip(rhos, thetas, damping_ratios(program, rhos, thetas, omegas)):
        table_row(f"{rho:.2f}", f"{theta:.4f}", f"{crossing(omegas, ratio):.3g}")
    ratio = damping_ratios(program, [0.3], equivalents(program, [0.3]), np.geomspace(0.1, 1e5, 301))
    print(f"low_frequency, 0.3: -ln(radius), T/A, at most {ratio.max():.3f}, A/T at most {1 / ratio.min():.3f}")
    many = np.linspace(0.15, 0.9, 151)
    for criterion in ("low_frequency", "max_decay"):
        radius = equivalents(program, many, criterion, "radius_infinity_to")
        ratio = damping_ratios(program, many, equivalents(program, many, criterion), [0.1])[:, 0]
        print(f"{criterion}: T's radius at infinity {listed(np.interp(VALUES, many, radius), '.3f')}, A's at rho_inf "
              f"{crossing(many, radius / many):.4f}; -ln(radius) at Omega 0.1, T/A, "
              f"{listed(np.interp(VALUES, many, ratio))}, 1 at {crossing(many, ratio):.4f}")


def right(group):
    return group["visually_correct"] == 1


def out_of_limits(group, k):
    """Which points of A are right or wrong against LIMITS by more than 20 %."""
    reach = (k * group["step"][:, None] ** 2 / group["eps"])[..., None]
    return np.where(right(group), reach > 1.2 * LIMITS, reach < 0.8 * LIMITS)


def decrements(groups, label):
    """The slow mode's decrement over A's, median of eps <= 1e-2; nan where A's is lost in rounding."""
    stiff = groups[A]["eps"] < 1.001e-2
    ratio = np.nanmedian(over(groups, label, "log_decrement")[:, stiff], axis=(0, 1))
    return np.where((groups[A]["log_decrement"][:, stiff] > 0).mean(axis=(0, 1)) > 0.9, ratio, np.nan)


def print_elastic(_):
    """Section 3: the stiff pendulum."""
    files = load("pairs_elastic", "pairs_elastic_k03", "pairs_elastic_k0", "pairs_elastic_paper")
    start, weak, rest, _ = files.values()
    both, stiff, h = right(start[A]) & right(start[T]), start[A]["eps"] < 1.001e-2, start[A]["step"]
    for k, groups in ((1, start), (0, rest)):
        shares = (right(groups[label]).mean(axis=(0, 1)) for label in (A, T))
        table_row(f"visually correct, k = {k}: A; T", *(f"{a:.2f}; {t:.2f}" for a, t in zip(*shares)))
    for metric in ("high_frequency_amplitude", "updates", "condition_mean"):
        table_row(f"`{metric}`, T/A", *(span(over(start, T, metric)[both[..., i], i]) for i in range(4)))
    for label in (T, "by_eye", "equal_high"):
        table_row(f"decrement of the angle, `{label}`/A",
                  *("too small" if np.isnan(ratio) else f"{ratio:.3f}" for ratio in decrements(rest, label)))
    for name, groups in files.items():
        fewer = over(groups, T, "updates")
        print(f"{name}: T makes fewer updates in {listed((fewer < 1).mean(axis=(0, 1)))}, least T/A {fewer.min():.2f}")
        for label in (A, T, "by_eye"):
            group, failed = groups[label], groups[label]["failed_solves"] > 0
            print(f"  {label}: wrong where A is right {(right(groups[A]) > right(group)).mean():.3f}, eps <= 1e-2 "
                  f"{1 - right(group)[:, stiff].mean():.3f}; failed solves {listed(failed.mean(axis=(0, 1)), '.3f')}, eps < "
                  f"2e-4 {failed[:, group['eps'] < 2e-4].mean():.2f}; condition_max {group['condition_max'].max():.1e}; "
                  f"energy_drift {listed(group['energy_drift'].max(axis=(0, 1)), '.2g')}")
    outside = [out_of_limits(groups[A], k)[:, stiff] for k, groups in ((1, start), (0.3, weak))]
    print(f"k h^2/eps of {listed(LIMITS, 'g')}: {np.sum(outside)} of {np.size(outside)} points of A on the wrong side")
    high, strong = (over(start, label, "high_frequency_amplitude") for label in (T, "equal_high"))
    print(f"amplitude: T/A above 1.1 at 0.9 in {(high[..., 0] > 1.1)[both[..., 0]].mean():.2f}; equal_high over A "
          f"{', '.join(span(strong[both[..., i], i]) for i in range(4))}")
    for label in (A, T):
        each = start[label]["updates"] / np.round(50 / h)[:, None, None]
        print(f"{label}: updates a step {span(each)}; at 0.6 and eps <= 1e-2, medians at h {listed(h, 'g')}: "
              f"{listed(np.median(each[:, stiff, 1], axis=1))}")


def print_chain(_):
    """Section 4: chains with stiffnesses 1 to 10^4, the last of the three spreads."""
    files = load("chain_2", "chain_8", "chain_32", "chain_2_paper", "chain_8_paper", "chain_32_paper", "chain_8_stretched")
    ratio = {(name, label, metric): over(groups, label, metric)[:, -1] for name, groups in files.items()
             for label in (T, "equal_high")
             for metric in ("updates", "condition_mean", "angle_error_max", "high_frequency_amplitude")}
    for n in (2, 8, 32):
        high = ratio[f"chain_{n}", T, "high_frequency_amplitude"]
        table_row(str(n), *(span(ratio[f"chain_{n}{mode}", T, metric]) for mode, metric in (
            ("", "updates"), ("_paper", "updates"), ("", "condition_mean"), ("", "angle_error_max"))),
                  span(high[:, 0]), span(high[:, 1:]))
    for name, groups in files.items():
        failed = sum(group["failed_solves"].sum() for group in groups.values())
        print(f"{name}: {failed:g} failed solves; T makes fewer updates in {(ratio[name, T, 'updates'] < 1).mean():.2f}; "
              f"largest condition_max, A {groups[A]['condition_max'].max():.3g}, T {groups[T]['condition_max'].max():.3g}")
    for (name, label, metric), found in ratio.items():
        print(f"{name}, {label} over A: {metric} {listed(np.median(found, axis=0))}; all {span(found)}")


def one_update(group):
    """The smallest tolerance at which one update suffices at every step, for each h, at 0.6; and its exponent of h."""
    updates = group["updates"][:, 1] if group["updates"].ndim == 3 else group["updates"]
    found = [group["tolerance"][row <= np.round(50 / h)].min() for row, h in zip(updates, group["step"])]
    return found, np.log(found[-1] / found[0]) / np.log(group["step"][-1] / group["step"][0])


def print_updates(files):
    """Section 5, first table: updates, and errors where both are below 0.1, since the motion bounds larger ones."""
    for name, groups in files.items():
        ratio, (a, t) = over(groups, T, "updates"), (groups[label]["error_max"] for label in (A, T))
        table_row(f"`{name}`", f"{np.median(ratio):.2f}, {ratio.max():.2f}", f"{100 * (ratio > 1.01).mean():.0f} %, "
                  f"{(ratio < 1).sum()}", span((t / a)[(a < 0.1) & (t < 0.1)]))
    for name, groups in files.items():
        same = groups["newmark"]["error_max"][:, 0] / groups["trapezoidal"]["error_max"][:, 0] - 1
        print(f"{name}: error_max, T/A, medians {listed(np.median(over(groups, T, 'error_max'), axis=(0, 2)))}; newmark's "
              f"and trapezoidal's differ at tolerance 1e-10 by at most {abs(same).max():.1e}")
        for label, limit in ((A, "newmark"), (T, "trapezoidal")):
            group, share = groups[label], groups[limit]["updates"][:, None] / groups[label]["updates"]
            change = abs(group["error_max"][..., -1] / group["error_max"][..., 0] - 1).max()
            most = (group["updates"][..., -1] / np.round(50 / group["step"])[:, None]).max()
            print(f"  {label}: from tolerance 1e-10 to 1e-4 errors change by at most {100 * change:.1f} %; at 1e-4 at most "
                  f"{most:.2f} updates a step; {limit} makes {span(share)} times its updates")


def print_thresholds(files):
    """Section 5, second table: the tolerances that one update meets."""
    for name, label in ((name, label) for name in files for label in (A, "newmark", T, "trapezoidal")):
        found, exponent = one_update(files[name][label])
        table_row(f"{label}, `{name}`", *(f"{x:.1e}" for x in found), f"{exponent:.1f}")


def print_costs(files):
    """Section 5, third table: updates for an error at 0.6, by logarithmic interpolation, tolerances 1e-4, 1e-8, 1e-10."""
    for name, error in ((name, error) for name in ("pairs_soft", "pairs_soft_duffing") for error in (0.01, 0.001)):
        found = [[np.interp(np.log(error), *(np.log(files[name][label][metric][:, 1, at])
                                             for metric in ("error_max", "updates")))
                  for label in (A, T)] for at in (-1, 2, 0)]
        table_row(f"`{name}`, {error:g}", *(f"{np.exp(a):.0f}; {np.exp(t):.0f}" for a, t in found))


def print_soft(_):
    """Section 5: well-conditioned problems."""
    files = load("pairs_soft", "pairs_soft_2", "pairs_soft_duffing", "pairs_soft_double", "pairs_soft_elastic")
    print_updates(files)
    print_thresholds(load("thresholds", "thresholds_raw"))
    print_costs(files)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="prints the tables of FINDINGS.md and the numbers of its text")
    parser.add_argument("part", choices=["pairs", "flip", "elastic", "chain", "soft"])
    parser.add_argument("--pendula", metavar="PATH", default="build/pendula")
    globals()[f"print_{parser.parse_args().part}"](parser.parse_args().pendula)
