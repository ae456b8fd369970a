# conf -- how Sphinx makes the site: build.py calls it.
import json
import os
import re

project = "Pendula"
version = release = os.environ["PENDULA_SITE_VERSION"]
extensions = ["myst_parser"]
root_doc = "docs/index"
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # a page of a kernel file has one heading
highlight_language = "none"
html_theme = "theme"
html_theme_path = ["."]
smartquotes = False  # a quote is a letter of a name or of code
html_title = f"Pendula {version}"
html_copy_source = False
html_show_search_summary = False  # a page in a folder may not read other pages
html_use_index = False
html_permalinks = False
html_context = {"menu": json.loads(os.environ["PENDULA_SITE_MENU"])}


def name_parts(app, page, template, context, doctree):
    """Tables and blocks that may be wider than a window can be moved by keys, and a table is named after its heading."""
    body = context.get("body")
    if not body:
        return
    heading = ""

    def change(match):
        nonlocal heading
        if match["heading"]:
            heading = re.sub(r"<[^>]+>", "", match["words"])
        elif match["table"]:
            return f'<div class="scroll" tabindex="0" role="region" aria-label="{heading}, table"><table aria-label="{heading}">'
        elif match["end"]:
            return "</table></div>"
        elif match["pre"]:
            return '<pre tabindex="0">'
        return match[0]

    context["body"] = re.sub(r"(?P<heading><h[1-6][^>]*>(?P<words>.*?)</h[1-6]>)|(?P<table><table[^>]*>)|(?P<end></table>)|(?P<pre><pre>)", change, body, flags=re.S)


def setup(app):
    app.connect("html-page-context", name_parts)
