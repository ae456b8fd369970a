# with_pendula -- Pendula by its Python package: points as a numpy array in, final states as one out. `bench` measures its kernels alone.
import sys

import numpy as np
import pendula

from protocol import serve
from workloads import WORKLOADS


def make(mode, h, setting, steps, workers, start):
    """mode: a workload and a method with its parameters. Threads are as many as the device has."""
    name, _, method = mode.partition(" ")
    workload = WORKLOADS[name]
    metrics = ["x_final"] if workload.first_order else ["x_final", "v_final"]
    sweep = pendula.Sweep.from_yaml(workload.sweep(None, method, h, steps, metrics, single=workload.single))
    points = np.ascontiguousarray(start[:, :1])

    def whole():
        group = sweep.run(points, names=[workload.axis], progress=False)["run"]
        return np.concatenate([group[metric] for metric in metrics], axis=1)

    return [whole]


if __name__ == "__main__":
    sys.exit(serve(make))
