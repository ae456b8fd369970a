# check_input -- sweeps from standard input, and the device that PENDULA_DEVICE names.
#
# Exit status: 0 all as documented, 1 something is not.
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = os.environ["PENDULA_PROGRAM"]
SWEEP = "problem: pendulum\nparameters: {x0: {linear: [0.1, 3, 5]}}\nmethods: [rk4]\nstep: 0.1\nend: 2\n"
failures = []
folder = None


def check(fine, what):
    if not fine:
        failures.append(what)
        print(f"wrong: {what}")
    return fine


def pendula(*words, code=0, text="", device=None):
    environment = {**os.environ, **({"PENDULA_DEVICE": device} if device is not None else {})}
    done = subprocess.run([PROGRAM, *words], input=text, capture_output=True, text=True, cwd=folder, env=environment)
    check(done.returncode == code, f"{words} {device}: exit {done.returncode}, not {code}: {done.stderr}")
    return done.stdout, done.stderr


def standard_input():
    (folder / "sweep.yaml").write_text(SWEEP)
    pendula("run", "sweep.yaml", "-q", "-d", "reference")
    pendula("run", "-", "-q", "-d", "reference", "-o", "piped.h5", text=SWEEP)
    check((folder / "sweep.h5").read_bytes() == (folder / "piped.h5").read_bytes(), "the file of a sweep from standard input")
    out, err = pendula("run", "-", "-d", "reference", "-o", "piped.h5", "--resume", text=SWEEP)
    check("5 points reused" in out, f"it is gone on with: {out}")
    out, err = pendula("run", "-", "-d", "reference", "-s", "end=1", "-o", "short.h5", text=SWEEP)
    check("5 points" in out, f"overrides: {out}")
    check("give -o FILE.h5" in pendula("run", "-", text=SWEEP, code=2)[1], "a file without a name")
    check("total: 1 group, 5 points" in pendula("plan", "-", text=SWEEP, device="reference")[0], "plan")
    check("kernel void" in pendula("source", "-", text=SWEEP)[0], "source")
    for text, said in ((SWEEP.replace("pendulum", "pendulam"), "-:1:10: "), (SWEEP + "stpe: 1\n", "-:6:1: "), ("", "-"), ("#" * (1 << 20) + SWEEP, "-: longer than 1048576 bytes")):
        out, err = pendula("run", "-", "-o", "no.h5", text=text, code=4)
        check(said in err and err.count("\n") == 1, f"{text[:40]}: {err}")
    check(not (folder / "no.h5").exists(), "nothing is made")
    # What it names is found from the current folder.
    (folder / "points.csv").write_text("x0\n0.1\n0.2\n")
    out, err = pendula("run", "-", "-d", "reference", "-o", "points.h5", text=SWEEP.replace("parameters: {x0: {linear: [0.1, 3, 5]}}", "points: {file: ./points.csv}"))
    check("points.h5: 2 points" in out, f"a file of points: {out}")


def device():
    """An option goes before the variable, which goes before the device that would be chosen."""
    for words in (["run", "sweep.yaml", "--force", "--progress", "none"], ["refine", "sweep.yaml", "--boundary", "x_max=1", "--width", "0.1"],
                  ["advise", "sweep.yaml", "--method", "rk4", "--steps", "4,8"], ["replay", "sweep.h5", "--point", "0"]):
        pendula(*words, device="reference")
        check("no device 'none such'" in pendula(*words, device="none such", code=8)[1], f"{words}: a device that is not there")
        pendula(*words, "-d", "reference", device="none such")
    check("5 points on reference" in pendula("run", "sweep.yaml", "--force", "--progress", "none", device="reference")[0], "PENDULA_DEVICE")
    check("no device 'none such'" in pendula("claims", device="none such", code=8)[1], "claims")


def main():
    global folder
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        standard_input()
        device()
    print(f"input: {len(failures)} wrong" if failures else "input: all as documented")
    return 1 if failures else 0


sys.exit(main())
