# check_python -- the Python package: sweeps of keywords, results as arrays, points, interrupts, and errors.
import subprocess
import sys
import threading
import time

from checking import check, ended, environment, folder, interrupted, main, need, ROOT, write
from package import np, pendula

h5py = need("h5py")

KEYS = {"problem": "elastic_pendulum_polar", "parameters": {"eps": np.geomspace(1e-4, 1e-1, 7)},
        "methods": {"generalized_alpha": {"rho_inf": [0.3, 0.6, 0.9]}, "theta2": {"theta": np.linspace(0, 1, 5)}},
        "step": 0.05, "end": 5, "metrics": ["updates", "energy_drift", "x_final"]}


def refused(what, words, *, code, call):
    """A call raises the library's error, with these words and this code."""
    try:
        call()
    except pendula.Error as error:
        check(words in str(error) and error.code == code, f"{what}: {error.code}: {error}")
        return error
    check(False, f"{what}: it is not refused")
    return None


def check_results():
    sweep = pendula.Sweep(**KEYS)
    check(sweep.points == 7 * 3 + 7 * 5 and sweep.bytes > 0 and "elastic_pendulum_polar" in sweep.settings, f"{sweep!r}")
    result = sweep.run()
    check(list(result) == ["generalized_alpha", "theta2"] and result.complete, f"{result!r}")
    group = result["theta2"]
    check(group["updates"].shape == (7, 5) and group.dims("updates") == ("eps", "theta"), f"{group!r}")
    check(list(group.axes) == ["eps", "theta"] and np.array_equal(group.axes["theta"], np.linspace(0, 1, 5)), f"axes: {group.axes}")
    check(group.unit("x_final") is not None and group.updates is group["updates"], "attributes are the arrays")
    # In memory and in a file they are the same bits, with the same types.
    file = sweep.run(file=str(folder / "result.h5"))
    opened = pendula.open(folder / "result.h5")
    with h5py.File(folder / "result.h5") as stored:
        for label in result:
            check(set(result[label]) == set(file[label]) == set(opened[label]), f"{label}: the arrays differ")
            for name in result[label]:
                ours, there = result[label][name], stored[label][name][()]
                check(ours.tobytes() == np.asarray(there, ours.dtype).tobytes(), f"{label}/{name}: memory and file differ")
                check(opened[label][name].tobytes() == ours.tobytes() and opened[label][name].dtype == ours.dtype,
                      f"{label}/{name}: the file is read as {opened[label][name].dtype}, memory has {ours.dtype}")
    check(file["theta2"].fill("updates") == result["theta2"].fill("updates"), "fill values differ")
    html = result._repr_html_()
    check("energy_drift" in html and html.count("<table>") == 2, "the picture for a notebook")
    # Views keep their memory.
    view = pendula.Sweep(**KEYS).run()["theta2"]["updates"]
    check(np.array_equal(view, group["updates"]), "a view outlives its result")


def check_tables():
    try:
        import xarray  # noqa: F401
        data = pendula.Sweep(**KEYS).run()["theta2"].to_xarray()
        check(data.updates.dims == ("eps", "theta") and data.eps.attrs["long_name"], f"{data}")
    except ImportError:
        print("not looked at: xarray is not installed")
    try:
        import pandas  # noqa: F401
        frame = pendula.Sweep(**KEYS).run()["theta2"].to_dataframe()
        check(len(frame) == 35 and set(frame) >= {"eps", "theta", "updates", "x_final[0]"} and frame.theta.nunique() == 5, f"{frame}")
    except ImportError:
        print("not looked at: pandas is not installed")


def check_points():
    """The function that packages for sensitivity call: an array of points in, an array of numbers out."""
    sweep = pendula.Sweep("harmonic_oscillator", "rk4", parameters={"zeta": 0.0, "v0": 0.0}, step=0.01, end=3.0, metrics=["x_final"])
    generator = np.random.default_rng(1)
    for count in (1, 100, 100, 2000):
        points = generator.uniform(1, 2, (count, 2))
        ends = sweep.run(points, names=["omega", "x0"]).x_final[:, 0]
        check(np.allclose(ends, points[:, 1] * np.cos(3 * points[:, 0]), atol=1e-6), f"{count} points")
    ends = sweep.run({"omega": [1.0, 2.0], "x0": [1.0, 1.0]}).x_final[:, 0]
    check(np.allclose(ends, np.cos([3.0, 6.0]), atol=1e-6), f"a mapping of columns: {ends}")
    refused("a value that is no number", "omega", code=2, call=lambda: sweep.run({"omega": [np.nan]}))
    refused("an unknown column", "omga", code=4, call=lambda: sweep.run({"omga": [1.0]}))
    try:
        sweep.run(np.ones((2, 2)))
        check(False, "points without names are not refused")
    except ValueError as error:
        check("names" in str(error), str(error))


def check_own():
    """Systems of the user's own, by formulas and by a kernel file's text."""
    sweep = pendula.Sweep({"coordinates": ["x"], "acceleration": ["-k*x"], "start": [1], "parameters": {"k": 1.0}}, "rk4",
                          parameters={"k": [1.0, 4.0]}, step=0.01, end=2.0, metrics=["x_final"])
    ends = sweep.run()["rk4"]["x_final"][:, 0]
    check(np.allclose(ends, np.cos([2.0, 4.0]), atol=1e-6), f"formulas: {ends}")


def check_errors():
    error = refused("a text", "pendulm", code=4, call=lambda: pendula.Sweep.from_yaml("problem: pendulm\nmethods: [rk4]\nstep: 1\nend: 2\n"))
    check((error.line, error.column, error.file) == (1, 10, "sweep"), f"the place is {error.file}:{error.line}:{error.column}")
    refused("a keyword", "stepp", code=2, call=lambda: pendula.Sweep("pendulum", "rk4", stepp=1, end=2))
    refused("a parameter", "parameters.lenth", code=2, call=lambda: pendula.Sweep("pendulum", "rk4", parameters={"lenth": 1}, step=1, end=2))
    refused("a device", "no such", code=8, call=lambda: pendula.Sweep("pendulum", "rk4", step=0.1, end=2).run(device="no such"))
    refused("a file", "no such", code=3, call=lambda: pendula.open("no such.h5"))
    # What the program says of a wrong sweep file, an exception says with the same words, code and place.
    wrong = sorted((ROOT / "tests/wrong").glob("*.yaml"))
    check(len(wrong) > 50, f"{len(wrong)} wrong sweep files")
    for path in wrong:
        done = ended("plan", str(path))
        try:
            pendula.Sweep.from_file(str(path)).plan()
            check(done.code == 0, f"{path.name}: the program ends with {done.code}, the package takes it")
        except pendula.Error as error:
            said = done.err.strip().removeprefix("pendula: ")
            check(error.code == done.code and str(error) == said, f"{path.name}: {error.code}, {error}; the program: {done.code}, {said}")


ENDLESS = {"problem": "lorenz", "methods": "rk4", "parameters": {"rho": list(range(1, 29))}, "step": 1e-6, "steps": 10**9,
           "metrics": ["x_max"]}


def check_ends():
    sweep = pendula.Sweep(**ENDLESS)
    result = sweep.run(seconds=1)
    check(not result.complete and np.all(result.status == 0) and np.all(np.isnan(result.x_max)), "a run of a second")
    check(len(result.messages) == 1 and "28 of 28 points not_run" in result.messages[0], f"{result.messages}")
    calls = []
    result = sweep.run(progress=lambda done, total: calls.append((done, total)) or len(calls) < 3)
    check(not result.complete and calls[-1] == (0, 28), f"progress: {calls}")
    try:
        sweep.run(progress=lambda done, total: 1 / done)
        check(False, "an exception of the caller's function is lost")
    except ZeroDivisionError:
        pass
    refused("a run into a file that takes too long", "--resume", code=75, call=lambda: sweep.run(file=str(folder / "long.h5"), seconds=1))
    threading.Timer(1, sweep.cancel).start()
    begin = time.monotonic()
    import warnings
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check(not sweep.run(progress=False).complete and time.monotonic() - begin < 3, "cancelled by another thread")
    check(any("stopped" in str(warning.message) for warning in caught), f"{[str(w.message) for w in caught]}")
    # Ctrl-C, in a program of its own.
    said, seconds = interrupted(f"""
        import pendula
        try:
            sweep = pendula.Sweep(**{ENDLESS!r})
            sweep.run(seconds=0.5)
            print("begun", flush=True)
            sweep.run()
        except KeyboardInterrupt as stop:
            print("stopped", stop.result.complete, stop.result["rk4"]["status"].sum())
    """, seconds=4)
    check(said == "stopped False 0\n" and seconds < 3, f"Ctrl-C: {said}")


def check_lists():
    check(set(pendula.list_problems()) >= {"pendulum", "lorenz"} and "theta2" in pendula.list_methods(), "lists")
    check("energy_drift" in pendula.list_metrics() and pendula.list_devices()[0]["memory"] > 0, "metrics and devices")


def check_import():
    """It is imported in a tenth of a second beside numpy, and is short."""
    lines = sum(len(path.read_text().splitlines()) for path in (ROOT / "host/python").rglob("*.py"))
    check(lines < 1500, f"the package has {lines} lines")
    script = "import time, numpy; a = time.process_time(); import pendula; print(time.process_time() - a)"
    times = [float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                                  env=environment()).stdout) for _ in range(5)]
    check(min(times) < 0.1, f"import takes {min(times):.3f} s")


main(check_lists, check_results, check_tables, check_points, check_own, check_errors, check_ends, check_import)
