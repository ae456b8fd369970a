# reference -- pages of the manual that are made of comments: the C header, and the docstrings of Python's module.
"""header_page(text) and module_page(folder) return Markdown. Nothing is imported or compiled: the header is read line by line, and the
module by Python's parser."""
import ast
import re
import textwrap

C_NAMES = re.compile(r"\b(?:pendula_\w+|Pendula[A-Z]\w*|PENDULA_[A-Z]\w*)(?:\(\))?")


def prose(lines, names=None):
    """Lines of a comment: what is indented or a session of Python stays as it stands, keys (`name: what it is`) become a list."""
    out, kind, kept = [], "", []
    for line in [*lines, ""]:
        now = "python" if line.startswith((">>>", "...")) or (kind == "python" and line) else "text" if line.startswith("  ") else ""
        if now != kind:
            out += [*textwrap.dedent("\n".join(kept)).split("\n"), "```"] if kind else []
            out += ["", f"```{now}"] if now else [""]
            kept = []
        kind = now
        if now:
            kept.append(line)
            continue
        marked = re.match(r"[a-z_]+(, [a-z_]+)*: ", line)
        out.append(("- " if marked else "") + escape(line, names))
    return out


def escape(line, names):
    """Letters that Markdown would take for marks; names of the header become code."""
    parts = re.split(r"(`[^`]*`)", line)
    for i in range(0, len(parts), 2):
        text = re.sub(r"([\\\[\]*_<>|#])", r"\\\1", parts[i])
        parts[i] = names.sub(lambda m: f"`{m[0]}`", re.sub(r"\\_", "_", text)) if names else text
    return "".join(parts)


# --- C

def declared(code):
    """The names that lines of C declare."""
    text = re.sub(r"//[^\n]*", "", "\n".join(code))
    found = re.findall(r"\b(pendula_\w+)\(", text)
    found += re.findall(r"^typedef struct \w+\s+(\w+);", text, re.M) + re.findall(r"^\} (\w+);", text, re.M)
    return list(dict.fromkeys(found)) or re.findall(r"\} (\w+);", text) or re.findall(r"\b(PENDULA_[A-Z]+) =", text)


def header_page(text):
    """The header, in its order: a heading for each block of declarations, the declarations, and what is said of them."""
    body = text.split("#ifndef PENDULA_H")
    begin = [line[2:].removeprefix(" ") for line in body[0].splitlines()]
    subject = begin[0].partition(" -- ")[2]
    page = ["# The header for C", "", f"`pendula.h`: {escape(subject, C_NAMES)}", "", *prose(begin[1:], C_NAMES), "", "## Version"]
    inside = body[1].split("// The library's version", 1)
    chunks, comment, code = [], [], []

    def end():
        if comment or code:
            chunks.append((list(comment), list(code)))
        comment.clear()
        code.clear()

    for line in ("// The library's version" + inside[1]).splitlines():
        if line.startswith("#"):
            break
        if line.startswith("// -- "):
            end()
            chunks.append(([line], []))
        elif line.startswith("//"):
            if code:
                end()
            comment.append(line[2:].removeprefix(" "))
        elif line:
            code.append(re.sub(r"^PENDULA_API ", "", line))
        else:
            end()
    end()
    for said, code in chunks:
        if said and said[0].startswith("// -- "):
            page += ["", f"## {said[0][6:]}"]
            continue
        names = declared(code)
        page += ["", "### " + ", ".join(f"`{name}`" for name in names)] if names else []
        page += ["", "```c", *code, "```"] if code else []
        page += ["", *prose(said, C_NAMES)]
    return "\n".join(page) + "\n"


# --- Python

def documented(node):
    text = ast.get_docstring(node)
    return text.splitlines() if text else []


def signature(node):
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments}){returns}"


def member_lines(node, owner=""):
    """A function, a method or a property."""
    bare = any(ast.unparse(each) in ("property", "functools.cached_property") for each in node.decorator_list)
    level = "####" if owner else "###"
    shown = node.name if bare else signature(node)
    return ["", f"{level} `{owner}{node.name}`", "", "```python", owner + shown, "```", "", *prose(documented(node))]


def class_lines(node):
    begin = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
    shown = signature(begin[0]).replace("__init__", node.name, 1) if begin and node.bases == [] else f"class {node.name}"
    page = ["", f"### `{node.name}`", "", "```python", shown, "```", "", *prose(documented(node))]
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("_") and documented(each):
            page += member_lines(each, f"{node.name}.")
    return page


def module_page(folder):
    """The names that the module exports, in the order of its files."""
    begin = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    exported = next(ast.literal_eval(node.value) for node in begin.body
                    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
    page = ["# The module for Python", "", *prose(documented(begin))]
    left = {name for name in exported if not name.startswith("_")}
    for path in sorted(folder.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = [node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name in left]
        if nodes:
            page += ["", f"## {(documented(tree) or [path.stem])[0].rstrip('.')}"]
        for node in nodes:
            page += class_lines(node) if isinstance(node, ast.ClassDef) else member_lines(node)
            left.remove(node.name)
    if left:
        raise SystemExit(f"site: {folder}: no class or function is called {', '.join(sorted(left))}")
    return "\n".join(page) + "\n"
