# protocol -- how a Python peer talks with the driver: the same arguments, files and lines as peer.c.
import sys
import time

import numpy as np


def serve(make):
    """make(mode, h, setting, steps, workers, start) returns one or two functions, of which the driver is told the seconds.

    The last goes from host to host: it takes start and returns final states, both numpy's: [points][2 dofs], or [points][dofs] of a
    first-order system. The first, where there are two, integrates alone, in arrays that it has already.
    start is [points][1 + 2 dofs]: parameter, x, v; or [points][1 + dofs]: parameter, u. The first run compiles and is not timed by the driver.
    """
    mode, points, steps, h, setting, workers, start, final = sys.argv[1:]
    rows = np.fromfile(start).reshape(int(points), -1)
    functions = make(mode, float(h), float(setting), int(steps), int(workers), rows)
    for function in functions:
        result = function()
    print("ready", flush=True)
    for _ in sys.stdin:
        taken = []
        for function in functions:
            begin = time.perf_counter()
            result = function()
            taken.append(f"{time.perf_counter() - begin:.9g}")
        print(*taken, flush=True)
    np.ascontiguousarray(result, dtype=np.float64).tofile(final)
