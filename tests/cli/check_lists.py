# check_lists -- docs/problems.md, docs/methods.md and docs/metrics.md hold what `pendula list --markdown` prints.
#
#   check_lists.py             compares the pages with the program
#   check_lists.py --write     writes the lists into the pages
#
# A list stands between the lines `<!-- pendula list NAME --markdown -->` and `<!-- end of the list -->`.
#
# Exit status: 0 they do, 1 one does not.
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("PENDULA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
PROGRAM = os.environ.get("PENDULA_PROGRAM", ROOT / "build/pendula")
END = "<!-- end of the list -->\n"


def printed(name):
    """What the program prints; its links lead from docs to files that are there."""
    table = subprocess.run([PROGRAM, "list", name, "--markdown"], check=True, capture_output=True, text=True).stdout
    lines = table.split("\n\n")[0].splitlines()
    bars = {line.replace("\\|", "").count("|") for line in lines}
    assert len(lines) > 10 and len(bars) == 1, f"list {name}: rows of {bars} bars"
    for link in (part.split(")")[0] for line in lines for part in line.split("](")[1:]):
        assert (ROOT / "docs" / link).is_file(), f"list {name}: no file {link}"
    return table


def main():
    wrong = 0
    for name in ("problems", "methods", "metrics"):
        page = ROOT / f"docs/{name}.md"
        text = page.read_text(encoding="utf-8")
        begin = f"<!-- pendula list {name} --markdown -->\n"
        before, found, rest = text.partition(begin)
        table, ended, after = rest.partition(END)
        if not found or not ended or begin in after:
            print(f"{page}: no list between its two markers, or two")
            wrong += 1
        elif "--write" in sys.argv[1:]:
            page.write_text(before + begin + printed(name) + END + after, encoding="utf-8")
        elif table != printed(name):
            print(f"{page}: not what `pendula list {name} --markdown` prints; {sys.argv[0]} --write makes it so")
            wrong += 1
    return 1 if wrong else 0


sys.exit(main())
