#!/usr/bin/env python3
# large_study -- a million runs and their indices: time and memory of the run and of the analysis, beside SALib with numba.
"""Runs sweeps/sensitivity/pendulum.yaml with 2^17 base samples, and the same study by SALib and numba, one after the other.

    large_study.py [PROGRAM] [--samples N] [--second] [--time] [--pendula-only]

PROGRAM is build/pendula or $PENDULA_PROGRAM. Ten outputs of six factors: first and total order with intervals, --second adds the second
order, --time adds indices of the coordinates at 21 times. Prints a table of seconds and of the largest memory of each process. numba
solves the same equations by the same Newton's method, with the same stopping; among 1000 points of the result file its final states must be
those of the kernels to 1e-6 where the tolerance is below 1e-8. Both use all cores; SALib's analysis uses one, since it takes one output at a time.
"""
import argparse
import json
import math
import os
import pathlib
import resource
import sys
import tempfile
import time

from measured import ROOT, timed

SWEEP = ROOT / "sweeps/sensitivity/pendulum.yaml"
OUTPUTS = ["x_final[0]", "x_final[1]", "v_final[0]", "v_final[1]", "updates", "energy_initial", "energy_final", "energy_drift",
           "radius_error_max", "x_max"]
METRICS = "metrics=[status, x_final, v_final, updates, energy_initial, energy_final, energy_drift, radius_error_max, x_max]"
FACTORS = ["step", "eps", "k", "g", "rho_inf", "tolerance"]
REPLICATES = 100


def of_pendula(program, folder, samples, second, over_time):
    name, file = "pendula", folder / "study.h5"
    design = f"design={{saltelli: {{samples: {samples}, second_order: {'true' if second else 'false'}}}}}"
    words = ["-s", design, "-s", METRICS]
    if over_time:
        words += ["-s", "trajectory={samples: 21, fields: [x]}"]
    rows = [("run", *timed(program, "run", SWEEP, *words, "-o", file, "--force", "--progress", "none")[:2])]
    metrics = [w for o in OUTPUTS for w in ("--metric", o)]
    rows.append(("10 outputs", *timed(program, "sensitivity", file, *metrics, "--replicates", REPLICATES, "--format", "json")[:2]))
    if over_time:
        rows.append(("over 21 times", *timed(program, "sensitivity", file, "--over", "time", "--replicates", REPLICATES, "--format", "json")[:2]))
    return [(name, *row) for row in rows]


def of_salib(samples, second, out):
    """A process of its own: SALib's sample, numba's runs, SALib's indices; {part: [seconds, MiB]} into a file."""
    import numba
    import numpy as np
    import scipy.stats
    from SALib.analyze import sobol as analyze
    from SALib.sample import sobol as sample

    @numba.njit(inline="always")
    def force(x, y, stiffness, g):
        r = math.sqrt(x * x + y * y)
        pull = stiffness * (r - 1.0) / r
        return g - pull * x, -pull * y

    @numba.njit(parallel=True)
    def integrate(points, found):
        stencil = np.finfo(np.float64).eps ** (1.0 / 3.0)
        for i in numba.prange(points.shape[0]):
            h, eps, k, g, rho, tolerance = points[i]
            stiffness = 1.0 / (eps * eps)
            am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
            gamma, beta = 0.5 - am + af, 0.25 * (1.0 - am + af) ** 2
            part = 1.0 - af
            c, A = part * beta * h * h, 1.0 - am
            r0 = 1.0 + k * eps
            x, y, v, w = r0 * math.sqrt(0.5), r0 * math.sqrt(0.5), 1.0 + 0.5 * k * eps, -0.5 * k * eps
            first = 0.5 * (v * v + w * w) + 0.5 * stiffness * (r0 - 1.0) ** 2 - g * x
            unit = max(abs(first), 0.5 * (v * v + w * w))
            a, b = force(x, y, stiffness, g)
            updates, drift, stretch, largest, energy = 0, 0.0, abs(r0 - 1.0), max(abs(x), abs(y)), first
            for _ in range(1000):
                X, Y = x + part * h * (v + h * (0.5 - beta) * a), y + part * h * (w + h * (0.5 - beta) * b)
                p, q = a, b
                F, G = force(X + c * p, Y + c * q, stiffness, g)
                f, e = A * p + am * a - F, A * q + am * b - G
                for _ in range(50):
                    s = stencil * max(abs(p), abs(q), 1.0)
                    F1, G1 = force(X + c * (p + s), Y + c * q, stiffness, g)
                    F2, G2 = force(X + c * (p - s), Y + c * q, stiffness, g)
                    F3, G3 = force(X + c * p, Y + c * (q + s), stiffness, g)
                    F4, G4 = force(X + c * p, Y + c * (q - s), stiffness, g)
                    j11, j21, j12, j22 = 2.0 * s * A - F1 + F2, G2 - G1, F4 - F3, 2.0 * s * A - G3 + G4
                    factor = 2.0 * s / (j11 * j22 - j12 * j21)
                    p, q = p - factor * (j22 * f - j12 * e), q - factor * (j11 * e - j21 * f)
                    updates += 1
                    F, G = force(X + c * p, Y + c * q, stiffness, g)
                    f, e = A * p + am * a - F, A * q + am * b - G
                    miss = max(abs(f), abs(e))
                    if h * miss <= tolerance or miss <= 4.4e-16 * (2.0 * stiffness + abs(p) + abs(q)):
                        break
                x, y = x + h * (v + h * ((0.5 - beta) * a + beta * p)), y + h * (w + h * ((0.5 - beta) * b + beta * q))
                v, w = v + h * ((1.0 - gamma) * a + gamma * p), w + h * ((1.0 - gamma) * b + gamma * q)
                a, b = p, q
                r = math.sqrt(x * x + y * y)
                energy = 0.5 * (v * v + w * w) + 0.5 * stiffness * (r - 1.0) ** 2 - g * x
                drift, stretch = max(drift, abs(energy - first)), max(stretch, abs(r - 1.0))
                largest = max(largest, abs(x), abs(y))
            found[i, 0], found[i, 1], found[i, 2], found[i, 3], found[i, 4] = x, y, v, w, updates
            found[i, 5], found[i, 6], found[i, 7], found[i, 8], found[i, 9] = first, energy, drift / unit, stretch, largest

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    numba.set_num_threads(os.cpu_count())
    integrate(np.array([[0.01, 0.1, 1.0, 1.0, 0.6, 1e-8]]), np.empty((1, 10)))
    rows, problem = [], {"num_vars": 6, "names": FACTORS, "bounds": [[0, 1]] * 6}
    if out.with_suffix(".npy").exists():
        points = np.load(out.with_suffix(".npy"))
        found = np.empty((len(points), 10))
        integrate(points, found)
        np.save(out.with_suffix(".npy"), found)
    begun = time.monotonic()
    u = sample.sample(problem, samples, calc_second_order=second, seed=1)
    k = scipy.stats.truncnorm.ppf(u[:, 2], -5, 5, loc=1, scale=0.1)
    points = np.column_stack([0.005 + 0.015 * u[:, 0], 10 ** (-3 + 2 * u[:, 1]), k, 0.8 + 0.4 * u[:, 3], u[:, 4], 10 ** (-10 + 6 * u[:, 5])])
    rows.append(("sample", time.monotonic() - begun, peak()))
    begun = time.monotonic()
    found = np.empty((len(points), 10))
    integrate(points, found)
    rows.append(("run", time.monotonic() - begun, peak()))
    begun = time.monotonic()
    for i in range(10):
        analyze.analyze(problem, found[:, i], calc_second_order=second, num_resamples=REPLICATES, seed=1)
    rows.append(("10 outputs", time.monotonic() - begun, peak()))
    out.write_text(json.dumps(rows))


def check_final_states(folder, child):
    """numba on points of the result file, beside what the kernels found there. Returns the largest difference."""
    import h5py
    import numpy as np
    with h5py.File(folder / "study.h5") as file:
        group = file["generalized_alpha"]
        np.save(folder / "salib.npy", np.column_stack([group[n][:1000] for n in FACTORS]))
        expected = np.column_stack([group["x_final"][:1000], group["v_final"][:1000]])
        tight = group["tolerance"][:1000] < 1e-8
    child()
    return np.max(np.abs(np.load(folder / "salib.npy")[tight, :4] - expected[tight]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=os.environ.get("PENDULA_PROGRAM", "build/pendula"))
    parser.add_argument("--samples", type=int, default=1 << 17)
    parser.add_argument("--second", action="store_true")
    parser.add_argument("--time", action="store_true", dest="over_time")
    parser.add_argument("--pendula-only", action="store_true")
    parser.add_argument("--salib", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.salib:
        of_salib(given.samples, given.second, pathlib.Path(given.salib))
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        rows = of_pendula(given.program, folder, given.samples, given.second, given.over_time)
        if not given.pendula_only:
            try:
                import numba, SALib  # noqa: E401, F401
            except ImportError as error:
                print(f"skipped: SALib with numba: {error}")
            else:
                words = [sys.executable, __file__, "--samples", given.samples, "--salib", folder / "salib.json"]
                apart = check_final_states(folder, lambda: timed(*words, *(["--second"] if given.second else [])))
                if not apart < 1e-6:
                    sys.exit(f"final states differ by {apart}")
                rows += [("SALib, numba", *row) for row in json.loads((folder / "salib.json").read_text())]
    runs = given.samples * (14 if given.second else 8)
    print(f"{runs} runs of 1000 steps, {os.cpu_count()} cores\n\n| program | part | seconds | peak MiB |\n|---|---|---:|---:|")
    for name, part, seconds, peak in rows:
        print(f"| {name} | {part} | {seconds:.2f} | {peak:.0f} |")
    return 0


sys.exit(main())
