# check_dense -- systems whose Newton matrix is a whole one of up to 256 unknowns: their kernels have room on the stacks of threads.
from checking import check, faked, main, need, need_compiler, option, results

np = need("numpy")

# Pairs of coordinates from both ends: the sum of a pair decays as e^(-0.9 t), its difference as e^(-1.1 t).
TEXT = """problem:
  coordinates: {u: n}
  define: {n: %d}
  rate: ["-u[i] + 0.1*u[n - 1 - i]"]
  start: ["1 + i/n"]
methods: [trapezoidal, {esdirk4_adaptive: {rtol: 1.0e-4}}, {rodas5p: {rtol: 1.0e-4}}]
end: 0.2
step: 0.1
newton: {jacobian: %s}
metrics: [status, x_final]
"""


def run(n, rule, *words, methods=None, **how):
    chosen = ("-s", f"methods={methods}") if methods else ()
    start = 1 + np.arange(n) / n
    with results("dense", TEXT % (n, rule), *words, *chosen, **how) as file:
        for method in (name for name in file if "x_final" in file[name]):
            both, apart = start + start[::-1], start - start[::-1]
            factors = [((1 - 0.05 * rate) / (1 + 0.05 * rate)) ** 2 if method == "trapezoidal" else np.exp(-0.2 * rate) for rate in (0.9, 1.1)]
            wanted = 0.5 * (factors[0] * both + factors[1] * apart)
            error = np.max(np.abs(file[method]["x_final"][...].ravel() / wanted - 1))
            print(n, rule, words, method, error)
            check(np.all(file[method]["status"][...] == 1) and error < (1e-8 if method == "trapezoidal" else 1e-4),
                  f"{method}, {n} unknowns, {words}: off by {error}")


def test_processors():
    """One lane, and as many as the program takes."""
    for n, rule in ((104, "analytic"), (160, "central"), (256, "central")):
        for device in ("cpu", "native"):
            for words in (("--lanes", "1"), ()):
                run(n, rule, *words, device=device)


def test_work_group():
    """PoCL as a GPU, where it has the matrices of a work group on the stack of a thread."""
    run(104, "analytic", methods="[trapezoidal, esdirk4_adaptive]", device="gpu", **faked(option("--shim"), type="gpu"))
    run(90, "analytic", methods="[rodas5p]", device="gpu", **faked(option("--shim"), type="gpu"))


need_compiler()
main(test_processors, test_work_group)
