#!/usr/bin/env python3
# large_study -- a million runs and their indices: time and memory of the run and of the analysis, beside SALib with numba.
"""Runs sweeps/sensitivity/pendulum.yaml with 2^17 base samples, and the same study by SALib and numba, one after the other.

    large_study.py [PROGRAM] [--samples N] [--second] [--time] [--series K] [--pendula-only] [--write]

PROGRAM is build/pendula or $PENDULA_PROGRAM. Ten outputs of six factors: first and total order with intervals, --second adds the second
order, --time adds indices of the coordinates at 21 times, 42 series, of which SALib analyses K (4): its seconds are then those times 42 / K,
and the table says so. Prints a section of Markdown: seconds, and the largest memory of each process so far. --write puts it into
docs/results/PEERS.md. numba solves the same equations by the same Newton's method; each code has its own rule for when rounding ends it,
which `updates` counts. Three things must agree, or it ends with 1: final states of 1000 points of the result file, to 1e-6 where the
tolerance is below 1e-8; indices that SALib finds of the result file's own outputs, to 1e-9; and the indices of both studies, whose samples
differ, within four times their intervals and what the codes differ by at those points. Both use all cores; SALib's analysis uses one,
since it takes one output at a time.
"""
import argparse
import datetime
import importlib.metadata
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

from measured import ROOT, processor, timed

SWEEP = ROOT / "sweeps/sensitivity/pendulum.yaml"
OUTPUTS = ["x_final[0]", "x_final[1]", "v_final[0]", "v_final[1]", "updates", "energy_initial", "energy_final", "energy_drift",
           "radius_error_max", "x_max"]
METRICS = "metrics=[status, x_final, v_final, updates, energy_initial, energy_final, energy_drift, radius_error_max, x_max]"
FACTORS = ["step", "eps", "k", "g", "rho_inf", "tolerance"]
REPLICATES = 100
STEPS, TIMES = 1000, 21
SERIES = 2 * TIMES  # both coordinates at each time
PAGE, HEADING = ROOT / "docs/results/PEERS.md", "## A large study by SALib and numba"


def of_pendula(program, folder, samples, second, over_time):
    name, file = "pendula", folder / "study.h5"
    design = f"design={{saltelli: {{samples: {samples}, second_order: {'true' if second else 'false'}}}}}"
    words = ["-s", design, "-s", METRICS]
    if over_time:
        words += ["-s", f"trajectory={{samples: {TIMES}, fields: [x]}}"]
    # Both sides have their kernels compiled before.
    timed(program, "run", SWEEP, *words, "-s", "design.saltelli.samples=2", "-o", file, "--force", "--progress", "none")
    rows = [("run", *timed(program, "run", SWEEP, *words, "-o", file, "--force", "--progress", "none")[:2])]
    metrics = [w for o in OUTPUTS for w in ("--metric", o)]
    *row, printed = timed(program, "sensitivity", file, *metrics, "--replicates", REPLICATES, "--estimator", "saltelli", "--format", "json")
    rows.append(("10 outputs", *row))
    (folder / "indices.json").write_text(printed)
    if over_time:
        rows.append(("over 21 times", *timed(program, "sensitivity", file, "--over", "time", "--replicates", REPLICATES, "--format", "json")[:2]))
    return [(name, *row) for row in rows]


def of_salib(samples, second, over_time, series, out):
    """A process of its own: SALib's sample, numba's runs, SALib's indices; parts, seconds, MiB and indices into a file."""
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
    def integrate(points, found, kept):
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
            if kept.shape[1] > 0:
                kept[i, 0], kept[i, 1] = x, y
            for n in range(1, STEPS + 1):
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
                if kept.shape[1] > 0 and n * (TIMES - 1) % STEPS == 0:
                    kept[i, 2 * (n * (TIMES - 1) // STEPS)], kept[i, 2 * (n * (TIMES - 1) // STEPS) + 1] = x, y
            found[i, 0], found[i, 1], found[i, 2], found[i, 3], found[i, 4] = x, y, v, w, updates
            found[i, 5], found[i, 6], found[i, 7], found[i, 8], found[i, 9] = first, energy, drift / unit, stretch, largest

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    numba.set_num_threads(os.cpu_count())
    integrate(np.array([[0.01, 0.1, 1.0, 1.0, 0.6, 1e-8]]), np.empty((1, 10)), np.empty((1, SERIES)))
    rows, problem = [], {"num_vars": 6, "names": FACTORS, "bounds": [[0, 1]] * 6}
    if out.with_suffix(".npy").exists():
        points = np.load(out.with_suffix(".npy"))
        found = np.empty((len(points), 10))
        kept = np.empty((len(points), SERIES))
        integrate(points, found, kept)
        np.save(out.with_suffix(".npy"), np.hstack([found, kept]))
    begun = time.monotonic()
    u = sample.sample(problem, samples, calc_second_order=second, seed=1)
    k = scipy.stats.truncnorm.ppf(u[:, 2], -5, 5, loc=1, scale=0.1)
    points = np.column_stack([0.005 + 0.015 * u[:, 0], 10 ** (-3 + 2 * u[:, 1]), k, 0.8 + 0.4 * u[:, 3], u[:, 4], 10 ** (-10 + 6 * u[:, 5])])
    rows.append(("sample", time.monotonic() - begun, peak()))
    begun = time.monotonic()
    found, kept = np.empty((len(points), 10)), np.empty((len(points), SERIES if over_time else 0))
    integrate(points, found, kept)
    rows.append(("run", time.monotonic() - begun, peak()))

    def analyse(numbers):
        indices = analyze.analyze(problem, np.ascontiguousarray(numbers), calc_second_order=second, num_resamples=REPLICATES, seed=1)
        return {key: np.asarray(indices[key]).tolist() for key in indices}

    begun = time.monotonic()
    indices = [analyse(found[:, i]) for i in range(10)]
    rows.append(("10 outputs", time.monotonic() - begun, peak()))
    if over_time:
        begun = time.monotonic()
        for i in range(series):  # from the last sample back, where no coordinate is constant
            analyse(kept[:, SERIES - 1 - i])
        rows.append((f"over {TIMES} times" + (f", from {series} of {SERIES} series" if series < SERIES else ""),
                     (time.monotonic() - begun) * SERIES / series, peak()))
    out.write_text(json.dumps({"rows": rows, "indices": indices}))


def check_final_states(folder, child):
    """numba on points of the result file, beside what the kernels found there. Returns the largest difference of final states, and for
    each output the variance of the differences over its own: a difference that hangs on nothing else moves an index by that much."""
    import h5py
    import numpy as np
    with h5py.File(folder / "study.h5") as file:
        group = file["generalized_alpha"]
        np.save(folder / "salib.npy", np.column_stack([group[n][:1000] for n in FACTORS]))
        expected = np.column_stack([group[name][:1000] for name in dict.fromkeys(output.split("[")[0] for output in OUTPUTS)])
        tight = group["tolerance"][:1000] < 1e-8
        over_time = group["x"][:1000].reshape(-1, SERIES) if "x" in group else None
    child()
    found = np.load(folder / "salib.npy")
    apart = np.max(np.abs(found[tight, :4] - expected[tight, :4]))
    differ = np.var(found[:, :10] - expected, axis=0) / np.var(expected, axis=0)
    return apart if over_time is None else max(apart, np.max(np.abs(found[tight, 10:] - over_time[tight]))), differ


def indices_of(folder):
    """What pendula printed: {output: (S1, ST, S2 of pairs in order, and half widths of S1, ST)}."""
    found = {}
    for row in json.loads((folder / "indices.json").read_text()):
        S1, ST, S2, conf = found.setdefault(row["metric"], ([], [], [], []))
        if row["with"]:
            S2.append(row["S2"])
        else:
            S1.append(row["S1"])
            ST.append(row["ST"])
            conf.append((row["S1_conf"], row["ST_conf"]))
    return found


def check_indices(folder, second, outputs):
    """SALib's indices of the result file's own outputs. Returns the largest difference from pendula's."""
    import h5py
    import numpy as np
    from SALib.analyze import sobol as analyze
    problem, worst = {"num_vars": 6, "names": list("abcdef"), "bounds": [[0, 1]] * 6}, 0.0  # the design's own order
    roles = 14 if second else 8
    with h5py.File(folder / "study.h5") as file:
        group = file["generalized_alpha"]
        for output in outputs:
            name, _, component = output.partition("[")
            y = group[name][:, int(component[:-1])] if component else group[name][...].astype(float)
            rows = y.reshape(-1, roles)[:, [0, *range(2, roles), 1]].ravel()  # B last
            salib = analyze.analyze(problem, rows, calc_second_order=second, num_resamples=2, seed=1)
            S1, ST, S2, _ = indices_of(folder)[output]
            worst = max(worst, np.max(np.abs(np.subtract(salib["S1"], S1))), np.max(np.abs(np.subtract(salib["ST"], ST))))
            if second:
                worst = max(worst, np.max(np.abs(salib["S2"][np.triu_indices(6, 1)] - S2)))
    return worst


def check_studies(folder, salib, differ):
    """The largest difference of the indices of both studies, in units of both intervals and of what the codes differ by."""
    worst = 0.0
    rows = json.loads((folder / "indices.json").read_text())
    factors = [row["parameter"] for row in rows if row["metric"] == OUTPUTS[0] and not row["with"]]
    for output, indices, part in zip(OUTPUTS, salib, differ):
        S1, ST, _, conf = indices_of(folder)[output]
        for i, name in enumerate(factors):
            k = FACTORS.index(name)
            for ours, theirs, half, other in ((S1[i], indices["S1"][k], conf[i][0], indices["S1_conf"][k]),
                                              (ST[i], indices["ST"][k], conf[i][1], indices["ST_conf"][k])):
                worst = max(worst, abs(ours - theirs) / (half + other + 4 * part + 1e-9))
    return worst


def write_section(text):
    """Puts the section into the page, in place of the one that is there."""
    page = PAGE.read_text()
    before, _, behind = page.partition(HEADING)
    _, mark, others = behind.partition("\n## ")
    PAGE.write_text(before.rstrip("\n") + "\n\n" + text + (f"{mark}{others}" if mark else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=os.environ.get("PENDULA_PROGRAM", str(ROOT / "build/pendula")))
    parser.add_argument("--samples", type=int, default=1 << 17)
    parser.add_argument("--second", action="store_true")
    parser.add_argument("--time", action="store_true", dest="over_time")
    parser.add_argument("--series", type=int, default=4)
    parser.add_argument("--pendula-only", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--salib", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.salib:
        of_salib(given.samples, given.second, given.over_time, given.series, pathlib.Path(given.salib))
        return 0
    version = subprocess.run([given.program, "--version"], check=True, capture_output=True, text=True).stdout.split("\n")[0]
    programs, agreed = [version], ""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        rows = of_pendula(given.program, folder, given.samples, given.second, given.over_time)
        if not given.pendula_only:
            try:
                import numba, numpy, SALib  # noqa: E401, F401
            except ImportError as error:
                print(f"skipped: SALib with numba: {error}")
            else:
                programs += [f"{name} {importlib.metadata.version(name)}" for name in ("SALib", "numba", "numpy")]
                words = [sys.executable, __file__, "--samples", given.samples, "--series", given.series, "--salib", folder / "salib.json"]
                words += [f"--{name}" for name, on in (("second", given.second), ("time", given.over_time)) if on]
                states, differ = check_final_states(folder, lambda: timed(*words))
                salib = json.loads((folder / "salib.json").read_text())
                same = check_indices(folder, given.second, OUTPUTS if given.samples <= 4096 else OUTPUTS[:1])
                apart = check_studies(folder, salib["indices"], differ)
                if not (states < 1e-6 and same < 1e-9 and apart < 4):
                    sys.exit(f"final states differ by {states}, indices of the same outputs by {same}, both studies by {apart} intervals")
                agreed = (f"Final states agree to {states:.1e}. SALib finds of {'all' if given.samples <= 4096 else 'the first of'} Pendula's "
                          f"outputs the same indices to {same:.1e}. The indices of both studies, whose samples differ, are within {apart:.2f} "
                          "times the sum of their intervals and of what the codes differ by.\n")
                rows += [("SALib, numba", *row) for row in salib["rows"]]
    runs = given.samples * (14 if given.second else 8)
    options = " ".join(f"--{name}" for name, on in (("second", given.second), ("time", given.over_time)) if on)
    text = f"{HEADING}\n\n{datetime.date.today()}, {processor()}; {', '.join(programs)}.\n\n"
    text += (f"Six factors of the elastic pendulum, {given.samples:,} base samples, {runs:,} runs of {STEPS} steps of `generalized_alpha`; ten "
             f"outputs, first{', second' if given.second else ''} and total order, intervals from {REPLICATES} resamplings. The output of "
             f"`{' '.join(['python3 tests/bench/large_study.py', options]).strip()}`, one program after the other; memory is the largest of the process so far.\n\n")
    text += "| program | part | seconds | peak MiB |\n|---|---|---:|---:|\n"
    text += "".join(f"| {name} | {part} | {seconds:.2f} | {peak:.0f} |\n" for name, part, seconds, peak in rows)
    text += f"\n{agreed}" if agreed else ""
    print(text, end="")
    if given.write:
        write_section(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
