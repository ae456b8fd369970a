# check_layers -- the rules of CONTRIBUTING.md that a program can check: layers, homes of libraries, banned words, first lines.
import pathlib
import re

from checking import check, finish, ROOT

# From the bottom up. Folders on one line stand side by side and do not include each other.
LAYERS = [
    ["host/base", "host/wheel"],
    ["host/catalog", "host/h5"],
    ["host/design", "host/expression", "host/points"],
    ["host/equations"],
    ["host/plan"],
    ["host/compose", "host/gauges"],
    ["host/device", "host/store"],
    ["host/reference"],
    ["host/engine"],
    ["host/run", "host/terminal"],
    ["analysis/plot"],
    ["analysis/linear"],
    ["analysis/bench", "analysis/claims", "analysis/conform", "analysis/pairs", "analysis/pareto", "analysis/refine",
     "analysis/sensitivity"],
    ["analysis/advise", "analysis/check", "analysis/distribution", "analysis/replay", "analysis/report"],
    ["analysis/fit", "analysis/rare"],
    ["host/cli", "host/library"],
    ["tests"],
]

# Rooms of a folder, from the bottom up, each with the files that it has; what is left of the folder stands above them. No
# files include each other in a circle there.
ROOMS = {
    "analysis/conform": ["judgement/", "certificate/", "walk/", "points/"],
}

# A library's header and the only place that may include it; tests may use what they like.
HOMES = {
    "CL/": ("host/device/", "host/wheel/"),
    "hdf5": ("host/h5/", "host/points/", "host/store/"),
    "H5": ("host/h5/", "host/points/", "host/store/"),
    "lapacke.h": ("host/design/", "host/reference/", "analysis/sensitivity/least_squares.c"),
    "yaml.h": "host/base/yaml.c",
    "mpi.h": "host/run/ranks.c",
}

# Functions, and the only places that call them; tests may where they test these.
CALLERS = {
    "compose": ("host/compose/", "host/engine/", "host/cli/source.c"),
    "device_build": ("host/device/", "host/engine/"),
    "program_run": ("host/device/", "host/engine/"),
    "solve_group": ("host/reference/", "host/engine/"),
}

BANNED = re.compile(r"(?<![\w.>])(sprintf|vsprintf|strcpy|strcat|atoi|atof|strtok|gets|system)\s*\(")
EXIT = re.compile(r"(?<![\w.>])(exit|_exit|_Exit|abort|quick_exit)\s*\(")
PRINT = re.compile(r"(?<![\w.>])(printf|puts|putchar|perror)\s*\(")
FUNCTIONS = re.findall(r"^FUNCTION\(\w+, (\w+),", (ROOT / "host/catalog/functions.def").read_text(encoding="utf-8"), re.M)
NAMED = re.compile(rf'"({"|".join(FUNCTIONS)})"|\b(?:real|FUNCTION)_({"|".join(FUNCTIONS)})\b', re.I)
FEW = 3  # of them a file may name
WORKING_WORDS = re.compile(r"\b(TODO|FIXME|XXX)\b")


def wrong(path, line, what):
    check(False, f"{path}:{line}: {what}")


def code_of(text):
    """The text with comments and the insides of string literals blanked, line numbers kept."""

    def blank(match):
        token = match.group(0)
        if token[0] == '"':
            return '"' + re.sub(r"[^\n]", " ", token[1:-1]) + '"'
        return token if token[0] == "'" else re.sub(r"[^\n]", " ", token)

    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


def folder_of(path):
    for rank, folders in enumerate(LAYERS):
        for folder in folders:
            if path.startswith(folder + "/"):
                return rank, folder
    return {"host/main.c": (len(LAYERS), "host"), "host/pendula.h": (0, "host")}.get(path, (None, None))


def room_of(path, folder):
    rooms = ROOMS.get(folder, [])
    return next((rank for rank, files in enumerate(rooms) if re.match(files, path[len(folder) + 1 :])), len(rooms))


def check_include(path, line, name):
    target = f"host/{name}" if (ROOT / "host" / name).is_file() else name
    rank, folder = folder_of(path)
    target_rank, target_folder = folder_of(target)
    if path.startswith(("host/", "analysis/")):
        stem = path.rsplit(".", 1)[0]
        included.setdefault(stem, set()).update({target.rsplit(".", 1)[0]} - {stem})
    if folder == target_folder and folder in ROOMS:
        if room_of(target, folder) > room_of(path, folder):
            wrong(path, line, f"includes {name}, which is in a room above it")
    if rank is None or target_rank is None or folder == target_folder:
        return
    if target_rank > rank:
        wrong(path, line, f"includes {name}, which is a layer above it")
    elif target_rank == rank:
        wrong(path, line, f"includes {name}, which stands beside it")


def check_library(path, line, name):
    for header, home in HOMES.items():
        homes = (home,) if isinstance(home, str) else home
        if name.startswith(header) and not path.startswith((*homes, "tests/")):
            wrong(path, line, f"includes <{name}>, which belongs to {' and '.join(homes)} only")


def check_source(path, text):
    lines = text.split("\n")
    stem = pathlib.PurePath(path).stem
    card = rf"//: (problem|method|metric): {re.escape(stem)}$|// {re.escape(stem)}\.cl -- \S"
    first = card if path.endswith(".cl") else rf"// {re.escape(stem)} -- \S"
    if not re.match(first, lines[0]):
        wrong(path, 1, f"the first line is not `// {stem} -- one sentence`, or a card")
    for number, line in enumerate(lines, 1):
        include = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if include and include.group(1) == "<":
            check_library(path, number, include.group(2))
        elif include:
            check_include(path, number, include.group(2))
        if WORKING_WORDS.search(line):
            wrong(path, number, "says what is left to do: do it, or leave it out")
    for number, line in enumerate(code_of(text).split("\n"), 1):
        for word in BANNED.finditer(line):
            wrong(path, number, f"uses {word.group(1)}()")
        if path.startswith("tests/"):
            continue
        for name, places in CALLERS.items():
            if re.search(rf"(?<![\w.>]){name}\s*\(", line) and not path.startswith(places):
                wrong(path, number, f"calls {name}(): host/engine does so")
        for word in EXIT.finditer(line):
            if path not in ("host/main.c", "host/base/stop.c", "host/catalog/embed/embed.c"):
                wrong(path, number, f"ends the program by {word.group(1)}(): fill an Error and return false")
        for word in PRINT.finditer(line):
            if not (path.startswith(("host/cli/", "host/terminal/", "host/main.c", "host/catalog/embed/"))
                    or re.fullmatch(r"analysis/\w+/(command|\w+_print)\.c", path)):
                wrong(path, number, f"prints by {word.group(1)}(): a library is silent")


def check_functions(path, text):
    """A file that lists functions repeats rows of functions.def. It may name a few."""
    named = {a or b.lower() for a, b in NAMED.findall(text)}
    check(len(named) <= FEW or path.startswith("tests/"), f"{path}: lists functions ({', '.join(sorted(named))}): functions.def does")


def check_kernel(path, text):
    card = path.startswith(("kernels/problems/", "kernels/methods/", "kernels/metrics/"))
    stem = pathlib.PurePath(path).stem
    first = text.split("\n", 1)[0]
    if card:
        kind = {"problems": "problem", "methods": "method", "metrics": "metric"}[path.split("/")[1]]
        if first != f"//: {kind}: {stem}":
            wrong(path, 1, f"the first line is not `//: {kind}: {stem}`")
        for number, line in enumerate(code_of(text).split("\n"), 1):
            if re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else)\b", line):
                wrong(path, number, "has an #if: choices are uniform ints of Params")
    elif not first.startswith(f"// {pathlib.PurePath(path).name} -- "):
        wrong(path, 1, f"the first line is not `// {pathlib.PurePath(path).name} -- one sentence`")


def check_walks():
    """The functions that the page's walks name are where it says."""
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n## Five walks\n")[2].partition("\n## ")[0]
    check(section.count("\n**") == 5, "CONTRIBUTING.md has not five walks")
    check(len(re.findall(r"^\d+\. ", section, re.M)) <= 20, "CONTRIBUTING.md: conform takes more than 20 functions")
    for path, names in re.findall(r"`([\w/]+\.\w+)`: (`\w+`(?:,? (?:and [a-z ]*)?`\w+`)*)", section):
        code = code_of((ROOT / path).read_text(encoding="utf-8")) if (ROOT / path).is_file() else ""
        for name in re.findall(r"`(\w+)`", names):
            check(re.search(rf"^\w[^;\n]*\b{name}\(", code, re.M), f"CONTRIBUTING.md: {path} has no function {name}()")


def check_layout():
    """The page's table has each folder that a layer is."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for folder in (folder for folders in LAYERS for folder in folders):
        check(re.search(rf"^\| `{folder}`", page, re.M), f"CONTRIBUTING.md: the layout has no {folder}")


def reached(stem):
    """Files that a file includes, and what these include."""
    found, left = set(), [stem]
    while left:
        more = included.get(left.pop(), set()) - found
        found |= more
        left += more
    return found


count = 0
included = {}  # file -> files, both without .c and .h
for folder in ("host", "analysis", "tests", "kernels"):
    for file in sorted((ROOT / folder).rglob("*.[chl]*")):
        path = file.relative_to(ROOT).as_posix()
        if file.suffix not in (".c", ".h", ".cl"):
            continue
        count += 1
        if folder != "kernels" and folder_of(path)[1] is None:
            wrong(path, 1, "stands in a folder that no layer has")
        text = file.read_text(encoding="utf-8")
        if folder == "kernels":
            check_kernel(path, text)
        else:
            check_source(path, text)
            check_functions(path, text)
check_walks()
check_layout()
for stem in sorted(included):
    check(stem not in reached(stem), f"{stem}: stands in a circle of files that include each other")
check(len(FUNCTIONS) > 20, f"functions.def has {len(FUNCTIONS)} rows")
check(count > 0, f"no sources below {ROOT}")
finish(f"{count} files keep the rules")
