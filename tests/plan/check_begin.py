# check_begin -- motions that begin at another time than 0: their values by closed forms, and what commands make of them.
from math import cos, sin

import cmath

from checking import answer, check, main, need, need_compiler, pendula, read, refused, results, run_in_shards, write

np, h5py = need("numpy", "h5py")
DEVICES = ("native", "reference")
METHODS = "[rk4, dopri5_adaptive, generalized_alpha, theta2, velocity_verlet, chung_lee]"
OMEGA, ZETA, FORCE, DRIVE = 1.0, 0.1, 0.7, 1.3


def close(what, numbers, right, bound):
    apart = np.max(np.abs(np.ravel(numbers) - np.ravel(right)))
    check(apart <= bound, f"{what}: {apart:.3g} apart, at most {bound:g}")


def driven(begin, t, x0, v0):
    """x(t) of x'' = F cos(D t) - 2 zeta omega x' - omega^2 x."""
    a = FORCE / complex(OMEGA**2 - DRIVE**2, 2 * ZETA * OMEGA * DRIVE)
    x, v = (a * cmath.exp(1j * DRIVE * begin)).real, (1j * DRIVE * a * cmath.exp(1j * DRIVE * begin)).real
    damped, past = OMEGA * (1 - ZETA**2) ** 0.5, t - begin
    c, s = x0 - x, (v0 - v + ZETA * OMEGA * (x0 - x)) / damped
    return (a * cmath.exp(1j * DRIVE * t)).real + np.exp(-ZETA * OMEGA * past) * (c * cos(damped * past) + s * sin(damped * past))


def check_values():
    """x'' = cos t by methods of all kinds, from -8 to 2; each by its order."""
    text = f"""
problem: {{coordinates: [x], acceleration: ["cos(t)"], start: [0.5], start_velocity: [0.25]}}
methods: {METHODS}
begin: -8
end: 2
step: 0.01
metrics: [x_final, v_final]
trajectory: {{samples: 3, fields: [x]}}
"""
    x = 0.5 + 0.25 * 10 - cos(2) + cos(-8) - 10 * sin(-8)
    for device in DEVICES:
        with results("cosine", text, device=device) as file:
            for label, bound in (("rk4", 1e-10), ("dopri5_adaptive", 1e-8), ("generalized_alpha", 1e-4), ("theta2", 1e-3),
                                 ("velocity_verlet", 1e-3), ("chung_lee", 1e-3)):
                close(f"x of {label} on {device}", file[label]["x_final"], x, bound)
                close(f"times of {label}", file[label]["time"], [-8, -3, 2], 0.0)
                check(file[label].attrs["begin"] == -8 and file[label].attrs["end"] == 2, f"{label} has begin and end")


def check_driven():
    """An axis of begins of a shipped problem: final states, errors against the solution made on the host, Poincare maps, windows."""
    begins = [-8, -1.25, 0, 3]
    text = f"""
problem: harmonic_oscillator
parameters: {{forcing: cosine, force: {FORCE}, force_omega: {DRIVE}, zeta: {ZETA}, x0: 0.5, v0: 0.25}}
methods: [rk4]
begin: {begins}
end: 5
step: 0.03125
metrics: [x_final, error_final, error_max, {{poincare: {{period: 2*pi/force_omega, phase: 3, samples: 1}}}}, {{extent: {{from: 4}}}}]
trajectory: {{every: 8, fields: [x]}}
"""
    right = [driven(b, 5, 0.5, 0.25) for b in begins]
    for device in DEVICES:
        with results("driven", text, device=device) as file:
            group = file["rk4"]
            close(f"x on {device}", group["x_final"], right, 1e-6)
            close(f"error_final on {device}", group["error_final"], np.abs(np.ravel(group["x_final"]) - right), 1e-11)
            close(f"the map at t = 3 on {device}", group["poincare_x"], [driven(b, 3, 0.5, 0.25) for b in begins], 1e-5)
            close(f"begins of the times on {device}", group["time"][:, 0], begins, 0.0)
            check(np.array_equal(np.ravel(group["begin"]), begins), "begin is an axis")
    refused("phase: 3 is before the motion begins at 4", "plan", "driven.yaml", "-s", "begin=4", code=4)
    pendula("conform", "driven.yaml", "-d", "native")


def check_named():
    """A parameter is the start time; of u' = t the trapezoidal rule is exact."""
    text = """
problem: {coordinates: [u], rate: ["t"], start: [0.5], parameters: {t0: [-3, 1]}}
methods: [rk4, trapezoidal]
begin: t0
steps: 100
step: 0.01
metrics: [x_final]
trajectory: {samples: 3, fields: [x]}
"""
    right = [0.5 + ((b + 1) ** 2 - b**2) / 2 for b in (-3.0, 1.0)]
    for device in DEVICES:
        with results("named", text, device=device) as file:
            for label in ("rk4", "trapezoidal"):
                close(f"{label} on {device}", file[label]["x_final"], right, 1e-12)
                close(f"times of {label} on {device}", file[label]["time"], [[-3, -2.5, -2], [1, 1.5, 2]], 0.0)


def check_zero():
    """A begin of 0 is none: the same bits."""
    text = "problem: duffing\nmethods: [rk4, generalized_alpha, dopri5_adaptive]\nstep: 0.05\nend: 5\nmetrics: [x_final, v_final]\n"
    for name, more in (("without", ""), ("zero", "begin: 0\n")):
        results(name, text + more, device="native").close()
    for label in ("rk4", "generalized_alpha", "dopri5_adaptive"):
        check(np.array_equal(read("without", f"{label}/x_final"), read("zero", f"{label}/x_final")), f"{label}: the same bits")


def check_files():
    """Shards are merged, a run is resumed, a point is replayed."""
    text = "problem: duffing\nparameters: {x0: {linear: [0, 1, 600]}}\nmethods: [generalized_alpha]\nbegin: -1.5\nsteps: 40\nend: 0.5\nmetrics: [x_final]\n"
    write("kept.yaml", text)
    run_in_shards("kept")
    check("certificates 41 of 41 hold" in answer("replay", "kept.h5", "--point", "7", "-d", "native"), "each step of a point is certified")
    refused("begin: 0.5 is not before end 0.5", "plan", "kept.yaml", "-s", "begin=0.5")
    pendula("run", "kept.yaml", "-d", "native", "-o", "kept.h5", "--resume", "--progress", "none")
    check(pendula("run", "kept.yaml", "-s", "begin=-1", "-d", "native", "-o", "kept.h5", "--resume", "--progress", "none", code=4) is not None,
          "a file of another begin is not continued")


need_compiler()
main(check_values, check_driven, check_named, check_zero, check_files, fine="motions begin when the sweep says")
