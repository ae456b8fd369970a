# check_manufactured -- `pendula check --manufactured` measures the orders of methods, and finds what spoils them.
#
# The orders are those of the methods' papers: 1, 2 and 4. A kink in the force leaves an explicit method of order 4 no more than
# about 2 on the sweep's own motion. A force in the sweep makes a motion the solution, which `run` then follows.
import json

from checking import answer, check, ended, main, need, need_compiler, refused, results, write

_, np = need("h5py", "numpy")

SMOOTH = """
problem:
  coordinates: [x, y]
  define: {r: "1 + x^2"}
  acceleration: ["-w^2*sin(x) - 0.1*v_x*r + 0.3*cos(1.3*t)*y", "-y - y^3 + x*v_y*0.1"]
  start: [1, 0.3]
  parameters: {w: 1.5}
methods: [backward_euler, theta2, yoshida4, rk4, dopri5_adaptive]
step: 0.05
end: 3
"""
FIRST = """
problem:
  coordinates: [v, w]
  rate: ["v - v^3/3 - w + current", "0.08*(v + 0.7 - 0.8*w)"]
  start: [-1, -0.5]
  parameters: {current: [0.5, 1]}
methods: [rk4, trapezoidal]
step: 0.1
end: 20
"""
KINKED = """
tables: {pull: {samples: [[-3, -9], [-0.5, -0.6], [0.2, 0.1], [0.7, 0.9], [3, 8]], outside: hold}}
problem:
  coordinates: [x]
  acceleration: ["-pull(x)"]
  start: [1]
methods: [rk2, rk4]
step: 0.02
end: 10
"""


# The same of the time: it is a part of the force that makes x* the solution, and falls out there.
SHAKEN = """
tables: {ag: {samples: [[0, 0], [0.33, 3], [0.71, -2.5], [1.13, 1], [2, 0]], outside: hold}}
problem:
  coordinates: [u]
  acceleration: ["-9*u - 0.2*v_u - ag(t)"]
  start: [0.1]
methods: [rk4]
step: 0.02
end: 2
"""


def orders(name, text, *words, code=0):
    done = ended("check", write(f"{name}.yaml", text), "--manufactured", "--json", "-d", "native", *words)
    check(done.code == code, f"{name}: exit {done.code}: {done.out}{done.err}")
    return {row["group"]: row for row in json.loads(done.out)}, done


def held(name, rows, expected):
    for method, order in expected.items():
        row = rows[method]
        check(row["finding"] == "held" and row["card"] == order and order - 0.25 <= row["order"] < order + 0.5 and row["own"] >= order - 0.25,
              f"{name}: {method}: {row}")


def check_smooth():
    rows, _ = orders("smooth", SMOOTH)
    # yoshida4 has order 3 where a force depends on the velocity.
    held("smooth", rows, {"backward_euler": 1, "theta2": 2, "yoshida4": 3, "rk4": 4})
    check(rows["dopri5_adaptive"]["finding"] == "adaptive" and rows["dopri5_adaptive"]["order"] is None, f"adaptive: {rows}")
    # sofa_newmark has order 1 where a force depends on the time, as that of the solution does.
    rows, _ = orders("driven", "problem: {coordinates: [x], acceleration: [-sin(x)], start: [1]}\nmethods: [sofa_newmark]\nstep: 0.02\nend: 3\n")
    held("driven", rows, {"sofa_newmark": 1})
    rows, _ = orders("first", FIRST)
    held("first", rows, {"rk4": 4, "trapezoidal": 2})
    # Derivatives and metrics of the sweep are its own: orders are of its motion alone.
    rows, _ = orders("derived", FIRST + "derivatives: [current]\nmetrics: [{maximum: {of: v}}]\n")
    held("derived", rows, {"rk4": 4, "trapezoidal": 2})


def check_resting():
    """A coordinate at rest has no range of its own: it moves as far as the others, or by half of its value."""
    text = """
problem:
  coordinates: [x, y, z]
  acceleration: ["-x + 0.1*y", "-y*(1 + x^2)", "-4*(z - 2)*(1 + y)"]
  start: [%s, 0, 2]
methods: [rk4]
step: 0.1
end: 6
"""
    for start in (1, 0):
        rows, _ = orders("resting", text % start)
        check(rows["rk4"]["finding"] == "held" and 3.75 < rows["rk4"]["order"] < 4.5 and rows["rk4"]["error"] < 1e-3, f"resting from {start}: {rows}")


def check_sizes():
    """Errors are relative to the motion. Where they are rounding at the sweep's step, coarser ones have the order; or none has one."""
    text = "problem: {coordinates: [x], acceleration: [-x - 0.1*v_x], start: [1.0e+6]}\nmethods: [rk4]\nstep: %g\nend: 4\n"
    rows, _ = orders("large", text % 0.1)
    held("large", rows, {"rk4": 4})
    check(rows["rk4"]["error"] < 1e-3, f"large: {rows}")
    rows, _ = orders("short", text % 0.004)
    held("short", rows, {"rk4": 4})
    rows, _ = orders("least", text % 0.0001)
    check(rows["rk4"]["finding"] == "rounding", f"least: {rows}")


def check_kink():
    rows, done = orders("kinked", KINKED, code=4)
    check(rows["rk2"]["finding"] == "held" and rows["rk4"]["finding"] == "low" and 1.5 < rows["rk4"]["own"] < 3, f"kinked: {rows}")
    check("1 of 2 methods without the order of its card" in done.err, done.err)
    rows, _ = orders("shaken", SHAKEN, code=4)
    check(rows["rk4"]["order"] > 3.75 and 1.5 < rows["rk4"]["own"] < 3, f"shaken: {rows}")
    text = ended("check", "kinked.yaml", "--manufactured", "-d", "native").out.splitlines()
    check([" spoiled: a formula" in line for line in text] == [False, False, True], f"kinked: {text}")


def check_motion():
    """x* = 1 + sin(a t)/2 solves the system, and so do its start and its velocity there."""
    text = """
problem:
  coordinates: [x]
  acceleration: ["-sin(x) - 0.1*v_x*x + if(x > 1, t, a)"]
  manufactured: ["1 + 0.5*sin(a*t)"]
  parameters: {a: [1, 1.5]}
methods: [rk4]
steps: 200
end: 2
metrics: [error_max, x_final, v_final]
"""
    with results("motion", text, device="native") as file:
        group, a = file["rk4"], np.array([1, 1.5])
        check(np.allclose(group["x_final"][:, 0], 1 + 0.5 * np.sin(2 * a), rtol=0, atol=1e-7), f"x_final {group['x_final'][...]}")
        check(np.allclose(group["v_final"][:, 0], 0.5 * a * np.cos(2 * a), rtol=0, atol=1e-7), f"v_final {group['v_final'][...]}")
        check(np.all(group["error_max"][...] < 1e-7), f"error_max {group['error_max'][...]}")
    # The errors are those from the formula, not from a solution that the host computes.
    check("static void exact(" in answer("show", "motion.yaml"), "show: no exact solution")


def check_matrices():
    """An increment's force on the masses has the residual too: without it the error stays, and energy comes from nowhere."""
    text = """
problem:
  coordinates: [a, b]
  mass: [1, 2]
  stiffness: [[2, -1], [-1, 1]]
  manufactured: ["1 + 0.5*sin(t)", "cos(1.5*t)"]
methods: [incremental_newmark, generalized_alpha]
steps: [100, 200]
end: 2
metrics: [error_max, energy_residual]
"""
    with results("matrices", text, device="native") as file:
        for name in ("incremental_newmark", "generalized_alpha"):
            coarse, fine = file[name]["error_max"][...]
            check(coarse < 1e-2 and 1.8 < np.log2(coarse / fine) < 2.2, f"{name}: {coarse}, {fine}")
            coarse, fine = np.abs(file[name]["energy_residual"][...])
            check(coarse < 1e-2 and 1.8 < np.log2(coarse / fine) < 2.2, f"{name}: energy {coarse}, {fine}")


def check_refusals():
    write("named.yaml", "problem: pendulum\nmethods: [rk4]\nstep: 0.1\nend: 1\n")
    refused("named.yaml:1:10: --manufactured: 'pendulum' is no system of formulas", "check", "named.yaml", "--manufactured", code=4)
    write("given.yaml", SMOOTH.replace("start: [1, 0.3]", "manufactured: [sin(t), cos(t)]"))
    refused("given.yaml:6:17: --manufactured chooses the solution itself: leave the key out", "check", "given.yaml", "--manufactured", code=4)
    write("later.yaml", SMOOTH + "begin: 1\n")
    refused("later.yaml:11:8: --manufactured: its solution begins at t = 0, leave `begin` out", "check", "later.yaml", "--manufactured", code=4)
    refused("give --manufactured too", "check", "named.yaml", "-s", "end=2", code=2)
    refused("give -d once", "check", "named.yaml", "--manufactured", "-d", "0", "-d", "1", code=2)


need_compiler()
main(check_smooth, check_resting, check_sizes, check_kink, check_motion, check_matrices, check_refusals)
