# check_retry -- `run --resume --retry failed`: points that failed are computed again by other rules, all others stay as they were, and
# the file says which is which.
import re
import signal
import time

from checking import check, finish, flip, folder, h5, log_of, need, pendula, place_of, start, write

np, _ = need("numpy", "h5py")

SWEEP = """problem: pendulum
parameters: {x0: {linear: [0.5, 3, 301]}, zeta: [0, 0.1, 0.3]}
methods: [theta2: {theta: [0.1, 0.5]}, {label: other, theta1: {}}]
step: [0.5, 1, 1.5, 2]
end: 20
metrics: [status, updates, x_final, energy_drift]
trajectory: {every: 2, fields: [x], where: {x0: [0.5, 3]}}
"""
FIRST = ["-s", "newton.max_updates=3", "-s", "substeps={max_depth: 0}"]
SECOND = ["-s", "newton.max_updates=4", "-s", "substeps={max_depth: 0}"]
THIRD = ["-s", "newton.max_updates=30", "-s", "substeps={max_depth: 4}"]


def told(*words, **how):
    return pendula(*words, **how).text


def run(name, *words, device="reference", **how):
    return told("run", "sweep.yaml", "-o", f"{name}.h5", "-d", device, "--progress", "none", *words, **how)


def numbers(name):
    with h5(name) as file:
        return {label: {v: file[label][v][...] for v in file[label] if file[label][v].shape} for label in file if label != "journal"}, dict(file.attrs)


def mix(then, now, again):
    """What a retry makes of two runs: of the points tried again the results of the second."""
    for label, group in now.items():
        points = again[label]
        for variable in ("status", "updates", "x_final", "energy_drift"):
            both = np.where(points.reshape(points.shape + (1,) * (group[variable].ndim - points.ndim)), group[variable], then[label][variable])
            yield label, variable, both
        stored = points[:, [0, -1]]
        yield label, "x", np.where(stored.reshape(stored.shape + (1, 1)), group["x"], then[label]["x"])


def agrees(name, then, now, again, attempt, what):
    made, attributes = numbers(name)
    for label, variable, wanted in mix(then, now, again):
        check(np.array_equal(made[label][variable], wanted, equal_nan=True), f"{what}: {label}/{variable}")
    for label in again:
        check(np.array_equal(made[label]["attempt"], attempt[label]), f"{what}: attempts of {label}")
    check(f"{name}.h5: " in told("verify", f"{name}.h5"), f"{what}: verify")
    check(not list(folder.glob(f"{name}.h5.retry*")), f"{what}: nothing else is left")
    return made, attributes


def retries():
    run("first", *FIRST)
    run("second", *SECOND)
    run("third", *THIRD)
    first, second, third = (numbers(name)[0] for name in ("first", "second", "third"))
    failed = {label: group["status"] > 1 for label, group in first.items()}
    count = sum(int(points.sum()) for points in failed.values())
    check(100 < count < 9000, f"{count} points fail")
    (folder / "tried.h5").write_bytes((folder / "first.h5").read_bytes())
    out = run("tried", "--resume", "--retry", "failed", *SECOND)
    check(f"tried.h5: retry 1: {count} points computed again, the others kept" in out, out)
    made, attributes = agrees("tried", first, second, failed, {label: points.astype("u1") for label, points in failed.items()}, "a retry")
    check(re.fullmatch(rf"1: {count} newton_failed computed again; before: theta2 newton: {{.*max_updates: 3}}; theta2 substeps: .*\n", attributes["history"]) is not None,
          attributes["history"])
    check("max_updates: 4" in attributes["settings"], "settings are those of the retry")
    log = log_of("tried")
    check(log[0]["retry"] == 1 and log[1]["points_copied"] == sum(p.size for p in failed.values()) - count, f"{log}")
    once = (folder / "tried.h5").read_bytes()
    # As after a kill behind the last renaming: the same command again.
    out = run("tried", "--resume", "--retry", "failed", *SECOND)
    check("nothing is computed again" in out and (folder / "tried.h5").read_bytes() == once, f"the same retry again: {out}")

    still = {label: group["status"] > 1 for label, group in made.items()}
    left = sum(int(points.sum()) for points in still.values())
    check(0 < left < count, f"{left} fail again")
    out = run("tried", "--resume", "--retry", "newton_failed", *THIRD)
    check(f"retry 2: {left} points" in out, out)
    attempt = {label: np.where(still[label], 2, failed[label]).astype("u1") for label in still}
    made, attributes = agrees("tried", made, third, still, attempt, "a second retry")
    check(attributes["history"].count("\n") == 2, attributes["history"])
    check("retries      1: " in told("info", "tried.h5"), "info has the history")
    out = run("tried", "--resume", "--retry", "failed", *THIRD)
    check("no point ended so by other settings; nothing is computed again" in out, out)
    before = (folder / "tried.h5").read_bytes()
    check(" 0 computed" in run("tried", "--resume", *THIRD), "a file that was tried again can be resumed")
    check((folder / "tried.h5").read_bytes() == before, "and stays as it is")

    # A block of it that is lost is not computed by rules that are not known to be its own.
    for place in ("theta2/status", "journal/block_done"):
        flip("tried", place_of("tried", place), "changed")
        changed = (folder / "changed.h5").read_bytes()
        out = run("changed", "--resume", *THIRD, code=4)
        check("computed by several rules" in out and (folder / "changed.h5").read_bytes() == changed, f"{place}: {out}")
    flip("tried", place_of("tried", "theta2/attempt"), "changed")
    pendula("verify", "changed.h5", code=4)
    return once


def refusals(once):
    text = (folder / "first.h5").read_bytes()
    flip("first", place_of("first", "journal/block_done"), "part")
    check("--resume without --retry completes it first" in run("part", "--resume", "--retry", "failed", *SECOND, code=6), "not complete")
    flip("first", place_of("first", "theta2/status"), "part", 3)
    check("1 of its blocks are damaged" in run("part", "--resume", "--retry", "failed", *SECOND, code=4), "damaged")
    for words, said in ((["-s", "end=10"], "end is 20 in the file, 10 in the sweep"), (["-s", "precision=single"], "precision"), (["-s", "metrics=[status]"], "metrics")):
        out = run("first", "--resume", "--retry", "failed", *SECOND, *words, code=4)
        check(said in out and "a retry may change `newton` and `substeps`, and nothing else" in out, f"{words}: {out}")
    check("computed by reference" in run("first", "--resume", "--retry", "failed", *SECOND, code=4, device="cpu"), "another computer")
    check("a retry changes some" in run("first", "--resume", "--retry", "failed", *FIRST, code=4), "a retry that changes no rule")
    for words in (["--retry", "failed"], ["--resume", "--retry", "ok"], ["--resume", "--retry", "lost"], ["--resume", "--retry", ""], ["--resume", "--retry", "failed,not_run"],
                  ["--resume", "--retry", "failed", "--shard", "0/2"], ["--resume", "--retry", "failed", "--reuse", "second.h5"]):
        run("first", *words, code=2)
    check("nowhere.h5" in run("nowhere", "--resume", "--retry", "failed", code=3), "no file")
    check((folder / "first.h5").read_bytes() == text, "a refused retry changes nothing")
    (folder / "tried.h5").write_bytes(once)
    check("it is no shard" in told("merge", "-o", "merged.h5", "tried.h5", code=4), "no shard")
    out = run("reused", "--reuse", "tried.h5", *SECOND)
    check("tried again by other rules: nothing of it is used" in out and (folder / "reused.h5").read_bytes() == (folder / "second.h5").read_bytes(), f"no source: {out}")
    check("copied from older files" not in out, f"points of a retried file are copied: {out}")
    check("tried again" in told("replay", "tried.h5", "--group", "other", "--point", "0", "-d", "reference", code=4), "replay")


def interrupted(once):
    """A retry that is killed at any moment leaves the file as it was, and the same command goes on to the same bytes."""
    slow = SWEEP.replace("[0.5, 3, 301]", "[0.5, 3, 8001]").replace("where: {x0: [0.5, 3]}", "where: {x0: 0.5}")
    write("sweep.yaml", slow)
    run("slow", *FIRST)
    first = (folder / "slow.h5").read_bytes()
    words = ["--resume", "--retry", "failed", *THIRD]
    run("slow", *words)
    wanted = (folder / "slow.h5").read_bytes()
    kept = stopped = 0
    for i in range(6):
        (folder / "slow.h5").write_bytes(first)
        for how in (signal.SIGKILL, signal.SIGTERM):
            process = start("run", "sweep.yaml", "-o", "slow.h5", "-d", "reference", "--progress", "none", *words)
            time.sleep(0.05 + 0.06 * i)
            process.send_signal(how)
            stopped += process.wait() != 0
            check((folder / "slow.h5").read_bytes() in (first, wanted), f"a retry that is stopped leaves the file as it was ({i})")
            kept += (folder / "slow.h5.retry").exists()
        if (folder / "slow.h5").read_bytes() == first:
            run("slow", *words)
        check((folder / "slow.h5").read_bytes() == wanted, f"gone on with to the same bytes ({i})")
        check(not list(folder.glob("slow.h5.retry*")), "nothing else is left")
    check(stopped > 3 and kept > 2, f"{stopped} were stopped, {kept} times work was left")


write("sweep.yaml", SWEEP)
once = retries()
refusals(once)
interrupted(once)
finish("all as documented")
