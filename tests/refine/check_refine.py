# check_refine -- `pendula refine` on boundaries that are known in closed form, beside fine grids, and on what it refuses.
import csv
import os
import re
import shutil
import signal
import time

from checking import answer, check, csv_rows, folder, h5, main, need, need_compiler, parsed, refused, start, write
from picture import data_blocks

np, _ = need("numpy", "h5py")

os.environ["PENDULA_PROGRESS"] = "none"  # whether a compiler takes a second depends on the machine

# x = x0 cos(omega t), to the error of rk4.
OSCILLATOR = """problem: harmonic_oscillator
parameters: {omega: {linear: [1, 2, 6]}, x0: {log: [0.5, 4, 7]}}
methods: [rk4]
step: 0.01
steps: 100
metrics: [status, x_final]
"""

# Explicit Euler on x'' = -w^2 x multiplies the amplitude by sqrt(1 + (w h)^2) a step; with no halving of steps it ends where that overflows.
GROWING = """problem: harmonic_oscillator
parameters: {omega: {linear: [1, 400, 8]}, zeta: [0, 0.01]}
methods: [explicit_euler]
step: {log: [0.01, 1, 5]}
steps: 600
substeps: {max_depth: 0}
metrics: [status, updates]
"""


def refine(*words):
    """Rows of the boundary's cells."""
    numbers = lambda row: {k: v if k in ("label", "between") else float(v) for k, v in row.items() if v != ""}
    return [numbers(row) for row in csv_rows("refine", *words, "-d", "native")]


def a_crossing_of_one_axis():
    cells = refine("oscillator.yaml", "-s", "parameters.x0=1", "--boundary", "x_final[0]=0.2", "--width", "omega=1e-7")
    check(len(cells) == 1, f"one crossing, not {len(cells)}")
    low, high, exact = cells[0]["omega_low"], cells[0]["omega_high"], np.arccos(0.2)
    check(high - low <= 1e-7 and low - 1e-8 <= exact <= high + 1e-8, f"x crosses 0.2 at {exact}, not in [{low}, {high}]")
    check(cells[0]["between"] == "below 0.2|above 0.2", f"classes {cells[0]['between']}")
    named = refine("oscillator.yaml", "-s", "parameters.x0=1", "--boundary", "x_final[x]=0.2", "--width", "omega=1e-7")
    check(named == cells, f"by the coordinate's name {named}, not {cells}")
    text = answer("refine", "oscillator.yaml", "-d", "native", "-s", "parameters.x0=1", "--boundary", "x_final[0]=0.2", "--width", "omega=1e-7")
    check(f"omega from {low:.9g} to {high:.9g}: below 0.2|above 0.2" in text, f"the interval in: {text}")


def a_curve_in_two_axes():
    """x0 cos(omega) = 0.7, along a linear and a logarithmic axis."""
    share = 1 / 768
    cells = refine("oscillator.yaml", "--boundary", "x_final[0]=0.7", "--width", share)
    ends = np.array([[c["omega_low"], c["omega_high"], c["x0_low"], c["x0_high"]] for c in cells])
    check(np.all(ends[:, 1] - ends[:, 0] <= share * 1.000001), "cells are as short as asked along omega")
    check(np.all(np.log(ends[:, 3] / ends[:, 2]) <= np.log(8) * share * 1.000001), "cells are as short as asked along x0")
    # x falls with omega and rises with x0: its least and its largest value in a cell are at two corners.
    least, most = ends[:, 2] * np.cos(ends[:, 1]), ends[:, 3] * np.cos(ends[:, 0])
    check(np.all((least < 0.7 + 1e-8) & (most > 0.7 - 1e-8)), "the curve crosses each cell")
    omega = np.linspace(1.0001, np.arccos(0.7 / 4) - 1e-4, 5000)
    x0 = 0.7 / np.cos(omega)
    inside = (x0 > 0.5) & (x0 < 4)
    covered = [np.any((ends[:, 0] <= w) & (w <= ends[:, 1]) & (ends[:, 2] <= x) & (x <= ends[:, 3]))
               for w, x in zip(omega[inside], x0[inside])]
    check(np.all(covered), f"{np.sum(~np.array(covered))} of {len(covered)} places of the curve are in no cell")
    summary = answer("refine", "oscillator.yaml", "-d", "native", "--boundary", "x_final[0]=0.7", "--width", share)
    points = re.search(r"(\d+) points in \d+ rounds; a grid of this width has (\S+) \(", summary)
    check(points and int(points.group(1)) < 0.02 * float(points.group(2)), f"a fiftieth of a grid's points: {summary}")


def widths_of_single_axes():
    cells = refine("oscillator.yaml", "--boundary", "x_final[0]=0.7", "--width", "x0=0.089,omega=0.03")
    check(max(c["omega_high"] - c["omega_low"] for c in cells) <= 0.03, "omega to 0.03")
    check(0.03 < max(c["x0_high"] / c["x0_low"] - 1 for c in cells) <= 0.089, "x0 to 8.9 %, and not much better")
    text = answer("refine", "oscillator.yaml", "-d", "native", "--boundary", "x_final[0]=0.7", "--width", "x0=0.089,omega=0.03")
    # 5 distances of 0.2 are halved three times, 6 of 8^(1/6) too.
    check(f"a grid of this width has {(5 * 8 + 1) * (6 * 8 + 1)} (" in text, f"points of the grid: {text}")


def charts_of_several_axes():
    """Each value of the lists has its own crossing: x0 cos(omega) + v0 sin(omega) / omega = 0.2."""
    sweep = write("charts.yaml", OSCILLATOR.replace("{log: [0.5, 4, 7]}", "[0.8, 1, 1.5], v0: [0, 0.3]"))
    cells = refine(sweep, "--boundary", "x_final[0]=0.2", "--width", "omega=1e-5")
    check([(c["x0"], c["v0"]) for c in cells] == [(x, v) for x in (0.8, 1, 1.5) for v in (0, 0.3)], f"six charts: {cells}")
    for c in cells:
        x = lambda omega: c["x0"] * np.cos(omega) + c["v0"] * np.sin(omega) / omega - 0.2
        check(x(c["omega_low"] - 1e-8) > 0 > x(c["omega_high"] + 1e-8), f"x crosses 0.2 elsewhere than in {c}")


def a_coordinate_among_several():
    """The second coordinate of a pendulum on a spring, and more points in a round than a launch takes."""
    sweep = write("falls.yaml", """problem:
  coordinates: [x, y]
  acceleration: ["0", "-g"]
  start: [s, 1]
  parameters: {g: {linear: [1, 5, 201]}, s: {linear: [0, 1, 201]}}
methods: [rk4]
step: 0.1
steps: 10
metrics: [x_final]
""")
    cells = refine(sweep, "--boundary", "x_final[1]=-0.501", "--width", 0.005)
    check(len(cells) == 200 and all(c["g_low"] <= 3.002 <= c["g_high"] for c in cells), f"1 - g/2 crosses -0.501 at 3.002: {cells[:3]}")
    cells = refine(sweep, "--boundary", "x_final[0]=0.3015", "--width", 0.005)
    check(len(cells) == 200 and all(c["s_low"] <= 0.3015 <= c["s_high"] for c in cells), f"x is s: {cells[:3]}")


def points_fail_where_a_fine_grid_fails():
    """Every point of a fine grid that lies in no cell of the boundary has the class of the points around it."""
    share = 1 / 112
    cells = refine("growing.yaml", "--width", share, "--points", "points.csv", "--force")
    answer("run", "growing.yaml", "-d", "native", "-s", "parameters.omega={linear: [1, 400, 113]}", "-s", "step={log: [0.01, 1, 129]}",
            "-o", "fine.h5")
    with h5("fine") as file:
        group = file["explicit_euler"]
        status, zeta = group["status"][...], group["zeta"][...]
        step, omega = np.meshgrid(group["step"][...], group["omega"][...], indexing="ij")
        check([d[0].name.split("/")[-1] for d in group["status"].dims] == ["step", "omega", "zeta"], "the order of the axes")
    rows = list(csv.DictReader(open(folder / "points.csv")))
    check({row["status"] for row in rows} == {"ok", "not_finite"}, "two statuses")
    check(all((row["status"] == "ok") == (row["class"] == "ok") for row in rows), "the class is that of the status")
    check({int(row["updates"]) for row in rows if row["status"] == "ok"} == {0}, "metrics of the points")
    for k, z in enumerate(zeta):
        at = np.array([[float(r["step"]), float(r["omega"]), r["class"] == "ok"] for r in rows if float(r["zeta"]) == z])
        bounds = np.array([[c["step_low"], c["step_high"], c["omega_low"], c["omega_high"]] for c in cells if c["zeta"] == z])
        check(0 < len(at) < 0.25 * step.size and len(bounds) > 0, f"zeta {z}: {len(at)} points, {len(bounds)} cells")
        inside = np.zeros(step.shape, bool)
        for b in bounds:
            inside |= (b[0] * 0.999999 <= step) & (step <= b[1] * 1.000001) & (b[2] - 1e-6 <= omega) & (omega <= b[3] + 1e-6)
        wrong = 0
        for s, w, ok in zip(step[~inside], omega[~inside], status[..., k][~inside] == 1):
            near = np.argmin(((np.log(at[:, 0] / s)) / np.log(100)) ** 2 + ((at[:, 1] - w) / 399) ** 2)
            crossed = at[near, 2] != ok
            if crossed:
                # The nearest point may lie across the boundary: then a cell of it lies between.
                low, high = np.minimum([s, w], at[near, :2]), np.maximum([s, w], at[near, :2])
                crossed = not np.any((bounds[:, 1] >= low[0]) & (bounds[:, 0] <= high[0]) & (bounds[:, 3] >= low[1]) & (bounds[:, 2] <= high[1]))
            wrong += crossed
        check(wrong == 0, f"zeta {z}: {wrong} points of the fine grid are of another class than those around them")


def points_are_a_sweep_s_points():
    """The points run again as a file of points have the statuses that they had."""
    rows = list(csv.DictReader(open(folder / "points.csv")))
    write("again.yaml", """problem: harmonic_oscillator
methods: [explicit_euler]
points: {file: points.csv, columns: [step, omega, zeta]}
steps: 600
substeps: {max_depth: 0}
metrics: [status]
""")
    answer("run", "again.yaml", "-d", "native", "-o", "again.h5")
    with h5("again") as file:
        status = file["explicit_euler/status"][...]
    check(len(status) == len(rows) and all((s == 1) == (r["status"] == "ok") for s, r in zip(status, rows)), "the same statuses")


def statuses_and_devices():
    """The kernel and the reference find the same cells; --boundary status finds those of ok too."""
    words = ("-s", "parameters.zeta=0", "--width", 1 / 56)
    native = refine("growing.yaml", *words)
    reference = answer("refine", "growing.yaml", *words, "-d", "reference", "--format", "csv")
    numbers = [[float(c) for c in row.split(",")[1:-1]] for row in reference.splitlines()[1:]]
    check(np.array_equal(numbers, [[c[k] for k in c if k not in ("label", "between")] for c in native]), "kernel and reference")
    status = refine("growing.yaml", *words, "--boundary", "status")
    check({c["between"] for c in status} == {"ok|not_finite"} and len(status) == len(native), "the same by status")


def json_and_groups():
    """Groups with other axes: a row has those that it has."""
    sweep = write("groups.yaml", OSCILLATOR.replace("[rk4]", "[rk4, generalized_alpha: {rho_inf: [0.5, 1]}]").replace(
        "{log: [0.5, 4, 7]}", "1"))
    cells = parsed("refine", sweep, "-d", "native", "--boundary", "x_final[0]=0.2", "--format", "json")
    check([c["label"] for c in cells] == ["rk4", "generalized_alpha", "generalized_alpha"], "a cell for each chart")
    check("rho_inf" not in cells[0] and [c.get("rho_inf") for c in cells[1:]] == [0.5, 1], "charts by rho_inf")
    check(all(abs(c["omega_low"] - np.arccos(0.2)) < 0.01 for c in cells), "where x crosses 0.2")
    table = answer("refine", sweep, "-d", "native", "--boundary", "x_final[0]=0.2", "--format", "csv").splitlines()
    check(table[0] == "label,omega_low,omega_high,rho_inf,between" and table[1].split(",")[3] == "", "columns of all groups")


def a_list_is_halved_where_it_is_named():
    sweep = write("list.yaml", OSCILLATOR.replace("{linear: [1, 2, 6]}", "[1, 1.1, 1.9, 2]"))
    words = (sweep, "-s", "parameters.x0=1", "--boundary", "x_final[0]=0.2")
    message = answer("refine", *words, code=4)
    check("group 'rk4' has no axis to halve" in message and "--along" in message, message)
    cells = refine(*words, "--along", "omega", "--width", "omega=1e-4")
    check(len(cells) == 1 and cells[0]["omega_low"] <= np.arccos(0.2) <= cells[0]["omega_high"], f"along a list: {cells}")


def pictures():
    if not shutil.which("gnuplot"):
        print("skipped: pictures, gnuplot is not installed")
        return
    answer("refine", "growing.yaml", "-d", "native", "--width", 0.02, "--plot", "chart")
    svg, script = (folder / "chart.svg").read_text(), (folder / "chart.gp").read_text()
    for word in ("zeta = 0", "zeta = 0.01", "ok", "failed", "boundary", "omega [rad/s]", "step [s]"):
        check(f">{word}<" in svg, f"the picture says {word}")
    cells = refine("growing.yaml", "--width", 0.02)
    drawn = [len(data_blocks(script)[f"panel{p}_0"]) for p in range(2)]
    check(drawn == [sum(c["zeta"] == z for c in cells) for z in (0, 0.01)], f"all cells of the boundary are drawn: {drawn}")
    answer("refine", "oscillator.yaml", "-d", "native", "-s", "parameters.x0=1", "--boundary", "x_final[0]=0.2", "--plot", "strip")
    check(">omega [rad/s]<" in (folder / "strip.svg").read_text(), "a strip of one axis")


def refusals():
    def refuses(words, message, code=2, sweep="oscillator.yaml"):
        refused(message, "refine", sweep, "-d", "native", *words, code=code)

    refuses(["--along", "omeg"], "--along: group 'rk4' has no axis 'omeg'; did you mean 'omega'?")
    refuses(["--width", "x1=0.1"], "--width: group 'rk4' has no axis 'x1'")
    refuses(["--along", "omega", "--width", "x0=0.1"], "--width: axis 'x0' is not halved")
    refuses(["--width", "0"], "--width")
    refuses(["--width", "1.5"], "a share of the range, at most 1")
    refuses(["--width", "omega=-1"], "the width of 'omega' must be greater than 0")
    refuses(["--width", "omega=1e-12"], "less than 2^-24 of the distance", code=4)
    refuses(["--boundary", "x_max=1"], "has no metric 'x_max'")
    refuses(["--boundary", "x_final[1]=1"], "did you mean 'x_final[0]'?")
    refuses(["--boundary", "fine"], "--boundary takes ok, status or METRIC=VALUE,..., got 'fine'")
    refuses(["--boundary", "x_final[0]=inf"], "--boundary")
    refuses(["--boundary", "x_final[0]=1,2,3,4,5,6"], "--boundary")
    refuses(["--most", "10"], "its grid has 42 points already, more than --most allows")
    refuses(["--most", "0.5"], "--most takes a whole number")
    refuses(["-s", "steps={linear: [10, 20, 3]}", "--along", "steps"], "cannot be halved: its values are whole numbers")
    refuses(["-s", "parameters.x0=[1, 3, 2]", "--along", "x0"], "cannot be halved: its values neither rise nor fall")
    refuses(["-s", "design=zip", "-s", "parameters.x0={log: [0.5, 4, 6]}", "--along", "x0"], "go together")
    refuses(["-s", "design={random: {samples: 10}}", "-s", "parameters={omega: {uniform: [1, 2]}}"], "random design", code=4)
    refuses(["-s", "step={linear: [0.1, 0.2, 3]}", "-s", "parameters.v0={linear: [0, 1, 3]}"], "more than 3 axes to halve", code=4)
    refuses(["-o", "oscillator.yaml"], "oscillator.yaml", code=3)
    refuses(["--points", "oscillator.yaml", "--force"], "oscillator.yaml", code=3)


def it_ends_before_too_many_points():
    text = answer("refine", "oscillator.yaml", "-d", "native", "--boundary", "x_final[0]=0.7", "--most", 500)
    points = int(re.search(r"(\d+) points in", text).group(1))
    check(points <= 500 and "some cells are wider than asked" in text, text)


def a_signal_ends_it_with_what_is_known():
    sweep = write("long.yaml", OSCILLATOR.replace("steps: 100", "steps: 3000000").replace("step: 0.01", "step: 1.0e-6"))
    process = start("refine", sweep, "-d", "native", "--boundary", "x_final[0]=0.7")
    time.sleep(3)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    check(process.returncode == 75 and "stopped by a signal; what was found until then is written" in err, f"exit {process.returncode}: {err}")
    check("some cells are wider than asked" in out, out)


need_compiler()
write("oscillator.yaml", OSCILLATOR)
write("growing.yaml", GROWING)
main(a_crossing_of_one_axis, a_curve_in_two_axes, widths_of_single_axes, charts_of_several_axes,
     a_coordinate_among_several, points_fail_where_a_fine_grid_fails,
     points_are_a_sweep_s_points, statuses_and_devices, json_and_groups, a_list_is_halved_where_it_is_named, pictures,
     refusals, it_ends_before_too_many_points, a_signal_ends_it_with_what_is_known, fine="all as it should be")
