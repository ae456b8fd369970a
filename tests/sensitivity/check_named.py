# check_named -- distributions that `sensitivity --distribution` names for the inputs of a table: closed forms, and what is refused.
#
# Of Ishigami's function (sin a + 7 sin^2 b + 0.1 c^4 sin a) and of polynomials in normal, lognormal, beta, triangular and whole numbers the
# indices are known in closed form. An expansion finds them to rounding where it is exact, whatever the rows are: these are of chance.
import numbers

from checking import check, folder, main, need, parsed, pendula, refused

h5py, np = need("h5py", "numpy")

NAMES = ("--inputs", "a,b,c", "--outputs", "y", "--index", "chaos")
PI = "3.141592653589793"
UNIFORM = tuple(word for name in "abc" for word in ("--distribution", f"{name}={{uniform: [-{PI}, {PI}]}}"))


def write(name, header, *columns):
    np.savetxt(folder / name, np.column_stack(columns), delimiter=",", header=header, comments="", fmt="%.17g")
    return name


def indices(name, *words):
    return {(row["parameter"], row.get("with") or ""): {key: value for key, value in row.items() if isinstance(value, numbers.Number)}
            for row in parsed("sensitivity", name, *words, "--format", "json")}


def ishigami(x):
    return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1])**2 + 0.1 * x[:, 2]**4 * np.sin(x[:, 0])


def check_ishigami():
    """The closed form, with 7 and 0.1: of the variances of sin a (1 + 0.1 pi^4 / 5), 7 sin^2 b and what is left of both."""
    x = np.random.default_rng(4).uniform(-np.pi, np.pi, (300, 3))
    name = write("ishigami.csv", "a,b,c,y", *x.T, ishigami(x))
    alone, square, both = 0.5 * (1 + np.pi**4 / 50)**2, 49 / 8, np.pi**8 * (1 / 1800 - 1 / 5000)
    whole = alone + square + both
    due = {"a": (alone / whole, (alone + both) / whole), "b": (square / whole,) * 2, "c": (0, both / whole)}

    def worst(found):
        return max(max(abs(found[key, ""]["S1"] - first), abs(found[key, ""]["ST"] - total)) for key, (first, total) in due.items())

    named, empirical = indices(name, *NAMES, *UNIFORM), indices(name, *NAMES)
    check(worst(named) < 1e-7, f"Ishigami is off by {worst(named)}: {named}")
    check(abs(named["a", "c"]["S2"] - both / whole) < 1e-6, f"the pair: {named['a', 'c']}")
    check(worst(empirical) > 1e-3, f"the rows alone know what only the distributions say: {worst(empirical)}")
    # Braces may be left out, and an input may be without: it has the distribution of its values.
    plain = indices(name, *NAMES, *(word.replace("{", "").replace("}", "") for word in UNIFORM))
    check(plain == named, "without braces the indices are others")
    some = indices(name, *NAMES, *UNIFORM[2:])
    check(1e-6 < worst(some) < worst(empirical) + 0.05, f"without that of a: {worst(some)}")
    turned = indices(name, "--inputs", "c,b,a", *NAMES[2:], *UNIFORM)
    check(worst(turned) < 1e-6, f"the order of inputs changes who has which distribution: {turned}")
    with h5py.File(folder / "ishigami.h5", "w") as file:
        for i, key in enumerate("abc"):
            file[key] = x[:, i]
        file["y"] = ishigami(x)
    check(indices("ishigami.h5", *NAMES, *UNIFORM) == named, "HDF5 has other indices than CSV")
    said = pendula("sensitivity", name, *NAMES, *UNIFORM)
    check("no sample" not in said.err, f"rows of the distribution are said to be others: {said.err}")
    pendula("sensitivity", name, *NAMES[:4], *UNIFORM, "--plot", "surrogate", "--picture", "surrogate")


def check_kinds():
    """y = p + q + r + s + t + u + v + p q with a distribution of each kind: its variances are known."""
    draw, n = np.random.default_rng(9), 400
    kinds = {"p": ("{normal: [1, 2]}", draw.normal(1, 2, n), 1, 4),
             "q": ("{lognormal: [0, 0.25]}", draw.lognormal(0, 0.25, n), np.exp(1 / 32), np.exp(1 / 16) * (np.exp(1 / 16) - 1)),
             "r": ("{triangular: [0, 1, 4]}", draw.triangular(0, 1, 4, n), 5 / 3, (16 + 1 - 4) / 18),
             "s": ("{beta: [2, 3, -1, 1]}", 2 * draw.beta(2, 3, n) - 1, -0.2, 4 * 6 / 25 / 6),
             "t": ("{choice: [1, 2, 4]}", draw.choice([1, 2, 4], n), 7 / 3, 14 / 9),
             "u": ("{integer: [-2, 2]}", draw.integers(-2, 3, n), 0, 2),
             "v": ("{uniform: [0, 3]}", draw.uniform(0, 3, n), 1.5, 0.75)}
    columns = {key: values for key, (_, values, _, _) in kinds.items()}
    name = write("kinds.csv", ",".join([*columns, "y"]), *columns.values(), sum(columns.values()) + columns["p"] * columns["q"])
    found = indices(name, "--inputs", ",".join(columns), "--outputs", "y", "--index", "chaos",
                    *(word for key, (text, *_) in kinds.items() for word in ("--distribution", f"{key}={text}")))
    mean, variance = ({key: kind[i] for key, kind in kinds.items()} for i in (2, 3))
    both = variance["p"] * variance["q"]
    parts = variance | {"p": variance["p"] * (1 + mean["q"])**2, "q": variance["q"] * (1 + mean["p"])**2}
    whole = sum(parts.values()) + both
    for key, part in parts.items():
        total = part + (both if key in "pq" else 0)
        check(abs(found[key, ""]["S1"] - part / whole) < 1e-6 and abs(found[key, ""]["ST"] - total / whole) < 1e-6,
              f"{key}: {found[key, '']}, due are {part / whole} and {total / whole}")


def check_dgsm():
    """Derivatives of a table have bounds by the constants of the distributions: y = a + b^2, whose total indices these hold."""
    x = np.random.default_rng(5).uniform(0, 1, (4000, 2))
    x[:, 1] = 2 * x[:, 1] - 1
    name = write("slopes.csv", "a,b,y,y_d_a,y_d_b", *x.T, x[:, 0] + x[:, 1]**2, np.ones(4000), 2 * x[:, 1])
    words = ("--inputs", "a,b", "--outputs", "y,y_d_a,y_d_b", "--index", "dgsm")
    found = [row for row in parsed("sensitivity", name, *words, "--distribution", "a={uniform: [0, 1]}", "--distribution",
                                   "b={uniform: [-1, 1]}", "--format", "json") if row["metric"] == "y"]
    variance = 1 / 12 + 4 / 45
    for row, due in zip(found, (1 / np.pi**2 / variance, 4 / np.pi**2 * (4 / 3) / variance)):
        check(abs(row["ST_bound"] - due) < 0.1 * due, f"{row['parameter']}: {row}, due is {due}")
    bare = [row for row in parsed("sensitivity", name, *words, "--format", "json") if row["metric"] == "y"]
    check(all(row.get("ST_bound") is None for row in bare), f"a bound without a distribution: {bare}")


def check_rows_of_others():
    """Rows that are no sample of the distribution are said to be others; the indices are the expansion's all the same."""
    x = np.random.default_rng(6).uniform(-1, 1, (500, 2))
    name = write("narrow.csv", "a,b,y", *x.T, x[:, 0] + x[:, 1])
    words = ("--inputs", "a,b", "--outputs", "y", "--index", "chaos")
    wide = ("--distribution", "a={uniform: [-3, 3]}", "--distribution", "b={uniform: [-1, 1]}")
    said = pendula("sensitivity", name, *words, *wide).err
    check("narrow.csv: the rows of 'a' are no sample of {uniform: [-3, 3]}: probabilities differ by up to 0.3" in said and "'b'" not in said,
          f"rows of another distribution: {said}")
    check(abs(indices(name, *words, *wide)["a", ""]["S1"] - 0.9) < 1e-9, "the variance is not that of the distribution")
    # A grid of few values, and a sample of Saltelli's with each number many times, are what they should be.
    b = np.random.default_rng(7).uniform(-1, 1, (40, 2))
    rows = np.concatenate([x[:40], b, *(np.where(np.arange(2) == i, b, x[:40]) for i in range(2))])
    for kind, points in (("grid", np.stack(np.meshgrid(np.linspace(-1, 1, 7), np.linspace(-1, 1, 7)), -1).reshape(-1, 2)), ("salib", rows)):
        name = write(f"{kind}.csv", "a,b,y", *points.T, points[:, 0] + points[:, 1])
        said = pendula("sensitivity", name, *words, "--distribution", "a={uniform: [-1, 1]}", "--distribution", "b={uniform: [-1, 1]}").err
        check("no sample" not in said, f"{kind}: {said}")
    whole = np.random.default_rng(8).integers(0, 4, 400)
    name = write("dice.csv", "a,b,y", whole, np.random.default_rng(9).uniform(-1, 1, 400), whole)
    said = pendula("sensitivity", name, *words, "--distribution", "a={integer: [0, 3]}").err
    check("no sample" not in said, f"whole numbers: {said}")
    said = pendula("sensitivity", name, *words, "--distribution", "a={integer: [0, 9]}").err
    check("the rows of 'a' are no sample of {integer: [0, 9]}: probabilities differ by up to 0.6" in said, f"whole numbers of others: {said}")


def check_refused():
    x = np.random.default_rng(2).uniform(0.1, 0.9, (50, 2))
    write("fine.csv", "a,force,y", *x.T, x[:, 0] + x[:, 1])
    with h5py.File(folder / "fine.h5", "w") as file:
        file["a"], file["force"], file["y"] = *x.T, x[:, 0]

    def no(message, *texts, name="fine.csv", index=("--index", "chaos"), code=2):
        words = ("--inputs", "a,force", "--outputs", "y") if name.startswith("fine") else ("--inputs", "a", "--outputs", "y")
        refused(message, "sensitivity", name, *words, *index, *(word for text in texts for word in ("--distribution", text)), code=code)

    no("--distribution takes NAME={uniform: [0, 1]}; got 'a'", "a")
    no("--distribution takes NAME={uniform: [0, 1]}; got '=1'", "=1")
    no("--distribution: 'forse' is none of the --inputs; did you mean 'force'?", "forse={uniform: [0, 1]}")
    no("--distribution: 'y' is none of the --inputs", "y={uniform: [0, 1]}")
    no("--distribution names that of 'a' twice", "a={uniform: [0, 1]}", "a={normal: [0, 1]}")
    no("--distribution a: input 'a': uniform takes [a, b]", "a={uniform: [0]}")
    no("--distribution a: input 'a': uniform [a, b]: the first end must be less than the second", "a={uniform: [1, 0]}")
    no("--distribution a: unknown key 'unifrom' in input 'a'; did you mean 'uniform'?", "a={unifrom: [0, 1]}")
    no("--distribution a: these are values: a distribution is such as {uniform: [0, 1]}", "a=[0, 1]")
    no("--distribution a: these are values", "a=3")
    no("--distribution a: these are values", "a={linear: [0, 1, 5]}")
    no("--distribution a: ", "a={uniform: [0, 1]")
    no("--distribution a: ", "a=")
    refused("--distribution is of the inputs of a table, which --inputs names: a result file has its sweep's", "sensitivity", "fine.h5",
            "--distribution", "a={uniform: [0, 1]}", code=2)
    for index in ((), ("--index", "delta"), ("--index", "shapley"), ("--index", "given")):
        no("--distribution is used by --index chaos and --index dgsm, and by no other", "a={uniform: [0, 1]}", index=index)
    # A row that the distribution cannot have.
    lines = (folder / "fine.csv").read_text().splitlines()
    lines[7] = "0.5,1.25,1"
    (folder / "fine_out.csv").write_text("\n".join(lines) + "\n")
    no("fine_out.csv:8:5: the distribution of 'force', {uniform: [0, 1]}, has no value 1.25: name another one, or leave the row out",
       "force={uniform: [0, 1]}", name="fine_out.csv", code=4)
    with h5py.File(folder / "fine.h5", "a") as file:
        file["a"][3] = -0.5
    no("fine.h5: point[3, 0]: the distribution of 'a', {uniform: [0, 1]}, has no value -0.5", "a={uniform: [0, 1]}", name="fine.h5", code=4)
    for text, value in (("{lognormal: [0, 1]}", 0), ("{loguniform: [1, 10]}", 0.5), ("{truncated_normal: [2, 1, 1, 3]}", 3.5),
                        ("{triangular: [1, 2, 3]}", 0.5), ("{beta: [2, 2, 1, 3]}", 4), ("{integer: [1, 3]}", 2.5), ("{integer: [1, 3]}", 4),
                        ("{choice: [1, 2]}", 1.5)):
        (folder / "value.csv").write_text("a,y\n1,1\n2,2\n1,0\n2,3\n" + f"{value},1\n" + "1,2\n2,1\n" * 20)
        no(f"value.csv:6:1: the distribution of 'a', {text}, has no value {value}", f"a={text}", name="value.csv", code=4)
    # A name with an equals sign.
    (folder / "sign.csv").write_text("a,a=b,y\n" + "".join(f"{i / 60},{(i * 37) % 60 / 60},{i}\n" for i in range(60)))
    pendula("sensitivity", "sign.csv", "--inputs", "a,a=b", "--outputs", "y", "--index", "chaos", "--distribution", "a=b={uniform: [0, 1]}")
    pendula("sensitivity", "sign.csv", "--inputs", "a=b,a", "--outputs", "y", "--index", "chaos", "--distribution", "a=b={uniform: [0, 1]}")
    refused("--distribution names that of 'a=b' twice", "sensitivity", "sign.csv", "--inputs", "a,a=b", "--outputs", "y", "--index", "chaos",
            "--distribution", "a=b={uniform: [0, 1]}", "--distribution", "a=b={uniform: [0, 1]}", code=2)


main(check_refused, check_rows_of_others, check_dgsm, check_ishigami, check_kinds)
