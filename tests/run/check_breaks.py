# check_breaks -- steps meet breaks exactly: infusions, doses and kicks beside their closed forms, in kernels and the reference.
import math

from checking import answer, check, folder, main, need, need_compiler, pendula, read, refused, results, SHIPPED, write

np, h5py = need("numpy", "h5py")

DEVICES = ("reference", "native")
K, RATE, DUR, TAU, END = 0.3, 2.0, 1.1, 5.3, 24.0
STEPS = (0.8, 0.4, 0.2, 0.1)


def infusion(t, dur=DUR):
    """c' = -K c + RATE while an infusion lasts, each TAU from 0 on, from c = 0."""
    begins = (n * TAU for n in range(math.ceil(t / TAU)))
    return sum(RATE / K * (math.exp(-K * (t - min(begin + dur, t))) - math.exp(-K * (t - begin))) for begin in begins)


def doses(t, tau, count, k=K, dose=2.0):
    """Doses at 0, tau, ...; that at t counts."""
    return sum(dose * math.exp(-k * (t - i * tau)) for i in range(count) if i * tau <= t)


def kicked(t, times, w=2.0, kick=1.5):
    """An oscillator at rest, whose velocity jumps."""
    return sum(kick / w * math.sin(w * (t - at)) for at in times if at <= t)


def orders(name, errors, order):
    """Errors of steps that are halved: the order of the last ones is that of the method, or more where pieces are shorter than their steps."""
    found = math.log2(errors[1] / errors[-1]) / (len(errors) - 2)
    check(found > order - 0.3, f"{name}: order {found} of {errors}")


INFUSION = f"""problem:
  coordinates: [c]
  rate: ["RATE - {K}*c"]
  parameters: {{dur: {DUR}, tau: {TAU}}}
breaks: {{at: [0, dur], every: tau}}
end: {END}
metrics: [status, x_final, substeps, steps, evaluations]
"""
# The jumps of the rate as a reader of the file would write them: both sides are found though the formula rounds.
JUMPS = "if(t - tau*floor(t/tau) < dur, 2, 0)"


def test_infusions_keep_the_order():
    expected = infusion(END)
    methods = {"rk4": 4, "rk2": 2, "explicit_euler": 1, "backward_euler": 1, "trapezoidal": 2, "tr_bdf2": 2, "bdf2": 2}
    for device in DEVICES:
        text = INFUSION.replace("RATE", JUMPS) + f"methods: [{', '.join(methods)}]\nstep: {list(STEPS)}\n"
        with results(f"infusion_{device}", text, device=device) as file:
            for method, order in methods.items():
                group = file[method]
                check(np.all(group["status"][...] == 1), f"{method}: {group['status'][...]}")
                errors = abs(group["x_final"][...].reshape(-1) - expected)
                print(device, method, errors)
                orders(f"{device} {method}", errors, order)
            # Each step of 0.1 that begins with an infusion or ends with one between its ends is taken in two pieces.
            rk4 = file["rk4"]
            times = sorted(n * TAU + d for n in range(5) for d in (0.0, DUR))
            for i, h in enumerate(STEPS):
                inside = [t for t in times if t < END and abs(t / h - round(t / h)) > 1e-9]
                split = len({math.floor(t / h) for t in inside})
                pieces = len(inside) + split
                check(rk4["substeps"][...][i] == pieces, f"h = {h}: {rk4['substeps'][...][i]} pieces, not {pieces}")
                check(rk4["evaluations"][...][i] == 4 * (rk4["steps"][...][i] + len(inside)), f"h = {h}: {rk4['evaluations'][...][i]} evaluations")


def test_adaptive_methods_pass_breaks():
    """At each tolerance the error is in proportion to it, and no substep is refused down to the least size."""
    for device in DEVICES:
        text = INFUSION.replace("RATE", JUMPS) + "step: 3\nsubsteps: {budget: 100000}\nmethods:\n"
        for method in ("dopri5_adaptive", "esdirk4_adaptive"):
            text += f"  - {method}: {{rtol: [1.0e-4, 1.0e-6, 1.0e-8, 1.0e-10], atol: 1.0e-12}}\n"
        with results(f"adaptive_{device}", text.replace("substeps, ", "substeps, failed_solves, "), device=device) as file:
            for method in ("dopri5_adaptive", "esdirk4_adaptive"):
                group = file[method]
                check(np.all(group["status"][...] == 1), f"{method}: {group['status'][...]}")
                errors = abs(group["x_final"][...].reshape(-1) / infusion(END) - 1)
                print(device, method, errors, group["substeps"][...], group["failed_solves"][...])
                check(np.all(errors < 10 * np.array([1e-4, 1e-6, 1e-8, 1e-10])), f"{method}: {errors}")
                check(np.all(group["failed_solves"][...] < 25), f"{method}: {group['failed_solves'][...]} substeps refused")


def test_doses_are_set():
    """A geometric sum, at the order of the method; a dose at t = 0 and one at the end count."""
    for device in DEVICES:
        text = f"""problem:
  coordinates: [c]
  rate: ["-{K}*c"]
  parameters: {{dose: 2, tau: [1.7, 2.4]}}
breaks: [{{at: 0, every: tau, count: 11, set: {{c: c + dose}}}}]
end: {END}
methods: [rk4, trapezoidal]
step: {list(STEPS)}
metrics: [status, x_final]
trajectory: {{every: 1, fields: [x], where: {{step: 0.1}}}}
"""
        with results(f"doses_{device}", text, device=device) as file:
            for method, order in (("rk4", 4), ("trapezoidal", 2)):
                x = file[method]["x_final"][...]
                for i, tau in enumerate((1.7, 2.4)):
                    errors = abs(x[:, i].reshape(-1) - doses(END, tau, 11))
                    print(device, method, tau, errors)
                    orders(f"{device} {method} tau = {tau}", errors, order)
            samples = file["rk4/x"][...].reshape(2, -1)
            check(samples[0, 0] == 2.0, f"the dose at t = 0: {samples[0, 0]}")
            for i, tau in enumerate((1.7, 2.4)):
                right = [doses(n * 0.1 + 1e-9, tau, 11) for n in range(samples.shape[1])]
                check(np.allclose(samples[i], right, atol=1e-6), f"samples of tau = {tau}: {np.max(abs(samples[i] - right))}")


def test_kicks_by_methods_of_second_order():
    times = (0.35, 1.15, 1.95, 2.75, 3.3)
    text = """problem: {coordinates: [x], acceleration: ["-4*x"], parameters: {kick: 1.5}}
breaks:
  - {at: 0.35, every: 0.8, count: 4, set: {v_x: v_x + kick}}
  - {at: 3.3, set: {v_x: v_x + kick, x: x}}
methods: [velocity_verlet, generalized_alpha, newmark, bathe, theta2, {theta2: , label: variable, substeps: {start: variable}}, chung_lee, rk4]
end: 4
step: [0.2, 0.1, 0.05, 0.025]
metrics: [status, x_final]
"""
    for device in DEVICES:
        with results(f"kicks_{device}", text, device=device) as file:
            for method in ("velocity_verlet", "generalized_alpha", "newmark", "bathe", "theta2", "variable", "chung_lee", "rk4"):
                group = file[method]
                check(np.all(group["status"][...] == 1), f"{method}: {group['status'][...]}")
                errors = abs(group["x_final"][...].reshape(-1) - kicked(4.0, times))
                print(device, method, errors)
                orders(f"{device} {method}", errors, 4 if method == "rk4" else 2)


def test_times_that_are_one():
    """0.1 + 0.1 + 0.1 is another number than 0.3, and one break: both entries set, in the order of the file."""
    text = """problem: {coordinates: [c], rate: ["0*c"], start: [1]}
breaks: [{at: 0.1, every: 0.1, count: 5, set: {c: 2*c}}, {at: 0.3, set: {c: c + 10}}, {at: [0.3, 7], set: {c: 3*c}}]
methods: [rk4, {dopri5_adaptive: {}}, backward_euler]
end: 1
step: 0.25
metrics: [status, x_final, substeps]
"""
    expected = ((1 * 8 + 10) * 3) * 4
    for device in DEVICES:
        with results(f"one_{device}", text, device=device) as file:
            for method in ("rk4", "dopri5_adaptive", "backward_euler"):
                check(abs(file[method]["x_final"][...].item() - expected) < 1e-12 * expected, f"{device} {method}: {file[method]['x_final'][...]}")
            # Breaks at 0.1, 0.2, 0.3, 0.4 and at 0.5, which is the end of a step.
            check(file["rk4/substeps"][...].item() == 6, f"{file['rk4/substeps'][...]} pieces")


def test_formulas_that_are_no_times():
    text = """problem: {coordinates: [c], rate: ["-c"], start: [1], parameters: {tau: [-1, 0, 0.5]}}
breaks: {at: 0, every: tau}
methods: [rk4]
end: 1
step: 0.25
metrics: [status]
"""
    for device in DEVICES:
        with results(f"none_{device}", text, device=device) as file:
            check(list(file["rk4/status"][...]) == [5, 5, 1], f"{device}: {file['rk4/status'][...]}")


def test_devices_agree():
    """The same bits with 1 lane and with 16, and the reference within rounding, though points have breaks at different times."""
    text = INFUSION.replace("RATE", JUMPS).replace(f"tau: {TAU}", "tau: {linear: [2, 9, 40]}")
    text += "methods: [rk4, dopri5_adaptive, bdf2, tr_bdf2_adaptive]\nstep: 0.7\n"
    found = {}
    for name, words in (("one", ("--lanes", "1")), ("many", ("--lanes", "16"))):
        with results(f"lanes_{name}", text, *words, device="native") as file:
            found[name] = {method: file[method]["x_final"][...] for method in ("rk4", "dopri5_adaptive", "bdf2", "tr_bdf2_adaptive")}
    with results("lanes_reference", text, device="reference") as file:
        for method, x in found["one"].items():
            check(x.tobytes() == found["many"][method].tobytes(), f"{method}: other bits with 16 lanes")
            apart = np.max(abs(file[method]["x_final"][...] / x - 1))
            check(apart < (1e-12 if method in ("rk4", "bdf2") else 1e-7), f"{method}: the reference is {apart} apart")


def test_result_files():
    """The breaks are settings of a file: it goes on with the same, and is not continued with others."""
    text = INFUSION.replace("RATE", JUMPS) + "methods: [rk4]\nstep: 0.8\n"
    write("kept.yaml", text)
    pendula("run", "kept.yaml", "-d", "native", "-o", "kept.h5")
    pendula("run", "kept.yaml", "-d", "native", "-o", "kept.h5", "--resume")
    write("other.yaml", text.replace("every: tau", "every: 2*tau"))
    refused("kept.h5", "run", "other.yaml", "-d", "native", "-o", "kept.h5", "--resume", code=4)
    pendula("run", "other.yaml", "-d", "native", "-o", "new.h5", "--reuse", "kept.h5")
    check(abs(read("new", "rk4/x_final").item() - read("kept", "rk4/x_final").item()) > 1e-3, "points of other breaks were copied")


def test_certificates():
    """Each substep, each break that is passed and each metric, of kernels of both precisions and of the reference; a point is replayed."""
    infusions = INFUSION.replace("RATE", JUMPS).replace(f"end: {END}", "end: 8").replace(f"tau: {TAU}", "tau: [5.3, 2.9]")
    sweeps = {
        "infusions": infusions + "methods: [rk4, trapezoidal, dopri5_adaptive, tr_bdf2_adaptive]\nstep: [0.8, 0.3]\n",
        "doses": f"""problem: {{coordinates: [c], rate: ["-{K}*c"], parameters: {{dose: 2, tau: [1.7, 2.4]}}}}
breaks: [{{at: 0, every: tau, count: 4, set: {{c: c + dose}}}}]
end: 8
methods: [rk4, esdirk4_adaptive]
step: 0.4
""",
        "kicks": """problem: {coordinates: [x], acceleration: ["-4*x - 0.1*x^3"], parameters: {kick: 1.5}}
breaks:
  - {at: 0.35, every: 0.8, count: 4, set: {v_x: v_x + kick}}
  - {at: 3.3, set: {v_x: "if(x > 0, v_x + kick, v_x)", x: 0.5*x}}
methods: [velocity_verlet, theta2, {theta2: , label: variable, substeps: {start: variable}}, generalized_alpha_adaptive, chung_lee,
  {newmark: , label: ahead, newton: {guess: extrapolated}}]
end: 4
step: [0.2, 0.05]
""",
    }
    for name, text in sweeps.items():
        write(f"{name}.yaml", text)
        told = answer("conform", f"{name}.yaml", "-d", "native")
        check("DOES NOT" not in told, f"conform says {told}")
    write("single.yaml", "precision: single\n" + sweeps["kicks"])
    answer("conform", "single.yaml", "-d", "native")
    pendula("run", "kicks.yaml", "-d", "native", "-o", "kicks.h5")
    check("hold" in answer("replay", "kicks.h5", "--group", "variable", "--point", "1", "-d", "native"), "a point is replayed")


def test_shipped():
    pendula("run", SHIPPED / "dosing.yaml", "-d", "native", "-o", "shipped.h5")
    with h5py.File(folder / "shipped.h5") as file:
        def exact(dur, k=0.17, dose=5.0, tau=8.0, end=240.0):
            return sum(dose / dur / k * (math.exp(-k * (end - n * tau - dur)) - math.exp(-k * (end - n * tau))) for n in range(30))
        for method, bounds in (("rk4", (1e-4, 3e-5, 2e-6)), ("dopri5_adaptive", (1e-7,) * 3)):
            check(np.all(file[method]["status"][...] == 1), f"{method}: {file[method]['status'][...]}")
            for i, bound in enumerate(bounds):
                errors = [abs(x / exact(dur) - 1) for x, dur in zip(file[method]["x_final"][...][i].reshape(-1), (0.5, 1.5, 3.7))]
                print(method, i, errors)
                check(max(errors) < bound, f"{method}: {errors}")


need_compiler()
main(test_infusions_keep_the_order, test_adaptive_methods_pass_breaks, test_doses_are_set, test_kicks_by_methods_of_second_order,
     test_times_that_are_one, test_formulas_that_are_no_times, test_devices_agree, test_result_files, test_certificates, test_shipped)
