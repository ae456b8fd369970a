# check_site_browser -- every page of the site in Chromium: silent, readable on a telephone and in the dark; its search finds pages.
import importlib.util
import sys

from browser import Browser, FINDINGS, kept
from checking import check, execute, finish, folder, ROOT, skip, write

SITE = folder / "site"
LARGE = ("docs/index.html", "docs/gallery.html", "docs/methods.html", "docs/commands.html", "host/pendula.h.html", "docs/results/PEERS.html")


def every_page(browser):
    pictures = 0
    for path in sorted(SITE.rglob("*.html")):
        if path != SITE / "index.html":
            pictures += kept(browser, path, 360, True)["pictures"]
    check(pictures >= 10, f"{pictures} pictures")
    for name in LARGE:
        for width, dark in ((360, False), (1280, False), (1280, True)):
            kept(browser, SITE / name, width, dark)


FAULTY = """<!DOCTYPE html><title>Faults</title><script>console.log("said"); fetch("http://elsewhere.invalid/").catch(() => {});</script>
<p style="color: #aaa; background: #fff">pale</p><div style="overflow-x: auto; width: 100px"><div style="width: 200px">stuck</div></div>
<div style="width: 3000px">wide</div><img src="gone.png"><table><tr><td>a</td></tr></table><svg role="img" width="9" height="9"></svg>"""


def what_is_wrong_is_found(browser):
    browser.open(folder / write("faulty.html", FAULTY), 360)
    found = browser.evaluate(FINDINGS)
    check(any("pale" in each for each in found["contrast"]), f"pale text: {found['contrast']}")
    check(found["scroll"] > 0 and any("wide" in each for each in found["wide"]), f"too wide: {found['scroll']} {found['wide']}")
    check(found["empty"] == ["img gone.png", "svg"], f"pictures that are not drawn: {found['empty']}")
    check(any("said" in each for each in browser.said), f"the console: {browser.said}")
    check("http://elsewhere.invalid/" in browser.asked, f"requests: {browser.asked}")
    check(not all(browser.named("image", "img")) and len(browser.named("image", "img")) == 2, "pictures without a name")


def the_first_page(browser):
    browser.open(SITE / "index.html")
    browser.evaluate("new Promise((done) => setTimeout(done, 500))")
    check(browser.evaluate("location.pathname").endswith("docs/index.html"), "the site begins at its first page")


def the_search(browser):
    for words, page in (("rho_inf", "methods.html"), ("pendula_sweep_run", "pendula.h.html"), ("exit codes", "commands.html")):
        found = kept(browser, SITE / "search.html", 360, True, f"?q={words.replace(' ', '+')}")
        browser.evaluate("new Promise((done) => setTimeout(done, 1500))")
        links = browser.evaluate("[...document.querySelectorAll('#search-results a')].map((a) => a.href)")
        check(found and any(page in link for link in links), f"the search for '{words}' finds {links[:5]}")
        check(browser.said == [], f"the search for '{words}' says {browser.said[:3]}")
        check(all(url.startswith(("file:", "data:")) for url in browser.asked), f"the search asks for {browser.asked}")


def by_keys(browser):
    browser.open(SITE / "docs/sensitivity.html")
    found = browser.focused(12)
    check(len({what for what, _ in found}) > 8 and all(outlined for _, outlined in found), f"Tab comes to {found}")


if not importlib.util.find_spec("myst_parser"):
    skip("Sphinx and its parser of Markdown (Debian: python3-myst-parser) are not installed")
done = execute([sys.executable, ROOT / "docs/site/build.py", SITE], seconds=600)
if not check(done.code == 0, "the site is not built", done.text):
    finish()
with Browser() as browser:
    for part in (what_is_wrong_is_found, the_first_page, every_page, the_search, by_keys):
        part(browser)
finish("all as it should be")
