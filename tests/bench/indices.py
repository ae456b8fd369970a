#!/usr/bin/env python3
# indices -- the same samples through pendula, SALib, OpenTURNS and scipy: indices, their errors, and seconds.
"""Draws samples of functions whose indices are known, gives each program the same rows, and prints a page of Markdown.

    indices.py [PROGRAM] [--samples N] [--turns T] [--write]

--write makes the page INDICES.md of it, among the reports of docs/results.

PROGRAM is build/pendula or $PENDULA_PROGRAM. Programs that are not installed (pip: SALib, openturns, scipy) are left out and said so.
Seconds are medians of T turns (5), one program after the other in each turn, of the analysis alone: rows are in memory, for pendula in
a CSV file, whose reading and the process count.
"""
import argparse
import contextlib
import datetime
import importlib.metadata
import importlib.util
import io
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

from measured import ROOT, processor

PAGE = ROOT / "docs/results" / "INDICES.md"
PI = math.pi
A, B = 7.0, 0.1
WEIGHTS = (0.0, 0.5, 3.0, 9.0, 99.0, 99.0, 99.0, 99.0)


class Ishigami:
    """Ishigami and Homma 1990; its indices follow from the integrals of each term."""

    name, inputs, low, high = "Ishigami", ("a", "b", "c"), -PI, PI

    formula = "sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)"

    def of(self, x):
        return numpy.sin(x[:, 0]) + A * numpy.sin(x[:, 1])**2 + B * x[:, 2]**4 * numpy.sin(x[:, 0])

    def truth(self):
        first = 0.5 * (1 + B * PI**4 / 5)**2, A**2 / 8, 0.0
        pair = B**2 * PI**8 * 8 / 225
        whole = sum(first) + pair
        return {"S1": [v / whole for v in first], "ST": [(first[0] + pair) / whole, first[1] / whole, pair / whole]}


class Product:
    """Sobol's g function of eight factors, a product whose parts have the variance 1 / (3 (1 + w)^2) (Saltelli and Sobol' 1995)."""

    name, inputs, low, high = "g of 8 factors", tuple("abcdefgh"), 0.0, 1.0

    formula = "*".join(f"((abs(4*{x} - 2) + {w})/{1 + w})" for x, w in zip(inputs, WEIGHTS))

    def of(self, x):
        return numpy.prod([(abs(4 * x[:, i] - 2) + w) / (1 + w) for i, w in enumerate(WEIGHTS)], axis=0)

    def truth(self):
        parts = [1 / (3 * (1 + w)**2) for w in WEIGHTS]
        whole = math.prod(1 + p for p in parts) - 1
        return {"S1": [p / whole for p in parts], "ST": [p * math.prod(1 + q for q in parts) / (1 + p) / whole for p in parts]}


def saltelli_rows(function, samples, seed):
    """A, B, AB_i and BA_i of scrambled Sobol' points, a matrix after the other."""
    from scipy.stats import qmc

    d = len(function.inputs)
    both = function.low + (function.high - function.low) * qmc.Sobol(2 * d, seed=seed).random(samples)
    a, b = both[:, :d], both[:, d:]
    mixed = []
    for base, other in ((a, b), (b, a)):
        for i in range(d):
            rows = base.copy()
            rows[:, i] = other[:, i]
            mixed.append(rows)
    return numpy.concatenate([a, b, *mixed])


class Pendula:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.name = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split("\n")[0]

    def ask(self, function, x, y, *words):
        table = self.folder / "rows.csv"
        if not self.kept(x, y):
            numpy.savetxt(table, numpy.column_stack([x, y]), fmt="%.17g", delimiter=",", header=",".join([*function.inputs, "y"]), comments="")
        begun = time.monotonic()
        done = subprocess.run([self.program, "sensitivity", table, "--inputs", ",".join(function.inputs), "--outputs", "y", "--format", "json",
                               *words], capture_output=True, text=True)
        self.seconds = time.monotonic() - begun
        if done.returncode:
            raise SystemExit(done.stderr)
        return self.indices(function, done.stdout)

    def indices(self, function, answer):
        factors = {row["parameter"]: row for row in json.loads(answer) if not row["with"]}
        keys = [key for key in ("S1", "ST", "delta") if factors[function.inputs[0]].get(key) is not None]
        return {key: [factors[name][key] for name in function.inputs] for key in keys}

    def kept(self, x, y):
        same = getattr(self, "last", None) is not None and self.last[0] is x and self.last[1] is y
        self.last = (x, y)
        return same

    def sobol(self, function, x, y, samples):
        return self.ask(function, x, y, "--estimator", "saltelli")

    def jansen(self, function, x, y, samples):
        return self.ask(function, x, y, "--estimator", "jansen")

    def ranks(self, function, x, y):
        return self.ask(function, x, y, "--index", "given")

    def rows(self, function, samples, seed):
        """Random rows of a sweep, which has the distributions of the inputs, and its outputs: one step arrives at the formula."""
        import h5py

        sweep, self.file = self.folder / "rows.yaml", self.folder / "rows.h5"
        inputs = ", ".join(f"{name}: {{uniform: [{function.low!r}, {function.high!r}]}}" for name in function.inputs)
        sweep.write_text(f"problem:\n  coordinates: [y]\n  rate: [\"{function.formula}\"]\n  parameters: {{{inputs}}}\n"
                         f"design: {{random: {{samples: {samples}, seed: {seed}}}}}\nmethods: [explicit_euler]\nstep: 1\nend: 1\n"
                         "metrics: [x_final]\n")
        subprocess.run([self.program, "run", sweep, "-o", self.file, "--force", "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
        with h5py.File(self.file) as file:
            group = file["explicit_euler"]
            return numpy.column_stack([group[name] for name in function.inputs]), group["x_final"][:, 0]

    def chaos(self, function, x, y):
        begun = time.monotonic()
        done = subprocess.run([self.program, "sensitivity", self.file, "--index", "chaos", "--format", "json"], check=True, capture_output=True)
        self.seconds = time.monotonic() - begun
        return self.indices(function, done.stdout)

    def delta(self, function, x, y):
        return self.ask(function, x, y, "--index", "delta")


class Salib:
    def __init__(self):
        self.name = f"SALib {importlib.metadata.version('SALib')}"

    def problem(self, function):
        d = len(function.inputs)
        return {"num_vars": d, "names": list(function.inputs), "bounds": [[function.low, function.high]] * d}

    def sobol(self, function, x, y, samples):
        from SALib.analyze import sobol

        d = len(function.inputs)
        blocks = y.reshape(2 + 2 * d, samples)
        rows = blocks[[0, *range(2, 2 + 2 * d), 1]].T.ravel()  # a base sample after the other, B last
        begun = time.monotonic()
        found = sobol.analyze(self.problem(function), rows, calc_second_order=True, num_resamples=2, seed=1)
        self.seconds = time.monotonic() - begun
        return {"S1": list(found["S1"]), "ST": list(found["ST"])}

    def delta(self, function, x, y):
        from SALib.analyze import delta

        begun = time.monotonic()
        found = delta.analyze(self.problem(function), x, y, num_resamples=10, seed=1)
        self.seconds = time.monotonic() - begun
        return {"delta": list(found["delta_balanced" if "delta_balanced" in found else "delta"])}  # the name since 1.6


class Openturns:
    def __init__(self):
        import openturns

        openturns.Log.Show(openturns.Log.NONE)
        self.ot, self.name = openturns, f"OpenTURNS {openturns.__version__}"

    def algorithm(self, which, x, y, samples):
        ot = self.ot
        inputs, outputs = ot.Sample(x), ot.Sample(y[:, None])
        begun = time.monotonic()
        found = which(inputs, outputs, samples)
        found.setUseAsymptoticDistribution(True)
        indices = {"S1": list(found.getFirstOrderIndices()), "ST": list(found.getTotalOrderIndices())}
        self.seconds = time.monotonic() - begun
        return indices

    def sobol(self, function, x, y, samples):
        return self.algorithm(self.ot.SaltelliSensitivityAlgorithm, x, y, samples)

    def jansen(self, function, x, y, samples):
        return self.algorithm(self.ot.JansenSensitivityAlgorithm, x, y, samples)

    def ranks(self, function, x, y):
        ot = self.ot
        inputs, outputs = ot.Sample(x), ot.Sample(y[:, None])
        begun = time.monotonic()
        found = ot.RankSobolSensitivityAlgorithm(inputs, outputs)
        indices = {"S1": list(found.getFirstOrderIndices())}
        self.seconds = time.monotonic() - begun
        return indices

    def chaos(self, function, x, y):
        ot = self.ot
        d = len(function.inputs)
        joint = ot.JointDistribution([ot.Uniform(function.low, function.high)] * d)
        basis = ot.OrthogonalProductPolynomialFactory([ot.StandardDistributionPolynomialFactory(joint.getMarginal(i)) for i in range(d)],
                                                      ot.HyperbolicAnisotropicEnumerateFunction(d, 0.5))
        terms = ot.FixedStrategy(basis, basis.getEnumerateFunction().getBasisSizeFromTotalDegree(14 if d < 5 else 6))  # of 14 in eight factors it takes a quarter of an hour
        sparse = ot.LeastSquaresStrategy(ot.LeastSquaresMetaModelSelectionFactory(ot.LARS(), ot.CorrectedLeaveOneOut()))
        inputs, outputs = ot.Sample(x), ot.Sample(y[:, None])
        begun = time.monotonic()
        algorithm = ot.FunctionalChaosAlgorithm(inputs, outputs, joint, terms, sparse)
        algorithm.run()
        found = ot.FunctionalChaosSobolIndices(algorithm.getResult())
        indices = {"S1": [found.getSobolIndex(i) for i in range(d)], "ST": [found.getSobolTotalIndex(i) for i in range(d)]}
        self.seconds = time.monotonic() - begun
        return indices


class Scipy:
    def __init__(self):
        import scipy

        self.name = f"scipy {scipy.__version__}"

    def sobol(self, function, x, y, samples):
        from scipy.stats import sobol_indices

        d = len(function.inputs)
        blocks = y.reshape(2 + 2 * d, samples)
        begun = time.monotonic()
        found = sobol_indices(func={"f_A": blocks[:1], "f_B": blocks[1:2], "f_AB": blocks[2:2 + d, None, :]}, n=samples)
        self.seconds = time.monotonic() - begun
        return {"S1": list(numpy.ravel(found.first_order)), "ST": list(numpy.ravel(found.total_order))}


# Published by GlobalSensitivity.jl, test/sobol_method.jl and test/delta_method.jl (SciML): 600,000 base samples, and 1000 rows.
PUBLISHED = {"S1": (0.3139335358797363, 0.44235918402206326, 0.0), "ST": (0.5576009081644232, 0.44237102330046346, 0.24366241588532553)}


def largest(found, truth):
    return numpy.max(numpy.abs(numpy.subtract(found, truth)))  # NaN where one is


def measure(programs, work, turns):
    """{program: (indices, median seconds)} of those that have this analysis, in turns."""
    able = [p for p in programs if hasattr(p, work[0])]
    seconds, found = {p.name: [] for p in able}, {}
    for _ in range(turns):
        for program in able:
            found[program.name] = getattr(program, work[0])(*work[1:])
            seconds[program.name].append(program.seconds)
    return {p.name: (found[p.name], statistics.median(seconds[p.name])) for p in able}


def difference(first, found):
    """The largest difference of indices that both have, over the first program's."""
    return max((largest(found[key], first[key]) for key in first if key in found), default=math.nan)


def table(title, rows, truth):
    keys = [key for key in ("S1", "ST", "delta") if any(key in found for found, _ in rows.values())]
    heads = ["program", *(f"largest error of {k}" for k in keys if k in truth), "from pendula", "seconds"]
    print(f"\n{title}\n\n| {' | '.join(heads)} |")
    print("|---|" + "---:|" * (sum(k in truth for k in keys) + 2))
    first = next(iter(rows.values()))[0]
    for name, (found, seconds) in rows.items():
        errors = [f"{largest(found[k], truth[k]):.2e}" if k in found else "-" for k in keys if k in truth]
        print(f"| {name} | {' | '.join([*errors, '' if found is first else f'{difference(first, found):.1e}', f'{seconds:.3f}'])} |")


def installed():
    programs = []
    for module, make in (("SALib", Salib), ("openturns", Openturns), ("scipy", Scipy)):
        if importlib.util.find_spec(module):
            programs.append(make())
        else:
            print(f"{module} is not installed.", file=sys.stderr)
    return programs


def gaps(programs, function, samples, seed):
    """What becomes of rows of which one in twenty has no output."""
    x = saltelli_rows(function, samples, seed)
    y = function.of(x)
    y[numpy.random.default_rng(seed).random(len(y)) < 0.05] = math.nan
    print("\nA sample of Saltelli's with one output in twenty missing (NaN):\n\n| program | largest error of S1 | of ST |\n|---|---:|---:|")
    for program in programs:
        try:
            found = program.sobol(function, x, y, samples)
            words = [f"{largest(found[k], function.truth()[k]):.2e}" for k in ("S1", "ST")]
        except (Exception, SystemExit) as why:  # whatever a program makes of it
            words = [str(why).strip().split("\n")[0][:60], ""]
        print(f"| {program.name} | {' | '.join(words)} |")


def heading(words, programs):
    """What a reader must know to repeat the measurement."""
    options = "".join(f" --{name} {getattr(words, name)}" for name, usual in (("samples", 4096), ("turns", 5), ("seed", 1)) if getattr(words, name) != usual)
    print("# Indices by several programs from the same rows\n\n"
          f"The output of `python3 tests/bench/indices.py{options}`, with nothing else running: {datetime.date.today()}, {processor()}; "
          f"{', '.join(program.name for program in programs)}, Python {platform.python_version()}, numpy {numpy.__version__}.\n\n"
          "Functions whose indices are known give an output to rows that are drawn once; every program has the same rows. `largest error` is that "
          "of all factors from the closed form, `from pendula` the largest difference of an index from pendula's. Seconds are the median of "
          f"{words.turns} turns, one program after the other in each, of the analysis alone: rows are in memory; for pendula they are in a CSV "
          "file or a result file, and reading it and starting the process count. Pendula finds intervals too, which the others leave out here "
          "where they can: SALib has 2 resamplings, for delta 10.")


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("program", nargs="?", default=os.environ.get("PENDULA_PROGRAM", str(ROOT / "build" / "pendula")))
    asked.add_argument("--samples", type=int, default=4096)
    asked.add_argument("--turns", type=int, default=5)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--write", action="store_true")
    words = asked.parse_args()
    page = io.StringIO()
    with contextlib.redirect_stdout(page):
        study(words)
    print(page.getvalue(), end="")
    if words.write:
        PAGE.write_text(page.getvalue())


def study(words):
    with tempfile.TemporaryDirectory() as folder:
        programs = [Pendula(words.program, pathlib.Path(folder)), *installed()]
        heading(words, programs)
        for function in (Ishigami(), Product()):
            truth, samples = function.truth(), words.samples
            x = saltelli_rows(function, samples, words.seed)
            y = function.of(x)
            table(f"**{function.name}**, Saltelli's rows with second order, {samples} base samples, {len(y)} rows; Saltelli's estimator:",
                  measure(programs, ("sobol", function, x, y, samples), words.turns), truth)
            table("The same rows, Jansen's estimator:", measure(programs, ("jansen", function, x, y, samples), words.turns), truth)
            few, out = programs[0].rows(function, 1024, words.seed)
            assert numpy.allclose(out, function.of(few), rtol=1e-12, atol=1e-12)
            table("1024 random rows, ranks:", measure(programs, ("ranks", function, few, out), words.turns), truth)
            table("The same rows, expansion, by distributions that are known:", measure(programs, ("chaos", function, few, out), words.turns), truth)
            table("The same rows, delta:", measure(programs, ("delta", function, few, out), words.turns), {})
        gaps(programs, Ishigami(), words.samples, words.seed)
    exact = Ishigami().truth()
    print("\nGlobalSensitivity.jl publishes for Ishigami's function, from 600,000 base samples: "
          + "; ".join(f"{key} {', '.join(f'{v:.6f}' for v in values)}, off by {largest(values, exact[key]):.1e}" for key, values in PUBLISHED.items()) + ".")


if __name__ == "__main__":
    main()
