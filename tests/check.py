#!/usr/bin/env python3
# check -- runs a check by its name, as CTest does: `python3 tests/check.py export` runs tests/cli/check_export.py.
#
#   check.py NAME [WORD...]     WORD: what the check takes
#
# Checks import the modules of tests/support, and those of their own folder, by their names.
import pathlib
import runpy
import sys

HERE = pathlib.Path(__file__).resolve().parent


def main(name="", *words):
    checks = {path.stem.removeprefix("check_"): path for pattern in ("check_*.py", "*/check_*.py") for path in HERE.glob(pattern)}
    if name not in checks:
        print(f"check: no check is called '{name}'; there are {', '.join(sorted(checks))}", file=sys.stderr)
        return 2
    sys.argv = [str(checks[name]), *words]
    sys.path[:1] = [str(checks[name].parent), str(HERE / "support")]
    sys.dont_write_bytecode = True
    runpy.run_path(sys.argv[0], run_name="__main__")


sys.exit(main(*sys.argv[1:]))
