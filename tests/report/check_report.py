# check_report -- `pendula report`: pages of several kinds of files, their numbers, and what a page must never do.
import base64
import hashlib
import html.parser
import json
import math
import re
import shutil
import zlib

from checking import answer, change, check, csv_rows, folder, h5, log_of, main, need, need_compiler, pendula, place_of, read, run
from seal import seal, split, trailer
from sweeps import OVERFLOWING

h5py, np = need("h5py", "numpy")

EMPTY = {"meta", "br", "link", "img", "input", "hr"}

GRID = """title: 'A <script>alert(1)</script> & "quoted" title'\n""" + OVERFLOWING.replace("energy_drift]", "energy_drift, steps]")

# A group of one axis beside one of two.
MIXED = """problem: pendulum
parameters: {x0: {linear: [0.5, 2, 4]}}
methods: [rk4, theta2: {theta: [0.1, 0.5, 0.9]}]
step: 0.1
steps: 20
metrics: [status, energy_drift]
"""

STUDY = """problem: harmonic_oscillator
parameters: {omega: {uniform: [0.5, 2]}, x0: {normal: [1, 0.1]}, v0: {uniform: [0, 1]}}
methods: [rk4]
step: 0.05
steps: 60
metrics: [status, x_final, x_max]
design: {saltelli: {samples: 128}}
"""


def make(name, sweep, *words):
    run(name, sweep, *words, device="native")
    pendula("report", f"{name}.h5")
    return Page((folder / f"{name}.html").read_text())


class Page(html.parser.HTMLParser):
    """Tags that are open, tables as lists of rows of cells, texts of the headings, addresses, pictures."""

    def __init__(self, text):
        super().__init__()
        self.text, self.open, self.tables, self.headings, self.sorted_by, self.ids, self.used = text, [], [], [], [], [], []
        self.problems, self.cell, self.pictures, self.captions, self.scripts = [], None, 0, [], []
        self.feed(text)
        check(self.open == [] and self.problems == [], f"every element is closed: {self.open} {self.problems[:3]}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.used += [v for k, v in attributes.items() if k.endswith(("href", "src"))]
        self.problems += [f"{tag} {k}" for k in attributes if k.startswith("on")]
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th", "h1", "h2", "h3", "figcaption", "script"):
            self.cell = [tag, "", attributes.get("data-v")]
        self.pictures += tag == "svg"
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.ids += [v for k, v in attributes if k == "id"]
        self.used += [v for k, v in attributes if k.endswith(("href", "src"))]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}>")
        if self.cell and self.cell[0] == tag:
            kind, text, value = self.cell
            if kind in ("td", "th"):
                self.tables[-1][-1].append(float(value) if value else text)
            elif kind == "script":
                self.scripts.append(text)
            else:
                (self.captions if kind == "figcaption" else self.headings).append(text)
            self.cell = None

    def handle_data(self, data):
        if self.cell:
            self.cell[1] += data

    def table(self, *columns):
        """The rows of the table with these columns."""
        for table in self.tables:
            if table[0][:len(columns)] == list(columns):
                return table[1:]
        check(False, f"no table with the columns {columns}")
        return []


def page_is_sound(page):
    """Nothing is loaded, only the page's own script may run, and names of pictures do not meet."""
    check(not re.search(r"<[^>]*(url\((?!#p)|@import)", page.text), "a page loads nothing")
    check(len(page.ids) == len(set(page.ids)), f"ids are there once: {[i for i in page.ids if page.ids.count(i) > 1][:3]}")
    away = [u for u in page.used if not (u[0] == "#" and u[1:] in page.ids) and not u.startswith("data:image/png;base64,")]
    check(away == [], f"what is referred to is there: {[u[:80] for u in away[:3]]}")
    check(all(len(row) == len(table[0]) for table in page.tables for row in table), "a cell in each column")
    allowed = re.search(r"script-src 'sha256-([^']+)'", page.text).group(1)
    own = [s for s in page.scripts if "use strict" in s]
    check(len(own) == 1 and base64.b64encode(hashlib.sha256(own[0].encode()).digest()).decode() == allowed, "the policy's hash is that of the script")
    check("default-src 'none'" in page.text, "the policy forbids all else")
    check(page.text.index("Content-Security-Policy") < page.text.index("<title>"), "the policy stands before the contents")


def a_grid_with_failures():
    page = make("grid", GRID)
    page_is_sound(page)
    check("<script>alert" not in page.text and "A <script>alert(1)</script> & \"quoted\" title" in page.headings[0], f"title: {page.headings[0]}")
    check("&amp; &quot;quoted&quot; title" in page.text, "the title is escaped")
    check([row[0] for row in page.table("group", "method")] == ["explicit_euler", "rk4"], "both groups")
    with h5("grid") as file:
        for label, group in ((k, v) for k, v in file.items() if "status" in v):
            status = group["status"][...]
            row = [r for r in page.table("group", "method") if r[0] == label][0]
            check(row[3:] == [status.size, np.sum(status == 1), np.sum(status != 1)], f"{label}: {row}")
            failed = [r for r in page.table("group", "axis", "value") if r[0] == label]
            by_omega = [[w, status.shape[0], np.sum(status[:, i] != 1)] for i, w in enumerate(group["omega"][...])]
            check([r[2:5] for r in failed if r[1] == "omega"] == by_omega, f"{label}: failures over omega")
            steps = [r for r in failed if r[1] == "step"]
            parts = [np.arange(20) * 8 // 20 == k for k in range(8)]
            check([r[3:5] for r in steps] == [[p.sum() * 12, np.sum(status[p] != 1)] for p in parts], f"{label}: failures over the step: {steps}")
            check(steps[0][2] == group["step"][0], f"{label}: parts of the step: {steps[0]}")
            for metric in ("x_max", "energy_drift", "steps"):
                number = group[metric][...][(status == 1) & np.isfinite(group[metric][...])]
                row = [r for r in page.table("metric", "group") if r[:2] == [metric, label]][0]
                expected = [number.size, number.min(), *np.quantile(number, [0.25, 0.5, 0.75]), number.max(), number.mean()]
                check(np.allclose(row[2:9], expected, rtol=1e-12), f"{label} {metric}: {row[2:9]}, not {expected}")
                at = np.argwhere((status == 1) & (group[metric][...] == number.max()))[0]
                place = f"step = {group['step'][at[0]]:.4g}, omega = {group['omega'][at[1]]:.4g}"
                check(row[9] == place, f"{label} {metric}: greatest at {row[9]}, not {place}")
    if shutil.which("gnuplot"):
        check(page.captions == ["How each point ended", "x_max", "energy_drift", "steps", "Stored trajectories"] and page.pictures == 5, f"pictures: {page.captions}")
        _, data = picture(page, "x_max")
        check([len(each["cells"]) for each in data["maps"]] == [240, 240] and data["spots"] == [], "a value for each cell of a map")
        points_of_maps("grid", data)
        check(page.text.count('"panels":[{"box":[') == 5, "panels of each picture")
        values_of_trajectories(page)
        cells_of_maps(page)
    check("harmonic_oscillator with explicit_euler, rk4. 480 points in 2 groups: " in page.text, "the page says what it is about")
    start, end = log_of("grid")
    check(page.table("event", "time (UTC)")[0][:5] == ["start", start["time"], start["device"], start["driver"], start["blocks"]], "where it ran")
    check(page.table("event", "time (UTC)")[1][5:] == [end["blocks_computed"], end["seconds"], end["compute_seconds"]], "how long it took")


def picture(page, caption):
    """The SVG of a picture and what a reader may point at."""
    for figure in re.findall(r"<figure.*?</figure>", page.text, re.S):
        if f"<figcaption>{caption}</figcaption>" in figure:
            return figure, json.loads(re.search(r'<script type="application/json">(.*?)</script>', figure, re.S).group(1))
    check(False, f"no picture {caption}")


def lies_on_curves(svg, data):
    """Whether each spot lies where gnuplot drew a point of a curve, within a pixel."""
    drawn = [np.array([[float(n) for n in point.split(",")] for point in re.findall(r"[\d.]+,[\d.]+", path)]) for path in re.findall(r" d='([^']+)'", svg)]
    drawn = np.concatenate([d for d in drawn if len(d)])

    def part(axis, value):
        return math.log(value / axis["low"], axis["high"] / axis["low"]) if axis["log"] else (value - axis["low"]) / (axis["high"] - axis["low"])

    for number, x, y, *_ in data["spots"]:
        panel = data["panels"][number]
        left, top, width, height = panel["box"]
        at = [left + width * part(panel["x"], x), top + height * (1 - part(panel["y"], y))]
        if np.min(np.max(abs(drawn - at), axis=1)) > 1.1:
            return False
    return True


def cells_of_maps(page):
    """Neighbours of a colour are one path: each place of the map lies in one of its cells."""
    svg, data = picture(page, "x_max")
    cells = np.array([[float(n) for n in cell] for path in re.findall(r"<path class='cells' color='rgb[^']+' d='([^']+)'", svg)
                      for cell in re.findall(r"M([\d.]+),([\d.]+)H([\d.]+)V([\d.]+)H[\d.]+z", path)])
    for number, x, y in ((each["panel"], x, y) for each in data["maps"] for x in each["x"] for y in each["y"]):
        panel = data["panels"][number]
        left, top, width, height = panel["box"]
        across, up = left + width * math.log(x / panel["x"]["low"], panel["x"]["high"] / panel["x"]["low"]), \
            top + height * (panel["y"]["high"] - y) / (panel["y"]["high"] - panel["y"]["low"])
        inside = np.sum((cells[:, 0] < across) & (across < cells[:, 2]) & (cells[:, 1] < up) & (up < cells[:, 3]))
        if inside != 1:
            check(False, f"{inside} cells at {x}, {y}")
            return
    check(svg.count("<polygon") < 200 < sum(len(each["cells"]) for each in data["maps"]), f"{svg.count('<polygon')} polygons beside the cells: the box of colours has 128")


def points_of_maps(name, data):
    """Each cell of a map leads to a point of the file that has its values on the axes, and its number; every point is led to once, where
    the map shows all."""
    check(data["file"] == f"{name}.h5" and data["statuses"][:2] == ["not_run", "ok"], f"the file of a map: {data['file']}")
    with h5(name) as file:
        for each in data["maps"]:
            group, panel = file[each["group"]], data["panels"][each["panel"]]
            axes = [a.strip("/").split("/")[-1] for a in (d[0].name for d in group["status"].dims if len(d))]
            status, number = group["status"][...], group[data["name"]][...]
            points = set()
            for cell, value in enumerate(each["cells"]):
                i, k = divmod(cell, len(each["y"]))
                point = each["first"] + i * each["each"][0] + k * each["each"][1]
                place = np.unravel_index(point, status.shape)
                here = {axis: group[axis][place[d]] for d, axis in enumerate(axes)}
                names = [panel.get(side, {}).get("label", "").split(" ")[0] for side in ("x", "y")]
                fine = all(not axis or here[axis] == value for axis, value in zip(names, (each["x"][i], each["y"][k]))) and any(names)
                if status[place] != 1 or data["name"] == "status":
                    fine = fine and value == str(status[place])
                else:
                    fine = fine and value == (float(f"{number[place]:.6g}") if np.isfinite(number[place]) else None)
                if not check(fine, f"{name}: {each['group']} {data['name']}, cell {cell} is point {point}, {here}: {value}"):
                    return
                points.add(point)
            check(len(points) == len(each["cells"]), f"{name}: {each['group']}: {len(points)} points in {len(each['cells'])} cells")


def slices_of_maps():
    """Maps of three axes, of which one stands still, and of a group with one axis: the points are still those of the file."""
    cube = GRID.replace("parameters: {", "parameters: {x0: {linear: [1, 3, 5]}, ").replace(", where: {omega: 1, step: 0.01}", ", where: {omega: 1, x0: 1, step: 0.01}")
    for name, sweep in (("cube", cube), ("mixed", MIXED)):
        page = make(name, sweep)
        for caption, metric in [("How each point ended", "status")] * (name == "cube") + [("energy_drift", "energy_drift")]:
            data = picture(page, caption)[1]
            check(len(data["maps"]) == 2 and data["name"] == metric, f"{name}: {caption} has {len(data['maps'])} maps of {data['name']}")
            points_of_maps(name, data)
    check([len(each["y"]) for each in data["maps"]] == [1, 3], "a group with one axis is a strip")


def values_of_trajectories(page):
    svg, data = picture(page, "Stored trajectories")
    check([p["y"]["label"] for p in data["panels"]] == ["x [m]"] and data["panels"][0]["x"]["label"] == "time [s]", f"axes of trajectories: {data['panels']}")
    with h5("grid") as file:
        for label in ("explicit_euler", "rk4"):
            time, x = file[label]["time"][...].ravel(), file[label]["x"][...].ravel()
            spots = [s for s in data["spots"] if data["labels"][s[4]] == label]
            check(len(spots) == 20 and np.allclose([s[1] for s in spots], time) and np.allclose([s[2] for s in spots], x), f"samples of {label}")
    check(lies_on_curves(svg, data), "samples lie on their curves")


def the_typical_and_the_worst():
    """Of all trajectories of a grid, of a selection, and of a design."""
    sweep = GRID.replace("substeps: {max_depth: 0}", "")
    for name, where in (("all", ""), ("some", ", where: {step: [0.01, 0.1, 1]}")):
        page = make(name, sweep.replace(", where: {omega: 1, step: 0.01}", where))
        with h5(name) as file:
            for label in ("explicit_euler", "rk4"):
                group = file[label]
                steps = range(20) if not where else [int(np.argmin(abs(group["step"][...] - s))) for s in (0.01, 0.1, 1)]
                found = [(group["energy_drift"][i, k], i, k) for i in steps for k in range(12)
                         if group["status"][i, k] == 1 and np.isfinite(group["energy_drift"][i, k])]
                found.sort()
                rows = [r for r in page.table("group", "trajectory", "metric") if r[0] == label]
                for row, word, (value, i, k) in zip(rows, ("typical", "worst"), (found[(len(found) - 1) // 2], found[-1])):
                    place = f"step = {group['step'][i]:.4g}, omega = {group['omega'][k]:.4g}"
                    check(row[1:] == [word, "energy_drift", value, place], f"{name} {label}: {row}, not {[word, value, place]}")
                check(len(rows) == 2, f"{name} {label}: {rows}")
    page = make("design", STUDY.replace("x_max]", "x_max]\ntrajectory: {samples: 9, fields: [x]}"))
    with h5("design") as file:
        group = file["rk4"]
        order = np.argsort(group["x_max"][...], kind="stable")
        for row, i in zip(page.table("group", "trajectory", "metric"), (order[(len(order) - 1) // 2], order[-1])):
            check(row[2:] == ["x_max", group["x_max"][i], ", ".join(f"{n} = {group[n][i]:.4g}" for n in ("omega", "x0", "v0"))], f"design: {row}")
    if shutil.which("gnuplot"):
        check("The typical and the worst trajectory of each group" in page.captions, f"pictures: {page.captions}")


def indices_of_a_design():
    page = make("study", STUDY)
    page_is_sound(page)
    rows = page.table("metric", "factor", "S1", "S1_conf", "ST", "ST_conf")
    expected = csv_rows("sensitivity", "study.h5")
    check(len(rows) == len(expected) == 6, f"{len(rows)} rows")
    for row, other in zip(rows, expected):
        check(row[:2] == [other["metric"], other["parameter"]] and np.allclose(row[2:], [float(other[n]) for n in ("S1", "S1_conf", "ST", "ST_conf")]),
              f"{row} beside {other}")
    if shutil.which("gnuplot"):
        _, data = picture(page, "Sensitivity indices")
        bars = {(s[0], data["labels"][s[4]].split(" ")[0] + data["labels"][s[4]].split(" ")[1]): s[1] for s in data["spots"]}
        wanted = {(p, f"{row[1]}:{name}"): row[k] for p, metric in enumerate(("x_final[0]", "x_max")) for row in rows if row[0] == metric for k, name in ((2, "S1"), (4, "ST"))}
        check(bars.keys() == wanted.keys() and all(np.isclose(bars[k], wanted[k]) for k in wanted), f"bars: {bars}, not {wanted}")
    check(page.captions == ["Sensitivity indices", "Outputs over each factor, with conditional means"] or not shutil.which("gnuplot"), "the picture of indices")
    place = [r for r in page.table("metric", "group") if r[0] == "x_max"][0]
    final = [r for r in page.table("metric", "group") if r[0].split(" ")[0] == "x_final[0]"][0]
    with h5("study") as file:
        group = file["rk4"]
        number = group["x_final"][..., 0]
        check(np.allclose(final[3:9], [number.min(), *np.quantile(number, [0.25, 0.5, 0.75]), number.max(), number.mean()]), f"a number per degree of freedom: {final}")
        at = np.argmax(group["x_max"][...])
        check(place[9] == ", ".join(f"{n} = {group[n][at]:.4g}" for n in ("omega", "x0", "v0")), f"the greatest of a design: {place[9]}")


def failures_of_a_design():
    sweep = STUDY.replace("[0.5, 2]", "[0.5, 200]").replace("step: 0.05\nsteps: 60", "step: 0.05\nsteps: 2000\nsubsteps: {max_depth: 0}")
    page = make("overflow", sweep)
    with h5("overflow") as file:
        omega, status = file["rk4/omega"][...], file["rk4/status"][...]
    rows = [r for r in page.table("group", "axis", "value") if r[1] == "omega"]
    part = np.minimum((omega - omega.min()) / (omega.max() - omega.min()) * 8, 7).astype(int)
    check([r[3:5] for r in rows] == [[np.sum(part == k), np.sum(status[part == k] != 1)] for k in range(8)], f"failures over a factor: {rows}")
    check(0 < sum(r[4] for r in rows) < len(status), "some points failed")


def other_files():
    page = make("point", "problem: pendulum\nmethods: [rk4]\nstep: 0.1\nend: 1\n")
    page_is_sound(page)
    check(page.headings[0] != "" and page.table("group", "method")[0][3:] == [1, 1, 0], "one point")
    page = make("double", "problem: double_pendulum\nmethods: [rk4]\nstep: {linear: [0.01, 0.1, 5]}\nsteps: 20\nmetrics: [x_final, x_max]\n")
    with h5("double") as file:
        for i in range(2):
            row = [r for r in page.table("metric", "group") if r[0].split(" ")[0] == f"x_final[{i}]"][0]
            number = file["rk4/x_final"][..., i]
            check(np.allclose([row[3], row[7], row[8]], [number.min(), number.max(), number.mean()]), f"x_final[{i}]: {row}")
    page = make("line", GRID.replace("{log: [0.01, 1, 20]}", "0.01").replace(", step: 0.01}", "}"))
    check("x_max" in page.captions or not shutil.which("gnuplot"), "curves of one axis")
    if not shutil.which("gnuplot"):
        return
    svg, data = picture(page, "x_max")
    with h5("line") as file:
        for label in ("explicit_euler", "rk4"):
            fine = file[label]["status"][...] == 1
            wanted = list(zip(file[label]["omega"][...][fine], file[label]["x_max"][...][fine]))
            spots = [s[1:3] for s in data["spots"] if data["labels"][s[4]] == label]
            check(len(spots) == len(wanted) > 0 and np.allclose(spots, wanted), f"points of the curve of {label}")
    check(lies_on_curves(svg, data), "points lie on their curves")
    square = "problem: harmonic_oscillator\nparameters: {{omega: {{linear: [1, 2, {}]}}}}\nmethods: [rk4]\nstep: {{log: [0.01, 0.1, 64]}}\nsteps: 10\nmetrics: [x_max]\n"
    for count, kept in ((256, 256 * 64), (257, 257 * 64), (4096, 2 ** 18), (4097, 0)):
        page = make(f"square{count}", square.format(count))
        maps = picture(page, "x_max")[1].get("maps", [])
        check(sum(len(each["cells"]) for each in maps) == kept, f"a map of 64 x {count} cells")
        if count == 257:
            points_of_maps("square257", picture(page, "x_max")[1])
    line = "problem: harmonic_oscillator\nparameters: {{omega: {{linear: [1, 2, {}]}}}}\nmethods: [rk4]\nstep: 0.01\nsteps: 10\nmetrics: [x_max]\n"
    for count, kept in ((4096, 4096), (4097, 0)):
        page = make(f"line{count}", line.format(count))
        check(len(picture(page, "x_max")[1]["spots"]) == kept, f"a curve of {count} points")


def conformance_is_shown():
    pendula("conform", "study.yaml", "-d", "native", "--lanes", 1, "--sample", 4, "--json", "conform.json")
    pendula("report", "study.h5", "--conform", "conform.json", "-o", "conform.html")
    row = Page((folder / "conform.html").read_text()).table("group", "result")[0]
    check(row[:3] == ["rk4", "conforms", 4] and row[3] == row[4] > 0 and row[5] == row[6] > 0, f"conformance: {row}")
    message = answer("report", "study.h5", "--conform", "study.yaml", "-o", "no.html", code=4)
    check("not a report of `pendula conform --json`" in message, message)
    check(not (folder / "no.html").exists(), "nothing is written where the report cannot be made")


def the_same_bytes_and_nothing_lost():
    before = (folder / "grid.html").read_bytes()
    message = answer("report", "grid.h5", code=3)
    check("--force" in message and (folder / "grid.html").read_bytes() == before, message)
    pendula("report", "grid.h5", "--force")
    check((folder / "grid.html").read_bytes() == before, "the same bytes twice")
    check(answer("report", "grid.h5", "-o", "-").encode() == before, "the same on standard output")
    pendula("report", "grid.h5", "-o", "grid.h5", "--force", code=3)
    pendula("report", "grid.yaml", code=4)
    pendula("report", "absent.h5", code=3)
    check(sorted(p.name for p in folder.iterdir() if p.name.startswith(".pendula")) == [], "no folder is left")


def without_gnuplot():
    tools = folder / "bin"
    tools.mkdir()
    done = pendula("report", "grid.h5", "-o", "bare.html", PATH=tools)
    page = Page((folder / "bare.html").read_text())
    check("a picture is missing: gnuplot is not installed" in done.err and re.search(r"^[2-9] pictures are missing", done.err, re.M), f"exit {done.code}: {done.err}")
    check(page.pictures == 0 and sum("gnuplot is not installed" in c for c in page.captions) == 5, f"captions say why: {page.captions}")
    check(len(page.table("metric", "group")) == 6, "all else is there")


def an_unfinished_run():
    """A group of which the first half is not computed."""
    status = {label: read("grid", f"{label}/status") for label in ("explicit_euler", "rk4")}
    status["explicit_euler"][:10] = 0
    change("grid", "part", {place_of("grid", "journal/block_done"): bytes(1), place_of("grid", "explicit_euler/status"): bytes(120)})
    pendula("report", "part.h5")
    page = Page((folder / "part.html").read_text())
    page_is_sound(page)
    check("The run is not complete: 1 of 2 blocks are computed" in page.text, "an unfinished run says so")
    ok, failed = sum(np.sum(s == 1) for s in status.values()), sum(np.sum(s > 1) for s in status.values())
    check(f"{ok} ok, {failed} failed ({100 * failed / 360:.3g} % of those computed), 120 not computed yet" in page.text, "what is not computed did not fail")
    for label, s in status.items():
        row = [r for r in page.table("group", "method") if r[0] == label][0]
        check(row[3:] == [240, np.sum(s == 1), np.sum(s > 1), np.sum(s == 0)], f"{label}: {row}")
        rows = [r for r in page.table("group", "axis", "value") if r[:2] == [label, "step"]]
        parts = [np.arange(20) * 8 // 20 == k for k in range(8)]
        check([r[3:5] for r in rows] == [[np.sum(s[p] != 0), np.sum(s[p] > 1)] for p in parts], f"{label}: failures over the step: {rows}")


def texts_of_strangers():
    evil = b"</title><script>alert(1)</script> \xff\xfe \" ' & \x01\x1b[31m \xe2\x80\xae id=\"a\" url(#b) href='http://x.example/' "
    label, metric = "</script>&\"<", "<b onload='e()'>x"
    before = (folder / "grid.h5").read_bytes()
    inner, ranges = split(before)
    check(inner + trailer(inner, ranges) == before, "a seal is made as the program makes it")
    (folder / "strange.h5").write_bytes(inner)
    kind = h5py.string_dtype("utf-8")
    with h5py.File(folder / "strange.h5", "r+", libver="latest") as file:
        for text in ("title", "problem", "precision", "version", "computed_by", "settings", "sweep", "overrides", "fingerprint"):
            file.attrs.create(text, evil, dtype=kind)
        file["rk4"].attrs.create("method", evil, dtype=kind)
        for variable in ("omega", "x_max", "x"):
            file["rk4"][variable].attrs.create("units", b"<i>&\"'\xff</script>" + "\u00e9".encode() * 70, dtype=kind)
        file.move("rk4/x_max", f"rk4/{metric}")
        file.move("rk4", label.replace("/", "\u2215"))
        # The metric is now the last of the group: the checksum of its block, which takes variables in that order, is another.
        names, group = [], file[label.replace("/", "\u2215")]
        group.id.links.iterate(names.append, idx_type=h5py.h5.INDEX_CRT_ORDER)
        variables = names[names.index(b"status"):]
        file["journal/block_crc32"][int(group.attrs["first_block"])] = zlib.crc32(b"".join(group[name][()].tobytes() for name in variables))
    seal(folder / "strange.h5", ranges)  # what a stranger may do
    pendula("report", "strange.h5")
    page = Page((folder / "strange.html").read_bytes().decode())
    page_is_sound(page)
    bare = re.sub(r"<svg.*?</svg>", "", page.text, flags=re.S)
    check(re.findall(r"<(?:script|img|i|b)\b[^>]*>", bare) == ['<script type="application/json">'] * page.pictures + ["<script>"], "elements of strangers")
    check(re.findall(r"<(?:script|img|i|b)\b[^>]*>", page.text) == re.findall(r"<(?:script|img|i|b)\b[^>]*>", bare), "elements of strangers in pictures")
    check(not set("\x01\x1b\u202e\ufffe") & set(bare), "characters of strangers")
    check("id=\"a\" url(#b)" in page.text or not shutil.which("gnuplot"), "the text of a picture is what it was")
    check(page.headings[0].startswith("</title><script>alert(1)</script> \\xff"), f"a title is text: {page.headings[0]}")
    check(label.replace("/", "\u2215") in [r[0] for r in page.table("group", "method")], "a label is text")
    check(any(r[0].startswith(metric) for r in page.table("metric", "group")), "the name of a metric is text")
    check(page.pictures == 6 or not shutil.which("gnuplot"), f"{page.pictures} pictures: {page.captions}")
    for text in page.scripts[:-1]:
        json.loads(text)


def many_points():
    """More points than are sorted: a choice that kept step with the last axis would meet one of its values only."""
    page = make("many", "problem: harmonic_oscillator\nparameters: {omega: {linear: [1, 1.5, 1048576]}, x0: [1, 100]}\nmethods: [rk4]\nstep: 0.1\nsteps: 2\nmetrics: [x_max]\n")
    row = [r for r in page.table("metric", "group") if r[0] == "x_max"][0]
    check(np.allclose([row[2], row[4], row[6], row[8]], [2 ** 21, 1, 100, 50.5], rtol=1e-6), f"quartiles of a choice: {row}")
    check("those of at most so many" in page.text, "a choice is said")
    page_is_sound(page)
    if shutil.which("gnuplot"):
        check("x_max" in page.captions and "not drawn" not in page.text and "<image" in page.text, f"a map of two million cells: {page.captions}")
        check('"maps"' not in page.text and len(page.text) < 2 ** 22, "of so many cells none is kept")
        check("img-src data:;" in page.text, "the policy allows images of the page's own")


need_compiler()
main(a_grid_with_failures, slices_of_maps, the_typical_and_the_worst, indices_of_a_design, failures_of_a_design, other_files, conformance_is_shown,
     the_same_bytes_and_nothing_lost, without_gnuplot, an_unfinished_run, texts_of_strangers, many_points, fine="all as it should be")
