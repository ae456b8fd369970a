# check_names -- every public function and table bears the name of its file, and every type name means one thing.
#
#   check.py names BUILD     BUILD: the build folder
#
# Public is what `nm` finds in the object files of host/ and analysis/. A name begins with that of its .c file, with that of the
# header in the same folder that declares it, or with that of its room: analysis/pairs/band.c has band_x or pairs_band_x. A method's
# functions in host/reference may begin with the method's name, a table may be the plural of its file's; the names that the library
# offers begin with pendula.
import pathlib
import re
import sys

from checking import check, execute, finish, need_program, ROOT

# Words of their own, used in every file, and names that are not ours to choose.
FREE = {"fail", "within", "main"}
# The kernels' number type, which C that shares their text defines.
SHARED_TYPES = {"real"}


def code_of(text):
    """The text without comments, preprocessor lines and insides of string literals."""
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', " ", text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", "", text, flags=re.M)


def declared_in(code):
    """Names that a header declares: what stands before `(`, `[`, `,` or `;` in statements of column 0."""
    names = set()
    for statement in re.findall(r"^(?!static\b|typedef\b|[}\s])[^;{}]*;", code, re.M):
        function = re.search(r"(\w+)\s*\(", statement.replace("__attribute__", ";"))
        names.update([function.group(1)] if function else re.findall(r"(\w+)\s*(?=[\[,;])", statement))
    return names


def types_in(code):
    """Names that typedefs with a body, or of functions and arrays, define; forward declarations define none."""
    names = set()
    body = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
    for typedef in re.finditer(rf"^typedef\b[^;{{]*({body})?[^;{{}}]*;", code, re.M):
        text = typedef.group(0)
        pointer = None if typedef.group(1) else re.search(r"\(\s*\*?\s*(\w+)\s*\)\s*\(", text)
        if not re.match(r"typedef\s+(struct|union|enum)\s+\w+\s+\w+\s*;", text):
            names.add(pointer.group(1) if pointer else re.findall(r"(\w+)\s*(?:\([^()]*\)|\[[^\]]*\])*\s*;", text)[-1])
    return names


def begins_with(name, stem):
    return name == stem or name.startswith(stem + "_")


def bears_name(name, path, header, methods):
    """Whether a public name of the file `path`, declared in `header`, begins as it has to."""
    file = pathlib.PurePath(path)
    room = file.parent.name
    stems = [file.stem, f"{room}_{file.stem}"] + ([header.stem] if header.parent == file.parent else [])
    if file.stem.startswith(room + "_"):
        stems.append(file.stem[len(room) + 1 :])
    if file.parent == pathlib.PurePath("host/reference"):
        stems += methods
    if file.parent == pathlib.PurePath("host/library"):
        stems.append("pendula")
    return name in FREE or name == file.stem + "s" or any(begins_with(name, stem) for stem in stems)


def faults(symbols, headers, sources, methods):
    """Lines about what is wrong. symbols: path -> public names; headers, sources: path -> code."""
    wrong = []
    declares = {path: declared_in(code) for path, code in headers.items()}
    for path, names in sorted(symbols.items()):
        for name in sorted(names):
            places = [pathlib.PurePath(header) for header, declared in declares.items() if name in declared]
            if name not in FREE and len(places) != 1:
                wrong.append(f"{path}: {name} is declared in {len(places)} headers, not in one; make it static, or declare it")
            elif not bears_name(name, path, places[0] if places else pathlib.PurePath(path), methods):
                wrong.append(f"{path}: {name} begins with the name neither of its file nor of its header")
    types = {}
    for path, code in sorted({**headers, **sources}.items()):
        for name in types_in(code) - SHARED_TYPES:
            types.setdefault(name, []).append(path)
    return wrong + [f"{' and '.join(paths)}: each defines a type {name}" for name, paths in sorted(types.items()) if len(paths) > 1]


def try_check():
    """The rules on names that are made up; what is wrong with them is found, and nothing else."""
    headers = {
        "host/a/bin.h": "typedef struct Bin { int n; } Bin;\nbool bin_open(Bin *bin);\nextern const int bin_sizes[], bins[];\n",
        "host/a/lid.h": "typedef struct Lid Lid;\nvoid bin_close(void);\nvoid lid_shut(void);\nint twice(void);\nvoid stray(void);\n",
        "host/b/lid.h": "int twice(void);\n",
        "analysis/toys/ball.h": "void toys_ball_throw(void);\nvoid toys_throw(void);\n",
        "host/reference/tools.h": "void euler_step(void);\nvoid newton_step(void);\n",
    }
    sources = {"host/b/other.c": "// struct\ntypedef struct Bin {\n    union { int a; } u;\n} Bin;\n"}
    symbols = {
        "host/a/bin.c": {"bin_open", "bin_sizes", "bins", "lid_shut", "bin_hidden"},
        "host/a/lid.c": {"bin_close", "twice", "stray", "fail"},
        "analysis/toys/ball.c": {"toys_ball_throw", "toys_throw"},
        "host/reference/family.c": {"euler_step", "newton_step"},
    }
    found = [re.search(r"\b(bin_hidden|bin_close|twice|stray|toys_throw|newton_step|Bin)\b", line) for line in faults(symbols, headers, sources, ["euler"])]
    expected = {"bin_hidden", "bin_close", "twice", "stray", "toys_throw", "newton_step", "Bin"}
    if None in found or len(found) != len(expected) or {match.group(1) for match in found} != expected:
        sys.exit(f"the check itself is wrong: {[match and match.group(0) for match in found]}")


def public_names(build):
    """Path of a .c file -> names in its object file."""
    objects = {}
    for file in sorted(build.glob("CMakeFiles/*.dir/**/*.o")):
        path = re.sub(r"\.o$", "", file.relative_to(build).as_posix().split(".dir/", 1)[1])
        if path.startswith(("host/", "analysis/")) and not path.startswith(("host/catalog/embed/", "host/wheel/")) and (ROOT / path).is_file():
            objects[str(file)] = path
    if not objects:
        return {}
    table = execute(["nm", "-A", "-g", "--defined-only", *objects]).out
    symbols = {path: set() for path in objects.values()}
    for file, name in re.findall(r"^(.+?\.o):[0-9a-f]* ?[A-TV-Z] ([A-Za-z]\w*)$", table, re.M):
        symbols[objects[file]].add(name)
    return symbols


try_check()
need_program("nm", "binutils")
symbols = public_names(pathlib.Path(sys.argv[1]))
code = {}
for folder in ("host", "analysis"):
    for file in sorted((ROOT / folder).rglob("*.[ch]")):
        code[file.relative_to(ROOT).as_posix()] = code_of(file.read_text(encoding="utf-8"))
headers = {path: text for path, text in code.items() if path.endswith(".h")}
sources = {path: text for path, text in code.items() if path.endswith(".c")}
methods = [file.stem for file in (ROOT / "kernels/methods").glob("*.cl")]
for fault in faults(symbols, headers, sources, methods):
    check(False, fault)
check(symbols, f"no object files of host/ and analysis/ below {sys.argv[1]}")
finish(f"{sum(len(names) for names in symbols.values())} names of {len(symbols)} files and their types keep the rules")
