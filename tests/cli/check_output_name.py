# check_output_name -- `run -o 'out-{KEY}.h5'`: values of the sweep's keys in the name of its result file.
import os
import shutil

from checking import check, folder, main, pendula, write

SWEEP = """\
title: spring
problem: pendulum
parameters: {x0: [0.5, 1.0], zeta: 1.0e-2}
methods:
  - rk4
  - theta1
  - {label: fine, theta2: {theta: 0.25}, newton: {tolerance: 1.0e-10}, parameters: {g: 2}}
step: 0.10
end: 2
newton: {tolerance: 1.0e-6}
substeps: {start: trapezoidal}
trajectory: {every: 5}
"""


def run(pattern, *words, code=0, text="", sweep="sweep.yaml"):
    """What is made by a run with this -o; its stderr."""
    before = set(os.listdir(folder))
    done = pendula("run", sweep, "-d", "reference", "-q", "-o", pattern, *words, code=code, text=text)
    made = {name for name in set(os.listdir(folder)) - before if not name.endswith(".log")}
    return made, done.err


def values():
    """The value as the file or -s writes it, else the default with few digits: the expected texts are those of SWEEP and of the cards."""
    for pattern, words, name in (
            ("a-{parameters.zeta}.h5", [], "a-1.0e-2.h5"),
            ("a-{parameters.zeta}.h5", ["-s", "parameters.zeta=0.050"], "a-0.050.h5"),
            ("a-{step}-{end}.h5", [], "a-0.10-2.h5"),
            ("a-{step}.h5", ["-s", "step=1e-1"], "a-1e-1.h5"),
            ("a-{methods.theta1.theta1}.h5", [], "a-0.55.h5"),  # of the card
            ("a-{methods.fine.theta}.h5", [], "a-0.25.h5"),
            ("a-{methods.fine.theta}.h5", ["-s", "methods.fine.theta=0.3"], "a-0.3.h5"),
            ("a-{methods.fine.parameters.g}-{methods.rk4.parameters.g}.h5", [], "a-2-1.h5"),
            ("a-{methods.fine.newton.tolerance}-{methods.theta1.newton.tolerance}.h5", [], "a-1.0e-10-1e-06.h5"),
            ("a-{newton.max_updates}.h5", [], "a-50.h5"),  # the explicit method has none
            ("a-{newton.scale.x0}.h5", ["-s", "newton.scale.x0=2.5e-3"], "a-2.5e-3.h5"),
            ("a-{newton.residual}-{substeps.start}-{precision}-{design}.h5", [], "a-scaled-trapezoidal-double-grid.h5"),
            ("a-{newton.mode}.h5", ["-s", "newton.mode=paper"], "a-paper.h5"),
            ("a-{title}-{problem}-{trajectory.every}.h5", [], "a-spring-pendulum-5.h5"),
            ("a-{methods.fine.label}.h5", [], "a-fine.h5"),
            ("a-{{b}}-{{{step}}}.h5", [], "a-{b}-{0.10}.h5"),
            ("a-{{step}}.h5", [], "a-{step}.h5"),
            # Each method has its own, so that the sweep's counts nowhere.
            ("a-{parameters.zeta}.h5", ["-s", "methods=[{rk4: {}, parameters: {zeta: 0.5}}]"], "a-0.5.h5")):
        made, err = run(pattern, *words)
        check(made == {name}, f"{pattern} {words}: made {made}: {err}")
        for one in made:
            (folder / one).unlink()
    (folder / "sub").mkdir()
    run("sub/{title}.h5")
    check((folder / "sub" / "spring.h5").exists(), "a folder of the pattern")


def refusals():
    for pattern, words, said in (
            ("{parameters.x0}.h5", [], "parameters.x0 is an axis"), ("{parameters.x0}.h5", [], "-s parameters.x0=VALUE"),
            ("{parameters}.h5", [], "parameters is a mapping, where one value is needed: name a key of it, as parameters.KEY"),
            ("{methods.fine}.h5", [], "methods.fine is a mapping"), ("{methods.fine.newton}.h5", [], "methods.fine.newton is a mapping"),
            ("{newton.scale}.h5", ["-s", "newton.scale.x0=1"], "newton.scale is a mapping, where one value is needed: name a key of it, as newton.scale.KEY"),
            ("{trajectory}.h5", [], "trajectory is a mapping"), ("{methods}.h5", [], "methods is a list"),
            ("{step}.h5", ["-s", "step=[0.1]"], "step is an axis"), ("{step}.h5", ["-s", "step={log: [0.1, 0.2, 2]}"], "step is an axis"),
            ("{methods.fine.theta}.h5", ["-s", "methods.fine.theta=[0.1, 0.2]"], "methods.fine.theta is an axis"),
            ("{parameters.g}.h5", [], "parameters.g differs between the methods: name that of one, as methods.rk4.parameters.g"),
            ("{newton.tolerance}.h5", [], "newton.tolerance differs between the methods"),
            ("{parameters.zet}.h5", [], "the sweep has no 'parameters.zet'; did you mean 'parameters.zeta'?"),
            ("{methods.fine.thet}.h5", [], "did you mean 'methods.fine.theta'?"), ("{stp}.h5", [], "did you mean 'step'?"),
            ("{methods.rk4.newton.tolerance}.h5", [], "the sweep has no 'methods.rk4.newton.tolerance'"),
            ("{steps}.h5", [], "the sweep does not say 'steps'"), ("{methods.fin.theta}.h5", [], "no method is labelled 'fin'"),
            ("{groups}.h5", [], "the sweep has no 'groups'"), ("{label}.h5", [], "the sweep has no 'label'"),
            ("{method_parameters}.h5", [], "the sweep has no 'method_parameters'"), ("{parameters..g}.h5", [], "'parameters..g' is no key"),
            ("{}.h5", [], "a { without a key"), ("a{step.h5", [], "a { without its }"), ("a{st{ep}.h5", [], "a { without its }"), ("a}.h5", [], "a } without its {"),
            ("{title}.h5", ["-s", "title=a/b"], "the value 'a/b' of title has a / in it"), ("{title}/x.h5", ["-s", "title=.."], "is the name of a folder"),
            ("{title}/x.h5", ["-s", "title=."], "is the name of a folder"), ("a{title}.h5", ["-s", "title=''"], "is empty"), ("a{title}.h5", ["-s", "title=~"], "the sweep does not say 'title'"),
            ("a{title}.h5", ["-s", 'title="a\\u202eb"'], "has a control character in it")):
        made, err = run(pattern, *words, code=2)
        check(not made and said in err and f"-o {pattern}: " in err and err.count("\n") == 1, f"{pattern} {words}: {made} {err}")
    mixed = "problem: pendulum\nmethods: [{label: one, rk4: {}, parameters: {g: 2}}, rk4]\nparameters: {g: [1, 2]}\nstep: 0.1\nend: 1\n"
    made, err = run("{parameters.g}.h5", sweep="-", text=mixed, code=2)
    check("parameters.g is an axis" in err, f"an axis of one of the methods: {err}")
    # No value has braces of its own filled in.
    made, err = run("{title}.h5", "-s", "title='{step}'")
    check(made == {"{step}.h5"}, f"braces of a value: {made} {err}")


def modes():
    """A name that is filled in is a name like any other."""
    made, err = run("m-{step}.h5")
    run("m-{step}.h5", code=3)
    whole = (folder / "m-0.10.h5").read_bytes()
    check(made == {"m-0.10.h5"} and run("m-{step}.h5", "--resume") == (set(), "") and run("m-{step}.h5", "--force") == (set(), ""), "--resume, --force")
    run("plain.h5")
    check(whole == (folder / "m-0.10.h5").read_bytes() == (folder / "plain.h5").read_bytes(), "the name is not in the file")
    for shard in ("0/2", "1/2"):
        made, err = run("s-{parameters.zeta}-%s.h5" % shard[0], "--shard", shard)
        check(made == {f"s-1.0e-2-{shard[0]}.h5"}, f"a shard: {made}")
    for zeta in ("0.1", "0.2", "0.30"):
        made, err = run("l-{parameters.zeta}.h5", "-s", f"parameters.zeta={zeta}")
        check(made == {f"l-{zeta}.h5"}, f"a loop: {made}")
    made, err = run("i-{step}.h5", sweep="-", text=SWEEP)
    check(made == {"i-0.10.h5"}, f"standard input: {made} {err}")
    made, err = run("r-{step}-{parameters.zeta}.h5", "-s", "parameters={x0: 1, zeta: {uniform: [0, 1]}}", "-s", "design={lhs: {samples: 4, seed: 1}}", code=2)
    check("parameters.zeta is an axis" in err, f"a distribution: {err}")
    # What a sweep's name has in it is not filled in.
    write("s{step}.yaml", SWEEP)
    pendula("run", "s{step}.yaml", "-d", "reference", "-q")
    check((folder / "s{step}.h5").exists(), "a sweep's own name")
    write("points.csv", "zeta\n0.1\n0.2\n")
    made, err = run("p-{parameters.zeta}.h5", "-s", "parameters={x0: 1}", "-s", "points={file: ./points.csv}", code=2)
    check("parameters.zeta is an axis" in err, f"a column of a file: {err}")
    own = "problem: {coordinates: [x], acceleration: ['-w^2*x'], start: [1], start_velocity: [0], parameters: {w: 1.5}}\nmethods: [rk4]\nstep: 0.1\nend: 1\n"
    # The reference has it compiled.
    os.environ.pop("PENDULA_CC", None)
    if shutil.which("cc"):
        made, err = run("o-{parameters.w}.h5", sweep="-", text=own)
        check(made == {"o-1.5.h5"}, f"an own system: {made} {err}")
    else:
        print("skipped: an own system, as there is no C compiler")


write("sweep.yaml", SWEEP)
main(values, refusals, modes, fine="all as documented")
