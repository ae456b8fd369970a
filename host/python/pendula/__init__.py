"""Parameter sweeps of small mechanical systems on OpenCL devices, from Python.

    import numpy as np, pendula
    sweep = pendula.Sweep(problem="pendulum", parameters={"x0": np.linspace(0.1, 3.0, 30)},
                          methods=["rk4", {"theta2": {"theta": [0.0, 0.5]}}], step=0.05, end=50, metrics=["period", "energy_drift"])
    result = sweep.run()
    result["theta2"]["period"]          # a numpy array, an axis for each parameter that has several values
    result["theta2"].to_xarray()        # the same with names and units
    result.save("pendulum.h5")          # a result file, which pendula.open() reads

The library computes; this is a thin wall around its C functions (pendula.h). It needs numpy; xarray and pandas are used where
they are asked for.
"""
from ._library import Error, version as __version__
from .analyses import Table, Tables, conform, pairs, pareto, predict, sensitivity, spectrum
from .lists import list_devices, list_methods, list_metrics, list_problems
from .progress import Interrupted
from .results import Group, Result, open
from .sweeps import Sweep

__all__ = ["Error", "Group", "Interrupted", "Result", "Sweep", "Table", "Tables", "conform", "list_devices", "list_methods",
           "list_metrics", "list_problems", "open", "pairs", "pareto", "predict", "sensitivity", "spectrum", "__version__"]
