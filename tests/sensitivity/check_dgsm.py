# check_dgsm -- indices from derivatives: closed forms for Ishigami's and the g function, bounds above total indices, local derivatives.
import math

from checking import answer, check, main, need, need_compiler, parsed, read, refused, run

np = need("numpy")

# One step of length 1 arrives at the function.
ISHIGAMI = """problem:
  coordinates: [y]
  rate: ["sin(a) + A*sin(b)^2 + B*c^4*sin(a)"]
  parameters: {a: {uniform: [-3.141592653589793, 3.141592653589793]}, b: {uniform: [-3.141592653589793, 3.141592653589793]},
               c: {uniform: [-3.141592653589793, 3.141592653589793]}, A: 7, B: 0.1}
derivatives: [a, b, c]
methods: [explicit_euler]
step: 1
end: 1
metrics: [x_final, {mean_value: {of: y, from: 0.5, label: there}}]
"""
G_A = {"a": 0, "b": 1, "c": 4.5, "d": 9}
G = f"""problem:
  coordinates: [y]
  rate: ["{'*'.join(f'(abs(4*{name} - 2) + {k})/{1 + k}' for name, k in G_A.items())}"]
  parameters: {{{', '.join(f'{name}: {{uniform: [0, 1]}}' for name in G_A)}}}
derivatives: [{', '.join(G_A)}]
methods: [explicit_euler]
step: 1
end: 1
metrics: [x_final]
"""
# y = s a + b of a normal factor and a symmetric triangular one, and c that the bound is not known of.
LINEAR = """problem: {coordinates: [y], rate: ["3*a + b + c"], parameters: {a: {normal: [1, 0.5]}, b: {triangular: [1, 2, 3]}, c: {loguniform: [1, 2]}}}
derivatives: [a, b, c]
methods: [explicit_euler]
step: 1
end: 1
metrics: [x_final]
"""


def rows(name, *words):
    return {row["parameter"]: row for row in parsed("sensitivity", f"{name}.h5", "--format", "json", *words)}


def check_functions():
    """nu is its closed form within twice its interval, the bound is C nu/D, and above the total index, for each kind of sample."""
    A, B, p4 = 7.0, 0.1, math.pi ** 4
    v1, v2, v13 = 0.5 * (1 + B * p4 / 5) ** 2, A * A / 8, B * B * p4 ** 2 * 8 / 225
    ishigami = {"a": (0.5 * (1 + 2 * B * p4 / 5 + B * B * p4 ** 2 / 9), (v1 + v13)), "b": (A * A / 2, v2), "c": (8 * B * B * math.pi ** 6 / 7, v13)}
    parts = {name: 1 / (3 * (1 + k) ** 2) for name, k in G_A.items()}
    product = math.prod(1 + part for part in parts.values())
    g = {name: (48 * part * product / (1 + part), part * product / (1 + part)) for name, part in parts.items()}
    for name, text, exact, variance, constant in (("ishigami", ISHIGAMI, ishigami, v1 + v2 + v13, 4.0), ("g", G, g, product - 1, 1 / math.pi ** 2)):
        for kind, design in (("random", "{random: {samples: 16384}}"), ("sobol", "{sobol: {samples: 4096}}"), ("saltelli", "{saltelli: {samples: 2048}}")):
            run(f"{name}_{kind}", f"{text}design: {design}\n", device="native")
            found = rows(f"{name}_{kind}", "--index", "dgsm", "--metric", "x_final[0]")
            for factor, (nu, total) in exact.items():
                row, what = found[factor], f"{name}, {kind}, {factor}"
                check(abs(row["nu"] - nu) <= 2 * row["nu_conf"] + 1e-9 * nu, f"{what}: nu {row['nu']} +- {row['nu_conf']}, not {nu}")
                check(row["nu_conf"] <= 0.1 * nu, f"{what}: an interval of {row['nu_conf']} around {nu}")
                bound = constant * nu / variance
                check(abs(row["ST_bound"] - bound) <= 2 * row["ST_bound_conf"] + 1e-9 * bound, f"{what}: bound {row['ST_bound']} +- {row['ST_bound_conf']}, not {bound}")
                check(row["ST_bound"] + row["ST_bound_conf"] >= total / variance, f"{what}: the bound {row['ST_bound']} is below ST, {total / variance}")
    there = rows("ishigami_sobol", "--index", "dgsm", "--metric", "there")
    same = rows("ishigami_sobol", "--index", "dgsm", "--metric", "x_final[0]")
    check(all(there[f][key] == same[f][key] for f in "abc" for key in ("nu", "ST_bound")), f"of a metric: {there}, of the state: {same}")


def check_distributions():
    """Of a linear function nu is the square of the slope; a normal factor's bound is its index, and a symmetric triangular one's (w/j)^2/D."""
    run("linear", LINEAR + "design: {random: {samples: 16384}}\n", device="native")
    found = rows("linear", "--index", "dgsm", "--metric", "x_final[0]")
    log2 = math.log(2)
    variance = 9 * 0.25 + 1 / 6 + (1.5 / log2 - 1 / log2 ** 2)
    for factor, nu, constant in (("a", 9, 0.25), ("b", 1, 1 / 2.404825557695773 ** 2)):
        row = found[factor]
        check(row["nu"] == nu and row["nu_conf"] == 0, f"{factor}: {row}")
        check(abs(row["ST_bound"] - constant * nu / variance) <= 2 * row["ST_bound_conf"], f"{factor}: {row}, not {constant * nu / variance}")
        check(0 < row["ST_bound_conf"] < 0.03, f"{factor}: {row}")
    check(found["c"]["nu"] == 1 and found["c"]["ST_bound"] is None, f"a constant of no closed form: {found['c']}")


def check_refused():
    run("bare", ISHIGAMI.replace("derivatives: [a, b, c]\n", "") + "design: {random: {samples: 64}}\n", device="native")
    said = answer("sensitivity", "bare.h5", "--index", "dgsm")
    check("no indices: the sweep has no derivatives of this output: list its factors under `derivatives`" in said, said)
    run("grid", LINEAR.replace("normal: [1, 0.5]", "linear: [1, 2, 3]").replace("triangular: [1, 2, 3]", "linear: [1, 2, 3]").replace("loguniform: [1, 2]", "linear: [1, 2, 3]"), device="native")
    refused("a grid is no sample of distributions", "sensitivity", "grid.h5", "--index", "dgsm")
    run("copula", LINEAR + "design: {random: {samples: 64}}\ncorrelated: {of: [a, b], spearman: 0.6}\n", device="native")
    refused("its factors are correlated, and squares of derivatives bound", "sensitivity", "copula.h5", "--index", "dgsm")
    said = answer("sensitivity", "linear.h5", "--index", "dgsm", "--failed", "worst")
    check("what stands for a failed point has no derivative: take --failed drop" in said, said)


def check_local():
    """`local` takes the sweep's derivatives, exact, and differences of factors that have none; the table says which."""
    run("local", ISHIGAMI.replace("uniform: [-3.141592653589793, 3.141592653589793]", "uniform: [0.5, 1.5]") + "design: {local: {step: 0.2, halvings: 4}}\n", device="native")
    run("partly", ISHIGAMI.replace("uniform: [-3.141592653589793, 3.141592653589793]", "uniform: [0.5, 1.5]").replace("[a, b, c]\n", "[b]\n")
        + "design: {local: {step: 0.2, halvings: 4}}\n", device="native")
    exact = {"a": 1.1 * math.cos(1), "b": 7 * math.sin(2), "c": 0.4 * math.sin(1)}
    value = 1.1 * math.sin(1) + 7 * math.sin(1) ** 2
    found, partly = rows("local", "--metric", "x_final[0]"), rows("partly", "--metric", "x_final[0]")
    for factor, derivative in exact.items():
        row = found[factor]
        check(abs(row["derivative"] - derivative) <= 4e-15 * 7 and row["error"] == 0, f"{factor}: {row}, not {derivative}")
        check(abs(row["elasticity"] - derivative / value) <= 1e-14, f"{factor}: {row}, not {derivative / value}")
        check((partly[factor]["error"] == 0) == (factor == "b"), f"{factor}: {partly[factor]}")
        check(abs(partly[factor]["derivative"] - derivative) <= 1e-6, f"{factor}: {partly[factor]}, not {derivative}")
    for name, words in (("local", "derivative by the sweep's `derivatives`, without differences"),
                        ("partly", "derivative by the sweep's `derivatives` where the error is 0, else by central differences")):
        said = answer("sensitivity", f"{name}.h5", "--metric", "x_final[0]")
        check(words in said, said)


# x = b cos(sqrt(k) t) of a free oscillator: its derivatives at t = 2 by k and b are in closed form.
OSCILLATOR = """problem:
  coordinates: [x]
  acceleration: ["-k*x"]
  start: [b]
  parameters: {k: {normal: [4, 0.02]}, b: {normal: [1, 0.01]}, idle: {uniform: [0, 1]}}
derivatives: [k, b, idle]
methods: [dopri5]
steps: 200
end: 2
metrics: [x_final]
"""


def check_error_bars():
    """The output's deviation by derivatives and deviations, and each parameter's share: closed forms, and the run itself at parameters drawn by chance."""
    run("bars", OSCILLATOR + "design: {local: {}}\n", device="native")
    by_k, by_b = -2 * math.sin(4) / 4, math.cos(4)
    bars = lambda *options: rows("bars", "--metric", "x_final[0]", *options)
    for options, s_k, s_b in (((), 0.02, 0.01), (("--deviation", "k=0.5"), 0.5, 0.01), (("--deviation", "k=0.001,b=0.2"), 0.001, 0.2),
                              (("--deviation", "k=0", "--deviation", "b=0.03"), 0, 0.03)):
        found = bars(*options)
        variance = (by_k * s_k) ** 2 + (by_b * s_b) ** 2
        for factor, derivative, deviation in (("k", by_k, s_k), ("b", by_b, s_b), ("idle", 0, 1 / math.sqrt(12))):
            row = found[factor]
            check(abs(row["sd"] - deviation) <= 1e-15, f"{options}: {row}, not {deviation}")
            check(abs(row["share"] - (derivative * deviation) ** 2 / variance) <= 1e-8, f"{options}: {row}, not {(derivative * deviation) ** 2 / variance}")
            check(abs(row["output_sd"] - math.sqrt(variance)) <= 1e-8 * math.sqrt(variance), f"{options}: {row}, not {math.sqrt(variance)}")
    run("chance", OSCILLATOR + "design: {random: {samples: 16384}}\n", device="native")
    spread = float(read("chance", "dopri5/x_final")[:, 0].std())
    first = bars()["k"]["output_sd"]
    # A standard deviation of 16384 normal numbers is off by 1 in sqrt(2 16384); second order adds less than 1e-3 here.
    check(abs(spread / first - 1) <= 4 / math.sqrt(2 * 16384) + 1e-3, f"{spread} by chance, {first} to first order")
    said = answer("sensitivity", "bars.h5", "--metric", "x_final[0]", "--deviation", "k=0")
    check("deviation of the output 0.00653644: to first order, linear within the deviations of the parameters (of --deviation, or of their distributions), "
          "which are independent" in said, said)


def check_error_bars_refused():
    """Deviations are of parameters that are there, and of derivatives at a centre; without `derivatives` they are those of differences."""
    refused("--deviation: group 'dopri5' of bars.h5 has no factor 'q'", "sensitivity", "bars.h5", "--deviation", "q=1")
    refused("--deviation k: -1 is no standard deviation: give one of 0 or more", "sensitivity", "bars.h5", "--deviation", "k=-1")
    refused("--deviation: 'k' is given twice", "sensitivity", "bars.h5", "--deviation", "k=1", "--deviation", "k=2")
    refused("--deviation is of the derivatives at a centre, which design: {local: {}} has; this one serves the index given",
            "sensitivity", "chance.h5", "--deviation", "k=1")
    run("without", OSCILLATOR.replace("derivatives: [k, b, idle]\n", "") + "design: {local: {}}\n", device="native")
    without, bars = (rows(name, "--metric", "x_final[0]")["k"] for name in ("without", "bars"))
    check(0 < abs(without["output_sd"] / bars["output_sd"] - 1) < 1e-2, f"{without}, {bars}")
    check("derivative by central differences" in answer("sensitivity", "without.h5"), "a table by differences")


if __name__ == "__main__":
    need_compiler()
    main(check_functions, check_distributions, check_refused, check_local, check_error_bars, check_error_bars_refused)
