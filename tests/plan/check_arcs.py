# check_arcs -- what looks between the ends of steps of an adaptive method sees its substeps: closed forms in one long step.
#
# A step of a method that has no substeps would be off by its fourth power. What the samples must be is computed here.
import math

from checking import check, folder, main, need, need_compiler, pendula, results, write

h5py, np = need("h5py", "numpy")

DEVICES = ("reference", "native")
T = np.linspace(0, 10, 51)


def close(what, found, expected, bound):
    worst = np.max(np.abs(np.asarray(found) - np.asarray(expected)))
    check(worst <= bound, f"{what}: off by {worst:.3g}, more than {bound:.3g}")


# The methods, each with its own tolerances, and what the samples may be off by over the tolerance.
METHODS = (("dopri5_adaptive", (1e-4, 1e-7), 8), ("rodas5p", (1e-4, 1e-7), 3), ("esdirk4_adaptive", (1e-4, 1e-7), 200),
           ("tr_bdf2_adaptive", (1e-3, 1e-5), 1000))

OSCILLATOR = """problem: {coordinates: [x], acceleration: ["-w^2*x"], start: [1], parameters: {w: [1, 3]}, energy: "v_x^2/2 + w^2*x^2/2"}
compare: {samples: SAMPLES, of: x}
methods: [{METHOD: {rtol: [RTOLS], atol: 1.0e-10}}]
newton: {jacobian: analytic}
substeps: {budget: 1000000}
end: 10
step: 10
"""


def oscillator(method, rtols, samples="[[1, 0], [9, 0]]"):
    return (OSCILLATOR.replace("METHOD", method).replace("RTOLS", ", ".join(map(repr, rtols))).replace("SAMPLES", samples))


def check_samples():
    """An oscillator and its energy at 51 times, all of them in one step."""
    for method, rtols, factor in METHODS:
        text = oscillator(method, rtols) + f"metrics: [x_final, substeps]\ntrajectory: {{times: {{linear: [0, 10, 51]}}, fields: [x, v, energy]}}\n"
        for device in DEVICES:
            group = results("samples", text, device=device)[method]
            way = "cubic Hermite" if method in ("esdirk4_adaptive", "tr_bdf2_adaptive") else "dense output"
            check(way in str(group.attrs["trajectory.between"]), f"trajectory.between of {method}: {group.attrs['trajectory.between']}")
            for i, w in enumerate((1, 3)):
                for j, rtol in enumerate(rtols):
                    what = f"of {method} on {device} at w = {w}, rtol = {rtol}"
                    check(group["substeps"][i, j] > 10, f"substeps {what}: {group['substeps'][i, j]}")
                    close("x " + what, group["x"][i, j, :, 0], np.cos(w * T), factor * rtol)
                    close("v " + what, group["v"][i, j, :, 0], -w * np.sin(w * T), w * factor * rtol)
                    close("energy " + what, group["energy"][i, j], w * w / 2, w * w * factor * rtol)


def check_same_trajectory():
    """Samples change nothing of the motion: the same bits at the end, and the same substeps."""
    for method, rtols, _ in METHODS:
        text = oscillator(method, rtols) + "metrics: [x_final, substeps, evaluations]\n"
        apart = results("apart", text)[method]
        seen = results("seen", text + "trajectory: {times: {linear: [0, 10, 51]}, fields: [x]}\n")[method]
        for name in ("x_final", "substeps", "evaluations"):
            check(np.array_equal(apart[name][...], seen[name][...]), f"{name} of {method} with samples and without")


def check_first_order():
    """A system of first order, stiff: y' = -1000 (y - cos t) - sin t, y = cos t, and a decay."""
    for method, rtol, factor in (("rodas5p", 1e-6, 10), ("esdirk4_adaptive", 1e-6, 500), ("tr_bdf2_adaptive", 1e-5, 500)):
        text = f"""problem: {{coordinates: [y, z], rate: ["-1000*(y - cos(t)) - sin(t)", "-z"], start: [1, 1]}}
methods: [{{{method}: {{rtol: {rtol!r}, atol: 1.0e-10}}}}]
newton: {{jacobian: analytic}}
substeps: {{budget: 1000000}}
end: 10
step: 10
metrics: [x_final]
trajectory: {{times: {{linear: [0, 10, 51]}}, fields: [x]}}
"""
        for device in DEVICES:
            x = results("stiff", text, device=device)[method]["x"]
            close(f"y of {method} on {device}", x[:, 0], np.cos(T), factor * rtol)
            close(f"z of {method} on {device}", x[:, 1], np.exp(-T), factor * rtol)


def check_metrics():
    """Misfits, states once a period and crossings, several of them in one step."""
    data = [(t, math.cos(t)) for t in (0.3, 0.31, 1.7, 4.4, 9.9, 10.0)]
    for method, rtols, factor in METHODS:
        text = oscillator(method, rtols, str([list(datum) for datum in data]))
        text += "metrics: [misfit_rms, misfit_max, {section: {of: x, direction: down, samples: 8}}, {section: {of: x, to: 7, label: early}}, {poincare: {period: 10, phase: 1.25, samples: 3}}]\n"
        for device in DEVICES:
            group = results("metrics", text, device=device)[method]
            for j, rtol in enumerate(rtols):
                what, bound = f"of {method} on {device} at rtol = {rtol}", factor * rtol
                close("misfit_max " + what, group["misfit_max"][0, j], 0, bound)
                off = [math.cos(3 * t) - y for t, y in data]
                close("misfit_rms " + what, group["misfit_rms"][1, j], math.sqrt(np.mean(np.square(off))), bound)
                for i, w in enumerate((1, 3)):
                    right = (np.pi / 2 + 2 * np.pi * np.arange(8)) / w
                    right = right[right < 10]
                    check(group["section_count"][i, j] == len(right), f"crossings {what}: {group['section_count'][i, j]}")
                    close("section_t " + what, group["section_t"][i, j, :len(right)], right, bound)
                    close("section_x " + what, group["section_x"][i, j, :len(right), 0], 0, 1e-12)
                    close("section_v " + what, group["section_v"][i, j, :len(right), 0], -w, w * bound)
                    check(group["early_section_count"][i, j] == sum((np.pi * (1.5 + 2 * np.arange(8))) / w < 7), f"crossings upwards before 7 {what}")
                    check(group["poincare_count"][i, j] == 1, f"samples once a period {what}")
                    close("poincare_x " + what, group["poincare_x"][i, j, 0, 0], math.cos(1.25 * w), bound)
                    close("poincare_v " + what, group["poincare_v"][i, j, 0, 0], -w * math.sin(1.25 * w), w * bound)


DUFFING = """problem: duffing
parameters: {force: {linear: [0.1, 0.3, 9]}, force_omega: 1.2}
methods: [METHODS]
step: [0.5, 10]
end: 20
substeps: {budget: 1000}
compare: {samples: [[0.1, 1], [0.2, 2], [5, 0], [20, 1]], of: x0}
metrics:
  - {poincare: {period: 10, phase: 0.3, samples: 2}}
  - {section: {of: x0, level: 0.8, direction: both, from: 5, samples: 6}}
  - {section: {of: energy, level: -0.1, to: 15, samples: 20, label: of_energy}}
  - lyapunov
  - oscillation
  - misfit_rms
trajectory: {times: {linear: [0.1, 20, 40]}, fields: [x, v, energy, updates]}
"""


def check_certificates():
    """Kernels conform at two lane counts, samples and metrics judged by the kernel's own substeps, and in single precision."""
    pendula("conform", write("certified.yaml", DUFFING.replace("METHODS", "dopri5_adaptive, esdirk4_adaptive")), "-d", "native", "--lanes", "1,8")
    pendula("conform", write("single.yaml", "precision: single\n" + DUFFING.replace("METHODS", "rodas5p")), "-d", "native", "--lanes", "1,16")


def check_lanes():
    """The same numbers, bit by bit, of one lane and of 16, whose substeps are not the same."""
    text = DUFFING.replace("METHODS", "dopri5_adaptive: {rtol: 1.0e-11}").replace("[dopri5", "[{dopri5").replace("11}]", "11}}]")
    one, many = (results(f"lanes_{lanes}", text, "--lanes", lanes, device="native")["dopri5_adaptive"] for lanes in ("1", "16"))
    for name in ("x", "v", "energy", "section_x", "section_t", "poincare_x", "misfit_rms"):
        check(np.array_equal(one[name][...], many[name][...], equal_nan=True), f"{name} at 1 lane and at 16")


need_compiler()
main(check_samples, check_same_trajectory, check_first_order, check_metrics, check_certificates, check_lanes, fine="samples within steps lie on the substeps")
