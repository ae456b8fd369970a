#!/usr/bin/env python3
# oracle_tangents -- derivatives of final states beside those of exact motions in 30 digits.
#
# The oscillator's motion is a formula and the pendulum's elliptic functions, which mpmath derives. The elastic pendulum is
# integrated by mpmath's Taylor series with a parameter moved by i 1e-20: the imaginary part over 1e-20 is the derivative.
import sys

sys.path.insert(0, f"{sys.path[0]}/../support")
from checking import check, main, need, results  # noqa: E402

mp = need("mpmath")
need("h5py")

mp.mp.dps = 30
BOUND = 1e-13
TINY = mp.mpf("1e-20")


def written(values):
    return "{" + ", ".join(f"{name}: {value}" for name, value in values.items()) + "}"


def compare(name, system, values, motion, end, steps):
    """Derivatives of x_final and v_final by `dopri5` beside those of motion(values), a list of x and then of v at the end."""
    text = f"problem: {{{system}, parameters: {written(values)}}}\nderivatives: [{', '.join(values)}]\n"
    text += f"methods: [dopri5]\nsteps: {steps}\nend: {end}\nmetrics: [status, x_final, v_final]\n"
    with results(name, text, device=None) as file:
        group = file["dopri5"]
        check((group["status"][...] == 1).all(), f"{name}: it did not end well")
        for parameter, value in values.items():
            exact = motion({**values, parameter: mp.mpc(value, TINY)})
            found = [*group[f"x_final_d_{parameter}"][...].ravel(), *group[f"v_final_d_{parameter}"][...].ravel()]
            check(len(found) == len(exact), f"{name}: {len(found)} derivatives, not {len(exact)}")
            off = max(abs(mp.mpf(float(number)) - mp.im(state) / TINY) for number, state in zip(found, exact))
            size = max(1, max(abs(mp.im(state) / TINY) for state in exact))
            check(off <= BOUND * size, f"{name}: the derivative for {parameter} is off by {float(off):.2e}, of {float(size):.2e}")


def check_oscillator():
    """x = exp(-z w t) (x0 cos(d t) + (v0 + z w x0)/d sin(d t)) with d = w sqrt(1 - z^2)."""
    def motion(p):
        d, t = p["w"] * mp.sqrt(1 - p["z"] ** 2), mp.mpf(4)
        slope = (p["v0"] + p["z"] * p["w"] * p["x0"]) / d
        fall, c, s = mp.exp(-p["z"] * p["w"] * t), mp.cos(d * t), mp.sin(d * t)
        x = fall * (p["x0"] * c + slope * s)
        return [x, -p["z"] * p["w"] * x + fall * d * (slope * c - p["x0"] * s)]
    compare("oscillator", 'coordinates: [x], acceleration: ["-w^2*x - 2*z*w*v_x"], start: [x0], start_velocity: [v0]',
            {"w": 1.75, "z": 0.0625, "x0": 0.75, "v0": -0.5}, motion, 4, 4000)


def check_pendulum():
    """From rest at b: x = 2 asin(k sn(sqrt(g) t + K)) with k = sin(b/2), as oracle_elliptic has it."""
    def motion(p):
        g, k = mp.mpmathify(p["g"]), mp.sin(mp.mpmathify(p["b"]) / 2)
        u = mp.sqrt(g) * 4 + mp.ellipk(k**2)
        return [2 * mp.asin(k * mp.ellipfun("sn", u, m=k**2)), 2 * k * mp.sqrt(g) * mp.ellipfun("cn", u, m=k**2)]
    compare("pendulum", 'coordinates: [q], acceleration: ["-g*sin(q)"], start: [b]', {"g": 1.25, "b": 2.0}, motion, 4, 4000)


def check_elastic():
    """A mass on a spring of length 1 that swings and stretches."""
    def motion(p):
        def rate(_, u):
            x, y, v, w = u
            pull = p["k"] * (1 - 1 / mp.sqrt(x**2 + y**2))
            return [v, w, -pull * x, -pull * y - p["g"]]
        return mp.odefun(rate, 0, [mp.mpmathify(p["a"]), mp.mpmathify(-1), mp.mpf(0), mp.mpf(0)])(2)
    compare("elastic", 'coordinates: [x, y], acceleration: ["-k*(1 - 1/sqrt(x^2 + y^2))*x", "-k*(1 - 1/sqrt(x^2 + y^2))*y - g"], start: [a, -1]',
            {"k": 16, "g": 1, "a": 0.5}, motion, 2, 4000)


main(check_oscillator, check_pendulum, check_elastic, fine="derivatives are those of exact motions")
