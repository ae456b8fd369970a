# check_input -- sweeps from standard input, and the device that PENDULA_DEVICE names.
import sys

sys.path.insert(0, f"{sys.path[0]}/../support")
from checking import check, folder, main, pendula, refused, same_bytes, write  # noqa: E402

SWEEP = "problem: pendulum\nparameters: {x0: {linear: [0.1, 3, 5]}}\nmethods: [rk4]\nstep: 0.1\nend: 2\n"


def told(*words, code=0, text="", device=None):
    done = pendula(*words, code=code, text=text, **({"PENDULA_DEVICE": device} if device is not None else {}))
    return done.out, done.err


def standard_input():
    write("sweep.yaml", SWEEP)
    told("run", "sweep.yaml", "-q", "-d", "reference")
    told("run", "-", "-q", "-d", "reference", "-o", "piped.h5", text=SWEEP)
    same_bytes("sweep.h5", "piped.h5", "the file of a sweep from standard input")
    out, err = told("run", "-", "-d", "reference", "-o", "piped.h5", "--resume", text=SWEEP)
    check("5 points reused" in out, f"it is gone on with: {out}")
    out, err = told("run", "-", "-d", "reference", "-s", "end=1", "-o", "short.h5", text=SWEEP)
    check("5 points" in out, f"overrides: {out}")
    check("give -o FILE.h5" in told("run", "-", text=SWEEP, code=2)[1], "a file without a name")
    check("total: 1 group, 5 points" in told("plan", "-", text=SWEEP, device="reference")[0], "plan")
    check("kernel void" in told("source", "-", text=SWEEP)[0], "source")
    for text, part in ((SWEEP.replace("pendulum", "pendulam"), "-:1:10: "), (SWEEP + "stpe: 1\n", "-:6:1: "), ("", "-"), ("#" * (1 << 20) + SWEEP, "-: longer than 1048576 bytes")):
        refused(part, "run", "-", "-o", "no.h5", text=text, code=4)
    check(not (folder / "no.h5").exists(), "nothing is made")
    # What it names is found from the current folder.
    write("points.csv", "x0\n0.1\n0.2\n")
    out, err = told("run", "-", "-d", "reference", "-o", "points.h5", text=SWEEP.replace("parameters: {x0: {linear: [0.1, 3, 5]}}", "points: {file: ./points.csv}"))
    check("points.h5: 2 points" in out, f"a file of points: {out}")


def device():
    """An option goes before the variable, which goes before the device that would be chosen."""
    for words in (["run", "sweep.yaml", "--force", "--progress", "none"], ["refine", "sweep.yaml", "--boundary", "x_max=1", "--width", "0.1"],
                  ["advise", "sweep.yaml", "--method", "rk4", "--steps", "4,8"], ["replay", "sweep.h5", "--point", "0"]):
        told(*words, device="reference")
        check("no device 'none such'" in told(*words, device="none such", code=8)[1], f"{words}: a device that is not there")
        told(*words, "-d", "reference", device="none such")
    check("5 points on reference" in told("run", "sweep.yaml", "--force", "--progress", "none", device="reference")[0], "PENDULA_DEVICE")
    check("no device 'none such'" in told("claims", device="none such", code=8)[1], "claims")


main(standard_input, device, fine="all as documented")
