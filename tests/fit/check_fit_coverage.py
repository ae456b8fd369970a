# check_fit_coverage -- intervals and covariances of fits to noisy data of 200 seeds: they hold the truth as often as they say.
#
# The data are the exact motion, by Taylor series of mpmath, and normal errors. Of each of 200 seeds the intervals at 95 % are looked at:
#
#   coverage     each parameter's hold the truth in 92 to 98 % of the seeds. Of 200 fair tosses with 0.95 that is 1.95 deviations on
#                both sides; the seeds are fixed
#   region       so does the ellipsoid of all parameters together, d^T C^-1 d <= k F
#   covariance   C, the mean of the stated ones. With the covariance S of the estimates, 199 S_jj / C_jj is chi-square with 199 degrees of
#                freedom, and 199 tr(C^-1 S) with 199 k: both within quantiles of 1e-3 on each side
#   truth        200 d^T C^-1 d of the mean distance d from the truth is chi-square with k: below its quantile of 1 - 1e-3
#
# `all` does so with 1000 seeds, and prints what comes out.
import math
import os
import sys

from check_fit import data, LOTKA, find, one, table
from checking import check, main, need, write

np, mp = need("numpy", "mpmath")
os.environ["PENDULA_PROGRESS"] = "none"  # whether a compiler takes a second depends on the machine

SEEDS = 1000 if "all" in sys.argv else 200
NORMAL = 3.0902323061678132  # quantile of 1 - 1e-3

DUFFING = """problem: duffing
parameters: {alpha: {uniform: [0.5, 2]}, beta: {uniform: [0.1, 1.5]}, delta: {uniform: [0.01, 0.5]}, force: 0, x0: 1.5}
methods: [rk4]
step: 0.025
end: 15
design: {random: {samples: 1}}
"""


def chi_square(freedom, z):
    """The quantile of a chi-square at the normal's z: E. B. Wilson and M. M. Hilferty, PNAS 17 (1931) 684-688."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + z * math.sqrt(part)) ** 3


def exact(rate, start, times):
    """The motion at times, by Taylor series to 15 digits."""
    mp.mp.dps = 16
    motion = mp.odefun(lambda t, y: rate(y), 0, [mp.mpf(y) for y in start])
    return np.array([[float(y) for y in motion(t)] for t in times])


QUANTILES = {"Duffing": 3 * 2.8024, "Lotka-Volterra": 9.4877}  # of tables, 0.95: 3 F(3, 47), chi-square with 4


def estimates(name, sweep, truth, header, rows_of, words=()):
    """What is printed of the fits: values, covariances, and whether each interval holds the truth."""
    values, covariances, holds = [], [], []
    names = list(truth)
    for seed in range(SEEDS):
        rows = table(sweep, "--data", data(f"{name}.csv", header, rows_of(np.random.default_rng(seed))), "--starts", 4, *words)
        found = [one(rows, "parameter", parameter=of) for of in names]
        correlation = np.eye(len(names))
        for row in find(rows, "correlation"):
            i, j = names.index(row["parameter"]), names.index(row["with"])
            correlation[i, j] = correlation[j, i] = row["value"]
        deviations = np.array([row["deviation"] for row in found])
        values.append([row["value"] for row in found])
        covariances.append(correlation * np.outer(deviations, deviations))
        holds.append([row["low"] <= truth[of] <= row["high"] for of, row in zip(names, found)])
    return np.array(values), np.array(covariances), np.array(holds)


def judge(name, truth, values, covariances, holds):
    n, k = values.shape
    stated, spread = covariances.mean(axis=0), np.cov(values.T)
    away = values.mean(axis=0) - np.array(list(truth.values()))
    shares = holds.mean(axis=0)
    ratios = np.diag(spread) / np.diag(stated)
    inside = np.mean([d @ np.linalg.solve(c, d) <= QUANTILES[name] for d, c in zip(values - np.array(list(truth.values())), covariances)])
    whole = np.trace(np.linalg.solve(stated, spread))
    far = n * away @ np.linalg.solve(stated, away)
    print(f"{name}, {n} seeds: intervals hold the truth in {', '.join(f'{of} {100 * share:.1f} %' for of, share in zip(truth, shares))}; "
          f"regions in {100 * inside:.1f} %; variances over stated ones {', '.join(f'{ratio:.3f}' for ratio in ratios)}; trace {whole:.3f} of {k}; "
          f"mean off by chi-square {far:.2f} with {k}")
    for of, share, ratio in zip(truth, shares, ratios):
        check(0.92 <= share <= 0.98, f"{name}: the intervals of {of} hold it in {100 * share:.1f} %")
        low, high = (chi_square(n - 1, z) / (n - 1) for z in (-NORMAL, NORMAL))
        check(low <= ratio <= high, f"{name}: variance of {of} over the stated one {ratio}, not {low} .. {high}")
    check(0.92 <= inside <= 0.98, f"{name}: the regions hold the truth in {100 * inside:.1f} %")
    low, high = (chi_square(k * (n - 1), z) / (n - 1) for z in (-NORMAL, NORMAL))
    check(low <= whole <= high, f"{name}: tr(C^-1 S) is {whole}, not {low} .. {high}")
    check(far <= chi_square(k, NORMAL), f"{name}: the mean is off by {far}, chi-square with {k}: {away}")


def see_motions():
    truth = {"alpha": 1.0, "beta": 0.6, "delta": 0.12}
    times = 0.3 * np.arange(1, 51)
    path = exact(lambda y: [y[1], -0.12 * y[1] - y[0] - 0.6 * y[0] ** 3], (1.5, 0), times)[:, 0]
    sweep = write("duffing.yaml", DUFFING)
    judge("Duffing", truth, *estimates("duffing", sweep, truth, "t,x", lambda rng: zip(times, path + 0.03 * rng.standard_normal(50))))
    truth = {"a": 1.1, "b": 0.12, "c": 0.9, "d": 0.06}
    times = 0.3 * np.arange(1, 41)
    path = exact(lambda y: [y[0] * (1.1 - 0.12 * y[1]), y[1] * (0.06 * y[0] - 0.9)], (10, 5), times)
    sweep = write("lotka.yaml", LOTKA.replace("METHOD", "rk4").replace("[0.2, 5]", "[0.6, 1.6]").replace("[0.02, 0.5]", "[0.04, 0.2]"))
    header = "t,prey,hunters,prey_sigma,hunters_sigma"

    def rows(rng):
        noisy = path + rng.standard_normal(path.shape) * np.array([0.3, 0.2])
        return [(t, *row, 0.3, 0.2) for t, row in zip(times, noisy)]

    judge("Lotka-Volterra", truth, *estimates("lotka", sweep, truth, header, rows, ("--sigma", "absolute")))


if __name__ == "__main__":
    main(see_motions)
