# check_pages -- the pages lead to files and headings that are there, show files as they are, and quote messages that a test makes.
import re
import shlex

from checking import check, finish, folder, pendula, ROOT, write

PAGES = sorted(path for pattern in ("*.md", "docs/**/*.md", "paper/*.md", "kernels/*.md", "sweeps/*.md", "tests/**/*.md") for path in ROOT.glob(pattern))
FOLDERS = ("analysis", "docs", "host", "kernels", "packaging", "paper", "sweeps", "tests", ".ci")
# Sources whose comments and messages send a reader to a page.
SOURCES = sorted(path for top in ("analysis", "host", "kernels", "sweeps", "tests") for path in (ROOT / top).rglob("*")
                 if path.suffix in (".c", ".h", ".cl", ".in", ".py", ".yaml", ".txt"))


def read(path):
    return path.read_text(encoding="utf-8")


def place(path):
    return path.relative_to(ROOT).as_posix()


# --- links, and paths without a link

def headings(text):
    """The anchors of a page, as GitHub makes them."""
    lines = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S).split("\n")
    names = [re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()).replace(" ", "-") for line in lines if line.startswith("#")]
    return set(names)


def check_links(path, text):
    prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"https?:", target):
            continue
        name, _, anchor = target.partition("#")
        led = (path.parent / name) if name else path
        if check(led.exists(), f"{place(path)}: a link to {target}, which is not there") and anchor:
            check(anchor in headings(read(led)), f"{place(path)}: a link to {target}, and no such heading")


def is_there(name):
    """A path from the root; `*` stands for any name, and .yaml may be left out."""
    return any(ROOT.glob(name)) or any(ROOT.glob(name + ".yaml"))


def check_paths(path, text):
    for name in re.findall(rf"(?<![\w./~-])(?:{'|'.join(map(re.escape, FOLDERS))})/[\w./*-]*[\w*]", text):
        made_up = re.search(r"NAME|ROOM", name)
        check(made_up or is_there(name), f"{place(path)}: there is no {name}")


def check_pages():
    check(len(PAGES) >= 25, f"only {len(PAGES)} pages")
    for path in PAGES:
        text = read(path)
        check_links(path, text)
        check_paths(path, text)
    for path in SOURCES:
        for name in re.findall(r"(?<![\w./-])((?:docs|kernels|sweeps)/[\w/-]+\.md)", read(path)):
            check((ROOT / name).is_file(), f"{place(path)}: there is no {name}")


# --- files that a page shows or lists

def blocks(text, language):
    """The blocks of a language, in order."""
    return [block for name, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S) if name == language]


def check_shown():
    page = read(ROOT / "kernels/README.md")
    section = page.split("\n## ")[1]
    check("\n".join(blocks(section, "c")) == read(ROOT / "kernels/problems/pendulum.cl"), "kernels/README.md does not show kernels/problems/pendulum.cl as it is")
    check(read(ROOT / "kernels/methods/backward_euler.cl") in blocks(page, "c"), "kernels/README.md does not show kernels/methods/backward_euler.cl as it is")


def check_sweeps():
    """The list of sweeps has each file or its folder, and every whole sweep of the grammar's page can be planned."""
    listed = set(re.findall(r"`([\w*/]+\.yaml)`", read(ROOT / "sweeps/README.md")))
    for path in sorted((ROOT / "sweeps").rglob("*.yaml")):
        name = path.relative_to(ROOT / "sweeps")
        check({name.as_posix(), f"{name.parent}/*.yaml"} & listed, f"sweeps/README.md does not list {name}")
    grammar = read(ROOT / "docs/sweep-files.md")
    write("samples.csv", next(text for text in blocks(grammar, "") if text.startswith("eps,k")))
    whole = [text for text in blocks(grammar, "yaml") if re.search(r"^problem:.*^methods:", text, re.M | re.S)]
    check(len(whole) >= 6, f"only {len(whole)} sweeps in docs/sweep-files.md")
    for number, text in enumerate(whole):
        pendula("plan", write(f"shown{number}.yaml", text), "--no-time")
    for line in re.findall(r"^pendula run stiff.yaml (-s .*) -o ", grammar, re.M):
        pendula("plan", "shown0.yaml", "--no-time", *shlex.split(line))


# --- limits: each has its message, and the test that makes it

def check_limits():
    rows = re.findall(r"^\| .* \| `(.+)` \| `(tests/.+)` \|$", read(ROOT / "docs/limits.md"), re.M)
    lines = [line for line in read(ROOT / "docs/limits.md").split("\n") if re.match(r"\|(?!---| .* \| message \| test)", line)]
    check(len(rows) == len(lines) >= 40, f"docs/limits.md: {len(rows)} of {len(lines)} limits have a message and a test")
    for message, test in rows:
        if check((ROOT / test).is_file(), f"docs/limits.md: there is no {test}"):
            text = read(ROOT / test)
            check(message in (text.split("\n")[0] if test.endswith(".yaml") else text), f"docs/limits.md: {test} does not make: {message}")


def check_unsolved():
    said = "1 of 2 solutions need more than 20000000 evaluations; error metrics of their points are NaN"
    done = pendula("run", ROOT / "tests/mutants/unsolved.yaml", "-d", "reference", "-o", folder / "unsolved.h5")
    check(said in done.err, f"a solution that takes too long: {done.err}")


check_pages()
check_shown()
check_sweeps()
check_limits()
check_unsolved()
finish(f"{len(PAGES)} pages keep their word")
