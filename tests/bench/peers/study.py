# study -- SALib's ProblemSpec of W1's pendulum: sampled, evaluated by Pendula and by numba in turns, and analysed.
#
# Two factors, x0 and v0, and one output, x at the end of 100 steps. peers.py --study starts it, and it prints rows as JSON.
import json
import sys
import tempfile
import time

import numba
import numpy as np
import pendula
from SALib import ProblemSpec

from program import Program
from with_numba import generalized_alpha
from workloads import TOLERANCE, WORKLOADS

BASES = (256, 16384)  # base samples: four points for each
STEPS = 100
SAME_OUTPUTS, SAME_INDICES = 1e-9, 1e-8
W1 = WORKLOADS["W1"]
FACTORS = {"x0": [0.5, 2.5], "v0": [-1.0, 1.0]}


class Study:
    """One code's copy of the study. evaluate: of points [n][2]; alone(): the seconds of integration alone."""

    def __init__(self, name, base, evaluate, alone):
        self.name, self.evaluate, self.alone = name, evaluate, alone
        self.spec = ProblemSpec({"names": list(FACTORS), "bounds": list(FACTORS.values()), "outputs": ["x_final"]})
        self.spec.sample_sobol(base, calc_second_order=False, seed=1)
        self.taken = {"device": [], "evaluate": [], "analyse": [], "both": []}

    def turn(self, points):
        begin = time.perf_counter()
        self.spec.evaluate(self.evaluate)
        middle = time.perf_counter()
        self.spec.analyze_sobol(calc_second_order=False, seed=1)
        end = time.perf_counter()
        for part, seconds in (("device", self.alone(points)), ("evaluate", middle - begin), ("analyse", end - middle), ("both", end - begin)):
            self.taken[part].append(seconds)

    @property
    def indices(self):
        return np.concatenate([self.spec.analysis["S1"], self.spec.analysis["ST"]])


def by_pendula(program, folder, seconds):
    sweep = W1.sweep(None, W1.method, W1.step, STEPS, ["x_final"])
    evaluate = pendula.Sweep.from_yaml(sweep).function(lambda group: group.x_final[:, 0], list(FACTORS))

    def alone(points):
        np.savetxt(f"{folder}/points.csv", points, "%.17g", ",", header=",".join(FACTORS), comments="")
        return len(points) * STEPS / program.rate(f"{sweep}points: {{file: points.csv}}\n", seconds)

    return evaluate, alone


def by_numba():
    def start(points):
        return np.column_stack([np.ones(len(points)), points])

    def evaluate(points):
        final = np.empty((len(points), 2))
        generalized_alpha(start(points), final, STEPS, W1.step, TOLERANCE)
        return final[:, 0]

    def alone(points):
        begun, final = start(points), np.zeros((len(points), 2))
        begin = time.perf_counter()
        generalized_alpha(begun, final, STEPS, W1.step, TOLERANCE)
        return time.perf_counter() - begin

    return evaluate, alone


def rows(base, codes, repetitions):
    studies = [Study(name, base, *code) for name, code in codes.items()]
    points = studies[0].spec.samples
    for study in studies:
        study.evaluate(points)  # compiled now
    for i in range(repetitions):
        for study in studies[::1 if i % 2 else -1]:
            study.turn(points)
    first = studies[0]
    for study in studies:
        outputs = float(np.max(np.abs(study.spec.results - first.spec.results)))
        indices = float(np.max(np.abs(study.indices - first.indices)))
        yield {"who": study.name, "points": len(points), "seconds": study.taken, "outputs": outputs, "indices": indices,
               "agrees": outputs <= SAME_OUTPUTS and indices <= SAME_INDICES}


def main():
    path, device, threads, repetitions, seconds = sys.argv[1:]
    numba.set_num_threads(min(int(threads), numba.config.NUMBA_NUM_THREADS))
    with tempfile.TemporaryDirectory(prefix="study.") as folder:
        codes = {"pendula": by_pendula(Program(path, device, folder), folder, float(seconds)), "numba": by_numba()}
        print(json.dumps([row for base in BASES for row in rows(base, codes, int(repetitions))]))


if __name__ == "__main__":
    main()
