#!/usr/bin/env python3
# build -- the manual as a site: pages of Markdown and of comments, made HTML by Sphinx, to be read from a folder without a server.
"""Makes a site of docs/, the READMEs, the C header, the docstrings of Python's module, and every file that a page leads to.

    python3 docs/site/build.py OUTPUT [--work FOLDER]

`cmake --build build --target site` makes build/site. Pages keep the places that they have in the sources. A file that a page leads
to, such as a method's kernel file, becomes a page that shows its text. The pages that docs/index.md lists become the menu, under its
headings. Links that lead nowhere end the build with exit status 1.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import reference  # noqa: E402

FIRST = "docs/index.md"
LANGUAGES = {".c": "c", ".h": "c", ".cl": "c", ".py": "python", ".yaml": "yaml", ".cff": "yaml", ".jl": "julia", ".m": "matlab"}
MADE = {"host/pendula.h": lambda path: reference.header_page(path.read_text(encoding="utf-8")),
        "host/python/pendula": reference.module_page}
# Blocks and code, in which nothing is a link; then a link, with its target.
LINK = re.compile(r"^```.*?^```|`[^`\n]*`|(?<=\])\(([^)\s]+)\)", re.M | re.S)


class Stage:
    """The pages in a folder of their own, as Sphinx reads them."""

    def __init__(self, folder):
        self.folder, self.done, self.wrong = folder, set(), []

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("---\norphan: true\n---\n" + text, encoding="utf-8")

    def add(self, name):
        """A page or a file by its path from the root. Returns the path of what shows it."""
        path = ROOT / name
        shown = name if path.suffix == ".md" else f"{name}.md"
        if name in self.done:
            return shown
        self.done.add(name)
        if name in MADE:
            self.write(shown, MADE[name](path))
        elif path.suffix == ".md":
            self.write(shown, self.lead(name, path.read_text(encoding="utf-8")))
        else:
            self.write(shown, show(name, path))
        return shown

    def lead(self, name, text):
        """A page's text whose links lead to what the site has."""

        def led(match):
            target = match[1]
            if target is None or re.match(r"\w+:|#", target):
                return match[0]
            place, mark, anchor = target.partition("#")
            path = (ROOT / name).parent / place
            if not path.exists():
                self.wrong.append(f"{name}: a link to {target}, which is not there")
                return match[0]
            to = path.resolve().relative_to(ROOT).as_posix()
            if path.suffix in (".png", ".svg"):
                (self.folder / to).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, self.folder / to)
                return match[0]
            if path.is_dir() and to not in MADE:
                to = f"{to}/README.md"
            return f"({os.path.relpath(self.add(to), pathlib.PurePath(name).parent)}{mark}{anchor})"

        return LINK.sub(led, text)


def show(name, path):
    """A file as a page: its subject, and its text."""
    text = path.read_text(encoding="utf-8")
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"# {name}\n\n{fence}{LANGUAGES.get(path.suffix, 'text')}\n{text.rstrip()}\n{fence}\n"


def menu():
    """The headings of the first page, and the pages with which the entries of the lists below them begin."""
    found = []
    for part in re.split(r"^## ", (ROOT / FIRST).read_text(encoding="utf-8"), flags=re.M)[1:]:
        links = re.findall(r"^(?:\d+\.|-) \[([^\]]+)\]\(([^)#\s]+)[^)\s]*\)", part, re.M)
        rows = [(title, os.path.normpath(f"docs/{target}")) for title, target in links if not re.match(r"\w+:", target)]
        found.append((part.partition("\n")[0], [(title, (to if to.endswith(".md") else f"{to}.md")[:-3]) for title, to in rows]))
    return found


def version():
    return re.search(r"project\(pendula VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, help="a folder for the pages in the making, which is kept")
    given = parser.parse_args()
    try:
        import myst_parser  # noqa: F401
        import sphinx  # noqa: F401
    except ImportError as error:
        print(f"site: {error}; install Sphinx and its parser of Markdown (Debian: python3-myst-parser)", file=sys.stderr)
        return 1
    work = given.work or pathlib.Path(tempfile.mkdtemp(prefix="pendula-site-"))
    try:
        return make(given.output.resolve(), work.resolve())
    finally:
        if not given.work:
            shutil.rmtree(work, ignore_errors=True)


def make(output, work):
    shutil.rmtree(work / "pages", ignore_errors=True)
    shutil.rmtree(output, ignore_errors=True)
    stage = Stage(work / "pages")
    for path in sorted((ROOT / "docs").rglob("*.md")):
        stage.add(path.relative_to(ROOT).as_posix())
    stage.add("README.md")
    if stage.wrong:
        print(*(f"site: {line}" for line in stage.wrong), sep="\n", file=sys.stderr)
        return 1
    # Of several processes the order of the search's index would be chance.
    done = subprocess.run([sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-c", str(HERE), "-d",
                           str(work / "trees"), str(stage.folder), str(output)],
                          env={**os.environ, "PENDULA_SITE_MENU": json.dumps(menu()), "PENDULA_SITE_VERSION": version(), "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode:
        return 1
    for rest in ("_sources", ".buildinfo", "objects.inv", "genindex.html"):
        shutil.rmtree(output / rest, ignore_errors=True)
        (output / rest).unlink(missing_ok=True)
    (output / "index.html").write_text('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Pendula</title>'
                                       '<meta http-equiv="refresh" content="0; url=docs/index.html"></head>'
                                       '<body><main><h1>Pendula</h1><a href="docs/index.html">The manual</a></main></body></html>\n')
    return 0


sys.exit(main())
