# check_uncertainty -- `pendula distribution` against closed forms: quantiles, intervals and how often they hold, fragility, correlations.
#
# The coordinates of most sweeps stand still, so that their ends are the numbers of the design: what is due is known from these. Intervals
# are those of sums of binomial probabilities, and must hold as often as these say.
import csv
import io
import math
import re

from checking import answer, check, csv_rows, folder, h5, main, need, need_compiler, need_program, parsed, refused, run, write
from picture import data_blocks, faults_of
from poke import poke

h5py, np = need("h5py", "numpy")

STILL = """
problem: {coordinates: [x, y, z], rate: [0, 0, 0], start: [p, q, r], parameters: {p: 0, q: 0, r: 0}}
methods: [explicit_euler]
steps: 1
end: 1
metrics: [x_final]
"""


def number(text):
    return float(text) if text else math.nan


def table(*words):
    """Rows of the table, each a dict; numbers are numbers, and nothing is NaN."""
    words_of = ("label", "metric", "statistic", "with")
    return [{k: v if k in words_of else number(v) for k, v in row.items()} for row in csv_rows("distribution", *words)]


def find(rows, statistic, at=None, **where):
    """The rows of a statistic."""
    return [row for row in rows if row["statistic"] == statistic and (at is None or row["at"] == at)
            and all(row[name] == value for name, value in where.items())]


def one(rows, statistic, at=None, **where):
    found = find(rows, statistic, at, **where)
    check(len(found) == 1, f"{len(found)} rows of {statistic} {at} {where}")
    return found[0]


def near(value, due, bound, what):
    check(abs(value - due) <= bound or (math.isnan(value) and math.isnan(due)), f"{what}: {value!r}, not {due!r} +- {bound:g}")


def at_most(count, probability):
    """P(B <= k) of k = 0 .. count, B binomial."""
    k = np.arange(count + 1)
    logs = np.array([math.lgamma(count + 1) - math.lgamma(i + 1) - math.lgamma(count - i + 1) for i in k])
    with np.errstate(divide="ignore"):
        return np.cumsum(np.exp(logs + k * math.log(probability) + (count - k) * math.log1p(-probability)))


def ranks(count, probability):
    """The closest ranks, from 1 on, that leave at most 2.5 % outside on either side; 0 and count + 1: there is none."""
    shares = at_most(count, probability)
    low = int(np.sum(shares[:count] <= 0.025))
    return low, int(np.argmax(shares >= 0.975)) + 1


def normal(z):
    return 0.5 * math.erfc(-z / math.sqrt(2))


def likely(hits, count, probability, what):
    """A count of independent hits lies where all but 1e-6 of the probability is."""
    shares = at_most(count, probability) if 0 < probability < 1 else np.full(count + 1, float(probability == 0))
    below = shares[hits - 1] if hits > 0 else 0.0
    check(below < 1 - 1e-6 and shares[hits] > 1e-6, f"{what}: {hits} of {count} hits are not likely at {probability:.6g}")


def samples(name, **columns):
    lines = [",".join(columns)] + [",".join(repr(float(v)) for v in row) for row in zip(*columns.values())]
    return write(f"{name}.csv", "\n".join(lines) + "\n")


def still(name, text="", **columns):
    """Runs points of a list, whose ends are its numbers."""
    run(name, STILL + f"points: {{file: {samples(name, **columns)}}}\n" + text)
    return f"{name}.h5"


def quantiles_are_order_statistics():
    """Each number of the table by itself, of normal numbers, of numbers with ties and of few numbers."""
    draw = np.random.default_rng(1)
    p, q = draw.normal(3, 2, 1000), np.floor(draw.exponential(3, 1000))
    file = still("list", p=p, q=q, r=draw.random(1000))
    probabilities = (0.001, 0.05, 0.3, 0.5, 0.95, 0.999)
    rows = table(file, "--quantile", ",".join(map(str, probabilities)), "--above", "1,2.5", "--above", "-4")
    for metric, numbers in (("x_final[0]", p), ("x_final[1]", q)):
        ordered = np.sort(numbers)
        for share in probabilities:
            row = one(rows, "quantile", share, metric=metric)
            low, high = ranks(1000, share)
            near(row["value"], np.quantile(numbers, share), 4e-16 * np.max(np.abs(numbers)), f"{metric}: quantile {share}")
            near(row["low"], ordered[low - 1] if low > 0 else math.nan, 0, f"{metric}: low end of quantile {share}")
            near(row["high"], ordered[high - 1] if high <= 1000 else math.nan, 0, f"{metric}: high end of quantile {share}")
        near(one(rows, "minimum", metric=metric)["value"], ordered[0], 0, "minimum")
        near(one(rows, "maximum", metric=metric)["value"], ordered[-1], 0, "maximum")
        mean, deviation = one(rows, "mean", metric=metric), one(rows, "deviation", metric=metric)
        near(mean["value"], np.mean(numbers), 1e-13, f"{metric}: mean")
        near(deviation["value"], np.std(numbers, ddof=1), 1e-12, f"{metric}: deviation")
        for end, sign in (("low", -1), ("high", 1)):  # Student's t of 999 degrees of freedom
            near((mean[end] - mean["value"]) / (np.std(numbers, ddof=1) / math.sqrt(1000)), sign * 1.96234, 2e-5, f"{metric}: {end} of mean")
            apart = numbers - np.mean(numbers)
            kurtosis = 1000 * np.sum(apart**4) / np.sum(apart**2) ** 2
            scale = 1000 / (1000 - 1.959963985)
            due = np.std(numbers, ddof=1) * math.sqrt(scale * math.exp(sign * 1.959963985 * scale * math.sqrt((kurtosis - 0.997) / 999)))
            near(deviation[end], due, 1e-9, f"{metric}: {end} of deviation")
        for value in (1, 2.5, -4):
            near(one(rows, "above", value, metric=metric)["value"], np.mean(numbers > value), 0, f"P({metric} > {value})")
        check(all(row["points"] == 1000 and row["failed"] == 0 for row in rows), "points of a list are not counted")
    # Too few numbers for an end, and one number alone.
    rows = table(still("few", p=[4, 1, 3, 2, 5], q=[7] * 5, r=[0] * 5), "--metric", "x_final[0]", "--metric", "x_final[1]")
    median = one(rows, "quantile", 0.5, metric="x_final[0]")
    check(median["value"] == 3 and math.isnan(median["low"]) and math.isnan(median["high"]), "a median of 5 numbers has an interval")
    check(one(rows, "deviation", metric="x_final[1]")["value"] == 0, "equal numbers have a deviation")
    rows = table(still("single", p=[4], q=[0], r=[0]), "--metric", "x_final[0]", "--above", "3")
    check(one(rows, "mean")["value"] == 4 and math.isnan(one(rows, "mean")["low"]) and math.isnan(one(rows, "deviation")["value"]),
          "one number has an interval")
    near(one(rows, "above")["low"], 0.025, 1e-12, "P of one hit of one")


def fill(name, numbers):
    """A file with a grid of cells, and these numbers [cells][points] as the end of x."""
    cells, points = numbers.shape
    run(name, STILL.replace("p: 0, q: 0", f"p: {{linear: [1, {cells}, {cells}]}}, q: {{linear: [1, {points}, {points}]}}"))
    poke(folder / f"{name}.h5", "explicit_euler", "x_final", {3 * i: value for i, value in enumerate(numbers.ravel())})


def intervals_hold_as_often_as_they_say():
    """In a thousand cells of a hundred independent numbers each."""
    cells, points = 1000, 100
    draw = np.random.default_rng(7)
    shares = (0.1, 0.5, 0.9)
    for name, numbers, mean, deviation, quantile, above in (
            ("normal", draw.normal(0, 1, (cells, points)), 0, 1, (-1.2815515655, 0, 1.2815515655), 0.7),
            ("exponential", draw.exponential(1, (cells, points)), 1, 1, [-math.log1p(-share) for share in shares], 0.7)):
        fill(name, numbers)
        rows = table(f"{name}.h5", "--by", "p", "--metric", "x_final[0]", "--quantile", "0.1,0.5,0.9", "--above", str(above))
        held = lambda found, due: sum(row["low"] <= due <= row["high"] for row in found)
        check(len(find(rows, "mean")) == cells and [row["p"] for row in find(rows, "mean")] == list(range(1, cells + 1)),
              f"{name}: not a row for each cell in its order")
        for share, due in zip(shares, quantile):
            low, high = ranks(points, share)
            sums = at_most(points, share)
            likely(held(find(rows, "quantile", share), due), cells, sums[high - 1] - sums[low - 1], f"{name}: intervals of quantile {share}")
        probability = 1 - normal(above) if name == "normal" else math.exp(-above)
        hits = np.sum(numbers > above, axis=1)
        for row, count in zip(find(rows, "above"), hits):
            near(row["value"], count / points, 0, f"{name}: P(> {above})")
        covering = np.array([row["low"] <= probability <= row["high"] for row in find(rows, "above")])
        weights = np.diff(np.concatenate([[0], at_most(points, probability)]))
        ends = {count: row["low"] <= probability <= row["high"] for row, count in zip(find(rows, "above"), hits)}
        due = sum(weights[k] for k, fine in ends.items() if fine)
        check(due > 0.95 - 1e-3, f"{name}: Clopper and Pearson's intervals hold less often than 95 %")
        likely(int(np.sum(covering)), cells, min(due, 1 - 1e-9), f"{name}: intervals of P")
        if name == "normal":
            likely(held(find(rows, "mean"), mean), cells, 0.95, "normal: intervals of the mean")
        # Both hold for many points; a skewed distribution needs more than these.
        least = {"normal": 920, "exponential": 870}[name]
        for statistic, due in (("mean", mean), ("deviation", deviation)):
            count = held(find(rows, statistic), due)
            check(least <= count <= 975, f"{name}: {count} of 1000 intervals of the {statistic} hold")


OSCILLATOR = """
problem:
  coordinates: [x]
  acceleration: ["im*scale - 2*z*w*v_x - w^2*x"]
  start: [0]
  start_velocity: [0]
  parameters: {w: 6.283185307179586, z: 0.05, im: 1, scale: 1}
parameters:
  im: {linear: [2, 60, 15]}
  scale: {lognormal: [0, 0.4]}
methods: [rk4]
design: {DESIGN: {samples: 512, seed: 3}, inside: grid}
step: 0.01
end: 1
metrics: [x_max, x_final]
"""


def fragility_under_a_sudden_force():
    """The peak is im scale (1 + e^(-pi z / sqrt(1 - z^2))) / w^2: over im a lognormal fragility curve."""
    need_program("gnuplot")
    w, z = 2 * math.pi, 0.05
    peak = (1 + math.exp(-math.pi * z / math.sqrt(1 - z * z))) / w**2
    for design in ("random", "sobol"):
        name = f"sudden_{design}"
        run(name, OSCILLATOR.replace("DESIGN", design), device="native")
        said = answer("distribution", f"{name}.h5", "--metric", "x_max", "--above", "0.5,1", "--above", "2", "--format", "csv", "--plot",
                      f"fragility_{design}")
        rows = [{k: v if k in ("label", "metric", "statistic") else number(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(said))]
        with h5(name) as file:
            scales, im = file["rk4/scale"][...], file["rk4/im"][...]
        script = (folder / f"fragility_{design}.gp").read_text()
        blocks = data_blocks(script)
        for k in range(3):  # bands from the low to the high ends, which the columns of the block hold
            check(f"$panel0 using 1:{3 + 3 * k}:{4 + 3 * k} with filledcurves" in script, f"{design}: no band of value {k}")
        missed = 0
        for i, value in enumerate(im):
            for k, above in enumerate((0.5, 1, 2)):
                row = one(rows, "above", above, im=value)
                near(row["value"], np.mean(scales * value * peak > above), 2 / 512, f"{design}: P(peak > {above}) at {value}")
                probability = normal(math.log(value * peak / above) / 0.4)
                if design == "random":
                    likely(round(512 * row["value"]), 512, probability, f"fragility at im = {value}, above {above}")
                else:  # a net of 512 points in one dimension: one in each 512th
                    near(row["value"], probability, 1.01 / 512, f"sobol: fragility at im = {value}, above {above}")
                missed += not row["low"] <= probability <= row["high"]
                drawn = [float(word) for word in blocks["panel0"][i]]
                for number_drawn, due in zip(drawn[1 + 3 * k:4 + 3 * k], (row["value"], row["low"], row["high"])):
                    near(number_drawn, due, 1e-8, f"{design}: the curve that is drawn at {value}")
        check(missed <= (15 if design == "random" else 0), f"{design}: {missed} of 45 intervals miss the closed form")
        svg = (folder / f"fragility_{design}.svg").read_text()
        check(not faults_of(svg, ""), f"{design}: {faults_of(svg, '')}")
        check("V = 0.5" in svg and "P(x_max > V)" in svg, f"{design}: the picture says not what it shows")


def fragility_under_white_noise():
    """Records of independent normal numbers that are held for a step: the response is normal, with the variance of Lin's closed form
    pi S0 / (2 z w^3) once it is stationary, S0 = s^2 h / (2 pi)."""
    count, steps, h, w, z = 400, 240, 0.05, 2 * math.pi, 0.1
    noise = np.random.default_rng(11).normal(0, 1, (count, steps + 1))
    with h5py.File(folder / "records.h5", "w") as file:
        file["a"], file["t"] = noise, h * np.arange(steps + 1)
    run("noise", f"""
problem: {{coordinates: [x], acceleration: ["im*ag(t) - 2*{z}*{w!r}*v_x - {w!r}^2*x"], start: [0], start_velocity: [0],
          parameters: {{im: 1, quake: 0}}}}
tables: {{ag: {{file: ./records.h5, dataset: /a, times: /t, of: quake, between: hold}}}}
parameters: {{im: [1, 2, 4, 8], quake: {{linear: [0, {count - 1}, {count}]}}}}
methods: [rk4]
step: {h / 5}
end: {steps * h}
metrics: [x_final]
""", device="native")
    # A number a that is held from s to s + h leaves x(T) = a (G(T - s) - G(T - s - h)), G the response to a force of 1.
    damped = w * math.sqrt(1 - z * z)
    since = steps * h - h * np.arange(steps)
    response = lambda t: (1 - np.exp(-z * w * t) * (np.cos(damped * t) + z * w / damped * np.sin(damped * t))) / w**2
    deviation = math.sqrt(np.sum((response(since) - response(since - h)) ** 2))
    near(deviation, math.sqrt(math.pi * (h / (2 * math.pi)) / (2 * z * w**3)), 0.02 * deviation, "the variance of Lin's closed form")
    rows = table("noise.h5", "--by", "im", "--metric", "x_final[0]", "--above", "0.02,0.05")
    for im in (1, 2, 4, 8):
        row = one(rows, "deviation", im=im)
        near(row["value"], im * deviation, 5 * im * deviation / math.sqrt(2 * count), f"deviation at im = {im}")
        for above in (0.02, 0.05):
            likely(round(count * one(rows, "above", above, im=im)["value"]), count, 1 - normal(above / (im * deviation)),
                   f"white noise: P(x > {above}) at im = {im}")
        check(one(rows, "mean", im=im)["points"] == count, f"points at im = {im}")
    text = answer("distribution", "noise.h5", "--by", "im", "--metric", "x_final[0]")
    check("the points are a grid, each of equal weight" in text and "x_final[0], im = 8\n  400 points" in text, "the table says not what it is of")
    one(table("noise.h5", "--metric", "x_final[0]"), "mean", points=4 * count)


def exponential(matrix):
    """The exponential of a small matrix: its Taylor series, squared."""
    part = matrix / 64
    total = term = np.eye(len(matrix))
    for k in range(1, 20):
        term = term @ part / k
        total = total + term
    for _ in range(6):
        total = total @ total
    return total


def fragility_under_records():
    """A linear oscillator on records of independent normal accelerations, which are straight between their samples, has a coordinate at a
    fixed time that is exactly normal: its variance is that of the weighted sum of the samples. Each value of the axis `part` has pieces of
    the records of its own, so that its probabilities are independent of the others': the curve and how often its intervals hold are exact.
    The peak has no closed form: it is that of the same records walked exactly from sample to sample.
    """
    count, parts, pieces, h, sub = 300, 40, 60, 0.1, 10
    w, z, end = 2 * math.pi, 0.15, pieces * h
    noise = np.random.default_rng(12).normal(0, 1, (count, parts * pieces + 1))
    with h5py.File(folder / "ground.h5", "w") as file:
        file["a"], file["t"] = noise, h * np.arange(parts * pieces + 1)
    run("motions", f"""
problem:
  coordinates: [x]
  define: {{im: 0.5 + 0.1*part}}
  acceleration: ["im*ag(t + {end}*part) - 2*{z}*{w!r}*v_x - {w!r}^2*x"]
  start: [0]
  start_velocity: [0]
  parameters: {{quake: 0, part: 0}}
tables: {{ag: {{file: ./ground.h5, dataset: /a, times: /t, of: quake}}}}
parameters: {{part: {{linear: [0, {parts - 1}, {parts}]}}, quake: {{linear: [0, {count - 1}, {count}]}}}}
observe: {{size: abs(x)}}
methods: [dopri5]
step: {h / sub}
end: {end}
metrics: [x_final, x_max, {{maximum: {{of: size, from: {end}, label: last}}}}]
""", device="native")
    # The state behind dt is `free` times the state before, and a force f + s t moves it by f `push` + s `tilt`.
    whole = np.zeros((4, 4))
    whole[0, 1] = whole[1, 2] = whole[2, 3] = 1
    whole[1, :2] = -w * w, -2 * z * w
    within = exponential(whole * h / sub)
    free, push, tilt = within[:2, :2], within[:2, 2], within[:2, 3]
    im = 0.5 + 0.1 * np.arange(parts)
    force = np.stack([noise[:, k * pieces:(k + 1) * pieces + 1] for k in range(parts)]) * im[:, None, None]
    state, peaks = np.zeros((parts, count, 2)), np.zeros((parts, count))
    for k in range(pieces):
        slope = (force[:, :, k + 1] - force[:, :, k]) / h
        for i in range(sub):
            state = state @ free.T + (force[:, :, k] + slope * i * h / sub)[..., None] * push + slope[..., None] * tilt
            peaks = np.maximum(peaks, np.abs(state[..., 0]))
    with h5("motions") as file:
        group = file["dopri5"]
        ends, largest, last = group["x_final"][..., 0], group["x_max"][...], group["last"][...]
    near(np.max(np.abs(ends - state[..., 0])), 0, 1e-9, "ends of the records")
    near(np.max(np.abs(largest - peaks)), 0, 1e-9, "peaks of the records")
    near(np.max(np.abs(last - np.abs(ends))), 0, 0, "the size at the end")
    # What each sample of a record weighs in the coordinate at the end.
    step = exponential(whole * h)
    free, push, tilt = step[:2, :2], step[:2, 2], step[:2, 3]
    weights, behind = np.zeros(pieces + 1), np.eye(2)
    for k in reversed(range(pieces)):
        weights[k] += (behind @ (push - tilt / h))[0]
        weights[k + 1] += (behind @ tilt / h)[0]
        behind = behind @ free
    deviation = math.sqrt(np.sum(weights**2))
    near(deviation, math.sqrt(math.pi * (h / (2 * math.pi)) / (2 * z * w**3)), 0.05 * deviation, "the variance of Lin's closed form")
    values = (0.03, 0.06, 0.1)
    rows = table("motions.h5", "--metric", "last", "--metric", "x_max", "--by", "part", "--above", ",".join(map(str, values)))
    for above in values:
        curve, held, spread = [], [], 0
        for k in range(parts):
            row = one(rows, "above", above, metric="last", part=k)
            probability = math.erfc(above / (im[k] * deviation * math.sqrt(2)))
            hits = round(count * row["value"])
            near(row["value"], np.mean(np.abs(state[k, :, 0]) > above), 0, f"P(|x| > {above}) of part {k}")
            likely(hits, count, probability, f"P(|x| > {above}) at im = {im[k]:g}")
            # Clopper and Pearson: at its ends, what was found is the last of what leaves 2.5 % outside.
            near(1 - at_most(count, row["low"])[hits - 1] if hits > 0 else 0.025, 0.025, 1e-9, f"the low end of P(|x| > {above}) of part {k}")
            near(at_most(count, row["high"])[hits] if hits < count else 0.025, 0.025, 1e-9, f"the high end of P(|x| > {above}) of part {k}")
            sums = at_most(count, probability)
            inside = (sums > 0.025) & (1 - np.concatenate([[0], sums[:-1]]) > 0.025)
            curve.append(np.diff(np.concatenate([[0], sums]))[inside].sum())
            held.append(row["low"] <= probability <= row["high"])
            spread += curve[-1] * (1 - curve[-1])
            peak = one(rows, "above", above, metric="x_max", part=k)
            near(peak["value"], np.mean(peaks[k] > above), 0, f"P(peak > {above}) of part {k}")
            check(peak["value"] >= row["value"], f"P(peak > {above}) of part {k} is below that of the end")
        check(min(curve) >= 0.95, f"an interval that holds at {min(curve)}")
        check(abs(sum(held) - sum(curve)) <= 5 * math.sqrt(spread), f"{sum(held)} of {parts} intervals of P(|x| > {above}) hold, {sum(curve):.1f} are due")


FAILING = """
problem: {coordinates: [x], rate: ["if(p > 1, 1.0e300 * x * x, 0)"], start: [p], parameters: {p: 0}}
methods: [explicit_euler]
steps: 4
end: 1
metrics: [x_final]
trajectory: {every: 1, fields: [x]}
"""


def failed_points():
    p = np.concatenate([np.linspace(0, 1, 90), np.linspace(2, 3, 10)])
    run("failing", FAILING + f"points: {{file: {samples('failing', p=p)}}}\n")
    with h5("failing") as file:
        check(np.sum(file["explicit_euler/status"][...] != 1) == 10, "the points above 1 do not fail")
    rows = table("failing.h5", "--above", "0.5", "--quantile", "0.5,0.99")
    near(one(rows, "mean")["value"], 0.5, 1e-15, "drop: mean")
    near(one(rows, "above")["value"], 0.5, 0, "drop: P")
    near(one(rows, "quantile", 0.5)["value"], 0.5, 1e-15, "drop: median")
    check(all(row["points"] == 100 and row["failed"] == 10 for row in rows), "failed points are not counted")
    rows = table("failing.h5", "--above", "0.5,2.5", "--quantile", "0.5,0.99", "--failed", "worst")
    near(one(rows, "above", 0.5)["value"], 0.55, 0, "worst: P")
    near(one(rows, "above", 2.5)["value"], 0.1, 0, "worst: P above all numbers")
    near(one(rows, "quantile", 0.5)["value"], np.quantile(p, 0.5), 1e-15, "worst: median")
    check(one(rows, "quantile", 0.99)["value"] == math.inf and one(rows, "maximum")["value"] == math.inf, "worst: the largest is finite")
    check(math.isnan(one(rows, "mean")["value"]) and math.isnan(one(rows, "deviation")["value"]), "worst: there is a mean")
    found = parsed("distribution", "failing.h5", "--failed", "worst", "--quantile", "0.99", "--format", "json")
    check([row.get("value", "none") for row in found if row["statistic"] == "quantile"] == [None], f"worst: json {found}")
    text = answer("distribution", "failing.h5")
    check("100 points, 10 failed or have no number: they do not count" in text, "the table says nothing of failed points")
    check("they count as larger than every number" in answer("distribution", "failing.h5", "--failed", "worst"), "worst: words")
    refused("10 points have no 'x_final[0]', and --failed is refuse", "distribution", "failing.h5", "--failed", "refuse", code=4)
    # A point that fails counts at no sample, also before it fails.
    rows = table("failing.h5", "--over", "time")
    check([row["failed"] for row in find(rows, "mean")] == [10] * 5, "over time a failed point counts until it fails")


def designs():
    """Of saltelli's design A and B count; each node of a grid around a design has its own numbers."""
    text = STILL.replace("p: 0, q: 0", "p: {uniform: [0, 1]}, q: {normal: [0, 1]}")
    run("saltelli", text + "design: {saltelli: {samples: 64}}\n")
    run("around", text.replace("r: 0", "r: [1, 2, 4]").replace("rate: [0, 0, 0]", 'rate: ["r", 0, 0]') + "design: {lhs: {samples: 50}, inside: grid}\n")
    with h5("saltelli") as file:
        group = file["explicit_euler"]
        used = group["x_final"][..., 1][group["design_role"][...] < 2]
    rows = table("saltelli.h5", "--metric", "x_final[1]")
    check(len(used) == 128 and one(rows, "mean")["points"] == 128, "saltelli: not the points of A and B")
    near(one(rows, "mean")["value"], np.mean(used), 1e-15, "saltelli: mean")
    check("those of the matrices A and B" in answer("distribution", "saltelli.h5"), "saltelli: words")
    with h5("around") as file:
        ends = file["explicit_euler/x_final"][..., 0]
    rows = table("around.h5", "--metric", "x_final[0]")
    for i, r in enumerate((1, 2, 4)):
        near(one(rows, "mean", r=r)["value"], np.mean(ends[i]), 1e-14, f"mean at r = {r}")
        near(one(rows, "quantile", 0.95, r=r)["value"], np.quantile(ends[i], 0.95), 1e-14, f"quantile at r = {r}")
        near(one(rows, "mean", r=r)["value"], r + 0.5, 1 / 50, f"closed form of the mean at r = {r}")  # a Latin hypercube of a uniform factor
    run("cells", STILL.replace("p: 0, q: 0, r: 0", "p: [1, 2, 3], r: [0, 1, 5], q: [10, 20]"))
    rows = table("cells.h5", "--by", "q", "--by", "p", "--metric", "x_final[2]", "--metric", "x_final[0]", "--metric", "x_final[1]")
    check([(row["p"], row["q"]) for row in find(rows, "mean", metric="x_final[2]")] == [(p, q) for p in (1, 2, 3) for q in (10, 20)], "cells")
    for row in find(rows, "mean"):
        near(row["value"], {"x_final[0]": row["p"], "x_final[1]": row["q"], "x_final[2]": 2}[row["metric"]], 1e-15, f"mean of a cell {row}")
        check(row["points"] == 3, f"points of a cell {row}")
    # An axis around one group is a factor of the other.
    run("mixed", """
problem: pendulum
parameters: {x0: {uniform: [0.1, 1]}}
methods: [{generalized_alpha: {rho_inf: {uniform: [0, 1]}}}, {label: axis, generalized_alpha: {rho_inf: [0.2, 0.8]}}]
design: {random: {samples: 20}, inside: grid}
step: 0.1
end: 0.5
metrics: [x_max]
""")
    rows = find(table("mixed.h5"), "mean")
    check([(row["label"], str(row["rho_inf"])) for row in rows] == [("generalized_alpha", "nan"), ("axis", "0.2"), ("axis", "0.8")], f"mixed: {rows}")
    check("a Latin hypercube, which is more even" in answer("distribution", "around.h5"), "lhs: words")


def over_time():
    run("moving", """
problem: {coordinates: [x, y], rate: ["-k*x", "k"], start: [1, 0], parameters: {k: 1}}
parameters: {k: {uniform: [0, 2]}}
methods: [rk4]
design: {random: {samples: 200}}
step: 0.05
end: 2
trajectory: {samples: 9, fields: [x]}
metrics: [x_final]
""")
    with h5("moving") as file:
        x, k = file["rk4/x"][...], file["rk4/k"][...]
    rows = table("moving.h5", "--over", "time", "--above", "0.5", "--plot", "bands")
    for metric, exact in (("x[0]", lambda t: np.exp(-k * t)), ("x[1]", lambda t: k * t)):
        component = int(metric[2])
        check([row["time"] for row in find(rows, "mean", metric=metric)] == [0.25 * i for i in range(9)], f"{metric}: times")
        for i in range(9):
            t, numbers = 0.25 * i, x[:, i, component]
            near(one(rows, "mean", time=t, metric=metric)["value"], np.mean(exact(t)), 1e-6, f"{metric}: mean at {t}")
            near(one(rows, "quantile", 0.05, time=t, metric=metric)["value"], np.quantile(numbers, 0.05), 1e-15, f"{metric}: quantile at {t}")
            near(one(rows, "above", time=t, metric=metric)["value"], np.mean(numbers > 0.5), 0, f"{metric}: P at {t}")
    text = answer("distribution", "moving.h5", "--over", "time", "--metric", "x[1]", "--quantile", "0.5", "--plot", "band")
    lines = [line.split() for line in text.splitlines() if re.match(r"\s+[\d.]+\s", line) and "points" not in line]
    check(len(lines) == 9 and all(len(line) == 4 for line in lines), f"over time a sample is not a row: {text}")
    near(float(lines[8][3]), np.median(x[:, 8, 1]), 1e-5, "the median over time as text")
    drawn = data_blocks((folder / "band.gp").read_text())["panel0"]
    for i, row in enumerate(drawn):
        near(float(row[1]), np.median(x[:, i, 1]), 1e-6, f"the median that is drawn at {row[0]}")
        near(float(row[2]), np.mean(x[:, i, 1]), 1e-6, f"the mean that is drawn at {row[0]}")
    for name in ("bands", "band"):
        check(not faults_of((folder / f"{name}.svg").read_text(), ""), f"{name}: {faults_of((folder / f'{name}.svg').read_text(), '')}")


def rank(numbers):
    """Ranks from 1 on; equal numbers share the mean of theirs."""
    return np.array([np.sum(numbers < v) + 0.5 * (np.sum(numbers == v) + 1) for v in numbers])


def correlations():
    draw = np.random.default_rng(5)
    p = draw.normal(0, 1, 300)
    q = np.floor(3 * (0.8 * p + 0.6 * draw.normal(0, 1, 300)))  # ties
    file = still("pairs", p=p, q=q, r=np.exp(-2 * p))
    rows = table(file, "--correlation", "--plot", "squares")
    check([(row["metric"], row["with"]) for row in rows] == [(f"x_final[{i}]", f"x_final[{k}]") for i, k in ((0, 1), (0, 2), (1, 2))], "pairs")
    numbers = {"x_final[0]": p, "x_final[1]": q, "x_final[2]": np.exp(-2 * p)}
    for row in rows:
        x, y = numbers[row["metric"]], numbers[row["with"]]
        near(row["pearson"], np.corrcoef(x, y)[0, 1], 1e-13, f"Pearson of {row['metric']} and {row['with']}")
        near(row["spearman"], np.corrcoef(rank(x), rank(y))[0, 1], 1e-13, f"Spearman of {row['metric']} and {row['with']}")
        for name, spread in (("pearson", 1), ("spearman", 1 + row["spearman"] ** 2 / 2)):
            for end, sign in (("low", -1), ("high", 1)):
                r = max(-1 + 1e-16, min(1 - 1e-16, row[name]))
                due = math.tanh(math.atanh(r) + sign * 1.959963985 * math.sqrt(spread / 297))
                near(row[f"{name}_{end}"], due, 1e-9, f"{end} end of {name} of {row['metric']} and {row['with']}")
    near(rows[1]["spearman"], -1, 0, "Spearman of numbers that fall together")
    squares = {(row[0], row[1]): float(row[2]) for row in data_blocks((folder / "squares.gp").read_text())["panel0"] if row[2] != "NaN"}
    near(squares["0", "-1"], rows[0]["pearson"], 1e-8, "Pearson below the diagonal")
    near(squares["1", "0"] if ("1", "0") in squares else squares["1", "-0"], rows[0]["spearman"], 1e-8, "Spearman above the diagonal")
    svg = (folder / "squares.svg").read_text()
    check("Pearson below the diagonal, Spearman above it" in svg, "the map says not what it shows")
    # A constant output has none; a pair is of the points that have both.
    rows = table(still("constant", p=[1, 2, 3], q=[5, 5, 5], r=[1, 2, 4]), "--correlation")
    check(math.isnan(rows[0]["pearson"]) and math.isnan(rows[0]["spearman"]) and rows[1]["points"] == 3, f"a constant has a correlation: {rows}")
    near(rows[1]["spearman"], 1, 0, "Spearman of three numbers")


def histograms():
    draw = np.random.default_rng(3)
    p, q = draw.normal(0, 1, 2000), np.exp(draw.normal(0, 3, 2000))
    file = still("bars", p=p, q=q, r=np.full(2000, 5.0))
    said = answer("distribution", file, "--plot", "bars", "--above", "1.5")
    blocks = data_blocks((folder / "bars.gp").read_text())
    for k, numbers in enumerate((p, q)):
        bars = np.array([[float(word) for word in row] for row in blocks[f"bars{k}"]])
        due = [np.mean((numbers >= low) & (numbers < high)) for low, high, _ in bars[1:-1]]
        check(len(due) > 8 and np.max(np.abs(bars[1:-1, 2] - due)) <= 1.01 / 2000, f"bars of panel {k}: {bars[1:-1, 2] - due}")
        check(1 - np.sum(bars[:, 2]) < 0.02, f"bars of panel {k} have {np.sum(bars[:, 2])} of the points")
        kernel = np.array([[float(word) for word in row] for row in blocks[f"kernel{k}"] if row[0] != "NaN"])
        ends = np.log(bars[:, :2]) if k else bars[:, :2]
        density = np.exp(-0.5 * ((np.log(kernel[:, 0]) / 3) if k else kernel[:, 0]) ** 2) / math.sqrt(2 * math.pi) / (3 if k else 1)
        width = ends[0, 1] - ends[0, 0]
        check(np.max(np.abs(kernel[:, 1] / width - density)) < 0.05 / (3 if k else 1), f"the kernel of panel {k} is not near the density")
        marks = [float(row[0]) for row in blocks[f"quantiles{k}"][:-1:2]]
        check(np.allclose(marks, np.quantile(numbers, (0.05, 0.5, 0.95)), rtol=1e-8), f"panel {k} marks {marks}")
    check([float(row[0]) for row in blocks["above0"][:-1]] == [1.5, 1.5], "the value that is exceeded is not marked")
    check("bars2" not in blocks, "a constant is drawn")
    svg = (folder / "bars.svg").read_text()
    check(not faults_of(svg, said), f"{faults_of(svg, said)}")


def wrong_requests():
    still("few", p=[4, 1, 3, 2, 5], q=[7] * 5, r=[0] * 5)
    text = STILL.replace("p: 0, q: 0", "p: {uniform: [0, 1]}, q: {uniform: [0, 1]}")
    run("morris", text + "design: {morris: {trajectories: 4}}\n")
    run("drawn", text + "design: {random: {samples: 8}}\n")
    ask = lambda part, *words, **how: refused(part, "distribution", *words, **how)
    ask("has no metric 'x_finl[0]'", "few.h5", "--metric", "x_finl[0]")
    ask("no group 'rk4'", "few.h5", "--method", "rk4")
    ask("its points move one factor at a time, and are no sample of the factors", "morris.h5")
    ask("has no times that all of its points share", "few.h5", "--over", "time")
    ask("--by: group 'explicit_euler' has no axis 'w'", "few.h5", "--by", "w")
    ask("'p' of group 'explicit_euler' goes with other columns", "few.h5", "--by", "p")
    ask("the axes around its design make the cells: leave out --by", "drawn.h5", "--by", "p")
    ask("--quantile takes probabilities between 0 and 1", "few.h5", "--quantile", "0,0.5")
    ask("--quantile", "few.h5", "--quantile", "1.5")
    ask("--correlation is a table of its own", "few.h5", "--correlation", "--above", "1")
    ask("--correlation is of all points of a group", "few.h5", "--correlation", "--by", "p")
    ask("--correlation has no place for a failed point", "few.h5", "--correlation", "--failed", "worst")
    ask("correlations are those of two outputs or more", "few.h5", "--correlation", "--metric", "x_final[0]")
    run("many", """
problem: {coordinates: {x: 256}, rate: ["0"], start: ["p"], parameters: {p: 0}}
methods: [explicit_euler]
parameters: {p: [1, 2]}
steps: 1
end: 1
metrics: [x_final, evaluations]
""")
    ask("has more than 256 outputs to correlate", "many.h5", "--correlation")
    ask("there is nothing to draw", "few.h5", "--metric", "x_final[1]", "--plot", "none", "-o", "none.txt", code=4)
    ask("--failed takes", "few.h5", "--failed", "classify")


if __name__ == "__main__":
    need_compiler()
    main(quantiles_are_order_statistics, intervals_hold_as_often_as_they_say, fragility_under_a_sudden_force, fragility_under_white_noise,
         fragility_under_records, failed_points, designs, over_time, correlations, histograms, wrong_requests)
