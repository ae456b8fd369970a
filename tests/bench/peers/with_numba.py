# with_numba -- numba: the algorithms of W1, W2, W3 and W6 as plain loops over steps, systems shared among threads.
#
# Newton's method is that of the kernels in paper mode: central differences of width sqrt(eps) max(|u|, 1), stopped by
# the residual. The two unknowns of W2 are solved for by Cramer's rule. No fast-math: results keep their digits.
import math
import sys

import numba
import numpy as np

from protocol import serve

STENCIL = math.sqrt(np.finfo(np.float64).eps)
MOST_UPDATES = 50
RADIUS, THETA = 0.6, 0.07


@numba.njit(inline="always")
def alpha_residual(u, X, cx, A, B):
    return A * u - B + math.sin(X + cx * u)


@numba.njit(parallel=True)
def generalized_alpha(start, final, steps, h, tolerance):
    am, af = (2.0 * RADIUS - 1.0) / (RADIUS + 1.0), RADIUS / (RADIUS + 1.0)
    gamma, beta = 0.5 - am + af, 0.25 * (1.0 - am + af) ** 2
    part = 1.0 - af
    cx, A = part * beta * h * h, 1.0 - am
    for i in numba.prange(start.shape[0]):
        x, v = start[i, 1], start[i, 2]
        a = -math.sin(x)
        for _ in range(steps):
            X, B = x + part * h * (v + h * (0.5 - beta) * a), -am * a
            u = a
            f = alpha_residual(u, X, cx, A, B)
            for _ in range(MOST_UPDATES):
                s = STENCIL * max(abs(u), 1.0)
                u -= f * (2.0 * s) / (alpha_residual(u + s, X, cx, A, B) - alpha_residual(u - s, X, cx, A, B))
                f = alpha_residual(u, X, cx, A, B)
                if abs(f) <= tolerance:
                    break
            x += h * (v + h * ((0.5 - beta) * a + beta * u))
            v += h * ((1.0 - gamma) * a + gamma * u)
            a = u
        final[i, 0], final[i, 1] = x, v


@numba.njit(inline="always")
def spring(x, y, stiffness):
    r = math.sqrt(x * x + y * y)
    pull = stiffness * (r - 1.0) / r
    return 1.0 - pull * x, -pull * y


@numba.njit(inline="always")
def theta_residual(u, w, X, Y, c, Bx, By, stiffness):
    ax, ay = spring(X + c * u, Y + c * w, stiffness)
    return u - Bx - c * ax, w - By - c * ay


@numba.njit(parallel=True)
def theta2(start, final, steps, h, tolerance):
    for i in numba.prange(start.shape[0]):
        stiffness = 1.0 / (start[i, 0] * start[i, 0])
        x, y, v, w = start[i, 1], start[i, 2], start[i, 3], start[i, 4]
        x_before, y_before, v_before, w_before = x, y, v, w
        for step in range(steps):
            if step == 0:
                c, d, e = h * (0.5 + THETA / 50.0), 0.0, h * (0.5 - THETA / 50.0)
            else:
                c, d, e = h * (0.5 + THETA / 6.0), THETA / 3.0, h * 0.5 * (1.0 - THETA)
            ax, ay = spring(x, y, stiffness)
            X, Y = x + e * v + d * (x - x_before), y + e * w + d * (y - y_before)
            Bx, By = v + e * ax + d * (v - v_before), w + e * ay + d * (w - w_before)
            x_before, y_before, v_before, w_before = x, y, v, w
            f, g = theta_residual(v, w, X, Y, c, Bx, By, stiffness)
            for _ in range(MOST_UPDATES):
                s = STENCIL * max(abs(v), abs(w), 1.0)
                f1, g1 = theta_residual(v + s, w, X, Y, c, Bx, By, stiffness)
                f2, g2 = theta_residual(v - s, w, X, Y, c, Bx, By, stiffness)
                f3, g3 = theta_residual(v, w + s, X, Y, c, Bx, By, stiffness)
                f4, g4 = theta_residual(v, w - s, X, Y, c, Bx, By, stiffness)
                j11, j21, j12, j22 = f1 - f2, g1 - g2, f3 - f4, g3 - g4
                factor = 2.0 * s / (j11 * j22 - j12 * j21)
                v, w = v - factor * (j22 * f - j12 * g), w - factor * (j11 * g - j21 * f)
                f, g = theta_residual(v, w, X, Y, c, Bx, By, stiffness)
                if max(abs(f), abs(g)) <= tolerance:
                    break
            x, y = X + c * v, Y + c * w
        final[i, 0], final[i, 1], final[i, 2], final[i, 3] = x, y, v, w


@numba.njit(parallel=True)
def rk4(start, final, steps, h, tolerance):
    for i in numba.prange(start.shape[0]):
        x, v = start[i, 1], start[i, 2]
        for _ in range(steps):
            a1 = -math.sin(x)
            v2 = v + 0.5 * h * a1
            a2 = -math.sin(x + 0.5 * h * v)
            v3 = v + 0.5 * h * a2
            a3 = -math.sin(x + 0.5 * h * v2)
            v4 = v + h * a3
            a4 = -math.sin(x + h * v3)
            x += h / 6.0 * (v + 2.0 * (v2 + v3) + v4)
            v += h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4)
        final[i, 0], final[i, 1] = x, v


@numba.njit(inline="always")
def lorenz_rate(x, y, z, rho):
    return np.float32(10.0) * (y - x), x * (rho - z) - y, x * y - np.float32(8.0 / 3.0) * z


@numba.njit(parallel=True)
def lorenz(start, final, steps, h, tolerance):
    half, whole, sixth, two = np.float32(0.5 * h), np.float32(h), np.float32(h / 6.0), np.float32(2.0)
    for i in numba.prange(start.shape[0]):
        rho = np.float32(start[i, 0])
        x, y, z = np.float32(start[i, 1]), np.float32(start[i, 2]), np.float32(start[i, 3])
        for _ in range(steps):
            a1, b1, c1 = lorenz_rate(x, y, z, rho)
            a2, b2, c2 = lorenz_rate(x + half * a1, y + half * b1, z + half * c1, rho)
            a3, b3, c3 = lorenz_rate(x + half * a2, y + half * b2, z + half * c2, rho)
            a4, b4, c4 = lorenz_rate(x + whole * a3, y + whole * b3, z + whole * c3, rho)
            x += sixth * (a1 + two * (a2 + a3) + a4)
            y += sixth * (b1 + two * (b2 + b3) + b4)
            z += sixth * (c1 + two * (c2 + c3) + c4)
        final[i, 0], final[i, 1], final[i, 2] = x, y, z


def make(mode, h, setting, steps, workers, start):
    numba.set_num_threads(min(workers, numba.config.NUMBA_NUM_THREADS))
    integrate = {"W1": generalized_alpha, "W2": theta2, "W3": rk4, "W6": lorenz}[mode]
    final = np.empty((start.shape[0], start.shape[1] - 1))

    def alone():
        integrate(start, final, steps, h, setting)

    def whole():
        made = np.empty_like(final)
        integrate(start, made, steps, h, setting)
        return made

    return alone, whole


if __name__ == "__main__":
    sys.exit(serve(make))
