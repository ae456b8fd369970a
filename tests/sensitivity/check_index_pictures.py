# check_index_pictures -- the pictures of `pendula sensitivity --plot`: their data beside numbers found otherwise, and their refusals.
#
#   check_index_pictures.py [PROGRAM]     PROGRAM: pendula (default: $PENDULA_PROGRAM)
#
# Exit status: 0 all as it should be, 1 something is not, 77 skipped because a Python package, gnuplot or a C compiler is absent.
import csv
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else os.environ["PENDULA_PROGRAM"]
folder = None
failures = []

STUDY = """title: A study
problem: harmonic_oscillator
parameters: {omega: {uniform: [0.5, 2]}, x0: {normal: [1, 0.1]}, zeta: {loguniform: [0.001, 0.1]}}
methods: [rk4]
step: 0.05
steps: 60
metrics: [status, x_final, updates]
design: {saltelli: {samples: 256}}
"""
MAPS = STUDY.replace("x0: {normal: [1, 0.1]}", "x0: {linear: [0.5, 1.5, 3]}, v0: {linear: [0, 1, 4]}").replace("samples: 256}}", "samples: 64}, inside: grid}")


def check(fine, what):
    if not fine:
        failures.append(what)
        print(f"wrong: {what}")


def pendula(*words, code=0):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, cwd=folder)
    check(done.returncode == code, f"pendula {' '.join(map(str, words))}: exit {done.returncode}: {done.stderr}")
    return done.stdout if code == 0 else done.stderr


def make(name, sweep, *words):
    (folder / f"{name}.yaml").write_text(sweep)
    pendula("run", f"{name}.yaml", "-d", "native", "-o", f"{name}.h5", *words)


def draw(file, stem, *words):
    """The picture's data blocks, and the texts in its SVG."""
    pendula("sensitivity", file, "--plot", stem, "-o", "-", *words)
    script, svg = (folder / f"{stem}.gp").read_text(), (folder / f"{stem}.svg").read_text()
    blocks = {name: np.array([[float(n) for n in line.split()] for line in text.splitlines()])
              for name, text in re.findall(r"^\$(\w+) << END\n(.*?)^END$", script, re.M | re.S)}
    check((folder / f"{stem}.png").stat().st_size > 10000, f"{stem}.png is drawn")
    return blocks, re.findall(r"<text>(.*?)</text>", svg)


def scatter():
    blocks, words = draw("study.h5", "scatter", "--picture", "scatter", "--metric", "x_final[0]")
    check(len(blocks) == 6 and words.count("rk4: x_final[0]") == 3 and words.count("512 of 512 points") == 3, f"panels: {list(blocks)} {words}")
    check(all(word in words for word in ("omega [rad/s]", "x0 [m]", "zeta", "points", "conditional mean, 95 %")), f"names: {words}")
    with h5py.File(folder / "study.h5") as file:
        group = file["rk4"]
        taken = np.arange(group["omega"].size) % 5 < 2  # A and B
        y = group["x_final"][:, 0][taken]
        for k, name in enumerate(("omega", "x0", "zeta")):
            x = group[name][...][taken]
            check(np.allclose(blocks[f"points{k}"], np.column_stack([x, y]), rtol=1e-8), f"points over {name}")
            order = np.argsort(x)
            slices = np.split(order, [s * len(order) // 20 for s in range(1, 20)])
            means = blocks[f"means{k}"]
            check(len(means) == 20, f"{len(means)} slices over {name}")
            error = np.array([1.96 * y[s].std(ddof=1) / np.sqrt(len(s)) for s in slices])
            check(np.allclose(means[:, 1], [y[s].mean() for s in slices], atol=1e-8), f"means over {name}")
            check(np.allclose(means[:, 3] - means[:, 1], error, atol=1e-8) and np.allclose(means[:, 1] - means[:, 2], error, atol=1e-8), f"bands over {name}")
            middle = [np.sqrt(x[s].min() * x[s].max()) if name == "zeta" else 0.5 * (x[s].min() + x[s].max()) for s in slices]
            check(np.allclose(means[:, 0], middle, rtol=1e-8), f"places over {name}")
    many, words = draw("many.h5", "many", "--picture", "scatter", "--metric", "x_final[0]")
    check(len(many["points0"]) == 1821 and words.count("1821 of 16384 points") == 3, f"at most 2000 points: {len(many['points0'])} {[w for w in words if 'points' in w]}")


def surrogate():
    blocks, words = draw("study.h5", "surrogate", "--picture", "surrogate", "--metric", "x_final[0]")
    points = blocks["points0"]
    title = next(w for w in words if w.startswith("Q2"))
    said = pendula("predict", "study.h5", "--metric", "x_final[0]", "--at", "omega=1,x0=1,zeta=0.01", "--format", "csv")
    q2 = float(next(csv.DictReader(io.StringIO(said)))["Q2"])
    check(float(title.split()[1].rstrip(",")) == float(f"{q2:.4g}") and "512 points" in title, f"title: {title}")
    with h5py.File(folder / "study.h5") as file:
        group = file["rk4"]
        taken = np.flatnonzero(np.arange(group["omega"].size) % 5 < 2)
        check(np.allclose(points[:, 0], group["x_final"][:, 0][taken], rtol=1e-8), "computed")
        for i in (0, 17, 300):
            at = ",".join(f"{n}={group[n][taken[i]]!r}" for n in ("omega", "x0", "zeta")).replace("np.float64(", "").replace(")", "")
            row = next(csv.DictReader(io.StringIO(pendula("predict", "study.h5", "--metric", "x_final[0]", "--at", at, "--format", "csv"))))
            check(abs(float(row["value"]) - points[i, 1]) < 1e-8, f"predicted at {at}: {row['value']}, not {points[i, 1]}")
    check("computed [m]" in words or "computed" in words, f"axes: {words}")
    blocks, words = draw("rough.h5", "rough", "--picture", "surrogate", "--metric", "x_final[0]")
    check(any("refused" in w for w in words), f"an expansion that is refused: {words}")


def maps():
    blocks, words = draw("maps.h5", "maps", "--metric", "x_final[0]")
    table = list(csv.DictReader(io.StringIO(pendula("sensitivity", "maps.h5", "--metric", "x_final[0]", "--format", "csv"))))
    check(len(blocks) == 2 and "omega" in words and "zeta" in words and "ST" in words, f"a map for each factor: {list(blocks)} {words}")
    for k, factor in enumerate(("omega", "zeta")):
        expected = {(round(float(r["x0"]), 6), round(float(r["v0"]), 6)): float(r["ST"]) for r in table if r["parameter"] == factor}
        cells = blocks[f"panel{k}"]
        check(len(cells) == len(expected) == 12 and all(abs(expected[(round(c[0], 6), round(c[1], 6))] - c[6]) < 1e-6 for c in cells), f"cells of {factor}")
        check(np.allclose(np.unique(cells[:, 2:4]), [0.25, 0.75, 1.25, 1.75]), f"edges of cells along x0: {np.unique(cells[:, 2:4])}")
        check(np.allclose(np.unique(cells[:, 4:6].round(6)), np.array([-1, 1, 3, 5, 7]) / 6, atol=1e-6), f"edges along v0: {np.unique(cells[:, 4:6])}")
    blocks, words = draw("maps.h5", "turned", "--metric", "x_final[0]", "--map", "v0,x0")
    check(sorted(set(blocks["panel0"][:, 0])) == [0, 1 / 3, 2 / 3, 1] or np.allclose(sorted(set(blocks["panel0"][:, 0])), [0, 1 / 3, 2 / 3, 1]), "axes as they are named")
    blocks, words = draw("three.h5", "three", "--metric", "x_final[0]", "--map", "x0,steps")
    table = csv.DictReader(io.StringIO(pendula("sensitivity", "three.h5", "--metric", "x_final[0]", "--format", "csv")))
    expected = sorted(float(r["ST"]) for r in table if r["parameter"] == "omega" and abs(float(r["v0"]) - 2 / 3) < 1e-9)
    check(len(expected) == 6 and np.allclose(sorted(blocks["panel0"][:, 6]), expected, atol=1e-6), "cells at the middle of the third axis")
    check(len(blocks["panel0"]) == 6 and any("v0 = 0.6667" in w for w in words), f"the third axis at its middle: {words}")


def dummy():
    blocks, words = draw("given.h5", "given", "--metric", "x_final[0]")
    table = list(csv.DictReader(io.StringIO(pendula("sensitivity", "given.h5", "--metric", "x_final[0]", "--format", "csv"))))
    check("PAWN of a dummy" in words, f"the legend: {words}")
    check(np.allclose(blocks["panel0"][:, 5], [float(r["pawn_dummy"]) for r in table]), "PAWN of a dummy")


def refusals():
    def refused(words, message, file="study.h5", code=2):
        said = pendula("sensitivity", file, *words, code=code)
        check(message in said and said.count("\n") == 1, f"sensitivity {' '.join(words)}: '{message}' in: {said}")

    refused(["--picture", "scatter"], "add --plot FILE")
    refused(["--map", "x0,v0"], "add --plot FILE", "maps.h5")
    refused(["--picture", "bars", "--plot", "no"], "--picture takes indices, scatter or surrogate, got 'bars'")
    refused(["--map", "x0", "--plot", "no"], "--map takes two axes, X,Y", "maps.h5")
    refused(["--map", "x0,x0", "--plot", "no"], "--map takes two axes, X,Y", "maps.h5")
    refused(["--map", "x0,w0", "--plot", "no"], "have no axis 'w0' around them", "maps.h5")
    refused(["--map", "omega,x0", "--plot", "no"], "have no axis 'omega' around them", "maps.h5")
    refused(["--metric", "updates", "--picture", "surrogate", "--plot", "no"], "there is nothing to draw", code=4)
    check(not list(folder.glob("no.*")), "nothing is left of a picture that is refused")


def main():
    global folder
    if not (shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")) or not shutil.which("gnuplot"):
        print("skipped: no C compiler, or gnuplot is not installed")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        make("study", STUDY)
        make("many", STUDY.replace("saltelli: {samples: 256}", "lhs: {samples: 16384}"))
        make("given", STUDY.replace("saltelli: {samples: 256}", "random: {samples: 1000}"))
        make("rough", STUDY.replace("steps: 60", "steps: 20000").replace("saltelli: {samples: 256}", "sobol: {samples: 128}").replace("[0.001, 0.1]", "[1.0e-6, 1.0e-5]"))
        make("maps", MAPS)
        make("three", MAPS.replace("steps: 60", "steps: [40, 60]"))
        for part in (scatter, surrogate, maps, dummy, refusals):
            part()
    print("pictures of indices: " + ("all as it should be" if not failures else f"{len(failures)} wrong"))
    return 1 if failures else 0


sys.exit(main())
