# check_times -- samples of a trajectory at given times: the cubic through the ends of the step that reaches a time.
#
# What they must be is computed here, from the states after all steps of a run beside it, and from closed forms.
import math

from checking import check, folder, main, need, need_compiler, pendula, refused, results, write

h5py, np = need("h5py", "numpy")

DEVICES = ("reference", "native")


def close(what, found, expected, bound):
    worst = np.max(np.abs(np.asarray(found) - np.asarray(expected)))
    check(worst <= bound, f"{what}: off by {worst:.3g}, more than {bound:.3g}")


def hermite(s, h, a, b, fa, fb):
    return (1 + 2 * s) * (1 - s) ** 2 * a + s * (1 - s) ** 2 * h * fa + s * s * (3 - 2 * s) * b - s * s * (1 - s) * h * fb


OSCILLATOR = """problem: {coordinates: [x], acceleration: ["-w^2*x"], start: [1], parameters: {w: [1, 3]}, exact: ["cos(w*t)"], energy: "v_x^2/2 + w^2*x^2/2"}
observe: {sum: "x + t*a_x"}
methods: METHODS
end: 2
metrics: [x_final]
"""
TIMES = [0, 0.1, 0.25, 0.26, 0.27, 1.2345, 1.9999, 2]


def check_between():
    """Coordinates, velocities, energies, errors and observed quantities at times, several of them in a step, of steps of two sizes."""
    for methods, names in (("[rk4, dopri5]", ("rk4", "dopri5")), ("[generalized_alpha]", ("generalized_alpha",))):
        text = OSCILLATOR.replace("METHODS", methods) + "step: [0.0625, 0.03125]\n"
        for device in DEVICES:
            at = results("times", text + f"trajectory: {{times: {TIMES}, fields: [x, v, energy, error, sum]}}\n", device=device)
            all_steps = results("steps", text + "trajectory: {every: 1, fields: [x, v]}\n", device=device)
            for name in names:
                check(list(np.ravel(at[name]["time"][:])[:len(TIMES)]) == TIMES, f"the times of {name}: {at[name]['time'][:]}")
                for i, h in enumerate((0.0625, 0.03125)):
                    for j, w in enumerate((1.0, 3.0)):
                        x, v = all_steps[name]["x"][i, j, :, 0], all_steps[name]["v"][i, j, :, 0]
                        for k, t in enumerate(TIMES):
                            n = max(math.ceil(t / h), 1)
                            s = t / h - (n - 1)
                            right = (hermite(s, h, x[n - 1], x[n], v[n - 1], v[n]), hermite(s, h, v[n - 1], v[n], -w * w * x[n - 1], -w * w * x[n]))
                            found = [at[name][field][i, j, k, 0] for field in ("x", "v")]
                            close(f"{name} on {device} at {t}", found, right, 1e-14)
                            close(f"energy of {name} on {device} at {t}", at[name]["energy"][i, j, k], (right[1] ** 2 + w * w * right[0] ** 2) / 2, 1e-14)
                            close(f"error of {name} on {device} at {t}", at[name]["error"][i, j, k], abs(right[0] - math.cos(w * t)), 1e-14)
                            close(f"sum of {name} on {device} at {t}", at[name]["sum"][i, j, k], right[0] - t * w * w * right[0], 1e-13)


def check_order():
    """With half of the step, what the cubic is off by is a sixteenth; and a closed form is met."""
    errors = []
    for step in (0.04, 0.02):
        text = OSCILLATOR.replace("METHODS", "[dopri5]") + f"step: {step}\ntrajectory: {{times: {{linear: [{step / 2}, {2 - step / 2}, {round(2 / step)}]}}, fields: [x, v]}}\n"
        group = results("order", text)["dopri5"]
        t = np.linspace(step / 2, 2 - step / 2, round(2 / step))
        errors.append(np.max(np.abs(group["x"][1, :, 0] - np.cos(3 * t))))
    check(12 < errors[0] / errors[1] < 20 and errors[1] < 1e-7, f"order 4: {errors}")
    # Steps whose end falls short of a time at the end by a rounding.
    text = OSCILLATOR.replace("METHODS", "[rk4]") + "steps: 196\ntrajectory: {times: [1, 2], fields: [x]}\n"
    for device in DEVICES:
        group = results("short", text, device=device)["rk4"]
        close(f"the end on {device}", group["x"][:, 1], group["x_final"][:], 0.0)
    text = """problem: {coordinates: [y], rate: ["-r*y"], start: [1], parameters: {r: [0.1, 2]}}
methods: [rk4]
step: 0.01
end: 10
metrics: [x_final]
trajectory: {times: {log: [1.0e-3, 10, 9]}, fields: [x]}
"""
    times = np.logspace(-3, 1, 9)
    for device in DEVICES:
        group = results("decay", text, device=device)["rk4"]
        close(f"the times on {device}", group["time"][:], times, 1e-12)
        close(f"a decay on {device}", group["x"][:, :, 0], np.exp(-np.outer([0.1, 2], times)), 1e-8)


def check_every_step():
    """A sample within each of 4096 steps."""
    text = OSCILLATOR.replace("METHODS", "[dopri5_adaptive, rk4]").replace("end: 2", "end: 4").replace("w: [1, 3]", "w: {linear: [1, 3, 40]}")
    file = results("every", text + f"step: {1 / 1024}\ntrajectory: {{times: {{linear: [{0.5 / 1024}, {4 - 0.5 / 1024}, 4096]}}, fields: [x, v]}}\n")
    t, w = np.linspace(0.5 / 1024, 4 - 0.5 / 1024, 4096), np.linspace(1, 3, 40)[:, None]
    for name in ("dopri5_adaptive", "rk4"):
        close(f"x of {name} in every step", file[name]["x"][:, :, 0], np.cos(w * t), 1e-9)
        close(f"v of {name} in every step", file[name]["v"][:, :, 0], -w * np.sin(w * t), 1e-9)


def check_substeps():
    """Steps of thousands of substeps: the same cubics, also where launches of the kernel end inside steps."""
    text = """problem: elastic_pendulum_polar
parameters: {eps: [1.0e-4, 1.1e-4, 1.0e-2]}
methods: [{generalized_alpha: {rho_inf: 0.6}, newton: {tolerance: [1.0e-9, 1.0e-6]}}]
step: 0.05
steps: 500
newton: {mode: paper, max_updates: 6}
substeps: {budget: 100}
"""
    for device in DEVICES:
        at = results("divided", text + "trajectory: {times: {linear: [0.025, 24.975, 500]}, fields: [x]}\n", device=device)["generalized_alpha"]["x"][...]
        ends = results("ends", text + "trajectory: {every: 1, fields: [x, v]}\n", device=device)["generalized_alpha"]
        x, v = ends["x"][...], ends["v"][...]
        middle = (x[:, :, :-1] + x[:, :, 1:]) / 2 + 0.05 / 8 * (v[:, :, :-1] - v[:, :, 1:])
        known = np.isfinite(middle)
        check(np.mean(known) > 0.3 and np.array_equal(known, np.isfinite(at)),
              f"{np.mean(known)} of the samples are known on {device}, {np.mean(np.isfinite(at))} are there")
        close(f"x of divided steps on {device}", at[known], middle[known], 1e-9)


def check_certificates():
    """Kernels of both precisions conform, each sample judged; replay judges them from the file."""
    for precision, methods in (("double", "[rk4, bathe]"), ("single", "[rk4]")):
        text = f"precision: {precision}\n" + OSCILLATOR.replace("METHODS", methods).replace("w: [1, 3]", "w: {linear: [1, 3, 16]}")
        text += f"step: 0.0625\ntrajectory: {{times: {TIMES}, fields: [x, v, energy, error, sum]}}\n"
        pendula("run", write(f"certified_{precision}.yaml", text), "-d", "native", "-o", f"certified_{precision}.h5", "--progress", "none")
        pendula("conform", f"certified_{precision}.yaml", "-d", "native", "--lanes", "1,8")


def check_refused():
    text = OSCILLATOR.replace("METHODS", "[rk4]")
    for times, message in (("[0.5, 2.5]", "times.yaml:7:27: trajectory.times: 2.5 lies behind the end of a run, 1.8"), ("[0.5, 0.25]", "does not come after"),
                           ("[-1, 1]", "-1 lies before the begin of a run, 0"), ("{uniform: [0, 1]}", "trajectory.times:")):
        refused(message, "plan", write("times.yaml", text + f"step: [0.45, 0.5]\ntrajectory: {{times: {times}}}\n"), code=4)
    refused("trajectory: 'times' beside 'every': give one of them", "plan", write("times.yaml", text + "step: 0.5\ntrajectory: {every: 1, times: [1]}\n"), code=4)


need_compiler()
main(check_between, check_order, check_every_step, check_substeps, check_certificates, check_refused, fine="samples at times lie on the cubics of their steps")
