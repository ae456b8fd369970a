# check_left_folders -- the folder that a killed command leaves beside its output is removed by the next one, and no other.
import fcntl
import os
import time

from checking import check, finish, folder, pendula, run, start
from sweeps import LINE

COMMANDS = (["export", "sweep.h5", "-o", "made.csv", "--force"], ["plot", "sweep.h5", "-o", "made", "--force"],
            ["report", "sweep.h5", "-o", "made.html", "--force"], ["pack", "sweep.h5", "-o", "made.h5", "--force", "--progress", "none"])


def left():
    return {path.name for path in folder.glob(".pendula-*")}


# Kills a command while its folder is there.
def kill(words):
    child = start(*words)
    before = left()
    while child.poll() is None and left() == before:
        time.sleep(0.0002)
    child.kill()
    child.wait()
    return left() - before


run("sweep", LINE)
killed = 0
for words in COMMANDS:
    found = set()
    for _ in range(40):
        found = kill(words)
        if found:
            break
    killed += bool(found)
    pendula(*words, seconds=120)
    check(not left(), f"{words[0]}: {left()} left")
check(killed >= 3, f"{killed} commands were killed while their folder was there")
held, stale, public = (folder / f".pendula-{name}" for name in ("holder", "staled", "public"))
for place in (held, stale, public):
    place.mkdir(mode=0o700)
    (place / "file").write_text("kept\n")
public.chmod(0o777)  # not made by this program
descriptor = os.open(held, os.O_RDONLY | os.O_DIRECTORY)
fcntl.flock(descriptor, fcntl.LOCK_EX)
pendula(*COMMANDS[0], seconds=120)
check(left() == {held.name, public.name} and (held / "file").exists(), f"what is left: {left()}")
os.close(descriptor)
finish("the next command removes them")
