# check_cancelled -- a cancelled run ends within two seconds while a compiler, which cannot be interrupted, holds it up.
#
#   check_cancelled.py --shim LIBRARY     LIBRARY: what makes a driver compile slowly (tests/shim)
import argparse
import subprocess
import sys
import textwrap

from checking import check, environment, folder, main, need, preloaded, write
import package  # noqa: F401

need("h5py")
parser = argparse.ArgumentParser()
parser.add_argument("--shim", required=True)
shim = parser.parse_args().shim

# rk4 has one point, in one lane; theta2 has 16, in more.
BEGIN = """
import _ctypes
import threading
import time
import numpy as np
import pendula
sweep = pendula.Sweep("pendulum", {"rk4": {}, "theta2": {"theta": np.linspace(0, 1, 16)}}, step=0.1, end=5, metrics=["x_final"])
def cancelled(call):
    begin = time.monotonic()
    try:
        result = call()
        print(result.complete, *[group["status"].sum() for group in result.values()], end=" ")
        assert np.isnan(result["theta2"]["x_final"]).all()
    except pendula.Error as error:
        print(error.code, end=" ")
    print(1 < time.monotonic() - begin < 1 + 2)
def follow(line):
    while line not in open("log.txt").read():
        time.sleep(0.1)
def again(**how):
    try:
        return sweep.run(**how).complete
    except pendula.Error as error:
        return error.code
"""
# The kernel of theta2, by its lanes, is held up at each launch, as by a driver that compiles there.
LAUNCHES = ",".join(f"LANES={lanes}:6" for lanes in (2, 4, 8, 16))
# A driver whose compiler registers the destruction of its globals after 3 of 6 seconds.
DESTROYED = {"BUILD": 6, "DESTROYED": 4, "LOG": "log.txt"}
# Each: a delay of the driver, longer than a run of a second and its end; the rest of a program; what it prints.
CASES = {
    "a build": ({"BUILD": 6}, """
        cancelled(lambda: sweep.run(device="cpu", seconds=1))
        print(again(device="reference"))
        time.sleep(6)
        """, ["False 0 0 True", "True"]),
    "the first launch of the second group": ({"SLOW_BUILD": LAUNCHES}, """
        cancelled(lambda: sweep.run(device="cpu", seconds=1))
        del sweep
        time.sleep(6)
        """, ["False 1 0 True"]),
    "the end of the process during a build": (DESTROYED, """
        cancelled(lambda: sweep.run(device="cpu", seconds=1))
        follow("registered")
        """, ["False 0 0 True"]),
    "the same of a run by another thread": (DESTROYED, """
        thread = threading.Thread(target=lambda: print(again(device="cpu", seconds=3)))
        thread.start()
        thread.join()
        follow("registered")
        """, ["False"]),
    "a library that is closed during a build": ({"BUILD": 6}, """
        thread = threading.Thread(target=lambda: print(again(device="cpu", seconds=1)))
        thread.start()
        thread.join()
        del sweep
        begin = time.monotonic()
        _ctypes.dlclose(pendula._library._loaded._handle)
        print(time.monotonic() - begin < 1)  # it waits for nobody: a compiler may need the lock of dlclose()
        time.sleep(6)
        """, ["False", "True"]),
    "the same of a run into a file": ({"SLOW_BUILD": LAUNCHES}, """
        cancelled(lambda: sweep.run(device="cpu", seconds=1, file="left.h5"))
        print(again(device="cpu", file="left.h5", mode="resume"))
        while (end := again(device="cpu", file="left.h5", mode="resume")) == 5:
            time.sleep(0.5)
        print(end)
        """, ["75 True", "5", "True"]),
}


def started(name, text, delays):
    script = write(name, BEGIN + textwrap.dedent(text))
    fakes = preloaded(shim, **{f"PENDULA_FAKE_{key}": value for key, value in delays.items()})
    fakes["LD_PRELOAD"] += ":libOpenCL.so.1"  # which Python would load out of the shim's sight
    place = folder / name.removesuffix(".py")
    place.mkdir()
    return subprocess.Popen([sys.executable, folder / script], cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env=environment(PENDULA_CC="none", **fakes))


def lines_of(child):
    """What it prints; it is killed where it does not end."""
    try:
        return child.communicate(timeout=120)[0].splitlines()
    except subprocess.TimeoutExpired:
        child.kill()
        return [*child.communicate()[0].splitlines(), "does not end"]


def check_held_up():
    # The programs are compiled, so that the shim alone holds up the others.
    first = started("first.py", 'print(again(device="cpu"))', {})
    said = first.communicate()[0]
    check(said == "True\n" and first.returncode == 0, f"without delays: exit {first.returncode}: {said}")
    names = list(CASES)
    for some in (names[:3], names[3:]):  # more at a time would be slow to begin
        children = {name: started(f"held_{names.index(name)}.py", CASES[name][1], CASES[name][0]) for name in some}
        for name, child in children.items():
            said = lines_of(child)
            check(said == CASES[name][2] and child.returncode == 0, f"{name}: exit {child.returncode}: {said}")


main(check_held_up)
