# check_input -- sweeps from standard input, and the device that PENDULA_DEVICE names.
from checking import answer, check, folder, main, refused, same_bytes, write

SWEEP = "problem: pendulum\nparameters: {x0: {linear: [0.1, 3, 5]}}\nmethods: [rk4]\nstep: 0.1\nend: 2\n"


def standard_input():
    write("sweep.yaml", SWEEP)
    answer("run", "sweep.yaml", "-q", "-d", "reference")
    answer("run", "-", "-q", "-d", "reference", "-o", "piped.h5", text=SWEEP)
    same_bytes("sweep.h5", "piped.h5", "the file of a sweep from standard input")
    out = answer("run", "-", "-d", "reference", "-o", "piped.h5", "--resume", text=SWEEP)
    check("5 points reused" in out, f"it is gone on with: {out}")
    out = answer("run", "-", "-d", "reference", "-s", "end=1", "-o", "short.h5", text=SWEEP)
    check("5 points" in out, f"overrides: {out}")
    check("give -o FILE.h5" in answer("run", "-", text=SWEEP, code=2), "a file without a name")
    check("total: 1 group, 5 points" in answer("plan", "-", text=SWEEP, PENDULA_DEVICE="reference"), "plan")
    check("kernel void" in answer("source", "-", text=SWEEP), "source")
    for text, part in ((SWEEP.replace("pendulum", "pendulam"), "-:1:10: "), (SWEEP + "stpe: 1\n", "-:6:1: "), ("", "-"), ("#" * (1 << 20) + SWEEP, "-: longer than 1048576 bytes")):
        refused(part, "run", "-", "-o", "no.h5", text=text, code=4)
    check(not (folder / "no.h5").exists(), "nothing is made")
    # What it names is found from the current folder.
    write("points.csv", "x0\n0.1\n0.2\n")
    out = answer("run", "-", "-d", "reference", "-o", "points.h5", text=SWEEP.replace("parameters: {x0: {linear: [0.1, 3, 5]}}", "points: {file: ./points.csv}"))
    check("points.h5: 2 points" in out, f"a file of points: {out}")


def device():
    """An option goes before the variable, which goes before the device that would be chosen."""
    for words in (["run", "sweep.yaml", "--force", "--progress", "none"], ["refine", "sweep.yaml", "--boundary", "x_max=1", "--width", "0.1"],
                  ["advise", "sweep.yaml", "--method", "rk4", "--steps", "4,8"], ["replay", "sweep.h5", "--point", "0"]):
        answer(*words, PENDULA_DEVICE="reference")
        check("no device 'none such'" in answer(*words, PENDULA_DEVICE="none such", code=8), f"{words}: a device that is not there")
        answer(*words, "-d", "reference", PENDULA_DEVICE="none such")
    check("5 points on reference" in answer("run", "sweep.yaml", "--force", "--progress", "none", PENDULA_DEVICE="reference"), "PENDULA_DEVICE")
    check("no device 'none such'" in answer("claims", PENDULA_DEVICE="none such", code=8), "claims")


main(standard_input, device, fine="all as documented")
