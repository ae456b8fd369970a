# check_metrics -- metrics of a whole motion: from stored samples, from closed forms, and beside published exponents.
#
# What a metric says is computed anew by numpy from the trajectory of the same file. The reference says the same to
# rounding where the motion is not chaotic.
from checking import check, main, need, results, ROOT, write

np, _ = need("numpy", "h5py")


def near(found, wanted, tolerance, what):
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    same = np.isnan(found) == np.isnan(wanted)
    apart = np.abs(np.where(np.isnan(found), 0, found) - np.where(np.isnan(wanted), 0, wanted))
    check(np.all(same) and np.all(apart <= tolerance * (1 + np.abs(np.nan_to_num(wanted)))), f"{what}: {found} and {wanted}")


def run(*words):
    return results(*words, device=None)


DUFFING = """problem: duffing
parameters: {force: [0.1, 0.2], delta: [0.2, 0.3]}
methods: [%s]
step: 0.02
end: 40
metrics:
  - {stats: {of: v0, from: 10.01, to: 33, label: speed}}
  - {mean_value: {of: energy, label: mean_energy}}
  - {stats: {of: x0, from: 50, label: late}}
  - {steady: {of: x0, share: 0.4}}
  - {events: {of: x0, level: "force+delta/2+0.5", direction: both}}
  - {event_count: {of: v0, direction: down, from: 3, label: turns}}
  - balance
  - {balance: {from: 5, to: 15.005, label: part}}
  - {energy: {from: 5, to: 15.005, label: part}}
  - {x_max: {to: 2, label: x_early}}
  - {x_max: {from: 50, label: x_never}}
  - {lyapunov: {from: 7}}
trajectory: {every: 1, fields: [x, v, energy]}
"""


def crossings(t, y, up=True, down=True):
    times = []
    for k in range(1, len(y)):
        if (up and y[k - 1] < 0 <= y[k]) or (down and y[k - 1] > 0 >= y[k]):
            times.append(t[k - 1] - (t[k] - t[k - 1]) * y[k - 1] / (y[k] - y[k - 1]))
    return times


def exponent(force, delta, t, x, h):
    """By the logarithm of a deviation that is carried by Runge-Kutta with the Jacobian as formulas, the motion between
    samples by the cubic of the samples and their derivatives. Its length is that over the largest x and v so far."""
    def at(k, s):
        if s == 0:
            return x[k]
        if s == 1:
            return x[k + 1]
        return 0.5 * (x[k] + x[k + 1]) + h / 8 * (v[k] - v[k + 1])
    x, v = x
    a = abs(x[0] - x[0] ** 3 - delta * v[0] + force)
    first = max(abs(x[0]), h * abs(v[0]), h * h * a)
    size = np.array([first, max(abs(v[0]), np.sqrt(first * a))])
    d, total, time = np.array([1, 0.6]) * size, 0, 0
    for k in range(len(t) - 1):
        def slope(s, d):
            return np.array([d[1], (1 - 3 * at(k, s) ** 2) * d[0] - delta * d[1]])
        begun = d
        k1 = slope(0, d)
        k2 = slope(0.5, d + h / 2 * k1)
        k3 = slope(0.5, d + h / 2 * k2)
        k4 = slope(1, d + h * k3)
        d = d + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if t[k] >= 7:
            total, time = total + np.log(np.linalg.norm(d / size) / np.linalg.norm(begun / size)), time + h
        size = np.maximum(size, np.abs([x[k + 1], v[k + 1]]))
        d = d / np.linalg.norm(d / size)
    return total / time


def from_samples():
    for method in ("rk4", "generalized_alpha"):
        with run("duffing", DUFFING % method) as file:
            group = file[method]
            found = {name: group[name][()] for name in group if group[name].ndim == 2}
            x, v, energy = group["x"][..., 0], group["v"][..., 0], group["energy"][()]
            t = 0.02 * np.arange(x.shape[-1])
            forces, deltas = group["force"][()], group["delta"][()]
        shape = x.shape[:2]
        for i in np.ndindex(shape):
            force, delta = forces[i[0]], deltas[i[1]]
            window = (t >= 10.01) & (t <= 33)
            part = v[i][window]
            for name, value in (("minimum", part.min()), ("maximum", part.max()), ("mean_value", part.mean()), ("rms_value", np.sqrt((part ** 2).mean())), ("peak_to_peak", np.ptp(part))):
                near(found[f"speed_{name}"][i], value, 1e-12, f"{method} {i} {name}")
            near(found["mean_energy"][i], energy[i].mean(), 1e-12, f"{method} {i} mean of the energy")
            check(all(np.isnan(found[f"late_{name}"][i]) for name in ("minimum", "mean_value", "rms_value", "peak_to_peak")), f"{method} {i}: no observation")
            late, early = x[i][-401:], x[i][-801:-401]
            near(found["steady_amplitude"][i], np.ptp(late) / 2, 1e-12, f"{method} {i} steady_amplitude")
            near(found["steady_offset"][i], (late.max() + late.min()) / 2, 1e-12, f"{method} {i} steady_offset")
            near(found["steady_change"][i], abs(np.ptp(late) - np.ptp(early)) / np.ptp(late), 1e-11, f"{method} {i} steady_change")
            times = crossings(t, x[i] - (force + delta / 2 + 0.5))
            near(found["event_count"][i], len(times), 0, f"{method} {i} event_count")
            for name, value in (("first", times[0] if times else np.nan), ("last", times[-1] if times else np.nan),
                                ("interval", np.diff(times).mean() if len(times) > 1 else np.nan)):
                near(found[f"event_{name}"][i], value, 1e-10, f"{method} {i} event_{name}")
            near(found["turns"][i], len(crossings(t[t >= 3], v[i][t >= 3], up=False)), 0, f"{method} {i} turning points")
            power, loss = force * np.cos(1.2 * t) * v[i], delta * v[i] ** 2
            for prefix, inside in (("", t >= 0), ("part_", (t >= 5) & (t <= 15.005))):
                lost, work, e = np.trapz(loss[inside], dx=0.02), np.trapz(power[inside], dx=0.02), energy[i][inside]
                near(found[f"{prefix}dissipated_energy"][i], lost, 1e-10, f"{method} {i} {prefix}dissipated_energy")
                near(found[f"{prefix}drive_work"][i], work, 1e-12, f"{method} {i} {prefix}drive_work")
                near(found[f"{prefix}energy_residual"][i], e[-1] - e[0] + lost - work, 1e-10, f"{method} {i} {prefix}energy_residual")
            v0 = v[i][inside][0]
            near(found["part_energy_initial"][i], e[0], 1e-12, f"{method} {i} energy_initial in a window")
            near(found["part_energy_final"][i], e[-1], 1e-12, f"{method} {i} energy_final in a window")
            near(found["part_energy_drift"][i], np.abs(e - e[0]).max() / max(abs(e[0]), v0 ** 2 / 2), 1e-11, f"{method} {i} energy_drift in a window")
            near(found["x_early"][i], np.abs(x[i][t <= 2]).max(), 0, f"{method} {i} x_max in a window")
            check(np.isnan(found["x_never"][i]), f"{method} {i} x_max of no observation")
            near(found["lyapunov_exponent"][i], exponent(force, delta, t, (x[i], v[i]), 0.02), 1e-7, f"{method} {i} lyapunov_exponent")
        check(found["event_count"].max() >= 4 and found["turns"].min() >= 2, f"there are events to be found: {found}")
        with run("duffing", DUFFING % method, "-d", "reference") as file:
            for name, values in found.items():
                near(file[method][name][()], values, 1e-9, f"{method} {name} on the reference")


SAMPLED = """problem: duffing
parameters: {force: {linear: [0.1, 0.3, 9]}, force_omega: [1.2, 1.25]}
methods: [rk4, theta2]
step: [0.05, 0.1]
end: 60
metrics:
  - {poincare: {period: 2*pi/force_omega, phase: 0.3, skip: 2, samples: 9}}
  - {section: {of: x0, level: 0.8, direction: both, from: 5, samples: 6}}
  - {section: {of: energy, level: -0.1, to: 40, samples: 20, label: of_energy}}
  - {poincare_x: {period: 0.01, label: too_short}}
trajectory: {every: 1}
"""


def samples():
    """Cubics through stored states and the formula's accelerations give the samples; a fine step says they are right."""
    def acceleration(force, w, t, x, v):
        return force * np.cos(w * t) - 0.3 * v + x - x ** 3

    with run("sampled", SAMPLED) as file:
        for method in ("rk4", "theta2"):
            group = file[method]
            steps, forces, omegas = (group[name][()] for name in ("step", "force", "force_omega"))
            for i in np.ndindex(2, 9, 2):
                h, force, w = steps[i[0]], forces[i[1]], omegas[i[2]]
                n = round(60 / h) + 1
                t, x, v = h * np.arange(n), group["x"][i][:n, 0], group["v"][i][:n, 0]
                a = acceleration(force, w, t, x, v)

                def state(time):
                    k = min(int(time / h), n - 2)
                    s = (time - t[k]) / h
                    return [(1 + 2 * s) * (1 - s) ** 2 * y[k] + s * (1 - s) ** 2 * h * f[k] + s * s * (3 - 2 * s) * y[k + 1] + s * s * (s - 1) * h * f[k + 1]
                            for y, f in ((x, v), (v, a))]
                times = [0.3 + (2 + k) * 2 * np.pi / w for k in range(9)]
                times = [time for time in times if time <= 60]
                wanted = np.array([state(time) for time in times])
                check(group["poincare_count"][i] == len(times) >= 8, f"{method} {i}: {group['poincare_count'][i]} samples of {len(times)}")
                near(group["poincare_x"][i][:len(times), 0], wanted[:, 0], 1e-9, f"{method} {i} poincare_x")
                near(group["poincare_v"][i][:len(times), 0], wanted[:, 1], 1e-9, f"{method} {i} poincare_v")
                check(np.all(np.isnan(group["poincare_x"][i][len(times):])), f"{method} {i}: no number where no sample was taken")
                inside = t >= 5
                rough = crossings(t[inside], x[inside] - 0.8)[:6]
                count = group["section_count"][i]
                check(count == len(rough), f"{method} {i}: {count} crossings of {len(rough)}")
                if count:
                    found = group["section_t"][i][:count]
                    near(found, rough, 2e-3, f"{method} {i} section_t")
                    near(group["section_x"][i][:count, 0], 0.8, 1e-9, f"{method} {i} section_x")
                    near(group["section_v"][i][:count, 0], [state(time)[1] for time in found], 1e-9, f"{method} {i} section_v")
                count = group["of_energy_section_count"][i]
                ex, ev = group["of_energy_section_x"][i][:count, 0], group["of_energy_section_v"][i][:count, 0]
                near(ev ** 2 / 2 - ex ** 2 / 2 + ex ** 4 / 4, -0.1, 1e-6, f"{method} {i} a section of the energy")
                check(np.all(np.isnan(group["too_short"][i])), f"{method} {i}: a period below the step has no samples")
        check(group["of_energy_section_count"][()].max() > 3 and group["section_count"][()].max() == 6, "there are crossings to be found")
        found = {name: group[name][()] for name in group if "section_" in name or "poincare_" in name}
    with run("sampled", SAMPLED, "-d", "reference") as file:
        for name, values in found.items():
            near(file[f"theta2/{name}"][()], values, 1e-6, f"{name} on the reference")
    # A fine step: the samples of a coarse one are off by the method's error and the cubic's. Near the boundary of two
    # attractors that grows.
    with run("fine", SAMPLED.replace("[rk4, theta2]", "[rk4]").replace("[0.05, 0.1]", "[0.05, 0.005]").replace("trajectory: {every: 1}", "")) as file:
        group = file["rk4"]
        for name, most in (("poincare_x", 5e-6), ("section_x", 1e-8), ("section_t", 2e-5)):
            apart = np.nanquantile(np.abs(group[name][0] - group[name][1]), 0.9)
            check(apart < most, f"{name} beside a fine step: {apart}")


def steep():
    """Powers of x, of which ten secants do not come near the level: x(t) is a straight line, so that the crossing is known."""
    text = """problem:
  coordinates: [x]
  acceleration: ["0"]
  start: ["-0.001"]
  start_velocity: [1]
  parameters: {n: {linear: [3, 21, 10]}}
  energy: "abs(x)^n"
methods: [rk4]
step: 1
steps: 3
metrics: [{section: {of: energy, level: 1.0e-6, samples: 2}}]
"""
    place = 1e-6 ** (1 / np.linspace(3, 21, 10))
    for words, tolerance in (((), 1e-14), (("--lanes", "8"), 1e-14), (("-s", "precision=single"), 1e-6), (("-d", "reference"), 1e-14)):
        with run("steep", text, *words) as file:
            group = file["rk4"]
            check(np.all(group["section_count"][()] == 1), f"steep {words}: {group['section_count'][()]} crossings")
            near(group["section_x"][:, 0, 0], place, tolerance, f"steep {words} section_x")
            near(group["section_t"][:, 0], place + 0.001, tolerance, f"steep {words} section_t")


def met():
    """x = cos 10 t by a method of second order, some of whose crossings are met to the last digit before ten secants are over."""
    text = """problem: harmonic_oscillator
parameters: {omega: 10, zeta: 0}
methods: [velocity_verlet]
step: {log: [0.005, 0.05, 30]}
end: 2
metrics: [section]
"""
    for words in ((), ("--lanes", "8"), ("-d", "reference")):
        with run("met", text, *words) as file:
            group = file["velocity_verlet"]
            check(np.all(group["section_count"][()] == 3), f"met {words}: {group['section_count'][()]} crossings")
            near(group["section_t"][:, :3] / [(1.5 + 2 * k) * np.pi / 10 for k in range(3)], 1, 0.02, f"met {words} section_t")
            near(group["section_x"][:, :3, 0], 0, 1e-12, f"met {words} section_x")


def drift():
    """Euler's methods change an oscillator's energy by a factor 1 + (h w)^2 a step, explicit, or its inverse: at any mass, in any unit."""
    text = """problem:
  coordinates: [x]
  acceleration: ["-k*x/m"]
  start_velocity: [v0]
  parameters: {m: [1, 1.0e-6, 1.0e-15, 1.0e+20], v0: [1, 1.0e-12], w: 2}
  define: {k: "m*w^2"}
  %s
methods: [explicit_euler, backward_euler]
newton: {tolerance: 0}
step: 0.05
end: 5
metrics: [energy_drift]
"""
    # A file's own function may be called kinetic() though its card does not provide one.
    own = (ROOT / "kernels/problems/pendulum.cl").read_text()
    write("own.cl", own.replace("kinetic, ", "", 1).replace("problem: pendulum", "problem: own", 1))
    with run("own", "problem: ./own.cl\nparameters: {x0: 0, v0: 1}\nmethods: [rk4]\nstep: 0.1\nend: 1\nmetrics: [status, energy_drift]\n", "-d", "native") as file:
        check(np.all(file["rk4/status"][()] == 1), "a problem with a function called kinetic() of its own fails")
    growth = 1.01**100
    kinetic, potential = 'kinetic: "m*v_x^2/2"', "k*x^2/2"
    for name, energy in (("moving", f'{kinetic}\n  potential: "{potential}"'),
                          ("from_zero", f'{kinetic}\n  potential: "{potential} - m*v0^2/2"'),
                          ("raised", f'{kinetic}\n  potential: "{potential} + m*v0^2"'),
                          ("energy_alone", f'energy: "m*v_x^2/2 + {potential}"')):
        for words in (("-d", "native"), ("-d", "native", "--lanes", "1"), ("-d", "reference")):
            scale = 3 if name == "raised" else 1
            with run(name, text % energy, *words) as file:
                near(file["explicit_euler/energy_drift"][()], np.full((4, 2), (growth - 1) / scale), 1e-12, f"{name} {words}, explicit")
                near(file["backward_euler/energy_drift"][()], np.full((4, 2), (1 - 1 / growth) / scale), 1e-12, f"{name} {words}, backward")


def closed_forms():
    # A driven, damped oscillator settles at force/|omega^2 - w^2 + 2 i zeta omega w|.
    text = """problem: harmonic_oscillator
parameters: {zeta: [0.1, 0.3], forcing: cosine, force: 2, force_omega: {linear: [0.5, 2, 4]}}
methods: [rk4]
step: 0.01
end: 200
metrics: [{steady: {of: x0}}, {rms_value: {of: x0, from: 150, label: rms_late}}, {event_interval: {of: x0, from: 100, label: cycle}}, {lyapunov: {}}, energy_residual]
"""
    for device in ([], ["-d", "reference"]):
        with run("driven", text, *device) as file:
            group = file["rk4"]
            zeta, w = group["zeta"][()][:, None], group["force_omega"][()][None, :]
            amplitude = 2 / np.abs(1 - w ** 2 + 2j * zeta * w)
            near(group["steady_amplitude"][()], amplitude, 3e-5, "amplitude of a driven oscillator")
            check(group["steady_change"][()].max() < 1e-4, "it is steady")
            near(group["rms_late"][()], amplitude / np.sqrt(2), 2e-2, "root mean square of a driven oscillator")
            near(group["cycle"][()], 2 * np.pi / w + 0 * zeta, 1e-5, "time between crossings of a driven oscillator")
            # A deviation turns and decays by the real part of the eigenvalues, -zeta; it begins anywhere on its ellipse.
            near(group["lyapunov_exponent"][()], -zeta + 0 * w, 1e-2, "exponent of a damped oscillator")
            check(np.abs(group["energy_residual"][()]).max() < 1e-3, "the trapezoidal rule's residual")
    # Halving the step divides the trapezoidal rule's part of the residual by 4: the method's own is of fourth order.
    residuals = []
    for step in (0.04, 0.02):
        with run("driven", text, "-s", f"step={step}") as file:
            residuals.append(np.abs(file["rk4/energy_residual"][()]).max())
    check(3.5 < residuals[0] / residuals[1] < 4.5, f"the residual is of second order: {residuals}")
    # Undamped, trapezoidal: nothing is dissipated, and backward Euler loses what its residual says.
    text = """problem: harmonic_oscillator
methods: [backward_euler]
step: 0.01
end: 20
metrics: [energy_residual, dissipated_energy, drive_work, energy_initial, energy_final]
"""
    with run("free", text) as file:
        group = file["backward_euler"]
        check(group["dissipated_energy"][()] == 0 and group["drive_work"][()] == 0, "nothing dissipated, no work")
        near(group["energy_residual"][()], group["energy_final"][()] - group["energy_initial"][()], 1e-14, "what the method loses")
        check(group["energy_residual"][()] < -0.05, "backward Euler loses energy")


def published():
    """Lorenz: 0.9056; Ueda's oscillator: 0.1034 (Sprott 2003, Chaos and Time-Series Analysis, appendix A). Means of 16
    motions, whose own spread says how sure they are."""
    text = """problem: {}
parameters: {}
methods: [rk4]
step: {}
end: {}
metrics: [{{lyapunov: {{from: 100}}}}]
"""
    for name, wanted, within, words in (("lorenz", 0.9056, 0.004, ("lorenz", "{x0: {linear: [1, 2, 16]}}", 0.01, 1000)),
                                        ("ueda", 0.1034, 0.004, ("duffing", "{delta: 0.05, alpha: 0, force: 7.5, force_omega: 1, x0: {linear: [2.5, 2.6, 16]}}", 0.02, 4000))):
        with run(name, text.format(*words)) as file:
            found = file["rk4/lyapunov_exponent"][()]
            check(abs(found.mean() - wanted) < within, f"{name}: {found.mean()} of {found}, published is {wanted}")
            check(found.std() < 0.05 * wanted + 0.005, f"{name}: the motions agree: {found}")
    # At rho = 13 it comes to rest, and the exponent is the largest real part of the eigenvalues there.
    with run("rest", text.format("lorenz", "{rho: 13}", 0.01, 400)) as file:
        s, r, b = 10, 13, 8 / 3
        c = np.sqrt(b * (r - 1))
        wanted = np.linalg.eigvals([[-s, s, 0], [1, -1, -c], [c, c, -b]]).real.max()
        near(file["rk4/lyapunov_exponent"][()], wanted, 1e-3, "exponent at a point of rest")


def gaps():
    """A quantity that rises by 1 a step but for a fall in its fourth step, where it is no number, and is positive at every sixteenth,
    where a block of observations ends: it crosses zero once in 16 steps."""
    place = "(t + 0.005 - 0.16*floor((t + 0.005)/0.16))"
    text = f"""problem: harmonic_oscillator
methods: [rk4]
step: 0.01
steps: 160
observe: {{q: "100*{place} + 4.3 - 10*(1 + sign({place} - 0.045)) + 0*sqrt(({place} - 0.04)*({place} - 0.05))"}}
metrics: [{{period: {{of: q}}}}]
"""
    with run("gaps", text) as file:
        near(file["rk4/period"][()], 0.16, 1e-9, "time between crossings behind gaps")


main(from_samples, samples, steep, met, drift, closed_forms, published, gaps, fine="all as documented")
