# check_summary -- what `run` prints at its end, and its exit code where points failed.
import collections
import json

from checking import check, execute, finish, h5, need, pendula, PROGRAM, refused, write

need("h5py")

FINE = "problem: pendulum\nparameters: {x0: {linear: [0.1, 3, 50]}}\nmethods: [rk4, theta1]\nstep: 0.1\nend: 2\n"
# Newton's method fails at large steps where steps may not be halved; explicit Euler overflows everywhere.
SOME = "problem: pendulum\nparameters: {g: {log: [1, 1e8, 40]}}\nmethods: [generalized_alpha]\nstep: 0.5\nend: 2\nnewton: {max_updates: 4}\nsubsteps: {max_depth: 0}\n"
ALL = "problem: harmonic_oscillator\nparameters: {omega: [1e4, 1e5]}\nmethods: [explicit_euler]\nstep: 1\nsteps: 600\nsubsteps: {max_depth: 0}\n"


def run(name, *words, code=0):
    done = pendula("run", f"{name}.yaml", "-d", "reference", "--progress", "none", *words, code=code)
    return done.out, done.err


def statuses(name):
    names = "not_run ok newton_failed depth_exceeded budget_exceeded not_finite singular chatter".split()
    with h5(name) as file:
        return dict(collections.Counter(names[s] for g in file.values() if "status" in g for s in g["status"][()].ravel()))


for name, text in (("fine", FINE), ("some", SOME), ("all", ALL)):
    write(f"{name}.yaml", text)
out, err = run("fine")
check("fine.h5: 100 points on reference in " in out and "  ok               100\n" in out and err == "", f"text: {out}{err}")
check(out.endswith("  next: pendula info fine.h5 (what is in it); pendula plot fine.h5 (pictures)\n") and out.count("\n") == 3, f"what comes next: {out}")
check(run("fine", "-q", "--force") == ("", ""), "-q prints nothing")
out, err = run("fine", "--summary", "json", "--force")
summary = json.loads(out)
check(summary["file"] == "fine.h5" and summary["points"] == summary["points_computed"] == 100 and summary["status"] == statuses("fine") == {"ok": 100} and
      summary["steps"] == 2000 and summary["seconds"] > 0 and summary["devices"] == "reference" and summary["blocks_reused"] == 0, f"an object: {summary}")
out, err = run("fine", "--resume", "-q", "--summary", "json")
summary = json.loads(out)
check(summary["points_computed"] == 0 and summary["points_reused"] == 100 and summary["status"] == {} and err == "", f"a complete file, quietly: {summary}")
out, err = run("fine", "--resume")
check(out.startswith("fine.h5: 2 blocks reused, 0 computed; 100 points reused, 0 computed; the file was complete\n  next: pendula info fine.h5 ") and out.count("\n") == 2, f"a complete file: {out}")
# Few points are computed beside many that are copied, and all of them are ok.
out, err = run("fine", "--reuse", "fine.h5", "-o", "-it's.h5", "-s", "methods=[rk4, theta1, {label: more, velocity_verlet: {}}]")
check("-it's.h5: 100 points copied" in out and "-it's.h5: 50 points on reference in " in out, f"copied points: {out}")
check("next: pendula info './-it'\\''s.h5' (what is in it); pendula plot './-it'\\''s.h5' (pictures)\n" in out, f"a name that a shell would take apart: {out}")
for command in ("info", "verify"):
    named = out.split("pendula info ")[1].split(" (")[0]
    check(execute(["sh", "-c", f"exec \"$0\" {command} {named}", PROGRAM]).code == 0, f"{command} {named}")
out, err = run("fine", "--shard", "1/3")
check(out.endswith("pendula info fine.shard-1-of-3.h5 (what is in it); pendula merge -o FILE.h5 SHARD.h5..., once all 3 shards are there\n"), f"a shard: {out}")
check(run("fine", "--summary", "none", "--force") == ("", ""), "no summary")
run("fine", "--fail-on", "any", "--force")
run("fine", "--fail-on", "all", "--force")

out, err = run("some", "--fail-on", "any", code=10)
statuses_now = statuses("some")
failed = sum(n for s, n in statuses_now.items() if s != "ok")
check(0 < failed < 40 and f"some.h5: {failed} of 40 points failed; the file is complete" in err and err.count("\n") == 1, f"some fail: {statuses_now}: {err}")
check(f"  newton_failed    {statuses_now['newton_failed']}  ({100 * statuses_now['newton_failed'] / 40:.3g} %)\n" in out, f"the share of each way to fail: {statuses_now} {out}")
check("next: pendula info some.h5 (where they failed); pendula plot some.h5 (pictures)\n" in out, f"what is said of failed points: {out}")
pendula("verify", "some.h5")
run("some", "--fail-on", "all", "--force")
run("some", "--force")
out, err = run("some", "--fail-on", "any", "--resume", "-q", code=10)
check(out == "" and err.count("\n") == 1, "points that an earlier run computed count")
run("some", "--shard", "0/2", "--fail-on", "all")
run("all", "--fail-on", "all", code=10)
check(set(statuses("all")) == {"not_finite"}, f"all fail: {statuses('all')}")
for words in (["--fail-on", "some"], ["--summary", "xml"]):
    refused(words[0], "run", "fine.yaml", "-d", "reference", *words)
finish("all as documented")
