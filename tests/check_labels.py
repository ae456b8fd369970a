# check_labels -- tests/labels.txt, from which CTest has the labels of the tests: known words, of tests that are there.
import re

from checking import check, finish, ROOT

TESTS = ROOT / "tests"
WORDS = ["long", "full", "device", *(f"turn_{n}" for n in range(12)), *(f"sanitized_{n}" for n in range(6)), "first", "quick_compiler",
         "any_compiler"]
CAMPAIGNS = {"conform_turn", "fault_campaign"}  # each run of the gate takes a part of their walks


def names():
    """The tests that are there: those with a file of their own, and those that CMake adds by name."""
    files = {re.sub("^(test|check)_", "", path.stem) for pattern in ("*/test_*.c", "check_*.py", "*/check_*.py")
             for path in TESTS.glob(pattern)}
    return files | set(re.findall(r"add_test\(NAME (\w+)", (TESTS / "CMakeLists.txt").read_text(encoding="utf-8")))


rows = [line.split() for line in (TESTS / "labels.txt").read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
check([name for name, *_ in rows] == sorted({name for name, *_ in rows}), "the lines are not sorted by name, or a test has two")
here = names()
for name, *words in rows:
    unknown = [word for word in words if word not in WORDS]
    check(not unknown, f"{name}: {unknown} are no words")
    check(unknown or words == [word for word in WORDS if word in words], f"{name}: the words are not in order, or one is there twice")
    check(name in here, f"{name}: there is no such test")
    turns, sanitized = (sum(word.startswith(part) for word in words) for part in ("turn", "sanitized"))
    wanted = int("long" in words and name not in CAMPAIGNS)
    check(turns == wanted, f"{name}: {turns} turns: a long test has one, and another none")
    check(sanitized <= 1 - ("device" in words), f"{name}: it is not run with sanitizers, or in two sixths")
    check("quick_compiler" not in words or "any_compiler" not in words, f"{name}: two compilers")
compiled = {name for name, *words in rows if {"quick_compiler", "any_compiler"} & set(words)}
for path in TESTS.glob("*/check_*.py"):
    if "need_compiler()" in path.read_text(encoding="utf-8"):
        check(path.stem.removeprefix("check_") in compiled, f"{path.name}: it needs a compiler, and labels.txt gives it none")
finish(f"{len(rows)} lines")
