#!/usr/bin/env python3
"""system -- what a whole run costs beside its kernels, as ratios taken in turns: python3 tests/bench/system.py --pendula build/pendula"""
import argparse
import json
import os
import random
import statistics
import subprocess
import tempfile
import time

PENDULUM = """problem: pendulum
parameters: {x0: {linear: [0.5, 2.5, %d]}}
methods: [generalized_alpha: {rho_inf: 0.6}]
step: 0.01
steps: 1000
newton: {mode: paper, tolerance: 1.0e-10}
metrics: [status]
"""
STIFF = """problem: %s
parameters: {eps: [%s]}
methods: [%s]
step: %g
steps: %d
newton: {mode: paper, tolerance: 1.0e-10}
metrics: [status, updates]
"""


def geometric(first, last, count):
    return [first * (last / first) ** (i / (count - 1)) for i in range(count)]


class Bench:
    def __init__(self, pendula, folder, repetitions):
        self.pendula, self.folder, self.repetitions = pendula, folder, repetitions

    def run(self, text, overrides=(), environment=None, cores=None):
        """One run: what its log says of its end, and the seconds of the whole command."""
        sweep, output = os.path.join(self.folder, "sweep.yaml"), os.path.join(self.folder, "result.h5")
        with open(sweep, "w", encoding="utf-8") as file:
            file.write(text)
        if os.path.exists(output + ".log"):
            os.remove(output + ".log")
        words = [self.pendula, "run", sweep, "-o", output, "-d", "cpu", "--force", "--progress", "none"]
        for override in overrides:
            words += ["-s", override]
        if cores:
            words = ["taskset", "-c", cores] + words
        began = time.monotonic()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
        whole = time.monotonic() - began
        with open(output + ".log", encoding="utf-8") as log:
            end = [json.loads(line) for line in log][-1]
        return {"rate": end["steps"] / max(end["compute_seconds"], 1e-9), "whole": whole,
                "per_compute": end["seconds_per_compute"], "lanes": end["lane_efficiency"]}

    def ratio(self, measured, yardstick):
        """Median over turns of the rates of one run over those of the other."""
        ratios = []
        for _ in range(self.repetitions):
            below = self.run(*yardstick)
            ratios.append(self.run(*measured)["rate"] / below["rate"])
        return statistics.median(ratios)

    def median(self, key, *what):
        return statistics.median(self.run(*what)[key] for _ in range(self.repetitions))


def main():
    parser = argparse.ArgumentParser(description="What a whole run costs beside its kernels.")
    parser.add_argument("--pendula", required=True, help="the built program")
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    pendula = os.path.abspath(arguments.pendula)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PENDULA_CACHE_DIR"] = "none"  # kernels are kept in the next
        os.environ["POCL_CACHE_DIR"] = os.path.join(folder, "pocl")
        os.mkdir(os.environ["POCL_CACHE_DIR"])
        bench = Bench(pendula, folder, arguments.repetitions)
        many, few = PENDULUM % 65536, PENDULUM % 8192
        stiff = geometric(1e-1, 1e-3, 32768)
        halving = geometric(1e-1, 1e-4, 8192)
        random.seed(1)
        shuffled, shuffled_halving = random.sample(stiff, len(stiff)), random.sample(halving, len(halving))

        def sweep(problem, values, method, step, steps):
            return STIFF % (problem, ", ".join("%.17g" % eps for eps in values), method, step, steps)

        two = ("elastic_pendulum_cartesian", "theta2: {theta: 0.07}", 0.01, 1000)
        sorted_w2, shuffled_w2 = (sweep(two[0], values, *two[1:]) for values in (stiff, shuffled))
        alpha = ("elastic_pendulum_polar", "generalized_alpha: {rho_inf: 0.6}", 0.05, 50)
        hard = sweep(alpha[0], shuffled_halving, *alpha[1:])

        def row(what, value, target):
            print("%-62s %8s   target %s" % (what, value, target), flush=True)

        for text in (many, few, sorted_w2, hard):
            bench.run(text)
        two_cores = os.cpu_count() or 1
        row("thread scaling, %d cores over one" % two_cores,
            "%.2f" % bench.ratio((many,), (many, (), {"POCL_MAX_PTHREAD_COUNT": "1"}, "0")), ">= 1.95 on 2")
        row("rate of 256 points over that of 65536",
            "%.2f" % bench.ratio((PENDULUM % 256, ("steps=30000",)), (many,)), ">= 0.75")
        for every, target in ((1, ">= 0.84"), (10, ">= 0.93")):
            row("rate with a sample every %d steps over that without" % every,
                "%.2f" % bench.ratio((few, ("trajectory={every: %d, fields: [x, v]}" % every,)), (few,)), target)
        row("rate with all metrics over status alone, pendulum",
            "%.2f" % bench.ratio((many.replace("metrics: [status]\n", ""),), (many,)), ">= 0.85")
        row("rate with all metrics over status alone, W2",
            "%.2f" % bench.ratio((sorted_w2.replace("metrics: [status, updates]\n", ""),), (sorted_w2,)), ">= 0.85")
        row("rate of W2 in shuffled order over sorted", "%.2f" % bench.ratio((shuffled_w2,), (sorted_w2,)), ">= 0.92")
        row("lane efficiency of W2 in shuffled order", "%.3f" % bench.median("lanes", shuffled_w2), ">= 0.92")
        row("lane efficiency where most steps are halved, shuffled", "%.3f" % bench.median("lanes", hard), "-")
        row("end to end over computing, 2^20 points, status and updates",
            "%.2f" % bench.median("per_compute", PENDULUM % 1048576, ("metrics=[status, updates, x_final]",)), "<= 1.15")
        row("whole command, 256 points, kernels in the cache, s", "%.2f" % bench.median("whole", PENDULUM % 256), "<= 0.3")
        cold = []
        for turn in range(min(3, arguments.repetitions)):
            fresh = os.path.join(folder, "cold-%d" % turn)
            os.mkdir(fresh)
            cold.append(bench.run(PENDULUM % 256, (), {"POCL_CACHE_DIR": fresh})["whole"])
        row("whole command, 256 points, nothing cached, s", "%.2f" % statistics.median(cold), "<= 0.7")


if __name__ == "__main__":
    main()
