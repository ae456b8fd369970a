# check_compare -- misfits from data: of a closed form, where the data are off by what the check has put on them.
import math

from checking import answer, check, folder, main, need, need_compiler, pendula, refused, results, write

h5py, np = need("h5py", "numpy")

DEVICES = ("reference", "native")
T = np.array([0.0, 0.013, 0.5, 0.51, 0.512, 1.777, 2.25, 2.9999, 3.0])
OFF = np.array([0.25, -0.5, 0.125, 0.0, 0.75, -0.25, -1.0, 0.5, 0.125])


def close(what, found, expected, bound):
    worst = np.max(np.abs(np.asarray(found) - np.asarray(expected)))
    check(worst <= bound, f"{what}: off by {worst:.3g}, more than {bound:.3g}")


def sweep(data, of, rest):
    return f"""problem: {{coordinates: [x], acceleration: ["-w^2*x"], start: [1], parameters: {{w: [1, 1.5, 2]}}}}
observe: {{force: "-3*a_x/w^2 + t"}}
compare: {{{data}, of: {of}}}
end: 3
{rest}
"""


def rms(values):
    return math.sqrt(np.mean(np.square(values)))


def check_closed_form():
    """Coordinates, velocities and observed quantities; data in, between and at the ends of steps; windows."""
    for of, right, ways in (("x", lambda w: np.cos(w * T), ""), ("v_x", lambda w: -w * np.sin(w * T), "{of: v_x}"), ("force", lambda w: 3 * np.cos(w * T) + T, "")):
        values = right(1.5) + OFF
        write("data.csv", "t,y,rest\n" + "".join(f"{t!r},{y!r},7\n" for t, y in zip(T.tolist(), values.tolist())))
        rest = "methods: [rk4, yoshida4]\nstep: [0.01, 0.015625]\nmetrics: [misfit_rms, misfit_max, {misfit: {from: 0.5, to: 2.25, label: part}}, {misfit: {from: 0.02, to: 0.03, label: none}}]"
        for device in DEVICES:
            file = results("closed", sweep("file: ./data.csv, columns: [t, y]", of, rest), device=device)
            for method, bound in (("rk4", 2e-7), ("yoshida4", 2e-6)):
                for i, w in enumerate((1, 1.5, 2)):
                    off, inside = right(w) - values, (T >= 0.5) & (T <= 2.25)
                    for name, value in (("misfit_rms", rms(off)), ("misfit_max", np.abs(off).max()), ("part_misfit_rms", rms(off[inside])), ("part_misfit_max", np.abs(off[inside]).max())):
                        close(f"{name} of {of} by {method} on {device} at w = {w}", file[method][name][:, i], value, bound)
                check(np.all(np.isnan(file[method]["none_misfit_rms"][:])) and np.all(np.isnan(file[method]["none_misfit_max"][:])), "no data in the window")
    check(abs(float(file["rk4"]["misfit_max"][0, 1]) - 1.0) < 1e-7, "the largest misfit is what the data are off by")


def check_first_order():
    """A decay; by default both metrics are computed, and another quantity may be asked for."""
    text = """problem: {coordinates: [y, z], rate: ["-y", "y"], start: [2, 0]}
compare: {samples: [[0.3, 1], [0.7, 1.5], [1, 0]], of: z}
methods: [rk4]
step: 0.01
end: 1
"""
    t, y = np.array([0.3, 0.7, 1.0]), np.array([1, 1.5, 0])
    for device in DEVICES:
        group = results("decay", text, device=device)["rk4"]
        close(f"z on {device}", group["misfit_rms"][()], rms(2 - 2 * np.exp(-t) - y), 1e-7)
        group = results("decay", text + "metrics: [{misfit_max: {of: y}}]\n", device=device)["rk4"]
        close(f"y on {device}", group["misfit_max"][()], np.abs(2 * np.exp(-t) - y).max(), 1e-7)


def check_last_step():
    """Steps whose end falls short of the datum at the end by a rounding."""
    text = sweep("samples: [[1, 0], [3, 0]]", "x", "methods: [rk4]\nmetrics: [misfit_rms, misfit_max]").replace("end: 3", "end: 3\nsteps: 188")
    check(188 * (3 / 188) < 3, "the last step falls short")
    for device in DEVICES:
        group = results("short", text, device=device)["rk4"]
        for i, w in enumerate((1, 1.5, 2)):
            close(f"rms on {device}", group["misfit_rms"][i], rms([math.cos(w), math.cos(3 * w)]), 1e-6)


def check_certificates():
    data = f"samples: {[[float(t), float(y)] for t, y in zip(T, np.cos(1.5 * T) + OFF)]}"
    for precision, methods in (("double", "rk4, newmark"), ("single", "rk4")):
        text = sweep(data, "force", f"precision: {precision}\nmethods: [{methods}]\nstep: 0.03125\nmetrics: [misfit_rms, misfit_max, {{misfit_rms: {{of: x, from: 0.2, label: late}}}}]")
        pendula("conform", write(f"certified_{precision}.yaml", text), "-d", "native", "--lanes", "1,8")


def check_kept():
    """The result file keeps the data: it is judged without them, and a run with others does not go on."""
    write("kept.csv", "t,y\n0.5,1\n2.5,-1\n")
    write("kept.yaml", sweep("file: ./kept.csv", "x", "methods: [rk4]\nstep: 0.125\nmetrics: [misfit_rms]"))
    pendula("run", "kept.yaml", "-d", "native", "-o", "kept.h5", "--progress", "none")
    write("kept.csv", "t,y\n0.5,1\n2.5,-2\n")
    refused("tables.compare.hash", "run", "kept.yaml", "-d", "native", "-o", "kept.h5", "--resume", code=4)
    refused("is a file that this command reads", "run", "kept.yaml", "-d", "native", "-o", "kept.csv", "--force", code=3)
    (folder / "kept.csv").unlink()
    pendula("pack", "kept.h5", "-o", "packed.h5")
    for file in ("kept.h5", "packed.h5"):
        check("certificates 25 of 25 hold" in answer("replay", file, "--point", "1", "-d", "native"), f"replay of {file}")
    with h5py.File(folder / "kept.h5") as file:
        check(np.array_equal(file["journal/table_compare"][()], [[0.5, 1], [2.5, -1]]), "the file has the data")


need_compiler()
main(check_closed_form, check_first_order, check_last_step, check_certificates, check_kept, fine="misfits are those of the data")
