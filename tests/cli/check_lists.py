# check_lists -- docs/problems.md, docs/methods.md and docs/metrics.md hold what `pendula list --markdown` prints, and docs/commands.md what
# `pendula help --markdown` prints.
#
#   check.py lists             compares the pages with the program
#   check.py lists --write     writes the lists into the pages
#
# A list stands between a line with its command, as `<!-- pendula list methods --markdown -->`, and `<!-- end of the list -->`.
import re
import sys

from checking import answer, check, finish, ROOT

END = "<!-- end of the list -->\n"


def listed(name):
    """A list of cards; its links lead from docs to files that are there."""
    table = answer("list", name, "--markdown")
    lines = table.split("\n\n")[0].splitlines()
    bars = {line.replace("\\|", "").count("|") for line in lines}
    assert len(lines) > 10 and len(bars) == 1, f"list {name}: rows of {bars} bars"
    for link in (part.split(")")[0] for line in lines for part in line.split("](")[1:]):
        assert (ROOT / "docs" / link).is_file(), f"list {name}: no file {link}"
    return table


def compare(name, command, printed):
    """The list of a page."""
    page = ROOT / f"docs/{name}.md"
    text = page.read_text(encoding="utf-8")
    begin = f"<!-- pendula {command} --markdown -->\n"
    before, found, rest = text.partition(begin)
    table, closed, after = rest.partition(END)
    if not found or not closed or begin in after:
        check(False, f"{page}: no list of `pendula {command}` between its two markers, or two")
    elif "--write" in sys.argv[1:]:
        page.write_text(before + begin + printed + END + after, encoding="utf-8")
    else:
        check(table == printed, f"{page}: not what `pendula {command} --markdown` prints; {sys.argv[0]} --write makes it so")


for name in ("problems", "methods", "metrics"):
    compare(name, f"list {name}", listed(name))
commands = re.findall(r"^  ([a-z]+)", answer("help"), re.M)
compare("commands", "help", answer("help", "--markdown"))
compare("commands", "help COMMAND", "\n".join(answer("help", command, "--markdown") for command in commands))
finish("the lists are those of the program")
