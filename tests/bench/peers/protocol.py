# protocol -- how a Python peer talks with the driver: the same arguments, files and lines as peer.c.
import sys
import time

import numpy as np


def serve(make):
    """make(mode, h, setting, steps, workers, start) returns a function that integrates and returns final states, [points][2 dofs], or [points][dofs] of a first-order system.

    start is [points][1 + 2 dofs]: parameter, x, v; or [points][1 + dofs]: parameter, u. The first run compiles and is not timed by the driver.
    """
    mode, points, steps, h, setting, workers, start, final = sys.argv[1:]
    rows = np.fromfile(start).reshape(int(points), -1)
    run = make(mode, float(h), float(setting), int(steps), int(workers), rows)
    result = run()
    print("ready", flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        result = run()
        print(f"{time.perf_counter() - begin:.9g}", flush=True)
    np.ascontiguousarray(result, dtype=np.float64).tofile(final)
