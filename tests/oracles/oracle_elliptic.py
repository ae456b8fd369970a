#!/usr/bin/env python3
# oracle_elliptic -- the pendulum's exact motion and period by elliptic functions in 30 digits, against `pendula run`.
#
# Released at rest from x0 the pendulum x'' = -g sin x has, with k = sin(x0/2) and K the quarter period of sn and cn,
#
#     x = 2 asin(k sn(sqrt(g) t + K)),  x' = 2 k sqrt(g) cn(sqrt(g) t + K),  period 4 K/sqrt(g).
import math
import sys

sys.path.insert(0, f"{sys.path[0]}/../support")
from checking import check, main, need, results  # noqa: E402

mp = need("mpmath")
need("h5py")

mp.mp.dps = 30
ANGLES = (1.0, 2.0)
GRAVITIES = (1.0, 2.5)
END = 15
STEPS = (3200, 6400, 25600)  # two that show the order, one as fine as rounding allows
SAMPLES = 65
ROUNDOFF = 2.0**-53


def motion(x0, g, t):
    """x and x' at t."""
    k, rate = mp.sin(mp.mpf(x0) / 2), mp.sqrt(mp.mpf(g))
    u = rate * t + mp.ellipk(k**2)
    return 2 * mp.asin(k * mp.ellipfun("sn", u, m=k**2)), 2 * k * rate * mp.ellipfun("cn", u, m=k**2)


def period(x0, g):
    return 4 * mp.ellipk(mp.sin(mp.mpf(x0) / 2) ** 2) / mp.sqrt(mp.mpf(g))


def check_formulas():
    """The motion here starts at rest, obeys the equation (differences in 30 digits) and returns after the period."""
    for x0 in ANGLES:
        for g in GRAVITIES:
            bend = mp.diff(lambda t: motion(x0, g, t)[0], mp.mpf("1.7"), 2)
            x, v = motion(x0, g, mp.mpf("1.7"))
            errors = [motion(x0, g, 0)[0] - x0, motion(x0, g, 0)[1], bend + g * mp.sin(x),
                      mp.diff(lambda t: motion(x0, g, t)[0], mp.mpf("1.7")) - v, motion(x0, g, period(x0, g))[0] - x0]
            check(max(abs(error) for error in errors) < mp.mpf("1e-12"),
                  f"x0 {x0}, g {g}: elliptic functions solve the equation to {float(max(map(abs, errors))):.0e}")


def errors_of(found, step, i, j):
    """The largest error of x and of v/sqrt(g) over the samples of one trajectory."""
    worst = mp.mpf(0)
    for sample in range(SAMPLES):
        x, v = motion(ANGLES[j], GRAVITIES[i], mp.mpf(END) * sample / (SAMPLES - 1))
        worst = max(worst, abs(mp.mpf(float(found["x"][step, i, j, sample, 0])) - x),
                    abs(mp.mpf(float(found["v"][step, i, j, sample, 0])) - v) / mp.sqrt(GRAVITIES[i]))
    return float(worst)


def check_motion(found):
    """Order 4, and at the finest step what is left of it and of rounding.

    An error e_n made by rounding in step n, at most 4 units of x, turns x by no more than e_n (1 + omega t/2) later on:
    the period depends on the energy. Adding them up, 25600 steps of random signs, a few times sqrt(steps) remains.
    """
    for i, g in enumerate(GRAVITIES):
        for j, x0 in enumerate(ANGLES):
            coarse, middle, fine = (errors_of(found, step, i, j) for step in range(len(STEPS)))
            order = math.log2(coarse / middle)
            check(abs(order - 4) < 0.1, f"x0 {x0}, g {g}: rk4 at {STEPS[1]} steps is off by {middle:.1e}, order {order:.3f}")
            rounding = 4 * ROUNDOFF * x0 * 4 * math.sqrt(STEPS[2]) * (1 + math.sqrt(g) * END / 2)
            bound = 1.2 * middle * (STEPS[1] / STEPS[2]) ** 4 + rounding
            check(fine <= bound, f"x0 {x0}, g {g}: rk4 at {STEPS[2]} steps is off by {fine:.1e}, bound {bound:.1e}")


def check_period(found):
    """What the kernel's period() gave follows from period_error = period/period() - 1.

    It is 16 roundings or so of numbers near 1 and of the angle's cosine, whose part in the period grows as tan(x0/2) x0/2.
    A crossing is found on a straight line, where x is v (s - g s^3/6) with v = 2 k sqrt(g): that moves it by at most
    max b (h - b) (h - 2 b) g/6 = g h^3/62, and an error of x by this error over v. The period is between two of them.
    """
    for i, g in enumerate(GRAVITIES):
        for j, x0 in enumerate(ANGLES):
            exact, h = period(x0, g), END / STEPS[2]
            measured, error = (float(found[name][2, i, j]) for name in ("period", "period_error"))
            kernel = mp.mpf(measured) / (1 + mp.mpf(error))
            off = float(abs(kernel / exact - 1))
            bound = 16 * ROUNDOFF * (1 + 0.5 * x0 * math.tan(0.5 * x0))
            check(off <= bound, f"x0 {x0}, g {g}: period() is off by {off:.1e}, bound {bound:.1e}")
            off = float(abs(measured / exact - 1))
            speed = 2 * math.sin(0.5 * x0) * math.sqrt(g)
            bound = 2 * (g * h**3 / 62 + errors_of(found, 2, i, j) / speed) / float(exact)
            check(off <= bound, f"x0 {x0}, g {g}: the metric period is off by {off:.1e}, bound {bound:.1e}")


def check_runs():
    text = (f"problem: pendulum\nparameters: {{g: {list(GRAVITIES)}, x0: {list(ANGLES)}}}\nmethods: [rk4]\nend: {END}\n"
            f"steps: {list(STEPS)}\nmetrics: [status, period, period_error]\n"
            f"trajectory: {{samples: {SAMPLES}, fields: [x, v]}}\n")
    with results("sweep", text, device=None) as file:
        found = {name: file["rk4"][name][...] for name in file["rk4"]}
    check((found["status"] == 1).all(), "a point did not end well")
    check(found["x"].shape == (len(STEPS), len(GRAVITIES), len(ANGLES), SAMPLES, 1), f"shape {found['x'].shape}")
    check_motion(found)
    check_period(found)


main(check_formulas, check_runs, fine="kernels have the exact motion")
