# program -- runs of the pendula program: final states of a few systems, and the rate of its kernels.
import json
import math
import subprocess
from array import array
from pathlib import Path

from workloads import PAPER

try:
    import h5py
except ImportError:
    h5py = None


class ProgramError(Exception):
    pass


class Program:
    def __init__(self, path, device, folder):
        self.path, self.device, self.folder = path, device, Path(folder)
        self.cache = {}

    def run(self, sweep):
        """Runs a sweep's text; returns the result file."""
        result = self.folder / "sweep.h5"
        self.execute("run", sweep, "-o", result, "--force", "--progress", "none")
        return result

    def rate(self, sweep, budget, lanes=None):
        """Steps a second of the kernels alone, as `bench` measures them in about so many seconds."""
        shape = ["--lanes", lanes] if lanes else []
        return json.loads(self.execute("bench", sweep, "--json", "--repetitions", "1", "--seconds", budget, *shape))[0]["steps_per_s"]

    def execute(self, command, sweep, *options):
        """What the command prints."""
        text = self.folder / "sweep.yaml"
        text.write_text(sweep)
        words = [self.path, command, text, *options, *(["-d", self.device] if self.device else [])]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
        if done.returncode != 0:
            raise ProgramError(f"pendula: {done.stderr.strip()}\n{sweep}")
        return done.stdout

    def dataset(self, path, name):
        """The numbers of a metric, which are double in every precision."""
        if h5py:
            with h5py.File(path) as file:
                return [float(value) for value in file["run"][name][...].ravel()]
        raw = self.folder / "raw.bin"
        try:
            subprocess.run(["h5dump", "-d", f"/run/{name}", "-b", "LE", "-o", str(raw), str(path)], check=True,
                           capture_output=True)
        except FileNotFoundError as error:
            raise ProgramError("result files are read with the Debian package python3-h5py or hdf5-tools; neither is "
                               "there") from error
        return list(array("d", raw.read_bytes()))

    def states(self, workload, values, method, step, steps, newton=PAPER, single=None):
        """Final [x, v] of each system, a tuple of 2 dofs numbers; of first order u, dofs numbers. single: None is the workload's."""
        single = workload.single if single is None else single
        key = (workload.name, tuple(values), method, step, steps, newton, single)
        if key not in self.cache:
            metrics = ["x_final"] if workload.first_order else ["x_final", "v_final"]
            path = self.run(workload.sweep(values, method, step, steps, metrics, newton, single))
            parts, n = [self.dataset(path, metric) for metric in metrics], workload.dofs
            rows = [tuple(value for part in parts for value in part[i * n:(i + 1) * n]) for i in range(len(values))]
            if not all(math.isfinite(value) for row in rows for value in row):
                raise ProgramError(f"{workload.name}: {method} did not come to its end everywhere")
            self.cache[key] = rows
        return self.cache[key]

    def tight(self, workload, values, end):
        """The solution at the end, from steps controlled to 1e-13; an error where that at 1e-12 is elsewhere."""
        found = []
        for tolerance in (1e-12, 1e-13):
            method = f"dopri5_adaptive: {{rtol: {tolerance!r}, atol: {tolerance!r}}}"
            found.append(self.states(workload, values, method, workload.step, round(end / workload.step), single=False))
        known = distance(*found, workload.dofs)
        if known > 1e-7:
            raise ProgramError(f"{workload.name}: the solution is only known to {known:.1e}")
        return found[1]


def distance(rows, others, count=None):
    """The largest distance of two lists of states, or of their first count numbers each; infinite where one is NaN."""
    worst = 0.0
    for row, other in zip(rows, others, strict=True):
        for a, b in zip(row[:count], other[:count], strict=True):
            worst = max(worst, abs(a - b)) if math.isfinite(a - b) else math.inf
    return worst
