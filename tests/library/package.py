# package -- the Python package with the library of the build, for the checks of this folder; they are skipped where it is not built.
import os
import pathlib
import sys

from checking import need, PROGRAM, ROOT, skip

np = need("numpy")
LIBRARY = pathlib.Path(os.environ.setdefault("PENDULA_LIBRARY", str(pathlib.Path(PROGRAM).parent / "libpendula.so")))
if not LIBRARY.exists():
    skip("the library is not built")
# For the check, and for programs that it starts.
os.environ["PYTHONPATH"] = str(ROOT / "host/python")
sys.path.insert(0, os.environ["PYTHONPATH"])
import pendula  # noqa: E402, F401
