# check_replay -- `pendula replay`: its traces against the files that they replay and against numpy, its refusals, its page.
"""Runs small sweeps on a native device and replays points of them.

    python3 tests/check.py replay [--write]     $PENDULA_PROGRAM: the program
                                                --write puts the example into docs/replay.md
"""
import os
import re
import shutil
import sys

from checking import answer, change, check, compilers, csv_rows, ended, flip, folder, h5, listed, main, need, need_compiler, parsed, pendula, PROGRAM, refused, ROOT, run, says, skip, write
from poke import poke
from seal import seal

numpy, _ = need("numpy", "h5py")

MARKS = ("<!-- replay -->\n```\n", "```\n<!-- end of replay -->\n")
METRICS = "[status, updates, failed_solves, substeps, energy_drift, condition_max, x_final, v_final]"

SWEEPS = {
    # Methods of every kind; points that halve their steps, fail midway, and end well.
    "kinds": """
problem: elastic_pendulum_polar
parameters: {eps: [1.0e-3, 1.0e-2]}
methods:
  - generalized_alpha: {rho_inf: [0.3, 0.6]}
  - theta2: {theta: [0.07, 0.5]}
  - {label: variable, theta2: {theta: 0.5}, substeps: {start: variable}}
  - bathe
  - sofa_euler
  - dopri5_adaptive
  - rk4
step: [0.02, 0.3]
steps: 30
newton: {max_updates: 3, scale: {r: 1.0e-3, theta: 1.0e-2}}
trajectory: {every: 5, fields: [x, energy], where: {eps: 1.0e-2}}
metrics: METRICS
""",
    "fails": """
problem: pendulum
parameters: {x0: [0.1, 3.0]}
methods: [{theta2: {theta: 0.3}}]
step: 2.0
steps: 40
newton: {max_updates: 2, tolerance: 1.0e-9}
substeps: {max_depth: 0}
metrics: METRICS
""",
    # The tolerance lies where rounding leaves the residuals: counts are chance.
    "chance": """
problem: elastic_pendulum_polar
parameters: {eps: [1.0e-4, 2.0e-4]}
methods: [generalized_alpha]
step: 0.05
end: 5
newton: {mode: paper, tolerance: 3.0e-9}
metrics: METRICS
""",
    "single": """
problem: spring_chain
parameters: {n: 3, eps: [0.1, 0.2], cubic: [0, 0.5]}
methods: [{hht_alpha: {alpha: -0.1}}]
step: 0.05
end: 1
precision: single
design: zip
trajectory: {every: 4, fields: [x, v], where: {eps: 0.2}}
metrics: METRICS
""",
    "search": """
problem: barrier_particle
parameters: {kappa: 100, d_hat: [0.5, 1]}
methods: [incremental_potential]
step: 0.05
end: 2
metrics: METRICS
""",
    "own": """
problem: ./own.cl
parameters: {k: [1, 2]}
methods: [theta1]
step: 0.1
end: 1
metrics: [status, updates, x_final]
""",
}
OWN = """//: problem: own
//: title: An oscillator
//: equation: x'' + k x = 0
//: dofs: 1
//: parameters:
//:   k: {default: 1.0, unit: "1", about: stiffness}
static void initial_state(const Params *p, real x[DOF], real v[DOF]) { x[0] = p->k; v[0] = ZERO; }
static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = -p->k * x[0];
}
"""

# The same kernels are needed again and again.
os.environ["PENDULA_CACHE_DIR"] = str(folder / "cache")


def make(name):
    run(name, SWEEPS[name].replace("METRICS", METRICS), device="native")


def stored(name, label, point):
    """Status, metrics and final state that h5py finds in the file."""
    with h5(name) as file:
        group = file[label]
        at = numpy.unravel_index(point, group["status"].shape) if group["status"].shape else ()
        words = group["status"].attrs["flag_meanings"].split()
        return {"status": words[int(group["status"][at])], **{
            key: group[key][at] for key in ("updates", "failed_solves", "x_final") if key in group}}


def replay(name, label, point, *words):
    """Summary and trace of a point, as objects and as rows of text."""
    chosen = [f"{name}.h5", "--group", label, "--point", point, "-d", "native", *words]
    summary = parsed("replay", *chosen, "--format", "json")[0]
    rows = csv_rows("replay", *chosen, "--trace")
    return summary, [r for r in rows if not r["update"]], [r for r in rows if r["update"]]


def check_places(what, rows, side, steps, h):
    """The substeps that a side accepted cover its steps one after the other; what failed is tried again, shorter."""
    tried = [r for r in rows if r[side] and r[side] != "start"]
    reached, count = 0.0, 0
    for row in tried:
        t, length = float(row["time"]), float(row["h"])
        check(abs(t - reached) <= 1e-6 * h * (1 + int(row["step"])), f"{what}: {side} tries t = {t} where it has reached {reached}")
        if row[side] == "accepted":
            reached, count = t + length, int(row["step"])
    reaches = abs(reached - steps * h) <= 1e-6 * h * (1 + steps)
    check(reaches or tried[-1][side] != "accepted" or count < steps, f"{what}: {side} ends at {reached}, of {steps} steps of {h}")


def check_updates(what, updates, tolerance):
    """Conditions and pivots are those of the Jacobians; an update begins where the one before it ended."""
    seen = 0
    for row in updates:
        for side in ("kernel", "reference"):
            if not row[f"{side}_jacobian"]:
                continue
            matrix = numpy.array([[float(x) for x in line.split()] for line in row[f"{side}_jacobian"].split(";")])
            pivots = [float(x) for x in row[f"{side}_pivots"].split()]
            condition = float(row[f"{side}_condition"])
            check(abs(numpy.linalg.cond(matrix) / condition - 1) < 1e-6, f"{what}: condition {condition} of {matrix}")
            check(abs(abs(numpy.prod(pivots) / numpy.linalg.det(matrix)) - 1) < 1e-8, f"{what}: pivots {pivots} of {matrix}")
            seen += 1
    ends = [row for row, later in zip(updates, updates[1:] + [None]) if not later or later["update"] == "0"]
    small = sum(float(row["reference_residual"] or "inf") <= tolerance for row in ends)
    return seen, small, len(ends)


def check_parting(what, summary, rows):
    """Where the two part is where the rows say so."""
    bits = next((r for r in rows if r["ulps"] and float(r["ulps"]) > 0), None)
    decision = next((r for r in rows if r["kernel"] != r["reference"] or r["kernel_updates"] != r["reference_updates"]), None)
    for name, row in (("first_bits", bits), ("first_decision", decision)):
        found = summary[name]
        same = (found is None) == (row is None) and (row is None or (
            found["step"] == int(row["step"]) and found["t"] == float(row["time"])))
        check(same, f"{what}: {name} {found}, the trace has {row}")


def check_point(name, label, point, *words):
    what = f"{name} {label} {point}"
    summary, rows, updates = replay(name, label, point, *words)
    kernel, reference, file = summary["kernel"], summary["reference"], stored(name, label, point)
    check(kernel["status"] == file["status"] == summary["status"], f"{what}: {kernel['status']}, in the file {file['status']}")
    check(kernel["same_as_file"] and kernel["differing"] == [], f"{what}: the kernel has other bits: {kernel['differing']}")
    check(summary["same_version"] and summary["computed_by"] == "kernels", f"{what}: another version")
    tried = [r for r in rows if r["kernel"] and r["kernel"] != "start"]
    check(len(tried) == kernel["substeps"], f"{what}: {len(tried)} rows of {kernel['substeps']} substeps")
    check(sum(int(r["kernel_updates"] or 0) for r in tried) == kernel["updates"] == file.get("updates", kernel["updates"]),
          f"{what}: updates of the rows, of the summary and of the file differ")
    check(sum(r["kernel"] != "accepted" for r in tried) == kernel["rejected"] + (file["status"] == "not_finite"),
          f"{what}: {kernel['rejected']} rejected")
    check(int(file.get("failed_solves", kernel["rejected"])) == kernel["rejected"], f"{what}: the file has other failed solves")
    shares = [float(r["share"]) for r in rows if r["share"]]
    check(summary["certified"] == summary["judged"] == len(shares) and max(shares) == summary["worst_share"] < 1,
          f"{what}: {summary['certified']} of {summary['judged']} hold, the largest share {max(shares)}")
    check(len(shares) >= len(tried) + (file["status"] != "not_finite"), f"{what}: {len(shares)} certificates of {len(tried)}")
    check(summary["certified_metrics"] == summary["metrics"] > 0, f"{what}: {summary['certified_metrics']} of {summary['metrics']} results")
    check_parting(what, summary, rows)
    return summary, rows, updates


def check_kinds():
    make("kinds")
    halved = failed = 0
    for label in ("generalized_alpha", "theta2", "variable", "bathe", "sofa_euler", "dopri5_adaptive", "rk4"):
        for point in (1, 2):
            what = f"kinds {label} {point}"
            count = 4 if label in ("generalized_alpha", "theta2") else 2
            summary, rows, updates = check_point("kinds", label, point * count // 2)
            h = summary["parameters"]["step"]
            for side in ("kernel", "reference"):
                check_places(what, rows, side, 30, h)
            seen, small, ends = check_updates(what, updates, 1e-8)
            check((seen > 0) == (label not in ("rk4", "dopri5_adaptive")), f"{what}: {seen} Jacobians")
            check(label in ("rk4", "dopri5_adaptive", "sofa_euler") or small > 0, f"{what}: {small} of {ends} solves end within the tolerance")
            errors = [r for r in rows if r["kernel_error"]]
            check(len(errors) == (summary["kernel"]["substeps"] if label == "dopri5_adaptive" else 0), f"{what}: {len(errors)} errors")
            for row in errors:
                check((float(row["kernel_error"]) <= 1) == (row["kernel"] == "accepted"), f"{what}: error {row['kernel_error']}, {row['kernel']}")
            halved += label in ("theta2", "variable", "generalized_alpha", "bathe") and any(int(r["level"]) > 0 for r in rows)
            failed += summary["status"] != "ok"
    check(halved > 0 and failed > 0, f"{halved} points halve steps, {failed} fail: the sweep shows too little")
    # Another way to name a point, and part of a trace.
    point = ("replay", "kinds.h5", "--group", "theta2", "--point", "6", "-d", "native")
    by_value = pendula("replay", "kinds.h5", "--method", "theta2", "--at", "step=0.3,eps=0.012", "--at", "theta=0.1", "-d", "native")
    check(answer(*point) == by_value.out, f"--at is not --point 6: {by_value.err}")
    steps = {row["step"] for row in csv_rows(*point, "--trace", "--from=3", "--to=4")}
    check(steps == {"3", "4"}, f"--from 3 --to 4 shows steps {steps}")
    rows = parsed(*point, "--trace", "--format=json")
    check(any("kernel_jacobian" in row and len(row["kernel_jacobian"]) == 4 for row in rows), "json has no Jacobians")
    text = answer(*point, "--trace", "--to=0")
    check("certificates" in text and "\n      0 " in text and "Jacobian" in text, f"the trace as text: {text}")


def check_fails():
    make("fails")
    summary, rows, _ = check_point("fails", "theta2", 1)
    check(summary["status"] == "newton_failed" and summary["kernel"]["steps"] < 40, f"fails: {summary['status']}")
    check(rows[-1]["kernel"] == rows[-1]["reference"] == "failed", f"fails: ends {rows[-1]['kernel']}")
    check(int(rows[-1]["step"]) == summary["kernel"]["steps"], "fails: the last try is not in the step that failed")


def check_chance():
    make("chance")
    summaries = [check_point("chance", "generalized_alpha", point)[0] for point in (0, 1)]
    check(all(s["sensitive"] for s in summaries), "chance: a point whose counts are chance is not sensitive")
    for point, summary in enumerate(summaries):
        text = answer("replay", "chance.h5", "--point", point, "-d", "native")
        said = "decisions    differ first at step" in text and "the residual is" in text
        check(said == (summary["first_decision"] is not None), f"chance {point}: {text}")


def check_single():
    make("single")
    for point in (0, 1):
        summary, rows, _ = check_point("single", "hht_alpha", point)
        check(float(rows[1]["ulps"]) < 64, f"single: {rows[1]['ulps']} ulps of float after a step")
    alone = parsed("replay", "single.h5", "--point", "0", "-d", "reference", "--format", "json")
    check(not alone[0]["kernel"]["ran"], f"the reference alone: {alone}")


def check_search():
    make("search")
    for point in (0, 1):
        _, rows, updates = check_point("search", "incremental_potential", point)
        check_places("search", rows, "kernel", 40, 0.05)
        check(check_updates("search", updates, 1e-8)[0] > 40, "search: few Jacobians")


def check_reference_file():
    """A file that the reference computed: its bits are the reference's, and those of the kernel are no fault."""
    pendula("run", "search.yaml", "-d", "reference", "-o", "reference.h5", "--progress", "none")
    summary = parsed("replay", "reference.h5", "--point", "0", "-d", "native", "--format=json")[0]
    check(summary["computed_by"] == "reference" and summary["reference"]["same_as_file"], f"a file of the reference: {summary['reference']}")
    check(not summary["kernel"]["same_as_file"], "the kernel has the bits of the reference: this shows nothing")


def check_own():
    write("own.cl", OWN)
    make("own")
    trusted = ("--sweep", "own.yaml")
    summary, rows, updates = replay("own", "theta1", 1, *trusted)
    check(summary["reference"]["ran"] and summary["kernel"]["same_as_file"], f"own: {summary}")
    check(summary["certified"] == summary["judged"] == 11 and len(rows) == 11 and updates, f"own: {summary}")
    pendula("replay", "own.h5", "--point", "1", "-d", "reference", *trusted)
    # Whose file it is does not matter: no code that it names is read, though it lies beside it.
    for device in ("native", "reference"):
        lost = answer("replay", "own.h5", "--point", "1", "-d", device, code=4)
        check("--sweep" in lost and "'./own.cl'" in lost, f"own alone: {lost}")
    (folder / "elsewhere").mkdir()
    shutil.copy(folder / "own.h5", folder / "elsewhere")
    pendula("replay", "elsewhere/own.h5", "--point", "1", "-d", "native", *trusted)
    # Of a sweep file of the user's only the files that it names are opened.
    lost = answer("replay", "own.h5", "--point", "1", "-d", "native", "--sweep", "search.yaml", code=4)
    check("does not name it" in lost, f"own by another sweep: {lost}")
    # A changed file of the user's makes other kernels: said, and no fault.
    write("own.cl", OWN.replace("-p->k * x[0]", "-p->k * x[0] * 1.5"))
    other = answer("replay", "own.h5", "--point", "1", "-d", "native", *trusted)
    check("of another version" in other, f"own changed: {other}")


def check_stranger():
    """No file that a result file names is opened, nor printed, and no other kernel runs than the one it has."""
    plain = "problem: harmonic_oscillator\nmethods: [rk4]\nsteps: 3\nend: 1\n"
    for kind in ("problem", "method", "metric"):
        pendula("new", kind, f"new_{kind}")
    files = {
        "points.csv": ("x0\n1\n2\n", plain + "points: {file: points.csv}\n"),
        "matrix.mtx": ("%%MatrixMarket matrix array real general\n1 1\n4\n", "problem: {stiffness: ./matrix.mtx}\nmethods: [rk4]\nsteps: 3\nend: 1\n"),
        "new_problem.cl": (None, plain.replace("harmonic_oscillator", "./new_problem.cl")),
        "new_method.cl": (None, plain.replace("rk4", "./new_method.cl")),
        "new_metric.cl": (None, plain + "metrics: [./new_metric.cl]\n"),
    }
    write("plain.yaml", plain)
    for name, (text, sweep) in files.items():
        if text:
            write(name, text)
        run("named", sweep, device="native")
        write(name, "hunter2\n")
        for words in (["replay", "named.h5", "--point", "0", "-d", "reference"],
                      ["replay", "named.h5", "--point", "0", "-d", "reference", "--sweep", "plain.yaml"],
                      ["merge", "-o", "merged.h5", "named.h5"],
                      ["run", "plain.yaml", "-d", "reference", "-o", "again.h5", "--progress", "none", "--reuse", "named.h5"]):
            done = ended(*words)
            check(done.code == 4 and "which a result file may not have opened" in done.err and "hunter2" not in done.out + done.err,
                  f"{name}: {words}: exit {done.code}: {done.err}")
    run("plain", plain, device="native")
    change("plain", "plain", {(folder / "plain.h5").read_bytes().index(b"#define DOF 1\n") + 12: b"2"})
    seal(folder / "plain.h5")  # as a stranger would
    error = answer("replay", "plain.h5", "--point", "0", "-d", "native", code=4)
    check("differs from the file's in line 2 of `source`" in error, f"another source: {error}")
    pendula("replay", "plain.h5", "--point", "0", "-d", "native", "--sweep", "plain.yaml")


def check_refusals():
    cases = [
        (2, "has no point 8: they are numbered 0 to 7", ["kinds.h5", "--group", "theta2", "--point", "8"]),
        (2, "has 7 groups: --group chooses one of generalized_alpha, theta2,", ["kinds.h5", "--point", "0"]),
        (2, "no group 'thta2'; it has generalized_alpha, theta2,", ["kinds.h5", "--group", "thta2", "--point", "0"]),
        (2, "--at: group 'theta2' has no axis 'epsilon'", ["kinds.h5", "--group", "theta2", "--at", "epsilon=1"]),
        (2, "--at: which step? Group 'theta2' has 2 values of it", ["kinds.h5", "--group", "theta2", "--at", "eps=1,theta=0"]),
        (3, "missing.h5", ["missing.h5", "--point", "0"]),
        (4, "kinds.yaml", ["kinds.yaml", "--point", "0"]),
        (4, "damaged.h5", ["damaged.h5", "--group", "theta2", "--point", "0"]),
        (4, "cut.h5", ["cut.h5", "--group", "theta2", "--point", "0"]),
        (8, "nosuch", ["kinds.h5", "--group", "theta2", "--point", "0", "-d", "nosuch"]),
    ]
    data = (folder / "kinds.h5").read_bytes()
    flip("kinds", data.index(b"GCOL") + 40, "damaged")
    (folder / "cut.h5").write_bytes(data[:len(data) // 2])
    for code, words, arguments in cases:
        refused(words, "replay", *arguments, code=code)


def check_other_numbers():
    """A number of the file that is not the kernel's is exit 7; a point that is not computed yet is none."""
    with h5("kinds") as file:
        number = int(file["theta2/updates"][()].flat[3])
    shutil.copy(folder / "kinds.h5", folder / "other.h5")
    poke(folder / "other.h5", "theta2", "updates", {3: number + 1})
    poke(folder / "other.h5", "theta2", "status", {4: 0})
    done = pendula("replay", "other.h5", "--group", "theta2", "--point", "3", "-d", "native", code=7)
    check("the kernel's 'updates' is not that of the file" in done.err and f"updates {number} and not {number + 1}" in done.out, f"other numbers: {done}")
    says([PROGRAM, "replay", "other.h5", "--group", "theta2", "--point", "4", "-d", "native"], "file         not_run", what="not computed")


def check_wrong_kernel():
    """A compiler that changes a coefficient of theta2 makes kernels whose substeps have no certificate."""
    compiler = folder / "wrong_cc"
    compiler.write_text("#!/bin/sh\nfor word; do test -f \"$word\" && sed -i 's#theta / 6.0#theta / 6.00001#' \"$word\"; done\n"
                        f"exec {compilers()[-1]} \"$@\"\n", encoding="utf-8")
    compiler.chmod(0o755)
    done = ended("replay", "kinds.h5", "--group", "theta2", "--point", "3", "-d", "native", PENDULA_CC=str(compiler), PENDULA_CACHE_DIR="none")
    check(done.code == 7 and "without a certificate" in done.err and
          ("of the theta method" in done.err or "condition number" in done.err),
          f"a wrong kernel: {done.code} {done.err} {done.out}")
    check("bits         part at step 1," in done.out or "bits         part at step 0," in done.out, f"a wrong kernel: {done.out}")


def check_without_compiler():
    if not parsed("list", "devices", "--json", PENDULA_CC="none"):
        print("no OpenCL device here: the replay without a compiler is left out")
        return
    says([PROGRAM, "replay", "fails.h5", "--point", "0"], "certificates left out: ", "have the file's bits", what="without a compiler", PENDULA_CC="none")


def masked(text):
    """An example without what differs from machine to machine: numbers, the device, where rounding is largest."""
    text = re.sub(r"on (gcc|clang), [^;]*;", "on DEVICE;", " ".join(text.split()))
    text = re.sub(r"-?\d[\d.]*(e[+-]?\d+)?", "#", text)
    text = re.sub(r"of its bound in [^;:]*, component #", "of its bound in EQUATION", text)
    return re.sub(r"[xv]\[#\]|\(\w+\)|ulps?\b", "VARIES", text)


def check_page():
    """The example of the page, from a part of the quickstart."""
    page = ROOT / "docs/replay.md"
    text = page.read_text(encoding="utf-8")
    pendula("run", ROOT / "sweeps/quickstart.yaml", "-d", "native", "--progress", "none", "-s", "parameters.eps=[1.0e-3]",
            "-s", "step=[0.05]", "-s", "trajectory.where={step: 0.05, rho_inf: 0.6, theta: 0.07}")
    command = re.search(r"^pendula (replay .*)$", text, re.M).group(1)
    printed = answer(*command.split(), "-d", "native")
    before, _, rest = text.partition(MARKS[0])
    example, _, after = rest.partition(MARKS[1])
    if "--write" in sys.argv[1:]:
        lines = [line if len(line) < 118 else line[:line.rindex(" ", 0, 118)] + "\n" + 13 * " " + line[line.rindex(" ", 0, 118) + 1:]
                 for line in printed.splitlines()]
        page.write_text(before + MARKS[0] + "\n".join(lines) + "\n" + MARKS[1] + after, encoding="utf-8")
        return
    flat = [masked(part) for part in (printed, example)]
    check(len(flat[0]) > 500 and flat[0] == flat[1], f"docs/replay.md shows\n{flat[1]}\nnot\n{flat[0]}\n(--write makes it so)")


if not listed("devices"):
    skip("no device here")
need_compiler()
main(check_page, check_kinds, check_fails, check_chance, check_single, check_search, check_reference_file, check_own, check_stranger,
     check_refusals, check_other_numbers, check_wrong_kernel, check_without_compiler)
