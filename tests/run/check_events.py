# check_events -- sign changes of formulas within steps: places and times beside closed forms, what is set, counted and ended.
import math
import pathlib

from checking import answer, check, folder, main, need, need_compiler, pendula, read, refused, results, write

np, h5py = need("numpy", "h5py")

DEVICES = ("reference", "native")
SWEEPS = pathlib.Path(__file__).resolve().parents[2] / "sweeps"
G = 9.81
CHATTER = 7


def bounces(e, x0=1.0, count=8):
    """Times at which a ball meets the floor that falls from x0."""
    fall = math.sqrt(2 * x0 / G)
    return [fall * (1 + 2 * sum(e**k for k in range(1, n + 1))) for n in range(count)]


def ball(t, e, x0=1.0):
    """Height and velocity."""
    times = [b for b in bounces(e, x0, 60) if b <= t]
    if not times:
        return x0 - G * t * t / 2, -G * t
    up = e ** len(times) * math.sqrt(2 * G * x0)
    return up * (t - times[-1]) - G * (t - times[-1]) ** 2 / 2, up - G * (t - times[-1])


BALL = f"""problem: {{coordinates: [x], acceleration: ["-g"], start: [x0], start_velocity: [v0], parameters: {{g: {G}, e: 0.8, x0: 1, v0: 0}}, potential: "g*x", kinetic: "v_x^2/2"}}
events:
  - {{when: "x", direction: down, set: {{v_x: "-e*v_x"}}, count: bounces, times: 8}}
"""
# For a constant acceleration these are exact; the others have an error that the step bounds.
EXACT = ("rk4", "rk2", "velocity_verlet", "yoshida4", "newmark", "generalized_alpha", "dopri5_adaptive", "tr_bdf2_adaptive", "rodas5p", "guess")
ROUGH = {"theta2": 2, "variable": 2, "symplectic_euler": 1, "implicit_midpoint": 2}
METHODS = "[rk4, rk2, velocity_verlet, yoshida4, newmark, generalized_alpha, dopri5_adaptive, tr_bdf2_adaptive, rodas5p, {newmark: , label: guess, newton: {guess: extrapolated}}, symplectic_euler, implicit_midpoint, theta2, {theta2: , label: variable, substeps: {start: variable}}]"


def test_a_bouncing_ball():
    x, v = ball(2.0, 0.8)
    check(abs(x - 0.26074172832705730) < 1e-15, f"the closed form: {x}")
    for device in DEVICES:
        with results(f"ball_{device}", BALL + f"methods: {METHODS}\nend: 2\nstep: [0.5, 0.07, 0.01]\nmetrics: [status, bounces_time_2, x_final, v_final, steps]\n", device=device) as file:
            for method in EXACT:
                group = file[method]
                check(np.all(group["status"][...] == 1) and np.all(group["bounces"][...] == 3), f"{device} {method}: {group['status'][...]}, {group['bounces'][...]}")
                ends = [ball(end, 0.8) for end in (2.0, 29 * 0.07, 2.0)]
                check(np.all(abs(group["x_final"][:, 0] - [x for x, _ in ends]) < 1e-13), f"{device} {method}: {group['x_final'][:, 0]}")
                check(np.all(abs(group["v_final"][:, 0] - [v for _, v in ends]) < 1e-12), f"{device} {method}: {group['v_final'][:, 0]}")
                for k, time in enumerate(bounces(0.8)):
                    found = group[f"bounces_time_{k + 1}"][...]
                    check(np.all(abs(found - time) < 1e-13 if k < 3 else np.isnan(found)), f"{device} {method}: bounce {k + 1} at {found}, not {time}")
            for method, order in ROUGH.items():
                # One whose first step is longer than the next flight ends as chatter, and has no times.
                errors, fine = abs(file[method]["bounces_time_1"][...] - bounces(0.8)[0]), file[method]["status"][...] == 1
                check(fine[2] and np.all(errors[fine] < (2 * np.array([0.5, 0.07, 0.01]) ** order)[fine]), f"{device} {method}: {errors}")
        text = BALL + "methods: [rk4]\nstep: 0.1\nend: 2\nprecision: single\nmetrics: [x_final, bounces]\n"
        with results(f"single_{device}", text, device=device) as file:
            check(abs(file["rk4/x_final"][...].item() - x) < 2e-6 and file["rk4/bounces"][...].item() == 3, f"in single precision: {file['rk4/x_final'][...]}")
            check(abs(file["rk4/bounces_time_3"][...].item() - bounces(0.8)[2]) < 1e-6, f"in single precision: {file['rk4/bounces_time_3'][...]}")


def test_formulas_that_begin_at_0():
    """The side is that to which the formula moves: a ball that is thrown from the floor falls on it, and one below is no event."""
    text = BALL.replace("x0: 1", "x0: [0, -1e-3]").replace("v0: 0", "v0: [3, -3, 0]") + "methods: [rk4, newmark, dopri5_adaptive]\nstep: 1\nsteps: 1\n"
    text += "metrics: [status, x_final]\n"
    for device in DEVICES:
        with results(f"zero_{device}", text, device=device) as file:
            for method in ("rk4", "newmark", "dopri5_adaptive"):
                group = file[method]
                flight = 2 * 3 / G
                # Thrown up from 0 it bounces after its flight; from below it crosses the floor upwards first, which is none.
                check(list(group["bounces"][0]) == [1, 0, 0], f"{device} {method}: {group['bounces'][0]} from the floor")
                check(abs(group["bounces_time_1"][0, 0] - flight) < 1e-14, f"{device} {method}: {group['bounces_time_1'][0, 0]}, not {flight}")
                left = 1 - flight
                check(abs(group["x_final"][0, 0, 0] - (0.8 * 3 * left - G * left**2 / 2)) < 1e-13, f"{device} {method}: {group['x_final'][0, 0]}")
                check(abs(group["x_final"][0, 2, 0] + G / 2) < 1e-13, f"{device} {method}: at rest on the floor it falls: {group['x_final'][0, 2]}")
                check(list(group["bounces"][1]) == [0, 0, 0], f"{device} {method}: {group['bounces'][1]} from below")
    # In steps it is seen above the floor between two of them.
    with results("below", text.replace("step: 1\nsteps: 1", "step: 0.1\nsteps: 7"), device="native") as file:
        check(list(file["rk4/bounces"][1]) == [1, 0, 0], f"from below, in steps: {file['rk4/bounces'][1]}")


def test_zeros_of_an_oscillator():
    """cos(w t) is 0 at (k + 1/2) pi/w: upwards every second time."""
    text = """problem: {coordinates: [x], acceleration: ["-w^2*x"], start: [1], parameters: {w: 3}}
events:
  - {when: "x", count: all, times: 9}
  - {when: "x", direction: up, count: ups, times: 5}
  - {when: "x", direction: down, count: downs, times: 5}
  - {when: "v_x + 0.5*w*x", direction: both, count: mixed, times: 9}
  - {when: "t - 2.5", count: clock, times: 1}
methods: [rk4, {dopri5_adaptive: {rtol: 1.0e-12, atol: 1.0e-12}}, newmark]
step: [0.1, 0.01]
end: 9
metrics: [status, x_final]
"""
    zeros = [(k + 0.5) * math.pi / 3 for k in range(9)]
    mixed = [(math.atan(0.5) + k * math.pi) / 3 for k in range(9)]
    for device in DEVICES:
        with results(f"zeros_{device}", text, device=device) as file:
            for method, bounds in (("rk4", (2e-2, 2e-6)), ("dopri5_adaptive", (1e-9, 1e-9)), ("newmark", (0.2, 2e-3))):
                group = file[method]
                for name, times in (("all", zeros), ("ups", zeros[1::2]), ("downs", zeros[::2]), ("mixed", mixed), ("clock", [2.5])):
                    check(np.all(group[name][...] == len(times)), f"{device} {method}: {group[name][...]} {name}, not {len(times)}")
                    for k, time in enumerate(times):
                        apart = abs(group[f"{name}_time_{k + 1}"][...] - time)
                        check(np.all(apart <= bounds), f"{device} {method}: {name} {k + 1} is {apart} apart")
                # The first two entries lie at one place each time.
                check(np.all(group["ups_time_1"][...] == group["all_time_2"][...]), f"{device} {method}: one place, two times")


def test_events_set_in_order():
    """Two formulas with one place: the second entry sees what the first has set, and all formulas of an entry see the state before it."""
    text = """problem: {coordinates: [a, b], rate: ["1", "0"], start: [0, 1]}
events:
  - {when: "a - 1.25", direction: up, set: {b: "3*b"}, count: first}
  - {when: "2*a - 2.5", direction: up, set: {b: "b + 10"}, count: second}
  - {when: "a - 2", direction: up, set: {a: "b", b: "a"}, count: swaps}
  - {when: "b - 40", count: never}
methods: [rk4, explicit_euler, backward_euler, dopri5_adaptive]
step: 0.5
end: 2.5
metrics: [status, x_final, substeps]
"""
    for device in DEVICES:
        with results(f"order_{device}", text, device=device) as file:
            for method in ("rk4", "explicit_euler", "backward_euler", "dopri5_adaptive"):
                group = file[method]
                counts = [group[name][...].item() for name in ("first", "second", "swaps", "never")]
                check(counts == [1, 1, 1, 0], f"{device} {method}: {counts}")
                check(np.all(abs(group["x_final"][...].reshape(-1) - (13.5, 2)) < 1e-12), f"{device} {method}: {group['x_final'][...]}")
            # A place within a step leaves two pieces of it; one at the end of a step leaves it whole, but for rounding.
            check(file["explicit_euler/substeps"][...].item() in (2, 3), f"{device}: {file['explicit_euler/substeps'][...]} pieces")


def test_a_dose_at_a_threshold():
    """c' = -k c from c0: a dose each time c has fallen to low, which then takes ln((low + dose)/low)/k."""
    text = """problem: {coordinates: [c], rate: ["-k*c"], start: [2], parameters: {k: 0.3, low: [0.5, 0.7], dose: 1.5}}
events: [{when: c - low, direction: down, set: {c: c + dose}, count: doses, times: 6}]
methods: [{dopri5_adaptive: {rtol: 1.0e-12, atol: 1.0e-14}}, rk4]
step: 0.5
end: 24
metrics: [status, x_final]
trajectory: {every: 1, fields: [x]}
"""
    for device in DEVICES:
        with results(f"threshold_{device}", text, device=device) as file:
            for i, low in enumerate((0.5, 0.7)):
                first, between = math.log(2 / low) / 0.3, math.log((low + 1.5) / low) / 0.3
                number = math.floor((24 - first) / between) + 1
                left = (low + 1.5) * math.exp(-0.3 * (24 - first - (number - 1) * between))
                for method, bound in (("dopri5_adaptive", 1e-10), ("rk4", 1e-4)):
                    group = file[method]
                    check(group["doses"][i] == number, f"{device} {method}: {group['doses'][i]} doses, not {number}")
                    check(abs(group["x_final"][i, 0] / left - 1) < bound, f"{device} {method}: {group['x_final'][i, 0]}, not {left}")
                    for k in range(min(6, number)):
                        check(abs(group[f"doses_time_{k + 1}"][i] - first - k * between) < 10 * bound, f"{device} {method}: dose {k + 1}")
                    check(np.min(group["x"][i]) > low and np.max(group["x"][i, 1:]) < low + 1.5, f"{device} {method}: a sample stands behind a dose")


def test_a_point_that_stops():
    """A ball that is caught at the floor: its fall takes sqrt(2 x0/g), and steps behind are not taken."""
    text = BALL.replace("x0: 1", "x0: [1, 2, 30]").replace("times: 8}", "times: 2, stop: true}") + """methods: [rk4, newmark, dopri5_adaptive]
step: 0.1
end: 1
metrics: [status, x_final, v_final, steps, time_final]
trajectory: {every: 1, fields: [x]}
"""
    for device in DEVICES:
        with results(f"stop_{device}", text, device=device) as file:
            for method in ("rk4", "newmark", "dopri5_adaptive"):
                group = file[method]
                check(np.all(group["status"][...] == 1), f"{device} {method}: {group['status'][...]}")
                falls = [math.sqrt(2 * x0 / G) for x0 in (1, 2)]
                check(np.all(abs(group["time_final"][...] - [*falls, 1]) < 1e-14), f"{device} {method}: ends at {group['time_final'][...]}")
                check(list(group["steps"][...]) == [4, 6, 10] and list(group["bounces"][...]) == [1, 1, 0], f"{device} {method}: {group['steps'][...]} steps")
                check(np.all(abs(group["x_final"][:, 0] - (0, 0, 30 - G / 2)) < 1e-13), f"{device} {method}: {group['x_final'][...]}")
                check(np.all(abs(group["v_final"][:2, 0] - [0.8 * G * fall for fall in falls]) < 1e-13), f"{device} {method}: states are set: {group['v_final'][...]}")
                samples = group["x"][...].reshape(3, -1)
                check(list(np.sum(~np.isnan(samples), axis=1)) == [5, 7, 11], f"{device} {method}: samples {samples}")


def test_chatter():
    """The bounces of a ball end before the ball does: no method goes on for ever, and none falls through the floor."""
    text = BALL.replace("e: 0.8", "e: [0.9, 0.5, 0.1, 1.0e-3]") + """methods: [rk4, newmark, symplectic_euler, generalized_alpha, dopri5_adaptive, tr_bdf2_adaptive, backward_euler, bdf2, {newmark: , label: guess, newton: {guess: extrapolated}}]
step: [0.5, 0.03, 20]
steps: 1000
metrics: [status, x_final, steps]
"""
    for device in DEVICES:
        for precision in ("double", "single"):
            with results(f"chatter_{device}_{precision}", text + f"precision: {precision}\n", device=device) as file:
                for method in file:
                    if "status" not in file[method]:
                        continue
                    group = file[method]
                    check(np.all(group["status"][...] == CHATTER), f"{device} {precision} {method}: {group['status'][...]}")
                    check(np.all(np.isnan(group["x_final"][...])) and np.all(group["bounces"][...] > 0), f"{device} {precision} {method}: {group['x_final'][...]}")
                # The bounces of the first ball take 8.58 s in all: at h = 0.03 it ends when 65 of them fall into one step.
                fall, e, h = math.sqrt(2 / G), 0.9, 0.03
                times = bounces(e, count=400)
                expected = next(n for n in range(1000) if sum(n * h < t <= (n + 1) * h for t in times) > 64)
                if precision == "double":
                    check(file["rk4/steps"][1, 0] == expected, f"{device}: chatter in step {file['rk4/steps'][1, 0]}, not {expected}")
    # Another floor: the numbers about it are coarse, and the flights are lost in them.
    high = BALL.replace('"x"', '"x - 1000"').replace("x0: 1,", "x0: 1001,").replace("e: 0.8", "e: [0.8, 0.3]") + "methods: [rk4, dopri5_adaptive]\nstep: 0.1\nend: 9\nmetrics: [status]\n"
    for device in DEVICES:
        with results(f"high_{device}", high, device=device) as file:
            check(np.all(file["rk4/status"][...] == CHATTER) and np.all(file["dopri5_adaptive/status"][...] == CHATTER), f"{device}: {file['rk4/status'][...]}")


def test_events_beside_breaks():
    """A kick at a break, and a wall: each is met at its time. An event at a break passes first."""
    text = """problem: {coordinates: [x], acceleration: ["0"], start: [0], start_velocity: [1]}
breaks: [{at: 0.35, set: {v_x: "2*v_x"}}, {at: 1.0, set: {x: "x + 100"}}]
events:
  - {when: "x - 0.85", direction: up, set: {v_x: "-v_x"}, count: walls, times: 2}
  - {when: "t - 1", direction: up, set: {x: "2*x"}, count: clock}
methods: [rk4, velocity_verlet, newmark, dopri5_adaptive]
step: [0.5, 0.4, 0.1]
end: 1.2
metrics: [status, x_final]
"""
    # 0.35 there, then twice as fast to 0.85 at 0.6, back to 0.05 at 1, doubled, moved, and on to the end.
    ends = [2 * 0.05 + 100 - 2 * (t - 1) for t in (1.0, 1.2, 1.2)]
    for device in DEVICES:
        with results(f"breaks_{device}", text, device=device) as file:
            for method in ("rk4", "velocity_verlet", "newmark", "dopri5_adaptive"):
                group = file[method]
                check(np.all(abs(group["x_final"][:, 0] - ends) < 1e-12), f"{device} {method}: {group['x_final'][:, 0]}, not {ends}")
                check(np.all(group["walls"][...] == 1) and np.all(group["clock"][...] == 1), f"{device} {method}: {group['walls'][...]}, {group['clock'][...]}")
                check(np.all(abs(group["walls_time_1"][...] - 0.6) < 1e-14), f"{device} {method}: {group['walls_time_1'][...]}")


def test_halved_steps():
    """Steps whose solves fail are halved, and events are found in their parts."""
    text = """problem: {coordinates: [x], acceleration: ["-w^2*sin(x)"], start: [3], parameters: {w: 40}}
events: [{when: "x", count: zeros, times: 3}]
methods: [newmark, theta2]
step: 0.2
end: 2
newton: {max_updates: 5}
substeps: {budget: 5000}
metrics: [status, failed_solves, substeps, x_final]
"""
    found = {}
    for device in DEVICES:
        with results(f"halved_{device}", text, device=device) as file:
            for method in ("newmark", "theta2"):
                group = file[method]
                check(group["status"][...] == 1 and group["failed_solves"][...] > 0 and group["zeros"][...] > 0, f"{device} {method}: {group['status'][...]}, {group['failed_solves'][...]} failed")
                found[device, method] = group["zeros_time_1"][...].item()
    for method in ("newmark", "theta2"):
        check(abs(found["native", method] / found["reference", method] - 1) < 1e-6, f"{method}: {found}")


def test_devices_agree():
    """The same bits with 1 lane and with 16, whatever launches cut, and the reference within rounding, though points have events at different times."""
    methods = ("rk4", "newmark", "theta2", "dopri5_adaptive", "tr_bdf2_adaptive")
    text = BALL.replace("e: 0.8", "e: {linear: [0.75, 1, 37]}").replace("x0: 1", "x0: {linear: [1, 2, 3]}") + f"""methods: [{', '.join(methods)}]
step: 0.02
end: 2.4
metrics: [status, x_final, x_max, updates, substeps, evaluations]
"""
    found = {}
    for name, words in (("one", ("--lanes", "1")), ("many", ("--lanes", "16"))):
        with results(f"lanes_{name}", text, *words, device="native") as file:
            found[name] = {f"{method}/{v}": file[method][v][...] for method in methods for v in file[method] if v not in ("source", "e", "x0")}
    for name, values in found["one"].items():
        check(values.tobytes() == found["many"][name].tobytes(), f"{name}: other bits with 16 lanes")
    with results("lanes_reference", text, device="reference") as file:
        for method in methods:
            check(np.all(file[method]["status"][...] == 1) and np.all(found["one"][f"{method}/status"] == 1), f"{method}: {file[method]['status'][...]}")
            check(np.all(file[method]["bounces"][...] == found["one"][f"{method}/bounces"]), f"{method}: other numbers of bounces")
            for v in ("x_final", "bounces_time_1", "bounces_time_3"):
                apart = np.nanmax(abs(file[method][v][...] - found["one"][f"{method}/{v}"]))
                check(apart < 1e-11, f"{method}: {v} of the reference is {apart} apart")


def test_result_files():
    """The events are settings of a file: it goes on with the same, and is not continued with others."""
    text = BALL + "methods: [rk4]\nstep: 0.1\nend: 2\n"
    write("kept.yaml", text)
    pendula("run", "kept.yaml", "-d", "native", "-o", "kept.h5")
    pendula("run", "kept.yaml", "-d", "native", "-o", "kept.h5", "--resume")
    for old, new in (("-e*v_x", "-0.5*e*v_x"), ("direction: down", "direction: both"), ("times: 8", "times: 7"), ('"x"', '"x - 0.1"'), ("count: bounces", "count: hits")):
        write("other.yaml", text.replace(old, new))
        refused("kept.h5", "run", "other.yaml", "-d", "native", "-o", "kept.h5", "--resume", code=4)
    write("other.yaml", text.replace("-e*v_x", "-0.9*e*v_x"))
    pendula("run", "other.yaml", "-d", "native", "-o", "new.h5", "--reuse", "kept.h5")
    check(abs(read("new", "rk4/x_final").item() - read("kept", "rk4/x_final").item()) > 1e-3, "points of other events were copied")


def test_certificates():
    """Each substep and trial, each event that is passed and each metric, of kernels of both precisions; points are replayed."""
    sweeps = {
        "bounces": BALL.replace("e: 0.8", "e: [0.8, 0.3]") + "methods: [rk4, newmark, dopri5_adaptive, symplectic_euler]\nend: 1.5\nstep: [0.5, 0.07]\n",
        "zeros": """problem: {coordinates: [x], acceleration: ["-w^2*x - 0.1*x^3"], start: [1], parameters: {w: 3}}
breaks: [{at: 0.9, set: {x: "0.5*x"}}, {at: 1.3}]
events:
  - {when: "x", count: all, times: 9}
  - {when: "3*x", direction: up, count: ups, times: 5, set: {v_x: "0.9*v_x"}}
  - {when: "v_x + 0.5*w*x", count: mixed, times: 9}
  - {when: "t - 1.3", count: clock, times: 1, set: {v_x: "1.5*v_x"}}
methods: [{theta2: , label: variable, substeps: {start: variable}}, {newmark: , label: ahead, newton: {guess: extrapolated}}, tr_bdf2_adaptive, rk4]
step: [0.25, 0.05]
end: 3
""",
        "stopped": """problem: {coordinates: [a, b], rate: ["1", "-0.1*b"], start: [0, 1]}
events:
  - {when: "a - 1.25", direction: up, set: {b: "3*b"}, count: first}
  - {when: "a - 2", direction: up, set: {a: "b", b: "a"}, count: swaps}
  - {when: "t - 2.3", stop: true}
methods: [rk4, backward_euler, esdirk4_adaptive]
step: [0.5, 0.1]
end: 2.5
""",
    }
    for name, text in sweeps.items():
        write(f"{name}.yaml", text)
        told = answer("conform", f"{name}.yaml", "-d", "native")
        check("DOES NOT" not in told, f"conform says {told}")
    write("narrow.yaml", "precision: single\n" + sweeps["bounces"])
    answer("conform", "narrow.yaml", "-d", "native")
    pendula("run", "zeros.yaml", "-d", "native", "-o", "zeros.h5")
    for group in ("variable", "tr_bdf2_adaptive"):
        check("hold" in answer("replay", "zeros.h5", "--group", group, "--point", "1", "-d", "native"), "a point is replayed")


def test_shipped():
    pendula("run", SWEEPS / "bouncing_ball.yaml", "-d", "native", "-o", "shipped.h5")
    with h5py.File(folder / "shipped.h5") as file:
        for method in ("rk4", "velocity_verlet", "newmark"):
            check(np.all(file[method]["status"][...] == 1), f"{method}: {file[method]['status'][...]}")
            for i, e in enumerate((0.7, 0.8, 0.95)):
                x, v = ball(2.0, e)
                check(np.all(abs(file[method]["x_final"][:, i, 0] - x) < 1e-12), f"{method}: {file[method]['x_final'][:, i, 0]}, not {x}")
                check(np.all(file[method]["bounces"][:, i] == sum(t <= 2 for t in bounces(e))), f"{method}: {file[method]['bounces'][:, i]} bounces")


need_compiler()
main(test_a_bouncing_ball, test_formulas_that_begin_at_0, test_zeros_of_an_oscillator, test_events_set_in_order, test_a_dose_at_a_threshold,
     test_a_point_that_stops, test_chatter, test_events_beside_breaks, test_halved_steps, test_devices_agree, test_result_files, test_certificates, test_shipped)
