# check_exponents -- Lyapunov exponents: of the methods' equations by complex steps and QR, closed forms, attractors, the same bits everywhere.
import sys

from checking import check, folder, listed, main, need, need_compiler, pendula, results
from complex_steps import TINY, lorenz, path, spring, swing

np, h5py = need("numpy", "h5py")

QUICK = "--quick" in sys.argv
FEW = ("rk4", "theta2", "generalized_alpha", "bdf2")
REFUSED = ("incremental_newmark", "incremental_potential", "rodas5p", "sofa_euler", "sofa_newmark")

# The sweep's problem; its equations; the parameters; the start; the step; how many exponents there are.
PROBLEMS = {
    "swing": ("""problem: {coordinates: [q], acceleration: ["-g*sin(q) - 2*z*v_q + f*cos(w*t)"], start: [0.9], start_velocity: [-0.4],
          parameters: {g: 1.3, z: 0.1, f: 0.4, w: 1.7}}
""", swing, dict(g=1.3, z=0.1, f=0.4, w=1.7), ([0.9], [-0.4]), 0.1, 2),
    "spring": ("""problem: {coordinates: [x, y], start: [0.6, -0.9], start_velocity: [0.2, 0], parameters: {k: 9, g: 0.8, c: 0.05},
          acceleration: ["-k*(1 - 1/sqrt(x^2 + y^2))*x - c*v_x*v_y", "-k*(1 - 1/sqrt(x^2 + y^2))*y - g - c*v_y"]}
""", spring, dict(k=9.0, g=0.8, c=0.05), ([0.6, -0.9], [0.2, 0.0]), 0.08, 4),
    "lorenz": ("""problem: {coordinates: [x, y, z], rate: ["s*(y - x)", "x*(r - z) - y", "x*y - b*z"], start: [1, 1.5, 0], parameters: {s: 10, r: 28, b: 2.5}}
""", lorenz, dict(s=10.0, r=28.0, b=2.5), ([0, 0, 0], [1, 1.5, 0.0]), 0.02, 3),
}


def entries_of(first):
    cards = [m for m in listed("methods") if m["name"] not in REFUSED and (m["first_order"] or not first) and (m["name"] in FEW or not QUICK)]
    entries = []
    for card in cards:  # substeps of an adaptive method are its steps where all errors are permitted
        name, adaptive = card["name"], "rtol" in [p["name"] for p in card["parameters"]]
        entries.append(f"  - {name}: {{{'rtol: 1, atol: 1.0e+9' if adaptive else ''}}}")
    return [card["name"] for card in cards], "methods:\n" + "\n".join(entries) + "\n"


def carried(method, values, name, steps):
    """The states of a path, and the derivatives of each by all numbers of the initial one: [step][number][by]."""
    _, problem, given, start, h, count = PROBLEMS[name]
    first, n = name == "lorenz", len(start[0])
    p, columns = {key: complex(value) for key, value in given.items()}, []
    for by in range(count):
        x, v = (np.array(vector, complex) for vector in start)
        (v if first or by >= n else x)[by % n] += TINY * 1j
        columns.append([np.concatenate([v] if first else [x, v]) for x, v in path(method, values, problem, p, x, v, h, steps)])
    columns = np.array(columns)
    return columns[0].real, np.moveaxis(columns.imag / TINY, 0, 2)


def start_of(name):
    """The sizes of the components where a motion begins, and the deviations then: a reflection, over the sizes."""
    _, problem, given, start, h, count = PROBLEMS[name]
    x, v = (np.array(vector, float) for vector in start)
    force = problem(0.0, x, v, given)
    n = len(x)
    if name == "lorenz":
        sizes, normal = np.maximum(np.abs(v), np.abs(h * force)), 1 / (1 + np.arange(n))
    else:
        of_x = np.maximum(np.abs(x), np.abs(h * np.maximum(np.abs(v), np.abs(h * force))))
        sizes = np.concatenate([of_x, np.maximum(np.abs(v), np.sqrt(of_x * np.abs(force)))])
        normal = np.concatenate([1 / (1 + np.arange(n)), 0.6 / (1 + np.arange(n))])
    return sizes, sizes[:, None] * (np.eye(count) - 2 * np.outer(normal, normal) / (normal @ normal))


def growths(name, states, derivatives, count):
    """ln of the growth of each of the first deviations in each step, by Householder's QR of LAPACK: the derivatives of the states go along
    with the deviations that they are turned into, D C with C = C R^-1 after each."""
    sizes, turned = start_of(name)
    turned, logs = turned[:, :count], []

    def turn(k):
        _, r = np.linalg.qr(derivatives[k] @ turned / sizes[:, None])
        r = r * np.sign(np.diag(r))[:, None]
        return np.linalg.solve(r.T, turned.T).T, np.log(np.diag(r))

    for k in range(1, len(states)):
        turned, growth = turn(k)
        logs.append(growth)
        grown = np.maximum(sizes, np.abs(states[k]))
        if np.any(grown > sizes):
            sizes = grown
            turned, _ = turn(k)
    return np.array(logs)


def check_equations(name, steps, window, precision="double"):
    """Each method's exponents are those of its equations."""
    text, _, _, _, h, all_of = PROBLEMS[name]
    methods, entries = entries_of(name == "lorenz")
    counts = {"": all_of, "few": max(1, all_of - 2), "late": all_of}
    metrics = [f"{{lyapunov_exponents: {{exponents: {count}{f', label: {label}' if label else ''}{f', from: {(window[0] - 0.5) * h}, to: {(window[1] + 0.5) * h}' if label == 'late' else ''}}}}}"
               for label, count in counts.items()]
    file = results(f"equations_{name}_{precision}", f"{text}{entries}step: {h}\nsteps: {steps}\nmetrics: [{', '.join(metrics)}]\n"
                   + ("newton: {tolerance: 1.0e-14}\n" if precision == "double" else f"precision: {precision}\n"), device="native")
    bound = 1e-9 if precision == "double" else 1e-3
    for method in methods:
        group = file[method]
        values = {key: float(group[key][()]) for key in group if group[key].shape == () and group[key].dtype == np.float64}
        states, derivatives = carried(method, values, name, steps)
        for label, count in counts.items():
            begin, end = window if label == "late" else (0, steps)
            exact = growths(name, states, derivatives, count)[begin:end].sum(axis=0) / ((end - begin) * h)
            head = f"{label}_" if label else ""
            found = group[f"{head}lyapunov_spectrum"][...]
            what = f"{name}, {method}, {precision}, {head}"
            off = np.max(np.abs(found - exact))
            check(found.shape == (count,) and off <= bound, f"{what}lyapunov_spectrum: {found}, its equations have {exact}, off by {off:.2g}")
            near(group[f"{head}lyapunov_sum"][()], exact.sum(), bound, f"{what}lyapunov_sum")
            near(group[f"{head}lyapunov_dimension"][()], dimension(exact, all_of), 1e3 * bound, f"{what}lyapunov_dimension")


def dimension(exponents, all_of):
    """Kaplan and Yorke's."""
    sums = np.concatenate([[0], np.cumsum(exponents)])
    for k, exponent in enumerate(exponents):
        if sums[k + 1] < 0:
            return k + sums[k] / -exponent
    return all_of if len(exponents) == all_of else np.nan


def near(found, exact, bound, what):
    same = np.isnan(exact) & np.isnan(found) | (np.abs(found - exact) <= bound)
    check(np.all(same), f"{what}: {found}, expected {exact}, off by {np.max(np.abs(found - exact)):.3g}")


def check_swing():
    check_equations("swing", 60, (11, 50))


def check_spring():
    check_equations("spring", 60, (11, 50))


def check_lorenz():
    check_equations("lorenz", 50, (11, 40))


def check_single():
    check_equations("spring", 30, (11, 25), "single")


# --- closed forms

# What a step of each method multiplies the solution exp(lambda t) by, of the numbers z = h lambda.
FACTORS = {
    "rk4": lambda z: 1 + z + z ** 2 / 2 + z ** 3 / 6 + z ** 4 / 24,
    "explicit_euler": lambda z: 1 + z,
    "backward_euler": lambda z: 1 / (1 - z),
    "trapezoidal": lambda z: (1 + z / 2) / (1 - z / 2),
    "implicit_midpoint": lambda z: (1 + z / 2) / (1 - z / 2),
}


def check_oscillator():
    """x'' = -k x - c v. Where the eigenvalues are real the exponents are ln|factor|/h of each, once the deviations have turned; where they
    are a pair, their sum is that of both, and each of them half of it but for what the last turn leaves. Of velocity Verlet and of symplectic
    Euler the matrix of a step is written out."""
    for k, c, h in ((0.5, 2.5, 0.1), (4.0, 0.6, 0.1)):
        text = f"""problem: {{coordinates: [x], acceleration: ["-k*x - c*v_x"], start: [1], start_velocity: [0.3], parameters: {{k: {k}, c: {c}}}}}
methods: [{', '.join(FACTORS)}, symplectic_euler]
step: {h}
steps: 3000
newton: {{tolerance: 1.0e-14}}
metrics: [{{lyapunov_exponents: {{exponents: 2, from: {1500.5 * h}}}}}, {{lyapunov_spectrum: {{exponents: 1, from: {1500.5 * h}, label: first}}}}]
"""
        file = results("oscillator", text, device="native")
        eigenvalues = np.roots([1, c, k])
        wanted = {method: factor(h * eigenvalues) for method, factor in FACTORS.items()}
        # v1 = v + h a(x, v), x1 = x + h v1
        wanted["symplectic_euler"] = np.linalg.eigvals([[1 - h * h * k, h * (1 - h * c)], [-h * k, 1 - h * c]])
        for method, factors in wanted.items():
            exact = np.sort(np.log(np.abs(factors)))[::-1] / h
            found = file[f"{method}/lyapunov_spectrum"][...]
            real = c * c > 4 * k
            near(file[f"{method}/lyapunov_sum"][()], exact.sum(), 1e-12, f"{method}, k {k}: the sum")
            near(found, exact, 1e-11 if real else 2e-2, f"{method}, k {k}: exponents")
            near(file[f"{method}/first"][...], found[:1], 0, f"{method}, k {k}: the first alone")
            near(file[f"{method}/lyapunov_dimension"][()], 0, 0, f"{method}, k {k}: a point")


def check_rest():
    """At rest at 0 the sizes are 1, and exponents are those of the factors. A million logarithms are added up without loss: one by one they
    would be off by 1e-11, and each is off by 2e-16 of 0.04 or more. The dimension: 1 - 0.5 - 2 < 0 after 1 - 0.5 > 0; and 1 + 0.5 - 1 > 0."""
    text = """problem: {coordinates: [x, y, z], rate: ["a*x", "b*y", "c*z"], start: [0, 0, 0], parameters: {a: 1, b: %g, c: %g}}
methods: [rk4]
step: 0.05
steps: %d
metrics: [{lyapunov_exponents: {exponents: 3, from: 100}}, {lyapunov_exponents: {exponents: 2, from: 100, label: two}}]
"""
    for rates, steps in (((1, -0.5, -2), 1000000), ((1, 0.5, -1), 20000)):
        group = results("rest", text % (*rates[1:], steps), device="native")["rk4"]
        exact = np.log(FACTORS["rk4"](0.05 * np.array(rates))) / 0.05
        near(group["lyapunov_spectrum"][...], exact, 1e-13, f"{rates}: exponents")
        near(group["lyapunov_sum"][()], exact.sum(), 1e-13, f"{rates}: the sum")
        near(group["lyapunov_dimension"][()], 2 - exact[:2].sum() / exact[2] if rates[1] < 0 else 3, 1e-12, f"{rates}: the dimension")
        near(group["two_lyapunov_dimension"][()], np.nan, 0, f"{rates}: the dimension by two")


def check_hamiltonian():
    """Of a symplectic map the volume stays: the sum is 0 to rounding. Exponents come in pairs of opposite signs, those of Henon and Heiles'
    potential at an energy of 1/6 chaotic; two of them vanish, as 1/t does."""
    text = """problem: {coordinates: [x, y], acceleration: ["-x - 2*x*y", "-y - x^2 + y^2"], start: [0, "c"], start_velocity: ["sqrt(2*e - c^2 + 2*c^3/3)", 0],
          parameters: {e: 0.16, c: {linear: [-0.15, -0.05, 4]}}}
methods: [yoshida4, velocity_verlet, variational_explicit, symplectic_euler]
step: 0.05
end: 4000
metrics: [{lyapunov_exponents: {exponents: 4}}]
"""
    file = results("hamiltonian", text, device="native")
    for method in ("yoshida4", "velocity_verlet", "variational_explicit", "symplectic_euler"):
        found = file[f"{method}/lyapunov_spectrum"][...]
        check(np.all(np.abs(file[f"{method}/lyapunov_sum"][...]) < 1e-12), f"{method}: the sum {file[f'{method}/lyapunov_sum'][...]} is not 0")
        check(np.all(found[:, 0] > 0.02), f"{method}: not chaotic: {found[:, 0]}")
        check(np.all(np.abs(found + found[:, ::-1]) < 0.004), f"{method}: no pairs: {found}")
        check(np.all(np.abs(found[:, 1:3]) < 0.004), f"{method}: {found[:, 1:3]} are not small")


def check_attractors():
    """Lorenz: 0.9056, 0, -14.5723 (Sprott 2003, Chaos and Time-Series Analysis, appendix A), whose sum is -(s + 1 + b) at every place, and
    the dimension 2.062. Means of 16 motions, whose own spread says how sure they are. The sum of rk4 is off by O(h^4)."""
    text = """problem: {coordinates: [x, y, z], rate: ["s*(y - x)", "x*(r - z) - y", "x*y - b*z"], start: [c, 1, 20], parameters: {s: 10, r: 28, b: 8/3, c: {linear: [1, 2, 16]}}}
methods: [rk4]
step: [0.01, 0.005]
end: 500
metrics: [{lyapunov_exponents: {exponents: 3, from: 50}}, {lyapunov_exponents: {exponents: 2, from: 50, label: two}}]
"""
    file = results("lorenz", text.replace("8/3", repr(8 / 3)), device="native")["rk4"]
    axes = file["lyapunov_spectrum"].shape
    found = np.moveaxis(file["lyapunov_spectrum"][...], axes.index(3), -1)
    found = found if found.shape[0] == 2 else np.moveaxis(found, 1, 0)
    for k, (exact, within) in enumerate(((0.9056, 0.008), (0.0, 0.002), (-14.5723, 0.008))):
        check(np.all(np.abs(found[..., k].mean(axis=1) - exact) < within), f"Lorenz: exponent {k} is {found[..., k].mean(axis=1)}, not {exact}")
    sums = found.sum(axis=-1) + (10 + 1 + 8 / 3)
    check(np.all(np.abs(sums[0]) < 2e-4) and np.all(np.abs(sums[1]) < 1.3e-5), f"Lorenz: the sums are off by {sums}")
    check(np.all(np.abs(file["lyapunov_dimension"][...] - 2.062) < 0.005), f"Lorenz: the dimension is {file['lyapunov_dimension'][...]}")
    check(np.all(np.isnan(file["two_lyapunov_dimension"][...])), "two exponents are too few for the dimension")


# --- what must not change

def check_bits():
    """The same bits at all lanes and on all devices, through slices of launches and halved steps; what stands beside has the bits that it has
    without the spectrum."""
    text, entries = PROBLEMS["swing"][0], "methods: [{dopri5_adaptive: {rtol: 1.0e-3}}, theta2, generalized_alpha, bdf2, rk4]\n"
    text = text.replace("g: 1.3", "g: {linear: [0.5, 4, 19]}").replace("f: 0.4", "f: [0.4, 7]")
    rest = f"{entries}step: 0.3\nend: 300\nnewton: {{max_updates: 2, tolerance: 1.0e-12}}\nmetrics: [x_final, v_final, substeps, updates, lyapunov, {{poincare_x: {{period: 3}}}}, {{stats: {{of: q}}}}%s]\n"
    asked = ", {lyapunov_exponents: {exponents: 2}}, {lyapunov_exponents: {exponents: 1, from: 40, to: 200, label: late}}"
    plain = results("plain", text + rest % "", device="native")
    one = results("one", text + rest % asked, "--lanes", "1", device="native")
    many = results("many", text + rest % asked, "--lanes", "16", device="native")
    driver = results("driver", text + rest % asked, device="cpu")
    compared = halved = 0
    for method in ("dopri5_adaptive", "theta2", "generalized_alpha", "bdf2", "rk4"):
        for name in one[method]:
            if one[method][name].dtype.kind not in "if":
                continue
            bits = one[method][name][...].tobytes()
            check(many[method][name][...].tobytes() == bits, f"{method}, {name}: other bits at 16 lanes")
            check(driver[method][name][...].tobytes() == bits, f"{method}, {name}: other bits on the OpenCL device")
            if name in plain[method]:
                check(plain[method][name][...].tobytes() == bits, f"{method}, {name}: other bits than without the spectrum")
            elif "lyapunov" in name and not name.endswith("_sample"):
                check(np.all(np.isfinite(one[method][name][...])) or "dimension" in name, f"{method}, {name}: {one[method][name][...]}")
                compared += 1
        halved += int(np.sum(one[method]["substeps"][...] > 0))
    check(compared == 5 * 6, f"{compared} results are compared")
    check(halved > 40, f"only {halved} points have halved steps")


def check_shards():
    """Shards that are merged have the bits of a run in one piece; `conform` certifies the steps, and names the metric among those that it
    compares only."""
    text = PROBLEMS["spring"][0].replace("k: 9", "k: {linear: [5, 9, 40]}") + "methods: [rk4, theta2]\nstep: 0.05\nend: 20\nmetrics: [x_final, {lyapunov_exponents: {exponents: 4}}]\n"
    whole = results("shards", text, device="native")
    parts = [f"part{i}.h5" for i in range(2)]
    for i in range(2):
        pendula("run", "shards.yaml", "-d", "native", "--shard", f"{i}/2", "-o", parts[i])
    pendula("merge", *parts, "-o", "merged.h5")
    with h5py.File(folder / "merged.h5") as merged:
        for method in ("rk4", "theta2"):
            for name in ("lyapunov_spectrum", "lyapunov_sum", "lyapunov_dimension", "x_final"):
                check(merged[method][name][...].tobytes() == whole[method][name][...].tobytes(), f"{method}, {name}: other bits in shards")
    certified = pendula("conform", "shards.yaml", "-d", "native", "-s", "problem.parameters.k=9", "-s", "end=2").text
    check("lyapunov_spectrum" in certified, f"conform does not name the metric: {certified}")


def check_alone():
    """The first exponent is what `lyapunov` finds by a method of its own, but for both errors."""
    text = PROBLEMS["lorenz"][0] + "methods: [rk4]\nstep: 0.002\nend: 400\nmetrics: [{lyapunov_exponents: {exponents: 1, from: 40}}, {lyapunov: {from: 40}}]\n"
    group = results("alone", text, device="native")["rk4"]
    near(group["lyapunov_spectrum"][0], group["lyapunov_exponent"][()], 2e-3, "the first exponent")


if __name__ == "__main__":
    need_compiler()
    main(check_rest, check_swing, check_lorenz, check_oscillator,
         *[] if QUICK else [check_spring, check_single, check_hamiltonian, check_attractors, check_bits, check_shards, check_alone])
