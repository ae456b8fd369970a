# check_report_browser -- the page of `pendula report` in Chromium: what every page keeps, sorting, values, maps by pointer and by keys.
import math
import re
import shlex

from browser import Browser, kept
from checking import check, finish, folder, h5, need_compiler, need_program, pendula, run
from sweeps import OVERFLOWING

# Sorts a table by a column of numbers, twice, and by a column of words.
SORTED = """(() => {
const table = [...document.querySelectorAll("table")].find((t) => t.rows[0].cells[0].textContent === "metric");
const column = () => [...table.tBodies[0].rows].map((r) => Number(r.cells[7].dataset.v));
const heading = table.tHead.rows[0].cells[7], found = { before: column() };
heading.querySelector("button").click();
found.rising = [column(), heading.getAttribute("aria-sort")];
heading.querySelector("button").click();
found.falling = [column(), heading.getAttribute("aria-sort")];
table.tHead.rows[0].cells[0].querySelector("button").click();
found.words = [...table.tBodies[0].rows].map((r) => r.cells[0].textContent);
const style = getComputedStyle(document.body), label = document.querySelector("figure svg g[fill='black'] text");
found.colours = [style.backgroundColor, style.color, getComputedStyle(label).fill];
found.paper = getComputedStyle(document.querySelector("figure svg > g > rect")).fill;
return found;
})()"""

# Brings a picture into the window. Where it is, in pixels, and what it knows.
PICTURE = """(() => {
const figure = [...document.querySelectorAll("figure")].find((f) => f.querySelector("figcaption").textContent === %s);
figure.scrollIntoView({ block: "center", behavior: "instant" });
const svg = figure.querySelector("svg"), { left, top, width, height } = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
return { left, top, across: width / view.width, up: height / view.height, ...JSON.parse(figure.querySelector("script").textContent) };
})()"""

# What a picture says under the pointer, and below it of the chosen point; its button.
SAID = """(() => {
const figure = [...document.querySelectorAll("figure")].find((f) => f.querySelector("figcaption").textContent === %s);
const box = figure.querySelector(".value"), said = figure.querySelector(".chosen p"), code = figure.querySelector(".chosen code");
const button = figure.querySelector(".chosen button"), mark = figure.querySelector("circle.mark"), place = button && button.getBoundingClientRect();
return { shown: getComputedStyle(box).display, box: box.textContent, chosen: said && said.textContent, line: code && code.textContent,
  button: button && [place.left + place.width / 2, place.top + place.height / 2, button.textContent], mark: mark && [mark.getAttribute("cx"), mark.getAttribute("cy")] };
})()"""


def part(axis, value):
    """Where a value lies along an axis, from 0 to 1."""
    low, high = axis["low"], axis["high"]
    return math.log(value / low) / math.log(high / low) if axis["log"] else (value - low) / (high - low)


class Picture:
    """A picture of the page that is open."""

    def __init__(self, browser, caption):
        self.browser, self.caption = browser, f'"{caption}"'
        self.data = browser.evaluate(PICTURE % self.caption)

    def place(self, number, x, y):
        """The pixel of the window at these values of a panel's axes."""
        panel = self.data["panels"][number]
        left, top, width, height = panel["box"]
        return (self.data["left"] + self.data["across"] * (left + width * part(panel["x"], x)),
                self.data["top"] + self.data["up"] * (top + height * (1 - part(panel["y"], y))))

    def said(self):
        return self.browser.evaluate(SAID % self.caption)


def brightness(colour):
    return sum(float(n) for n in re.findall(r"[\d.]+", colour)[:3]) / 765


def tables_and_colours(browser, width, dark):
    name = f"{width} pixels, {'dark' if dark else 'light'}"
    found = browser.evaluate(SORTED)
    paper, ink, label = map(brightness, found["colours"])
    check(paper < 0.2 and ink > 0.8 and label > 0.8 if dark else paper > 0.9 and ink < 0.2 and label < 0.2, f"{name}: {found['colours']}")
    check(found["paper"].endswith(", 0)"), f"{name}: pictures lie on the page: {found['paper']}")
    check(found["before"] != sorted(found["before"]), f"{name}: nothing to sort")
    check(found["rising"] == [sorted(found["before"]), "ascending"], f"{name}: {found['rising']}")
    check(found["falling"] == [sorted(found["before"], reverse=True), "descending"], f"{name}: {found['falling']}")
    check(found["words"] == sorted(found["words"]) and len(set(found["words"])) == 2, f"{name}: {found['words']}")


def number_text(value, digits):
    """A number as scripts print it."""
    value = float(f"{value:.{digits}g}")
    return f"{value:.0f}" if value == int(value) and abs(value) < 1e21 else repr(value) if 1e-6 <= abs(value) < 1e16 else re.sub("e([+-])0?", r"e\1", repr(value))


def told(file, group, i, k, name="x_max"):
    """What a map says of the point at step i and omega k."""
    status, number = file[group]["status"][i, k], file[group][name][i, k]
    shown = {0: "not_run", 1: number_text(number, 6)}.get(status)
    return [f"step [s]: {number_text(file[group]['step'][i], 4)}", f"omega [rad/s]: {number_text(file[group]['omega'][k], 4)}", f"{name}: {shown}"]


def a_map(browser, name, sweep_name):
    """Under the pointer, by a click, by keys: axis values, number, the line, and what that line runs."""
    with h5(sweep_name) as file:
        picture = Picture(browser, "x_max")
        groups = [each["group"] for each in picture.data["maps"]]
        for number, i, k in ((1, 0, 0), (1, 3, 5), (0, 2, 1)):
            group = groups[number]
            browser.point(*picture.place(number, file[group]["step"][i], file[group]["omega"][k]))
            said = picture.said()
            check(said["shown"] == "block" and said["box"].splitlines() == told(file, group, i, k), f"{name}: {said['box']!r}, not {told(file, group, i, k)}")
        browser.point(picture.data["left"] + 2, picture.data["top"] + 2)
        check(picture.said()["shown"] == "none", f"{name}: beside a panel nothing is shown")
        columns, group = file["rk4"]["status"].shape[1], "rk4"
        number = groups.index(group)
        browser.point(*picture.place(number, file[group]["step"][3], file[group]["omega"][5]), click=True)
        chosen(name, picture.said(), file, group, 3, 5, columns)
        for key, i, k in (("ArrowRight", 4, 5), ("ArrowUp", 4, 6), ("ArrowLeft", 3, 6), ("ArrowDown", 3, 5)):
            browser.evaluate(f"[...document.querySelectorAll('figure')].find((f) => f.querySelector('figcaption').textContent === 'x_max').querySelector('svg').focus({{ preventScroll: true }})")
            browser.press(key)
            chosen(f"{name}, {key}", picture.said(), file, group, i, k, columns)
        said = picture.said()
        left, top, width, height = picture.data["panels"][number]["box"]
        panel = picture.data["panels"][number]
        wanted = [left + width * part(panel["x"], file[group]["step"][3]), top + height * (1 - part(panel["y"], file[group]["omega"][5]))]
        check(all(abs(float(a) - b) < 0.01 for a, b in zip(said["mark"], wanted)), f"{name}: the mark is at {said['mark']}, not {wanted}")
        return said


def chosen(name, said, file, group, i, k, columns):
    check(said["chosen"] == ", ".join([group, *told(file, group, i, k)]), f"{name}: {said['chosen']}")
    check(said["line"] == f"pendula replay {file.filename.rsplit('/', 1)[-1]} --group {group} --point {i * columns + k}", f"{name}: {said['line']}")


def copied(browser, said):
    """The button copies the line, and the line runs that point."""
    browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    x, y, word = said["button"]
    browser.evaluate("scrollTo(0, scrollY)")
    browser.point(x, y, click=True)
    browser.evaluate("new Promise((done) => setTimeout(done, 300))")
    text = browser.evaluate("navigator.clipboard.readText()")
    check(word == "Copy" and text == said["line"], f"copied: {text!r}")
    done = pendula(*said["line"].split()[1:])
    place = re.search(r"^at +(.*)$", done.out, re.M)
    check("rk4" in done.out and place is not None, f"replay: {done.out[:300]}")
    return place.group(1) if place else ""


def curves(browser, name):
    """A sample of a trajectory under the pointer."""
    picture = Picture(browser, "Stored trajectories")
    number, time, x, _, label = picture.data["spots"][-1]
    across, down = picture.place(number, time, x)
    browser.point(across - 1, down)
    text = picture.said()["box"]
    wanted = [picture.data["labels"][label], f"time [s]: {float(f'{time:.4g}'):g}", f"x [m]: {float(f'{x:.4g}'):g}"]
    check(text.splitlines() == wanted, f"{name}: {text!r}, not {wanted}")
    check(picture.said()["chosen"] is None, f"{name}: only maps give points to choose")


def by_keys(browser):
    """Tab comes to links, headings of tables, pictures that can be moved in, and shows where it is."""
    found = browser.focused(40)
    kinds = {what.split(" ")[0] for what, _ in found}
    check({"a", "button", "div", "svg"} <= kinds and all(outlined for _, outlined in found), f"Tab comes to {found}")


def many_points(browser):
    """A map of 300 x 300 points is drawn in pixels, and still says each point."""
    run("many", "problem: harmonic_oscillator\nparameters: {omega: {linear: [0.5, 2, 300]}}\nmethods: [rk4]\nstep: {log: [0.01, 0.1, 300]}\n"
        "steps: 20\nmetrics: [status, x_max]\n", device="native")
    pendula("report", "many.h5")
    kept(browser, folder / "many.html", 1280, False)
    picture = Picture(browser, "x_max")
    with h5("many") as file:
        for i, k in ((0, 0), (150, 37), (299, 299)):
            x, y = picture.place(0, file["rk4"]["step"][i], file["rk4"]["omega"][k])
            browser.point(x, y, click=True)
            said = picture.said()
            check(said["box"].splitlines() == told(file, "rk4", i, k), f"300 x 300: {said['box']!r}, not {told(file, 'rk4', i, k)}")
            chosen("300 x 300", said, file, "rk4", i, k, 300)


def a_name_with_spaces(browser):
    """A shell takes the line as it stands, whatever the file is called. Page Down goes to the next group, whose map is a strip."""
    run("it's a name", "problem: pendulum\nparameters: {x0: [0.5, 1, 2]}\nmethods: [{label: other, theta2: {theta: [0.1, 0.9]}}, rk4]\n"
        "step: 0.1\nsteps: 20\nmetrics: [status, energy_drift]\n", device="native")
    pendula("report", "it's a name.h5")
    browser.open(folder / "it's a name.html")
    picture = Picture(browser, "energy_drift")
    browser.evaluate("document.querySelector('figure svg').focus()")
    for keys, group, point in ((["ArrowUp", "ArrowRight"], "other", 4), (["PageDown", "ArrowRight"], "rk4", 2)):
        for key in keys:
            browser.press(key)
        line = picture.said()["line"]
        words = ["pendula", "replay", "it's a name.h5", "--group", group, "--point", str(point)]
        check(shlex.split(line) == words, f"a shell makes {shlex.split(line)} of {line}, not {words}")


def other_pages(browser):
    """A random design with indices, trajectories and certificates; curves of one axis."""
    run("study", "problem: harmonic_oscillator\nparameters: {omega: {uniform: [0.5, 2]}, x0: {normal: [1, 0.1]}, v0: {uniform: [0, 1]}}\nmethods: [rk4]\n"
        "step: 0.05\nsteps: 60\nmetrics: [status, x_final, x_max]\ntrajectory: {samples: 9, fields: [x]}\ndesign: {saltelli: {samples: 64}}\n", device="native")
    pendula("conform", "study.yaml", "-d", "native", "--lanes", 1, "--sample", 4, "--json", "conform.json")
    pendula("report", "study.h5", "--conform", "conform.json")
    run("line", OVERFLOWING.replace("{log: [0.01, 1, 20]}", "0.01").replace(", step: 0.01}", "}"), device="native")
    pendula("report", "line.h5")
    for name, least in (("study.html", 3), ("line.html", 2)):
        for width, dark in ((360, True), (1280, False)):
            found = kept(browser, folder / name, width, dark)
            check(found["pictures"] >= least, f"{name}: {found['pictures']} pictures")


need_program("gnuplot")
need_compiler()
run("page", "title: Page\n" + OVERFLOWING, device="native")
pendula("report", "page.h5")
with Browser() as browser:
    for width, dark in ((1280, False), (1280, True), (360, False), (360, True)):
        kept(browser, folder / "page.html", width, dark)
        tables_and_colours(browser, width, dark)
        if width == 1280:
            curves(browser, f"{width} {dark}")
            said = a_map(browser, f"{width} {dark}", "page")
    browser.open(folder / "page.html")
    picture = Picture(browser, "x_max")
    with h5("page") as file:
        browser.point(*picture.place([each["group"] for each in picture.data["maps"]].index("rk4"), file["rk4"]["step"][3], file["rk4"]["omega"][5]), click=True)
        place = copied(browser, picture.said())
        wanted = f"step = {file['rk4']['step'][3]:.4g}, omega = {file['rk4']['omega'][5]:.4g}"
        numbers = [float(n) for n in re.findall(r"= ([-\d.e+]+)", place)]
        check(numbers and all(abs(a - b) < 1e-3 * abs(b) for a, b in zip(numbers, (file["rk4"]["step"][3], file["rk4"]["omega"][5]))), f"replay is at {place}, not {wanted}")
    browser.open(folder / "page.html")
    by_keys(browser)
    many_points(browser)
    other_pages(browser)
    a_name_with_spaces(browser)
finish("all as it should be")
