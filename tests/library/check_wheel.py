# check_wheel -- Python's wheel: what its library needs and exports, sweeps by it with and without OpenCL, and `pip install`.
import json
import os
import pathlib
import re
import sys
import zipfile

from checking import check, execute, folder, main, need, need_compiler, need_program, PROGRAM, ROOT, skip, write

need("numpy")
for program in ("cmake", "cc", "nm", "readelf"):
    need_program(program)
need_compiler()
BUILD = pathlib.Path(PROGRAM).parent
LIBRARY = BUILD / "wheel/libpendula.so"
if "pendula_wheel" not in execute(["cmake", "--build", BUILD, "--target", "help"]).out:
    skip("HDF5, libyaml, LAPACK or zlib is not installed as an archive")

# The sweep of docs/library.md; prints the devices, the first points of each group, and a hash of all bits.
SCRIPT = """
import hashlib, json, sys
import numpy as np, pendula
sweep = pendula.Sweep(problem="elastic_pendulum_polar", parameters={"eps": np.geomspace(1e-5, 1e-1, 41)},
                      methods={"generalized_alpha": {"rho_inf": [0.3, 0.6, 0.9]}, "theta2": {"theta": np.linspace(0, 1, 21)}},
                      step=0.05, end=5, metrics=["updates", "energy_drift", "x_final"])
try:
    result = sweep.run(device=sys.argv[1] if len(sys.argv) > 1 else None)
    result = {label: {name: hashlib.sha256(result[label][name].tobytes()).hexdigest() for name in result[label]} for label in result}
except pendula.Error as error:
    result = [error.code, str(error)]
print(json.dumps([[device["platform"] for device in pendula.list_devices()], result]))
"""


def done(words, what, **how):
    ended = execute(words, **how)
    check(ended.code == 0, f"{what}: exit {ended.code}: {ended.text[-3000:]}")
    return ended.out


def swept(library, *words, python=sys.executable, **variables):
    """Platforms of the devices, and label -> array -> hash; or the code and the text of an error."""
    write("sweep.py", SCRIPT)
    path = {} if library is None else {"PENDULA_LIBRARY": library, "PYTHONPATH": ROOT / "host/python"}
    return json.loads(done([python, folder / "sweep.py", *words], f"a sweep by {library}", **path, **variables) or "[[], {}]")


def check_library():
    """It exports the functions of pendula.h, and needs the C library and nothing else."""
    done(["cmake", "--build", BUILD, "--target", "pendula_wheel"], "pendula_wheel")
    listed = (ROOT / "tests/library/symbols.txt").read_text(encoding="utf-8").split()
    exported = re.findall(r" [A-TV-Zi] (\S+)$", done(["nm", "-D", "--defined-only", LIBRARY], "nm"), re.M)
    check(sorted(exported) == listed, f"exported, and not listed or the other way round: {set(exported) ^ set(listed)}")
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", done(["readelf", "-d", LIBRARY], "readelf")))
    check(needed <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}, f"it needs {needed}")
    check(LIBRARY.stat().st_size < 10e6, f"it has {LIBRARY.stat().st_size} bytes")


def check_devices():
    """With libOpenCL, without a driver, without libOpenCL, and without a compiler: the same bits, or one line that helps."""
    platforms, expected = swept(BUILD / "libpendula.so", "native")
    check(isinstance(expected, dict) and set(expected) == {"generalized_alpha", "theta2"}, f"by the program's library: {expected}")
    check(swept(LIBRARY) == swept(BUILD / "libpendula.so") and swept(LIBRARY, "native") == [platforms, expected], "another library, other bits")
    check(swept(LIBRARY, OCL_ICD_VENDORS="/nowhere")[1] == expected, "no driver: native computes")
    # A libOpenCL that has no functions is none.
    done(["cc", "-shared", "-o", "libOpenCL.so.1", "-x", "c", "/dev/null"], "cc")
    found, result = swept(LIBRARY, LD_LIBRARY_PATH=folder)
    check(set(found) == {"native"} and result == expected, f"no libOpenCL: native computes on {found}")
    found, (code, text) = swept(LIBRARY, LD_LIBRARY_PATH=folder, PENDULA_CC="none")
    check(found == [] and code == 8 and "\n" not in text and "libOpenCL.so.1" in text and "gcc" in text, f"nothing at all: {code}: {text}")
    check(isinstance(swept(LIBRARY, "reference", LD_LIBRARY_PATH=folder, PENDULA_CC="none")[1], dict), "the reference, by LAPACK inside")


def check_pip():
    """`pip install` from the sources makes one wheel for all Pythons, which runs where nothing else of this tree is in reach."""
    place = folder / "place"
    if execute([sys.executable, "-m", "venv", "--system-site-packages", place]).code != 0:
        print("not looked at: pip (Debian: python3-venv)")
        return
    python = place / "bin/python3"
    builder = re.search(r'requires = \["([^"]+)"\]', (ROOT / "pyproject.toml").read_text(encoding="utf-8")).group(1)
    if execute([python, "-m", "pip", "install", "--timeout", "10", "--retries", "0", builder]).code != 0:
        print(f"not looked at: pip does not get {builder}")
        return
    done([python, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", folder, ROOT], "pip wheel",
         CMAKE_BUILD_PARALLEL_LEVEL=len(os.sched_getaffinity(0)))
    [wheel] = folder.glob("*.whl")
    version = re.search(r"project\(pendula VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
    check(wheel.name.startswith(f"pendula-{version}-py3-none-"), f"the wheel is {wheel.name}")
    names = zipfile.ZipFile(wheel).namelist()
    check({"pendula/libpendula.so", "pendula/__init__.py", "pendula/py.typed"} <= set(names), f"the wheel has {names}")
    check(not [name for name in names if not name.startswith(("pendula/", "pendula-"))], f"the wheel has {names}")
    done([python, "-m", "pip", "install", "--no-deps", wheel], "pip install")
    check(swept(None, python=python, PYTHONPATH=None, PENDULA_LIBRARY=None) == swept(LIBRARY), "installed by pip it gives something else")


main(check_library, check_devices, check_pip)
