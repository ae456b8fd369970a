# check_sample_tangents -- derivatives of a trajectory's samples: differences of runs, the final state's, the same bits everywhere.
import itertools

from checking import check, main, need, need_compiler, refused, results, write

np, h5py = need("numpy", "h5py")

SWING = """problem: {coordinates: [q], acceleration: ["-g*sin(q) - 2*z*v_q"], start: ["b^2"], start_velocity: ["b*s"],
          parameters: {g: 1.3, z: 0.1, b: 0.9, s: -0.4}}
derivatives: [g, z, b]
observe: {pull: "g*q*t + a_q^2 - z*v_q"}
step: 0.1
"""
LORENZ = """problem: {coordinates: [x, y, z], rate: ["s*(y - x)", "x*(r - z) - y", "x*y - b*z"], start: [1, "c", 2], parameters: {s: 10, r: 28, b: 2.5, c: 1.5}}
derivatives: [s, r, c]
observe: {turn: "v_x*v_y + s*z"}
step: 0.01
"""
SYSTEMS = {"swing": (SWING, ("x", "v", "pull"), {"g": 1.3, "z": 0.1, "b": 0.9}), "lorenz": (LORENZ, ("x", "turn"), {"s": 10.0, "r": 28.0, "c": 1.5})}
# Of an adaptive method the derivative is that with its substeps held: by differences it is exact where tolerances are tight.
METHODS = {"rk4": "rk4", "generalized_alpha": "generalized_alpha", "theta2": "theta2", "dopri5_adaptive": "{dopri5_adaptive: {rtol: 1.0e-13, atol: 1.0e-14}}"}
WHEN = {"times": "times: [0.013, 0.2, 0.2613, 0.7777, 0.85]", "every": "every: 3"}


def text(system, method, when, more=""):
    body, fields, values = SYSTEMS[system]
    names = [*fields, *(f"{field}_d_{by}" for field in fields for by in values)]
    newton = "" if method in ("rk4", "dopri5_adaptive") else "newton: {tolerance: 1.0e-14}\n"
    return f"{body}{newton}methods: [{METHODS[method]}]\nend: 0.9\nmetrics: [x_final]\ntrajectory: {{{WHEN[when]}, fields: [{', '.join(names)}]}}\n{more}"


def see_differences():
    """Against fourth-order differences of five runs, whose error is h^4 and rounding over h."""
    for (system, (_, fields, values)), method, when in itertools.product(SYSTEMS.items(), METHODS, WHEN):
        if (system == "lorenz" and method == "generalized_alpha") or (when == "every" and method != "rk4"):
            continue
        for by, value in values.items():
            h = 1e-3 * value
            axis = f"parameters: {{{by}: [{', '.join(repr(value + k * h) for k in (-2, -1, 0, 1, 2))}]}}\n"
            found = results(f"{system}_{method}_{when}_{by}", text(system, method, when, axis), device=None)[method]
            for field in fields:
                samples, slopes = np.array(found[field]), np.array(found[f"{field}_d_{by}"])
                due = (samples[0] - 8 * samples[1] + 8 * samples[3] - samples[4]) / (12 * h)
                off = np.max(np.abs(slopes[2] - due)) / (np.max(np.abs(due)) + np.max(np.abs(samples)) / value)
                check(samples.shape == slopes.shape and np.any(due != 0), f"{system} {method} {field} by {by}: nothing to see")
                check(off < (1e-7 if "adaptive" in method else 1e-9), f"{system} by {method}, {when}: {field} by {by} off by {off:.1e}")
            if when == "every":
                last = np.array(found["x_d_" + by])[:, -1]
                check(np.array_equal(last, np.array(found["x_final_d_" + by])), f"{system} {method}: the last sample by {by} is not the final state's")


def see_bits():
    """Devices, lanes and slices; samples of the state with and without derivatives."""
    need_compiler()
    for system, method, when in (("swing", "theta2", "times"), ("lorenz", "dopri5_adaptive", "times"), ("swing", "rk4", "every")):
        body, fields, values = SYSTEMS[system]
        by, value = next(iter(values.items()))
        axis = f"parameters: {{{by}: {{linear: [{0.9 * value!r}, {1.1 * value!r}, 37]}}}}\n"
        one = results(f"bits_{system}_{method}_{when}", text(system, method, when, axis), device=None)[method]
        two = results(f"native_{system}_{method}_{when}", text(system, method, when, axis), device="native")[method]
        plain = "".join(line + "\n" for line in text(system, method, when, axis).splitlines() if not line.startswith(("derivatives", "trajectory")))
        plain += f"trajectory: {{{WHEN[when]}, fields: [{', '.join(fields)}]}}\n"
        three = results(f"plain_{system}_{method}_{when}", plain, device=None)[method]
        for field in fields:
            names = [field, *(f"{field}_d_{by}" for by in values)]
            for name in names:
                check(np.array(one[name]).tobytes() == np.array(two[name]).tobytes(), f"{system} {method} {when}: {name} has other bits on another device")
            check(np.array(one[field]).tobytes() == np.array(three[field]).tobytes(), f"{system} {method} {when}: {field} has other bits with derivatives")


def see_reference():
    """It has the samples, and no number where it has no derivatives."""
    for when in WHEN:
        file = results(f"reference_{when}", text("swing", "rk4", when).replace("[x_final]", "[x_final, x_max]"))["rk4"]
        same = results(f"kernel_{when}", text("swing", "rk4", when), device=None)["rk4"]
        for name in same:
            if name.startswith(("x_d_", "v_d_", "pull_d_")):
                check(np.all(np.isnan(file[name])) and np.all(np.isfinite(same[name])), f"{when}: the reference has {name}")
        check(np.allclose(file["pull"], same["pull"], rtol=1e-12), f"{when}: samples of the reference")
        check(np.all(np.isnan(file["x_max_d_g"])) and np.all(np.isfinite(file["x_max"])), f"{when}: x_max of the reference")


def see_refusals():
    refused("'x_d_g' is listed twice", "plan", write("twice.yaml", text("swing", "rk4", "every").replace("[x, v", "[x_d_g, x, v")), code=4)
    refused("trajectory.fields", "plan", write("none.yaml", text("swing", "rk4", "every").replace("x_d_g", "x_d_w")), code=4)


if __name__ == "__main__":
    main(see_differences, see_bits, see_reference, see_refusals)
