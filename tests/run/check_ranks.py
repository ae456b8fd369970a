# check_ranks -- a run that processes started by mpirun share: its file is that of one process, byte for byte, also where ranks are
# killed and another number of them goes on.
#
#   check.py ranks [--kills N] [--shim LIBRARY]   so many runs are killed (8); stands between a program and its OpenCL library
import os
import random
import shutil
import signal
import subprocess
import time

from checking import change, check, environment, execute, folder, h5, log_of, main, need, option, place_of, PROGRAM, read, remove, skip, write
from sweeps import grid

h5py = need("h5py")

if os.environ.get("PENDULA_MPI") != "ON" or not shutil.which("mpirun"):
    skip("the program is built without MPI, or there is no mpirun")

SHIM, KILLS = option("--shim"), int(option("--kills") or 8)
# A container's user may be root, and a machine may have fewer cores than there are ranks here.
# Open MPI unloads its components and leaves what they hold: a sanitizer would take each for a leak of no known place.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": 1, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": 1,
       "ASAN_OPTIONS": ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "detect_leaks=0"]))}

GRID = grid(41, 121, 2, "{x0: [0.5, 1, 1.5], zeta: [0, 0.3]}", metrics="status, updates, energy_drift, x_final")
DESIGN = """problem: pendulum
parameters: {x0: {uniform: [0.5, 1.5]}, zeta: {uniform: [0, 0.3]}}
methods: [rk4]
step: 0.1
steps: 4
metrics: [status, x_max, error_max]
design: {saltelli: {samples: 4096}}
"""


def command(ranks, name, *words):
    launch = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks else []
    return [*launch, PROGRAM, "run", f"{name}.yaml", "-d", "reference", "--progress", "none", *words]


def run(ranks, name, *words, code=0, says=None):
    done = execute(command(ranks, name, *words), seconds=300, **MPI)
    own = [line for line in done.err.splitlines() if line.startswith("pendula: ") and "solving" not in line]
    check(done.code == code, f"{ranks} ranks {name} {words}: exit {done.code}, not {code}: {done.err}")
    check(len(own) == (code != 0 or says is not None) and (says or "") in "".join(own), f"{ranks} ranks {name} {words}: one line says what is wrong: {own}")
    return done.out + "\n".join(own)


def same(name, what):
    check((folder / "out.h5").read_bytes() == (folder / f"{name}.h5").read_bytes(), f"{what}: not the bytes of one process")
    check(sorted(p.name for p in folder.glob("out*")) == ["out.h5", "out.h5.log"], f"{what}: {sorted(p.name for p in folder.glob('out*'))}")


def undisturbed():
    for name in ("grid", "design"):
        run(0, name)
        for ranks in (2, 3):
            remove("out*")
            out = run(ranks, name, "-o", "out.h5")
            same(name, f"{name}, {ranks} ranks")
            with h5(name) as file:
                points = sum(file[g]["status"].size for g in file if g != "journal")
            check(f"out.h5: {points} points on reference" in out, f"the summary is that of all: {out}")
            log = log_of("out")
            ends = [line for line in log if line["event"] == "end"]
            check(sorted(line["rank"] for line in log if line["event"] == "start") == list(range(ranks)), f"the log has each rank: {log}")
            check(len(ends) == ranks and log[0]["event"] == "merge" and log[0]["blocks_missing"] == 0, f"the log has each end: {log}")
            out = run(ranks, name, "-o", "out.h5", "--resume")
            check(" 0 computed" in out, f"a complete file: {out}")
            same(name, "resumed when it was complete")
    run(2, "grid", "-o", "out.h5", code=3)
    run(2, "grid", "-o", "out.h5", "--resume", code=4)
    run(2, "grid", "-o", "out.h5", "--force")
    same("grid", "replaced")
    run(2, "grid", "-o", "out.h5", "--shard", "0/2", code=2)
    run(2, "nothing", code=3)
    remove("out*")
    run(2, "grid", "-o", "out.h5", "--reuse", "grid.h5")
    same("grid", "from an older file")


def devices_of_a_machine():
    """Ranks take the GPUs of their machine in turn; those with a device of the user's choice take that."""
    if not SHIM:
        print("skipped: GPUs in turn: --shim is not given")
        return
    words = ["run", "grid.yaml", "--progress", "none", "-s", "methods=[theta1]", "-o", "out.h5", "--force"]
    # For the ranks alone: mpirun asks OpenCL for devices too.
    exports = ["-x", f"LD_PRELOAD={os.path.abspath(SHIM)}", "-x", "PENDULA_FAKE_DEVICES=Weak|P|gpu|single,First|P|gpu,Second|P|gpu,Third|Q|cpu"]
    remove("out*")
    for device, wanted in (([], {0: "First", 1: "Second", 2: "First"}), (["-d", "Third"], {0: "Third", 1: "Third", 2: "Third"}),
                           (["-d", "third,second"], {0: "Third", 1: "Second", 2: "Third"})):
        done = execute(["mpirun", "--oversubscribe", *exports, "-n", "3", PROGRAM, *words, *device], **MPI)
        log = log_of("out")
        remove("out.h5.log")
        found = {line["rank"]: line["device"] for line in log if line["event"] == "start"}
        check(done.code == 0 and found == wanted, f"devices of ranks {device}: {found}: {done.err}")
    # A rank whose device is lost goes on with another: what it drew is its own to compute.
    whole = (folder / "out.h5").read_bytes()
    for lose in ("Second:launch:2:-36", "Second:read:2:-5"):
        # Ranks wait at their first launch, and once more for longer where the second one came too late to find anything left.
        for wait in (0.5, 2, 8):
            faults = ["-x", f"PENDULA_FAKE_LOSE={lose}", "-x", f"PENDULA_FAKE_FIRST_LAUNCH={wait}"]
            done = execute(["mpirun", "--oversubscribe", *exports, *faults, "-n", "2", PROGRAM, *words], **MPI)
            log = (folder / "out.h5.log").read_text()
            remove("out.h5.log")
            if '"lost"' in log:
                break
        check(done.code == 0 and '"lost", "device": "Second"' in log, f"{lose}: {done.code}: {log}{done.err}")
        check((folder / "out.h5").read_bytes() == whole, f"{lose}: other bytes")


def kill_one(rng, words, ranks, seconds):
    """Kills a rank, or all of them by mpirun, within the seconds that a run takes; true where it was in time."""
    process = subprocess.Popen(command(ranks, "grid", "-o", "out.h5", *words), cwd=folder, env=environment(**MPI), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(rng.uniform(0.2, 1) * seconds)
    kind = rng.choice(("rank", "rank", "mpirun", "stop"))
    if kind == "rank":
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        if children:
            try:
                os.kill(int(rng.choice(children)), signal.SIGKILL)
            except ProcessLookupError:
                pass
    else:
        process.send_signal(signal.SIGKILL if kind == "mpirun" else signal.SIGTERM)
    try:
        code = process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        check(False, f"a run of {ranks} ranks does not end after {kind} was killed")
        process.kill()
        code = process.wait()
    # Ranks that lost their mpirun end by themselves, a little later.
    for _ in range(200):
        if subprocess.run(["pgrep", "-f", f"{PROGRAM} run grid.yaml"], capture_output=True).returncode != 0:
            break
        time.sleep(0.1)
    return code != 0


def killed_ranks():
    rng, killed, resumed, tries = random.Random(7), 0, 0, 0
    remove("out*")
    begin = time.monotonic()
    run(2, "grid", "-o", "out.h5")
    seconds = time.monotonic() - begin  # what a run takes here: a kill after it would test nothing
    remove("out*")
    while (killed < KILLS or resumed <= KILLS // 2) and tries < 4 * KILLS:
        tries += 1
        killed += kill_one(rng, ["--resume"], rng.choice((2, 3)), seconds)
        resumed += any(folder.glob("out.h5.rank-*"))
        if rng.random() < 0.6 and not (folder / "out.h5").exists():
            continue  # and killed once more
        run(rng.choice((2, 3, 4)), "grid", "-o", "out.h5", "--resume")
        same("grid", f"kill {tries}")
        remove("out*")
    check(killed >= KILLS and resumed > KILLS // 2, f"{killed} of {tries} runs were killed, {resumed} times work was left")
    print(f"{killed} of {tries} runs killed, {resumed} times with pieces left")


def pieces_of_earlier_runs():
    remove("out*")
    change("grid", "out", {place_of("grid", "journal/block_done"): bytes(len(read("grid", "journal/block_done")) // 2)})
    run(2, "grid", "-o", "out.h5", "--resume")
    same("grid", "a file that one process began")

    run(3, "grid", "-o", "out.h5", "--force")
    remove("out*")
    process = subprocess.Popen(command(2, "grid", "-o", "out.h5"), cwd=folder, env=environment(**MPI), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(400):
        if (folder / "out.h5.rank-1").exists():
            break
        time.sleep(0.02)
    time.sleep(0.2)
    process.kill()
    process.wait()
    time.sleep(2)
    if not (folder / "out.h5").exists():
        out = run(2, "grid", "-o", "out.h5", code=3)
        check("out.h5.rank-" in out and "exists already; --resume continues it, --force replaces it" in out, f"pieces are in the way: {out}")
        piece = folder / "out.h5.rank-0"
        with h5py.File(piece) as file:
            status = file["theta2/status"].id.get_offset()
            first = file["journal/block_done"][0]
        text = bytearray(piece.read_bytes())
        text[status + 3] ^= 2
        piece.write_bytes(text)
        run(3, "grid", "-o", "out.h5", "--resume", says="1 block of 'out.h5' is damaged, and computed anew" if first else None)
        same("grid", f"a damaged piece{'' if first else ', where there is nothing yet'}")
    shutil.copy(folder / "grid.h5", folder / "out.h5.rank-5")
    for name in ("out.h5.rank-6.tmp", "out.h5.rank-7.lock"):  # of ranks that were killed while they made their piece
        (folder / name).write_bytes(b"rest")
    out = run(2, "grid", "-o", "out.h5", "--resume", "-s", "end=3", code=4)
    check("of another sweep: group 'theta2': end is 2 in the file, 3 in the sweep" in out, f"of another sweep: {out}")
    run(2, "grid", "-o", "out.h5", "--force", "-s", "end=3")
    check(sorted(p.name for p in folder.glob("out*")) == ["out.h5", "out.h5.log"], "--force removes the pieces")


write("grid.yaml", GRID)
write("design.yaml", DESIGN)
main(undisturbed, devices_of_a_machine, pieces_of_earlier_runs, killed_ranks, fine="all as documented")
