# check_fit -- `pendula fit` on motions whose least squares are known otherwise, and what it refuses.
#
# The fits are compared with Gauss-Newton iterations here, on closed forms of the motions and of their derivatives.
import math
import os

from checking import answer, check, csv_rows, main, need, parsed, refused, write

np = need("numpy")
os.environ["PENDULA_PROGRESS"] = "none"  # whether a compiler takes a second depends on the machine

# x' = -a x from b by Euler's method: after n steps of h it stands at b (1 - a h)^n.
DECAY = """problem: {coordinates: [y], rate: ["-a*y"], start: [b], parameters: PARAMETERS}
methods: [explicit_euler]
step: 0.125
end: 4
design: {random: {samples: 1}}
"""
FREE = "{a: {uniform: [0.05, 4]}, b: {uniform: [0.2, 9]}}"
OSCILLATOR = """problem: harmonic_oscillator
parameters: {omega: {uniform: [0.5, 5]}, zeta: {uniform: [0, 0.8]}, x0: AMPLITUDES, v0: {linear: [-1, 1, 3]}}
methods: [rk4]
step: 0.01
end: 10
design: {random: {samples: 1}, inside: grid}
"""


def data(name, header, rows):
    return write(name, header + "\n" + "".join(",".join("" if cell is None else repr(float(cell)) for cell in row) + "\n" for row in rows))


def table(*words):
    rows = csv_rows("fit", *words)
    words = ("label", "statistic", "parameter", "with")
    return [{k: v if k in words else float(v) if v else None for k, v in row.items()} for row in rows]


def find(rows, statistic, **where):
    return [row for row in rows if row["statistic"] == statistic and all(row[k] == v for k, v in where.items())]


def one(rows, statistic, **where):
    (row,) = find(rows, statistic, **where)
    return row


def least_squares(model, start, x, y, sigma=1.0):
    """Values, standard deviations, correlations and the sum of squares: Gauss-Newton from a start that is close enough."""
    p = np.array(start, float)
    for _ in range(60):
        values, slopes = model(p, x)
        p = p - np.linalg.lstsq(slopes / np.reshape(sigma, (-1, 1)), (values - y) / sigma, rcond=None)[0]
    values, slopes = model(p, x)
    slopes = slopes / np.reshape(sigma, (-1, 1))
    squares = float(np.sum(((values - y) / sigma) ** 2))
    inverse = np.linalg.inv(slopes.T @ slopes)
    deviations = np.sqrt(np.diag(inverse))
    return p, deviations, inverse / np.outer(deviations, deviations), squares


def decay(p, t):
    n, (a, b) = np.round(t / 0.125), p
    left = 1 - 0.125 * a
    return b * left**n, np.stack([-0.125 * n * b * left ** (n - 1), left**n], axis=1)


def oscillator(p, conditions):
    """Of omega, zeta and v0 at times and initial displacements; the derivatives by complex steps of 1e-20."""

    def place(p):
        t, x0 = conditions
        omega, zeta, v0 = p
        damped = omega * np.sqrt(1 - zeta * zeta)
        return np.exp(-zeta * omega * t) * (x0 * np.cos(damped * t) + (v0 + zeta * omega * x0) / damped * np.sin(damped * t))

    slopes = [place(np.array(p, complex) + 1e-20j * np.eye(3)[j]).imag / 1e-20 for j in range(3)]
    return place(p), np.stack(slopes, axis=1)


STUDENT_47 = 2.0117405137  # its 0.975 quantile, of tables
STUDENT_30 = 2.0422724563


def same(rows, names, due, rtol, student=None, scale=None, what=""):
    values, deviations, correlations, squares = due
    error = math.sqrt(squares / (one(rows, "data")["value"] - len(names)))
    for j, name in enumerate(names):
        row = one(rows, "parameter", parameter=name)
        deviation = deviations[j] * (error if scale is None else scale)
        check(abs(row["value"] - values[j]) < rtol * deviation, f"{what} {name}: {row['value']}, not {values[j]}")
        check(abs(row["deviation"] / deviation - 1) < rtol, f"{what} deviation of {name}: {row['deviation']}, not {deviation}")
        if student:
            for end, side in (("low", -1), ("high", 1)):
                check(abs((row[end] - row["value"]) / (side * student * deviation) - 1) < 1e-5, f"{what} {end} of {name}: {row[end]}")
        for i in range(j):
            row = one(rows, "correlation", parameter=names[i], **{"with": name})
            check(abs(row["value"] - correlations[i, j]) < rtol, f"{what} correlation {names[i]} {name}: {row['value']}, not {correlations[i, j]}")
    check(abs(one(rows, "squares")["value"] / squares - 1) < rtol, f"{what} squares {one(rows, 'squares')['value']}, not {squares}")
    check(abs(one(rows, "error")["value"] / error - 1) < rtol, f"{what} error {one(rows, 'error')['value']}, not {error}")


def noisy_decay():
    rng = np.random.default_rng(3)
    t = 0.125 * np.arange(1, 33)
    sigma = np.where(np.arange(32) % 3 == 0, 0.2, 0.05)
    return t, decay((0.7, 3.0), t)[0] + sigma * rng.standard_normal(32), sigma


def see_discrete():
    """The least squares of the steps, with derivatives of both kinds, weights, and absolute deviations."""
    t, y, sigma = noisy_decay()
    sweep = write("decay.yaml", DECAY.replace("PARAMETERS", FREE))
    plain, weighted = data("plain.csv", "t,y", zip(t, y)), data("weighted.csv", "time,y_sigma,y", zip(t, sigma, y))
    due = least_squares(decay, (0.7, 3.0), t, y)
    rows = table(sweep, "--data", plain)
    same(rows, ("a", "b"), due, 1e-5, STUDENT_30, what="plain")
    check(one(rows, "starts", optimum=None)["value"] == 100 and not find(rows, "optimum"), f"starts: {find(rows, 'starts')}")
    same(table(sweep, "--data", plain, "--differences"), ("a", "b"), due, 1e-5, STUDENT_30, what="differences")
    same(table(sweep, "--data", plain, "-d", "reference", "--starts", 8), ("a", "b"), due, 1e-5, STUDENT_30, what="reference")
    check("no derivatives here" not in answer("fit", sweep, "--data", plain, "--differences"), "a reason without a question")
    reason = answer("fit", sweep, "--data", plain, "-s", "methods=[rodas5p]", "--starts", 4)
    check("no derivatives here: " in reason and "'rodas5p' has the Jacobian in its formula" in reason, f"why there are none: {reason}")
    due = least_squares(decay, (0.7, 3.0), t, y, sigma)
    same(table(sweep, "--data", weighted), ("a", "b"), due, 1e-5, STUDENT_30, what="weighted")
    same(table(sweep, "--data", weighted, "--sigma", "absolute"), ("a", "b"), due, 1e-5, 1.9599639845, 1.0, what="absolute")
    same(table(sweep, "--data", weighted, "--columns", "time,y"), ("a", "b"), least_squares(decay, (0.7, 3.0), t, y), 1e-5, what="columns")
    (first, *_) = parsed("fit", sweep, "--data", plain, "--format", "json")
    check(first["statistic"] == "parameter" and first["value"] == one(rows, "parameter", parameter="a")["value"], f"json: {first}")
    text = answer("fit", sweep, "--data", plain)
    check("explicit_euler: 2 parameters, 32 measured values of 1 quantity under 1 condition" in text, text)
    check("100 starts: 100 reached the best optimum, 0 ended elsewhere, 0 failed" in text, text)
    for units in (1e-12, 1e12):
        # Values in other units, and the parameter b with them.
        scaled = data("scaled.csv", "t,y", zip(t, units * y))
        other = write("scaled.yaml", DECAY.replace("PARAMETERS", FREE.replace("[0.2, 9]", f"[{0.2 * units!r}, {9 * units!r}]")))
        for statistic, where, unit in (("parameter", {"parameter": "b"}, units), ("parameter", {"parameter": "a"}, 1), ("squares", {}, units**2)):
            value, due = one(table(other, "--data", scaled), statistic, **where)["value"], one(rows, statistic, **where)["value"]
            check(abs(value / unit / due - 1) < 1e-7, f"in units of {units}, {statistic} {where}: {value}, not {due * unit}")


def see_conditions():
    """One set of parameters for two initial displacements, in any order of lines, with gaps and two quantities."""
    rng = np.random.default_rng(4)
    t = np.concatenate([np.linspace(0.1, 9.9, 30), np.linspace(0.25, 9.7, 20)])
    x0 = np.where(np.arange(50) < 30, 1.5, 0.5)
    order = rng.permutation(50)
    t, x0 = t[order], x0[order]
    x = oscillator((2.0, 0.1, 0.3), (t, x0))[0] + 0.02 * rng.standard_normal(50)
    due = least_squares(oscillator, (2.0, 0.1, 0.3), (t, x0), x)
    sweep = write("two.yaml", OSCILLATOR.replace("AMPLITUDES", "[0.5, 1, 1.5]"))
    measured = data("two.csv", "t,x0,x", zip(t, x0, x))
    rows = table(sweep, "--data", measured)
    same(rows, ("omega", "zeta", "v0"), due, 1e-4, STUDENT_47, what="conditions")
    text = answer("fit", sweep, "--data", measured, "--starts", 10)
    check("50 measured values of 1 quantity under 2 conditions" in text, text)
    # A sum of tenths is the value of the axis that it should be: the same condition.
    tenths = data("tenths.csv", "t,x0,x", [(1, 0.3, 0.2), (2, 0.1 + 0.2, -0.1), (3, 0.3, 0.1), (4, 0.1 + 0.2, 0)])
    text = answer("fit", write("tenths.yaml", OSCILLATOR.replace("AMPLITUDES", "[0.3, 0.5]")), "--data", tenths, "--starts", 2)
    check("4 measured values of 1 quantity under 1 condition," in text, f"0.3 and 0.1 + 0.2: {text}")
    # Every value as the energy of its place and as a gap elsewhere: the sum of squares is that of the distances.
    gaps = data("gaps.csv", "t,x0,x,v_x", [(a, b, c, None) for a, b, c in zip(t, x0, x)])
    check("50 fields without a number are left out" in answer("fit", sweep, "--data", gaps, "--starts", 10), "gaps are not told")
    check(table(sweep, "--data", gaps) == rows, "a column without numbers changes the fit")


def see_optima():
    """Bounds, directions that change nothing, other optima, and starts that have no number."""
    t, y, _ = noisy_decay()
    plain = data("plain.csv", "t,y", zip(t, y))
    a, b = least_squares(decay, (0.7, 3.0), t, y)[0]
    # a held at a bound below: b is then a linear least square.
    sweep = write("bound.yaml", DECAY.replace("PARAMETERS", FREE.replace("[0.05, 4]", "[0.05, 0.5]")))
    rows = table(sweep, "--data", plain)
    left = (1 - 0.125 * 0.5) ** np.round(t / 0.125)
    check(one(rows, "parameter", parameter="a")["value"] == 0.5 and one(rows, "parameter", parameter="a")["deviation"] is None, "bound")
    check(abs(one(rows, "parameter", parameter="b")["value"] / (left @ y / (left @ left)) - 1) < 1e-8, "the other parameter")
    deviation = math.sqrt(one(rows, "squares")["value"] / 31 / (left @ left))
    check(abs(one(rows, "parameter", parameter="b")["deviation"] / deviation - 1) < 1e-6, "its deviation")
    check([row["parameter"] for row in find(rows, "bound")] == ["a"], f"bounds: {find(rows, 'bound')}")
    check("a stands on its upper bound" in answer("fit", sweep, "--data", plain), "the bound is not told")
    # Of c and d only the product counts, and e does not count at all.
    text = DECAY.replace("-a*y", "-c*d*y").replace("PARAMETERS", FREE.replace("a:", "c:").replace("b:", "d: {uniform: [0.5, 2]}, e: {uniform: [0, 1]}, b:"))
    sweep = write("product.yaml", text)
    rows = table(sweep, "--data", plain, "--starts", 20)
    c, d = one(rows, "parameter", parameter="c"), one(rows, "parameter", parameter="d")
    check(abs(c["value"] * d["value"] / a - 1) < 1e-6, f"the product {c['value'] * d['value']}, not {a}")
    check(c["deviation"] == d["deviation"] == one(rows, "parameter", parameter="e")["deviation"] == math.inf, "an interval of what is unknown")
    check(abs(one(rows, "parameter", parameter="b")["deviation"] / least_squares(decay, (a, b), t, y)[1][1] / one(rows, "error")["value"] - 1) < 1e-4, "b")
    unknown = {(row["parameter"], round(row["value"], 4)) for row in find(rows, "unknown")}
    check(unknown in ({("c", 1), ("d", -1), ("e", 1)}, {("c", -1), ("d", 1), ("e", 1)}), f"unknown: {unknown}")
    text = answer("fit", sweep, "--data", plain, "--starts", 20)
    check("(relative changes that leave every residual as it is)" in text and "the data do not determine: e +1" in text, text)
    # An optimum at 0 has the size of its starts, in any unit: all of them end there, and none elsewhere.
    for unit in (1e-9, 1.0, 1e9):
        rest = write("rest.yaml", f"""problem: {{coordinates: [y], rate: ["-y + c + c^2/U"], start: [0], parameters: {{U: {unit!r}, c: {{uniform: [{-0.4 * unit!r}, {2 * unit!r}]}}}}}}
methods: [dopri5]
step: 0.0625
end: 2
""")
        text = answer("fit", rest, "--data", data("rest.csv", "t,y", [(k / 8, 0.0) for k in range(1, 17)]), "--starts", 40)
        check("40 starts: 40 reached the best optimum, 0 ended elsewhere" in text, f"an optimum at 0, in units of {unit}: {text}")
    # A tone at 3 Hz, sampled 8 times a second, is also one at 5 Hz and at 11 Hz.
    tone = """problem: {coordinates: [x], acceleration: ["-(6.283185307179586*f)^2*x"], start: [1], parameters: {f: {linear: [2.5, 6, 3]}}}
methods: [rk4]
step: 0.0025
end: 2
"""
    t = np.arange(1, 17) / 8
    aliased = data("tone.csv", "t,x", zip(t, np.cos(2 * np.pi * 3 * t)))
    rows = table(write("tone.yaml", tone), "--data", aliased, "--starts", 60)
    values = [one(rows, "parameter", parameter="f")["value"]] + [row["value"] for row in find(rows, "optimum")]
    check(any(abs(v - 3) < 1e-3 for v in values) and any(abs(v - 5) < 1e-3 for v in values), f"optima: {values}")
    squares = [one(rows, "squares", optimum=None)["value"]] + [row["value"] for row in find(rows, "squares") if row["optimum"]]
    check(squares == sorted(squares), f"optima are not in order: {squares}")
    starts = [row["value"] for row in find(rows, "starts")]
    check(len(starts) == len(values) and sum(starts) <= 60 and min(starts) >= 1, f"starts of the optima: {starts}")
    # Half of the starts have no logarithm, and steps that lead there are not taken.
    t, y, _ = noisy_decay()
    log = DECAY.replace("-a*y", "-exp(log(a))*y").replace("PARAMETERS", FREE.replace("[0.05, 4]", "[-4, 4]"))
    rows = table(write("log.yaml", log), "--data", plain)
    check(abs(one(rows, "parameter", parameter="a")["value"] / a - 1) < 1e-6, "starts that fail")
    text = answer("fit", "log.yaml", "--data", plain)
    check("ended elsewhere, 50 failed, 0 did not end" in text or "50 failed" in text, text)
    refused("none of 100 starts has a sum of squares", "fit", write("never.yaml", log.replace("[-4, 4]", "[-4, -1]")), "--data", plain, "-d",
            "reference", code=10)


LOTKA = """problem:
  coordinates: [prey, hunters]
  rate: ["prey*(a - b*hunters)", "hunters*(d*prey - c)"]
  start: [10, 5]
  parameters: {a: {loguniform: [0.2, 5]}, b: {loguniform: [0.02, 0.5]}, c: {loguniform: [0.2, 5]}, d: {loguniform: [0.02, 0.5]}}
methods: [METHOD]
step: 0.02
end: 12
design: {random: {samples: 1}}
"""


def rk4(rate, y, step, steps):
    rows = [np.array(y, float)]
    for _ in range(steps):
        y = rows[-1]
        k1 = rate(y)
        k2 = rate(y + step / 2 * k1)
        k3 = rate(y + step / 2 * k2)
        k4 = rate(y + step * k3)
        rows.append(y + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
    return np.array(rows)


def see_motions():
    """Parameters of Lotka-Volterra and of Duffing's oscillator from noisy data: the truth within five deviations."""
    rng = np.random.default_rng(5)
    truth = {"a": 1.1, "b": 0.12, "c": 0.9, "d": 0.06}
    path = rk4(lambda y: np.array([y[0] * (1.1 - 0.12 * y[1]), y[1] * (0.06 * y[0] - 0.9)]), (10, 5), 0.01, 1200)[20::20]
    path = path + rng.standard_normal(path.shape) * np.array([0.3, 0.2])
    measured = data("lotka.csv", "t,prey,hunters,prey_sigma,hunters_sigma", [(0.2 * (i + 1), *row, 0.3, 0.2) for i, row in enumerate(path)])
    for method in ("rk4", "dopri5_adaptive"):
        rows = table(write("lotka.yaml", LOTKA.replace("METHOD", method)), "--data", measured, "--starts", 60)
        for name, value in truth.items():
            row = one(rows, "parameter", parameter=name)
            check(abs(row["value"] - value) < 5 * row["deviation"] < 0.05 * value, f"{method} {name}: {row['value']} +- {row['deviation']}")
        check(abs(one(rows, "error")["value"] - 1) < 0.25, f"{method}: errors over their deviations {one(rows, 'error')['value']}")


def see_refusals():
    sweep = write("decay.yaml", DECAY.replace("PARAMETERS", FREE))
    plain = data("plain.csv", "t,y", [(0.5, 1), (1, 2), (1.5, 1)])

    def wrong(message, text, *words, of=sweep, code=4):
        refused(message, "fit", of, "--data", write("wrong.csv", text), *words, code=code)

    refused("which measured values? name a CSV file by --data", "fit", sweep, code=2)
    refused("cannot be opened", "fit", sweep, "--data", "none.csv", code=3)
    wrong("wrong.csv:1: there is no column of times", "y\n1\n")
    wrong("wrong.csv:1:3: column 'z' is neither a quantity nor an axis", "t,z\n1,1\n")
    wrong("wrong.csv:1:5: column 'time' is a second column of times", "t,y,time\n1,1,1\n")
    wrong("wrong.csv:1: no column is a quantity", "t\n1\n")
    wrong("wrong.csv: nothing is measured in it", "t,y\n1,nan\n2,\n")
    wrong("wrong.csv:3:1: column 't': 4.5 lies behind the end", "t,y\n1,1\n4.5,1\n")
    wrong("wrong.csv:2:1: column 't': -1 lies before the begin", "t,y\n-1,1\n")
    wrong("wrong.csv:2:5: column 'y_sigma': 0 is no standard deviation", "t,y,y_sigma\n1,1,0\n")
    wrong("column 'y': 'much' is not a number", "t,y\n1,much\n")
    for size in ("2.5e-200", "-2.5e+160"):
        wrong(f"wrong.csv:3: column 'y': squares of {size}, the largest value, do not fit into a number: take another unit, or give standard "
              "deviations in a column 'y_sigma'", f"t,y\n1,0\n2,{size}\n3,0\n")
    wrong("there is no column 'w'", "t,y\n1,1\n", "--columns", "t,w")
    wrong("1 measured values are too few for 2 parameters", "t,y\n1,1\n")
    wrong("has deviations of a column that is no quantity", "t,y,t_sigma\n1,1,1\n")
    fixed = write("fixed.yaml", DECAY.replace("PARAMETERS", "{a: 1, b: 2}").replace("design: {random: {samples: 1}}\n", ""))
    refused("has no parameter to fit", "fit", fixed, "--data", plain, code=4)
    listed = write("listed.yaml", DECAY.replace("PARAMETERS", "{a: [1, 2], b: {linear: [1, 9, 9]}}").replace("design: {random: {samples: 1}}\n", ""))
    refused("axis 'a' is neither fitted nor a column of", "fit", listed, "--data", plain, code=4)
    wrong("wrong.csv:2:5: column 'a': 3 is no value of this axis", "t,y,a\n1,1,3\n", of=listed)
    # As many as are possible, and one more.
    many = [f"p{i}" for i in range(33)]
    many = DECAY.replace('"-a*y"', f'"{" + ".join(many)}"').replace("[b]", "[1]").replace(
        "PARAMETERS", "{" + ", ".join(f"{name}: {{uniform: [0, 1]}}" for name in many) + "}")
    refused("more than 32 parameters to fit", "fit", write("many.yaml", many), "--data", plain, code=4)
    names = [f"y{i}" for i in range(33)]
    wide = write("wide.yaml", f"""problem: {{coordinates: [{", ".join(names)}], rate: [{", ".join(['"-a"'] * 33)}], start: [{", ".join(["0"] * 33)}],
  parameters: {{a: {{uniform: [0, 1]}}}}}}
methods: [explicit_euler]
step: 0.125
end: 4
""" + "design: {random: {samples: 1}}\n")
    wrong(":1:121: column 'y32' is one too many: a file has at most 32 quantities", "t," + ",".join(names) + "\n1" + ",1" * 33 + "\n", of=wide)
    few = "t," + ",".join(names[:32])
    wrong("more than 1048576 measured values", few + "\n" + ("1" + ",1" * 32 + "\n") * 32769, of=wide)
    wrong("wrong.csv: 4097 different times, at most 4096 are possible", "t,y\n" + "".join(f"{4 * i / 4097!r},1\n" for i in range(4097)))
    listed = write("listed.yaml", DECAY.replace("PARAMETERS", "{a: {uniform: [0, 1]}, b: {linear: [1, 5000, 5000]}}").replace("{samples: 1}", "{samples: 1}, inside: grid"))
    wrong("wrong.csv:4098: more than 4096 conditions", "t,y,b\n" + "".join(f"1,1,{i + 1}\n" for i in range(4097)), of=listed)
    whole = write("whole.yaml", DECAY.replace("PARAMETERS", "{a: {choice: [1, 2]}, b: {uniform: [1, 9]}}"))
    refused("takes certain numbers only and cannot be fitted", "fit", whole, "--data", plain, code=4)


if __name__ == "__main__":
    main(see_discrete, see_conditions, see_optima, see_motions, see_refusals)
