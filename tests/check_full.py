# check_full -- tests/full.json, which .ci/full writes, speaks of the lists that are here.
#
# A pair, a mutant or a kind of fault that was added since is one that the whole walk has not seen. Of a list that the walk has
# not reached yet there is no row, which is printed.
#
# Exit status: 0 the counts agree, 1 some do not: `.ci/full PART` makes them anew.
import json
import re
import sys

from checking import check, execute, finish, listed, ROOT, suits


def pairs():
    """The number of problems that each method meets."""
    return {method["name"]: sum(suits(method, problem) for problem in listed("problems")) for method in listed("methods")}


def mutants():
    """The number of mutants of each list, as the campaign counts them."""
    done = execute([sys.executable, ROOT / "tests/mutants/campaign.py", "--list"])
    check(done.code == 0, done.err)
    counts = {}
    for area in re.findall(r"^(\w+): ", done.out, re.M):
        counts[area] = counts.get(area, 0) + 1
    return counts


record = json.loads((ROOT / "tests/full.json").read_text(encoding="utf-8"))
met = pairs()
alone = {name for name in met if f"pairs:{name}" in record}  # they were walked by themselves
here = {"pairs": {"pairs": sum(count for name, count in met.items() if name not in alone)},
        **{f"pairs:{name}": {"pairs": met[name]} for name in alone},
        **{f"mutants:{area}": {"mutants": count} for area, count in mutants().items()}}
for part, row in record.items():
    check(re.fullmatch(r"\d{4}-\d\d-\d\d", row["date"]) and re.fullmatch("[0-9a-f]{12}", row["commit"]) and row["seconds"] > 0,
          f"{part}: no date, commit or time: {row}")
    for name, count in here.get(part, {}).items():
        check(row[name] == count, f"{part}: {count} {name} here, {row[name]} when .ci/full walked them: run `.ci/full {part}`")
    check(not row.get("survivors"), f"{part}: {row.get('survivors')} survivors")
    check(part in ("tests", "sanitized", "faults", "bits", "packages", "browser", *here), f"{part} is no part of the walk")
for part in ["tests", "sanitized", *here, "faults", "bits", "packages"]:
    if part not in record:
        print(f"not walked yet: {part}")
finish("the counts agree")
