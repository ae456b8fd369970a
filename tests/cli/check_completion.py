# check_completion -- what `pendula complete` and the completions of bash, zsh and fish offer, also of names made to harm.
import os
import pathlib
import re
import shutil

from checking import answer, check, ended, execute, folder, listed, main, need, PROGRAM, refused, run, SHIPPED
from seal import ranges_of, seal

h5py = need("h5py")

SWEEP = """
problem: elastic_pendulum_polar
parameters: {eps: [1.0e-2, 1.0e-1]}
methods: [{generalized_alpha: {rho_inf: 0.5}}, {label: my_paper, theta2: {theta: 0.07}}]
step: 0.05
end: 1
metrics: [updates, energy_drift, x_final]
trajectory: {every: 10, fields: [energy]}
"""
HARM = "$(touch harmed)`touch harmed`;touch harmed"
COMPLETION = SHIPPED.parent / "host/cli/completion"


def offered(*words, quoted=False):
    """The candidates for the last word, without what is said about them."""
    lines = answer("complete", *(["--quoted"] if quoted else []), "--", *words).splitlines()
    check(all("\t" in line for line in lines), f"complete {words}: a line without a tab: {lines}")
    return [line.split("\t")[0] for line in lines]


def prepare():
    """A result file in a folder and under a name with spaces, one of a random design, and one with names that a shell would run."""
    (folder / "a folder").mkdir()
    run("plain", SWEEP)
    run("flat", SWEEP.replace("eps: [1.0e-2, 1.0e-1]", "eps: {uniform: [1.0e-2, 1.0e-1]}") + "design: {lhs: {samples: 8, seed: 1}}\n", "-o", "a folder/flat.h5")
    (folder / ".hidden.h5").touch()
    shutil.copy(folder / "plain.h5", folder / "a folder/my file.h5")
    shutil.copy(folder / "plain.h5", folder / "harm.h5")
    ranges = ranges_of(folder / "harm.h5")
    with h5py.File(folder / "harm.h5", "r+") as file:
        group = file["generalized_alpha"]
        group.copy("updates", group, HARM)
    seal(folder / "harm.h5", ranges)
    (folder / "two\nlines.h5").touch()


def options_of(command):
    return re.findall(r"^ +(?:-., )?--([a-z-]+)", answer(command, "--help"), re.M)


# Every command and every option of its help is offered, and nothing else.
def commands():
    names = re.findall(r"^  ([a-z]+)", answer("--help"), re.M)
    check(len(names) > 25 and offered("") == names, f"commands: {offered('')}")
    check(offered("pl") == ["plan", "plot"] and offered("-") == ["--help", "--version"] and offered("help", "pl") == ["plan", "plot"],
          "the beginnings of commands")
    for name in names:
        check(sorted(offered(name, "--")) == sorted({f"--{option}" for option in options_of(name)}), f"options of {name}: {offered(name, '--')}")


def values():
    cards = {kind: [card["name"] for card in listed(kind)] for kind in ("problems", "methods", "metrics")}
    for words, names in ((("spectrum", ""), cards["methods"]), (("pairs", "rk4", ""), cards["methods"]),
                         (("advise", "a.yaml", "--method", ""), cards["methods"]), (("pairs", "--problem", ""), cards["problems"]),
                         (("plot", "none.h5", "--metric", ""), cards["metrics"]),
                         (("run", "-d", ""), ["gpu", "cpu", "native", "reference", "all"]), (("run", "--device=n"), ["--device=native"]),
                         (("run", "--device=gpu,n"), ["--device=gpu,native"]), (("run", "x.yaml", "--fail-on", ""), ["any", "all"]),
                         (("plot", "--format", "png,s"), ["png,svg"]), (("list", ""), ["problems", "methods", "metrics", "devices"]),
                         (("new", "m"), ["method", "metric"]), (("plot", "--", "--k"), []), (("pairs", "rk4", "rk4", ""), []),
                         (("run", "x.yaml", "-o", "p"), ["plain.h5"]), (("nothing", ""), []), (("info", "plain.h5", ""), [])):
        check(offered(*words) == names, f"complete {words}: {offered(*words)}")
    check(set(offered("show", "")) >= {"rk4", "pendulum", "energy_drift"}, "show takes all cards")


def files():
    for words, names in ((("plot", ""), ["a folder/", "harm.h5", "plain.h5"]), (("plot", ".h"), [".hidden.h5"]), (("plot", "--metric=updates", "pl"), ["plain.h5"]),
                         (("run", ""), ["a folder/", "flat.yaml", "plain.yaml"]),
                         (("check", "p"), ["plain.yaml"]), (("plot", "a folder/"), ["a folder/flat.h5", "a folder/my file.h5"]),
                         (("merge", "-o", "x.h5", "pl"), ["plain.h5"]), (("merge", "-o", "x.h5", "plain.h5", "h"), ["harm.h5"]),
                         (("diff", "plain.h5", "pl"), ["plain.h5"]), (("plot", f"{folder}/pl"), [f"{folder}/plain.h5"])):
        check(sorted(offered(*words)) == names, f"complete {words}: {offered(*words)}")
    check(answer("complete", "--", "plot", "~/pl", HOME=str(folder)) == "~/plain.h5\t\n", "files of the home folder")


def contents():
    """Groups, axes, metrics and fields of a file, whose name has spaces."""
    file = "a folder/my file.h5"
    with h5py.File(folder / file) as opened:
        groups = [name for name in opened if name != "journal"]
    for words, names in ((("--group", ""), groups), (("--group", "my"), ["my_paper"])):
        check(sorted(offered("replay", file, *words)) == sorted(names), f"{words}: {offered('replay', file, *words)}")
    for words, names in ((("--metric", "x_"), {"x_final[r]", "x_final[theta]"}), (("--metric", "en"), {"energy_drift"}),
                         (("--metric=up"), {"--metric=updates"}), (("--x", ""), {"eps"}), (("--at", ""), {"eps="}),
                         (("--at", "eps=1,e"), {"eps=1,eps="}), (("--field", ""), {"energy"})):
        words = (words,) if isinstance(words, str) else words
        got = {name for name in offered("plot", file, *words) }
        check(got == names, f"{words}: {got}")
    check("eps" in offered("plot", "a folder/flat.h5", "--x", "") and "eps" not in offered("plot", "a folder/flat.h5", "--metric", "e"),
          "an axis of a random design is no metric")
    quoted = [line.split("\t")[0] for line in answer("complete", "--quoted", "--", "plot", "a\\ folder/'my file.h5'", '"--metric"', "en").splitlines()]
    check(set(quoted) == {"energy_drift"}, f"quoted words: {quoted}")
    check(offered("plot", "plain.yaml", "--group", "") == [], "a file that is no result file")
    names = offered("plot", "harm.h5", "--metric", "$")
    check(names == [HARM], f"names made to harm: {names}")
    refused("which words?", "complete", "plot")


# What each shell offers: the words of a line, the last of them unfinished, and the candidates as the line would hold them.
LINES = (
    (("pl",), {"plan", "plot"}),
    (("plot", "--ki"), {"--kind"}),
    (("spectrum", "rk"), {"rk2", "rk4"}),
    (("run", "--device", "n"), {"native"}),
    (("replay", "a folder/my file.h5", "--group", "gen"), {"generalized_alpha"}),
    (("plot", "a folder/my file.h5", "--metric", "en"), {"energy_drift"}),
    (("plot", "harm.h5", "--metric", "$"), {HARM}),
)


def unharmed(shell):
    check(not (folder / "harmed").exists(), f"{shell} has run a name of a result file")


def path():
    return f"{pathlib.Path(PROGRAM).parent}{os.pathsep}{os.environ['PATH']}"


def bash():
    if not shutil.which("bash"):
        return print("skipped: no bash")
    for words, names in (*LINES, (("plot", "plain.h5", "--metric", "=", "en"), {"energy_drift"}), (("plot", "--format", "=", "sv"), {"svg"})):
        script = (f"source '{COMPLETION}/pendula.bash'; complete -p pendula >/dev/null || exit 1; COMP_WORDBREAKS=$' \\t\\n=:'\n"
                  "printf -v quoted '%q' \"$4\"; COMP_WORDS=(pendula); for word in \"$@\"; do\n"
                  "[[ $word == '$' ]] || printf -v word '%q' \"$word\"; [[ $word == '\\=' ]] && word='='; COMP_WORDS+=(\"$word\"); done\n"
                  "COMP_CWORD=$#; _pendula pendula; printf '%s\\n' \"${COMPREPLY[@]}\"")
        done = execute(["bash", "--norc", "-c", script, "bash", *words], PATH=path())
        # A candidate is quoted as the line needs it; bash itself takes the quotes off, and must get the name.
        got = {execute(["bash", "-c", f"printf %s {line}"]).out for line in done.out.splitlines() if line}
        check(got == names, f"bash {words}: {done.out}{done.err}")
    unharmed("bash")


def zsh():
    if not shutil.which("zsh"):
        return print("skipped: no zsh")
    for words, names in LINES:
        # compadd exists inside of the line editor only: a function of its name prints what it would add.
        script = ("compadd() { local all=(\"$@\"); print -rl -- \"${(@P)all[-1]}\"; }\n"
                  "words=(pendula \"${(@q)@}\"); CURRENT=$#words; PREFIX=${words[-1]}; [[ ${@[-1]} == '$' ]] && PREFIX='$'\n"
                  f"source '{COMPLETION}/_pendula'")
        done = execute(["zsh", "-f", "-c", script, "zsh", *words], PATH=path())
        got = {line for line in done.out.splitlines() if line}
        check(got == names, f"zsh {words}: {done.out}{done.err}")
    unharmed("zsh")


def fish():
    if not shutil.which("fish"):
        return print("skipped: no fish")
    for words, names in LINES:
        line = " ".join(["pendula", *(f"'{word}'" if " " in word else word for word in words[:-1]), words[-1]])
        line = line.replace("$", "\\$")
        done = execute(["fish", "--no-config", "-c", f"source '{COMPLETION}/pendula.fish'; complete -C $argv[1]", line], PATH=path(), HOME=folder)
        got = {candidate.split("\t")[0] for candidate in done.out.splitlines()}
        check(got == names, f"fish {words}: {done.out}{done.err}")
    unharmed("fish")


main(prepare, commands, values, files, contents, bash, zsh, fish, fine="all candidates are as they should be")
