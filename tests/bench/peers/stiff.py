# stiff -- stiff problems and larger systems beside scipy, SUNDIALS CVODE and numba: steps at equal errors, and the cost of a point.
#
#   python3 tests/bench/peers/stiff.py steps --pendula build/pendula
#   python3 tests/bench/peers/stiff.py batch --pendula build/pendula [--systems hires,oregonator]
#   python3 tests/bench/peers/stiff.py large --pendula build/pendula
#
# The interpreter has numpy, and scipy for `steps`, numba for `batch`. Exit status: 0, or 1 where a code fails or disagrees.
import argparse
import ctypes
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from running import HERE, WARNINGS, report
from stiff_systems import LARGE, STIFF
from tables import markdown

METHODS = ("rodas5p", "esdirk4_adaptive", "tr_bdf2_adaptive")
TOLERANCES = "1e-2,1e-3,1e-4,1e-5,1e-6,1e-7,1e-8"
SHOWN = 1e-4  # the loosest that is printed; a curve begins before
ERRORS = (1e-3, 1e-5, 1e-7)  # at which steps are compared
TIMES = 10  # Radau's steps, that a code should stay within
LADDER = [10.0 ** (-k / 2) for k in range(4, 25)]
SAMPLE = 8  # points of a batch whose ends are compared
SPREAD = 0.05  # of the parameter that a batch varies
LIBRARIES = ["cvode", "nvecserial", "sunmatrixdense", "sunmatrixband", "sunlinsoldense", "sunlinsolband"]


class Failed(Exception):
    pass


def error_of(found, right):
    """The largest relative error of a component and a point."""
    return float(np.max(np.abs(np.asarray(found) / right - 1.0)))


class Kernels:
    """A method of pendula on a device: points as an array in, final states as one out."""

    def __init__(self, system, method, device):
        import pendula
        self.system, self.method, self.device, self.module = system, method, device, pendula
        self.rejected = {}  # trials, by rtol
        self.name = f"pendula {method}, {device}"

    def group(self, values, rtol):
        sweep = self.module.Sweep.from_yaml(self.system.sweep(self.method, rtol))
        group = sweep.run(np.asarray(values).reshape(-1, 1), names=[self.system.varied], device=self.device, progress=False)["run"]
        if not np.all(group["status"] == 1):
            raise Failed(f"{self.name} on {self.system.name}: not every point came to its end")
        return group

    def prepare(self, values, rtol):
        sweep = self.module.Sweep.from_yaml(self.system.sweep(self.method, rtol, metrics="x_final"))
        points = np.asarray(values).reshape(-1, 1)

        def run():
            return sweep.run(points, names=[self.system.varied], device=self.device, progress=False)["run"]["x_final"]
        return run

    def steps(self, rtol):
        group = self.group([self.system.parameters[self.system.varied]], rtol)
        self.rejected[rtol] = int(group["failed_solves"].ravel()[0])
        return int(group["substeps"].ravel()[0]), error_of(group["x_final"].reshape(-1), self.system.solution)


class Compiled:
    """What takes parameters [points][..] and gives states: CVODE and numba."""

    def parameters(self, values):
        table = np.tile([float(value) for value in self.system.parameters.values()], (len(values), 1))
        table[:, list(self.system.parameters).index(self.system.varied)] = values
        return np.ascontiguousarray(table)

    def prepare(self, values, rtol):
        table, final = self.parameters(values), np.empty((len(values), self.system.unknowns))

        def run():
            self.call(table, rtol, final)
            return final[:, self.system.places()]
        return run


class Cvode(Compiled):
    name = "CVODE BDF"

    def __init__(self, system, folder):
        self.system, own = system, Path(tempfile.mkdtemp(dir=folder))
        (own / "right_side.h").write_text(system.c())
        command = [os.environ.get("CC", "gcc"), "-std=c17", "-O3", "-march=native", "-shared", "-fPIC", *WARNINGS, f"-I{own}",
                   HERE / "stiff_cvode.c", "-o", own / "stiff.so", *(f"-lsundials_{name}" for name in LIBRARIES), "-lm"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"CVODE (Debian package libsundials-dev): {done.stderr[-2000:]}")
        self.function = ctypes.CDLL(str(own / "stiff.so")).stiff_run
        pointer = ctypes.POINTER(ctypes.c_double)
        self.function.argtypes = [ctypes.c_size_t, pointer, pointer, ctypes.c_double, ctypes.c_double, pointer, pointer]
        self.function.restype = ctypes.c_long
        self.start, self.sizes, self.atol = np.array(system.begin(), float), np.ones(system.unknowns), system.atol

    def solution(self, values):
        """Ends that are nearer than those of the others."""
        self.atol = 1e-5 * self.system.atol
        found = self.prepare(values, 1e-12)().copy()
        self.atol = self.system.atol
        return found

    def call(self, table, rtol, final):
        # atol is relative to the largest that a component has been in the kernels, and to the largest of all times here.
        def at(array):
            return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
        atol = self.atol * self.sizes
        steps = self.function(len(table), at(table), at(self.start), self.system.end, rtol, at(atol), at(final))
        if steps < 0:
            raise Failed(f"CVODE fails on {self.system.name} at {rtol:g}")
        return steps


class Numba(Compiled):
    name = "numba Rodas5P"

    def __init__(self, system, pendula):
        from stiff_numba import make
        self.system, self.function = system, make(system, pendula)

    def call(self, table, rtol, final):
        return self.function(table, rtol, final)[0]


class Scipy:
    def __init__(self, system, solver):
        import numba
        self.system, self.name, space = system, f"scipy {solver.__name__}", {}
        exec(system.python(), space)
        self.rejected = {}  # which scipy does not count
        rate, p = numba.njit(space["rate"]), np.array([float(value) for value in system.parameters.values()])

        @numba.njit
        def right_side(t, y):
            dy = np.empty_like(y)
            rate(t, y, p, dy)
            return dy
        self.right_side, self.solver, self.sizes = right_side, solver, np.ones(system.unknowns)

    def walk(self, rtol):
        """Steps, the state at the end, and the largest that each component has been."""
        solver = self.solver(self.right_side, 0.0, np.array(self.system.begin(), float), self.system.end, rtol=rtol, atol=self.system.atol * self.sizes)
        steps, largest = 0, np.abs(solver.y)
        while solver.status == "running":
            solver.step()
            steps += 1
            largest = np.maximum(largest, np.abs(solver.y))
        if solver.status == "failed":
            raise Failed(f"{self.name} fails on {self.system.name} at {rtol:g}")
        return steps, solver.y, largest

    def steps(self, rtol):
        steps, y, _ = self.walk(rtol)
        return steps, error_of(y[self.system.places()], self.system.solution)


def sizes_of(system):
    """The largest that each component is between the start and the end."""
    from scipy.integrate import LSODA
    code = Scipy(system, LSODA)
    code.sizes = code.walk(1e-6)[2] + 1e-300
    code.sizes = code.walk(1e-6)[2]
    return np.where(code.sizes > 0.0, code.sizes, 1.0)


def steps_at(curve, error):
    """Steps to an error, between two of a curve of steps and errors on straight lines of both logarithms, and whether they are only known
    to be fewer. None where the curve does not go there."""
    before = None
    for steps, own in sorted(curve):
        if before and own >= before[1]:
            continue
        if own <= error:
            if before is None:
                return steps, True
            part = math.log(error / before[1]) / math.log(own / before[1])
            return before[0] * (steps / before[0]) ** part, False
        before = (steps, own)
    return None


def beside(curve, radau):
    """Cells of steps at equal errors, with the ratio to Radau's, and whether the ratios are at most TIMES where they are known."""
    cells, least, most = [], [], []
    for error in ERRORS:
        own, theirs = steps_at(curve, error), steps_at(radau, error)
        sign = "> " if own is None else "< " if own[1] else ""
        taken = max(steps for steps, _ in curve) if own is None else own[0]
        cells.append(f"{sign}{taken:,.0f}")
        if curve is not radau and theirs and not theirs[1]:
            cells[-1] += f" ({sign}{taken / theirs[0]:.2f})"
            least += [] if sign == "< " else [taken / theirs[0]]
            most += [] if sign == "> " else [taken / theirs[0]]
    within = "" if curve is radau else "no" if least and max(least) > TIMES else "yes" if most else "not known"
    return [*cells, within]


def cell(curve, rejected, rtol):
    """Steps, rejected trials beside them, and the error."""
    taken, error = curve[rtol]
    return f"{taken:,}{f' + {rejected[rtol]:,}' if rtol in rejected else ''} ({error:.0e})"


def steps(asked, _):
    """Work and precision of one point: rows by tolerance, and steps at equal errors."""
    from scipy import integrate
    rows, equal = [], []
    shown = [rtol for rtol in asked.tolerances if rtol <= 1.01 * SHOWN]
    for name in asked.systems:
        system = STIFF[name]
        sizes, curves = sizes_of(system), {}
        solvers = [Scipy(system, getattr(integrate, solver)) for solver in asked.solvers]
        for code in solvers:
            code.sizes = sizes
        for code in [*solvers, *(Kernels(system, method, asked.devices[0]) for method in asked.methods)]:
            report(f"{name}: {code.name}")
            curve = {rtol: code.steps(rtol) for rtol in asked.tolerances}
            who = code.name.split(",")[0]
            curves[who] = list(curve.values())
            rows.append([name, who, *(cell(curve, code.rejected, rtol) for rtol in shown)])
        equal += [[name, who, *beside(curve, curves["scipy Radau"])] for who, curve in curves.items()]
    print(markdown(["problem", "code", *(f"rtol {rtol:.0e}" for rtol in shown)], rows))
    print()
    print(markdown(["problem", "code", *(f"error {error:.0e}" for error in ERRORS), f"within {TIMES} times Radau's"], equal))


class Timed:
    """A code at the tolerance where its error is that of the others."""

    def __init__(self, code, sample, right, error):
        self.code = code
        for self.rtol in LADDER:
            try:
                self.error = error_of(code.prepare(sample, self.rtol)(), right)
            except Failed:
                continue  # some codes need more than the loosest
            if self.error <= error:
                return
        raise Failed(f"{code.name} on {code.system.name}: no tolerance down to {LADDER[-1]:.0e} has an error of {error:.0e}")

    def prepare(self, values, seconds):
        """A run over as many of the values as fit the time, evenly chosen, or all; run once, so that it is compiled."""
        self.count = len(values)
        if seconds:
            few = self.code.prepare(values[:: max(1, len(values) // SAMPLE)], self.rtol)
            few()
            each = spent(few)[0] / SAMPLE
            while self.count > SAMPLE and self.count * each > seconds:
                self.count //= 2
        self.run = self.code.prepare(values[:: len(values) // self.count][: self.count], self.rtol)
        self.run()
        self.taken = []

    def time(self):
        self.taken.append(spent(self.run)[0] / self.count)


def spent(run):
    """Processor seconds of a call, of all threads together, and what it returns."""
    begin = time.process_time()
    result = run()
    return time.process_time() - begin, result


def contest(asked, system, folder):
    """Rows of all codes on a system."""
    rows, middle = [], system.parameters[system.varied]
    sample = middle * np.linspace(1.0 - SPREAD, 1.0 + SPREAD, SAMPLE)
    cvode = Cvode(system, folder)
    if not system.band:
        cvode.sizes = sizes_of(system)
    right, own = cvode.solution(sample), error_of(cvode.solution([middle]), system.solution)
    report(f"{system.name}: CVODE at 1e-12 is within {own:.1e} of the end value")
    if not own < 0.1 * asked.error:
        raise Failed(f"{system.name}: CVODE at 1e-12 is {own:.1e} from the end value")
    codes = [cvode, *(Kernels(system, method, device) for method in asked.methods for device in asked.devices)]
    codes += [] if system.band else [Numba(system, asked.pendula)]
    for count in asked.points:
        values, timed = middle * np.linspace(1.0 - SPREAD, 1.0 + SPREAD, count), []
        for code in codes:
            report(f"{system.name}: {count} points, {code.name}")
            timed.append(Timed(code, sample, right, asked.error))
            timed[-1].prepare(values, None if isinstance(code, Kernels) else asked.seconds)
        for _ in range(asked.repetitions):
            for each in timed:
                each.time()
        for each in timed:
            cost = [1e6 * seconds for seconds in each.taken]
            times = statistics.median([theirs / mine for theirs, mine in zip(timed[0].taken, each.taken)])
            rows.append([system.name, f"{count:,}", each.code.name, f"{each.rtol:.0e}", f"{each.error:.0e}",
                         f"{statistics.median(cost):,.4g} ({min(cost):,.3g} to {max(cost):,.3g})", f"{times:.3g}"])
            report("\t".join(rows[-1]))
    return rows


def batch(asked, folder):
    """The cost of a point of a batch at one error, in processor time."""
    rows, fine = [], True
    for name in asked.systems:
        try:
            rows += contest(asked, (STIFF | LARGE)[name], folder)
        except Failed as failed:
            report(f"failed: {failed}")
            fine = False
    print(markdown(["problem", "points", "code", "rtol", "error", "microseconds a point", "CVODE's over it"], rows))
    return fine


def arguments():
    parser = argparse.ArgumentParser(description="Stiff problems and larger systems beside other codes.")
    parser.add_argument("part", choices=("steps", "batch", "large"))
    parser.add_argument("--pendula", required=True, help="the built program")
    parser.add_argument("--systems", help="of these only, with commas between")
    parser.add_argument("--methods", default=",".join(METHODS), help="of these only, with commas between")
    parser.add_argument("--devices", default="native,cpu", help="where kernels run; `steps` takes the first (default: native,cpu)")
    parser.add_argument("--points", default="", help="of a batch, with commas between (default: 1000,10000; large 64,1024)")
    parser.add_argument("--error", type=float, default=1e-4, help="largest relative error at the end, of batches (default: 1e-4)")
    parser.add_argument("--tolerances", default=TOLERANCES, help=f"rtol of `steps`, with commas between (default: {TOLERANCES})")
    parser.add_argument("--solvers", default="Radau,BDF,LSODA", help="of scipy, for `steps`, Radau first (default: Radau,BDF,LSODA)")
    parser.add_argument("--seconds", type=float, default=0.5, help="of a run of CVODE or numba, on fewer points (default: 0.5)")
    parser.add_argument("--repetitions", type=int, default=5, help="of each code, in turns (default: 5)")
    asked = parser.parse_args()
    known = {"steps": STIFF, "batch": STIFF, "large": LARGE}[asked.part]
    asked.systems = asked.systems.split(",") if asked.systems else list(known)
    if unknown := [name for name in asked.systems if name not in known]:
        parser.error(f"no system is called {', '.join(unknown)}; there are {', '.join(known)}")
    asked.tolerances, asked.solvers = [float(word) for word in asked.tolerances.split(",")], asked.solvers.split(",")
    asked.methods, asked.devices = asked.methods.split(","), asked.devices.split(",")
    asked.points = [int(word) for word in (asked.points or {"large": "64,1024"}.get(asked.part, "1000,10000")).split(",")]
    return asked


def main():
    asked = arguments()
    os.environ["PENDULA_LIBRARY"] = str(Path(asked.pendula).resolve().with_name("libpendula.so"))
    sys.path.insert(0, str(HERE.parents[2] / "host/python"))
    with tempfile.TemporaryDirectory(prefix="stiff.") as folder:
        try:
            fine = (steps if asked.part == "steps" else batch)(asked, folder)
        except Failed as failed:
            report(f"failed: {failed}")
            return 1
    return 0 if fine in (None, True) else 1


if __name__ == "__main__":
    sys.exit(main())
