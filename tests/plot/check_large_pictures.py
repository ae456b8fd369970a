# check_large_pictures -- maps of many cells are images: what each pixel shows, blocks of cells, failures, and how much text it takes; curves of
# many points keep their extremes.
import base64
import math
import os
import random
import re
import struct
import zlib

from checking import answer, check, ended, folder, main, need, need_compiler, need_program, pendula, read, run
from picture import data_blocks, faults_of, texts_of

np, _ = need("numpy", "h5py")

OSCILLATOR = "problem: harmonic_oscillator\nstep: 0.1\nsteps: 1\n"
# Where omega and the step are large the motion overflows.
FAILING = "problem: harmonic_oscillator\nsubsteps: {max_depth: 0}\nmethods: [rk4]\n"
NOT_FINITE, NO_VALUE = 5, 8


class Picture:
    """What a plot wrote: its script, its SVG and what it said."""

    def __init__(self, name, metric, *options):
        self.name, self.stem = f"{name} {metric}", f"{name}_map_{metric}"
        self.said = answer("plot", f"{name}.h5", "--force", "--kind", "map", "--metric", metric, *options)
        self.svg = (folder / f"{self.stem}.svg").read_text(encoding="utf-8")
        self.script = (folder / f"{self.stem}.gp").read_text(encoding="utf-8")
        self.words = [text.words for text in texts_of(self.svg)]
        for fault in faults_of(self.svg, self.said):
            check(False, f"{self.name}: {fault}")

    def size(self, ending):
        return (folder / f"{self.stem}.{ending}").stat().st_size

    def matrix(self, block):
        """A matrix of the script, [x][y] as the points of a sweep; None where there is none."""
        rows = data_blocks(self.script).get(block)
        return rows and np.array(rows, float).T

    def images(self, rows):
        """The images of the SVG, their first rows from above, as arrays [row][column][red, green, blue, alpha]."""
        return [decode(base64.b64decode(data), rows) for data in re.findall(r"<image[^>]*base64,([^']+)'", self.svg)]


def unfilter(kind, line, above, channels):
    """A row of a PNG from its differences, by the filters of the specification."""
    for i in range(len(line)):
        left, up, corner = (line[i - channels], above[i], above[i - channels]) if i >= channels else (0, above[i], 0)
        distances = [abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)]
        paeth = (left, up, corner)[distances.index(min(distances))]
        line[i] = (line[i] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255


def decode(data, rows):
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += length + 12
    channels = {2: 3, 6: 4}[colour]
    raw, lines, above = zlib.decompress(packed), [], bytearray(width * channels)
    for y in range(min(rows, height)):
        start = y * (width * channels + 1)
        line = bytearray(raw[start + 1:start + 1 + width * channels])
        unfilter(raw[start], line, above, channels)
        lines.append(list(line))
        above = line
    return np.array(lines).reshape(-1, width, channels)


def close(found, wanted, scale):
    """Whether numbers are the same to a thousandth of the scale, and NaN where they should be."""
    return found.shape == wanted.shape and (np.isnan(found) == np.isnan(wanted)).all() and \
        np.nanmax(abs(found - wanted), initial=0) <= 1e-3 * scale


def a_million():
    """Each cell is a pixel of its own: its value, or how it failed."""
    run("million", FAILING + "parameters: {omega: {log: [1, 1000, 1000]}}\nstep: {log: [0.01, 10, 1000]}\nsteps: 60\nmetrics: [status, x_max]\n", device="native")
    status, x_max = read("million", "rk4/status"), read("million", "rk4/x_max")
    picture = Picture("million", "x_max", "--format", "png,svg,pdf")
    for ending, most in (("png", 2), ("svg", 2), ("pdf", 2), ("gp", 10)):
        check(picture.size(ending) < most * 1e6, f"a million cells: {picture.size(ending)} bytes of {ending}")
    check(picture.svg.count("<image") == 2, f"a million cells: {picture.svg.count('<image')} images")
    check("block" not in picture.said, f"a million cells: {picture.said}")
    check("not_finite" in picture.words, f"a million cells: how points failed: {picture.words}")
    kinds = picture.matrix("kind0")
    check(np.array_equal(kinds == NOT_FINITE, status == NOT_FINITE), "a million cells: those that failed")
    # The values go beyond single precision: the script has their places on the scale.
    low, high = map(float, re.search(r"using 1:2:\(([^*]+)\*\*\(1-\$3\)\*([^*]+)\*\*\$3\)", picture.script).groups())
    wanted = np.where(status == 1, np.log10(np.where(status == 1, x_max, 1) / low) / math.log10(high / low), np.nan)
    check(close(picture.matrix("ok0"), wanted, 1.0), "a million cells: their values")
    picture = Picture("million", "status", "--format", "svg")
    check(np.array_equal(picture.matrix("kind0"), status), "a million cells: their statuses")
    check(picture.svg.count("<image") == 1 and "not_finite" in picture.words and "ok" in picture.words, f"a million cells: statuses: {picture.words}")


def the_page():
    said = pendula("report", "million.h5", "--force").err
    page = (folder / "million.html").read_text(encoding="utf-8")
    check("missing" not in said and "not drawn" not in page, f"the page lacks a picture: {said}")
    check(len(page) < 4e6 and page.count("<image") == 3, f"the page: {len(page)} bytes, {page.count('<image')} images")
    check("img-src data:;" in page, "the page's policy allows images of its own")


def blocks():
    """Blocks of 3 x 1 points show means, or most of their failures."""
    run("blocks", FAILING + "parameters: {omega: {log: [1, 1000, 100]}}\nstep: {log: [0.01, 10, 2050]}\nsteps: 2\nmetrics: [status, x_max]\n", device="native")
    status, x_max = read("blocks", "rk4/status"), read("blocks", "rk4/x_max")
    steps = len(status)
    picture = Picture("blocks", "x_max", "--format", "svg")
    note = "each cell is a block of 3 x 1 points: their mean, or how they ended where half or more have no value"
    check(note in picture.said and any(note.startswith(word[:40]) for word in picture.words if word.startswith("each cell")), f"blocks: {picture.said}")
    firsts = np.arange(0, steps, 3)
    value = (status == 1) & np.isfinite(x_max)
    points = np.add.reduceat(np.ones(status.shape), firsts)
    good = np.add.reduceat(value.astype(int), firsts)
    total = np.add.reduceat(np.where(value, x_max, 0.0), firsts)
    shown = 2 * good > points
    hidden = int((points - good)[shown].sum())
    check((f"{hidden} points without a value" in picture.said) == (hidden > 0), f"blocks: {hidden} points are hidden: {picture.said}")
    found, kinds = picture.matrix("ok0"), picture.matrix("kind0")
    check(found.shape == (1024, 400), f"blocks: {found.shape} pixels")
    # The last block has a point alone, so that a pixel shows the block in which its middle lies.
    edges = np.append(np.arange(0, steps, 3), steps)
    at = np.searchsorted(edges, (np.arange(1024) + 0.5) / 1024 * steps, side="right") - 1
    mean = np.repeat(np.where(shown, total / np.maximum(good, 1), np.nan)[at], 4, axis=1)
    check(np.array_equal(np.isnan(found), np.isnan(mean)), "blocks: those that show a mean")
    check(np.nanmax(abs(found - mean) / mean) < 1e-3, f"blocks: means are off by {np.nanmax(abs(found - mean) / mean)}")
    check(kinds is None or (kinds[np.isnan(mean)] == NOT_FINITE).all(), "blocks: those that failed")


def failures_of_blocks():
    """Blocks whose points end in several ways, by a parameter that no method takes."""
    run("mixed", "problem: {coordinates: [x], acceleration: ['-x/max(0, sign(a - b))'], start: [1], parameters: {a: {linear: [0, 1, 2000]}, "
        "b: {linear: [0, 1, 1000]}}}\nmethods: [rk4]\nstep: 0.1\nsteps: 1\nsubsteps: {max_depth: 0}\nmetrics: [status, x_max]\n", device="native")
    status = read("mixed", "rk4/status")
    picture = Picture("mixed", "x_max", "--format", "svg")
    check(status.shape == (2000, 1000), f"mixed: {status.shape}")
    good = (status == 1).reshape(1000, 2, 1000).sum(axis=1)
    check("each cell is a block of 2 x 1 points" in picture.said, f"mixed: {picture.said}")
    found = picture.matrix("ok0")
    check(0 < (good == 2).sum() < good.size and (good == 1).any(), "mixed: no block holds both")
    check(np.array_equal(np.isnan(found), good < 2), "mixed: a block of which half failed shows how")
    kinds = picture.matrix("kind0")
    check((kinds[good < 2] == NOT_FINITE).all() and "not_finite" in picture.words, "mixed: how blocks failed")


def uneven_axes():
    """Values in no order and at uneven distances: each pixel shows the cell in which its middle lies; colours are those of the legend."""
    random.seed(3)
    x0 = [round(random.uniform(0.1, 1) ** 3, 6) for _ in range(90)]
    run("uneven", f"{FAILING}parameters: {{x0: {x0}, omega: {{log: [0.1, 20, 190]}}}}\nstep: 5\nsteps: 60\nmetrics: [status, x_max]\n", device="native")
    status, x_max = read("uneven", "rk4/status"), read("uneven", "rk4/x_max")
    picture = Picture("uneven", "x_max", "--format", "svg", "--scale", "log")
    order = np.argsort(x0)
    sorted_x0 = np.array(x0)[order]
    logarithmic = "\nset logscale x\n" in picture.script
    scale = np.log(sorted_x0) if logarithmic else sorted_x0
    middles = (scale[1:] + scale[:-1]) / 2
    low, high = scale[0] - (middles[0] - scale[0]), scale[-1] + (scale[-1] - middles[-1])
    kinds = picture.matrix("kind0")
    check(kinds.shape == (1024, 570), f"uneven: {kinds.shape} pixels")
    cells = order[np.searchsorted(middles, low + (np.arange(1024) + 0.5) / 1024 * (high - low), side="right")]
    failed = np.repeat(status[cells] == NOT_FINITE, 3, axis=1)
    check(failed.any() and np.array_equal(kinds == NOT_FINITE, failed), "uneven: pixels that failed")
    lower, upper = (image[::-1].transpose(1, 0, 2) for image in picture.images(150))
    failed = failed[:, -150:]
    check(failed.any() and not failed.all(), "uneven: the first rows show both")
    check(lower.shape[:2] == (1024, 150) and (lower[failed][:, :3] == [0x7f, 0, 0]).all(), "uneven: the colour of failures")
    check((upper[failed][:, 3] == 0).all() and (upper[~failed][:, 3] == 255).all(), "uneven: values leave failures open")


def limits():
    """The second axes, which count pixels, show the part that is asked for."""
    run("limits", OSCILLATOR + "parameters: {omega: {log: [1, 100, 201]}, x0: {linear: [0, 1, 101]}}\nmethods: [rk4]\nmetrics: [x_max]\n", device="native")
    picture = Picture("limits", "x_max", "--xlim", "10,50", "--ylim", "0.25,0.5", "--format", "svg")
    ranges = [[float(n) for n in re.search(rf"set {axis}2range \[([^:]+):([^]]+)\]", picture.script).groups()] for axis in "xy"]
    x, y = picture.matrix("ok0").shape
    check((x, y) == (402, 404), f"limits: {x} by {y} pixels")
    # A pixel is half a cell of the logarithm, a quarter of one along y; the lowest cell begins half a cell below its value.
    gap = math.log(100) / 200
    near = [[(math.log(v) / gap + 0.5) * 2 - 0.5 for v in (10, 50)], [(v * 100 + 0.5) * 4 - 0.5 for v in (0.25, 0.5)]]
    check(np.allclose(ranges, near, rtol=1e-6), f"limits: {ranges}, not {near}")


def narrow_scales():
    """Values that differ in their ninth digit, which single precision does not tell apart."""
    run("narrow", OSCILLATOR + "parameters: {x0: {linear: [1000000, 1000001, 150]}, omega: {linear: [0.001, 0.0011, 150]}}\nmethods: [rk4]\n"
        "metrics: [x_max]\n", device="native")
    x_max = read("narrow", "rk4/x_max")
    picture = Picture("narrow", "x_max", "--format", "svg")
    low, high = map(float, re.search(r"using 1:2:\(([^*]+)\*\(1-\$3\)\+([^*]+)\*\$3\)", picture.script).groups())
    wanted = np.repeat(np.repeat((x_max - x_max.min()) / (x_max.max() - x_max.min()), 3, axis=0), 3, axis=1)
    check(close(picture.matrix("ok0"), wanted, 1.0) and abs(low - x_max.min()) < 1e-3 and abs(high - x_max.max()) < 1e-3, "narrow: places on the scale")


def other_groups():
    """A group with one axis only is a strip."""
    sweep = ("problem: pendulum\nstep: 0.1\nsteps: 1\nparameters: {x0: {linear: [0.1, 3, 6000]}}\nmetrics: [status, x_max, jacobians]\n"
             "methods: [{theta2: {theta: {linear: [0, 1, 3]}}}, rk4]\n")
    run("groups", sweep, device="native")
    picture = Picture("groups", "x_max", "--format", "svg")
    check("each cell is a block of 9 x 1 points" in picture.said and "rk4" in picture.words, f"groups: {picture.said}")
    check(picture.matrix("ok1").shape == (724, 2), f"groups: a strip of {picture.matrix('ok1').shape} pixels")


def long_curves():
    """Of each block of points the least and the greatest one, in the order of the axis."""
    run("long", FAILING.replace("[rk4]", "[{theta2: {theta: [0.5, 1]}}]") + "parameters: {omega: {linear: [1, 3000, 50000]}}\nstep: 0.1\nsteps: 50\n"
        "metrics: [status, x_final]\n", device="native")
    omega, found = read("long", "theta2/omega"), read("long", "theta2/x_final")
    said = answer("plot", "long.h5", "--force", "--metric", "x_final[0]", "--kind", "curves", "--x", "omega", "--at", "theta=0.5", "--format", "svg")
    check("theta2: the least and the greatest of each 49 points are drawn" in said, f"curves: {said}")
    script = (folder / "long_curves_x_final_0.gp").read_text()
    drawn = np.array(data_blocks(script)["c0_0"], float)
    curve = found[..., 0] if found.shape[0] == len(omega) else found[..., 0].T
    curve = curve[:, 0] if curve.shape[1] == 2 else curve
    firsts = np.arange(0, len(omega), 49)
    extremes = np.sort(np.concatenate([np.minimum.reduceat(curve, firsts), np.maximum.reduceat(curve, firsts)]))
    check(len(drawn) == 2 * len(firsts) and np.allclose(np.sort(drawn[:, 1]), extremes, rtol=1e-8), f"curves: {len(drawn)} points, not {len(extremes)}")
    check((np.diff(drawn[:, 0]) > 0).all(), "curves: points in the order of the axis")
    said = answer("plot", "long.h5", "--force", "--metric", "x_final[0]", "--kind", "curves", "--x", "omega", "--family", "theta", "--format", "svg")
    script = (folder / "long_curves_x_final_0.gp").read_text()
    check(len(data_blocks(script)["s1"]) == 2 * len(firsts), f"a family of long curves: {said}")
    check((folder / "long_curves_x_final_0.svg").stat().st_size < 1e6, "the SVG of long curves")
    said = pendula("report", "long.h5", "--force").err
    check("missing" not in said, f"the page of long curves: {said}")


def complaints():
    """What gnuplot says last is its complaint, whatever it warned of before."""
    tools = folder / "bin"
    tools.mkdir()
    (tools / "gnuplot").write_text("#!/bin/sh\n/usr/bin/yes '\"x.gp\" line 9: warning: matrix contains missing or undefined values' | /usr/bin/head -n 100 >&2\n"
                                   "echo '\"x.gp\" line 10: undefined variable: q' >&2\nexit 1\n")
    (tools / "gnuplot").chmod(0o755)
    done = ended("plot", "limits.h5", "--force", "-o", "broken", PATH=f"{tools}:{os.environ['PATH']}")
    check(done.code != 0 and "undefined variable: q" in done.err and "warning" not in done.err, f"complaints: {done.err}")


need_program("gnuplot")
need_compiler()
main(a_million, the_page, blocks, failures_of_blocks, uneven_axes, limits, narrow_scales, other_groups, long_curves, complaints, fine="all pictures are as they should be")
