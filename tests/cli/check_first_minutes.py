# check_first_minutes -- what a newcomer's machine may lack or have otherwise: each works, or one line says what to do.
#
#   check.py first_minutes --shim SHIM
#
# Drivers, double precision, compilers, gnuplot, a terminal and its width, the language, names of folders, HOME, and a folder for
# temporary files that two users share. File systems without locks are looked at by check_locks.
import csv
import os
import pathlib
import shutil
import sys

from checking import (check, compilers, ended, execute, faked, folder, main, on_terminal, option, pendula, PROGRAM, refused, ROOT, write)

SHIM = option("--shim")
SWEEP = """problem: elastic_pendulum_polar
parameters: {eps: {log: [1.0e-2, 1.0e-1, 5]}}
methods: [{theta2: {theta: [0.07, 0.5]}}]
step: 0.05
end: 5
metrics: [status, updates, energy_drift]
trajectory: {every: 10}
"""
# A system of formulas, whose numbers are written into a kernel.
OWN = """problem: {coordinates: [x], acceleration: ["-w^2*x - 2*z*w*v_x + 0.125*sin(1.5*t)"], start: [x0], parameters: {w: 1.25, z: 0.05, x0: 0.5}}
parameters: {w: [0.5, 1.25]}
methods: [theta2]
step: 0.05
end: 2
metrics: [x_max, x_final]
"""
RUN = ("run", "sweep.yaml", "--force", "--progress", "none")
CLEAN = {"PENDULA_DEVICE": None, "PENDULA_PROGRESS": None}
NONE = folder / "no drivers"
TOOLS = folder / "tools"  # a PATH without compilers and gnuplot
COMPILER = "C compiler"


def begin():
    write("sweep.yaml", SWEEP)
    NONE.mkdir()
    TOOLS.mkdir()
    if shutil.which("ld"):  # PoCL links its kernels by it
        (TOOLS / "ld").symlink_to(shutil.which("ld"))
    pendula(*RUN, "-o", "expected.h5", **CLEAN)


def same(name, what):
    """A result file has the bytes of the one that this machine makes as it is."""
    check((folder / name).read_bytes() == (folder / "expected.h5").read_bytes(), f"{what}: other bytes")


def no_driver():
    """A compiler stands in; without it one line names both."""
    nothing = {**CLEAN, "OCL_ICD_VENDORS": NONE, "OCL_ICD_FILENAMES": None}
    if compilers():
        pendula(*RUN, **nothing, PENDULA_CC=None)
        same("sweep.h5", "no driver")
    message = refused("no OpenCL device", *RUN, code=8, **nothing, PENDULA_CC=None, PATH=TOOLS)
    check("compiler" in message and "pocl-opencl-icd" in message, f"neither driver nor compiler: {message}")
    check("nowhere" in pendula("doctor", code=8, **nothing, PENDULA_CC=None, PATH=TOOLS).out, "the report without a device")


def no_double():
    """One line says which key to set, and with it the sweep runs."""
    single = {**CLEAN, **faked(SHIM, fp64=0), "PENDULA_CC": None, "PATH": TOOLS}
    message = refused("no device has double precision", *RUN, code=8, **single)
    check("precision: single" in message, f"no double precision: {message}")
    pendula(*RUN, "-s", "precision=single", **single)


def no_compiler():
    """OpenCL computes, and prints nothing of its own compiler's; `native` says what it lacks."""
    bare = {**CLEAN, "PENDULA_CC": None, "PATH": TOOLS}
    done = pendula(*RUN, "--quiet", **bare, PENDULA_CACHE_DIR=folder / "cold", POCL_CACHE_DIR=folder / "cold too")
    check(done.text == "", f"a compiler's words: {done.text}")
    same("sweep.h5", "no compiler")
    message = refused(COMPILER, *RUN, "-d", "native", code=8, **bare)
    check("gcc" in message or "clang" in message, f"no compiler: {message}")


def no_gnuplot():
    """The script is left, and a line says how to draw it. The report is made all the same."""
    message = refused("install the package gnuplot-nox, or run `gnuplot bare_map_updates.gp` elsewhere", "plot", "expected.h5", "--metric", "updates",
                      "-o", "bare", code=3, PATH=TOOLS)
    check((folder / "bare_map_updates.gp").exists() and not list(folder.glob("bare*.png")), f"plot without gnuplot: {message}")
    done = ended("report", "expected.h5", "-o", "bare.html", PATH=TOOLS)
    check(done.code == 0 and (folder / "bare.html").exists(), f"report without gnuplot: {done}")


def no_terminal():
    """No controls of a terminal, and nothing is asked: standard input may be closed."""
    for words in (RUN[:3], ("info", "expected.h5"), ("list", "methods"), ("help",), ("help", "run"), ("plan", "sweep.yaml", "--no-time")):
        done = ended(*words, **CLEAN, TERM=None, limit=lambda: os.close(0))
        check(done.code == 0 and not set(done.text) & {"\x1b", "\r", "\b"}, f"{words} without a terminal: exit {done.code}: {done.text!r}"[:600])


def narrow_terminal():
    """The line of progress stays in one row; all is said in the end."""
    for columns in (40, 200):
        code, shown = on_terminal(*RUN[:3], "-s", "end=2000", columns=columns, **CLEAN)
        rows = [row for row in shown.decode().replace("\r\n", "\n").split("\n")[0].split("\r") if row]
        check(code == 0 and len(rows) >= 2 and "10/10 points" in rows[-1], f"{columns} columns: exit {code}: {rows}")
        check(all(len(row) < columns for row in rows[:-1]), f"{columns} columns: {[row for row in rows if len(row) >= columns]}")
    for words in (("help",), ("list", "devices"), ("info", "expected.h5")):
        code, shown = on_terminal(*words, columns=40, **CLEAN, COLUMNS=40)
        check(code == 0 and shown, f"{words} in a narrow terminal: exit {code}")


# --- a language that writes 0,5

def comma():
    """Variables with such a language, made here of its numbers alone; None where this machine makes no languages."""
    write("comma.src", 'LC_CTYPE\ncopy "POSIX"\nEND LC_CTYPE\nLC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n')
    if shutil.which("localedef"):
        execute(["localedef", "-c", "-i", "comma.src", "-f", "ANSI_X3.4-1968", folder / "languages/comma"], limit=lambda: (folder / "languages").mkdir(exist_ok=True))
    return {"LOCPATH": folder / "languages", "LC_ALL": "comma", "LANG": None, "LANGUAGE": None} if (folder / "languages/comma/LC_NUMERIC").exists() else None


PROGRAM_IN_PYTHON = """
import locale, sys
if sys.argv[2] == "comma":
    locale.setlocale(locale.LC_ALL, "")
    assert locale.localeconv()["decimal_point"] == ",", locale.localeconv()
import numpy as np, pendula
for device in ("reference", None):
    for name in sys.argv[3:]:
        sweep = pendula.Sweep.from_file(f"{name}.yaml")
        result = sweep.run(device=device)
        for key in ("updates", "energy_drift") if name == "sweep" else ("x_max", "x_final"):
            print(device, name, key, np.asarray(result["theta2"][key]).tobytes().hex())
        result.save(f"{sys.argv[1]}_{name}_{device}.h5")
for wrong in ("parameters: {eps: -0.5}", "step: 0.3e", "parameters: {eps: {log: [0.5, 0.25, 3.5]}}"):
    try:
        pendula.Sweep.from_yaml("problem: elastic_pendulum_polar\\nmethods: [rk4]\\nend: 1.5\\n" + ("" if "step" in wrong else "step: 0.5\\n") + wrong).run()
    except pendula.Error as error:
        print(error)
print(pendula.spectrum("theta2", omega_h=[0.5]))
print(len(pendula.list_methods()), pendula.list_devices() != [])
"""


def language():
    """The program reads and writes numbers as ever, and so does the library in a program that has taken the language."""
    variables = comma()
    if not variables:
        return print("skipped: no localedef, or it has no POSIX (Debian: locales)")
    write("own.yaml", OWN)
    for words in (RUN, ("export", "expected.h5"), ("info", "expected.h5", "--stats"), ("show", "theta2"), ("spectrum", "theta2", "--omega-h", "0.5")):
        one, other = pendula(*words, **CLEAN), pendula(*words, **CLEAN, **variables)
        check(words is RUN or one.out == other.out, f"{words}: what it prints depends on the language")
    same("sweep.h5", "a language with commas")
    library = pathlib.Path(PROGRAM).parent / "libpendula.so"
    try:
        import numpy  # noqa: F401
    except ImportError:
        return print("skipped: no numpy, so no library in another language")
    if not library.exists():
        return print("skipped: the library is not built")
    write("program.py", PROGRAM_IN_PYTHON)
    sweeps = ["sweep", "own"] if compilers() else ["sweep"]  # the reference compiles formulas
    said = {}
    for name, more in (("point", {}), ("comma", variables)):
        done = execute([sys.executable, "program.py", name, name, *sweeps], **CLEAN, PENDULA_LIBRARY=library, PYTHONPATH=ROOT / "host/python", PENDULA_CACHE_DIR="none",
                       PENDULA_CC=None, **more)
        check(done.code == 0, f"the library with {name}s: exit {done.code}", done.text)
        said[name] = done.out
    check(said["point"] == said["comma"] and "-0.5 is too small" in said["comma"], "the library depends on the language", said["comma"])
    for name in sweeps:
        for device in ("reference", "None"):
            files = [folder / f"{which}_{name}_{device}.h5" for which in ("point", "comma")]
            check(all(file.exists() for file in files) and files[0].read_bytes() == files[1].read_bytes(), f"{name} on {device}: files differ")


# --- places

def names():
    """Blanks, quotes and letters beyond ASCII in every path that the program uses."""
    place = folder / "größe des 'Pendels' 日本"
    for part in ("", "cache", "config", "temporary"):
        (place / part).mkdir(mode=0o700)
    (place / "mein täst.yaml").write_text(SWEEP, encoding="utf-8")
    there = {**CLEAN, "cwd": place, "PENDULA_CACHE_DIR": place / "cache", "TMPDIR": place / "temporary", "HOME": place, "XDG_CONFIG_HOME": place / "config",
             "PENDULA_CC": None}
    for device in ([], ["-d", "native"] if compilers() else []):
        pendula("run", "mein täst.yaml", "--force", "--progress", "none", *device, **there)
        check((place / "mein täst.h5").read_bytes() == (folder / "expected.h5").read_bytes(), f"{device}: other bytes")
    check(list((place / "cache").iterdir()) != [], "no kernel in the cache")
    for words in (["info"], ["verify"], ["report"], ["pack", "-o", "gepäckt.h5"], ["replay", "--point", "3", "-d", "reference"]):
        pendula(words[0], "mein täst.h5", *words[1:], **there)
    rows = list(csv.reader(pendula("export", "mein täst.h5", **there).out.splitlines()))
    check(len(rows) == 11, f"export: {len(rows)} rows")
    pendula("plot", "mein täst.h5", "--metric", "updates", **there)
    if shutil.which("gnuplot"):
        pictures = list(place.glob("mein täst*.png"))
        check(pictures and all(picture.read_bytes().startswith(b"\x89PNG") for picture in pictures), f"pictures: {pictures}")


def no_home():
    """Kernels are not kept, and that is all: HOME is not set, empty, or cannot be written."""
    (folder / "read only").mkdir(mode=0o500)
    for home in (None, "", "/proc/nowhere", folder / "read only"):
        pendula(*RUN, **CLEAN, HOME=home, XDG_CACHE_HOME=None, XDG_CONFIG_HOME=None, PENDULA_CACHE_DIR=None)
        same("sweep.h5", f"HOME={home}")
    done = ended("doctor", **CLEAN, HOME=None, XDG_CACHE_HOME=None, PENDULA_CACHE_DIR=None)
    check(done.code == 0 and "cache           none" in done.out, f"the report without HOME: {done.out}")


def two_users():
    """They share the folder for temporary files, and neither takes what the other left there."""
    if os.geteuid() != 0:
        return print("skipped: two users need a superuser to become them")
    shared = folder / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    folder.chmod(0o755)
    program = shutil.copy(PROGRAM, folder / "program")  # where both can reach it

    def become(user):
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)

    for user in (65001, 65002, 65001):
        mine = folder / f"user {user}"
        mine.mkdir(exist_ok=True)
        os.chown(mine, user, user)
        (mine / "sweep.yaml").write_text(SWEEP)
        for device in ([], ["-d", "native"] if compilers() else []):
            done = execute([program, *RUN, *device], cwd=mine, limit=lambda: become(user), **CLEAN, TMPDIR=shared, HOME=mine, PENDULA_CACHE_DIR=None,
                           XDG_CACHE_HOME=None, XDG_CONFIG_HOME=None, PENDULA_CC=None)
            check(done.code == 0 and (mine / "sweep.h5").read_bytes() == (folder / "expected.h5").read_bytes(), f"user {user} {device}: exit {done.code}", done.text)
    check(list(shared.iterdir()) == [], f"left in the shared folder: {list(shared.iterdir())}")


main(begin, no_driver, no_double, no_compiler, no_gnuplot, no_terminal, narrow_terminal, language, names, no_home, two_users,
     fine="a newcomer's machine may lack each of these")
