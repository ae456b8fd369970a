# check_full -- tests/full.json, which .ci/full writes, speaks of the lists that are here.
#
# A pair, a mutant or a kind of fault that was added since is one that the whole walk has not seen. Of a list that the walk has
# not reached yet there is no row, which is printed.
#
# Exit status: 0 the counts agree, 1 some do not: `.ci/full PART` makes them anew.
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(os.environ["PENDULA_SOURCE_DIR"])
PROGRAM = os.environ["PENDULA_PROGRAM"]
sys.dont_write_bytecode = True
failures = []


def cards(kind):
    return json.loads(subprocess.run([PROGRAM, "list", kind, "--json"], check=True, capture_output=True, text=True).stdout)


def pairs():
    """Pairs of a problem and a method that meet."""
    return sum(set(method["needs"]) <= set(problem["provides"]) and (method["first_order"] or not problem["first_order"])
               for problem in cards("problems") for method in cards("methods"))


def mutants():
    """The number of mutants of each list, as the campaign counts them."""
    listed = subprocess.run([sys.executable, ROOT / "tests/mutants/campaign.py", "--list"], capture_output=True, text=True)
    if listed.returncode != 0:
        failures.append(listed.stderr.strip())
    counts = {}
    for area in re.findall(r"^(\w+): ", listed.stdout, re.M):
        counts[area] = counts.get(area, 0) + 1
    return counts


def main():
    record = json.loads((ROOT / "tests/full.json").read_text(encoding="utf-8"))
    here = {"pairs": {"pairs": pairs()}, **{f"mutants:{area}": {"mutants": count} for area, count in mutants().items()}}
    for part, row in record.items():
        if not (re.fullmatch(r"\d{4}-\d\d-\d\d", row["date"]) and re.fullmatch("[0-9a-f]{12}", row["commit"]) and row["seconds"] > 0):
            failures.append(f"{part}: no date, commit or time: {row}")
        for name, count in here.get(part, {}).items():
            if row[name] != count:
                failures.append(f"{part}: {count} {name} here, {row[name]} when .ci/full walked them: run `.ci/full {part}`")
        if row.get("survivors"):
            failures.append(f"{part}: {row['survivors']} survivors")
    for part in ["tests", *here, "faults", "bits"]:
        if part not in record:
            print(f"not walked yet: {part}")
    for part in record:
        if part not in ("tests", "faults", "bits", *here):
            failures.append(f"{part} is no part of the walk")
    for line in failures:
        print(f"wrong: {line}")
    return 1 if failures else 0


sys.exit(main())
