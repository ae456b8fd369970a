# lists -- the lists of wrong programs in this folder: how they are read, what is made of them, which of them a campaign takes.
#
# README.md has the format of a list.
import argparse
import collections
import dataclasses
import functools
import glob
import hashlib
import os
import re

import operators

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))


@dataclasses.dataclass
class Edit:
    path: str
    old: str = ""
    new: str = ""
    occurrence: int = 0  # 0: the only one
    made: bool = False  # by an operator
    open: bool = False  # lines with '-', '+' and '=' say what it is


@dataclasses.dataclass
class Mutant:
    area: str
    title: str
    edit: Edit
    wrong: Edit = None  # a kernel that `conform` must refuse, which it does not do with the edit
    conform: list = dataclasses.field(default_factory=list)  # [sweep, KEY=VALUE, ...] each
    tests: list = dataclasses.field(default_factory=list)
    equivalent: str = ""

    def sibling(self, title, edit):
        """A mutant that the same checks find; '%' in them is the name of the file."""
        name = os.path.splitext(os.path.basename(edit.path))[0]
        return Mutant(self.area, title, edit, conform=[[word.replace("%", name) for word in words] for words in self.conform], tests=list(self.tests))

    def name(self):
        return f"{self.area}: {self.edit.path}{f':{self.line()}' if self.edit.made else ''}: {self.title}"

    def key(self):
        """The name without the number of the line."""
        return f"{self.area}: {self.edit.path}: {self.title}"

    def line(self):
        """The number of the first line that differs."""
        return os.path.commonprefix((text_of(self.edit.path), edited(self.edit))).count("\n") + 1


class ListError(Exception):
    pass


@functools.cache
def text_of(path):
    """The text of a file of the tree."""
    with open(os.path.join(TREE, path), encoding="utf-8") as file:
        return file.read()


@functools.cache
def made_of(text):
    """What each operator makes of a line: {operator: [(title, new line), ...]}."""
    return {name: [(f"{name} #{number}: {words}", new) for number, (new, words) in enumerate(edits.items(), 1)]
            for name, edits in operators.mutants(text).items()}


def read_made(shared, rest, where):
    """The mutants that 'LINE => OPERATOR #NUMBER ..., ...' names."""
    text, _, wanted = rest.rpartition(" => ")
    mutants = []
    for each in wanted.split(", "):
        name, *numbers = each.split(" #")
        made = made_of(text).get(name, [])
        chosen = [int(number) - 1 for number in numbers] or range(len(made))
        if not made or not 0 <= min(chosen) <= max(chosen) < len(made):
            raise ListError(f"{where}: '{name}' makes {len(made)} edits of '{text}', and no {each}")
        for title, new in (made[number] for number in chosen):
            mutants.append(shared.sibling(title, Edit(shared.edit.path, text, new, made=True)))
    return mutants


def read_hand(path, rest):
    """The edit 'OLD -> NEW', or 'OLD ->' where nothing takes its place; without an arrow lines follow that hold both."""
    old, arrow, new = f"{rest} ".partition(" -> ")
    return Edit(path, old, new[:-1]) if arrow else Edit(path, open=True)


def joined(text, line):
    """A text with one more line."""
    return f"{text}\n{line}" if text else line


def read_list(path):
    """The mutants of a list, in the format of README.md."""
    area = os.path.splitext(os.path.basename(path))[0]
    mutants, shared, entry, edits, replaces = [], Mutant(area, "", None), [], [], False  # entry: None behind 'file'
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        word, _, rest = line.partition(" ")
        where = f"{os.path.basename(path)}:{number}"
        if word == "#":
            continue
        if not line:
            shared, entry = Mutant(area, "", shared.edit), []
        elif word == "file":
            shared, entry = dataclasses.replace(shared, edit=Edit(rest)), None
        elif word in ("*", "@"):
            if not shared.edit:
                raise ListError(f"{where}: 'file' comes first")
            entry = read_made(shared, rest, where) if word == "@" else [shared.sibling(rest, read_hand(shared.edit.path, rest))]
            edits, replaces = [mutant.edit for mutant in entry], True
            mutants += entry
        elif word in ("conform", "tests") and entry is None:
            raise ListError(f"{where}: '{word}' comes before 'file', or behind '*' or '@'")
        elif word == "conform":
            for mutant in entry or [shared]:
                earlier = [] if entry and replaces else mutant.conform
                mutant.conform = [*earlier, re.split(r"\s+(?=[\w.]+=)", rest)]
            replaces = False
        elif word == "tests":
            for mutant in entry or [shared]:
                mutant.tests = rest.split()
        elif not entry:
            raise ListError(f"{where}: '*' or '@' comes before '{word}'")
        elif word == "wrong":
            edits = [read_hand(*rest.partition(" ")[::2])]
            for mutant in entry:
                mutant.wrong = edits[0]
        elif word == "equivalent":
            for mutant in entry:
                mutant.equivalent = rest
        elif word == "occurrence":
            for edit in edits:
                edit.occurrence = int(rest)
        elif word in ("-", "+", "=") and edits[0].open:
            if word != "+":
                edits[0].old = joined(edits[0].old, rest)
            if word != "-":
                edits[0].new = joined(edits[0].new, rest)
        else:
            raise ListError(f"{where}: '{word}' is no word of a list, or not here")
    return mutants


def read_lists():
    return [mutant for path in sorted(glob.glob(f"{HERE}/*.txt")) for mutant in read_list(path)]


def distinct(items):
    return [item for at, item in enumerate(items) if item not in items[:at]]


def more_of(mutants):
    """What the operators that are named for a line make of it further. The checks of the line come first, then those of its file."""
    known = {(m.edit.path, edited(m.edit)) for m in mutants}
    lines = {}
    for mutant in mutants:
        if mutant.edit.made and not mutant.wrong:
            lines.setdefault((mutant.area, mutant.edit.path, mutant.edit.old), []).append(mutant)
    more = []
    for (area, path, text), here in lines.items():
        checks = here + [m for m in mutants if (m.area, m.edit.path) == (area, path) and not m.wrong]
        conform = distinct([each for m in checks for each in m.conform])
        tests = distinct([each for m in checks for each in m.tests])
        for name in distinct([m.title.partition(" #")[0] for m in here]):
            for title, new in made_of(text)[name]:
                edit = dataclasses.replace(here[0].edit, new=new)
                if (path, edited(edit)) not in known:
                    known.add((path, edited(edit)))
                    more.append(Mutant(area, title, edit, conform=conform, tests=tests))
    return more


def edited(edit):
    """The text of the file with the edit."""
    parts = text_of(edit.path).split(edit.old) if edit.old else [text_of(edit.path)]
    found = len(parts) - 1
    if found < max(edit.occurrence, 1) or (found > 1 and not edit.occurrence):
        raise ListError(f"{edit.path}: {found} times, not once: {edit.old!r}")
    if edit.old == edit.new:
        raise ListError(f"{edit.path}: nothing is changed: {edit.old!r}")
    at = max(edit.occurrence, 1)
    return edit.old.join(parts[:at]) + edit.new + edit.old.join(parts[at:])


def choose(options):
    mutants = read_lists()
    for name, count in collections.Counter(m.name() for m in mutants).items():
        if count > 1:
            raise ListError(f"twice: {name}")
    for mutant in mutants:  # also those that are not run: a list that no longer fits is known before anything runs
        edited(mutant.edit)
        if mutant.wrong:
            edited(mutant.wrong)
    if options.more:
        mutants = more_of(mutants)
    if options.only:
        areas = options.only.split(",")
        mutants = [m for m in mutants if m.area in areas] or [m for m in mutants if options.only in m.name()]
        if not mutants:
            raise ListError(f"no area and no mutant is called '{options.only}'")
    if options.turn:
        taken, parts = options.turn
        mutants = [m for m in mutants if part_of(m.key(), parts) == taken]
    return mutants


def part_of(key, parts):
    """The part of so many that a mutant belongs to, by its key alone: another mutant and other lines change nothing of it."""
    return int(hashlib.sha256(key.encode()).hexdigest()[:8], 16) % parts


def read_turn(text):
    """HASH/N: the part that a hexadecimal number, such as the hash of a commit, chooses of N."""
    found = re.fullmatch(r"([0-9a-f]+)/([1-9][0-9]*)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' is not HASH/N")
    return int(found[1][:8], 16) % int(found[2]), int(found[2])
