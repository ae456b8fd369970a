# check_pictures -- what a picture shows, read from its SVG: every group that is named on stdout, no text over another or cut off by the
# border, failures explained, a scale that one explosion does not flatten; and numbers of each kind, read from its script.
import math
import re

from checking import answer, check, folder, main, need_program, pendula, run
from picture import data_blocks, faults_of, texts_of

LONG = "Long title that goes on about stiffness, step and damping " * 4
PENDULUM = "problem: pendulum\nstep: 0.1\nend: 2\n"
VAN_DER_POL = "problem: van_der_pol\nparameters: {mu: {log: [1, 1000, 13]}, x0: [1, 2, 3]}\nstep: 0.25\nend: 5\nmetrics: [status, updates, x_max]\n"
ONE_UPDATE = "newton: {max_updates: 1}\nsubsteps: {max_depth: 0}\n"
OSCILLATOR = "problem: harmonic_oscillator\nmetrics: [status, updates, x_max]\n"


def draw(name, sweep, *options):
    """Runs a sweep on the reference and draws it: the texts of the picture, what was said, and the SVG."""
    run(name, sweep)
    said = answer("plot", name + ".h5", "--force", *options)
    if not said:
        return [], "", ""
    svg = (folder / (said.split(",")[0][:-4] + ".svg")).read_text(encoding="utf-8")
    for fault in faults_of(svg, said):
        check(False, f"{name} {options}: {fault}")
    return [text.words for text in texts_of(svg)], said, svg


def check_groups():
    """Groups with fewer axes than others, in maps and in curves, under a title of several lines."""
    sweep = (f"title: {LONG}\n{PENDULUM}parameters: {{x0: {{linear: [0.1, 3.1, 9]}}}}\nmetrics: [status, updates, x_max]\n"
             "methods: [{label: with_a_rather_long_label, theta2: {theta: {linear: [0, 1, 5]}}}, rk4, {label: few, theta2: {theta: [0.1]}}]\n")
    words, _, _ = draw("groups", sweep)
    check(sum(word in LONG for word in words if len(word) > 60) >= 1 and words[0].startswith("Long title"), "groups: no title")
    draw("groups", sweep, "--kind", "curves")
    levels = f"{PENDULUM}parameters: {{x0: 1}}\nmetrics: [status, updates, x_max]\nmethods: [{{theta2: {{theta: {{linear: [0, 1, 5]}}}}}}, rk4]\n"
    draw("levels", levels, "--kind", "curves")
    without = ("problem: pendulum\nparameters: {x0: [1, 2], zeta: [0, 0.1]}\nstep: 0.1\nend: 1\nmetrics: [status, jacobians]\n"
               "methods: [theta2, rk4]\n")
    draw("without", without, "--metric", "jacobians")


def check_failures():
    """Colours of statuses are explained whichever panel has them; the status itself has no continuous scale."""
    sweep = VAN_DER_POL + "methods: [explicit_euler, backward_euler]\n"
    words, _, _ = draw("last_is_well", sweep)
    check("not_finite" in words, "last_is_well: the colour of failures is not explained")
    words, _, svg = draw("last_is_well", sweep, "--metric", "status")
    check("ok" in words and "not_finite" in words, "status: statuses are not named")
    check("1.5" not in words and "status" not in words, "status: there is a continuous scale")
    words, _, _ = draw("last_is_well", sweep, "--metric", "status", "--kind", "curves")
    check("not_finite" in words and "budget_exceeded" in words, "status: curves do not name statuses")
    failed = VAN_DER_POL + "methods: [theta2, bdf2]\n" + ONE_UPDATE
    words, _, _ = draw("all_failed", failed)
    check("newton_failed" in words, "all_failed: the map does not say how")
    words, _, _ = draw("all_failed", failed, "--kind", "curves")
    check("no point has a value" in words, "all_failed: curves do not say that there is nothing")


def check_explosion():
    """A few numbers of 1e16 and more do not set the scale of all others, which the picture and stdout say."""
    sweep = OSCILLATOR + ("parameters: {omega: {linear: [1, 20.5, 40]}, x0: [1, 2, 3]}\nmethods: [rk4, trapezoidal]\nstep: 0.14\nend: 50.4\n")
    words, said, _ = draw("explosion", sweep, "--metric", "x_max")
    note = "x_max: the scale ends where 3 of 240 points lie beyond it, up to "
    check(any(word.startswith(note) for word in words) and note in said, f"explosion: the end of the scale is not said: {said}")
    check("2.5" in words, "explosion: the scale does not show the others")
    few, said, _ = draw("no_explosion", sweep.replace("[rk4, trapezoidal]", "[trapezoidal, theta2]"), "--metric", "x_max")
    check(not any("beyond" in word for word in few) and "beyond" not in said, "no_explosion: something was cut off")
    sweep = OSCILLATOR + "parameters: {omega: 20.5}\nmethods: [rk4, trapezoidal, theta2]\nstep: 0.14\nend: 50.4\ntrajectory: {every: 1, fields: [x]}\n"
    words, said, _ = draw("trajectories", sweep, "--kind", "trajectory")
    check("x: 1 of 3 curves leave the scale, up to " in said and "0.5" in words, f"trajectories: {said}")
    # Coordinates have the problem's names.
    sweep = ("problem: modal_oscillators\nparameters: {k2: 4, x01: 1, x02: 3}\nmethods: [rk4]\nstep: 0.05\nend: 20\n"
             "trajectory: {every: 1, fields: [x, v]}\n")
    _, said, _ = draw("named", sweep, "--kind", "trajectory")
    check(re.search(r"rk4: q1 2 -> 2, q2 6 -> 6, v_q1 2 -> [12][.\d]*, v_q2 12 -> 12\n", said) is not None, f"names: {said}")


def check_tics():
    """Labels of many digits, along both axes."""
    draw("tics", OSCILLATOR + "parameters: {omega: {linear: [100000, 100007, 15]}, x0: {linear: [0.000123, 0.000129, 7]}}\n"
         "methods: [{newmark: {beta: [0.25, 0.3]}}, theta2]\nstep: 0.001\nend: 0.01\n", "--metric", "x_max")


def block(script, name):
    """The numbers of a data block of a script."""
    return [[float(number) for number in row] for row in data_blocks((folder / script).read_text(encoding="utf-8"))[name]]


def near(found, wanted, what):
    check(len(found) == len(wanted) and all(abs(a - b) <= 1e-8 * max(1.0, abs(b)) for a, b in zip(found, wanted)), f"{what}: {found} != {wanted}")


GRID = """title: Kinds
problem: harmonic_oscillator
parameters: {omega: [1, 2, 3], x0: [0.5, 1, 2], zeta: 0}
methods: [symplectic_euler, rk4]
end: 3
steps: [300, 600, 1200, 2400, 4800]
metrics: [status, evaluations, error_final, x_max, x_final, {poincare: {period: 0.1, samples: 5}}]
trajectory: {samples: 31, fields: [x, v], where: {steps: 300}}
"""


def check_families():
    """A curve for each value, a panel for each group, other axes where --at says."""
    words, said, _ = draw("kinds", GRID, "--kind", "curves", "--x", "x0", "--family", "omega", "--metric", "x_max", "--at", "steps=2000")
    check("symplectic_euler: steps = 2000 is not in the file; the nearest is 2400" in said, f"family: the nearest is not said: {said}")
    check(words.count("omega = 2") == 1 and "rk4" in words and "steps = 2400" in words, f"family: {words}")
    for number in range(6):
        # Undamped, the amplitude is x0.
        found = block("kinds_curves_x_max.gp", f"s{number}")
        near([x for x, _ in found], [0.5, 1, 2], f"family {number} along x")
        check(all(abs(y - x) < 0.02 for x, y in found), f"family {number}: amplitudes are {found}")
    words, _, _ = draw("kinds", GRID, "--family", "steps", "--metric", "x_max", "--at", "x0=2")
    check("omega [rad/s]" in words and "steps = 300" in words, f"a family of the first axis: {words}")
    words, _, _ = draw("kinds", GRID, "--metric", "x_final", "--component", "x", "--x", "omega", "--y", "x0", "--at", "steps=4800", "--kind", "map",
                       "--title", "What it is")
    check("What it is" in words and "x_final[x] [m]" in words, f"map of a component: {words}")
    for omega, x0, *_, value in block("kinds_map_x_final_x.gp", "ok1"):
        check(abs(value - x0 * math.cos(3 * omega)) < 1e-6, f"x_final of rk4 at {omega}, {x0}: {value}")


def check_scatter():
    words, said, _ = draw("kinds", GRID, "--kind", "scatter", "--x", "x_max", "--metric", "x_final[0]", "--at", "steps=4800")
    check("symplectic_euler" in words and "rk4" in words and "x_max" in words, f"scatter: {words}")
    found = block("kinds_scatter_x_final_0_x_max.gp", "s1")
    wanted = sorted((x0, x0 * math.cos(3 * omega)) for omega in (1, 2, 3) for x0 in (0.5, 1, 2))
    check(len(found) == 9 and all(abs(a - c) < 1e-4 and abs(b - d) < 1e-4 for (a, b), (c, d) in zip(sorted(found), wanted)), f"scatter: {found}")
    words, said, _ = draw("kinds", GRID, "--kind", "scatter", "--x", "omega", "--metric", "x_max", "--family", "x0", "--at", "steps=300")
    check(words.count("x0 = 0.5") == 1 and len(block("kinds_scatter_x_max_omega.gp", "s0")) == 3, f"scatter with a family: {words}")


def check_samples():
    draw("kinds", GRID, "--kind", "bifurcation", "--x", "omega", "--at", "x0=2,steps=4800", "--metric", "poincare_x")
    found = block("kinds_bifurcation_poincare_x.gp", "s1")
    wanted = [(omega, 2 * math.cos(omega * 0.1 * k)) for omega in (1, 2, 3) for k in range(5)]
    check(len(found) == 15 and all(a == c and abs(b - d) < 1e-6 for (a, b), (c, d) in zip(found, wanted)), f"samples: {found}")


def check_orders():
    _, said, _ = draw("kinds", GRID, "--kind", "convergence", "--at", "omega=2,x0=1")
    orders = {label: float(order) for label, order in re.findall(r"^  (\w+), [^:]*: order ([\d.]+) from", said, re.M)}
    check(abs(orders.get("symplectic_euler", 0) - 1) < 0.05 and abs(orders.get("rk4", 0) - 4) < 0.05, f"orders: {said}")
    near([x for x, _ in block("kinds_convergence_error_final.gp", "s0")], [3 / n for n in (4800, 2400, 1200, 600, 300)], "steps of the convergence")
    triangle = block("kinds_convergence_error_final.gp", "m1")
    (x0, y0), _, (x1, y1), _ = triangle
    check(abs(math.log(y1 / y0) / math.log(x1 / x0) - 4) < 1e-6, f"the triangle of order 4: {triangle}")
    draw("kinds", GRID, "--kind", "work-precision", "--at", "omega=2,x0=1")
    found = block("kinds_work-precision_error_final.gp", "s1")
    near([y for _, y in found], [4.0 * n for n in (300, 600, 1200, 2400, 4800)], "evaluations of rk4")
    draw("kinds", GRID, "--kind", "convergence", "--at", "omega=3,x0=1")
    alone = block("kinds_convergence_error_final.gp", "s1")
    draw("kinds", GRID, "--kind", "convergence", "--family", "omega", "--at", "x0=1")
    check(block("kinds_convergence_error_final.gp", "s5") == alone, "the third value of a family is that at omega = 3")
    # Large steps damp the whole motion: their errors do not fall with the order.
    coarse = OSCILLATOR.replace("x_max", "error_final") + ("parameters: {omega: 5}\nmethods: [backward_euler]\nend: 3\n"
                                                           "steps: [5, 10, 20, 40, 80, 160, 8000, 16000, 32000, 64000]\n")
    _, said, _ = draw("coarse", coarse, "--kind", "convergence")
    order = re.search(r"order ([\d.]+) from", said)
    check(order and abs(float(order.group(1)) - 1) < 0.02, f"the order where errors fall steadily: {said}")


def check_phase():
    words, _, _ = draw("kinds", GRID, "--kind", "phase", "--family", "omega", "--at", "x0=2", "--format", "svg,pdf")
    check("x [m]" in words and "v_x [m/s]" in words and "symplectic_euler, omega = 1" not in words, f"phase: {words}")
    check((folder / "kinds_phase.pdf").read_bytes()[:5] == b"%PDF-", "a PDF is made")
    # The portrait of rk4 is an ellipse: x^2 + (v/omega)^2 = 4.
    for number, omega in ((3, 1), (4, 2), (5, 3)):
        found = block("kinds_phase.gp", f"s{number}")
        check(len(found) == 31 and all(abs(x * x + (v / omega) ** 2 - 4) < 1e-4 for x, v in found), f"portrait {number}: {found[:3]}")
    found = draw("kinds", GRID, "--kind", "phase", "--from", "1", "--to", "2", "--xlim", "-3,3", "--ylim", "-9,9", "--at", "x0=2")
    script = (folder / "kinds_phase.gp").read_text(encoding="utf-8")
    check("set xrange [-3:3]" in script and "set yrange [-9:9]" in script, "limits are those asked for")
    check(len(block("kinds_phase.gp", "s0")) == 11, "a portrait from 1 s to 2 s")


def check_refused():
    draw("kinds", GRID, "--kind", "curves")
    for message, options in (("--x: no axis 'omgea'; did you mean 'omega'?", ["--x", "omgea"]),
                             ("--at: no axis 'colour'", ["--at", "colour=1"]),
                             ("--family is for curves", ["--kind", "map", "--family", "omega"]),
                             ("--y is for map, work-precision, not for curves", ["--kind", "curves", "--y", "x0"]),
                             ("work-precision or phase, got 'scater'; did you mean 'scatter'?", ["--kind", "scater"]),
                             ("needs --x, a metric or an axis", ["--kind", "scatter", "--metric", "x_max"]),
                             ("no group has 'width'", ["--kind", "scatter", "--metric", "x_max", "--x", "width"]),
                             ("no metric 'x_max' with samples", ["--kind", "bifurcation", "--metric", "x_max"]),
                             ("no coordinate '3'", ["--metric", "x_final[3]"]),
                             ("--xlim takes A,B with A < B, got '2,1'", ["--xlim", "2,1"]),
                             ("--format takes png, svg and pdf, each once, with commas, got 'png,gif'", ["--format", "png,gif"]),
                             ("--xlim is not for trajectories", ["--kind", "trajectory", "--xlim", "0,1"])):
        error = pendula("plot", "kinds.h5", "--force", *options, code=2).err
        check(message in error, f"{options}: {error}")


need_program("gnuplot", "gnuplot-nox")
main(check_groups, check_failures, check_explosion, check_tics, check_families, check_scatter, check_samples, check_orders, check_phase,
     check_refused)
