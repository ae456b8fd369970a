# stiff_numba -- numba: Steinebach's Rodas5P as a plain loop over points, the algorithm of rodas5p.
#
# The method wants exact derivatives: those of the right side by complex steps (Squire and Trapp 1998). The error and its control are those
# of the kernels: a component may be off by atol times the largest that it has been, and rtol times its size. No fast-math.
import re
import subprocess

import numba
import numpy as np

STAGES = 8
TINY = 1e-100
LOST = 511.0 / 512.0  # of the largest that a component has been, in a step


def read_tables(pendula):
    """a, c, gamma, times and weights of the derivative in time, as `show` prints the card."""
    text = subprocess.run([pendula, "show", "rodas5p"], capture_output=True, text=True, check=True).stdout
    numbers = {name: float(value) for name, value in re.findall(r"^\s*(\w+) = (-?[0-9.]+)$", text, re.M)}
    a, c = np.zeros((STAGES, STAGES)), np.zeros((STAGES, STAGES))
    for name, value in numbers.items():
        if match := re.fullmatch(r"([ac])_(\d)(\d)", name):
            (a if match[1] == "a" else c)[int(match[2]) - 1, int(match[3]) - 1] = value
    a[1, 0] = 3.0
    a[6, :5], a[6, 5] = a[5, :5], 1.0
    a[7, :6], a[7, 6] = a[6, :6], 1.0
    nodes = np.array([0.0] + [numbers[f"n_{i}"] for i in range(2, 6)] + [1.0] * 3)
    rates = np.array([numbers["gamma"]] + [numbers[f"d_{i}"] for i in range(2, 6)] + [0.0] * 3)
    return a, c, numbers["gamma"], nodes, rates


@numba.njit
def factor(A, pivots):
    """LU with row pivoting, in place."""
    n = A.shape[0]
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        pivots[k] = best
        if best != k:
            for j in range(n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        over = 1.0 / A[k, k]
        for i in range(k + 1, n):
            A[i, k] *= over
            for j in range(k + 1, n):
                A[i, j] -= A[i, k] * A[k, j]


@numba.njit
def substitute(A, pivots, b):
    n = A.shape[0]
    for k in range(n):
        b[k], b[pivots[k]] = b[pivots[k]], b[k]
    for k in range(n):
        for i in range(k + 1, n):
            b[i] -= A[i, k] * b[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            b[k] -= A[k, j] * b[j]
        b[k] /= A[k, k]


def make(system, pendula):
    """A function of parameters [points][..], rtol and final [points][unknowns], which it fills. Returns steps and rejected trials."""
    space = {}
    exec(system.python(), space)
    rate, start, end, atol = numba.njit(space["rate"]), np.array(system.begin(), float), system.end, system.atol
    a, c, gamma, nodes, rates = read_tables(pendula)
    n = len(start)

    @numba.njit
    def integrate(parameters, rtol, final):
        A, k, pivots = np.empty((n, n)), np.empty((STAGES, n)), np.empty(n, np.int64)
        f, moved, g, slope = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
        complex_y, complex_f = np.empty(n, np.complex128), np.empty(n, np.complex128)
        taken, rejected = 0, 0
        for point in range(parameters.shape[0]):
            p, y, largest = parameters[point], start.copy(), np.zeros(n)
            t, h = 0.0, end
            while t < end:
                last = h >= end - t
                h = end - t if last else h
                rate(t, y, p, f)
                for j in range(n):
                    complex_y[:] = y
                    complex_y[j] += TINY * 1j
                    rate(complex(t), complex_y, p, complex_f)
                    for i in range(n):
                        A[i, j] = -complex_f[i].imag / TINY
                    A[j, j] += 1.0 / (gamma * h)
                complex_y[:] = y
                rate(complex(t, TINY), complex_y, p, complex_f)
                for i in range(n):
                    slope[i] = complex_f[i].imag / TINY
                factor(A, pivots)
                for s in range(STAGES):
                    for i in range(n):
                        place = y[i]
                        for j in range(s):
                            place += a[s, j] * k[j, i]
                        moved[i] = place
                    rate(t + nodes[s] * h, moved, p, g)
                    for i in range(n):
                        known = g[i] + h * rates[s] * slope[i]
                        for j in range(s):
                            known += c[s, j] / h * k[j, i]
                        k[s, i] = known
                    substitute(A, pivots, k[s])
                error = 0.0
                for i in range(n):
                    size = max(abs(y[i]), LOST * largest[i] if largest[i] > 0.0 else abs(h * f[i]))
                    size = size if size > 0.0 else 1.0
                    new = moved[i] + k[7, i]
                    share = abs(k[7, i]) / (atol * size + rtol * max(abs(y[i]), abs(new)))
                    error = error if share <= error or error != error else share  # NaN stays
                factor_of_h = min(max(0.9 * max(error, 1e-10) ** -0.2, 0.2), 5.0) if error == error else 0.2
                if error <= 1.0:
                    for i in range(n):
                        largest[i] = max(abs(y[i]), LOST * largest[i] if largest[i] > 0.0 else abs(h * f[i]))
                        y[i] = moved[i] + k[7, i]
                    t = end if last else t + h
                    taken += 1
                    h *= factor_of_h
                else:
                    rejected += 1
                    h *= min(factor_of_h, 1.0)
            final[point] = y
        return taken, rejected

    return integrate
