# check_merge -- `run --shard I/N` and `merge`: the file of shards is that of one process, byte for byte; what is missing is said.
import json
import signal
import time

from checking import answer, check, ended, flip, folder, h5, main, need, pendula, place_of, refused, remove, same_bytes, start, write
from poke import poke
from sweeps import design, grid

h5py, np = need("h5py", "numpy")

GRID = grid(101, 31, 1, "{x0: [0.5, 1, 1.5], zeta: [0, 0.1]}")
# Coordinates along the points are as many as these: a shard has its own only.
DESIGN = design(8192, steps=4)


def run(name, *words):
    pendula("run", f"{name}.yaml", "-d", "reference", "--progress", "none", *words)


def merge(output, *shards, code=0):
    return pendula("merge", "-o", output, "--progress", "none", *shards, code=code).text


def shards(name, count):
    width = len(str(count - 1))
    return [f"{name}.shard-{i:0{width}}-of-{count}.h5" for i in range(count)]


def whole_sweeps():
    for name in ("grid", "design"):
        run(name)
        for count in (1, 7, 16, 64):
            for i in range(count):
                run(name, "--shard", f"{i}/{count}")
            files = shards(name, count)
            check(sorted(p.name for p in folder.glob(f"{name}.shard-*.h5")) == sorted(files), f"{name}: names of {count} shards")
            for order in (files, files[::-1]):
                remove("merged*")
                merge("merged.h5", *order)
                same_bytes("merged.h5", f"{name}.h5", f"{count} shards")
            remove(f"{name}.shard-*", "merged*")


def parts_of_files():
    """A shard takes the room of its own points, holds their coordinates, and is a result file like others."""
    for name in ("grid", "design"):
        whole = (folder / f"{name}.h5").stat()
        with h5(name) as file:
            blocks = len(file["journal/block_done"])
            want = {g: {v: file[g][v][...] for v in file[g] if file[g][v].shape} for g in file if g != "journal"}
        for i in range(3):
            path = folder / f"{name}.shard-{i}-of-3.h5"
            run(name, "--shard", f"{i}/3")
            # Variables of less than 64 KiB are written with zeros; those of the grid are.
            check(path.stat().st_blocks < (0.5 if name == "design" else 0.9) * whole.st_blocks, f"{path.name}: {path.stat().st_blocks} of {whole.st_blocks} disk blocks")
            own = blocks * (i + 1) // 3 - blocks * i // 3
            for word, text in (("verify", f"{own} of {own} blocks whole"), ("info", f"{own} of {own} done; shard {i}/3 of {blocks} blocks")):
                out = answer(word, path.name)
                check(text in out, f"{word} {path.name}: {out}")
            with h5py.File(path) as file:
                check(file.attrs["shard"] == f"{i}/3", "the attribute")
                for group, variables in want.items():
                    done = file[group]["status"][...] != 0
                    check(np.array_equal(done, done & (variables["status"] != 0)) and np.array_equal(file[group]["status"][...][done], variables["status"][done]), f"{path.name}: points of {group}")
                    if name == "design":
                        check(np.array_equal(file[group]["x0"][...][done], variables["x0"][done]) and np.array_equal(file[group]["design_role"][...][done], variables["design_role"][done]), "coordinates of its points")
                        check(done.all() or not file[group]["x0"][...][~done].any(), "coordinates of other points are left out")
            again = ("run", f"{name}.yaml", "-d", "reference", "-o", path.name, "--resume")
            refused(f"shard {i}/3, not the whole sweep", *again, code=4)
            refused(f"shard {i}/3, not shard {(i + 1) % 3}/3", *again, "--shard", f"{(i + 1) % 3}/3", code=4)
        remove(f"{name}.shard-*")
    refused("the whole sweep, not shard 0/2", "run", "grid.yaml", "-d", "reference", "-o", "grid.h5", "--resume", "--shard", "0/2", code=4)
    for word in ("3/3", "-1/3", "1", "1/0", "a/b", "1/2/3", "0/65537", "", " 1/2", "1/2 "):
        got, out, err = ended("run", "grid.yaml", "--shard", word)
        check(got == 2 and "--shard takes I/N, with I from 0 to N - 1 and N at most 65536" in err and err.count("\n") < 3, f"--shard '{word}': {got} {err}")


def what_is_missing():
    for i in range(7):
        run("grid", "--shard", f"{i}/7")
    files = shards("grid", 7)
    with h5("grid") as file:
        blocks = len(file["journal/block_done"])
    first, end = blocks * 3 // 7, blocks * 4 // 7
    out = merge("merged.h5", *files[:3], *files[4:], code=6)
    check(f"{end - first} of {blocks} blocks are missing" in out, f"a missing shard: {out}")
    code, out, err = ended("verify", "merged.h5", "--json")
    rows = json.loads(out)
    check(code == 6 and rows["missing"] == end - first and rows["rows"][0]["first_block"] == first, f"verify: {code} {out}")
    with h5("merged") as file:
        missing = sum(int((file[g]["status"][...] == 0).sum()) for g in ("theta2", "other"))
    check(rows["points"]["missing"] == missing, f"{missing} points have status 0: {rows['points']}")
    run("grid", "--resume", "-o", "merged.h5")
    same_bytes("merged.h5", "grid.h5", "resumed after a merge with a shard missing")
    remove("merged*")

    whole, shard = (folder / files[2]).read_bytes(), files[2].removesuffix(".h5")
    flip(shard, place_of(shard, "theta2/status") + 1024 * (blocks * 2 // 7) + 5, shard, 2)
    out = merge("merged.h5", *files, code=6)
    check(f"1 block of '{files[2]}' is damaged, and not taken" in out and f"1 of {blocks} blocks are missing: 1024 points" in out, f"a damaged block: {out}")
    remove("merged*")
    for text, what in ((whole[:len(whole) // 2], "cut off"), (b"", "empty"), (b"a letter\n", "no result file"), (whole[:-4] + b"\0\0\0\0", "with a damaged end"), (whole[:800] + b"\1" + whole[801:], "with a damaged header")):
        (folder / files[2]).write_bytes(text)
        out = merge("merged.h5", *files, code=4)
        check(files[2] in out and out.count("\n") == 1 and not list(folder.glob("merged*")), f"a shard {what}: {out}")
    (folder / files[2]).unlink()
    out = merge("merged.h5", *files, code=3)
    check(files[2] in out and out.count("\n") == 1 and not list(folder.glob("merged*")), f"a shard that is not there: {out}")
    run("grid", "--shard", "2/7", "-s", "end=2")
    out = merge("merged.h5", *files, code=4)
    check(f"{files[2]} does not belong to {files[0]}: of another sweep: group 'theta2': end is 1 in the file, 2 in the sweep" in out, f"of another sweep: {out}")
    for output in (files[0], files[3]):
        out = merge(output, *files, "--force", code=3)
        check("is a file that this command reads" in out, f"a shard is not replaced: {out}")
    (folder / files[4]).rename(folder / "merged.h5.log")
    out = merge("merged.h5", *files[:4], "merged.h5.log", "--force", code=3)
    check("is a file that this command reads" in out and (folder / "merged.h5.log").exists(), f"nor where the log would be: {out}")
    (folder / "merged.h5.log").rename(folder / files[4])
    (folder / "merged.h5").write_bytes(b"precious")
    out = merge("merged.h5", *files[:2], code=3)
    check((folder / "merged.h5").read_bytes() == b"precious" and "exists already" in out, f"an existing file: {out}")
    merge("merged.h5", *files[:2], "--force", code=6)
    remove("merged*", "grid.shard-*")


def other_numbers():
    """Two files have the same points, other numbers and checksums that hold: news about a machine."""
    write("plain.yaml", GRID.split("trajectory")[0])
    for i in range(3):
        run("plain", "--shard", f"{i}/3")
    files = shards("plain", 3)
    merge("plain.h5", *files)
    (folder / "other.h5").write_bytes((folder / files[1]).read_bytes())
    with h5("other") as file:
        point = int(np.flatnonzero(file["theta2/status"][()])[7])
        updates = int(file["theta2/updates"][()].flat[point])
    poke(folder / "other.h5", "theta2", "updates", {point: updates + 1})
    begin = point // 1024 * 1024
    for first, second in ((files[1], "other.h5"), ("other.h5", files[1])):
        out = merge("merged.h5", files[0], first, second, files[2], code=7)
        check(f"{first} and {second} have other results of points {begin} to {begin + 1023} of group 'theta2'" in out and out.count("\n") == 1, f"other numbers: {out}")
        check(not list(folder.glob("merged*")), "nothing is left of a merge that is refused")
    merge("merged.h5", *files, files[1])
    same_bytes("merged.h5", "plain.h5", "a shard that is given twice")
    remove("merged*", "other*", "plain*")


def killed_and_resumed():
    """Shards are killed at any moment and started again by the same command, two at a time; one of them twice as fine."""
    slow = GRID.replace("0.3, 31]", "0.3, 201]").replace("metrics: [status, updates, energy_drift, x_final, error_max]", "metrics: [status, updates, energy_drift]")
    write("slow.yaml", slow)
    run("slow")
    begin = time.monotonic()
    run("slow", "--shard", "0/7", "-o", "timed.h5")
    whole = time.monotonic() - begin
    remove("timed*")
    rng, kills = np.random.default_rng(5), 0
    for i in range(7):
        for attempt in range(3):
            process = start("run", "slow.yaml", "-d", "reference", "--progress", "none", "--resume", "--shard", f"{i}/7")
            time.sleep(rng.uniform(0.01, 0.8 * whole))
            kills += process.poll() is None
            process.send_signal(signal.SIGKILL if attempt else signal.SIGTERM)
            process.wait()
        run("slow", "--resume", "--shard", f"{i}/7")
    check(kills > 2, f"{kills} were killed")
    merge("merged.h5", *shards("slow", 7))
    same_bytes("merged.h5", "slow.h5", f"{kills} kills")
    remove("merged*", "slow.*")


def own_kernel():
    """A problem file of the user's is found beside the sweep."""
    (folder / "own").mkdir()
    (folder / "out").mkdir()
    pendula("new", "metric", "mine", cwd=folder / "own")
    write("own/sweep.yaml", GRID.replace("x_final, error_max]", "./mine.cl]"))
    for words in (["-o", "out/whole.h5"], *(["-o", f"out/{i}.h5", "--shard", f"{i}/3"] for i in range(3))):
        pendula("run", "own/sweep.yaml", "-d", "cpu", "--progress", "none", *words)
    out = merge("out/merged.h5", *(f"out/{i}.h5" for i in range(3)), code=4)
    check("mine.cl" in out and "--sweep SWEEP.yaml" in out and not (folder / "out" / "merged.h5").exists(),
          f"a kernel file that the shards name: {out}")
    merge("out/merged.h5", *(f"out/{i}.h5" for i in range(3)), "--sweep", "own/sweep.yaml")
    same_bytes("out/merged.h5", "out/whole.h5", "a kernel file of the user's")


write("grid.yaml", GRID)
write("design.yaml", DESIGN)
main(whole_sweeps, parts_of_files, what_is_missing, other_numbers, killed_and_resumed, own_kernel, fine="all as documented")
