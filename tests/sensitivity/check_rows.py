# check_rows -- what `sensitivity` makes of a list of points: rows of Saltelli's design in other programs' orders, grids, and points of
# which no indices can be found.
#
# The function is Ishigami's (sin a + 7 sin^2 b + 0.1 c^4 sin a), whose indices are known in closed form.
from checking import answer, check, finish, folder, need, need_compiler, parsed, refused, run

np = need("numpy")

SAMPLES, FACTORS = 1024, 3
SWEEP = """problem: {coordinates: [y], rate: ["sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)"], parameters: {a: 0, b: 0, c: 0}}
points: {file: ./%s.csv}
methods: [explicit_euler]
step: 1
end: 1
metrics: [x_final]
"""
FIRST, TOTAL = (0.313905, 0.442411, 0.0), (0.557589, 0.442411, 0.243684)


def run_rows(name, rows, sweep=SWEEP):
    np.savetxt(folder / f"{name}.csv", rows, delimiter=",", header="a,b,c", comments="", fmt="%.17g")
    run(name, sweep % name, "-q")


def indices(name, *words):
    """Rows of the table, by factor: what each has, but for what there is none of."""
    rows = parsed("sensitivity", f"{name}.h5", "--format", "json", *words)
    return {(row["parameter"], row.get("with") or ""): {key: value for key, value in row.items() if isinstance(value, (int, float))} for row in rows}


def mix(of, other, i):
    mixed = of.copy()
    mixed[:, i] = other[:, i]
    return mixed


def by_sample(*matrices):
    return np.stack(matrices, 1).reshape(-1, FACTORS)


def by_matrix(*matrices):
    return np.concatenate(matrices)


def check_orders(draw):
    """The same points in any order give the same indices, and these are Ishigami's."""
    a, b = draw.uniform(-np.pi, np.pi, (2, SAMPLES, FACTORS))
    ab = [mix(a, b, i) for i in range(FACTORS)]
    ba = [mix(b, a, i) for i in range(FACTORS)]
    orders = {"first": {"salib": by_sample(a, *ab, b), "pendula": by_sample(a, b, *ab), "matrices": by_matrix(a, b, *ab),
                        "changed": by_matrix(b, a, *ab)},
              "second": {"salib_2": by_sample(a, *ab, *ba, b), "pendula_2": by_sample(a, b, *ab, *ba), "matrices_2": by_matrix(a, b, *ab, *ba)}}
    for kind, files in orders.items():
        found = {}
        for name, rows in files.items():
            run_rows(name, rows)
            found[name] = indices(name)
            said = answer("sensitivity", f"{name}.h5")
            word = "a matrix" if name.startswith(("matrices", "changed")) else "a base sample"
            check(f"the points are rows of Saltelli's design, {word} after the other" in said, f"{name}: {said}")
            check(f"  {SAMPLES} samples, {len(rows)} points" in said, f"{name}: {said}")
        one = next(iter(found.values()))
        check(all(rows == one for rows in found.values()), f"{kind}: orders have other indices: {found}")
        check(len(one) == (6 if kind == "second" else 3), f"{kind}: {one}")
        for factor, first, total in zip("abc", FIRST, TOTAL):
            row = one[factor, ""]
            check(abs(row["S1"] - first) < 2 * row["S1_conf"] and abs(row["ST"] - total) < 2 * row["ST_conf"], f"{kind}, {factor}: {row}")
    halves = parsed("sensitivity", "salib.h5", "--format", "json", "--over", "samples")
    whole = parsed("sensitivity", "matrices.h5", "--format", "json", "--over", "samples")
    check([row.get("S1") for row in halves] == [row.get("S1") for row in whole] and len(halves) > 6, "indices over samples depend on the order")
    few = [matrix[:96] for matrix in (a, *ab, b)]
    run_rows("few", by_sample(*few))
    run_rows("few_matrices", by_matrix(few[0], few[-1], *few[1:-1]))
    check(indices("few", "--index", "chaos") == indices("few_matrices", "--index", "chaos"), "an expansion depends on the order")
    # One number that is off, and they are no such rows.
    rows = by_sample(a, *ab, b)
    rows[-2, 0] += 1e-9
    run_rows("off", rows)
    check("Saltelli" not in answer("sensitivity", "off.h5"), "rows that are off are taken for Saltelli's")


def check_nodes(draw):
    """At each node of the grid around the list, in the order of the axes."""
    a, b = draw.uniform(-np.pi, np.pi, (2, 256, FACTORS))
    sweep = SWEEP.replace("sin(a) +", "w*sin(a) +").replace("c: 0}", "c: 0, w: [1, 0]}")
    run_rows("nodes", by_sample(a, *[mix(a, b, i) for i in range(FACTORS)], b), sweep)
    rows = parsed("sensitivity", "nodes.h5", "--format", "json")
    found = {(row["w"], row["parameter"]): row["S1"] for row in rows}
    check(set(found) == {(w, factor) for w in (0, 1) for factor in "abc"}, f"nodes: {sorted(found)}")
    check(found[1, "a"] > found[0, "a"] + 0.05, f"nodes: {found}")


def check_grid(draw):
    """All combinations of some values, in any order."""
    values = np.linspace(-3, 3, 9)
    rows = np.array(np.meshgrid(values, values, values, indexing="ij")).reshape(FACTORS, -1).T
    y = np.sin(rows[:, 0]) + 7 * np.sin(rows[:, 1])**2 + 0.1 * rows[:, 2]**4 * np.sin(rows[:, 0])
    for name, order in (("grid", rows), ("shuffled", draw.permutation(rows))):
        run_rows(name, order)
        found = indices(name)
        for i, factor in enumerate("abc"):
            means = [y[rows[:, i] == value].mean() for value in values]
            check(abs(found[factor, ""]["S1"] - np.var(means) / np.var(y)) < 1e-12, f"{name}, {factor}: {found[factor, '']}")
    for name, others in (("lacking", rows[:-1]), ("twice", np.concatenate((rows[:-1], rows[:1])))):
        run_rows(name, others)
        check("whole grid" not in answer("sensitivity", f"{name}.h5"), f"a grid is whole: {name}")


def check_intervals(draw):
    """An expansion of points of unknown distributions: its intervals hold that other points would have other ones."""
    y = "a + b^2 + a*b"
    a, b, both = 9 / 48, 4 / 45 + 1 / 48 + 1 / 12, 1 / 144
    exact = {"a": (a / (a + b + both), (a + both) / (a + b + both)), "b": (b / (a + b + both), (b + both) / (a + b + both))}
    held = 0
    for _ in range(10):
        run_rows("intervals", draw.uniform(0, 1, (200, FACTORS)), SWEEP.replace("sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)", y))
        found = indices("intervals", "--index", "chaos")
        for factor, (first, total) in exact.items():
            row = found[factor, ""]
            check(0.01 < row["S1_conf"] < 0.2, f"intervals: {row}")
            held += (abs(row["S1"] - first) <= row["S1_conf"]) + (abs(row["ST"] - total) <= row["ST_conf"])
    check(held >= 36, f"intervals: {held} of 40 hold the index")
    run_rows("few", draw.uniform(0, 1, (20, FACTORS)), SWEEP.replace("sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)", y))
    few = indices("few", "--index", "chaos")["a", ""]
    check("S1" in few and "S1_conf" not in few, f"intervals of few points: {few}")


def check_morris(draw):
    """Trajectories that move each factor once have effects, over the factors' ranges; of a linear function they are its slopes."""
    rows, slopes = [], {"a": 2.0, "b": -3.0, "c": 0.0}
    for _ in range(20):
        row = draw.integers(0, 2, FACTORS).astype(float)
        rows.append(row.copy())
        for factor in draw.permutation(FACTORS):
            row[factor] += 2
            rows.append(row.copy())
    run_rows("morris", rows, SWEEP.replace("sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)", "2*a - 3*b"))
    said = answer("sensitivity", "morris.h5")
    check("the points are Morris' trajectories" in said and "20 samples, 80 points" in said, f"morris: {said}")
    for factor, slope in slopes.items():
        row = indices("morris")[factor, ""]
        check(abs(row["mu"] - 3 * slope) < 1e-9 and abs(row["mu_star"] - abs(3 * slope)) < 1e-9 and row["sigma"] < 1e-9, f"morris, {factor}: {row}")


def check_refused(draw):
    """Points of which no indices can be found."""
    star = np.zeros((13, FACTORS))
    star[np.arange(1, 13), np.repeat(np.arange(3), 4)] = np.tile([-2, -1, 1, 2], 3)
    # A path that moves a factor twice and another one never is none of Morris'.
    steps = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0]])
    paths = np.concatenate([draw.uniform(-3, 0, FACTORS) + steps[:, draw.permutation(FACTORS)] for _ in range(20)])
    for name, rows in (("star", star), ("paths", paths)):
        run_rows(name, rows)
        said = answer("sensitivity", f"{name}.h5", code=2)
        check("its points move one factor at a time" in said and "design: {morris:" in said, f"{name}: {said}")
    free = draw.uniform(-np.pi, np.pi, (500, FACTORS))
    for name, column, number in (("together", np.exp(free[:, 0]), "1"), ("against", -free[:, 0], "-1")):
        run_rows(name, np.column_stack((free[:, :2], column)))
        said = answer("sensitivity", f"{name}.h5", code=2)
        check(f"'a' and 'c' go together (rank correlation {number})" in said, f"{name}: {said}")
    run_rows("correlated", np.column_stack((free[:, :2], free[:, 2] + free[:, 1])))
    check("'b' and 'c' are correlated (rank correlation 0." in answer("sensitivity", "correlated.h5"), "correlated columns are not said")
    refused("and an expansion needs to know how", "sensitivity", "correlated.h5", "--index", "chaos")
    run_rows("free", free)
    said = answer("sensitivity", "free.h5")
    check("correlated" not in said and "S1 by ranks" in said, f"independent columns: {said}")
    zipped = SWEEP.replace("points: {file: ./%s.csv}\n", "parameters: {a: {linear: [0, 1, 9]}, b: {linear: [2, 1, 9]}}\nzip: [a, b]\n# %s\n")
    run_rows("zipped", free[:3], zipped)
    check("'a' and 'b' go together" in answer("sensitivity", "zipped.h5", code=2), "axes of a zip")


need_compiler()
for part in (check_orders, check_nodes, check_grid, check_intervals, check_morris, check_refused):
    part(np.random.default_rng(7))
finish("all as documented")
