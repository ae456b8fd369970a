# check_replay_tangents -- `pendula replay` of sweeps with derivatives: both sides carry them, step by step, and what parts is named.
import re

from checking import check, csv_rows, main, need, need_compiler, pendula, results

need("numpy", "h5py")

SPRING = """problem: {coordinates: [x, y], start: [0.6, "-s"], start_velocity: [0.2, 0.1], parameters: {k: 9, g: [0.8, 0.9], c: 0.05, s: 0.9},
          acceleration: ["-k*(1 - 1/sqrt(x^2 + y^2))*x - c*v_x*v_y", "-k*(1 - 1/sqrt(x^2 + y^2))*y - g - c*v_y"]}
derivatives: [k, s, v_x]
methods: [rk4, theta2, bdf2, generalized_alpha]
step: 0.1
end: 2
metrics: [x_final, v_final, maximum, period]
"""
LORENZ = """problem: {coordinates: [x, y, z], rate: ["s*(y - x)", "x*(r - z) - y", "x*y - b*z"], start: [1, "c", 2], parameters: {s: [10, 11], r: 28, b: 2.5, c: 1.5}}
derivatives: [r, c, z]
methods: [rk4, tr_bdf2]
step: 0.02
end: 0.4
metrics: [x_final, maximum]
"""
# A solve that needs more updates than it may make is halved.
HALVED = """problem: {coordinates: [q], acceleration: ["-g*sin(q) - 2*z*v_q + f*cos(w*t)"], start: [0.9], parameters: {g: 1.3, z: 0.1, f: [7, 6], w: 1.7}}
derivatives: [f, q]
methods: [theta2, bdf2]
step: 0.3
end: 6
newton: {max_updates: 2, tolerance: 1.0e-13}
metrics: [x_final, substeps]
"""


def check_sweep(name, text, most):
    """Each method's replay has the file's results; states and derivatives of both sides are ulps apart, and a derivative is among what parts
    first."""
    file, named = results(name, text, device="native"), []
    methods = re.search(r"methods: \[(.*)\]", text)[1].split(", ")
    check(all(method in file for method in methods), f"{name}: {list(file)}")
    for method in methods:
        words = ("replay", f"{name}.h5", "--group", method, "--point", "1", "-d", "native")
        said = pendula(*words).out
        check(re.search(r"kernel +ok on .*; all \d+ results have the file's bits", said), f"{method}: the kernel has other results: {said}")
        check(re.search(r"(\d+) of \1 hold", said), f"{method}: not all certificates hold: {said}")
        named += re.findall(r"([xv]_d_\w+)\[\d\] differs by", said)
        rows = [row for row in csv_rows(*words, "--trace") if row["ulps"]]
        ulps = [float(row["ulps"]) for row in rows]
        check(len(ulps) > 20 and max(ulps) <= most, f"{method}: {len(ulps)} substeps, up to {max(ulps)} ulps apart")
        check(ulps[0] <= 1, f"{method}: the beginnings are {ulps[0]} ulps apart")
    return named


def check_spring():
    named = check_sweep("spring", SPRING, 2e3)
    check(len(named) > 0, "no derivative is named, though they have more roundings than the state")


def check_lorenz():
    check_sweep("lorenz", LORENZ, 2e3)


def check_halved():
    check_sweep("halved", HALVED, 2e4)


if __name__ == "__main__":
    need_compiler()
    main(check_spring, check_lorenz, check_halved)
