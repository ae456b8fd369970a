# check_rosenbrock -- rodas5p: order conditions of the numbers on its card, and an oracle in the form with alpha and gamma.
import re
from math import cos, prod, sin

from checking import check, main, need, need_compiler, pendula, results
from controller import Component, substeps

np = need("numpy")

STAGES = 8


def read_card():
    """a, c, gamma and the times of the transformed method, from the lines that `show` prints."""
    text = pendula("show", "rodas5p").out
    numbers = {name: float(value) for name, value in re.findall(r"^\s*(\w+) = (-?[0-9.]+)$", text, re.M)}
    a, c = np.zeros((STAGES, STAGES)), np.zeros((STAGES, STAGES))
    for name, value in numbers.items():
        if match := re.fullmatch(r"([ac])_(\d)(\d)", name):
            (a if match[1] == "a" else c)[int(match[2]) - 1, int(match[3]) - 1] = value
    a[1, 0] = 3
    a[6, :5], a[6, 5] = a[5, :5], 1
    a[7, :6], a[7, 6] = a[6, :6], 1
    gamma = numbers["gamma"]
    return a, c, gamma, [0] + [numbers[f"n_{i}"] for i in range(2, 6)] + [1] * 3, [gamma] + [numbers[f"d_{i}"] for i in range(2, 6)] + [0] * 3


def read_method():
    """alpha, gamma and the weights of both orders, as in Hairer and Wanner 1996, eq. IV.7.4."""
    a, c, gamma, nodes, rates = read_card()
    slopes = np.linalg.inv(np.eye(STAGES) / gamma - c)
    alpha = a @ slopes
    last = np.eye(STAGES)[-1]
    return alpha, slopes, (a[-1] + last) @ slopes, a[-1] @ slopes, nodes, rates


def trees(order):
    """Rooted trees, each the tuple of its branches."""
    def forests(count, most):
        if count == 0:
            yield ()
        for first in range(min(count, most), 0, -1):
            for tree in trees(first):
                for rest in forests(count - first, first):
                    yield tuple(sorted((tree, *rest), key=repr))
    return sorted(set(forests(order - 1, order - 1)), key=repr)


def size(tree):
    return 1 + sum(size(branch) for branch in tree)


def density(tree):
    return size(tree) * prod(density(branch) for branch in tree)


def test_order():
    """A tree's one branch is weighed by beta = alpha + gamma, several by alpha (theorem IV.7.4 there)."""
    alpha, slopes, fifth, fourth, nodes, rates = read_method()

    def weigh(tree):
        if len(tree) == 1:
            return (alpha + slopes) @ weigh(tree[0])
        return prod((alpha @ weigh(branch) for branch in tree), start=np.ones(STAGES))

    for weights, order in ((fifth, 5), (fourth, 4)):
        misses = [abs(weights @ weigh(tree) - 1 / density(tree)) for n in range(1, order + 2) for tree in trees(n)]
        exact = sum(len(trees(n)) for n in range(1, order + 1))
        print(f"order {order}: {max(misses[:exact])} in {exact} conditions, {max(misses[exact:])} in those of the next")
        check(max(misses[:exact]) < 1e-13 and max(misses[exact:]) > 1e-3, f"order {order}: {misses}")
    check(np.allclose(alpha.sum(axis=1), nodes, atol=1e-13, rtol=0), f"the times of the stages are {alpha.sum(axis=1)}, not {nodes}")
    check(np.allclose(slopes.sum(axis=1), rates, atol=1e-13, rtol=0), f"the weights of the derivative in time are {slopes.sum(axis=1)}, not {rates}")


def test_stability():
    """Both formulas are L-stable: |R| is at most 1 on the imaginary axis, and 0 far out."""
    alpha, slopes, *both = read_method()[:4]
    for weights in both:
        grown = [abs(1 + z * (weights @ np.linalg.solve(np.eye(STAGES) - z * (alpha + slopes), np.ones(STAGES)))) for z in 1j * np.logspace(-3, 7, 2000)]
        print(f"at most {max(grown)} on the imaginary axis, {grown[-1]} at its end")
        check(max(grown) < 1 + 1e-12 and grown[-1] < 1e-5, f"|R| is {max(grown)} and {grown[-1]}")


def test_bands():
    """Systems whose matrix is a band, by derivatives and by differences, on any lanes with the same bits: with a tolerance that takes each
    step whole, modes have the factor of the formula of fifth order; with a narrow one they decay as they do. Heat in a rod, and a wave
    whose matrix has its largest entries beside the diagonal, so that rows change places."""
    alpha, slopes, fifth = read_method()[:3]
    beta, steps, h = alpha + slopes, 5, 0.02
    heat = "a*(n + 1)^2*(if(i > 0, u[i - 1], 0) - 2*u[i] + if(i < n - 1, u[i + 1], 0))"
    wave = "a*1000*(if(i < n - 1, u[i + 1], 0) - if(i > 0, u[i - 1], 0))"

    def factor(z):
        return 1 + z * (fifth @ np.linalg.solve(np.eye(STAGES) - z * beta, np.ones(STAGES)))

    for n, formula, rule, narrow in ((100, heat, "analytic", 1e-7), (256, heat, "central", 1e-7), (60, wave, "analytic", None)):
        start = np.arange(1, n + 1) / (n + 1) * (1 - np.arange(1, n + 1) / (n + 1))
        above, below = np.diag(np.ones(n - 1), 1), np.diag(np.ones(n - 1), -1)
        # The wave's matrix is i times a Hermitian one.
        turn, matrix = (1, (n + 1) ** 2 * (above + below - 2 * np.eye(n))) if formula is heat else (1j, -1000j * (above - below))
        values, vectors = np.linalg.eigh(matrix)
        text = f"""problem:
  coordinates: {{u: n}}
  define: {{n: {n}}}
  rate: ["{formula}"]
  start: ["(i + 1)/(n + 1)*(1 - (i + 1)/(n + 1))"]
  parameters: {{a: [0.5, 1]}}
methods: [{{rodas5p: {{rtol: {[1, narrow or 0.5]}, atol: {[1e+6, narrow or 1e+5]}}}}}]
end: {h * steps}
steps: {steps}
newton: {{jacobian: {rule}}}
substeps: {{budget: 5000}}
metrics: [status, x_final, substeps]
"""
        found = {}
        for place in (("native", "1"), ("native", "16"), ("cpu", "1"), ("cpu", "16")):
            with results("band", text, "--lanes", place[1], device=place[0]) as file:
                found[place] = {name: file["rodas5p"][name][...] for name in ("status", "x_final", "substeps")}
        group = found["native", "1"]
        check(np.all(group["status"] == 1) and np.all(group["substeps"][:, 0, 0] == 0), f"{n} {rule}: {group['status']} {group['substeps']}")
        for place, other in found.items():
            check(all(other[name].tobytes() == group[name].tobytes() for name in group), f"{n} {rule}: other bits on {place}")
        for i, a in enumerate((0.5, 1)):
            z = turn * a * h * values
            for tolerance, growth, bound in ((0, np.array([factor(mode) for mode in z]), 1e-11), (1, np.exp(z), narrow)):
                wanted = vectors @ (growth ** steps * (vectors.conj().T @ start))
                error = np.max(np.abs(group["x_final"][i, tolerance, tolerance] - wanted)) / np.max(np.abs(wanted))
                print(f"{n} {rule}, a = {a}: {error}")
                check(bound is None or error < bound, f"{n} {rule}, a = {a}: off by {error}")


def oracle(k, b, rtol, atol, end, steps):
    """y' = -k (y - cos t) - b (y^2 - cos^2 t) - sin t from 1, whose solution is cos t: stages as they are defined, exact derivatives, and
    the controller. Returns the end, substeps and rejected trials."""
    alpha, slopes, fifth, fourth, nodes, rates = read_method()
    gamma, y = slopes[0, 0], Component(1.0)

    def rate(t, u):
        return -k * (u - cos(t)) - b * (u * u - cos(t)**2) - sin(t)

    def trial(t, h):
        u = y.value
        by_u, by_t = -k - 2 * b * u, -k * sin(t) - b * sin(2 * t) - cos(t)
        found = []
        for i in range(STAGES):
            there = u + sum(w * other for w, other in zip(alpha[i], found))
            before = sum(w * other for w, other in zip(slopes[i], found))
            known = h * (rate(t + nodes[i] * h, there) + by_u * before + h * rates[i] * by_t)
            found.append(known / (1 - h * gamma * by_u))
        error, take = y.trial(h * rate(t, u), u + fifth @ found, (fifth - fourth) @ found, rtol, atol)
        return error, 5, take

    counts = substeps(trial, end, steps)
    return y.value, *counts


def test_oracle():
    """The same substeps as another program, by exact derivatives and by differences; errors beside the closed form."""
    for jacobian in ("analytic", "central", "forward"):
        text = f"""problem:
  coordinates: [y]
  rate: ["-k*(y - cos(t)) - b*(y^2 - cos(t)^2) - sin(t)"]
  start: [1]
  parameters: {{k: [0.5, 30, 1.0e+4], b: 2}}
methods: [{{rodas5p: {{rtol: [1.0e-3, 1.0e-5, 1.0e-7], atol: 1.0e-7}}}}]
end: 1.4
steps: 2
newton: {{jacobian: {jacobian}}}
substeps: {{budget: 10000}}
metrics: [x_final, substeps, failed_solves, jacobians, residual_evaluations, updates]
"""
        with results("oracle", text, device="native") as file:
            group = {name: values[...] for name, values in file["rodas5p"].items()}
        for i, k in enumerate((0.5, 30, 1e4)):
            for j, rtol in enumerate((1e-3, 1e-5, 1e-7)):
                end, taken, rejected = oracle(k, 2, rtol, 1e-7, 1.4, 2)
                found, *counts = (group[name][i, j] for name in ("x_final", "substeps", "failed_solves"))
                print(f"{jacobian}, k {k}, rtol {rtol}: {found[0] - cos(1.4)}, {found[0] - end} from the oracle, {counts}")
                check(abs(found[0] - end) < (1e-6 if jacobian == "forward" else 1e-9) and counts == [taken, rejected],
                      f"{jacobian}, k = {k}, rtol = {rtol}: {found}, not {end}; {counts} substeps and rejected trials, not {taken, rejected}")
                check(abs(found[0] - cos(1.4)) < 5 * (rtol + 1e-7), f"{jacobian}, k = {k}, rtol = {rtol}: {found}, not {cos(1.4)}")
        tried = group["jacobians"]
        columns = {"analytic": 0, "central": 2, "forward": 1}[jacobian]
        check(np.all(group["updates"] == STAGES * tried) and np.all(group["residual_evaluations"] == (STAGES + 3 + columns) * tried),
              f"{jacobian}: {tried} Jacobians, {group['updates']} updates, {group['residual_evaluations']} evaluations")


def test_between():
    """Samples within a step have the tolerance's accuracy, as ends have, and samples by `every` of a step that meets their times."""
    text = """problem:
  coordinates: [y]
  rate: ["-k*(y - cos(t)) - sin(t)"]
  start: [1]
  exact: ["cos(t)"]
  parameters: {k: 30}
methods: [{rodas5p: {rtol: 1.0e-8, atol: 1.0e-8}}]
end: 6
steps: [6, 60]
trajectory: {%s, fields: [error]}
metrics: [error_max]
"""
    with results("between", text % "times: {linear: [0.05, 5.95, 60]}", device="native") as file:
        within, ends = np.max(file["rodas5p/error"][...], axis=-1), file["rodas5p/error_max"][...]
    with results("ends", text % "every: 1", device="native") as file:
        met = np.nanmax(file["rodas5p/error"][...], axis=-1)
    print("between", within, "ends", ends, met)
    check(np.all(within < 5e-9), f"between: {within}")
    check(np.all(ends < 5e-9) and np.all(met < 5e-9), f"ends: {ends}, {met}")


need_compiler()
main(test_order, test_stability, test_bands, test_oracle, test_between)
