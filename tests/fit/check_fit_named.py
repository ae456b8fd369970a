# check_fit_named -- `pendula fit` of sweeps without a design, with distributions on the command line or in the sweep, and wrong ones.
from check_fit import data, DECAY, find, FREE, noisy_decay, OSCILLATOR, table
from checking import answer, check, folder, main, pendula, refused, write


def see_named():
    """Distributions on the command line, of a sweep without a design, give the fit of a sweep that has them, and so does a sweep that has them
    without a design; names of a method's parameters that are those of distributions are none."""
    t, y, _ = noisy_decay()
    plain = data("plain.csv", "t,y", zip(t, y))
    due = table(write("decay.yaml", DECAY.replace("PARAMETERS", FREE)), "--data", plain)
    bare = DECAY.replace("design: {random: {samples: 1}}\n", "")
    check(table(write("free.yaml", bare.replace("PARAMETERS", FREE)), "--data", plain) == due, "a sweep without a design has another fit")
    fixed = write("fixed.yaml", bare.replace("PARAMETERS", "{a: 1, b: 2}"))
    named = "--distribution", "a={uniform: [0.05, 4]}", "--distribution", "b={uniform: [0.2, 9]}"
    check(table(fixed, "--data", plain, *named) == due, "distributions on the command line have another fit")
    done = pendula("fit", "-", "--data", plain, *named, "--format", "csv", text=bare.replace("PARAMETERS", "{a: 1, b: 2}"))
    check(done.out == answer("fit", fixed, "--data", plain, *named, "--format", "csv"), f"of standard input: {done.out}")
    # One parameter alone; the other stays, and the sweep of the optimum has neither a distribution nor a design.
    (row,) = find(table(fixed, "--data", plain, *named[:2], "--sweep", "best.yaml"), "parameter")
    check(row["parameter"] == "a", f"one parameter: {row}")
    best = (folder / "best.yaml").read_text()
    check(f"a: {row['value']!r}"[:12] in best and "uniform" not in best and "design" not in best and "b: 2" in best, best)
    answer("plan", "best.yaml")
    # A sweep with a list of values beside: each is a condition.
    two = write("two.yaml", OSCILLATOR.replace("AMPLITUDES", "[0.5, 1.5]").replace("design: {random: {samples: 1}, inside: grid}\n", ""))
    measured = data("two.csv", "t,x0,x", [(1, 0.5, 0.1), (2, 0.5, -0.2), (3, 1.5, 0.4), (4, 1.5, -0.3), (5, 1.5, 0.2)])
    check("under 2 conditions" in answer("fit", two, "--data", measured, "--starts", 4), "a list beside distributions")
    beta = write("beta.yaml", """problem: harmonic_oscillator
parameters: {omega: {linear: [1, 3, 3]}, x0: 1}
methods: [{newmark: {beta: 0.25, gamma: 0.5}}]
step: 0.1
end: 4
""")
    check("newmark: 1 parameter" in answer("fit", beta, "--data", data("one.csv", "t,x", [(1, -0.4), (2, -0.6), (3, 0.9)]), "--starts", 4), "beta of a method")
    # A distribution, in the words of a sweep file, of a parameter that the problem has.
    for text, message in (("a", "--distribution takes NAME={uniform: [0, 1]}; got 'a'"), ("={uniform: [0, 1]}", "--distribution takes NAME="),
                          ("a=[1, 2]", "--distribution a: these are values: a distribution is such as"),
                          ("a={uniform: [2, 1]}", "--distribution a: parameter 'a'"), ("a={unifrom: [1, 2]}", "--distribution a: "),
                          ("q={uniform: [1, 2]}", "--distribution q: own_system has no parameter 'q'")):
        refused(message, "fit", fixed, "--data", plain, "--distribution", text, code=2)
    refused("--distribution names that of 'a' twice", "fit", fixed, "--data", plain, *named[:2], *named[:2], code=2)
    refused("takes certain numbers only and cannot be fitted", "fit", fixed, "--data", plain, "--distribution", "a={choice: [1, 2]}", code=4)
    refused("a distribution belongs to a random design", "fit", fixed, "--data", plain, *named, "-s", "design=grid", code=2)


if __name__ == "__main__":
    main(see_named)
