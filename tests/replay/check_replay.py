# check_replay -- `pendula replay`: its traces against the files that they replay and against numpy, its refusals, its page.
"""Runs small sweeps on a native device and replays points of them.

    python3 tests/replay/check_replay.py [--write]     $PENDULA_PROGRAM: the program
                                                       --write puts the example into docs/replay.md

Exit status: 0 all as it should be, 1 something is not, 77 there is neither gcc nor clang, or no h5py or numpy.
"""
import csv
import io
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

try:
    import h5py
    import numpy

    from poke import poke
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

ROOT = pathlib.Path(os.environ.get("PENDULA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
PROGRAM = str(pathlib.Path(os.environ.get("PENDULA_PROGRAM", ROOT / "build/pendula")).resolve())
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

failures = []
folder = pathlib.Path(tempfile.mkdtemp())
# The same kernels are needed again and again.
os.environ["PENDULA_CACHE_DIR"] = str(folder / "cache")


def check(holds, what):
    if not holds:
        print("FAILED  " + what, flush=True)
        failures.append(what)


def pendula(*words, **environment):
    return subprocess.run([PROGRAM, *map(str, words)], cwd=folder, capture_output=True, text=True, env=os.environ | environment)


def make(name):
    (folder / f"{name}.yaml").write_text(SWEEPS[name].replace("METRICS", METRICS), encoding="utf-8")
    run = pendula("run", f"{name}.yaml", "-d", "native", "--progress", "none")
    assert run.returncode == 0, run.stderr


def stored(name, label, point):
    """Status, metrics and final state that h5py finds in the file."""
    with h5py.File(folder / f"{name}.h5") as file:
        group = file[label]
        at = numpy.unravel_index(point, group["status"].shape) if group["status"].shape else ()
        words = group["status"].attrs["flag_meanings"].split()
        return {"status": words[int(group["status"][at])], **{
            key: group[key][at] for key in ("updates", "failed_solves", "x_final") if key in group}}


def replay(name, label, point, *words):
    """Summary and trace of a point, as objects and as rows of text."""
    chosen = [f"{name}.h5", "--group", label, "--point", point, "-d", "native", *words]
    whole = pendula("replay", *chosen, "--format", "json")
    check(whole.returncode == 0, f"{name} {label} {point}: exit {whole.returncode}: {whole.stderr}")
    trace = pendula("replay", *chosen, "--trace", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(trace.stdout)))
    return json.loads(whole.stdout)[0], [r for r in rows if not r["update"]], [r for r in rows if r["update"]]


def check_places(what, rows, side, steps, h):
    """The substeps that a side accepted cover its steps one after the other; what failed is tried again, shorter."""
    tried = [r for r in rows if r[side] and r[side] != "start"]
    reached, count = 0.0, 0
    for row in tried:
        t, length = float(row["time"]), float(row["h"])
        check(abs(t - reached) <= 1e-6 * h * (1 + int(row["step"])), f"{what}: {side} tries t = {t} where it has reached {reached}")
        if row[side] == "accepted":
            reached, count = t + length, int(row["step"])
    ended = abs(reached - steps * h) <= 1e-6 * h * (1 + steps)
    check(ended or tried[-1][side] != "accepted" or count < steps, f"{what}: {side} ends at {reached}, of {steps} steps of {h}")


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
    by_number = pendula("replay", "kinds.h5", "--group", "theta2", "--point", "6", "-d", "native")
    by_value = pendula("replay", "kinds.h5", "--method", "theta2", "--at", "step=0.3,eps=0.012", "--at", "theta=0.1", "-d", "native")
    check(by_number.returncode == 0 and by_number.stdout == by_value.stdout, f"--at is not --point 6: {by_value.stderr}")
    part = pendula("replay", "kinds.h5", "--group", "theta2", "--point", "6", "-d", "native", "--trace", "--from=3", "--to=4", "--format=csv")
    steps = {row["step"] for row in csv.DictReader(io.StringIO(part.stdout))}
    check(steps == {"3", "4"}, f"--from 3 --to 4 shows steps {steps}")
    rows = json.loads(pendula("replay", "kinds.h5", "--group", "theta2", "--point", "6", "-d", "native", "--trace", "--format=json").stdout)
    check(any("kernel_jacobian" in row and len(row["kernel_jacobian"]) == 4 for row in rows), "json has no Jacobians")
    text = pendula("replay", "kinds.h5", "--group", "theta2", "--point", "6", "-d", "native", "--trace", "--to=0").stdout
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
        text = pendula("replay", "chance.h5", "--point", point, "-d", "native").stdout
        said = "decisions    differ first at step" in text and "the residual is" in text
        check(said == (summary["first_decision"] is not None), f"chance {point}: {text}")


def check_single():
    make("single")
    for point in (0, 1):
        summary, rows, _ = check_point("single", "hht_alpha", point)
        check(float(rows[1]["ulps"]) < 64, f"single: {rows[1]['ulps']} ulps of float after a step")
    alone = pendula("replay", "single.h5", "--point", "0", "-d", "reference", "--format", "json")
    check(alone.returncode == 0 and not json.loads(alone.stdout)[0]["kernel"]["ran"], f"the reference alone: {alone.stderr}")


def check_search():
    make("search")
    for point in (0, 1):
        _, rows, updates = check_point("search", "incremental_potential", point)
        check_places("search", rows, "kernel", 40, 0.05)
        check(check_updates("search", updates, 1e-8)[0] > 40, "search: few Jacobians")


def check_reference_file():
    """A file that the reference computed: its bits are the reference's, and those of the kernel are no fault."""
    run = pendula("run", "search.yaml", "-d", "reference", "-o", "reference.h5", "--progress", "none")
    assert run.returncode == 0, run.stderr
    summary = json.loads(pendula("replay", "reference.h5", "--point", "0", "-d", "native", "--format=json").stdout)[0]
    check(summary["computed_by"] == "reference" and summary["reference"]["same_as_file"], f"a file of the reference: {summary['reference']}")
    check(not summary["kernel"]["same_as_file"], "the kernel has the bits of the reference: this shows nothing")


def check_own():
    (folder / "own.cl").write_text(OWN, encoding="utf-8")
    make("own")
    trusted = ("--sweep", "own.yaml")
    summary, rows, updates = replay("own", "theta1", 1, *trusted)
    check(summary["reference"]["ran"] and summary["kernel"]["same_as_file"], f"own: {summary}")
    check(summary["certified"] == summary["judged"] == 11 and len(rows) == 11 and updates, f"own: {summary}")
    alone = pendula("replay", "own.h5", "--point", "1", "-d", "reference", *trusted)
    check(alone.returncode == 0, f"own on the reference: {alone.returncode} {alone.stderr}")
    # Whose file it is does not matter: no code that it names is read, though it lies beside it.
    for device in ("native", "reference"):
        lost = pendula("replay", "own.h5", "--point", "1", "-d", device)
        check(lost.returncode == 4 and "--sweep" in lost.stderr and "'./own.cl'" in lost.stderr, f"own alone: {lost.returncode} {lost.stderr}")
    (folder / "elsewhere").mkdir()
    shutil.copy(folder / "own.h5", folder / "elsewhere")
    found = pendula("replay", "elsewhere/own.h5", "--point", "1", "-d", "native", *trusted)
    check(found.returncode == 0, f"own with --sweep: {found.stderr}")
    # Of a sweep file of the user's only the files that it names are opened.
    lost = pendula("replay", "own.h5", "--point", "1", "-d", "native", "--sweep", "search.yaml")
    check(lost.returncode == 4 and "does not name it" in lost.stderr, f"own by another sweep: {lost.returncode} {lost.stderr}")
    # A changed file of the user's makes other kernels: said, and no fault.
    (folder / "own.cl").write_text(OWN.replace("-p->k * x[0]", "-p->k * x[0] * 1.5"), encoding="utf-8")
    other = pendula("replay", "own.h5", "--point", "1", "-d", "native", *trusted)
    check(other.returncode == 0 and "of another version" in other.stdout, f"own changed: {other.returncode} {other.stdout}")


def reseal(data):
    """Writes the checksum of the header anew, as a stranger would."""
    count, = struct.unpack("<Q", data[-24:-16])
    table = list(struct.iter_unpack("<QQ", data[-24 - 16 * count:-24]))
    place = total = 0
    for offset, length in [*table, (len(data) - 24 - 16 * count, 0)]:
        total = zlib.crc32(data[place:offset], total)
        place = offset + length
    data[-12:-8] = struct.pack("<I", total)


def check_stranger():
    """No file that a result file names is opened, nor printed, and no other kernel runs than the one it has."""
    plain = "problem: harmonic_oscillator\nmethods: [rk4]\nsteps: 3\nend: 1\n"
    for kind in ("problem", "method", "metric"):
        assert pendula("new", kind, f"new_{kind}").returncode == 0
    files = {
        "points.csv": ("x0\n1\n2\n", plain + "points: {file: points.csv}\n"),
        "matrix.mtx": ("%%MatrixMarket matrix array real general\n1 1\n4\n", "problem: {stiffness: ./matrix.mtx}\nmethods: [rk4]\nsteps: 3\nend: 1\n"),
        "new_problem.cl": (None, plain.replace("harmonic_oscillator", "./new_problem.cl")),
        "new_method.cl": (None, plain.replace("rk4", "./new_method.cl")),
        "new_metric.cl": (None, plain + "metrics: [./new_metric.cl]\n"),
    }
    (folder / "plain.yaml").write_text(plain, encoding="utf-8")
    for name, (text, sweep) in files.items():
        if text:
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "named.yaml").write_text(sweep, encoding="utf-8")
        run = pendula("run", "named.yaml", "-d", "native", "-o", "named.h5", "--force", "--progress", "none")
        assert run.returncode == 0, run.stderr
        (folder / name).write_text("hunter2\n", encoding="utf-8")
        for words in (["replay", "named.h5", "--point", "0", "-d", "reference"],
                      ["replay", "named.h5", "--point", "0", "-d", "reference", "--sweep", "plain.yaml"],
                      ["merge", "-o", "merged.h5", "named.h5"],
                      ["run", "plain.yaml", "-d", "reference", "-o", "again.h5", "--progress", "none", "--reuse", "named.h5"]):
            done = pendula(*words)
            check(done.returncode == 4 and "may not have opened" in done.stderr and "hunter2" not in done.stdout + done.stderr,
                  f"{name}: {words}: exit {done.returncode}: {done.stderr}")
    run = pendula("run", "plain.yaml", "-d", "native", "-o", "plain.h5", "--progress", "none")
    assert run.returncode == 0, run.stderr
    data = bytearray((folder / "plain.h5").read_bytes())
    place = data.index(b"#define DOF 1\n") + 12
    data[place] += 1
    reseal(data)
    (folder / "plain.h5").write_bytes(data)
    done = pendula("replay", "plain.h5", "--point", "0", "-d", "native")
    check(done.returncode == 4 and "differs from the file's in line 2 of `source`" in done.stderr, f"another source: {done.returncode} {done.stderr}")
    done = pendula("replay", "plain.h5", "--point", "0", "-d", "native", "--sweep", "plain.yaml")
    check(done.returncode == 0, f"another source, and a sweep that is trusted: {done.returncode} {done.stderr}")


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
    begin = data.index(b"GCOL") + 40
    (folder / "damaged.h5").write_bytes(data[:begin] + bytes([data[begin] ^ 1]) + data[begin + 1:])
    (folder / "cut.h5").write_bytes(data[:len(data) // 2])
    for code, words, arguments in cases:
        run = pendula("replay", *arguments)
        check(run.returncode == code and words in run.stderr and run.stderr.count("\n") == 1 and not run.stdout,
              f"{arguments}: exit {run.returncode}, not {code}: {run.stderr}")


def check_other_numbers():
    """A number of the file that is not the kernel's is exit 7; a point that is not computed yet is none."""
    with h5py.File(folder / "kinds.h5") as file:
        number = int(file["theta2/updates"][()].flat[3])
    shutil.copy(folder / "kinds.h5", folder / "other.h5")
    poke(folder / "other.h5", "theta2", "updates", {3: number + 1})
    poke(folder / "other.h5", "theta2", "status", {4: 0})
    run = pendula("replay", "other.h5", "--group", "theta2", "--point", "3", "-d", "native")
    check(run.returncode == 7 and "the kernel's 'updates' is not that of the file" in run.stderr, f"other numbers: {run.returncode} {run.stderr}")
    check(f"updates {number} and not {number + 1}" in run.stdout, f"other numbers: {run.stdout}")
    run = pendula("replay", "other.h5", "--group", "theta2", "--point", "4", "-d", "native")
    check(run.returncode == 0 and "file         not_run" in run.stdout, f"not computed: {run.returncode} {run.stdout}")


def check_wrong_kernel():
    """A compiler that changes a coefficient of theta2 makes kernels whose substeps have no certificate."""
    compiler = folder / "wrong_cc"
    compiler.write_text("#!/bin/sh\nfor word; do test -f \"$word\" && sed -i 's#theta / 6.0#theta / 6.00001#' \"$word\"; done\n"
                        f"exec {shutil.which('gcc') or shutil.which('clang')} \"$@\"\n", encoding="utf-8")
    compiler.chmod(0o755)
    run = pendula("replay", "kinds.h5", "--group", "theta2", "--point", "3", "-d", "native", PENDULA_CC=str(compiler), PENDULA_CACHE_DIR="none")
    check(run.returncode == 7 and "without a certificate" in run.stderr and
          ("of the theta method" in run.stderr or "condition number" in run.stderr),
          f"a wrong kernel: {run.returncode} {run.stderr} {run.stdout}")
    check("bits         part at step 1," in run.stdout or "bits         part at step 0," in run.stdout, f"a wrong kernel: {run.stdout}")


def check_without_compiler():
    listed = pendula("list", "devices", "--json", PENDULA_CC="none")
    if listed.returncode or not json.loads(listed.stdout):
        print("no OpenCL device here: the replay without a compiler is left out")
        return
    run = pendula("replay", "fails.h5", "--point", "0", PENDULA_CC="none")
    check(run.returncode == 0 and "certificates left out: " in run.stdout and "have the file's bits" in run.stdout,
          f"without a compiler: {run.returncode} {run.stdout} {run.stderr}")


def masked(text):
    """An example without what differs from machine to machine: numbers, the device, where rounding is largest."""
    text = re.sub(r"on (gcc|clang), [^;]*;", "on DEVICE;", " ".join(text.split()))
    text = re.sub(r"-?\d[\d.]*(e[+-]?\d+)?", "#", text)
    text = re.sub(r"in (\S+ of|the) [^;:]*, component #", "in EQUATION", text)
    return re.sub(r"[xv]\[#\]|\(\w+\)|ulps?\b", "VARIES", text)


def check_page():
    """The example of the page, from a part of the quickstart."""
    page = ROOT / "docs/replay.md"
    text = page.read_text(encoding="utf-8")
    run = pendula("run", ROOT / "sweeps/quickstart.yaml", "-d", "native", "--progress", "none", "-s", "parameters.eps=[1.0e-3]",
                  "-s", "step=[0.05]", "-s", "trajectory.where={step: 0.05, rho_inf: 0.6, theta: 0.07}")
    assert run.returncode == 0, run.stderr
    command = re.search(r"^pendula (replay .*)$", text, re.M).group(1)
    printed = pendula(*command.split(), "-d", "native").stdout
    before, _, rest = text.partition(MARKS[0])
    example, _, after = rest.partition(MARKS[1])
    if "--write" in sys.argv[1:]:
        lines = [line if len(line) < 118 else line[:line.rindex(" ", 0, 118)] + "\n" + 13 * " " + line[line.rindex(" ", 0, 118) + 1:]
                 for line in printed.splitlines()]
        page.write_text(before + MARKS[0] + "\n".join(lines) + "\n" + MARKS[1] + after, encoding="utf-8")
        return
    flat = [masked(part) for part in (printed, example)]
    check(len(flat[0]) > 500 and flat[0] == flat[1], f"docs/replay.md shows\n{flat[1]}\nnot\n{flat[0]}\n(--write makes it so)")


def main():
    if json.loads(pendula("list", "devices", "--json").stdout or "[]") == [] or pendula("source", "--help").returncode:
        print("skipped: no device here")
        return 77
    if not (shutil.which("gcc") or shutil.which("clang")):
        print("skipped: neither gcc nor clang is there")
        return 77
    try:
        check_page()
        for part in (check_kinds, check_fails, check_chance, check_single, check_search, check_reference_file, check_own, check_stranger, check_refusals, check_other_numbers, check_wrong_kernel, check_without_compiler):
            part()
            print(f"{part.__name__}: {len(failures)} failures so far", flush=True)
    finally:
        shutil.rmtree(folder)
    return 1 if failures else 0


sys.exit(main())
