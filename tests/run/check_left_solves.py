# check_left_solves -- solves that are left, while lanes beside them go on, end with the bits and counts of points that are alone.
import json

from checking import check, compilers, folder, main, need, pendula, write

np, h5py = need("numpy", "h5py")

# Neighbours in a group of lanes differ in how many updates their solves take, and most steps are halved.
ELASTIC = """problem: elastic_pendulum_polar
parameters: {eps: {log: [1.0e-2, 1.0e-4, 96]}}
%s
step: 0.05
steps: 50
"""
COUNTS = "status, updates, failed_solves, stagnated_solves, substeps, depth_max, updates_per_step_max, jacobians, residual_evaluations"
# A well whose walls are steep: solves overshoot.
WELL = """problem:
  coordinates: [x]
  acceleration: ["-k*x^9 - c*v_x"]
  start: [a]
  parameters: {k: {log: [1, 1.0e+6, 48]}, c: 0.02, a: 1.5}
%s
step: 0.05
steps: 100
"""
CASES = {
    "budgets that end points": (ELASTIC, "methods: [generalized_alpha: {rho_inf: 0.6}]\nnewton: {mode: paper, tolerance: 1.0e-10}", COUNTS),
    "scaled residuals, floors, and derivatives by differences":
        (WELL, "methods: [implicit_midpoint, hht_alpha, newmark]\nnewton: {jacobian: central}\ntrajectory: {every: 5, fields: [x, v, updates]}",
         f"{COUNTS}, condition_max, condition_mean, condition_last"),
    "an earlier point, and a guess by extrapolation": (WELL, "methods: [bdf2, theta2: {theta: 0.5}]\nnewton: {guess: extrapolated}", COUNTS),
    "few updates more than an attempt has": (WELL, "methods: [theta1, wbz_alpha]\nnewton: {max_updates: [3, 11, 12, 50]}", COUNTS),
    "single precision": (WELL, "methods: [trapezoidal]\nprecision: single", COUNTS),
    "events": (WELL, "methods: [generalized_alpha]\nevents: [{when: \"x - 0.5\", set: {v_x: \"0.9*v_x\"}, count: kicks}]", COUNTS),
    "derivatives": (WELL, "methods: [trapezoidal]\nderivatives: [k, c]", f"{COUNTS}, x_final, v_final"),
}


def sweep(what):
    base, lines, metrics = CASES[what]
    return base % f"{lines}\nmetrics: [{metrics}]"


def run(name, text, device, lanes):
    """A run's file and its lane efficiency."""
    write("sweep.yaml", text)
    pendula("run", "sweep.yaml", "-d", device, "--lanes", lanes, "-o", name, "--force")
    return json.loads((folder / f"{name}.log").read_text().splitlines()[-1])["lane_efficiency"]


def same(what, ours, theirs):
    """Every number of two files, bit by bit."""
    compared = 0

    def compare(name, item):
        nonlocal compared
        if isinstance(item, h5py.Dataset) and item.dtype.kind in "iuf":
            mine, other = item[...], theirs[name][...]
            compared += mine.size
            check(mine.tobytes() == other.tobytes(), f"{what}: {name} differs at {np.argwhere(np.atleast_1d(mine != other))[:3].tolist()}")

    ours.visititems(compare)
    return compared


def test_bits():
    for device in ["cpu", *(["native"] if "clang" in compilers() else [])]:
        for what in CASES:
            run("alone.h5", sweep(what), device, 1)
            for lanes in (16,) if device == "cpu" else (4, 16):
                run("lanes.h5", sweep(what), device, lanes)
                with h5py.File(folder / "alone.h5") as alone, h5py.File(folder / "lanes.h5") as beside:
                    check(same(f"{device}, {lanes} lanes, {what}", alone, beside) > 400, f"{what}: few numbers")
                    longest = max((group["updates_per_step_max"][...].max() for group in alone.values()
                                   if isinstance(group, h5py.Group) and "updates_per_step_max" in group), default=0)
                    check(longest > 11, f"{what}: no step takes long, {longest} updates")


def test_lanes_work():
    """With solves that wait for each other lanes worked half of the time."""
    text = sweep("budgets that end points").replace("96", "4096")
    efficiency = run("lanes.h5", text, "cpu", 16)
    print("lane efficiency", efficiency)
    check(efficiency > 0.7, f"lanes work {efficiency} of the time")


ENDING = """problem: elastic_pendulum_cartesian
parameters: {eps: {linear: [0.01, 0.0100001, 16]}}
methods: [{theta2: {theta: 0.07}}]
step: 0.01
steps: 40000
substeps: {budget: 1}
metrics: [status, updates]
"""


def test_all_end():
    """Where the last points of a group end by their budget, nothing is tried any more."""
    efficiency = run("ended.h5", ENDING, "cpu", 16)
    with h5py.File(folder / "ended.h5") as file:
        check(np.all(file["theta2/updates"][...] >= 40000), "not all points spend their budget")
    check(efficiency > 0.95, f"lanes work {efficiency} of the time")


main(test_bits, test_lanes_work, test_all_end)
