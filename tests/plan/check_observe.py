# check_observe -- observed quantities have the values of their formulas, in kernels, the reference and certificates.
#
# What they must be is computed here from closed forms: an oscillator whose ground moves as a sine, exponentials that decay.

from checking import answer, check, folder, main, need, need_compiler, pendula, refused, results, run_in_shards, SHIPPED, write

h5py, np = need("h5py", "numpy")

DEVICES = ("reference", "native")
SHAKEN = """problem: {coordinates: [u], acceleration: ["-(k*u + c*v_u)/m - A*sin(W*t)"], parameters: {m: 2, c: 0.4, A: 3, k: [18, 50], W: [2, 4.5]}}
observe: {shear: "k*u", total: "a_u + A*sin(W*t)", power: "-c*v_u^2", late: "t - 0.37109375", up: "if(v_u >= 0, u, 0)"}
methods: [METHOD]
step: STEP
end: 4
"""


def motion(m, c, A, k, W, t):
    """u, v and the acceleration of m u'' + c u' + k u = -m A sin(W t) from rest."""
    w2, z = k / m, 0.5 * c / m
    wd = np.sqrt(w2 - z * z)
    steady = -A * np.exp(1j * W * t) / (w2 - W * W + 2j * z * W)
    b = -(steady[0].imag)
    free = np.exp((-z + 1j * wd) * t)
    # u = Re((b - i d) free), v(0) = 0.
    d = (z * b - (1j * W * steady[0]).imag) / wd
    u, v = (steady.imag + ((b - 1j * d) * free).real), ((1j * W * steady).imag + ((-z + 1j * wd) * (b - 1j * d) * free).real)
    return u, v, -(k * u + c * v) / m - A * np.sin(W * t)


def close(what, found, expected, bound):
    found, expected = np.asarray(found), np.asarray(expected)
    worst = np.max(np.abs(found - expected) / np.maximum(1.0, np.abs(expected)))
    check(worst <= bound, f"{what}: off by {worst:.3g}, more than {bound:.3g}")


def check_shaken():
    """Fields and metrics of a shaken oscillator: closed forms, and their formulas of the motion that is stored."""
    t, seen = np.arange(4097) / 1024, slice(None, None, 8)
    text = SHAKEN.replace("METHOD", "rk4").replace("STEP", "0.0009765625") + """trajectory: {every: 8, fields: [x, v, shear, total, power, late, up]}
metrics: [{stats: {of: shear, label: shear}}, {maximum: {of: total, from: 1, label: most}}, {minimum: {of: total, from: 1, label: least}}, {section: {of: late}}, {events: {of: late}}]
"""
    for device in DEVICES:
        group = results("shaken", text, device=device)["rk4"]
        for i, k in enumerate((18, 50)):
            for j, W in enumerate((2, 4.5)):
                u, v, a = motion(2, 0.4, 3, k, W, t)
                right = {"shear": k * u, "total": a + 3 * np.sin(W * t), "power": -0.4 * v * v, "late": t - 0.37109375}
                for name, values in right.items():
                    close(f"{name} on {device}", group[name][i, j], values[seen], 2e-8)
                x, y = group["x"][i, j, :, 0], group["v"][i, j, :, 0]
                own = {"shear": k * x, "total": -(k * x + 0.4 * y) / 2, "power": -0.4 * y * y, "late": t[seen] - 0.37109375, "up": np.where(y >= 0, x, 0)}
                for name, values in own.items():
                    close(f"{name} of the stored motion on {device}", group[name][i, j], values, 1e-14)
                in_window = right["total"][t >= 1]
                for name, value in (("shear_maximum", right["shear"].max()), ("shear_rms_value", np.sqrt(np.mean(right["shear"] ** 2))),
                                    ("most", in_window.max()), ("least", in_window.min())):
                    close(f"{name} on {device}", group[name][i, j], value, 2e-8)
        close(f"a crossing in the time on {device}", group["section_t"][..., 0], np.full((2, 2), 0.37109375), 1e-14)
        close(f"an event in the time on {device}", group["event_first"][:], np.full((2, 2), 0.37109375), 1e-14)


def check_first_order():
    """Rates of a system of first order, by the name of the velocity, and functions of a decaying exponential."""
    t = np.arange(65) / 64
    text = """problem: {coordinates: [y, z], rate: ["-r*y", "r*y"], start: [2, 0], parameters: {r: [0.5, 3]}}
observe: {loss: "-v_y", all: "y + z", exponent: "log(y/2)/r", half: "y^0.5", inverse: "1/y^3", far: "(y + 100)^-2"}
methods: [rk4]
step: 0.015625
end: 1
metrics: [{minimum: {of: loss}}, {maximum: {of: all}}]
trajectory: {every: 1, fields: [loss, all, exponent, half, inverse, far]}
"""
    for device in DEVICES:
        group = results("decay", text, device=device)["rk4"]
        for i, r in enumerate((0.5, 3.0)):
            y = 2 * np.exp(-r * t)
            for name, right in {"loss": r * y, "all": 2 + 0 * t, "exponent": -t, "half": np.sqrt(y), "inverse": y ** -3, "far": (y + 100) ** -2}.items():
                close(f"{name} on {device}", group[name][i], right, 1e-6)
            close(f"the least loss on {device}", group["minimum"][i], r * y[-1], 1e-7)
            close(f"the sum on {device}", group["maximum"][i], 2.0, 1e-14)


def check_shipped_problem():
    """Problems of the program: a table that the formula alone calls, and a chain whose entries differ in their length."""
    text = """problem: harmonic_oscillator
tables: {ag: {samples: [[0, 0], [1, 2], [3, -1]], outside: zero}}
observe: {total: "a_x + ag(t)", hidden: "a_x + omega^2*x + 2*zeta*omega*v_x"}
methods: [newmark]
step: 0.125
end: 4
metrics: [{maximum: {of: total}}]
trajectory: {every: 1, fields: [x, v, total, hidden]}
"""
    t = np.arange(33) / 8
    for device in DEVICES:
        group = results("oscillator", text, device=device)["newmark"]
        omega, zeta = (float(group[name][()]) for name in ("omega", "zeta"))
        x, v = group["x"][:, 0], group["v"][:, 0]
        right = -omega ** 2 * x - 2 * zeta * omega * v + np.where(t <= 3, np.interp(t, [0, 1, 3], [0, 2, -1]), 0)
        close(f"total on {device}", group["total"][:], right, 1e-14)
        close(f"its largest on {device}", group["maximum"][()], right.max(), 1e-14)
        close(f"hidden on {device}", group["hidden"][:], 0 * t, 1e-14)
    pendula("conform", "oscillator.yaml", "-d", "native", "--lanes", "1")
    chain = """problem: spring_chain
observe: {reach: "u3 - u0"}
methods: [{rk4: {}, label: long, parameters: {n: 4}}, {rk4: {}, label: short, parameters: {n: N}}]
step: 0.125
end: 1
metrics: [{maximum: {of: reach}}]
"""
    pendula("plan", write("chain.yaml", chain.replace("N", "5")))
    refused("chain.yaml:2:18: observe 'reach': group 'short' has 3 coordinates only", "plan", write("chain.yaml", chain.replace("N", "3")), code=4)


def check_certificates():
    """Kernels of both precisions conform, their metrics and fields of observed quantities as well; other numbers do not."""
    write("record.csv", "t,a\n0,0\n0.5,1\n1.1,2\n2.3,-1\n")
    tables = "tables: {ag: {file: ./record.csv, between: cubic, outside: hold}}\n"
    rest = """metrics: [{stats: {of: shear}}, {section: {of: late}}, {maximum: {of: felt, label: felt_most}}]
trajectory: {every: 16, fields: [x, shear, felt, steep]}
"""
    observed = 'felt: "a_u + ag(t)", steep: "exp(-abs(u))*tanh(k*v_u)^2 + u^0.5", '
    for precision, methods in (("double", "rk4, generalized_alpha"), ("single", "rk4")):
        text = f"precision: {precision}\n" + tables + SHAKEN.replace("METHOD", methods).replace("STEP", "0.0078125").replace("observe: {", "observe: {" + observed) + rest
        pendula("conform", write(f"certified_{precision}.yaml", text.replace("end: 4", "end: 1")), "-d", "native", "--lanes", "1,8")


def check_file():
    """A result file keeps the formulas: merged, packed, resumed and replayed it has the same numbers, and names them."""
    text = SHAKEN.replace("METHOD", "rk4").replace("STEP", "0.0078125") + "metrics: [{maximum: {of: total}}]\ntrajectory: {every: 8, fields: [shear, total]}\n"
    write("kept.yaml", text)
    run_in_shards("kept")
    pendula("pack", "kept.h5", "-o", "packed.h5")
    for file in ("kept.h5", "packed.h5"):
        check("certificates 513 of 513 hold" in answer("replay", file, "--point", "1", "-d", "native"), f"replay of {file}")
    with h5py.File(folder / "kept.h5") as file:
        about, unit, of = file["rk4/shear"].attrs["long_name"], file["rk4/shear"].attrs["units"], file["rk4/maximum"].attrs["of"]
        check("k*u" in str(about) and "1" in str(unit) and "total" in str(of), f"the file names them: {about}, {unit}, {of}")
    check("shear" in answer("info", "kept.h5"), "info names the fields")
    pendula("plot", "kept.h5", "--field", "shear", "-o", "shear.png")
    pendula("report", "kept.h5", "-o", "kept.html")
    check("shear" in (folder / "kept.html").read_text(), "the report names the fields")
    write("kept.yaml", text.replace("k*u", "2*k*u"))
    refused("observe.shear", "run", "kept.yaml", "-d", "native", "-o", "kept.h5", "--resume", code=4)


def check_shipped_sweep():
    """The shipped sweep: the largest shear and acceleration over its steps, of the closed form."""
    pendula("run", SHIPPED / "base_shear.yaml", "-d", "native", "--progress", "none", "-o", "base_shear.h5")
    t = np.arange(4001) * 0.005
    with h5py.File(folder / "base_shear.h5") as file:
        group = file["rk4"]
        for i, k in enumerate((4e4, 9e4)):
            for j, W in enumerate(np.linspace(2, 14, 25)):
                u, _, a = motion(1e3, 1.2e3, 2.943, k, W, t)
                close("the largest shear", group["shear_maximum"][i, j], (k * u).max(), 1e-6)
                close("the largest acceleration", group["total_maximum"][i, j], (a + 2.943 * np.sin(W * t)).max(), 1e-6)


need_compiler()
main(check_shaken, check_first_order, check_shipped_problem, check_certificates, check_file, check_shipped_sweep, fine="observed quantities have their values")
