# check_locks -- on a file system without locks (NFS, Lustre as some mount it) readers go on with one warning, and `run` says how.
#
#   check_locks.py --shim SHIM
#
# Exit status: 0 all as documented, 1 something is not.
import errno
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = os.environ["PENDULA_PROGRAM"]
SHIM = sys.argv[sys.argv.index("--shim") + 1]
SWEEP = """
problem: pendulum
parameters: {x0: {linear: [0.5, 1.5, 20]}}
methods: [theta2]
step: 0.1
steps: 20
metrics: [updates, energy_drift]
"""
READERS = (["info"], ["info", "--stats"], ["verify"], ["export"], ["plot", "--force", "-o", "picture"], ["report", "--force", "-o", "page.html"],
           ["diff", "sweep.h5"], ["pack", "--force", "-o", "packed.h5", "--progress", "none"], ["pareto", "--cost", "updates", "--error", "energy_drift"],
           ["merge", "--force", "-o", "merged.h5", "--progress", "none"], ["replay", "--point", "3", "-d", "reference"])
failures = []


def check(fine, what):
    if not fine:
        failures.append(what)
        print(f"wrong: {what}", flush=True)


def run(words, reason=None, code=0):
    environment = dict(os.environ)
    if reason:
        environment |= {"LD_PRELOAD": ":".join(filter(None, [environment.get("LD_PRELOAD"), SHIM])), "PENDULA_FAULT_LOCKS": str(reason)}
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=120, env=environment)
    check(done.returncode == code, f"{' '.join(words)}, {reason}: exit {done.returncode}, not {code}: {done.stderr[-300:]}")
    return done


def readers(reason):
    for command, *words in READERS:
        locked = run([command, "sweep.h5", *words])
        free = run([command, "sweep.h5", *words], reason)
        warnings = [line for line in free.stderr.splitlines() if line not in locked.stderr.splitlines()]
        wanted = 2 if command == "diff" else 1  # of two files
        check(len(warnings) == wanted and all("sweep.h5: cannot be locked" in w and os.strerror(reason) in w for w in warnings),
              f"{command} {words}: {warnings}")
        check(command in ("verify", "replay") or free.stdout == locked.stdout, f"{command} {words}: what it prints")
    check(not list(pathlib.Path().glob("*.lock")), "a lock file is left")


def writer(reason):
    words = ["run", "sweep.yaml", "-d", "reference", "--progress", "none", "-o", "new.h5"]
    error = run(words, reason, 3).stderr
    check("new.h5: cannot be locked" in error and "--no-lock" in error and error.count("\n") == 1, error)
    check(not list(pathlib.Path().glob("new.h5*")), "a run that has no lock leaves something")
    run([*words, "--no-lock"], reason)
    check(pathlib.Path("new.h5").read_bytes() == pathlib.Path("sweep.h5").read_bytes(), "the file of a run without a lock")
    check(not pathlib.Path("new.h5.lock").exists(), "--no-lock leaves a lock file")
    run([*words, "--no-lock", "--force"], reason)
    run([*words, "--no-lock", "--force"])
    for path in pathlib.Path().glob("new.h5*"):
        path.unlink()


# The option takes no lock away that a file system has.
def locked_all_the_same():
    import fcntl
    with open("held.h5.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        error = run(["run", "sweep.yaml", "-d", "reference", "-o", "held.h5", "--no-lock"], None, 5).stderr
    check("being written by another process" in error, error)


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        pathlib.Path("sweep.yaml").write_text(SWEEP)
        run(["run", "sweep.yaml", "-d", "reference", "--progress", "none"])
        for reason in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):
            readers(reason)
            writer(reason)
        locked_all_the_same()
    print(f"locks: {len(failures)} wrong" if failures else "locks: readers need none, and a run says what to do without")
    return 1 if failures else 0


sys.exit(main())
