# check_analyses_python -- the analyses of the Python package: indices, fronts, spectra and pairs of closed forms, tables, and errors.
import concurrent.futures
import doctest
import time

from checking import check, compilers, folder, interrupted, main, parsed
from package import np, pendula
import pendula.analyses

FIRST, TOTAL = (0.313905, 0.442411, 0.0), (0.557589, 0.442411, 0.243684)


def ishigami(x):
    return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1])**2 + 0.1 * x[:, 2]**4 * np.sin(x[:, 0])


def saltelli(samples):
    """A AB_1 AB_2 AB_3 B, as SALib writes them."""
    a, b = np.random.default_rng(3).uniform(-np.pi, np.pi, (2, samples, 3))
    mixed = [np.where(np.arange(3) == i, b, a) for i in range(3)]
    return np.stack([a, *mixed, b], 1).reshape(-1, 3)


def check_documented():
    failed, tried = doctest.testmod(pendula.analyses)
    check(failed == 0 and tried >= 7, f"{failed} of {tried} examples fail")


def check_sensitivity():
    x = saltelli(4096)
    found = pendula.sensitivity(x, ishigami(x), names=["a", "b", "c"])
    table = found["y"]
    check(list(found) == ["y"] and table.names["factor"] == ["a", "b", "c"] and found.S1.shape == (3,), f"{found!r}")
    for i in range(3):
        check(abs(found.S1[i] - FIRST[i]) < 2 * found.S1_conf[i] and abs(found.ST[i] - TOTAL[i]) < 2 * found.ST_conf[i], f"{found!r}")
    check(any("Saltelli" in line for line in table.messages), f"{table.messages}")
    # Several outputs, one without a number; columns in place of arrays.
    y = np.column_stack([ishigami(x), x[:, 0]])
    y[0, 1] = np.nan
    both = pendula.sensitivity({name: x[:, i] for i, name in enumerate("abc")}, y, outputs=["f", "g"])
    check(list(both) == ["f", "g"] and np.array_equal(both["f"].S1, found.S1), f"{both!r}")
    check(both["g"].failed == 1 and both["g"].dropped == 1 and abs(both["g"].S1[0] - 1) < 0.1, f"{both['g']!r}")
    columns = table.columns()
    check(list(columns["factor"]) == ["a", "b", "c"] and "S1_conf" in columns, f"{columns}")
    html = found._repr_html_()
    check(html.count("<tr>") == 4 and "Saltelli" in html and "S1_conf" in repr(found), html)
    try:
        import pandas  # noqa: F401
        check(list(table.to_dataframe().factor) == ["a", "b", "c"] and len(both.to_dataframe()) == 6, "a table of pandas")
    except ImportError:
        print("not looked at: pandas is not installed")
    few = np.random.default_rng(5).uniform(0, 1, (150, 2))
    y = few[:, 0] + few[:, 1]**2 + few[:, 0] * few[:, 1]
    chaos = pendula.sensitivity(few, y, names=["a", "b"], index="chaos", distributions=dict.fromkeys("ab", "{uniform: [0, 1]}"))
    variance = 9 / 48 + 4 / 45 + 1 / 48 + 1 / 12 + 1 / 144
    check(abs(chaos.S1[0] - 9 / 48 / variance) < 1e-6 and abs(chaos.S2[0, 1] - 1 / 144 / variance) < 1e-6, f"{chaos!r}")


def check_predictions():
    """Of arrays, those of a polynomial; of a result, those of the program's command, bit for bit."""
    few = np.random.default_rng(5).uniform(0, 1, (150, 2))
    y = few[:, 0] + few[:, 1]**2 + few[:, 0] * few[:, 1]
    at = {"b": [0.5, 0.25, 9.0], "a": [0.5, 0.75, 0.5]}
    found = pendula.predict(few, np.column_stack([y, np.random.default_rng(6).uniform(0, 1, 150)]), at, names=["a", "b"], outputs=["f", "g"])
    check(np.allclose(found["f"].value[:2], [1.0, 1.0], atol=1e-12) and np.isnan(found["f"].value[2]), f"{found['f']!r}")
    check(any("place 2: b = 9 lies outside" in line for line in found["f"].messages), f"{found['f'].messages}")
    check(np.isnan(found["g"].value).all() and any("Q2 below 0.9" in line for line in found["g"].messages), f"{found['g'].messages}")
    sweep = pendula.Sweep("harmonic_oscillator", "rk4", parameters={"omega": {"uniform": [1, 2]}, "x0": {"uniform": [1, 2]}},
                          design={"lhs": {"samples": 200}, "inside": "grid"}, step=[0.05, 0.1], end=2, metrics=["x_final"])
    memory = sweep.run(device="reference")
    memory.save(folder / "predicted.h5")
    places = np.array([[1.25, 1.5], [1.75, 1.125]])  # x0, omega
    for result in (memory, pendula.open(folder / "predicted.h5")):
        found = pendula.predict(result["rk4"], at=places, names=["x0", "omega"], output="x_final[0]")
        check(found.value.shape == (2, 2) and found["x_final[0]"].dims("value") == ("step", "point"), f"{found!r}")
        check(found["x_final[0]"].unit("value") == "m", found["x_final[0]"].unit("value"))
        for s, step in enumerate([0.05, 0.1]):
            for i, (x0, omega) in enumerate(places):
                [row] = parsed("predict", "predicted.h5", "--metric", "x_final[0]", "--at", f"step={step},omega={omega},x0={x0}",
                               "--format", "json")
                check((row["value"], row["error"], row["Q2"]) == (found.value[s, i], found.error[s, i], found.Q2[s]), f"{row}: {found!r}")
                check(abs(row["value"] - x0 * np.cos(2 * omega)) < max(6 * row["error"], 1e-3), f"{row} at {x0}, {omega}")
    refused("a factor without a place", "no column 'x0'", lambda: pendula.predict(memory["rk4"], at=[[1.0]], names=["omega"]))


def check_results():
    """A group of a result by the design of its sweep, a table for each step."""
    sweep = pendula.Sweep("harmonic_oscillator", ["rk4", "theta2"], parameters={"omega": {"uniform": [1, 2]}, "x0": {"uniform": [1, 2]}},
                          design={"morris": {"trajectories": 10}, "inside": "grid"}, step=[0.05, 0.1], end=2, metrics=["x_final", "energy_drift"])
    memory, file = sweep.run(device="reference"), sweep.run(device="reference", file=str(folder / "design.h5"))
    found, stored = pendula.sensitivity(memory["rk4"]), pendula.sensitivity(file["rk4"])
    check(list(found) == ["x_final[0]", "energy_drift"] and found["x_final[0]"].dims("mu") == ("step", "factor"), f"{found!r}")
    check(all(np.array_equal(found[name].mu, stored[name].mu) for name in found), "memory and file differ")
    check(len(found["x_final[0]"].columns()["mu"]) == 4 and found["x_final[0]"].unit("mu") != "", f"{found!r}")
    check(list(pendula.sensitivity(memory["rk4"], output="energy_drift")) == ["energy_drift"], "one output")


def check_methods():
    omega = np.array([0.1, 1.0])
    found = pendula.spectrum(["newmark", "rk4"], omega, parameters={"beta": 0.25, "gamma": 0.5})
    newmark, rk4 = found.values()
    check(np.allclose(newmark.radius, 1) and np.allclose(newmark.period_error, omega / (2 * np.arctan(omega / 2)) - 1), f"{found!r}")
    check(abs(rk4.critical[0] - 2 * np.sqrt(2)) < 1e-6 and np.isnan(rk4.radius_kernel).all(), f"{found!r}")
    check(list(newmark.columns())[:2] == ["zeta", "omega_h"], f"{newmark.columns()}")
    several = pendula.spectrum("generalized_alpha", 1.0, parameters={"rho_inf": [0.3, 0.6]})
    check(len(several) == 2, f"{several!r}")
    found = pendula.pairs("generalized_alpha", "theta1", [1.0], criterion="high_frequency", bounds=(0.9, 1))
    check(np.isnan(found.theta1[0]) and found.reasons[0], f"{found!r}")


def check_conform_ends():
    """Ctrl-C in a check of kernels, and a sweep that two threads use."""
    if not compilers():
        print("not looked at: no C compiler")
        return
    sweep, ends = pendula.Sweep("harmonic_oscillator", "rk4", step=0.02, end=2.0), []
    said, seconds = interrupted("""
        import pendula
        sweep = pendula.Sweep("lorenz", "rk4", parameters={"rho": list(range(1, 29))}, step=1e-6, steps=10**9)
        try:
            print("begun", flush=True)
            pendula.conform(sweep)
        except pendula.Interrupted:
            print("stopped", flush=True)
    """, seconds=3)
    check(said == "stopped\n" and seconds < 3, f"Ctrl-C in a check of kernels: {said}, after {seconds:.1f} s")

    def conform():
        found = pendula.conform(sweep, "native", 1)
        ends.append("conform")
        return found.passed

    def hold(*_):
        if not ends:
            ends.append("begun")
            tasks.append(pool.submit(conform))
            time.sleep(4)

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        tasks = []
        sweep.run(progress=hold)
        ends.append("run")
        check(tasks[0].result() == 1 and ends == ["begun", "run", "conform"], f"threads take no turns: {ends}")
    try:
        pendula.conform(pendula.conform(sweep, "native", 1))
        check(False, "the tables of an analysis are checked")
    except TypeError as error:
        check("give the sweep" in str(error), f"{error}")


def refused(what, words, call, kind=pendula.Error):
    try:
        call()
    except kind as error:
        check(words in str(error) and (kind is ValueError or error.code == 2), f"{what}: {error}")
        return
    check(False, f"{what}: it is not refused")


def check_errors():
    x = np.random.default_rng(1).uniform(0, 1, (50, 2))
    refused("two factors that go together", "go together", lambda: pendula.sensitivity(np.column_stack([x, x[:, 0]]), x[:, 0]))
    refused("a word", "'sobl' is none of", lambda: pendula.sensitivity(x, x[:, 0], index="sobl"))
    refused("points that do not fit", "does not serve the index morris", lambda: pendula.sensitivity(x, x[:, 0], index="morris"))
    refused("five objectives", "5 objectives", lambda: pendula.pareto(np.ones((3, 5))))
    refused("a method", "rk5", lambda: pendula.spectrum("rk5", 1.0))
    refused("fewer outputs", "50 points and 49 outputs", lambda: pendula.sensitivity(x, x[1:, 0]), ValueError)
    refused("names", "3 names for 2 columns", lambda: pendula.sensitivity(x, x[:, 0], names="abc"), ValueError)
    refused("a distribution", "no factor is called c", lambda: pendula.sensitivity(x, x[:, 0], distributions={"c": "{}"}), ValueError)


main(check_documented, check_sensitivity, check_predictions, check_results, check_methods, check_conform_ends, check_errors)
