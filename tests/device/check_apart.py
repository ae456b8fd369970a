# check_apart -- kernels of several groups are compiled by several processes, and a run is the same whether they work or not.
#
# The compiler of the device `native` is a script that writes down who calls it: the run itself, or a process that it has started.
import os
import signal
import sys
import time

from checking import check, compilers, ended, folder, listed, main, need_compiler, pendula, refused, start, write

need_compiler()

WORD = "compile-kernel"
SWEEP = write("sweep.yaml", "problem: pendulum\nparameters: {x0: {linear: [0.1, 2, 40]}}\nmethods: [rk4, theta2, generalized_alpha: {rho_inf: 0.6}]\n"
              "step: 0.01\nsteps: 50\n")
PROCESSES = folder / "processes"
LIBRARY = "-shared"  # which a compiler is asked for a kernel, and not for what it is


def compiler(name, then):
    """A script that notes the command line of its parent where it compiles a kernel, and then does what is said."""
    path = folder / name
    path.write_text(f"""#!{sys.executable}
import os, sys
parent = open(f"/proc/{{os.getppid()}}/cmdline", "rb").read().split(b"\\0")
apart = {WORD.encode()} in parent
if "{LIBRARY}" in sys.argv:
    with open("{PROCESSES}", "a") as file:
        file.write(f"{{'process' if apart else 'run'}} {{os.getppid()}}\\n")
{then}
os.execvp("{compilers()[0]}", ["{compilers()[0]}", *sys.argv[1:], "-O0"])
""")
    path.chmod(0o755)
    return path


def one_core():
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])


def count_folders(*words, **variables):
    """Runs pendula; the most private folders that were there at a time, one of each process that compiles."""
    places = folder / "places"
    places.mkdir(mode=0o700, exist_ok=True)
    child, most = start(*words, TMPDIR=places, **variables), 0
    while child.poll() is None:
        most = max(most, len([place for place in places.iterdir() if place.name.startswith("pendula-driver-")]))
        time.sleep(0.001)
    _, error = child.communicate()
    check(child.returncode == 0, f"{words}: exit {child.returncode}: {error}")
    check(not list(places.iterdir()), f"{words}: left {list(places.iterdir())}")
    return most


def run(output, script, limit=None, cache="", **variables):
    """Runs the sweep with an empty cache; who compiled, `run` or `process`, for each kernel; of the arithmetic's too."""
    PROCESSES.unlink(missing_ok=True)
    place = folder / (cache or f"cache-{output}")
    if cache != "none":
        place.mkdir(mode=0o700, exist_ok=True)
    pendula("run", SWEEP, "-o", output, "-d", "native", PENDULA_CC=script, PENDULA_CACHE_DIR=place if cache != "none" else "none",
            limit=limit, **variables)
    lines = PROCESSES.read_text().split() if PROCESSES.exists() else []
    return lines[::2]


def same(output, what):
    check((folder / output).read_bytes() == (folder / "together.h5").read_bytes(), f"{what}: another file than that of a run with processes")


def check_processes():
    """Three kernels and the arithmetic: each is compiled once, some by a process; with one core, or no cache, all by the run."""
    script = compiler("noted", f"if apart and '{LIBRARY}' in sys.argv:\n    import time; time.sleep(3)")
    if len(os.sched_getaffinity(0)) < 2:
        print("one core: no process is started")
        return
    together = run("together.h5", script)
    check(len(together) == 4 and 1 <= together.count("process") <= 2, f"two cores: compiled by {together}")
    check(run("again.h5", script, cache="cache-together.h5") == [], "a run whose kernels are cached compiles")
    same("again.h5", "cached")
    most = count_folders("run", SWEEP, "-o", "quiet.h5", "-d", "native", PENDULA_CC=script, PENDULA_CACHE_DIR=folder / "cache-together.h5")
    check(most == 1, "a run whose kernels are cached starts a process")
    check(run("alone.h5", script, limit=one_core) == ["run"] * 4, "one core: a process compiles")
    same("alone.h5", "one core")
    check(run("uncached.h5", script, cache="none") == ["run"] * 4, "without a cache: a process compiles")
    same("uncached.h5", "without a cache")


def check_failing():
    """Where processes fail the run compiles all itself."""
    script = compiler("failing", "if apart:\n    sys.exit(1)")
    who = run("failing.h5", script)
    check(who.count("run") == 4, f"processes that fail: compiled by {who}")
    same("failing.h5", "processes that fail")


def check_broken():
    """A kernel that does not compile is reported once, and no process is left."""
    script = compiler("refusing", f"if not apart and '{LIBRARY}' in sys.argv:\n    sys.exit('no such kernel')")
    done = ended("run", SWEEP, "-o", "broken.h5", "-d", "native", PENDULA_CC=script, PENDULA_CACHE_DIR=folder / "cache-broken")
    check(done.code == 9 and done.err.count("does not compile") == 1, f"a compiler that refuses: exit {done.code}: {done.err}")
    check(not left(), f"a kernel that does not compile: left {left()}")


def left():
    """Processes that compile."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            words = open(f"/proc/{entry}/cmdline", "rb").read().split(b"\0") if entry.isdigit() else []
        except OSError:
            continue
        if WORD.encode() in words and str(folder).encode() in open(f"/proc/{entry}/environ", "rb").read():
            found.append(entry)
    return found


def check_signal():
    """A signal ends the processes too, and their folders go."""
    PROCESSES.unlink(missing_ok=True)
    script = compiler("slow", f"if '{LIBRARY}' in sys.argv:\n    import time; time.sleep(60)")
    places = folder / "places"
    child = start("run", SWEEP, "-o", "stopped.h5", "-d", "native", PENDULA_CC=script, PENDULA_CACHE_DIR=folder / "cache-slow", TMPDIR=places)
    until = time.monotonic() + 20
    while time.monotonic() < until and not (PROCESSES.exists() and "process" in PROCESSES.read_text()):
        time.sleep(0.02)
    check(len(left()) == 1, f"a process compiles: {left()}")
    child.send_signal(signal.SIGTERM)
    _, error = child.communicate(timeout=20)
    check(child.returncode == 75, f"stopped: exit {child.returncode}: {error}")
    until = time.monotonic() + 10
    while time.monotonic() < until and (left() or list(places.iterdir())):
        time.sleep(0.05)
    check(not left(), "stopped: a process goes on")
    check(not list(places.iterdir()), f"stopped: left {list(places.iterdir())}")


def check_driver():
    """A driver's compiler is in its process, which compiles nothing else meanwhile."""
    number = [device["index"] for device in listed("devices") if device["platform"] == "Portable Computing Language"]
    if not number:
        print("no PoCL: its kernels are not looked at")
        return
    cache = folder / "cache-driver"
    cache.mkdir(mode=0o700)
    most = count_folders("run", SWEEP, "-o", "driver.h5", "-d", number[0], PENDULA_CC="none", PENDULA_CACHE_DIR=cache)
    check(most > 1, "PoCL: no process compiles")
    pendula("run", SWEEP, "-o", "one.h5", "-d", number[0], PENDULA_CC="none", PENDULA_CACHE_DIR=folder / "cache-one", limit=one_core)
    check((folder / "driver.h5").read_bytes() == (folder / "one.h5").read_bytes(), "PoCL: another file than one core's")


def check_requests():
    """What no run has written is refused."""
    for text in ("", "x", "a\nb\nc", "pendula compiles: device 0, precision 0, lanes 64, work group 1\n-\nsource"):
        refused("for this program's own processes", WORD, text=text)


main(check_processes, check_failing, check_broken, check_signal, check_driver, check_requests)
