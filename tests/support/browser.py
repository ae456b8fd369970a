# browser -- Chromium without a window, driven by its DevTools protocol over two pipes, and what every page must keep there.
import json
import os
import pathlib
import select
import shutil
import subprocess
import time

from checking import check, folder, skip

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
KEYS = {"Tab": 9, "Enter": 13, "PageUp": 33, "PageDown": 34, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

# What a page shows that a reader cannot read, move or see: text whose contrast with what lies under it is below 4.5 (WCAG 2.1, 1.4.3),
# parts wider than the window, boxes that only a pointer can scroll, pictures without a mark.
FINDINGS = """(() => {
const seen = (e) => { const r = e.getBoundingClientRect(), s = getComputedStyle(e); return r.width > 0 && r.height > 0 && s.visibility !== "hidden"; };
const numbers = (colour) => { const n = (colour.match(/[\\d.]+/g) || []).map(Number); return n.length === 3 ? [...n, 1] : n; };
const over = (top, under) => [0, 1, 2].map((i) => top[3] * top[i] + (1 - top[3]) * under[i]);
const bright = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const ground = (e) => { const stack = [];
  for (let at = e; at; at = at.parentElement) { const c = numbers(getComputedStyle(at).backgroundColor); if (c.length === 4 && c[3] > 0) { stack.push(c); if (c[3] === 1) break; } }
  return stack.reverse().reduce((under, top) => over(top, under), [255, 255, 255]); };
const name = (e) => `${e.tagName.toLowerCase()} "${e.textContent.trim().slice(0, 30)}"`;
const found = { contrast: [], wide: [], stuck: [], empty: [], texts: 0 };
for (const e of document.querySelectorAll("body *")) {
  if (["SCRIPT", "STYLE", "NOSCRIPT"].includes(e.tagName) || e.closest("noscript") || !seen(e)) continue;
  if ([...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) {
    const under = ground(e), style = getComputedStyle(e), c = numbers(e.ownerSVGElement ? style.fill : style.color);
    const [a, b] = [bright(over(c.length === 4 ? c : [...c, 1], under)), bright(under)], ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    ++found.texts;
    if (ratio < 4.5) found.contrast.push(`${name(e)} ${ratio.toFixed(2)}`);
  }
  const style = getComputedStyle(e), scrolls = ["auto", "scroll"].includes(style.overflowX) && e.scrollWidth > e.clientWidth + 1;
  if (scrolls && e.tabIndex < 0) found.stuck.push(name(e));
  if (e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !e.ownerSVGElement) {
    let box = e.parentElement;
    while (box && !["auto", "scroll", "hidden"].includes(getComputedStyle(box).overflowX)) box = box.parentElement;
    if (!box) found.wide.push(name(e));
  }
  if (e.tagName === "IMG" && !(e.complete && e.naturalWidth > 0)) found.empty.push(`img ${e.getAttribute("src")}`);
  if (e.tagName.toLowerCase() === "svg" && !e.querySelector("path, polygon, polyline, circle, rect, image, use")) found.empty.push("svg");
}
found.scroll = document.documentElement.scrollWidth - document.documentElement.clientWidth;
found.pictures = document.querySelectorAll("img, svg[role=img]").length;
found.tables = document.querySelectorAll("table").length;
return found;
})()"""


class Browser:
    """A page in a window of its own size. What it says and asks for is kept in `said` and `asked`."""

    def __init__(self):
        if not PROGRAM:
            skip("Chromium (Debian: chromium) is not installed")
        ours_out, its_in = os.pipe()[::-1]
        its_out, ours_in = os.pipe()[::-1]

        def places():  # the browser reads from 3 and writes to 4
            for number, end in ((5, its_in), (6, its_out)):
                os.dup2(end, number + 20)
            os.dup2(25, 3)
            os.dup2(26, 4)

        self.child = subprocess.Popen([PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
                                       "--disable-background-networking", f"--user-data-dir={folder}/profile", "about:blank"],
                                      preexec_fn=places, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(its_in)
        os.close(its_out)
        self.read, self.write = ours_in, ours_out
        self.number, self.rest, self.said, self.asked, self.session, self.loaded = 0, b"", [], [], None, False
        page = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *why):
        os.close(self.write)  # it ends with its pipe
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()

    def call(self, method, **parameters):
        """The result of a method; events that come before are taken in."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters, **({"sessionId": self.session} if self.session else {})}
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next(60)
            if answer is None:
                raise SystemExit(f"Chromium does not answer {method}")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"Chromium refuses {method}: {answer['error']}")
                return answer["result"]

    def next(self, seconds):
        """The next message; None where none comes."""
        end = time.monotonic() + seconds
        while b"\0" not in self.rest:
            if not select.select([self.read], [], [], max(0, end - time.monotonic()))[0]:
                return None
            piece = os.read(self.read, 1 << 20)
            if not piece:
                return None
            self.rest += piece
        text, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(text)
        self.take(message.get("method"), message.get("params", {}))
        return message

    def take(self, event, values):
        if event == "Runtime.consoleAPICalled":
            self.said.append(str([each.get("value", each.get("description")) for each in values["args"]]))
        elif event == "Runtime.exceptionThrown":
            self.said.append(str(values["exceptionDetails"].get("exception", values["exceptionDetails"]).get("description", values)))
        elif event == "Log.entryAdded":
            self.said.append(values["entry"]["text"])
        elif event == "Network.requestWillBeSent":
            self.asked.append(values["request"]["url"])
        elif event == "Page.loadEventFired":
            self.loaded = True

    def open(self, path, width=1280, dark=False, query=""):
        """Opens a file in a window of that width, and waits until it is loaded and quiet."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.said, self.asked, self.loaded = [], [], False
        self.call("Page.navigate", url=pathlib.Path(path).as_uri() + query)
        end = time.monotonic() + 60
        while not self.loaded and time.monotonic() < end:
            self.next(1)
        check(self.loaded, f"{path}: it does not load")
        while self.next(0.05):
            pass

    def evaluate(self, text):
        """The value of an expression in the page, as JSON has it."""
        done = self.call("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            check(False, f"in the page: {done['exceptionDetails'].get('exception', {}).get('description')}")
            return None
        return done["result"].get("value")

    def press(self, key):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEYS[key])

    def point(self, x, y, click=False):
        """Moves the pointer there, in pixels of the window."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased") if click else ():
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def named(self, *roles):
        """The names of the page's parts of these roles, for who hears it."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [node.get("name", {}).get("value", "") for node in nodes if not node.get("ignored") and node.get("role", {}).get("value") in roles]

    def focused(self, presses):
        """The elements that Tab comes to, and whether each shows it: [what it is, outlined]."""
        found = []
        for _ in range(presses):
            self.press("Tab")
            found.append(self.evaluate("""(() => { const e = document.activeElement, s = getComputedStyle(e);
                return [e.tagName.toLowerCase() + " " + (e.getAttribute("aria-label") || e.textContent).trim().slice(0, 40), s.outlineStyle !== "none" && s.outlineWidth !== "0px"]; })()"""))
        return found


def kept(browser, path, width, dark, query=""):
    """What every page keeps: it says nothing, asks for nothing but files, can be read and moved in, and its pictures and tables have names.
    Returns what was found."""
    browser.open(path, width, dark, query)
    name = f"{pathlib.Path(path).name}, {width} pixels, {'dark' if dark else 'light'}"
    found = browser.evaluate(FINDINGS)
    check(browser.said == [], f"{name}: the console is empty: {browser.said[:3]}")
    away = [url[:80] for url in browser.asked if not url.startswith(("file:", "data:"))]
    check(away == [] and browser.asked, f"{name}: asks for {away[:3]}")
    check(found["texts"] > 0 and found["contrast"] == [], f"{name}: of {found['texts']} texts too pale are {found['contrast'][:5]}")
    check(found["scroll"] <= 0 and found["wide"] == [], f"{name}: wider than the window by {found['scroll']}: {found['wide'][:5]}")
    check(found["stuck"] == [], f"{name}: cannot be moved by keys: {found['stuck'][:5]}")
    check(found["empty"] == [], f"{name}: not drawn: {found['empty'][:5]}")
    pictures, tables = browser.named("image", "img"), browser.named("table")
    check(len(pictures) >= found["pictures"] and all(pictures), f"{name}: {found['pictures']} pictures have the names {pictures}")
    check(len(tables) >= found["tables"] and all(tables), f"{name}: {found['tables']} tables have the names {tables}")
    return found
