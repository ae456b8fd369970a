# check_rare -- `pendula rare` on sweeps whose rare events have probabilities in closed form, and what it refuses.
#
# One step of Euler's method arrives at its rate: metrics are formulas of the factors. The printed intervals, of 95 %, must hold what is
# due with the seeds that are fixed here, and the estimate of eight runs must not be off by half.
import math
import os

from checking import answer, check, csv_rows, folder, main, need_compiler, need_program, parsed, pendula, refused, write
from picture import data_blocks, faults_of

os.environ["PENDULA_PROGRESS"] = "none"  # whether a compiler takes a second depends on the machine

SWEEP = """problem:
  coordinates: [y]
  rate: ["RATE"]
  parameters: PARAMETERS
design: {random: {samples: 1}}
methods: [explicit_euler]
step: 1
end: 1
metrics: [x_final, status]
"""


def sweep(name, rate, parameters, more=""):
    return write(name, SWEEP.replace("RATE", rate).replace("PARAMETERS", parameters) + more)


# The sum of two squares of normal numbers is beyond v with probability exp(-v/2).
SQUARES = ("((a - 3)/2)^2 + log(b)^2", "{a: {normal: [3, 2]}, b: {lognormal: [0, 1]}}")
MILLIONTH = 12 * math.log(10)


def table(*words):
    rows = csv_rows("rare", *words)
    return [{k: v if k in ("label", "statistic", "factor") else float(v) if v else None for k, v in row.items()} for row in rows]


def find(rows, statistic, **where):
    return [row for row in rows if row["statistic"] == statistic and all(row[k] == v for k, v in where.items())]


def holds(due, *words):
    """The rows, whose interval must hold the probability that is due."""
    rows = table(*words)
    (found,) = find(rows, "probability")
    check(found["low"] <= due <= found["high"], f"{words}: {due} is not in {found['low']} .. {found['high']}")
    check(abs(found["value"] / due - 1) < 0.5 and found["low"] > due / 3 and found["high"] < due * 3, f"{words}: {found}, not {due}")
    return rows


def see_squares():
    name = sweep("squares.yaml", *SQUARES)
    words = name, "--metric", "x_final", "--above", repr(MILLIONTH)
    rows = holds(1e-6, *words, "--samples", 500)
    (distance,) = find(rows, "distance")
    check(0 <= distance["value"] ** 2 - MILLIONTH < 0.2, f"the nearest point lies at {distance['value']}")
    a, b = (find(rows, "nearest", factor=factor)[0]["value"] for factor in "ab")
    check(abs(((a - 3) / 2) ** 2 + math.log(b) ** 2 - distance["value"] ** 2) < 1e-9, f"the nearest point {a}, {b}")
    runs = find(rows, "run")
    check(len(runs) == 8 and abs(sum(run["value"] for run in runs) / 8 / find(rows, "probability")[0]["value"] - 1) < 1e-12, "runs")
    thresholds = [row["value"] for row in find(rows, "threshold", run=1)]
    check(thresholds == sorted(thresholds), f"thresholds {thresholds}")
    for row in find(rows, "threshold"):
        due = math.exp(-row["value"] / 2)
        shown = find(rows, "above", run=row["run"], level=row["level"])[0]["value"]
        check(1 / 4 < shown / due < 4, f"P(> {row['value']}) = {shown}, not {due}")
    check(rows == table(*words, "--samples", 500, "--seed", 1), "the same seed gives other numbers")
    check(rows != table(*words, "--samples", 500, "--seed", 2), "another seed gives the same numbers")
    text = answer("rare", *words, "--samples", 500)
    check("explicit_euler: P(x_final > 27.631)" in text and "8 runs of 500 points a level" in text, text)
    (first, *_) = parsed("rare", *words, "--samples", 500, "--format", "json")
    check(first["statistic"] == "probability" and first["value"] == find(rows, "probability")[0]["value"], f"json: {first}")


def see_devices():
    need_compiler()
    words = "squares.yaml", "--metric", "x_final", "--above", repr(MILLIONTH), "--samples", 200
    check(table(*words) == table(*words, "-d", "native"), "another device gives other digits")


def see_events():
    """The lower tail; the sum of correlated normals; one run, whose interval is its own; a bounded factor."""
    name = sweep("line.yaml", "5 - 2*a", "{a: {normal: [1, 0.5]}}")
    due = 0.5 * math.erfc(4.5 / math.sqrt(2))
    rows = holds(due, name, "--metric", "x_final[0]", "--below", 3 - 4.5)
    thresholds = [row["value"] for row in find(rows, "threshold", run=1)]
    check(thresholds == sorted(thresholds, reverse=True), f"thresholds of --below: {thresholds}")
    check(abs(find(rows, "nearest")[0]["value"] - (1 + 0.5 * 4.5)) < 0.01, "the nearest point of --below")
    deviation = math.sqrt(2 + 4 * math.sin(math.pi / 12))
    name = sweep("pair.yaml", "a + b", "{a: {normal: [0, 1]}, b: {normal: [0, 1]}}", "correlated: {of: [a, b], spearman: 0.5}\n")
    rows = holds(due, name, "--metric", "x_final[y]", "--above", 4.5 * deviation)
    one = table(name, "--metric", "x_final", "--above", 4.5 * deviation, "--repeat", 1)
    (all_runs,), (run,) = find(one, "probability"), find(one, "run")
    check((all_runs["value"], all_runs["low"], all_runs["high"]) == (run["value"], run["low"], run["high"]), "the interval of one run")
    check(run["value"] == find(rows, "run", run=1)[0]["value"], "a run depends on how many there are")
    name = sweep("box.yaml", "a*b", "{a: {uniform: [0, 1]}, b: {uniform: [0, 1]}}")
    # P(a b > 1 - q) = q + (1 - q) log(1 - q).
    q = 0.01
    holds(q + (1 - q) * math.log1p(-q), name, "--metric", "x_final", "--above", 1 - q)


def see_picture():
    """The curve is the closed form's, its end the printed probability, and the levels are those of the table."""
    need_program("gnuplot")
    for name, rate, words, tail in (("squares.yaml", None, ("--above", repr(MILLIONTH)), lambda v: math.exp(-v / 2)),
                                    ("down.yaml", "-(((a - 3)/2)^2 + log(b)^2)", ("--below", repr(-MILLIONTH)), lambda v: math.exp(v / 2))):
        if rate:
            sweep(name, rate, SQUARES[1])
        words = name, "--metric", "x_final", *words, "--samples", 500
        done = pendula("rare", *words, "--format", "csv", "--plot", "tail")
        check("tail.png, tail.svg; script tail.gp" in done.err, done.err)
        rows = table(*words)
        blocks = {key: [[float(word) for word in row] for row in rows] for key, rows in data_blocks((folder / "tail.gp").read_text()).items()}
        curve = blocks["curve0"]
        places = [abs(v) for v, *_ in curve]
        check(len(curve) > 40 and places == sorted(places), f"{name}: the curve has {len(curve)} places, {places}")
        check(1.2 < places[0] < 1.6 and abs(places[-1] - MILLIONTH) < 1e-7, f"{name}: from {places[0]} to {places[-1]}")
        held = sum(low <= tail(v) <= high for v, _, low, high in curve)
        check(held >= 0.8 * len(curve), f"{name}: {held} of {len(curve)} intervals of the curve hold")
        for v, value, low, high in curve:
            check(0.7 < value / tail(v) < 1.4 and low < value < high, f"{name}: P beyond {v} is {value}, {low} to {high}, not {tail(v)}")
        (due,) = find(rows, "probability")
        for found in (blocks["event0"][0], curve[-1]):
            check(all(abs(a / b - 1) < 1e-7 for a, b in zip(found[1:], (due["value"], due["low"], due["high"]))), f"{name}: the event {found}, not {due}")
        levels = [(row["value"], find(rows, "above", run=row["run"], level=row["level"])[0]["value"]) for row in find(rows, "threshold")]
        drawn = blocks["levels0"][:-1]
        check(len(drawn) == len(levels) and all(abs(a / b - 1) < 1e-7 for row, level in zip(drawn, levels) for a, b in zip(row, level)),
              f"{name}: levels that are drawn: {drawn}")
        script, svg = (folder / "tail.gp").read_text(), (folder / "tail.svg").read_text()
        check("$curve0 using 1:3:4 with filledcurves" in script and "$event0 using 1:2:3:4 with yerrorbars" in script, "layers of the picture")
        check(not faults_of(svg, ""), f"{name}: {faults_of(svg, '')}")
        check("mean of 8 runs" in svg and f"P(x_final {'<' if rate else '>'} V)" in svg.replace("&gt;", ">").replace("&lt;", "<"), f"{name}: words")
        for ending in ("gp", "png", "svg"):
            (folder / f"tail.{ending}").unlink()
    # Equal values make no place twice: floor(4 a) / 4 > v where a >= v + 1/4.
    pendula("rare", sweep("steps.yaml", "floor(4*a)/4", "{a: {normal: [0, 1]}}"), "--metric", "x_final", "--above", 3, "--plot", "steps")
    curve = [[float(word) for word in row] for row in data_blocks((folder / "steps.gp").read_text())["curve0"]]
    check(len(curve) > 5 and all(a[0] < b[0] for a, b in zip(curve, curve[1:])), f"places of equal values: {curve}")
    for v, value, *_ in curve:
        check(0.7 < value / (0.5 * math.erfc((v + 0.25) / math.sqrt(2))) < 1.4, f"P(> {v}) of equal values is {value}")
    # A single run, and an event that is not rare.
    pendula("rare", "squares.yaml", "--metric", "x_final", "--above", 5, "--repeat", 1, "--samples", 100, "--plot", "one")
    check("mean of" not in (folder / "one.svg").read_text(), "one run has a mean")
    pendula("rare", "squares.yaml", "--metric", "x_final", "--above", 0.5, "--plot", "common")
    check(len(data_blocks((folder / "common.gp").read_text())["curve0"]) == 1, "beyond the median there is a curve")
    refused("'one.gp' exists already", "rare", "squares.yaml", "--metric", "x_final", "--above", 5, "--plot", "one", code=3)


def see_failures():
    """log(a) has no number where a < 0."""
    name = sweep("log.yaml", "log(a)", "{a: {normal: [0, 1]}}")
    words = name, "--metric", "x_final", "--above"
    holds(0.5 * math.erfc(math.e / math.sqrt(2)), *words, 1)
    text = answer("rare", *words, 1)
    check("failed or have no number: they count as outside of the event" in text, text)
    check(abs(find(table(*words, 9, "--failed", "worst"), "probability")[0]["value"] - 0.5) < 0.05, "failed points that are in the event")
    refused("and --failed refuse stops there", "rare", *words, 1, "--failed", "refuse", code=10)


def see_named():
    """Distributions on the command line, of a sweep that has neither these nor a design, and of one that has no design."""
    words = "--metric", "x_final", "--above", repr(MILLIONTH), "--samples", 200
    due = table(sweep("squares.yaml", *SQUARES), *words)
    bare = SWEEP.replace("design: {random: {samples: 1}}\n", "").replace("RATE", SQUARES[0])
    check(table(write("bare.yaml", bare.replace("PARAMETERS", SQUARES[1])), *words) == due, "a sweep without a design")
    fixed = write("fixed.yaml", bare.replace("PARAMETERS", "{a: 1, b: 1}"))
    named = "--distribution", "a={normal: [3, 2]}", "--distribution", "b={lognormal: [0, 1]}"
    check(table(fixed, *words, *named) == due, "distributions on the command line")
    check(table("squares.yaml", *words, "--distribution", "a={normal: [3, 2]}") == due, "a distribution in place of the same")
    refused("as by --distribution 'NAME={uniform: [a, b]}'", "rare", fixed, *words, code=4)
    refused("--distribution q: own_system has no parameter 'q'", "rare", fixed, *words, "--distribution", "q={uniform: [1, 2]}", code=2)
    refused("--distribution b: these are values", "rare", fixed, *words, "--distribution", "b=[1, 2]")


def see_refusals():
    name = sweep("squares.yaml", *SQUARES)
    refused("name one by --metric", "rare", name, "--above", 3)
    refused("give the event", "rare", name, "--metric", "x_final")
    refused("give the event", "rare", name, "--metric", "x_final", "--above", 3, "--below", 2)
    refused("has no metric 'nope'", "rare", name, "--metric", "nope", "--above", 3)
    refused("is a whole number: a rare event is reached through levels of a real one", "rare", name, "--metric", "status", "--above", 3)
    refused("1 numbers a point, and no '1'", "rare", name, "--metric", "x_final[1]", "--above", 3)
    refused("takes a multiple of 10", "rare", name, "--metric", "x_final", "--above", 3, "--samples", 105)
    refused("from 100 to 1000000", "rare", name, "--metric", "x_final", "--above", 3, "--samples", 90)
    refused("has no distributions", "rare", name, "--metric", "x_final", "--above", 3, "-s", "parameters.a=1", "-s", "parameters.b=2",
            "-s", "design=grid", code=4)
    refused("a rare event has a probability at each", "rare", name, "--metric", "x_final", "--above", 3, "-s", "parameters.b=[1, 2]", "-s",
            "design.inside=grid", code=4)
    bounded = sweep("bounded.yaml", "min(a, 2)", "{a: {normal: [0, 1]}}")
    refused("no higher than it began", "rare", bounded, "--metric", "x_final", "--above", 3, code=10)


if __name__ == "__main__":
    main(see_squares, see_events, see_failures, see_named, see_refusals, see_devices, see_picture)
