# check_locks -- on a file system without locks (NFS, Lustre as some mount it) readers go on with one warning, and `run` says how.
#
#   check.py locks --shim SHIM
import errno
import fcntl
import os

from checking import check, finish, folder, option, pendula, preloaded, remove, same_bytes, write
from sweeps import LINE

SHIM = option("--shim")
READERS = (["info"], ["info", "--stats"], ["verify"], ["export"], ["plot", "--force", "-o", "picture"], ["report", "--force", "-o", "page.html"],
           ["diff", "sweep.h5"], ["pack", "--force", "-o", "packed.h5", "--progress", "none"], ["pareto", "--cost", "updates", "--error", "energy_drift"],
           ["merge", "--force", "-o", "merged.h5", "--progress", "none"], ["replay", "--point", "3", "-d", "reference"])


def run(words, reason=None, code=0):
    return pendula(*words, code=code, seconds=120, **preloaded(SHIM, PENDULA_FAULT_LOCKS=reason) if reason else {})


def readers(reason):
    for command, *words in READERS:
        locked = run([command, "sweep.h5", *words])
        free = run([command, "sweep.h5", *words], reason)
        warnings = [line for line in free.err.splitlines() if line not in locked.err.splitlines()]
        wanted = 2 if command == "diff" else 1  # of two files
        check(len(warnings) == wanted and all("sweep.h5: cannot be locked" in w and os.strerror(reason) in w for w in warnings),
              f"{command} {words}: {warnings}")
        check(command in ("verify", "replay") or free.out == locked.out, f"{command} {words}, {reason}: what it prints")
    check(not list(folder.glob("*.lock")), "a lock file is left")


def writer(reason):
    words = ["run", "sweep.yaml", "-d", "reference", "--progress", "none", "-o", "new.h5"]
    error = run(words, reason, 3).err
    check("new.h5: cannot be locked" in error and "--no-lock" in error and error.count("\n") == 1, error)
    check(not list(folder.glob("new.h5*")), "a run that has no lock leaves something")
    run([*words, "--no-lock"], reason)
    same_bytes("new.h5", "sweep.h5", "the file of a run without a lock")
    check(not (folder / "new.h5.lock").exists(), "--no-lock leaves a lock file")
    run([*words, "--no-lock", "--force"], reason)
    run([*words, "--no-lock", "--force"])
    remove("new.h5*")


# The option takes no lock away that a file system has.
def locked_all_the_same():
    with open(folder / "held.h5.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        error = run(["run", "sweep.yaml", "-d", "reference", "-o", "held.h5", "--no-lock"], None, 5).err
    check("being written by another process" in error, error)


write("sweep.yaml", LINE)
run(["run", "sweep.yaml", "-d", "reference", "--progress", "none"])
for reason in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):
    readers(reason)
    writer(reason)
locked_all_the_same()
finish("readers need none, and a run says what to do without")
