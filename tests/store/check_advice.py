# check_advice -- what a message about a result file advises is done, and must succeed.
import re
import shutil
import signal

from checking import check, compilers, ended, flip, folder, h5, main, need, place_of, remove, ROOT, start, write

need("h5py")

SWEEP = """
problem: pendulum
parameters: {x0: {linear: [0.5, 3, 300]}, zeta: [0, 0.3]}
methods: [theta2: {theta: [0.1, 0.5]}]
step: 1
end: 20
metrics: [status, updates, energy_drift]
newton: {max_updates: 3}
substeps: {max_depth: 0}
"""
OWN = SWEEP.replace("problem: pendulum", "problem: ./mine.cl")
RETRY = ["--resume", "--retry", "failed", "-s", "newton.max_updates=5"]
PACK = ["pack", "old.h5", "-o", "new.h5", "--progress", "none"]
MERGE = ["merge", "-o", "new.h5", "old.h5", "--progress", "none"]
READERS = (["verify"], ["info"], ["info", "--stats"], ["export"], ["plot", "-o", "picture", "--force"], ["diff", "whole.h5"], ["report", "-o", "page.html", "--force"],
           ["pareto", "--cost", "updates", "--error", "energy_drift"])


def pendula(*words):
    return ended(*words, seconds=120)


def run(*words, name="sweep", output="old.h5"):
    return pendula("run", f"{name}.yaml", "-o", output, "-d", "reference", "--progress", "none", *words)


def fine(done, what):
    return check(done.code == 0, f"{what}: exit {done.code}: {done.err}")


# A command is refused with an advice. What it says is done: options are added to the command, a quoted command is run.
def follow(words, code, advice, what, ran=None):
    done = pendula(*words)
    if check(done.code == code and advice in done.err, f"{what}: exit {done.code}, not {code} with '{advice}': {done.err}") and ran:
        fine(ran(), f"{what}: {advice}")


def copy(name):
    remove("old.h5*")
    shutil.copy(folder / name, folder / "old.h5")


# A copy with another bit in one byte.
def spoil(name, at):
    copy(name)
    flip("old", at, "old")


def clear():
    remove("new*", "picture*", "page*")


def damaged():
    at = place_of("whole", "theta2/updates") + 40
    for words in READERS:
        spoil("whole.h5", at)
        follow([words[0], "old.h5", *words[1:]], 4, "`pendula run --resume` computes them", f"damaged: {words}", lambda: run("--resume"))
        fine(pendula(words[0], "old.h5", *words[1:]), f"mended: {words}")
    spoil("whole.h5", at)
    follow(["run", "sweep.yaml", "-o", "old.h5", "-d", "reference", *RETRY], 4, "--resume without --retry computes them anew", "a retry", lambda: run("--resume"))
    fine(run(*RETRY), "a retry of the mended file")
    spoil("whole.h5", at)
    follow(PACK, 4, "`pendula verify` lists them", "packed")
    listed = pendula("verify", "old.h5")
    check(listed.code == 4 and "theta2" in listed.out, f"verify lists them: {listed.out}")


def missing():
    at = place_of("whole", "journal/block_done")
    for words, said in ((["verify", "old.h5"], "`pendula run --resume` computes them"), (PACK, "`pendula run --resume` computes them"),
                        (MERGE, "`pendula run --resume` computes them"),
                        (["run", "sweep.yaml", "-o", "old.h5", "-d", "reference", *RETRY], "--resume without --retry completes it first")):
        spoil("whole.h5", at)
        follow(words, 6, said, f"missing: {words[0]}", lambda: run("--resume"))
        fine(pendula("verify", "old.h5"), f"completed: {words[0]}")
        clear()
    fine(run("--shard", "0/2", output="part.h5"), "a shard")
    spoil("part.h5", at)
    follow(["verify", "old.h5"], 6, "`pendula run --resume` with its --shard computes them", "a shard", lambda: run("--resume", "--shard", "0/2"))
    fine(pendula("verify", "old.h5"), "a completed shard")


def retried():
    at = place_of("retried", "theta2/updates") + 40
    for words in READERS[:2]:
        spoil("retried.h5", at)
        follow([words[0], "old.h5", *words[1:]], 4, "or `pendula run --force` computes all anew", f"retried: {words}", lambda: run("--force"))
    spoil("retried.h5", at)
    follow(["run", "sweep.yaml", "-o", "old.h5", "-d", "reference", "-s", "newton.max_updates=5", "--resume"], 4, "or `pendula run --force` computes all anew", "retried", lambda: run("--force"))
    spoil("retried.h5", at)
    follow(["run", "sweep.yaml", "-o", "old.h5", "-d", "reference", *RETRY], 4, "or `pendula run --force` computes all anew", "retried again", lambda: run("--force"))


def packed():
    fine(pendula("pack", "whole.h5", "-o", "packed.h5", "--progress", "none"), "packed")
    fine(pendula("pack", "retried.h5", "-o", "both.h5", "--progress", "none"), "packed")
    copy("packed.h5")
    follow(["run", "sweep.yaml", "-o", "old.h5", "-d", "reference", "--resume"], 4, "`pendula pack --unpack` makes the file that it was", "a packed file is continued",
           lambda: pendula("pack", "--unpack", "old.h5", "-o", "new.h5", "--progress", "none"))
    fine(run("--resume", output="new.h5"), "unpacked, and continued")
    copy("both.h5")
    follow(["run", "sweep.yaml", "-o", "old.h5", "-d", "reference", "--resume", "-s", "newton.max_updates=5"], 4, "it is only read", "a packed file of several rules",
           lambda: pendula("info", "old.h5"))
    clear()
    with h5("packed") as file:
        chunk = file["theta2/updates"].id.get_chunk_info(0)
    for words in READERS[:4]:
        spoil("packed.h5", chunk.byte_offset + chunk.size // 2)
        follow([words[0], "old.h5", *words[1:]], 4, "take another copy of it", f"a damaged packed file: {words}")
        check("pendula run" not in pendula(words[0], "old.h5", *words[1:]).err, f"a packed file is not run: {words}")


# A file that is not of this sweep, and one that stands in the way.
def others():
    own = (folder / "mine.cl").read_text()
    there = ["run", "sweep.yaml", "-o", "old.h5", "-d", "reference"]
    for added, code, said, option in (([], 3, "--resume continues it", "--resume"), ([], 3, "--force replaces it", "--force"), (["--resume", "-s", "end=10"], 4, "--force replaces it", "--force"),
                                      (["--resume", "--shard", "0/2"], 4, "--force replaces it", "--force")):
        copy("whole.h5")
        follow([*there, *added], code, said, f"in the way: {added}", lambda: run(*[w for w in added if w != "--resume"], option))
    copy("whole.h5")
    follow([*there, "--resume", "-s", "end=10"], 4, "--reuse takes what is the same into another file", "another end",
           lambda: run("-s", "end=10", "--reuse", "old.h5", output="new.h5"))
    clear()
    for words in (["info", "old.h5"], [*there, "--resume"]):
        spoil("whole.h5", 100)
        follow(words, 4, "`pendula run --force` computes all anew", f"a damaged header: {words[0]}", lambda: run("--force"))
    for words in (MERGE, ["pack", "--unpack", "packed.h5", "-o", "new.h5", "--progress", "none"]):
        copy("whole.h5")
        (folder / "new.h5").write_text("here\n")
        follow(words, 3, "--force replaces it", f"in the way: {words[0]}", lambda: pendula(*words, "--force"))
        check("--resume" not in pendula(*words).err, f"{words[0]} has no --resume")
        clear()
    if not compilers():
        return
    (folder / "old.h5").unlink()
    fine(run(name="own"), "a kernel file of one's own")
    (folder / "mine.cl").write_text(own + "\n// changed\n")
    changed = ["run", "own.yaml", "-d", "reference", "-o"]
    follow([*changed, "new.h5", "--reuse", "old.h5"], 4, "without --reuse of it the run computes all", "a changed kernel file", lambda: run(name="own", output="new.h5"))
    check("--force" not in pendula(*changed, "newer.h5", "--reuse", "old.h5").err, "--force is no help for --reuse")
    follow([*changed, "old.h5", "--resume"], 4, "--force replaces it", "a changed kernel file is continued", lambda: run("--force", name="own"))


def stopped():
    remove("old.h5*")
    words = ["-s", "parameters.x0={linear: [0.5, 3, 10000]}"]
    child = start("run", "sweep.yaml", "-o", "old.h5", "-d", "reference", "--progress", "none", *words)
    while not (folder / "old.h5").exists() and child.poll() is None:
        pass
    child.send_signal(signal.SIGINT)
    said = child.communicate()[1]
    check(child.returncode == 75 and re.search("the same command with --resume goes on|the same command starts again", said), f"stopped: {child.returncode} {said}")
    if "--resume" in said:
        fine(run("--resume", *words), "a stopped run goes on")


write("sweep.yaml", SWEEP)
write("own.yaml", OWN)
write("mine.cl", (ROOT / "kernels/problems/pendulum.cl").read_text().replace("problem: pendulum", "problem: mine"))
fine(run(output="whole.h5"), "the sweep")
shutil.copy(folder / "whole.h5", folder / "retried.h5")
fine(run(*RETRY, output="retried.h5"), "the retry")
main(damaged, missing, retried, packed, others, stopped, fine="what messages say succeeds")
