# check_assumptions -- what each index takes for granted of its rows, and each design that does not serve it: accepted with that line, or
# refused with a message.
from checking import answer, check, ended, folder, main, need, need_compiler, parsed

np = need("numpy")

INDICES = ("sobol", "morris", "local", "swing", "given", "chaos", "delta", "shapley", "dgsm")
SERVED = "does not serve the index"
ROWS = "rows independent"
MEASURE = "rows of the factors' distributions, inputs independent"
SHARED = "S1 counts what a factor shares with others"
MATRICES = "A and B are independent samples, of independent factors"
EVEN = "neighbours in a grid or a Sobol' sequence are none of chance"
SQUARES = "squares of derivatives"
JUMPS = "rows independent, inputs independent; the output has no jumps"
ALONE = "its points move one factor at a time, and are no sample"
TOGETHER = "'a' and 'c' go together"

# What each design says of each index: the line of its assumption (=), or the refusal (!).
TABLE = {
    "random": {"dgsm": "=" + JUMPS, "given": "=rows independent, inputs independent", "chaos": "=" + MEASURE, "delta": "=" + ROWS,
               "shapley": "=rows independent, inputs of any dependence"},
    "salib": {"dgsm": "=rows", "sobol": "=" + MATRICES, "given": "=rows", "chaos": "=" + MEASURE, "delta": "=" + ROWS, "shapley": "!" + EVEN},
    "grid": {"dgsm": "!a grid is no sample", "given": "=each combination of the values is as likely", "chaos": "=" + MEASURE, "delta": "=" + ROWS, "shapley": "!" + EVEN},
    "morris": {"morris": "=each trajectory begins at random", "shapley": "!its trajectories move by the same steps, or in the same order"},
    "ordered": {"morris": "=each trajectory begins at random", "shapley": "!its trajectories move by the same steps, or in the same order"},
    "walks": {"morris": "=each trajectory begins at random", "shapley": "=walks between independent points of independent factors"},
    "star": dict.fromkeys(INDICES, "!" + ALONE),
    "together": dict.fromkeys(INDICES, "!" + TOGETHER),
    "correlated": {"dgsm": "!" + SQUARES, "given": "=rows independent; the factors are not", "chaos": "!and an expansion needs to know how",
                   "delta": "=rows independent; the factors are not", "shapley": "=rows independent, inputs of any dependence"},
    "sobol.h5": {"dgsm": "=rows of a Sobol' sequence, of independent factors; the output has no jumps", "given": "=rows of a Sobol' sequence, of independent factors", "chaos": "=" + MEASURE, "delta": "=" + ROWS, "shapley": "!" + EVEN},
    "lhs.h5": {"dgsm": "=" + JUMPS, "given": "=rows independent, inputs independent", "chaos": "=" + MEASURE, "delta": "=" + ROWS,
               "shapley": "=rows independent, inputs of any dependence"},
    "saltelli.h5": {"dgsm": "=rows of a Sobol' sequence, of independent factors; the output has no jumps", "sobol": "=" + MATRICES, "given": "=rows of a Sobol' sequence", "chaos": "=" + MEASURE, "delta": "=" + ROWS, "shapley": "!" + EVEN},
    "morris.h5": {"morris": "=each trajectory begins at random"},
    "local.h5": {"local": "=the output is smooth about the centre"},
    "one_at_a_time.h5": {"swing": "=factors do not act together"},
    "copula.h5": {"dgsm": "!" + SQUARES, "given": "=rows independent; the factors are not", "chaos": "=rows of the factors' distributions and correlation",
                  "delta": "=rows independent; the factors are not", "shapley": "=rows independent, inputs of any dependence"},
}

SWEEP = """problem: {coordinates: [y], rate: ["a + b^2 + a*c"], parameters: {a: {uniform: [1, 2]}, b: {uniform: [0, 1]}, c: {uniform: [0, 1]}}}
design: %s
methods: [explicit_euler]
step: 1
end: 1
metrics: [x_final]
"""
DESIGNS = {"sobol": "{sobol: {samples: 128}}", "lhs": "{lhs: {samples: 128}}", "saltelli": "{saltelli: {samples: 32}}",
           "morris": "{morris: {trajectories: 20}}", "local": "{local: {step: 0.2}}", "one_at_a_time": "one_at_a_time",
           "copula": "{random: {samples: 256}}\ncorrelated: {of: [a, b], spearman: 0.6}"}


def make():
    """The designs: tables, and result files of the reference."""
    draw = np.random.default_rng(5)
    a, b = draw.uniform(0, 1, (2, 40, 3))
    mixed = [np.where(np.arange(3) == i, b, a) for i in range(3)]

    def paths(ends, order):
        return np.array([[np.where(np.isin(np.arange(3), order(t)[:k]), end, start) for k in range(4)]
                         for t, (start, end) in enumerate(zip(a, ends))]).reshape(-1, 3)

    shuffled = [draw.permutation(3) for _ in a]
    free = draw.uniform(0, 1, (200, 3))
    star = np.full((13, 3), 0.5)
    star[np.arange(1, 13), np.repeat(np.arange(3), 4)] = np.tile([0, 0.2, 0.8, 1], 3)
    grid = np.array(np.meshgrid(*[np.linspace(0, 1, 6)] * 3, indexing="ij")).reshape(3, -1).T
    tables = {"random": free, "salib": np.stack([a, *mixed, b], 1).reshape(-1, 3), "grid": grid,
              "morris": paths(a + np.where(draw.integers(0, 2, a.shape), 0.5, -0.5), lambda t: shuffled[t]),
              "ordered": paths(b, lambda t: [0, 1, 2]), "walks": paths(b, lambda t: shuffled[t]), "star": star,
              "together": np.column_stack([free[:, :2], free[:, 0] ** 2]), "correlated": np.column_stack([free[:, :2], free[:, 2] + free[:, 1]])}
    for name, x in tables.items():
        y = x[:, 0] + x[:, 1] ** 2 + x[:, 0] * x[:, 2]
        np.savetxt(folder / f"{name}.csv", np.column_stack([x, y]), delimiter=",", header="a,b,c,y", comments="", fmt="%.17g")
    for name, design in DESIGNS.items():
        (folder / f"{name}.yaml").write_text(SWEEP % design)
        answer("run", f"{name}.yaml", "-d", "reference", "-q")


def check_table():
    """Each index of each design; what the table does not name is refused by the words of a design that does not serve an index."""
    make()
    for design, row in TABLE.items():
        words = (design,) if design.endswith(".h5") else (f"{design}.csv", "--inputs", "a,b,c", "--outputs", "y")
        for index in INDICES:
            expected = row.get(index, "!" + SERVED)
            done = ended("sensitivity", *words, "--index", index)
            if expected[0] == "=":
                check(done.code == 0 and f"  assumes: {expected[1:]}" in done.out, f"{design}, {index}: exit {done.code}, {done.text}")
                bare = index == "dgsm" and "the sweep has no derivatives of this output" in done.out  # none of these has
                check(bare or "no indices" not in done.out, f"{design}, {index}: {done.out}")
            else:
                check(done.code == 2 and expected[1:] in done.err, f"{design}, {index}: exit {done.code}, not '{expected[1:]}': {done.text}")


# Where an interval would not hold: the index, its column, and the line that says why there is none. Enough rows have one.
NO_INTERVALS = (("sobol.h5", "given", "S1", "one Sobol' sequence does not say how far its means are off"),
                ("saltelli.h5", "given", "S1", "one Sobol' sequence does not say how far its means are off"),
                ("random", "given", "S1", None),
                ("random", "delta", "delta", "kernels take more off a delta than its spread"),
                ("random", "shapley", "shapley", "the neighbours of fewer than 256 rows are too far away"),
                ("copula.h5", "shapley", "shapley", None),
                ("walks", "shapley", "shapley", "of fewer than 64 walks their spread is not known"),
                ("more_walks", "shapley", "shapley", None))


def check_no_intervals():
    """An interval that would not hold the index in 95 of 100 studies is not printed, and a line says why."""
    draw = np.random.default_rng(6)
    ends = draw.uniform(0, 1, (2, 64, 3))
    x = np.array([[np.where(np.isin(np.arange(3), order[:k]), end, start) for k in range(4)]
                  for start, end, order in zip(*ends, (draw.permutation(3) for _ in ends[0]))]).reshape(-1, 3)
    y = x[:, 0] + x[:, 1] ** 2 + x[:, 0] * x[:, 2]
    np.savetxt(folder / "more_walks.csv", np.column_stack([x, y]), delimiter=",", header="a,b,c,y", comments="", fmt="%.17g")
    for name, index, column, why in NO_INTERVALS:
        words = (name,) if name.endswith(".h5") else (f"{name}.csv", "--inputs", "a,b,c", "--outputs", "y")
        said = answer("sensitivity", *words, "--index", index)
        row = parsed("sensitivity", *words, "--index", index, "--format", "json")[0]
        check(isinstance(row[column], float) and (row[f"{column}_conf"] is None) == (why is not None), f"{name}, {index}: {row}")
        check(f"  no intervals: {why}" in said if why else "no intervals" not in said, f"{name}, {index}: {said}")
        check((f"{column}_conf" in said) == (why is None), f"{name}, {index}: {said}")


def check_draws():
    """Shapley effects of correlated factors by an expansion: their interval falls with the size of the study, and holds what a linear
    function of uniform factors of a Gaussian copula has, by itself to 0.01."""
    widths = []
    for samples in (1 << 10, 1 << 17):
        sweep = SWEEP.replace("a + b^2 + a*c", "a + 2*b + 0*c") % f"{{random: {{samples: {samples}}}}}\ncorrelated: {{of: [a, b], spearman: 0.6}}"
        (folder / "draws.yaml").write_text(sweep)
        answer("run", "draws.yaml", "-d", "reference", "-q", "--force")
        rows = {row["parameter"]: row for row in parsed("sensitivity", "draws.h5", "--index", "chaos", "--format", "json")}
        widths.append(rows["a"]["shapley_conf"])
        given = {row["parameter"]: row for row in parsed("sensitivity", "draws.h5", "--index", "shapley", "--format", "json")}
        for name in "abc":
            apart = abs(rows[name]["shapley"] - given[name]["shapley"])
            check(apart < rows[name]["shapley_conf"] + 1.5 * given[name]["shapley_conf"], f"{samples}, {name}: {rows[name]}, {given[name]}")
    check(widths[1] < 0.5 * widths[0], f"the interval of many points is that of few: {widths}")


need_compiler()
main(check_table, check_no_intervals, check_draws)
