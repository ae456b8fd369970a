# check_report_browser -- the page of `pendula report` in headless Chromium: no error, no overflow, sorting, values, light and dark.
import html
import json
import re
import shutil

from checking import check, execute, finish, folder, need_compiler, need_program, pendula, run, skip, write
from sweeps import OVERFLOWING

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

# Run in a copy of the page whose policy is taken away, in a frame: a window is never as narrow as a telephone. What it finds becomes the
# text of an element of the page around it.
AROUND = """<!DOCTYPE html><iframe src="probe.html" style="border: 0; width: {width}px; height: 900px"></iframe>
<pre id="found"></pre><script>onmessage = (event) => {{ document.getElementById("found").textContent = event.data; }};</script>"""
PROBE = """{
const found = { errors: window.problems };
found.overflow = [...document.querySelectorAll("body *")].filter((e) => e.tagName !== "SCRIPT" && !e.closest(".scroll, figure, pre") &&
  e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((e) => e.tagName);
found.scroll = document.documentElement.scrollWidth - document.documentElement.clientWidth;
const style = getComputedStyle(document.body);
found.colours = [style.backgroundColor, style.color];
const label = document.querySelector("figure svg g[fill='black'] text");
found.ink = getComputedStyle(label).fill;
found.paper = getComputedStyle(document.querySelector("figure svg > g > rect")).fill;
const table = [...document.querySelectorAll("table")].find((t) => t.rows[0].cells[0].textContent === "metric");
const column = () => [...table.tBodies[0].rows].map((r) => Number(r.cells[7].dataset.v));
const button = table.tHead.rows[0].cells[7].querySelector("button");
found.before = column();
button.click();
found.rising = [column(), table.tHead.rows[0].cells[7].getAttribute("aria-sort")];
button.click();
found.falling = [column(), table.tHead.rows[0].cells[7].getAttribute("aria-sort")];
const words = table.tHead.rows[0].cells[0].querySelector("button");
words.click();
found.words = [...table.tBodies[0].rows].map((r) => r.cells[0].textContent);
const figure = [...document.querySelectorAll("figure")].find((f) => f.textContent.includes('"name":"x_max"'));
const svg = figure.querySelector("svg"), place = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
const data = JSON.parse(figure.querySelector("script").textContent), panel = data.panels[1];
const [left, top, width, height] = panel.box;
const point = (x, y) => svg.dispatchEvent(new PointerEvent("pointermove", { bubbles: true,
  clientX: place.left + x / view.width * place.width, clientY: place.top + y / view.height * place.height }));
point(left + 3, top + height - 3);
const box = figure.querySelector(".value");
found.value = [getComputedStyle(box).display, box.textContent];
point(left - 40, top);
found.outside = getComputedStyle(box).display;
const curves = [...document.querySelectorAll("figure")].find((f) => f.textContent.includes("Stored trajectories"));
const drawn = curves.querySelector("svg"), frame = drawn.getBoundingClientRect(), lines = JSON.parse(curves.querySelector("script").textContent);
const spot = lines.spots[lines.spots.length - 1], { box: [l, t, w, h], x: across, y: up } = lines.panels[spot[0]];
drawn.dispatchEvent(new PointerEvent("pointermove", { bubbles: true,
  clientX: frame.left + (l + (spot[1] - across.low) / (across.high - across.low) * w - 2) / drawn.viewBox.baseVal.width * frame.width,
  clientY: frame.top + (t + h - (spot[2] - up.low) / (up.high - up.low) * h) / drawn.viewBox.baseVal.height * frame.height }));
found.sample = [curves.querySelector(".value").textContent, lines.labels[spot[4]], spot[1], spot[2]];
found.first = data.spots.filter((s) => s[0] === 1)[0];
parent.postMessage(JSON.stringify(found), "*");
}
"""


def browse(page, *options):
    """What the page is when its scripts have run, and what the browser said."""
    done = execute([CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr", f"--user-data-dir={folder}/profile",
                    "--window-size=1400,1000", "--virtual-time-budget=5000", *options, "--dump-dom", (folder / page).as_uri()], seconds=120)
    return done.out, [line for line in done.err.splitlines() if "CONSOLE" in line]


def probe(text, width, dark):
    """The page itself must be silent; then the same with the probe."""
    scheme = ["--blink-settings=preferredColorScheme=0"] if dark else []
    dom, console = browse("page.html", *scheme)
    check(console == [], f"the console is empty: {console}")
    check(dom.count("<button>") > 10, "the page's own script has run")
    copy = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "<script>window.problems = []; window.onerror = (m) => { window.problems.push(m); };</script>", text)
    write("probe.html", copy.replace("</body>", f"<script>{PROBE}</script></body>"))
    write("around.html", AROUND.format(width=width))
    dom, console = browse("around.html", *scheme)
    found = re.search(r'<pre id="found">(.+?)</pre>', dom, re.S)
    check(found is not None, f"the probe ends: {console}")
    return json.loads(html.unescape(found.group(1))) if found else None


def brightness(colour):
    return sum(float(n) for n in re.findall(r"[\d.]+", colour)[:3]) / 765


def check_found(found, width, dark):
    name = f"{width} pixels, {'dark' if dark else 'light'}"
    check(found["errors"] == [], f"{name}: {found['errors']}")
    check(found["overflow"] == [] and found["scroll"] <= 0, f"{name}: too wide by {found['scroll']}: {found['overflow'][:5]}")
    paper, ink = map(brightness, found["colours"])
    check(paper < 0.2 and ink > 0.8 if dark else paper > 0.9 and ink < 0.2, f"{name}: {found['colours']}")
    check(brightness(found["ink"]) > 0.8 if dark else brightness(found["ink"]) < 0.2, f"{name}: ink of pictures {found['ink']}")
    check(found["paper"].endswith(", 0)"), f"{name}: pictures lie on the page: {found['paper']}")
    check(found["before"] != sorted(found["before"]), f"{name}: nothing to sort")
    check(found["rising"] == [sorted(found["before"]), "ascending"], f"{name}: {found['rising']}")
    check(found["falling"] == [sorted(found["before"], reverse=True), "descending"], f"{name}: {found['falling']}")
    check(found["words"] == sorted(found["words"]) and len(set(found["words"])) == 2, f"{name}: {found['words']}")
    display, text = found["value"]
    _, x, y, value = found["first"]
    check(display == "block" and text.splitlines() == [f"step [s]: {x:g}", f"omega [rad/s]: {y:g}", f"x_max: {float(f'{value:.4g}'):g}"], f"{name}: {found['value']}")
    text, label, time, x = found["sample"]
    check(text.splitlines() == [label, f"time [s]: {float(f'{time:.4g}'):g}", f"x [m]: {float(f'{x:.4g}'):g}"], f"{name}: {found['sample']}")
    check(found["outside"] == "none", f"{name}: beside the panel {found['outside']}")


if not CHROMIUM:
    skip("Chromium (Debian: chromium) is not installed")
need_program("gnuplot")
need_compiler()
run("page", "title: Page\n" + OVERFLOWING, device="native")
pendula("report", "page.h5")
text = (folder / "page.html").read_text()
for width in (1280, 390):
    for dark in (False, True):
        found = probe(text, width, dark)
        if found:
            check_found(found, width, dark)
finish("all as it should be")
