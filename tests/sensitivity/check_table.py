# check_table -- `sensitivity` of tables that other programs wrote: CSV and HDF5, rows without a number, designs that are recognised,
# and what is refused.
#
# The function is Ishigami's (sin a + 7 sin^2 b + 0.1 c^4 sin a), whose indices are known in closed form.
from checking import answer, check, ended, folder, main, need, parsed, pendula, refused

h5py, np = need("h5py", "numpy")

SEED, ROWS = 3, 2000
FIRST, TOTAL = (0.313905, 0.442411, 0.0), (0.557589, 0.442411, 0.243684)
NAMES = ("--inputs", "a,b,c", "--outputs", "y")


def ishigami(x):
    return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1])**2 + 0.1 * x[:, 2]**4 * np.sin(x[:, 0])


def polynomial(x):
    return x[:, 0] + x[:, 1]**2 + x[:, 0] * x[:, 2]


def sample(rows=ROWS, seed=SEED):
    return np.random.default_rng(seed).uniform(-np.pi, np.pi, (rows, 3))


def write(name, x, **outputs):
    columns = np.column_stack([x, *outputs.values()])
    np.savetxt(folder / name, columns, delimiter=",", header=",".join(["a,b,c"[:2 * x.shape[1] - 1], *outputs]), comments="", fmt="%.17g")


def indices(name, *words):
    """Numbers of the table, by metric and factor, or pair of factors."""
    return {(row["metric"], row["parameter"], row.get("with") or ""): {key: value for key, value in row.items() if isinstance(value, (int, float))}
            for row in parsed("sensitivity", name, *words, "--format", "json")}


def check_formats():
    """CSV and HDF5 of the same numbers give the same indices, which are Ishigami's; so does an order of columns of their own."""
    x = sample()
    y = ishigami(x)
    write("some.csv", x, y=y, z=-2 * y)
    with h5py.File(folder / "some.h5", "w") as file:
        for i, name in enumerate("abc"):
            file[name] = x[:, i]
        file["y"], file["run/y"], file["whole"] = y, y, np.arange(ROWS)
        file["z"] = (-2 * y)[:, None]
    found = indices("some.csv", "--inputs", "a,b,c", "--outputs", "y,z")
    check(found == indices("some.h5", "--inputs", "a,b,c", "--outputs", "y,z"), "HDF5 has other indices than CSV")
    check(set(found) == {(metric, factor, "") for metric in "yz" for factor in "abc"}, f"rows: {sorted(found)}")
    for factor, first in zip("abc", FIRST):
        row = found["y", factor, ""]
        check(abs(row["S1"] - first) < 2 * row["S1_conf"] < 0.25, f"{factor}: {row}")
        check(abs(found["z", factor, ""]["S1"] - row["S1"]) < 1e-12, f"{factor}: an output times -2 has other indices")
    turned = indices("some.csv", "--inputs", "c,a,b", "--outputs", "y")
    check(all(turned["y", factor, ""] == found["y", factor, ""] for factor in "abc"), "the order of inputs changes indices")
    check(indices("some.h5", "--inputs", "a,b,c", "--outputs", "run/y")["run/y", "b", ""] == found["y", "b", ""], "a dataset in a group")
    said = answer("sensitivity", "some.csv", *NAMES)
    check("  assumes: rows independent, inputs independent\n" in said, f"assumption: {said}")
    # Of a + b^2 + a c the variances are v = pi^2 / 3, 4 pi^4 / 45 and v^2.
    write("few.csv", x[:200], y=polynomial(x[:200]))
    few = indices("few.csv", *NAMES, "--index", "chaos")
    parts = np.array([np.pi**2 / 3, 4 * np.pi**4 / 45, np.pi**4 / 9])
    alone, square, both = parts / parts.sum()
    for factor, first, total in zip("abc", (alone, square, 0), (alone + both, square, both)):
        row = few["y", factor, ""]
        check(abs(row["S1"] - first) < 2 * row["S1_conf"] + 0.01 and abs(row["ST"] - total) < 2 * row["ST_conf"] + 0.01, f"chaos, {factor}: {row}")
    check(abs(few["y", "a", "c"]["S2"] - both) < few["y", "a", "c"]["S2_conf"] + 0.05, f"chaos: {few['y', 'a', 'c']}")
    check("the expansion explains" in answer("sensitivity", "few.csv", *NAMES, "--index", "chaos"), "an expansion without its error")


def check_gaps():
    """Rows without an output are left out, or have the largest one, or are refused, or are asked what failing depends on."""
    x = sample()
    y = ishigami(x)
    failed = x[:, 1] > 2
    write("whole.csv", x[~failed], y=y[~failed])
    words = np.array(["", "nan", "NaN", "NA", "null", "inf", "-Infinity", '"n/a"'])
    with (folder / "gaps.csv").open("w") as file:
        file.write("a,b,c,y\n")
        for i, row in enumerate(x):
            file.write(",".join(f"{number:.17g}" for number in row) + "," + (words[i % 8] if failed[i] else f"{y[i]:.17g}") + "\n")
    with h5py.File(folder / "gaps.h5", "w") as file:
        file["a"], file["b"], file["c"], file["y"] = *x.T, np.where(failed, np.nan, y)
    for name in ("gaps.csv", "gaps.h5"):
        found, whole = indices(name, *NAMES), indices("whole.csv", *NAMES)
        for factor in "abc":
            check(abs(found["y", factor, ""]["S1"] - whole["y", factor, ""]["S1"]) < 1e-12, f"{name}: rows without an output count, {factor}")
        for index in ("delta", "shapley"):
            check(indices(name, *NAMES, "--index", index) == indices("whole.csv", *NAMES, "--index", index), f"{name}: rows without an output, {index}")
        check(f"{failed.sum()} points failed or have no number" in answer("sensitivity", name, *NAMES), f"{name}: failed rows are not said")
        refused(f"{failed.sum()} points have no 'y', and --failed is refuse", "sensitivity", name, *NAMES, "--failed", "refuse", code=4)
        classes = indices(name, *NAMES, "--failed", "classify")
        check(classes["y", "b", ""]["S1"] > 0.9 and abs(classes["y", "a", ""]["S1"]) < 0.1, f"{name}: {classes}")
        worst = indices(name, *NAMES, "--failed", "worst")
        write("worst.csv", x, y=np.where(failed, y[~failed].max(), y))
        check(abs(worst["y", "b", ""]["S1"] - indices("worst.csv", *NAMES)["y", "b", ""]["S1"]) < 1e-12, f"{name}: {worst}")
    write("none.csv", x, y=np.full(ROWS, np.nan))
    check("no indices: every point failed or has no number" in answer("sensitivity", "none.csv", *NAMES), "a table without an output")


def check_design():
    """Rows of SALib's sample have total indices by Saltelli's estimators; a row that is off leaves them a sample of rows."""
    draw = np.random.default_rng(SEED)
    a, b = draw.uniform(-np.pi, np.pi, (2, 1024, 3))
    matrices = [a]
    for i in range(3):
        mixed = a.copy()
        mixed[:, i] = b[:, i]
        matrices.append(mixed)
    x = np.stack([*matrices, b], 1).reshape(-1, 3)
    y = ishigami(x)
    write("salib.csv", x, y=y)
    found = indices("salib.csv", *NAMES)
    for factor, first, total in zip("abc", FIRST, TOTAL):
        row = found["y", factor, ""]
        check(abs(row["S1"] - first) < 2 * row["S1_conf"] and abs(row["ST"] - total) < 2 * row["ST_conf"], f"{factor}: {row}")
    # Saltelli 2010, Table 2 (b) and Jansen 1999, from the formulas of the papers.
    split = y.reshape(-1, 5)
    centred = split - y.mean()
    variance = centred[:, [0, 4]].var()
    by_saltelli = indices("salib.csv", *NAMES, "--estimator", "saltelli")
    for i, factor in enumerate("abc"):
        first = np.mean(centred[:, 4] * (centred[:, 1 + i] - centred[:, 0])) / variance
        total = np.mean((centred[:, 0] - centred[:, 1 + i])**2) / 2 / variance
        row = by_saltelli["y", factor, ""]
        check(abs(row["S1"] - first) < 1e-9 and abs(row["ST"] - total) < 1e-9, f"{factor}: {row}, by hand {first}, {total}")
    said = answer("sensitivity", "salib.csv", *NAMES)
    check("rows of Saltelli's design, a base sample after the other" in said and "assumes: A and B are independent" in said, said)
    y[7] = np.nan
    write("lost.csv", x, y=y)
    check("1 samples (0.0977 %) are left out" in answer("sensitivity", "lost.csv", *NAMES), "a base sample without an output")
    x[-2, 0] += 1e-9
    write("off.csv", x, y=ishigami(x))
    check("Saltelli" not in answer("sensitivity", "off.csv", *NAMES), "rows that are off are taken for Saltelli's")
    said = answer("sensitivity", "off.csv", *NAMES, "--index", "sobol", code=2)
    check("a list of points, does not serve the index sobol" in said, said)


def check_sizes():
    """Outputs of any size that a double holds have the same indices."""
    x = sample(200)
    a, b = x[:100], x[100:200]
    mixed = [np.where(np.arange(3) == i, b, a) for i in range(3)]
    walks = np.array([[np.where(np.isin(np.arange(3), order[:k]), end, start) for k in range(4)] for start, end, order in
                      zip(a, b, [np.random.default_rng(i).permutation(3) for i in range(100)])]).reshape(-1, 3)
    for name, rows, served in (("rows", x, ("given", "chaos", "delta", "shapley")), ("walks", walks, ("shapley", "morris")),
                               ("salib", np.stack([a, *mixed, b], 1).reshape(-1, 3), ("sobol", "given", "chaos", "delta"))):
        y = polynomial(rows)
        # About 1e-200 and 1e160: powers of two change no digit of a number.
        write(f"{name}.csv", rows, y=y, tiny=y * 2.0**-665, huge=y * 2.0**530)
        for index in served:
            found = indices(f"{name}.csv", "--inputs", "a,b,c", "--outputs", "y,tiny,huge", "--index", index)
            check(len(found) >= 9, f"{name}, {index}: {found}")
            for (metric, *factors), row in found.items():
                plain = found["y", factors[0], factors[1]]
                scale = {"y": 1.0, "tiny": 2.0**-665, "huge": 2.0**530}[metric] if index == "morris" else 1.0
                check(len(row) > 0 and row == {key: number * scale for key, number in plain.items()},
                      f"{name}, {index}, {metric}, {factors}: {row}, of ordinary size {plain}")


    # Derivatives are of the output's size: their bounds are those of any unit, and their squares are none that a number holds.
    x = x[:, :2]
    y = x[:, 0] + x[:, 1]**2
    columns = {f"{metric}{ending}": numbers * scale for metric, scale in (("y", 1), ("tiny", 2.0**-665), ("huge", 2.0**530))
               for ending, numbers in (("", y), ("_d_a", np.ones(200)), ("_d_b", 2 * x[:, 1]))}
    np.savetxt(folder / "slopes.csv", np.column_stack([x, *columns.values()]), delimiter=",", header=",".join(["a,b", *columns]), comments="", fmt="%.17g")
    found = indices("slopes.csv", "--inputs", "a,b", "--outputs", ",".join(columns), "--index", "dgsm", "--distribution", "a={uniform: [-4, 4]}",
                    "--distribution", "b={uniform: [-4, 4]}")
    for metric in ("tiny", "huge"):
        for factor in "ab":
            row, plain = found[metric, factor, ""], found["y", factor, ""]
            check(plain["ST_bound"] > 0.1 and "nu" not in row and all(row[key] == plain[key] for key in ("ST_bound", "ST_bound_conf")),
                  f"dgsm, {metric}, {factor}: {row}, of ordinary size {plain}")


def check_refused():
    """What a table cannot be: a line with the place and what to do, and the exit status."""
    x = sample(50)
    write("fine.csv", x, y=ishigami(x))
    text = (folder / "fine.csv").read_text()
    lines = text.splitlines()

    def table(name, changed):
        (folder / name).write_text(changed)
        return name

    def no(message, name, *words, code=4):
        said = refused(message, "sensitivity", name, *(words or NAMES), code=code)
        return said

    no("fine.csv:1: there is no column 'gamma'", "fine.csv", "--inputs", "a,gamma", "--outputs", "y")
    no("did you mean 'force'?", table("near.csv", text.replace("a,b,c,y", "force,b,c,y")), "--inputs", "forse", "--outputs", "y")
    word = lines.copy()
    word[4] = "0.1,two,0.3,1"
    no("word.csv:5:5: column 'b': 'two' is not a number", table("word.csv", "\n".join(word)))
    word[4] = "0.1,0.2,0.3,one"
    no("word.csv:5:13: column 'y': 'one' is not a number", table("word.csv", "\n".join(word)))
    word[4] = "0.1,,0.3,1"
    no("empty.csv:5:5: column 'b' is empty here", table("empty.csv", "\n".join(word)))
    word[4] = "0.1,0.2,,1"
    no("empty.csv:5:9: column 'c' is empty here", table("empty.csv", "\n".join(word)))
    word[4] = "0.1,nan,0.3,1"
    no("word.csv:5:5: column 'b': 'nan' is not a number", table("word.csv", "\n".join(word)))
    word[4] = "0.1,0.2,0.3"
    no("short.csv:5:9: 3 fields, but there are 4 columns", table("short.csv", "\n".join(word)))
    no("one.csv:2:1: this is the only row: indices need many", table("one.csv", "\n".join(lines[:2])))
    no("header.csv: a header, but no points below it", table("header.csv", lines[0]))
    no("nothing.csv:1:1: the first line is empty", table("nothing.csv", ""))
    constant = [lines[0]] + [",".join(["0.25" if i == 1 else field for i, field in enumerate(line.split(","))]) for line in lines[1:]]
    no("constant.csv:1:3: the input 'b' is 0.25 in all rows, and nothing depends on it: leave it out", table("constant.csv", "\n".join(constant)))
    no("twice.csv:1:3: column 'a' is there twice", table("twice.csv", text.replace("a,b,c,y", "a,a,c,y")), "--inputs", "a", "--outputs", "y")
    no("--inputs names 'a' twice", "fine.csv", "--inputs", "a,b,a", "--outputs", "y", code=2)
    no("--outputs names 'y' twice", "fine.csv", "--inputs", "a", "--outputs", "y,y", code=2)
    no("--outputs names 'a', which is an input", "fine.csv", "--inputs", "a,b", "--outputs", "a", code=2)
    no("say which columns of a table are meant: give both", "fine.csv", "--inputs", "a,b", code=2)
    no("--metric and --method are of result files", "fine.csv", *NAMES, "--metric", "y", code=2)
    no("nowhere.csv: cannot be opened", "nowhere.csv", code=3)
    refused("fine.csv: of a table, --inputs a,b,.. and --outputs y,.. say which columns are meant", "sensitivity", "fine.csv", code=2)
    for name, column in (("together", x[:, 0]), ("against", -x[:, 0]**3)):
        write(f"{name}.csv", np.column_stack([x[:, :2], column]), y=x[:, 0])
        no("'a' and 'c' go together", f"{name}.csv", code=2)
    with h5py.File(folder / "sets.h5", "w") as file:
        file["a"], file["b"], file["short"], file["table"], file["text"] = *x.T[:2], x[:9, 0], x, np.array([b"x"] * 50)
        file["hole"], file["y"] = np.where(np.arange(50) == 17, np.nan, x[:, 0]), x[:, 1]
    no("sets.h5: there is no dataset 'q' in it", "sets.h5", "--inputs", "a,q", "--outputs", "y")
    no("sets.h5: 'short' has 9 numbers, and 'a' 50", "sets.h5", "--inputs", "a,short", "--outputs", "y")
    no("sets.h5: table: 3 columns, but 1 names for them", "sets.h5", "--inputs", "a,table", "--outputs", "y")
    no("sets.h5: text: its elements are not numbers", "sets.h5", "--inputs", "a,text", "--outputs", "y")
    no("sets.h5: hole[17, 0]: nan is not finite", "sets.h5", "--inputs", "a,hole", "--outputs", "y")
    pendula("sensitivity", "sets.h5", "--inputs", "a,b", "--outputs", "hole")


def check_damaged():
    """Bytes of a table that change at random: it is read, or refused with a message; the program does not crash."""
    x = sample(40)
    write("sound.csv", x, y=ishigami(x))
    with h5py.File(folder / "sound.h5", "w") as file:
        file["a"], file["b"], file["c"], file["y"] = *x.T, ishigami(x)
    draw = np.random.default_rng(11)
    ends = set()
    for name in ("sound.csv", "sound.h5"):
        sound = (folder / name).read_bytes()
        for trial in range(40):
            bad = bytearray(sound)
            for _ in range(draw.integers(1, 4)):
                kind, at = draw.integers(0, 4), int(draw.integers(0, len(bad)))
                if kind == 0:
                    bad[at] = int(draw.integers(0, 256))
                elif kind == 1:
                    del bad[at:at + int(draw.integers(1, 9))]
                elif kind == 2:
                    bad[at:at] = bytes(draw.choice(list(b',"\n\r;- e0\x00\xff'), 3).astype(np.uint8))
                else:
                    bad = bad[:max(at, 1)]
                if not bad:
                    bad = bytearray(b"a")
            (folder / f"bad{name[5:]}").write_bytes(bad)
            done = ended("sensitivity", f"bad{name[5:]}", *NAMES, seconds=60)
            ends.add(done.code)
            check(done.code in (0, 2, 3, 4) and (done.code == 0 or done.err.startswith("pendula: ")), f"{name}, trial {trial}: exit {done.code}: {done.err}")
    check({0, 4} <= ends, f"no table was read, or none was refused: {ends}")


def check_intervals():
    """Intervals of an expansion of named distributions hold that other rows would choose other terms; very few rows have none."""
    words = [word for name in "abc" for word in ("--distribution", name + "={uniform: [-3.141592653589793, 3.141592653589793]}")]
    held = 0
    for seed in range(10):
        x = sample(96, seed)
        write("chosen.csv", x, y=ishigami(x))
        found = indices("chosen.csv", *NAMES, "--index", "chaos", *words)
        for factor, first, total in zip("abc", FIRST, TOTAL):
            row = found["y", factor, ""]
            held += (abs(row["S1"] - first) <= row["S1_conf"] + 1e-6) + (abs(row["ST"] - total) <= row["ST_conf"] + 1e-6)
            check(row["ST_conf"] < 0.2, f"an interval of the expansion is too wide: {row}")
    check(held >= 54, f"{held} of 60 intervals of an expansion hold the index")


def check_words():
    """PAWN's statistic and slices are said, also where factors have few values; too few trajectories have no intervals, and it is said."""
    x = sample(400)
    write("slices.csv", x, y=ishigami(x))
    said = answer("sensitivity", "slices.csv", *NAMES)
    check("  pawn is the median of the Kolmogorov-Smirnov distances of 10 slices (Pianosi and Wagener 2018); one of 20 factors without influence "
          "exceeds pawn_dummy\n" in said, f"PAWN: {said}")
    x[:, 1] = np.round(x[:, 1] / 2)
    write("slices.csv", x, y=ishigami(x))
    check("distances of 5 to 10 slices (" in answer("sensitivity", "slices.csv", *NAMES), "PAWN of a factor with five values")
    draw = np.random.default_rng(2)
    for trajectories in (7, 8):
        start = draw.uniform(0, 1, (trajectories, 3))
        paths = []
        for row in start:
            order, path = draw.permutation(3), [row]
            for factor in order:
                row = row.copy()
                row[factor] += 0.5
                path.append(row)
            paths += path
        write("paths.csv", np.array(paths), y=ishigami(np.array(paths)))
        said, found = answer("sensitivity", "paths.csv", *NAMES), indices("paths.csv", *NAMES)
        few = "  no intervals: fewer than 8 trajectories may have the same effect by chance\n" in said
        check(few == (trajectories < 8) == ("mu_star_conf" not in found["y", "a", ""]), f"{trajectories} trajectories: {said}")


main(check_formats, check_gaps, check_design, check_sizes, check_refused, check_damaged, check_intervals, check_words)
