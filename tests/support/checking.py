# checking -- what checks written in Python share: the program, a folder of their own, what is wrong, what is skipped, and the end.
"""A check is a list of statements about the program. It begins with

    from checking import check, folder, main, need, pendula

    h5py, np = need("h5py", "numpy")

and ends with main(), which runs its functions and gives the exit status: 0 all as it should be, 1 something is not, 77 skipped.
The program is that of $PENDULA_PROGRAM, or build/pendula.
"""
import atexit
import csv
import fcntl
import importlib
import io
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import textwrap
import time
from typing import NamedTuple

ROOT = pathlib.Path(os.environ.get("PENDULA_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
SHIPPED = pathlib.Path(__file__).resolve().parents[2] / "sweeps"  # also where the program of another source is checked
PROGRAM = os.environ.get("PENDULA_PROGRAM") or str(ROOT / "build/pendula")
PROGRAM = os.path.abspath(shutil.which(PROGRAM) or PROGRAM)

# The check's own, removed at its end. The program runs in it.
folder = pathlib.Path(tempfile.mkdtemp(prefix="pendula-check-")).resolve()
atexit.register(shutil.rmtree, folder, ignore_errors=True)

failures = []


def check(fine, what, output=""):
    """A statement; `what` is printed where it is wrong, and the end of a program's output. Returns whether it is right.

    With CMOCKA_TEST_ABORT=1 the first that is wrong ends the check, as it ends a test program.
    """
    if not fine:
        failures.append(what)
        print(f"wrong: {what}"[:4000], *[output[-3000:]] if output else [], sep="\n", flush=True)
        if os.environ.get("CMOCKA_TEST_ABORT") == "1":
            sys.exit(1)
    return bool(fine)


def skip(why):
    """Ends the check, which needs what is not here: with 77, unless something was wrong before."""
    print(f"skipped: {why}")
    sys.exit(1 if failures else 77)


def need(*packages):
    """Imports packages, or skips the check; one package, or a list of them."""
    found = []
    for name in packages:
        try:
            found.append(importlib.import_module(name))
        except ImportError as error:
            skip(f"{error} (Debian: python3-{name.lower()})")
    return found[0] if len(found) == 1 else found


def need_program(name, package=None):
    """The path of a program of the machine, or skips the check; `package` is Debian's."""
    return shutil.which(name) or skip(f"{name} is not installed" + (f" (Debian: {package})" if package else ""))


def compilers():
    """The C compilers of the machine."""
    return [name for name in ("clang", "gcc", "cc") if shutil.which(name)]


def need_compiler():
    """Skips the check where the device `native` has no C compiler."""
    if not compilers():
        skip("no C compiler")


class Ended(NamedTuple):
    """How a program ended, and what it printed."""
    code: int
    out: str
    err: str

    @property
    def text(self):
        return self.out + self.err


def environment(**variables):
    """The check's own, with these; None takes one away."""
    changed = {**os.environ, **variables}
    return {name: str(value) for name, value in changed.items() if value is not None}


def preloaded(library, **variables):
    """Variables with which a library of the tests stands before the program's own (tests/shim, tests/faults)."""
    return {"LD_PRELOAD": ":".join(filter(None, [os.environ.get("LD_PRELOAD"), os.path.abspath(library)])), **variables}


def execute(words, text=None, seconds=None, cwd=None, limit=None, **variables):
    """Runs a program. text: its standard input; limit: a function called in the child, before it is the program. After so many seconds it
    is killed, and its exit status is None."""
    try:
        done = subprocess.run([str(word) for word in words], input=text, capture_output=True, encoding="utf-8", errors="replace",
                              timeout=seconds, cwd=cwd or folder, preexec_fn=limit, env=environment(**variables))
    except subprocess.TimeoutExpired:
        return Ended(None, "", f"it does not end within {seconds} s")
    return Ended(done.returncode, done.stdout, done.stderr)


def says(words, *parts, what="", code=0, **how):
    """Runs a program as `execute` does; it must end with `code` (None: any but 0) and print these words, among others. Returns what it
    prints."""
    done = execute(words, **how)
    missing = [part for part in parts if part not in done.text]
    fine = not missing and (done.code != 0 if code is None else done.code == code)
    check(fine, f"{what or ' '.join(map(str, words))}: exit {done.code}, not {code}; not said: {missing}", done.text)
    return done.text


def ended(*words, **how):
    """Runs pendula as `execute` does, however it ends."""
    return execute([PROGRAM, *words], **how)


def pendula(*words, code=0, **how):
    """Runs pendula as `execute` does; it must end with `code`."""
    done = ended(*words, **how)
    check(done.code == code, f"pendula {' '.join(map(str, words))}: exit {done.code}, not {code}: {done.err[-2000:]}")
    return done


def answer(*words, code=0, **how):
    """What pendula prints; where it must fail, its message."""
    done = pendula(*words, code=code, **how)
    return done.out if code == 0 else done.err


def parsed(*words, **how):
    """What pendula prints as JSON."""
    return json.loads(answer(*words, **how))


def csv_rows(*words, **how):
    """The rows that pendula prints with --format csv, each by the names of its columns."""
    return list(csv.DictReader(io.StringIO(answer(*words, "--format", "csv", **how))))


def listed(kind):
    """The cards of problems, methods or metrics, or the devices."""
    return parsed("list", kind, "--json")


def suits(method, problem):
    """Whether two cards meet: the problem has all that the method needs."""
    return set(method["needs"]) <= set(problem["provides"]) and (method["first_order"] or not problem["first_order"])


def refused(part, *words, code=2, **how):
    """Pendula prints nothing but one line of message, with these words in it, and ends with `code`. Returns the line."""
    done = pendula(*words, code=code, **how)
    check(part in done.err and done.err.count("\n") == 1 and not done.out,
          f"pendula {' '.join(map(str, words))}: not one line with '{part}': {done.err}{done.out}")
    return done.err


def option(name):
    """The word behind an option of the check; None without it."""
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None


def faked(shim, **fakes):
    """Variables with which tests/shim's library makes a device look or fail like another one; PENDULA_FAKE_ is left out of their names."""
    return preloaded(shim, **{f"PENDULA_FAKE_{name.upper()}": value for name, value in fakes.items()})


def start(*words, cwd=None, **variables):
    """Starts pendula; what it prints is read from its pipes."""
    return subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd or folder,
                            env=environment(**variables))


def on_terminal(*words, cwd=None, stdout=None, columns=None, **variables):
    """Runs pendula on a terminal of its own, of so many columns, but for what goes elsewhere by `stdout`: the exit status, and the bytes on
    the terminal."""
    ours, its = os.openpty()
    if columns:
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    child = subprocess.Popen([PROGRAM, *words], stdout=stdout or its, stderr=its, cwd=cwd or folder, env=environment(**variables))
    os.close(its)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # its other end is closed
        pass
    os.close(ours)
    return child.wait(), shown


def write(name, text):
    """A file of the folder; returns its name."""
    (folder / name).write_text(text, encoding="utf-8")
    return name


def remove(*patterns):
    """Removes files of the folder."""
    for path in [path for pattern in patterns for path in folder.glob(pattern)]:
        path.unlink()


def run(name, text, *words, device="reference", **how):
    """Writes NAME.yaml, and runs it into NAME.h5 in place of one that is there; `-d` and `-o` among the words go before."""
    output = () if "-o" in words else ("-o", f"{name}.h5")
    where = () if "-d" in words or device is None else ("-d", device)
    return pendula("run", write(f"{name}.yaml", text), *where, "--force", "--progress", "none", *output, *words, **how)


def interrupted(script, seconds=0, file=None):
    """Runs a text of Python, which prints a line when it has begun; Ctrl-C comes after so many seconds, and where a file is named, when it
    is there. Returns what is printed then, and the seconds until its first line."""
    child = subprocess.Popen([sys.executable, folder / write("interrupted.py", textwrap.dedent(script))], stdout=subprocess.PIPE, text=True,
                             cwd=folder, env=environment())
    child.stdout.readline()
    time.sleep(seconds)
    while file and not (folder / file).exists() and child.poll() is None:
        time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    begin = time.monotonic()
    first = child.stdout.readline()
    passed = time.monotonic() - begin
    return first + child.communicate()[0], passed


def h5(name):
    """The result file NAME.h5, opened to be read."""
    return need("h5py").File(folder / f"{name}.h5", "r")


def results(name, text, *words, **how):
    """Runs a sweep as `run` does, and opens its file."""
    run(name, text, *words, **how)
    return h5(name)


def log_of(name):
    """The events that NAME.h5.log holds."""
    return [json.loads(line) for line in (folder / f"{name}.h5.log").read_text().splitlines()]


def read(name, dataset):
    """The numbers of a dataset of NAME.h5."""
    with h5(name) as file:
        return file[dataset][()]


def place_of(name, dataset):
    """Where in NAME.h5 the numbers of a dataset begin."""
    with h5(name) as file:
        return file[dataset].id.get_offset()


def change(name, to, changes):
    """Writes NAME.h5 into TO.h5, with other bytes at some places: {place: bytes}."""
    data = bytearray((folder / f"{name}.h5").read_bytes())
    for place, new in changes.items():
        data[place:place + len(new)] = new
    (folder / f"{to}.h5").write_bytes(data)


def flip(name, place, to, bits=1):
    """Writes NAME.h5 into TO.h5, with other bits of one byte."""
    change(name, to, {place: bytes([(folder / f"{name}.h5").read_bytes()[place] ^ bits])})


def same_bytes(one, other, what):
    """Two files of the folder."""
    check((folder / one).read_bytes() == (folder / other).read_bytes(), f"{what}: {one} has not the bytes of {other}")


def run_in_shards(name, gone=()):
    """Runs NAME.yaml into NAME.h5, and in two shards, whose merged file must have its bytes.
      gone  files of the folder that are removed before they are merged"""
    words = ("run", f"{name}.yaml", "-d", "native", "--progress", "none", "-o")
    for shard in (0, 1):
        pendula(*words, f"{name}_{shard}.h5", "--shard", f"{shard}/2")
    pendula(*words, f"{name}.h5")
    for path in gone:
        (folder / path).unlink()
    pendula("merge", "-o", f"{name}_merged.h5", f"{name}_0.h5", f"{name}_1.h5")
    same_bytes(f"{name}_merged.h5", f"{name}.h5", "merged shards")


def finish(fine="all as it should be"):
    """Prints how many statements are wrong, or `fine`, and ends the check."""
    print(f"{len(failures)} wrong" if failures else fine)
    sys.exit(1 if failures else 0)


def main(*parts, fine="all as it should be"):
    """Runs the functions of a check, one after the other, and ends it."""
    for part in parts:
        part()
    finish(fine)
