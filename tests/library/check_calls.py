# check_calls -- the Python package in its callers' hands: README's ten lines, points of other packages, files of results in memory,
# shards, what is listed and said, Ctrl-C, memory.
import concurrent.futures
import doctest
import importlib
import io
import multiprocessing
import os
import pathlib
import pickle
import pty
import re
import subprocess
import sys
import textwrap
import time
import types

from checking import answer, check, environment, folder, interrupted, listed, main, pendula as program, ROOT, write
from package import np, pendula
from readme import PLOT, TEN_LINES
from pendula import progress, results


def other(name):
    """Another package, or None with a word."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"not looked at: {name} is not installed")
        return None


def child(script, **how):
    return subprocess.Popen([sys.executable, folder / write("child.py", textwrap.dedent(script))], stdout=subprocess.PIPE, text=True,
                            cwd=folder, env=environment(), **how)


def contents(path):
    return pathlib.Path(folder / path).read_bytes()


# --- what pages and docstrings show

def check_ten_lines():
    """README's lines, without the picture where nothing draws one."""
    check(len(TEN_LINES.splitlines()) <= 10, f"README's lines are {len(TEN_LINES.splitlines())}")
    check(PLOT == 'result["theta2"].to_xarray().updates.plot()', f"README's last line is {PLOT}")
    there = {}
    lines = TEN_LINES if other("xarray") and other("matplotlib") else TEN_LINES.replace(PLOT, "")
    exec(lines, there)
    result = there["result"]
    check(list(result) == ["generalized_alpha", "theta2"] and result.complete, f"{result!r}")
    check(result["theta2"].updates.shape == (41, 21) and result["generalized_alpha"].energy_drift.shape == (41, 3), f"{result!r}")
    if other("xarray"):
        data = result["theta2"].to_xarray()
        check(data.updates.dims == ("eps", "theta") and np.array_equal(data.eps, there["sweep"].run()["theta2"].eps), f"{data}")


def check_docstrings():
    tried = 0
    for path in sorted((ROOT / "host/python/pendula").glob("*.py")):
        if path.stem not in ("__init__", "_library"):
            said = io.StringIO()
            done = doctest.DocTestRunner(verbose=False)
            module = importlib.import_module(f"pendula.{path.stem}")
            for test in doctest.DocTestFinder().find(module):
                done.run(test, out=said.write)
            check(done.failures == 0, f"{path.name}: {said.getvalue()}")
            tried += done.tries
    check(tried >= 15, f"{tried} lines of docstrings were tried")
    for name in pendula.__all__:
        thing = getattr(pendula, name)
        check(name == "__version__" or thing.__doc__, f"{name} has no docstring")
        if isinstance(thing, types.FunctionType):
            check("return" in thing.__annotations__, f"{name} has no type hints")
    for thing in (pendula.Sweep, pendula.Result, pendula.Group):
        for name, method in vars(thing).items():
            function = method.fget if isinstance(method, property) else getattr(method, "__func__", method)
            if isinstance(function, types.FunctionType) and not name.startswith("_"):
                check(function.__doc__ and "return" in function.__annotations__, f"{thing.__name__}.{name} has no docstring or no hints")


def check_lists():
    """All that the program lists, with its titles, units and parameters."""
    for kind, call in (("problems", pendula.list_problems), ("methods", pendula.list_methods), ("metrics", pendula.list_metrics)):
        there, ours = {card["name"]: card for card in listed(kind)}, call()
        check(list(there) == list(ours), f"{kind}: {set(there) ^ set(ours)}")
        for name, card in there.items():
            check(ours[name]["title"] == card["title"] and ours[name]["unit"] == card.get("unit", ""), f"{name}: {ours[name]}")
            check(list(ours[name]["parameters"]) == [each["name"] for each in card["parameters"]], f"{name}: {ours[name]['parameters']}")
            for each in card["parameters"] if kind != "metrics" else []:
                one, default = ours[name]["parameters"][each["name"]], each.get("default")
                check(one["default"] == (None if default == "equations" else default) and one.get("least") == each.get("min", each.get("above"))
                      and one.get("choices") == each.get("choices") and one["about"] == each["about"], f"{name}.{each['name']}: {one}, {each}")
    check({"status", "x_final", "energy_drift"} <= set(pendula.list_metrics()), "metrics")
    check(pendula.list_metrics()["minimum"]["parameters"].keys() >= {"of", "from", "to"}, "options of a metric")


# --- points of others

def oscillator(**keys):
    return pendula.Sweep("harmonic_oscillator", "rk4", step=0.02, end=2.0, metrics=["x_final"], **keys)


def closed(points):
    return points[:, 1] * np.cos(2 * points[:, 0])


NAMES = ["omega", "x0"]


def check_function():
    sweep = oscillator()
    end = sweep.function(lambda group: group.x_final[:, 0], NAMES)
    points = np.random.default_rng(2).uniform(1, 2, (50, 2))
    check(np.allclose(end(points), closed(points), atol=1e-5), "a batch")
    check(np.ndim(end(points[0])) == 0 and end(points[0]) == end(points)[0], "one point")
    check(sweep.function("x_final", NAMES)(points).shape == (50, 1), "a metric by its name")
    check(sweep.function("x_final", ["omega"])([[1.0], [2.0]]).shape == (2, 1), "one column")
    # Points of a call are not those of the next.
    check(sweep.run().x_final.shape == (1,), f"a run without points: {sweep.run().x_final.shape}")
    two = pendula.Sweep("harmonic_oscillator", ["rk4", "theta2"], step=0.1, end=1.0, metrics=["x_final"])
    for call, words in ((lambda: two.function("x_final", NAMES), "one method"), (lambda: sweep.run(points), "names"),
                        (lambda: sweep.run(points, names=NAMES, shards=2), "shards"),
                        # Three columns of two points would else be two columns of three.
                        (lambda: end(np.ones((2, 3))), "points of 2 parameters (omega, x0) are [2] or [n][2], not of shape (2, 3)"),
                        (lambda: end(np.ones(4)), "not of shape (4,)")):
        try:
            call()
            check(False, f"it is not refused: {words}")
        except ValueError as error:
            check(words in str(error), f"{error}")
    # Threads take turns.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for part, found in zip(np.split(points, 5), pool.map(end, np.split(points, 5))):
            check(np.allclose(found, closed(part), atol=1e-5), "threads")


def check_callers():
    """Those that call a function of points, where they are installed."""
    sweep = oscillator()
    end = sweep.function(lambda group: group.x_final[:, 0], NAMES)
    if other("pandas"):
        frame = importlib.import_module("pandas").DataFrame({"omega": [1.0, 2.0], "x0": [1.0, 3.0]})
        check(np.allclose(sweep.run(frame).x_final[:, 0], closed(frame.to_numpy()), atol=1e-5), "a DataFrame")
    if other("SALib"):
        from SALib import ProblemSpec
        spec = ProblemSpec({"names": NAMES, "bounds": [[1, 2], [1, 2]], "outputs": ["end"]})
        spec.sample_sobol(16, calc_second_order=False).evaluate(end).analyze_sobol(calc_second_order=False)
        check(np.array_equal(sweep.run(spec).x_final[:, 0], spec.results) and len(spec.analysis["S1"]) == 2, "SALib")
    if other("openturns"):
        import openturns
        function = openturns.PythonFunction(2, 1, func_sample=lambda points: end(points).reshape(-1, 1))
        check(np.allclose(np.array(function([[1.0, 1.0], [1.5, 2.0]])).ravel(), closed(np.array([[1.0, 1.0], [1.5, 2.0]])), atol=1e-5), "OpenTURNS")
    if other("scipy"):
        from scipy.optimize import differential_evolution
        best = differential_evolution(lambda x: end(x.T), [(1, 2), (1, 2)], vectorized=True, updating="deferred", seed=1, maxiter=20, polish=False)
        check(best.fun < -1.99 and abs(best.x[0] - np.pi / 2) < 0.05, f"scipy: {best.x}, {best.fun}")
    if other("emcee"):
        import emcee
        start = np.random.default_rng(3).uniform(1, 2, (8, 2))
        free = sweep.function(lambda group: group.x_final[:, 0], ["x0", "v0"])  # walkers know no bounds
        sampler = emcee.EnsembleSampler(8, 2, lambda points: -free(points) ** 2, vectorize=True)
        sampler.run_mcmc(start, 3)
        check(sampler.get_chain().shape == (3, 8, 2), "emcee")


# --- files of results in memory, and of shards

SWEEPS = {
    "trajectory": "problem: pendulum\nparameters: {x0: {linear: [0.5, 2.5, 7]}}\nmethods: [theta2, rk4, dopri5]\nstep: [0.05, 0.1]\nend: 5\n"
                  "metrics: [updates, x_final, energy_drift]\ntrajectory: {every: 10, fields: [x, energy], where: {step: 0.1}}\n",
    "failed": "problem: elastic_pendulum_cartesian\nparameters: {eps: {log: [1e-5, 1e-1, 9]}}\nmethods: [theta2, rk4, tr_bdf2]\nstep: 0.1\n"
              "end: 5\nsubsteps: {budget: 4}\nmetrics: [status, updates, x_final]\n",
    "design": "problem: lorenz\nparameters: {rho: {uniform: [10, 28]}, sigma: {uniform: [5, 15]}}\ndesign: {sobol: {samples: 32}}\nmethods: [rk4]\n"
              "step: 0.01\nsteps: 100\nprecision: single\nmetrics: [x_final, x_max]\n"}


def check_saved():
    """A result in memory becomes the file that the run into one makes."""
    for name, text in SWEEPS.items():
        sweep = pendula.Sweep.from_yaml(text)
        for device in (None, "reference"):
            result = sweep.run(device=device)
            result.save(folder / "saved.h5", mode="replace")
            sweep.run(device=device, file=folder / "run.h5", mode="replace")
            check(contents("saved.h5") == contents("run.h5"), f"{name}, {device}: the bytes differ")
            program("verify", "saved.h5")
            program("diff", "saved.h5", "run.h5")
            opened = pendula.open(folder / "saved.h5")
            check(all(np.array_equal(opened[label][array], result[label][array], equal_nan=True) for label in result for array in result[label]),
                  f"{name}: values differ")
    for call, words, code in ((lambda: result.save(folder / "saved.h5"), "exists already", 3),
                              (lambda: result.save(folder / "saved.h5", mode="resume"), "resume", 2),
                              (lambda: opened.save(folder / "new.h5"), "copy", 2),
                              (lambda: oscillator().run({"omega": [1.0]}).save(folder / "new.h5"), "replayed", 2)):
        try:
            call()
            check(False, f"it is not refused: {words}")
        except pendula.Error as error:
            check(words in str(error) and error.code == code, f"{error.code}: {error}")
    check(not (folder / "new.h5").exists(), "a refused file is there")


ENDLESS = {"problem": "lorenz", "methods": "rk4", "parameters": {"rho": list(range(1, 29))}, "step": 1e-6, "steps": 10**9, "metrics": ["x_max"]}


def check_part():
    """A result that is not complete: its file goes on."""
    sweep = pendula.Sweep.from_yaml("problem: pendulum\nparameters: {x0: {linear: [0.1, 3, 1000]}}\nmethods: [theta2, rk4]\nstep: 0.01\nend: 1\n"
                                    "metrics: [x_final, updates]\n")
    done = []
    result = sweep.run(device="reference", progress=lambda some, total: done.append(some) or some < 600)
    check(not result.complete and np.any(result["theta2"].status == 1), f"a run that was ended early: {result!r} after {done[-1]} points")
    result.save(folder / "part.h5")
    check(not pendula.open(folder / "part.h5").complete, "the file of a part is complete")
    check(any("not_run" in line and "run them again" in line for line in result.messages), f"{result.messages}")
    sweep.run(device="reference", file=folder / "part.h5", mode="resume")
    sweep.run(device="reference", file=folder / "whole.h5")
    check(contents("part.h5") == contents("whole.h5"), "a file that went on is not the whole one")


def check_shards():
    sweep = pendula.Sweep.from_yaml(SWEEPS["trajectory"])
    sweep.run(file=folder / "one.h5", device="reference")
    calls = []
    with concurrent.futures.ThreadPoolExecutor(2) as threads, \
            concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as processes:
        for name, count, executor in (("here", 3, None), ("threads", 4, threads), ("processes", 2, processes)):
            result = sweep.run(file=folder / f"{name}.h5", shards=count, executor=executor, device="reference",
                               progress=lambda done, total: calls.append((done, total)))
            check(contents(f"{name}.h5") == contents("one.h5") and result.complete, f"{name}: the bytes differ")
        try:
            sweep.run(file=folder / "no.h5", shards=2, executor=processes, device="no such")
            check(False, "an error of a shard is lost")
        except pendula.Error as error:
            check(error.code == 8 and "no such" in str(error), f"{error.code}: {error}")
    check(calls[-1] == (sweep.points, sweep.points) and len(calls) == 9, f"progress: {calls}")
    check(not list(folder.glob("*.shard-*")), f"shards are left: {list(folder.glob('*.shard-*'))}")
    result = sweep.run(shards=2, device="reference")
    place = pathlib.Path(result._folder.name)
    check(result.complete and np.array_equal(result["rk4"].x_final, sweep.run(device="reference")["rk4"].x_final), "shards without a file")
    del result
    check(not place.exists(), "the temporary folder stays")
    # One that is stopped goes on; what is there is not lost.
    refused = {}
    for mode, see in (("new", lambda done, total: False), ("new", None), ("resume", None)):
        name = "again.h5" if mode == "resume" or see else "one.h5"
        try:
            sweep.run(file=folder / name, shards=3, device="reference", mode=mode, progress=see)
        except pendula.Error as error:
            refused[name] = error
    check(refused["again.h5"].code == 75 and refused["one.h5"].code == 3, f"{refused}")
    check(contents("again.h5") == contents("one.h5") and not list(folder.glob("*.shard-*")), "shards that went on")


def check_pickles():
    sweep = pickle.loads(pickle.dumps(oscillator(parameters={"omega": np.array([1.0, 2.0])})))
    check(np.allclose(sweep.run().x_final[:, 0], 0, atol=1) and sweep.points == 2, f"{sweep!r}")
    error = pickle.loads(pickle.dumps(pendula.Error("a:1:2: b", 4, "a", 1, 2)))
    check((str(error), error.code, error.file, error.line, error.column) == ("a:1:2: b", 4, "a", 1, 2), f"{error!r}")


# --- what is said

def check_messages():
    sweep = pendula.Sweep.from_yaml(SWEEPS["failed"])
    result = sweep.run(device="reference")
    status = result["theta2"].status
    wrong = int(np.sum(status == 4))
    [line] = [line for line in result["theta2"].messages if "budget_exceeded" in line]
    eps = result["theta2"].eps[status == 4]
    check(wrong and line == f"theta2: {wrong} of {status.size} points budget_exceeded, at eps {eps.min():.4g} to {eps.max():.4g}; "
                            "a smaller step, or a larger substeps.budget", line)
    names, lib = [], pendula._library.lib
    while name := lib.status_name(len(names)):
        names.append(name.decode())
    check(set(names) == {"ok", *results.REMEDIES}, f"statuses and remedies differ: {set(names) ^ {'ok', *results.REMEDIES}}")
    # Each key that a remedy names is one of the sweep file's.
    for remedy in results.REMEDIES.values():
        for key in re.findall(r"\b(?:newton|substeps)\.\w+", remedy):
            pendula.Sweep.from_yaml(SWEEPS["failed"]).set(key, 10)
            answer("plan", write("key.yaml", SWEEPS["failed"]), "--no-time", "-s", f"{key}=10")
    check("budget_exceeded" in result._repr_html_() and "<details>" in sweep._repr_html_(), "pictures for a notebook")
    single = oscillator().run()
    check(single.messages == [] and single["rk4"].status.shape == (), "a point alone")


def check_bar():
    """On a terminal a line, in a notebook a bar, elsewhere nothing."""
    script = f"import pendula\npendula.progress._BEGIN = 0\nprint(pendula.Sweep(**{ENDLESS!r}).run(seconds=2).complete)\n"
    leader, follower = pty.openpty()
    said = child(script, stderr=follower)
    os.close(follower)
    check(said.communicate()[0] == "False\n", "a run with a bar")
    check(b"/28 points" in os.read(leader, 1000), "a terminal has no bar")
    os.close(leader)
    quiet = child(script, stderr=subprocess.PIPE)
    check("points" not in quiet.communicate()[1], "a pipe has a bar")
    drawn, updates = [], []
    place = types.SimpleNamespace(update=lambda page: updates.append(page))
    shell = types.ModuleType("IPython")
    shell.get_ipython = lambda: types.SimpleNamespace(kernel=1)
    shell.display = types.ModuleType("IPython.display")
    shell.display.HTML = str
    shell.display.display = lambda page, display_id: drawn.append(page) or place
    before = {name: sys.modules.get(name) for name in ("IPython", "IPython.display")}
    sys.modules.update({"IPython": shell, "IPython.display": shell.display})
    begin, progress._BEGIN = progress._BEGIN, 0
    oscillator(parameters={"omega": np.linspace(1, 2, 1000)}).run(device="reference")
    progress._BEGIN = begin
    for name, module in before.items():
        sys.modules.pop(name) if module is None else sys.modules.update({name: module})
    check(len(drawn) == 1 and "<progress" in drawn[0] and updates and "1000/1000 points" in updates[-1], f"{drawn} {updates}")


def check_interrupts():
    """Ctrl-C in a run into a file, whose work is on other threads; the file goes on."""
    said, seconds = interrupted(f"""
        import pendula
        try:
            print("begun", flush=True)
            pendula.Sweep(**{ENDLESS!r}).run(file="long.h5")
        except KeyboardInterrupt as stop:
            print("stopped", stop.result)
    """, file="long.h5")
    check(said == "stopped None\n" and seconds < 4, f"Ctrl-C: {said}")


def check_memory():
    """Arrays are the library's: what a run takes beside them is small."""
    script = """
        import pathlib, pendula
        def memory(word):
            lines = pathlib.Path("/proc/self/status").read_text().splitlines()
            return 1024 * int(next(line.split()[1] for line in lines if line.startswith(word)))
        def run(points):
            sweep = pendula.Sweep("lorenz", "rk4", parameters={"rho": {"linear": [10, 28, points]}}, step=0.01, steps=2,
                                  metrics=["x_final", "x_max"])
            return sweep.run(progress=False, memory=1 << 25)["rk4"]
        run(1000)
        pathlib.Path("/proc/self/clear_refs").write_text("5")  # the peak of compilers is forgotten
        before = memory("VmRSS")
        group = run(3_000_000)
        print(sum(group[name].nbytes for name in group), memory("VmHWM") - before, len(group.x_final))
    """
    arrays, taken, points = map(int, child(script).communicate()[0].split())
    print(f"{points} points: arrays of {arrays / 1e6:.0f} MB, and at most {taken / 1e6:.0f} MB were taken")
    check(points == 3_000_000 and arrays / 2 < taken < 1.2 * arrays, f"{taken} bytes are taken for arrays of {arrays}")


if __name__ == "__main__":  # and not in the processes that it starts
    main(check_ten_lines, check_docstrings, check_lists, check_function, check_callers, check_saved, check_part, check_shards,
         check_pickles, check_messages, check_bar, check_interrupts, check_memory)
