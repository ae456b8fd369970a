# check_decay_tangents -- derivatives of periods, decays and losses: the metrics' formulas in complex numbers, closed forms, the same bits.
import re
import sys

from checking import check, main, need, need_compiler, results
from complex_steps import TINY, path, swing

np, h5py = need("numpy", "h5py")

SWING = """problem: {coordinates: [q], acceleration: ["-g*sin(q) - 2*z*v_q + f*cos(w*t)"], start: ["b^2"], start_velocity: ["b*s"],
          kinetic: "m*v_q^2/2", potential: "m*g*(1 - cos(q))", parameters: {m: 1.4, g: 1.3, z: 0.05, f: 0, w: 1.7, b: 0.9, s: -0.4, idle: 3}}
derivatives: [m, g, z, f, b, s, q, v_q, idle]
observe: {shown: "g*q - z*v_q"}
"""
GIVEN = dict(m=1.4, g=1.3, z=0.05, f=0.0, w=1.7, b=0.9, s=-0.4, idle=3.0)
QUICK = "--quick" in sys.argv
OSCILLATION = ["amplitude_initial", "amplitude_final", "decay_rate", "period", "damping_ratio"]
DAMPING = ["log_decrement", "log_decrement_first", "log_decrement_last"]


# --- the definitions, in numbers that may be complex; decisions are of real parts

def turning(y, reach):
    """The observations that their neighbours do not pass, `reach` to each side."""
    r = y.real
    return [n for n in range(reach, len(y) - reach) if (r[n] > r[n - 1] and r[n + 1] <= r[n]) or (r[n] < r[n - 1] and r[n + 1] >= r[n])]


def line(t, y):
    """The slope of the least-squares line."""
    t, y = t - np.mean(t), y - np.mean(y)
    return np.sum(t * y) / np.sum(t * t)


def oscillation(t, y):
    times, tops = [], []
    for n in turning(y, 1):
        c, b, a = np.linalg.solve(np.vander([-1.0, 0.0, 1.0], increasing=True).astype(complex), y[n - 1:n + 2])
        s = -b / (2 * a)
        times.append(t[n] + (t[1] - t[0]) * s)
        tops.append(c + s * (b + s * a))
    sizes = [top * np.sign(top.real) for top in tops]
    crossings = [t[n] + (t[1] - t[0]) * y[n] / (y[n] - y[n + 1]) for n in range(len(y) - 1) if y[n].real < 0 <= y[n + 1].real]
    rate, period = -line(np.array(times), np.log(np.array(sizes))), (crossings[-1] - crossings[0]) / (len(crossings) - 1)
    return dict(zip(OSCILLATION, (sizes[0], sizes[-1], rate, period, rate * period / (2 * np.pi))))


def quartics(y, others):
    """Where the quartics through five observations turn, their heights there, and those of the quartics through others' values."""
    found = []
    for n in turning(y, 2):
        q, e = (np.polynomial.Polynomial(np.linalg.solve(np.vander(np.arange(-2.0, 3.0), increasing=True).astype(complex), z[n - 2:n + 3])) for z in (y, others))
        s = 0j
        for _ in range(30):
            s = s - q.deriv()(s) / q.deriv(2)(s)
        found.append((q(s), e(s)))
    return np.array(found)


def damping(y, energy):
    tops, energies = quartics(y, energy).T
    logs = np.log(np.abs(1) * np.diff(tops) / (tops[1] - tops[0]) * np.sign((np.diff(tops) / (tops[1] - tops[0])).real))
    lost = (energies[0] - energies[-1]) / (0.5 * (len(tops) - 1))
    return dict(zip(DAMPING, (-2 * line(np.arange(len(logs)), logs), -logs[2], logs[-3] - logs[-1]))) | {"energy_loss": lost}


def near(found, exact, bound, what):
    off = abs(found - exact) / max(1.0, abs(exact))
    check(off <= bound, f"{what}: {found}, expected {exact}, off by {off:.2g}")


def check_formulas(precision="double"):
    """Derivatives are those of the metrics' formulas at the states of each method's equations. Where a quartic turns is found within 1e-5
    of an observation's distance: two steps towards it from the parabola's vertex, which is nearer than (W/4)^2 for W = 0.11 between two."""
    h, steps, window = 0.1, 400, (37, 371)
    methods = ["rk4", "theta2"] if QUICK else ["rk4", "theta2", "generalized_alpha", "velocity_verlet"]
    late = f"from: {(window[0] - 0.5) * h}, to: {(window[1] + 0.5) * h}"
    names = OSCILLATION + DAMPING + ["energy_loss"]
    metrics = [f"{{{name}: {{of: {of}, label: {of}_{name}}}}}" for of in ("q", "shown") for name in names] + \
              [f"{{{name}: {{of: q, {late}, label: late_{name}}}}}" for name in names]
    file = results(f"formulas_{precision}", f"{SWING}methods: [{', '.join(methods)}]\nstep: {h}\nsteps: {steps}\nmetrics: [{', '.join(metrics)}]\n"
                   + ("newton: {tolerance: 1.0e-14}\n" if precision == "double" else f"precision: {precision}\n"), device="native")
    for method in methods:
        group = file[method]
        values = {key: float(group[key][()]) for key in group if group[key].shape == () and group[key].dtype == np.float64}
        for by in re.search(r"derivatives: \[(.*)\]", SWING)[1].split(", "):
            p = {key: complex(value) + (TINY * 1j if key == by else 0) for key, value in GIVEN.items()}
            x, v = np.array([p["b"] ** 2 + (TINY * 1j if by == "q" else 0)]), np.array([p["b"] * p["s"] + (TINY * 1j if by == "v_q" else 0)])
            states = list(path(method, values, swing, p, x, v, h, steps))
            q, w = (np.array([state[k][0] for state in states]) for k in (0, 1))
            energy, t = p["m"] * w ** 2 / 2 + p["m"] * p["g"] * (1 - np.cos(q)), h * np.arange(steps + 1)
            exact, part = {}, slice(window[0], window[1] + 1)
            for head, y, e, time in (("q", q, energy, t), ("shown", p["g"] * q - p["z"] * w, energy, t), ("late", q[part], energy[part], t[part])):
                exact |= {f"{head}_{name}": value for name, value in (oscillation(time, y) | damping(y, e)).items()}
            for name, value in exact.items():
                turned = name.split("_", 1)[1] in DAMPING + ["energy_loss"]
                bound = (1e-6 if turned else 1e-10) if precision == "double" else 1e-2
                near(group[f"{name}_d_{by}"][()], value.imag / TINY, bound, f"{method}, {precision}, {name} by {by}")
                near(group[name][()], value.real, 1e-8 if precision == "double" else 1e-4, f"{method}, {precision}, {name}")


def check_single():
    check_formulas("single")


def check_closed():
    """x'' = -k x - c v from rest at 1: the period is T = 2 pi/sqrt(k - c^2/4), the decay c/2, the decrement c T/2; it turns at n T/2, where the
    energy is k exp(-c n T/2)/2. Steps of 0.02 by dopri5 are exact here. The line at a crossing is off by up to h^2 c/8, which changes from one end of a step to
    the other: derivatives are off by up to h c/2 of themselves."""
    k, c, h, end = 2.0, 0.1, 0.02, 30
    text = f"""problem: {{coordinates: [x], acceleration: ["-k*x - c*v_x"], start: [1], kinetic: "v_x^2/2", potential: "k*x^2/2", parameters: {{k: {k}, c: {c}}}}}
derivatives: [k, c]
methods: [dopri5]
step: {h}
end: {end}
metrics: [decay_rate, period, damping_ratio, log_decrement, log_decrement_first, log_decrement_last, energy_loss, amplitude_initial, amplitude_final]
"""
    group = results("closed", text, device="native")["dopri5"]
    for by in ("k", "c"):
        K, C = k + (TINY * 1j if by == "k" else 0), c + (TINY * 1j if by == "c" else 0)
        T = 2 * np.pi / np.sqrt(K - C * C / 4)
        n = int((end - 3 * h) / (T.real / 2))
        exact = {"period": T, "decay_rate": C / 2 + 0j, "damping_ratio": C * T / (4 * np.pi), "log_decrement": C * T / 2, "log_decrement_first": C * T / 2,
                 "log_decrement_last": C * T / 2, "energy_loss": K * (np.exp(-C * T / 2) - np.exp(-C * n * T / 2)) / 2 / (0.5 * (n - 1)),
                 "amplitude_initial": np.exp(-C * T / 4), "amplitude_final": np.exp(-C * n * T / 4)}
        for name, value in exact.items():
            near(group[name][()], value.real, 1e-4, name)
            near(group[f"{name}_d_{by}"][()], value.imag / TINY, h * c / 2, f"{name} by {by}")


def check_held():
    """Where steps are halved alike, derivatives are the differences of runs."""
    names = OSCILLATION + DAMPING + ["energy_loss"]
    for by, value, step in (("b", 0.9, 1e-4), ("g", 1.3, 1e-4)):
        moved_by = ", ".join(repr(value + k * step) for k in (-2, -1, 0, 1, 2))
        text = re.sub("derivatives.*", "derivatives: [b, g]", SWING).replace(f"{by}: {value}", f"{by}: [{moved_by}]")
        file = results(f"held_{by}", f"{text}methods: [theta2, generalized_alpha, bdf2]\nstep: 0.2\nend: 16\nnewton: {{max_updates: 2, tolerance: 1.0e-13}}\n"
                       f"metrics: [{', '.join(names)}, substeps]\n", device="native")
        for label in ("theta2", "generalized_alpha", "bdf2"):
            group = file[label]
            halved = group["substeps"][...]
            check((halved[0] > 0 or label == "generalized_alpha") and np.all(halved == halved[0]), f"{label}: {halved} substeps are not the same ones")
            for name in names:
                y, found = group[name][...], group[f"{name}_d_{by}"][2]
                difference = (8 * (y[3] - y[1]) - (y[4] - y[0])) / (12 * step)
                check(abs(found - difference) <= 2e-5 * max(1, abs(found)), f"{label}: {name} by {by} is {found}, differences are {difference}")


def check_bits():
    """The metrics have the bits that they have without derivatives, and derivatives the same bits at all lanes and on all devices."""
    names = OSCILLATION + DAMPING + ["energy_loss", "damping_state"]
    text = SWING.replace("[m, g, z, f, b, s, q, v_q, idle]", "[g, b, v_q]").replace("g: 1.3", "g: {linear: [0.5, 4, 19]}").replace("f: 0,", "f: [0, 7],")
    rest = f"methods: [{{dopri5_adaptive: {{rtol: 1.0e-3}}}}, theta2, rk4]\nstep: 0.3\nend: 120\nnewton: {{max_updates: 2, tolerance: 1.0e-12}}\nmetrics: [{', '.join(names)}, substeps]\n"
    plain = results("plain", re.sub("derivatives.*\n", "", text) + rest, device="native")
    one = results("one", text + rest, "--lanes", "1", device="native")
    many = results("many", text + rest, "--lanes", "16", device="native")
    driver = results("driver", text + rest, device="cpu")
    compared = halved = 0
    for method in ("dopri5_adaptive", "theta2", "rk4"):
        for name in one[method]:
            if one[method][name].dtype.kind not in "if":
                continue
            bits = one[method][name][...].tobytes()
            check(many[method][name][...].tobytes() == bits, f"{method}, {name}: other bits at 16 lanes")
            check(driver[method][name][...].tobytes() == bits, f"{method}, {name}: other bits on the OpenCL device")
            if "_d_" in name:
                value, of = one[method][name][...], one[method][name.split("_d_")[0]][...]
                check(np.array_equal(np.isnan(value), np.isnan(of)), f"{method}, {name}: not a number elsewhere than the metric")
                compared += 1
            else:
                check(plain[method][name][...].tobytes() == bits, f"{method}, {name}: other bits than without derivatives")
        halved += int(np.sum(one[method]["substeps"][...] > 0))
    check(compared == 3 * 9 * 3, f"{compared} derivatives are compared")
    check(halved > 25, f"only {halved} points have halved steps")


if __name__ == "__main__":
    need_compiler()
    main(check_formulas, check_closed, *[] if QUICK else [check_single, check_held, check_bits])
