# with_jax -- JAX on the CPU: the algorithms of W1, W2, W3 and W6 for one system, vectorised by vmap, a device per worker.
#
# Newton's method is that of the kernels in paper mode: central differences of width sqrt(eps) max(|u|, 1), stopped by
# the residual. Under vmap its loop goes on until the last system has come to its end, and the others stand still.
import os
import sys

os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={sys.argv[6]}"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402 (reads the environment)
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

from protocol import serve  # noqa: E402

jax.config.update("jax_enable_x64", True)

STENCIL = float(np.sqrt(np.finfo(np.float64).eps))
MOST_UPDATES = 50
RADIUS, THETA = 0.6, 0.07


def newton(residual, solve, u, tolerance):
    """At least one update; residual and u are tuples, a component for each unknown."""
    def largest(values):
        return jnp.max(jnp.abs(jnp.stack(values)))

    def going(state):
        count, _, f = state
        return (count == 0) | ((count < MOST_UPDATES) & ~(largest(f) <= tolerance))

    def update(state):
        count, u, f = state
        s = STENCIL * jnp.maximum(largest(u), 1.0)
        columns = []
        for j in range(len(u)):
            ahead = residual(tuple(value + s if i == j else value for i, value in enumerate(u)))
            behind = residual(tuple(value - s if i == j else value for i, value in enumerate(u)))
            columns.append([a - b for a, b in zip(ahead, behind)])
        u = tuple(value - 2.0 * s * change for value, change in zip(u, solve(columns, f)))
        return count + 1, u, residual(u)

    return lax.while_loop(going, update, (0, u, residual(u)))[1]


def divide(columns, f):
    return (f[0] / columns[0][0],)


def cramer(columns, f):
    (j11, j21), (j12, j22) = columns
    determinant = j11 * j22 - j12 * j21
    return (j22 * f[0] - j12 * f[1]) / determinant, (j11 * f[1] - j21 * f[0]) / determinant


def generalized_alpha(row, steps, h, tolerance):
    am, af = (2.0 * RADIUS - 1.0) / (RADIUS + 1.0), RADIUS / (RADIUS + 1.0)
    gamma, beta, part = 0.5 - am + af, 0.25 * (1.0 - am + af) ** 2, 1.0 - af

    def step(_, state):
        x, v, a = state
        X = x + part * h * (v + h * (0.5 - beta) * a)
        (u,) = newton(lambda u: ((1.0 - am) * u[0] + am * a + jnp.sin(X + part * beta * h * h * u[0]),), divide, (a,),
                      tolerance)
        return x + h * (v + h * ((0.5 - beta) * a + beta * u)), v + h * ((1.0 - gamma) * a + gamma * u), u

    return jnp.stack(lax.fori_loop(0, steps, step, (row[1], row[2], -jnp.sin(row[1])))[:2])


def theta2(row, steps, h, tolerance):
    stiffness = 1.0 / (row[0] * row[0])

    def spring(x, y):
        r = jnp.sqrt(x * x + y * y)
        pull = stiffness * (r - 1.0) / r
        return 1.0 - pull * x, -pull * y

    def advance(state, before, c, d, e):
        x, y, v, w = state
        ax, ay = spring(x, y)
        X, Y = x + e * v + d * (x - before[0]), y + e * w + d * (y - before[1])
        Bx, By = v + e * ax + d * (v - before[2]), w + e * ay + d * (w - before[3])

        def residual(u):
            ax, ay = spring(X + c * u[0], Y + c * u[1])
            return u[0] - Bx - c * ax, u[1] - By - c * ay

        v, w = newton(residual, cramer, (v, w), tolerance)
        return X + c * v, Y + c * w, v, w

    def step(_, both):
        state, before = both
        return advance(state, before, h * (0.5 + THETA / 6.0), THETA / 3.0, h * 0.5 * (1.0 - THETA)), state

    first = tuple(row[1:])
    second = advance(first, first, h * (0.5 + THETA / 50.0), 0.0, h * (0.5 - THETA / 50.0))
    return jnp.stack(lax.fori_loop(1, steps, step, (second, first))[0])


def rk4(row, steps, h, tolerance):
    def step(_, state):
        x, v = state
        a1 = -jnp.sin(x)
        v2, a2 = v + 0.5 * h * a1, -jnp.sin(x + 0.5 * h * v)
        v3, a3 = v + 0.5 * h * a2, -jnp.sin(x + 0.5 * h * v2)
        v4, a4 = v + h * a3, -jnp.sin(x + h * v3)
        return x + h / 6.0 * (v + 2.0 * (v2 + v3) + v4), v + h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4)

    return jnp.stack(lax.fori_loop(0, steps, step, (row[1], row[2])))


def lorenz(row, steps, h, tolerance):
    """The classical Runge-Kutta method in single precision."""
    row, h = row.astype(jnp.float32), jnp.float32(h)
    rho = row[0]

    def rate(x, y, z):
        return 10.0 * (y - x), x * (rho - z) - y, x * y - jnp.float32(8.0 / 3.0) * z

    def along(u, k, part):
        return tuple(value + part * slope for value, slope in zip(u, k))

    def step(_, u):
        k1 = rate(*u)
        k2 = rate(*along(u, k1, 0.5 * h))
        k3 = rate(*along(u, k2, 0.5 * h))
        k4 = rate(*along(u, k3, h))
        return tuple(value + h / 6.0 * (a + 2.0 * (b + c) + d) for value, a, b, c, d in zip(u, k1, k2, k3, k4))

    return jnp.stack(lax.fori_loop(0, steps, step, (row[1], row[2], row[3])))


def make(mode, h, setting, steps, workers, start):
    integrate = {"W1": generalized_alpha, "W2": theta2, "W3": rk4, "W6": lorenz}[mode]
    together = jax.jit(jax.vmap(lambda row: integrate(row, steps, h, setting)))

    def put():
        return [jax.device_put(share, device) for share, device in zip(np.array_split(start, workers), jax.devices())]

    shares = jax.block_until_ready(put())

    def alone():
        jax.block_until_ready([together(share) for share in shares])  # calls return at once; the devices work side by side

    def whole():
        return np.concatenate([np.asarray(result) for result in [together(share) for share in put()]])

    return alone, whole


if __name__ == "__main__":
    sys.exit(serve(make))
