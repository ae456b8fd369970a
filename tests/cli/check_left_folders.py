# check_left_folders -- the folder that a killed command leaves beside its output is removed by the next one, and no other.
#
# Exit status: 0 all as documented, 1 something is not.
import fcntl
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ["PENDULA_PROGRAM"]
SWEEP = """
problem: pendulum
parameters: {x0: {linear: [0.5, 1.5, 20]}}
methods: [theta2]
step: 0.1
steps: 20
metrics: [updates, energy_drift]
"""
COMMANDS = (["export", "sweep.h5", "-o", "made.csv", "--force"], ["plot", "sweep.h5", "-o", "made", "--force"],
            ["report", "sweep.h5", "-o", "made.html", "--force"], ["pack", "sweep.h5", "-o", "made.h5", "--force", "--progress", "none"])
failures = []


def check(fine, what):
    if not fine:
        failures.append(what)
        print(f"wrong: {what}", flush=True)


def left():
    return {path.name for path in pathlib.Path().glob(".pendula-*")}


def run(words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=120)
    check(done.returncode == 0, f"{words}: exit {done.returncode}: {done.stderr}")


# Kills a command while its folder is there.
def kill(words):
    child = subprocess.Popen([PROGRAM, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    before = left()
    while child.poll() is None and left() == before:
        time.sleep(0.0002)
    child.kill()
    child.wait()
    return left() - before


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        pathlib.Path("sweep.yaml").write_text(SWEEP)
        run(["run", "sweep.yaml", "-d", "reference", "--progress", "none"])
        killed = 0
        for words in COMMANDS:
            found = set()
            for _ in range(40):
                found = kill(words)
                if found:
                    break
            killed += bool(found)
            run(words)
            check(not left(), f"{words[0]}: {left()} left")
        check(killed >= 3, f"{killed} commands were killed while their folder was there")
        held, stale, public = (pathlib.Path(f".pendula-{name}") for name in ("holder", "staled", "public"))
        for folder in (held, stale, public):
            folder.mkdir(mode=0o700)
            (folder / "file").write_text("kept\n")
        public.chmod(0o777)  # not made by this program
        descriptor = os.open(held, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        run(COMMANDS[0])
        check(left() == {held.name, public.name} and (held / "file").exists(), f"what is left: {left()}")
        os.close(descriptor)
    print(f"left folders: {len(failures)} wrong" if failures else "left folders: the next command removes them")
    return 1 if failures else 0


sys.exit(main())
