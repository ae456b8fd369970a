# check_findings -- docs/results/FINDINGS.md: its commands parse, its figures are measured again and stand in it word by word.
#
# docs/results/findings.yaml has their rows, but for section 1's table, which `pendula pairs` prints. The rows of n = 32, which take
# ten minutes, are read and not measured. Every row of a table of the page must be measured.
import csv
import json
import pathlib
import re
import shlex
import shutil

from checking import check, finish, folder, pendula, ROOT, write

PAGE = (ROOT / "docs/results/FINDINGS.md").read_text(encoding="utf-8")
LEDGER = (ROOT / "docs/results/findings.yaml").read_text(encoding="utf-8")
TABLES = [line for line in PAGE.split("\n") if line.startswith("| ")]
VALUES, BY_EYE = "0.9,0.6,0.5,0.3", (0.001, 0.07, 0.15, 0.45)


def run(*words, code=0):
    return pendula(*words, code=code, cwd=ROOT).out


# --- the page's commands

def quoted_commands():
    found = []
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S):
        found += block.strip().split("\n")
    found += [text.replace("\n", " ") for text in re.findall(r"`(pendula [^`]+)`", PAGE)]
    return [shlex.split(line) for line in found]


def check_options(words, helps):
    if words[1] not in helps:
        helps[words[1]] = run(words[1], "--help")
    for word in words[2:]:
        if word.startswith("--"):
            check(word.split("=")[0] in helps[words[1]], f"{shlex.join(words)}: no option {word}")


# What the page runs and what the ledger does are the same sweeps: a path and settings.
def check_sweeps(runs):
    listed = LEDGER[LEDGER.index("\nsweeps:\n"):LEDGER.index("\nwords:\n")].replace("\n    ", " ")
    entries = [[word.strip('"') for word in re.findall(r'"[^"]*"|[^\s,][^,]*', line)]
               for line in re.findall(r"^  \w+: \[(.*)\]$", listed, re.M)]
    check(sorted(map(sorted, entries)) == sorted(map(sorted, runs.values())), f"the page runs {runs}, the ledger {entries}")


def check_commands():
    commands, helps, runs = quoted_commands(), {}, {}
    check(len(commands) >= 20, f"only {len(commands)} commands are quoted")
    for words in commands:
        check(words[0] == "pendula", f"{words} is no command of pendula")
        check_options(words, helps)
        if words[1] == "run":
            check((ROOT / words[2]).is_file(), f"there is no {words[2]}")
            run("plan", words[2], "--no-time", *(words[3:-2] if "-o" in words else words[3:]))
            runs[pathlib.Path(words[-1 if "-o" in words else 2]).stem] = [
                words[2], *(word for i, word in enumerate(words) if words[i - 1] == "-s")]
        elif words[1] == "claims":
            check((ROOT / words[-1]).is_file(), f"there is no {words[-1]}")
        elif words[1] == "pairs":
            if "--plot" in words:
                words[words.index("--plot") + 1] = folder / "picture"
            if not shutil.which("gnuplot"):
                words = [word for i, word in enumerate(words)
                         if not {"--plot", "--pair"} & {word, words[i - 1]}]
            device = [] if "measured" in words else ["--problem", "none"]
            run(*words[1:], *device, "--force", "-o", folder / "table")
        elif words[1] == "spectrum":
            run(*words[1:], "--force", "-o", folder / "table")
        else:
            check(pathlib.Path(words[2]).stem in runs, f"{shlex.join(words)}: no run writes {words[2]}")
    check_sweeps(runs)


# --- section 1's table: theta under each criterion, and how far from it the choice by eye is

def check_pairs():
    rows = [line for line in TABLES if re.match(r"\| `[a-z_]+( -[^`]*)?` \| [^|]*%\)", line)]
    check(len(rows) == 9, f"{len(rows)} criteria in the table")
    for row in rows:
        criterion = row.split("`")[1]
        device = [] if criterion.startswith("measured") else ["--problem", "none"]
        printed = run("pairs", "generalized_alpha", "theta2", "--values", VALUES, "--criterion", *criterion.split(), *device,
                      "--format", "csv")
        thetas = [float(line["theta"]) for line in csv.DictReader(printed.splitlines())]
        cells = [f"{theta:#.4g} ({100 * (eye / theta - 1):+.0f} %)" for theta, eye in zip(thetas, BY_EYE)]
        expected = " | ".join([f"| `{criterion}`", *cells]) + " |"
        check(row == expected, f"the page has {row}, and not {expected}")
    text = run("pairs", "generalized_alpha", "theta2", "--values", VALUES, "--problem", "none")
    check("Equivalents exist for rho_inf from 0.1150" in text, "0.1150 is not where equivalents end")
    return rows


# --- all other figures: the rows of the ledger

def measure():
    path = folder / write("ledger.yaml", LEDGER[:LEDGER.index("\n  # n = 32:") + 1])
    rows = json.loads(run("claims", "--ledger", path, "--json", "-") or "[]")
    check(len(rows) >= 60, f"{len(rows)} rows are measured")
    run("claims", "--ledger", "docs/results/findings.yaml", "-d", "no such device", code=8)
    return rows


def check_figures(rows, criteria):
    page = " ".join(PAGE.split())
    for row in rows:
        check(row["verdict"] == "reproduced", f"{row['source']}: {row['claim']} {row['verdict']}: {row['measured']}")
        check(row["measured"] in page, f"{row['source']}: the page does not have: {row['measured']}")
    measured = {row["measured"] for row in rows}
    for line in TABLES:
        heading = PAGE.split(line)[1].startswith("\n|---")
        check(heading or line in measured or line in criteria or line.startswith("| 32 |"), f"nothing measures {line}")


check_commands()
criteria = check_pairs()
check_figures(measure(), criteria)
finish("all as stated")
