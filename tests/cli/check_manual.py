# check_manual -- man pages: each command has one with all of its options, groff and mandoc read them without a warning, and Markdown keeps
# its words.
import os
import pathlib
import re
import shlex
import shutil

from checking import answer, check, execute, folder, main, need_program, PROGRAM, refused, SHIPPED, write

PAGES = pathlib.Path(PROGRAM).parent / "man"
COMMANDS = re.findall(r"^  ([a-z]+)", answer("help"), re.M)

SAMPLE = """# Title of the page

Words with `a code-word`, *italics*, **bold** ones and [a link](place.md#there). A product a*b*c keeps its stars.
.TH is no command here, nor is 'this.

## Second heading
- one entry
  that goes on
- another

| key | value |
|---|---|
| `k\\|m` | first \\ second |

| key | value | default |
|---|---|---|
| `x` | a number | 1 |
### Third heading
```
  kept   as it is
.PP `~^ -
```
"""
# The words of the page when it is read, in their order.
SAMPLE_WORDS = ("Words with a code-word, italics, bold ones and a link.", "A product a*b*c keeps its stars.",
                ".TH is no command here, nor is 'this.", "Second heading", "one entry that goes on", "another", "k|m first \\ second",
                "x value: a number; default: 1", "Third heading", "kept as it is .PP `~^ -")


def read(path):
    """A page as a reader sees it, in one line."""
    done = execute(["mandoc", "-T", "ascii", path])
    return " ".join(re.sub(r".\x08", "", done.out).split())


def pages():
    names = ["pendula.1", "pendula-sweep.5", "pendula-files.5", *(f"pendula-{command}.1" for command in COMMANDS)]
    built = sorted(PAGES.glob("*"))
    fresh = built and built[0].stat().st_mtime >= pathlib.Path(PROGRAM).stat().st_mtime  # else the program alone was built anew
    if fresh:
        check(sorted(path.name for path in built) == sorted(names), f"pages of the build: {sorted(os.listdir(PAGES))}")
    for name in names:
        words = [str(SHIPPED.parent / f"docs/{'sweep-files' if 'sweep' in name else 'files'}.md")] if name.endswith("5") else name[:-2].split("-")[1:]
        write(name, answer("help", "--man", *words))
        if fresh:
            check((PAGES / name).read_text(encoding="utf-8") == (folder / name).read_text(encoding="utf-8"), f"{name} of the build is another one")
    return names


def warnings():
    """Both readers of man pages find nothing to say."""
    for name in pages():
        if shutil.which("man") and shutil.which("groff"):
            done = execute(["man", "-l", "--warnings", "-E", "UTF-8", "-Tutf8", "-Z", name])
            check(done.code == 0 and done.err == "", f"man {name}: {done.err}")
        done = execute(["mandoc", "-T", "lint", name])
        check(done.text == "", f"mandoc {name}: {done.text}")


def contents():
    for command in COMMANDS:
        page, usage = read(f"pendula-{command}.1"), answer(command, "--help")
        options = set(re.findall(r"^ +(?:-., )?(--[a-z-]+)", usage, re.M))
        check(options and all(re.search(rf"{option}\b", page) for option in options), f"pendula-{command}(1) has not all of {options}")
        check(f"pendula-{command}" in page and "EXIT STATUS 0 done" in page, f"pendula-{command}(1) begins and ends otherwise")
        check(f" {command} " in read("pendula.1"), f"pendula(1) has no {command}")
        examples = answer("help", command, "--markdown").split("```\n")[-2].splitlines()
        check(examples != [], f"{command} has no example")
        for example in examples:
            words = shlex.split(re.split(r"  +|(?<=\S)   ", example)[0])
            check(words[:2] == ["pendula", command], f"the example is of another command: {example}")
            for option in (word.split("=")[0] for word in words if word.startswith("--")):
                check(option in options, f"{example}: {command} has no {option}")
    check("\\fB\\-\\-resume\\fR" in (folder / "pendula-run.1").read_text(), "a hyphen of an option stays one")
    check("Ctrl-C (or SIGTERM, or SIGHUP) finishes" in read("pendula-run.1"), "notes of run")
    sweep = read("pendula-sweep.5")
    for key in ("title", "problem", "methods", "newton", "trajectory", "zip", "{log: [a, b, n]}"):
        check(key in sweep, f"pendula-sweep(5) has no {key}")
    check("status" in read("pendula-files.5"), "pendula-files(5) has the status")


def exits():
    """The codes of a page are those of the command, and all codes are in the page of the program."""
    codes = {name: re.findall(r"\n\.TP\n\\fB(\d+)\\fR", (folder / f"{name}.1").read_text()) for name in
             ("pendula", "pendula-verify", "pendula-run", "pendula-show")}
    check(codes["pendula"] == [str(code) for code in (*range(11), 75)], f"codes of the program: {codes['pendula']}")
    check(codes["pendula-verify"] == ["0", "1", "2", "3", "4", "6"] and codes["pendula-show"] == ["0", "1", "2", "3", "4"]
          and "75" in codes["pendula-run"] and "10" in codes["pendula-run"], f"codes of commands: {codes}")


def markdown():
    """A page of Markdown, read again."""
    write("files.md", SAMPLE)
    write("sample.5", answer("help", "--man", "files.md"))
    page, at = read("sample.5"), 0
    for words in SAMPLE_WORDS:
        place = page.find(words, at)
        check(place >= 0, f"the sample has no '{words}' in its place: {page}")
        at = max(at, place)
    check("---" not in page, f"the line beneath the head of a table is no row: {page}")
    check("Title of the page" not in page, "the title stands in NAME only")
    text = (folder / "sample.5").read_text()
    check(all(len(line) <= 100 for line in text.splitlines()), "long lines")
    refused("is no page with a man page", "help", "--man", "other.md")
    refused("exclude each other", "help", "--man", "--markdown")


def reproducible():
    """The date is that of the version, not of the day."""
    page = answer("help", "--man", "run")
    check(page == answer("help", "--man", "run", TZ="Asia/Tokyo", LC_ALL="C.UTF-8"), "the page depends on where it is made")
    check(re.match(r"\.TH PENDULA-RUN 1 \d{4}-\d\d-\d\d \"pendula [0-9.]+\" Pendula\n", page), f"heading: {page[:80]}")


def version():
    lines = dict(re.split(r"  +", line, maxsplit=1) for line in answer("--version").splitlines()[1:])
    check(list(lines) == ["commit", "compiler", "HDF5", "OpenCL headers", "MPI"] and all(lines.values()), f"facts of the build: {lines}")
    check(answer("--version").startswith("pendula ") and re.match(r"(gcc|clang) \d", lines["compiler"]) and re.match(r"\d+\.\d+", lines["HDF5"]),
          f"facts of the build: {lines}")


need_program("mandoc", "mandoc")
main(warnings, contents, exits, markdown, reproducible, version, fine=f"{len(COMMANDS) + 3} man pages are as they should be")
