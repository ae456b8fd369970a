# check_alpha -- weights of the alpha family that a sweep gives: amplification matrices, limits of stability, files, refusals.
"""The right values are powers of the amplification matrix of the oscillator on (x, h v, h^2 a), written from Chung and Hulbert 1993,
eq. 3-9: alpha_m and alpha_f weigh the old state."""
from checking import answer, check, csv_rows, h5, listed, main, need, need_compiler, pendula, read, refused, results, ROOT, run_in_shards, write

np, h5py = need("numpy", "h5py")
DEVICES = ("native", "reference")
OMEGA, STEP, STEPS, X0, V0 = 1.3, 0.1, 100, 1.0, 0.5
EXACT = "newton: {tolerance: 0, jacobian: analytic}\n"


def close(what, numbers, right, bound):
    apart = np.max(np.abs(np.ravel(numbers) - np.ravel(right)))
    check(apart <= bound, f"{what}: {apart:.3g} apart, at most {bound:g}")


def matrix(size, zeta, alpha_m, alpha_f, gamma, beta):
    """One step of omega h = size, x'' = -omega^2 x - 2 zeta omega x'."""
    x, v, old = np.array([1, 1, 0.5 - beta, beta]), np.array([0, 1, 1 - gamma, gamma]), np.eye(3, 4)
    row = np.array([0, 0, alpha_m, 1 - alpha_m]) + size**2 * ((1 - alpha_f) * x + alpha_f * old[0])
    row += 2 * zeta * size * ((1 - alpha_f) * v + alpha_f * old[1])
    a = -row[:3] / row[3]
    return np.array([x[:3] + x[3] * a, v[:3] + v[3] * a, a])


def optimal(alpha_m, alpha_f):
    """With the gamma of order 2 and the beta that damps high frequencies most."""
    return alpha_m, alpha_f, 0.5 - alpha_m + alpha_f, (1 - alpha_m + alpha_f) ** 2 / 4


def end(zeta, weights, omega=OMEGA, step=STEP, steps=STEPS, x0=X0, v0=V0):
    """x and v after all steps."""
    first = [x0, step * v0, step**2 * (-omega**2 * x0 - 2 * zeta * omega * v0)]
    x, v, _ = np.linalg.matrix_power(matrix(omega * step, zeta, *weights), steps) @ first
    return x, v / step


def radius(size, zeta, weights):
    return max(abs(np.linalg.eigvals(matrix(size, zeta, *weights))))


# Label: the method, what a sweep gives, the weights.
CASES = {
    "all": ("generalized_alpha", "alpha_m: 0.1, alpha_f: 0.25, gamma: 0.8, beta: 0.45", (0.1, 0.25, 0.8, 0.45)),
    "opensees": ("generalized_alpha", "alpha_m: 0, alpha_f: 0.2", optimal(0, 0.2)),
    "one": ("generalized_alpha", "rho_inf: 0.5, beta: 0.5", (0, 1 / 3, 5 / 6, 0.5)),
    "forced": ("generalized_alpha", "rho_inf: 0.5, alpha_f: 0.1", optimal(0, 0.1)),
    "weighed": ("generalized_alpha", "rho_inf: 0.5, alpha_m: -0.4, gamma: 1.3", (-0.4, 1 / 3, 1.3, (1.4 + 1 / 3) ** 2 / 4)),
    "none": ("generalized_alpha", "rho_inf: 0.5", optimal(0, 1 / 3)),
    "abaqus": ("hht_alpha", "alpha: -0.41421, beta: 0.5, gamma: 0.91421", (0, 0.41421, 0.91421, 0.5)),
    "moderate": ("hht_alpha", "alpha: -0.41421", optimal(0, 0.41421)),
    "last": ("hht_alpha", "alpha: -0.5, gamma: 1.1", (0, 0.5, 1.1, 0.5625)),
}


def sweep(methods, more=""):
    return (f"problem: harmonic_oscillator\nparameters: {{omega: {OMEGA}, zeta: [0, 0.05], x0: {X0}, v0: {V0}}}\nmethods:\n{methods}"
            f"step: {STEP}\nsteps: {STEPS}\nmetrics: [x_final, v_final]\n{EXACT}{more}")


def check_values():
    """A hundred steps on the linear oscillator, of each way to give weights."""
    text = sweep("".join(f"  - {{label: {label}, {method}: {{{given}}}}}\n" for label, (method, given, _) in CASES.items()))
    for device in DEVICES:
        with results("values", text, device=device) as file:
            for label, (_, _, weights) in CASES.items():
                right = np.array([end(zeta, weights) for zeta in (0, 0.05)])
                close(f"x of {label} on {device}", file[label]["x_final"], right[:, 0], 1e-12)
                close(f"v of {label} on {device}", file[label]["v_final"], right[:, 1], 1e-12)
    certified = "".join(f"  - {{label: {label}, {CASES[label][0]}: {{{CASES[label][1]}}}}}\n" for label in ("all", "forced", "abaqus"))
    pendula("conform", write("certified.yaml", sweep(certified)), "-d", "native")


def check_axes():
    """Each of the four is an axis; the others follow it from point to point."""
    axes = {"alpha_m": [-0.5, 0, 0.3], "alpha_f": [0, 0.1, 0.45], "gamma": [0.9, 1.2], "beta": [0.5, 0.6]}
    usual = dict(zip(axes, optimal(0, 1 / 3)))
    text = sweep("".join(f"  - {{label: by_{name}, generalized_alpha: {{rho_inf: 0.5, {name}: {values}}}}}\n" for name, values in axes.items()))
    for device in DEVICES:
        with results("axes", text, device=device) as file:
            for name, values in axes.items():
                weights = [{**usual, name: value} for value in values]
                right = [[end(zeta, optimal(w["alpha_m"], w["alpha_f"]) if name.startswith("alpha") else tuple(w.values()))[0]
                          for w in weights] for zeta in (0, 0.05)]
                close(f"x over {name} on {device}", file[f"by_{name}"]["x_final"], right, 1e-12)
                close(f"the axis {name}", file[f"by_{name}"][name], values, 0)


def check_newmark():
    """Weights of 0 are Newmark's method: the same bits."""
    weights = "gamma: 0.6, beta: [0.1, 0.25, 0.3025]"
    results("newmark", sweep(f"  - {{generalized_alpha: {{alpha_m: 0, alpha_f: 0, {weights}}}}}\n  - {{newmark: {{{weights}}}}}\n"),
            device="native").close()
    for name in ("x_final", "v_final"):
        check(np.array_equal(read("newmark", f"generalized_alpha/{name}"), read("newmark", f"newmark/{name}")), f"{name}: the bits of newmark")


def check_shipped():
    """Decks of other programs, over the frequency."""
    pendula("run", ROOT / "sweeps/alpha_decks.yaml", "-d", "native", "-o", "decks.h5", "--progress", "none")
    decks = {"abaqus": (0, 0.41421, 0.91421, 0.5), "opensees": optimal(0, 0.2), "petsc": optimal(-0.5, 0.25), "newmark": (0, 0, 0.6, 0.3025)}
    with h5("decks") as file:
        for label, weights in decks.items():
            omegas = np.ravel(file[label]["omega"])
            right = [end(0, weights, omega, 0.01, 100, 1, 0)[0] for omega in omegas]
            check(len(omegas) == 41 and np.max(omegas) == 1e4, f"{label} has all frequencies")
            close(f"x of {label}", file[label]["x_final"], right, 1e-9)


def check_limits():
    """HHT's method is stable down to -1/2, with any damping; theory and kernel say so, and the radius at infinity is the card's."""
    zetas, sizes = (0, 0.01, 0.05, 0.2, 0.5, 1, 2), np.logspace(-3, 8, 200)
    for alpha, stable in ((-0.5, True), (-0.41421, True), (-1 / 3, True), (-0.51, False)):
        worst = max(radius(size, zeta, optimal(0, -alpha)) for zeta in zetas for size in sizes)
        check((worst <= 1 + 1e-12) == stable, f"the largest radius at alpha = {alpha} is {worst}")
        high = max((1 + alpha) / (1 - alpha), -alpha / (1 + alpha))
        close(f"the radius at infinity at alpha = {alpha}", radius(1e8, 0, optimal(0, -alpha)), high, 1e-5)
    rows = csv_rows("spectrum", "hht_alpha", "-p", "alpha=-0.5,-0.41421", "--zeta", "0,0.2,1", "--limits")
    check(len(rows) == 6 and all(row["critical"] == row["critical_kernel"] == "inf" for row in rows), f"no limit of stability: {rows}")
    # Stable where 2 beta >= gamma >= 1/2 + max(alpha_f - alpha_m, 0), and else not.
    for weights, stable in (((0.1, 0.3, 0.7, 0.35), True), ((0.3, 0.1, 0.5, 0.25), True), ((0.1, 0.3, 0.69, 0.4), False),
                            ((0.1, 0.3, 0.7, 0.34), False), ((0.3, 0.1, 0.49, 0.25), False)):
        words = [word for name, value in zip(("alpha_m", "alpha_f", "gamma", "beta"), weights) for word in ("-p", f"{name}={value}")]
        row, = csv_rows("spectrum", "generalized_alpha", *words, "--zeta", "0", "--limits")
        worst = max(radius(size, 0, weights) for size in sizes)
        check((worst <= 1 + 1e-12) == stable, f"the largest radius at {weights} is {worst}")
        check((row["critical"] == "inf") == stable and (row["critical_kernel"] == "inf") == stable, f"limits at {weights}: {row}")
        row, = csv_rows("spectrum", "generalized_alpha", *words, "--zeta", "0", "--omega-h", "1e4")
        close(f"theory's radius at {weights}", float(row["radius"]), radius(1e4, 0, weights), 1e-9)
        close(f"the kernel's radius at {weights}", float(row["radius_kernel"]), radius(1e4, 0, weights), 1e-9)
        check("rho_inf" not in row and float(row["alpha_f"]) == weights[1], f"the parameters of a row: {row}")


def check_orders():
    """Order 2 needs gamma = 1/2 - alpha_m + alpha_f."""
    for gamma, order in ((0.65, 2), (0.75, 1)):
        text = (f"problem: harmonic_oscillator\nmethods: [{{generalized_alpha: {{alpha_m: 0.1, alpha_f: 0.25, gamma: {gamma}, beta: 0.5}}}}]\n"
                "steps: [1000, 2000]\nend: 5\nmetrics: [error_final]\n")
        with results("order", text, device="native") as file:
            errors = np.ravel(file["generalized_alpha/error_final"])
        check(abs(np.log2(errors[0] / errors[1]) - order) < 0.05, f"order {order} with gamma = {gamma}: errors {errors}")


def check_files():
    """A file has the weights that are given, and no others; it is replayed and merged."""
    write("kept.yaml", sweep("  - generalized_alpha: {alpha_m: 0, alpha_f: 0.2, beta: [0.4, 0.5]}\n  - hht_alpha\n"))
    run_in_shards("kept")
    pendula("run", "kept.yaml", "-d", "native", "-o", "kept.h5", "--resume", "--progress", "none")
    with h5("kept") as file:
        given, usual = file["generalized_alpha"], file["hht_alpha"]
        check(given.attrs["alpha_m"] == 0 and given.attrs["alpha_f"] == 0.2, "the file has the weights")
        check(not {"rho_inf", "gamma"} & {*given.attrs, *given}, "and no parameter that is not given")
        check(usual.attrs["alpha"] == -0.1 and not {"gamma", "beta"} & {*usual.attrs, *usual}, "nor that of HHT's method")
    check("certificates 101 of 101 hold" in answer("replay", "kept.h5", "--group", "generalized_alpha", "--point", "1", "-d", "native"), "each step of a point is certified")


def check_said():
    """Cards say where a default comes from; what has no effect or another program's sign is refused."""
    card, = (card for card in listed("methods") if card["name"] == "generalized_alpha")
    defaults = {parameter["name"]: parameter["default"] for parameter in card["parameters"]}
    check(defaults == {"rho_inf": 0.6, **dict.fromkeys(("alpha_m", "alpha_f", "gamma", "beta"), "equations")}, f"defaults: {defaults}")
    old = "alpha_m and alpha_f weigh the old state as in Chung and Hulbert 1993; PETSc and OpenSees weigh the new one (theirs = 1 - ours)"
    for given, part in (("alpha_f: 0.8", f"parameter 'alpha_f': 0.8 is too large, it must be at most 0.5; {old}"),
                        ("alpha_m: [0.1, 1]", f"parameter 'alpha_m': 1 is too large, it must be at most 0.5; {old}"),
                        ("rho_inf: 1.2", "parameter 'rho_inf': 1.2 is too large, it must be at most 1\n")):
        refused(part, "plan", write("wrong.yaml", sweep(f"  - generalized_alpha: {{{given}}}\n")), code=4)
    refused("OpenSees' alpha is 1 + ours", "plan", write("wrong.yaml", sweep("  - hht_alpha: {alpha: 0.9}\n")), code=4)
    refused("-p rho_inf: it has no effect beside the others that are set", "spectrum", "generalized_alpha", "-p", "rho_inf=0.5", "-p",
            "alpha_m=0", "-p", "alpha_f=0.2")
    refused("every parameter is fixed", "pairs", "generalized_alpha", "theta2", "--problem", "none", "-p", "generalized_alpha.alpha_m=0", "-p",
            "generalized_alpha.alpha_f=0.2")
    pairs = answer("pairs", "generalized_alpha", "theta2", "--problem", "none", "-p", "generalized_alpha.beta=0.6", "--values", "0.5")
    check("generalized_alpha, rho_inf; beta = 0.6" in pairs and "alpha_m" not in pairs, f"pairs by rho_inf at a beta: {pairs}")
    row, = csv_rows("pairs", "generalized_alpha", "theta2", "--problem", "none", "-p", "generalized_alpha.beta=0.6", "--values", "0.5")
    close("the radius at infinity of a beta that is given", float(row["radius_infinity_from"]), radius(1e8, 0, (0, 1 / 3, 5 / 6, 0.6)), 1e-12)


need_compiler()
main(check_values, check_axes, check_newmark, check_shipped, check_limits, check_orders, check_files, check_said,
     fine="weights that a sweep gives are those of the method")
