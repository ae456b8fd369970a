# check_site -- the manual as a site: built of the pages, every link leads to a file and an anchor, nothing is loaded from elsewhere.
import html.parser
import importlib.util
import os
import posixpath
import re
import shutil
import sys

from checking import check, execute, folder, main, ROOT, skip

SITE = folder / "site"
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
LOADING = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "object": "data", "form": "action"}


class Page(html.parser.HTMLParser):
    """What a page has of anchors, links, what it loads, pictures, tables, and elements that are not closed."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads, self.pictures, self.tables, self.open, self.wrong, self.headings = set(), [], [], [], [], [], [], []
        self.words = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.wrong += [f"two elements with the id {attributes['id']}"] if attributes["id"] in self.ids else []
            self.ids.add(attributes["id"])
        self.links += [attributes["href"]] if tag == "a" and "href" in attributes else []
        self.loads += [attributes[LOADING[tag]]] if LOADING.get(tag) in attributes else []
        self.wrong += [f"{tag} {name}" for name in attributes if name.startswith("on")]
        self.pictures += [attributes.get("alt")] if tag == "img" else []
        self.tables += [attributes.get("aria-label")] if tag == "table" else []
        if re.fullmatch("h[1-6]", tag):
            self.words = ""
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID and (not self.open or self.open.pop() != tag):
            self.wrong.append(f"</{tag}> closes something else")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(self.words)

    def handle_data(self, data):
        self.words += data


def build(root, output):
    return execute([sys.executable, root / "docs/site/build.py", output], seconds=600)


def the_site_is_built():
    done = build(ROOT, SITE)
    if not check(done.code == 0 and done.text == "", f"docs/site/build.py ends with {done.code}, and says", done.text):
        skip("there is no site")
    pages = {path.relative_to(SITE).as_posix(): Page(path) for path in SITE.rglob("*.html")}
    wanted = [f"{path.relative_to(ROOT).as_posix()[:-3]}.html" for path in [*ROOT.glob("docs/**/*.md"), ROOT / "README.md"]]
    check(all(name in pages for name in [*wanted, "index.html", "search.html"]), f"pages that are missing: {set(wanted) - pages.keys()}")
    for name, page in pages.items():
        check(page.wrong == [] and page.open == [], f"{name}: {page.wrong[:3]} {page.open[:3]}")
        for target in page.links:
            check_target(pages, name, target, "a link")
        for target in page.loads:
            check(re.match(r"data:,?$|(?!\w+:|//)", target), f"{name} loads {target}")
            if not target.startswith("data:"):
                check_target(pages, name, target, "it loads")
        check(all(page.pictures), f"{name}: {page.pictures.count(None)} pictures have no words")
        check(all(page.tables), f"{name}: a table has no name")
    check(sum(len(page.pictures) for page in pages.values()) >= 10, "pictures are in the pages")
    for path in SITE.rglob("*.css"):
        check(not re.search(r"@import|url\(\s*['\"]?(?:\w+:)?//", path.read_text(encoding="utf-8")), f"{path.name} loads something")
    check_reference(pages)


def check_target(pages, name, target, what):
    """A place within the site; one of the network is left to the reader, whom it costs a click."""
    if re.match(r"https?://|mailto:", target):
        check(what == "a link", f"{name}: {what} {target}")
        return
    place, _, anchor = target.partition("#")
    to = posixpath.normpath(posixpath.join(posixpath.dirname(name), place)) if place else name
    if not check((SITE / to).is_file(), f"{name}: {what} to {target}, which is not there") or not anchor:
        return
    check(to in pages and anchor in pages[to].ids, f"{name}: {what} to {target}, and no such anchor")


def check_reference(pages):
    """Every function of the header has its heading, and every name that Python's module exports."""
    header = (ROOT / "host/pendula.h").read_text(encoding="utf-8")
    declared = re.findall(r"^PENDULA_API .*?\b(pendula_\w+)\(", header, re.M) + re.findall(r"^} (\w+);", header, re.M)
    said = re.split(r",?\s+", " ".join(pages["host/pendula.h.html"].headings))
    check(len(declared) > 60 and set(declared) <= set(said), f"the page of the header lacks {sorted(set(declared) - set(said))}")
    exported = re.findall(r'"(\w+)"', (ROOT / "host/python/pendula/__init__.py").read_text(encoding="utf-8").partition("__all__")[2])
    said = pages["host/python/pendula.html"].headings
    missing = {name for name in exported if not name.startswith("_")} - set(said)
    check(len(exported) > 10 and not missing, f"the page of the module lacks {missing}")
    check("Sweep.run" in said and "Sweep._begin" not in said, f"methods of a class: {[name for name in said if 'Sweep' in name]}")


def three_paths():
    """Each has five to eight links, in an order, with a line each."""
    parts = re.split(r"^## ", (ROOT / "docs/index.md").read_text(encoding="utf-8"), flags=re.M)
    for title in ("Choose a method", "Study sensitivity", "Bring a system"):
        text = next((part for part in parts if part.startswith(title)), "")
        rows = re.findall(r"^\d\. \[[^\]]+\]\([^)]+\): \S.+\.$", text, re.M)
        check(5 <= len(rows) <= 8 and len(rows) == len(re.findall(r"^\d\. ", text, re.M)), f"{title}: {len(rows)} links with a line")


def links_that_lead_nowhere():
    """In a copy without the rest of the sources, a page's link to a file that is gone ends the build, by its name; so does an anchor."""
    copy = folder / "copy"
    for name in ("docs/site", "host/python/pendula"):
        shutil.copytree(ROOT / name, copy / name)
    for name in ("host/pendula.h", "CMakeLists.txt"):
        shutil.copyfile(ROOT / name, copy / name)
    (copy / "README.md").write_text("# Readme\n")
    index = "# Manual\n\n## Look up\n- [The header](../host/pendula.h)\n- [The module](../host/python/pendula)\n- [Readme](../README.md)\n"
    for added, words in (("[gone](gone.md)", "docs/index.md: a link to gone.md, which is not there"),
                         ("[gone](../README.md#gone)", "gone"), ("", "")):
        (copy / "docs/index.md").write_text(index + added + "\n")
        done = build(copy, folder / "copied")
        check((done.code == 0 and done.text == "") if not words else (done.code == 1 and words in done.err), f"'{added}': exit {done.code}", done.text)


if not importlib.util.find_spec("myst_parser"):
    skip("Sphinx and its parser of Markdown (Debian: python3-myst-parser) are not installed")
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
main(three_paths, links_that_lead_nowhere, the_site_is_built, fine="every link leads somewhere")
