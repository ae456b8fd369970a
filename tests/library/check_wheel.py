# check_wheel -- Python's wheel: what its library needs and exports, sweeps by it with and without OpenCL, and `pip install`.
import json
import os
import pathlib
import re
import shlex
import shutil
import sys
import zipfile

from checking import check, execute, folder, main, need, need_compiler, need_program, PROGRAM, ROOT, skip, write
from readme import block, PLOT, TEN_LINES
from symbols import LISTED

need("numpy")
for program in ("cmake", "cc", "nm", "readelf"):
    need_program(program)
need_compiler()
BUILD = pathlib.Path(PROGRAM).parent
LIBRARY = BUILD / "wheel/libpendula.so"
NOTHING = folder / "nothing"  # no program, and a libOpenCL without functions
NOTHING.mkdir()
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


def swept(library, *words, **variables):
    """Platforms of the devices, and label -> array -> hash; or the code and the text of an error."""
    write("sweep.py", SCRIPT)
    return json.loads(done([sys.executable, folder / "sweep.py", *words], f"a sweep by {library}", PENDULA_LIBRARY=library,
                           PYTHONPATH=ROOT / "host/python", **variables) or "[[], {}]")


def check_library():
    """It exports the functions of pendula.h, and needs the C library and nothing else."""
    done(["cmake", "--build", BUILD, "--target", "pendula_wheel"], "pendula_wheel")
    exported = re.findall(r" [A-TV-Zi] (\S+)$", done(["nm", "-D", "--defined-only", LIBRARY], "nm"), re.M)
    check(sorted(exported) == LISTED, f"exported, and not listed or the other way round: {set(exported) ^ set(LISTED)}")
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
    done(["cc", "-shared", "-o", NOTHING / "libOpenCL.so.1", "-x", "c", "/dev/null"], "cc")
    found, result = swept(LIBRARY, LD_LIBRARY_PATH=NOTHING)
    check(set(found) == {"native"} and result == expected, f"no libOpenCL: native computes on {found}")
    found, (code, text) = swept(LIBRARY, LD_LIBRARY_PATH=NOTHING, PENDULA_CC="none")
    check(found == [] and code == 8 and "\n" not in text and "libOpenCL.so.1" in text and "gcc" in text, f"nothing at all: {code}: {text}")
    # A program beside the package, where pip puts ziglang's.
    for name in ("pendula", "ziglang"):
        (folder / "packages" / name).mkdir(parents=True)
    shutil.copy(LIBRARY, folder / "packages/pendula")
    program = folder / "packages/ziglang/zig"
    program.write_text(f'#!/bin/sh\n[ "$1" = cc ] && [ -d "${{ZIG_GLOBAL_CACHE_DIR%/zig}}" ] && shift && exec {shutil.which("clang")} "$@"\n')
    program.chmod(0o755)
    if shutil.which("clang"):
        found, result = swept(folder / "packages/pendula/libpendula.so", LD_LIBRARY_PATH=NOTHING, PATH=NOTHING)
        check(found == ["native"] and result == expected, f"a compiler beside the package: {found} {result}")
    check(isinstance(swept(LIBRARY, "reference", LD_LIBRARY_PATH=NOTHING, PENDULA_CC="none")[1], dict), "the reference, by LAPACK inside")


def assemble(version):
    """A wheel of the library that the build installs, and of the package."""
    tree = folder / "tree"
    done(["cmake", "--install", BUILD, "--component", "wheel", "--prefix", tree], "cmake --install --component wheel")
    shutil.copytree(ROOT / "host/python/pendula", tree / "pendula", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    about = {"METADATA": f"Metadata-Version: 2.1\nName: pendula\nVersion: {version}\n",
             "WHEEL": "Wheel-Version: 1.0\nGenerator: check_wheel\nRoot-Is-Purelib: false\nTag: py3-none-any\n", "RECORD": ""}
    with zipfile.ZipFile(folder / f"pendula-{version}-py3-none-any.whl", "w") as wheel:
        for path in (path for path in tree.rglob("*") if path.is_file()):
            wheel.write(path, path.relative_to(tree))
        for name, text in about.items():
            wheel.writestr(f"pendula-{version}.dist-info/{name}", text)


def check_pip():
    """README's commands make one wheel for all Pythons and install it; its ten lines run by that alone, without OpenCL and without a
    compiler but the one that pip brings, and give the bits of another compiler. Where pip gets nothing, by a wheel with the same files."""
    home = {"HOME": folder, "PIP_RETRIES": 0, "PIP_DEFAULT_TIMEOUT": 10, "PYTHONPATH": None, "PENDULA_LIBRARY": None,
            "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}", "CMAKE_BUILD_PARALLEL_LEVEL": len(os.sched_getaffinity(0))}
    version = re.search(r"project\(pendula VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
    builder = re.search(r'requires = \["([^"]+)"\]', (ROOT / "pyproject.toml").read_text(encoding="utf-8")).group(1)
    python = folder / "pendula/bin/python"
    if execute([sys.executable, "-m", "venv", python.parents[1]]).code != 0:
        print("not looked at: pip (Debian: python3-venv)")
        return
    reached = execute([python, "-m", "pip", "download", "--no-deps", "--dest", "got", builder], **home).code == 0
    make, install = block("", "pip wheel").splitlines()
    check(make.endswith("pip wheel --no-deps ."), f"README makes the wheel by {make}")
    if reached:
        done(["sh", "-eu", write("make", f"{make[:-1]}{shlex.quote(str(ROOT))}")], "README's first line", **home)
    else:
        print(f"not looked at: `pip wheel`; pip does not get {builder}")
        done([sys.executable, "-m", "venv", "--system-site-packages", python.parents[1]], "python3 -m venv")
        assemble(version)
        install = f'~/pendula/bin/pip install --no-index --no-deps pendula-{version}-py3-none-any.whl'
    wheels = list(folder.glob("*.whl"))
    if not check(len(wheels) == 1, f"wheels that were made: {wheels}"):
        return
    [wheel] = wheels
    check(wheel.name.startswith(f"pendula-{version}-py3-none-"), f"the wheel is {wheel.name}")
    names = zipfile.ZipFile(wheel).namelist()
    check({"pendula/libpendula.so", "pendula/__init__.py", "pendula/py.typed"} <= set(names), f"the wheel has {names}")
    check(not [name for name in names if not name.startswith(("pendula/", "pendula-"))], f"the wheel has {names}")
    done(["sh", "-eu", write("install", install)], "README's second line", **home)
    lines = TEN_LINES if reached else TEN_LINES.replace(PLOT, "")
    write("lines.py", lines + "import hashlib\nfor label in result:\n    for name in result[label]:\n"
                              "        print(label, name, hashlib.sha256(result[label][name].tobytes()).hexdigest())\n")
    alone = {"PATH": NOTHING, "LD_LIBRARY_PATH": NOTHING, "MPLBACKEND": "Agg"} if reached else {}
    said = done([python, "lines.py"], "README's ten lines by the wheel", PENDULA_DEVICE="native", **{**home, **alone})
    # The same numpy: another version's geomspace has other last bits.
    check(said == done([python, "lines.py"], "README's ten lines", PENDULA_DEVICE="native", PENDULA_LIBRARY=BUILD / "libpendula.so",
                       PYTHONPATH=ROOT / "host/python", MPLBACKEND="Agg") and said.count("\n") >= 10, f"by the wheel they give something else:\n{said}")


main(check_library, check_devices, check_pip)
