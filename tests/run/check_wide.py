# check_wide -- systems of more than 32 unknowns: closed forms, the bits of a band beside the whole matrix, certificates, memory.
from checking import answer, check, folder, main, need, need_compiler, parsed, pendula, refused, results, SHIPPED, write

np, h5py = need("numpy", "h5py")

ROD = """problem:
  coordinates: {u: n}
  define: {n: %d}
  rate: ["a*(n + 1)^2*(if(i > 0, u[i - 1], 0) - 2*u[i] + if(i < n - 1, u[i + 1], 0))"]
  start: ["(i + 1)/(n + 1)*(1 - (i + 1)/(n + 1))"]
  parameters: {a: [0.5, 1]}
"""
CHAIN = """problem:
  coordinates: {x: n}
  define: {n: %d}
  acceleration: ["k*(if(i > 0, x[i - 1], 0) - 2*x[i] + if(i < n - 1, x[i + 1], 0))"]
  start: ["sin(%d*pi*(i + 1)/(n + 1))"]
  parameters: {k: [0.5, 2]}
"""
TIGHT = "newton: {tolerance: 1.0e-14}\n"


def differences(n):
    return np.diag(np.full(n - 1, 1.0), 1) + np.diag(np.full(n - 1, 1.0), -1) - 2 * np.eye(n)


def relative(found, wanted):
    return np.max(np.abs(found - wanted)) / np.max(np.abs(wanted))


def by_factor(matrix, factor, steps, start):
    """steps steps of a method whose factor of a mode e^(lambda t) is factor(lambda h), of a symmetric matrix times h."""
    values, vectors = np.linalg.eigh(matrix)
    return vectors @ (factor(values) ** steps * (vectors.T @ start))


def test_rod():
    """A rod of 100 by three methods, each beside its own closed form."""
    n, h, steps = 100, 0.002, 20
    # rk4 is stable only for short steps.
    factors = {"rk4": (lambda z: 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24, 1000), "backward_euler": (lambda z: 1 / (1 - z), 1),
               "trapezoidal": (lambda z: (1 + z / 2) / (1 - z / 2), 1)}
    start = np.arange(1, n + 1) / (n + 1) * (1 - np.arange(1, n + 1) / (n + 1))
    for method, (factor, parts) in factors.items():
        text = f"{ROD % n}methods: [{method}]\nend: {h * steps}\nsteps: {steps * parts}\n{TIGHT}metrics: [status, x_final]\n"
        with results("rod", text, device="native") as file:
            status, found = (file[method][name][...] for name in ("status", "x_final"))
        check(np.all(status == 1), f"{method}: {status}")
        for point, a in enumerate((0.5, 1)):
            wanted = by_factor(a * (n + 1) ** 2 * differences(n) * h / parts, factor, steps * parts, start)
            error = relative(found.reshape(2, n)[point], wanted)
            print(method, a, error)
            check(error < 1e-11, f"{method}, a = {a}: off by {error}")


def test_chain():
    """A mode of 256 masses by explicit and implicit methods, each by its closed form of an oscillator."""
    n, mode, h, steps = 256, 201, 0.1, 50
    text = f"{CHAIN % (n, mode)}methods: [rk4, trapezoidal]\nstep: {h}\nend: {h * steps}\n{TIGHT}metrics: [status, x_final, v_final]\n"
    shape = np.sin(mode * np.pi * np.arange(1, n + 1) / (n + 1))
    with results("chain", text, device="native") as file:
        for point, k in enumerate((0.5, 2)):
            z = 2j * np.sqrt(k) * np.sin(mode * np.pi / (2 * (n + 1))) * h
            for method, factor in (("rk4", 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24), ("trapezoidal", (1 + z / 2) / (1 - z / 2))):
                found = file[method]["x_final"][...].reshape(2, n)[point]
                error = relative(found, (factor**steps).real * shape)
                print(method, k, error)
                check(error < 1e-11, f"{method}, k = {k}: off by {error}")


def beam(cells):
    """A cantilever of Euler and Bernoulli's elements of length 1: stiffness and consistent mass, without the clamped node (Cook 2002,
    sections 2.3 and 11.3)."""
    stiff = np.array([[12.0, 6, -12, 6], [6, 4, -6, 2], [-12, -6, 12, -6], [6, 2, -6, 4]])
    mass = np.array([[156.0, 22, 54, -13], [22, 4, 13, -3], [54, 13, 156, -22], [-13, -3, -22, 4]]) / 420
    K, M = np.zeros((2 * cells + 2,) * 2), np.zeros((2 * cells + 2,) * 2)
    for cell in range(cells):
        K[2 * cell:2 * cell + 4, 2 * cell:2 * cell + 4] += stiff
        M[2 * cell:2 * cell + 4, 2 * cell:2 * cell + 4] += mass
    return K[2:, 2:], M[2:, 2:]


def write_market(name, matrix):
    rows = [f"{i + 1} {j + 1} {matrix[i, j]!r}" for i, j in zip(*np.nonzero(matrix)) if i >= j]
    write(name, "\n".join(["%%MatrixMarket matrix coordinate real symmetric", f"{len(matrix)} {len(matrix)} {len(rows)}", *rows, ""]))


def test_beam():
    """A beam of 48 unknowns by its matrices, whose mass is no diagonal, so that the Newton matrix is full."""
    K, M = beam(24)
    write_market("k.mtx", K)
    write_market("m.mtx", M)
    text = "problem: {stiffness: ./k.mtx, mass: ./m.mtx, force: [%s]}\n" % ", ".join(["1", "0"] * 24)
    h, steps = 0.1, 20
    with results("beam", f"{text}methods: [trapezoidal]\nstep: {h}\nend: {h * steps}\nnewton: {{residual: raw, tolerance: 1.0e-11}}\n"
                 "metrics: [status, x_final, failed_solves]\n", device="native") as file:
        found, status, failed = (file["trapezoidal"][name][...] for name in ("x_final", "status", "failed_solves"))
    rest = np.linalg.solve(K, np.tile([1.0, 0.0], 24))
    x, v = np.zeros(48), np.zeros(48)
    for _ in range(steps):
        # (M + h^2/4 K) v1 = (M - h^2/4 K) v - h K (x - rest)
        new = np.linalg.solve(M + h**2 / 4 * K, M @ v - h**2 / 4 * K @ v - h * K @ (x - rest))
        x, v = x + h / 2 * (v + new), new
    print("beam", relative(found.ravel(), x))
    check(status == 1 and failed == 0 and relative(found.ravel(), x) < 1e-8, f"beam: status {status}, off by {relative(found.ravel(), x)}")


def test_band_has_the_bits_of_the_whole():
    """Rows that name the far end times a parameter of 0 have the same numbers by the whole matrix: where pivots are exchanged, by
    analytic derivatives and by differences, with a matrix for each update and one for all, of first and second order."""
    n = 40
    firsts = {"rate": '"9*u[i] - u[i]^3 + b*(if(i < n - 1, u[i + 1], 0) - if(i > 0, u[i - 1], 0) + if(i < n - 2, u[i + 2], 0))%s"'}
    seconds = {"acceleration": '"-u[i]^3 + 0.1*(if(i > 2, v_u[i - 3], 0) - v_u[i]) + b*(if(i < n - 1, u[i + 1], 0) - if(i > 1, u[i - 2], 0))%s"'}
    rules = ("{jacobian: analytic}", "{jacobian: central}", "{jacobian: forward, update: modified}", "{mode: paper}")
    stages = ("{jacobian: analytic}", "{jacobian: central}", "{jacobian: forward}")
    for forms, methods, band, given in ((firsts, "tr_bdf2, backward_euler", "[1, 2]", rules), (firsts, "rodas5p", "[1, 2]", stages),
                                        (seconds, "generalized_alpha, theta2, newmark", "[3, 1]", rules), (seconds, "rodas5p", "[3, 1]", stages)):
        for rule in given:
            found = []
            for name, far in (("band", ""), ("whole", " + p*u[n - 1 - i]")):
                lines = "\n".join(f"  {key}: [{formula % far}]" for key, formula in forms.items())
                text = f"problem:\n  coordinates: {{u: n}}\n  define: {{n: {n}}}\n{lines}\n  start: [\"0.1 + 0.01*i\"]\n" \
                       f"  parameters: {{b: [1, 200], p: 0}}\nmethods: [{methods}]\nstep: 0.05\nend: 0.5\nnewton: {rule}\n" \
                       "substeps: {budget: 100000}\n" \
                       "metrics: [status, x_final, updates, depth_max, failed_solves, stagnated_solves, jacobians, residual_evaluations]\n"
                with results(name, text, device="native") as file:
                    found.append({(group, variable): file[group][variable][...] for group in file if isinstance(file[group], h5py.Group)
                                  for variable in ("status", "x_final", "updates", "depth_max", "failed_solves", "stagnated_solves", "jacobians",
                                                   "residual_evaluations") if variable in file[group]})
                shown = answer("show", f"{name}.yaml")
                check((f"//: band: {band}\n" in shown) == (name == "band"), f"{name}: not as it should be: {shown[:400]}")
            for (group, variable), numbers in found[0].items():
                other = found[1][group, variable]
                if variable == "residual_evaluations":
                    # As many as the band has diagonals, in place of forty columns.
                    sides = {"{jacobian: analytic}": 0, "{jacobian: central}": 2, "{mode: paper}": 2}.get(rule, 1)
                    sides *= 2 if methods == "rodas5p" and forms is seconds else 1
                    other = other - sides * (n - 1 - sum(map(int, band[1:-1].split(",")))) * found[1][group, "jacobians"]
                check(numbers.tobytes() == np.asarray(other, numbers.dtype).tobytes(), f"{rule}: {group}: {variable}: {numbers} {other}")
            print(rule, *(numbers.ravel() for (group, variable), numbers in found[0].items() if variable in ("status", "updates")))


def test_certificates():
    """The substeps of a band and of a whole matrix are certified; the reference has the same numbers of evaluations."""
    tail = "end: 0.02\nstep: 0.01\nmetrics: [status, x_final, updates, residual_evaluations]\n"
    write("band.yaml", f"{ROD % 40}methods: [trapezoidal, rodas5p]\n{tail}newton: {{jacobian: central}}\n")
    ring = CHAIN.replace("if(i > 0, x[i - 1], 0)", "x[fmod(i + n - 1, n)]").replace("if(i < n - 1, x[i + 1], 0)", "x[fmod(i + 1, n)] - 0.1*x[i]^3")
    write("ring.yaml", f"{ring % (36, 1)}methods: [generalized_alpha]\n{tail}")
    for name in ("band", "ring"):
        print(answer("conform", f"{name}.yaml", "-d", "native", "--lanes", "1"))


def test_reference_counts():
    """The reference counts its evaluations by differences as the kernel: one for the guess, one for each update, and those of each
    diagonal of the band, or of each column, to each side. Its differences lead to the solution of a linear system in one update."""
    n, h, steps = 40, 0.01, 2
    factor, start = (lambda z: (1 + z / 2) / (1 - z / 2)), np.arange(1, n + 1) / (n + 1) * (1 - np.arange(1, n + 1) / (n + 1))
    wanted = [by_factor(a * (n + 1) ** 2 * differences(n) * h, factor, steps, start) for a in (0.5, 1)]
    whole = (ROD % n).replace('0))"]', '0)) + p*u[n - 1 - i]"]').replace("{a: [0.5, 1]}", "{a: [0.5, 1], p: 0}")
    for problem, diagonals in ((ROD % n, 3), (whole, n)):
        for rule, sides in (("central", 2), ("forward", 1), ("analytic", 0)):
            text = f"{problem}methods: [trapezoidal]\nstep: {h}\nend: {h * steps}\n" \
                   f"newton: {{jacobian: {rule}}}\nmetrics: [status, x_final, updates, jacobians, residual_evaluations]\n"
            for device in ("native", "reference"):
                with results("counts", text, device=device) as file:
                    group = {name: file["trapezoidal"][name][...] for name in ("x_final", "updates", "jacobians", "residual_evaluations")}
                expected = steps + group["updates"] + sides * diagonals * group["jacobians"]
                check(np.all(group["jacobians"] == group["updates"]) and np.array_equal(group["residual_evaluations"], expected),
                      f"{diagonals} {rule} on {device}: {group['residual_evaluations']}, not {expected}")
                error = max(relative(group["x_final"][i], wanted[i]) for i in range(2))
                check(error < 1e-8 and np.all(group["updates"] == steps), f"{diagonals} {rule} on {device}: off by {error} after {group['updates']}")
                # Linear stages: each but the first, three in time, and the end of the substep.
                with results("counts", text.replace("trapezoidal", "rodas5p"), device=device) as file:
                    tried, asked = (file["rodas5p"][name][...] for name in ("jacobians", "residual_evaluations"))
                check(np.all(tried > steps) and np.array_equal(asked, (8 + 3 + sides * diagonals) * tried),
                      f"{diagonals} {rule} on {device}: {asked} evaluations for {tried} Jacobians by linear stages")


def test_many_entries():
    """A Jacobian of more than 8192 entries is none, and no band: every coordinate is in each of a hundred formulas."""
    for n, given in ((100, False), (90, True)):
        write("full.yaml", f"problem: {{coordinates: {{u: n}}, define: {{n: {n}}}, rate: [\"sum(j, 0, n - 1, u[j]) - u[i]^3\"]}}\n"
              "methods: [rk4]\nstep: 0.1\nend: 1\n")
        shown = answer("show", "full.yaml")
        check(("jacobian" in shown) == given and "//: band" not in shown, f"{n}: {shown[:300]}")


def test_memory():
    """What a point takes is said, and refused where a thread has no room for it."""
    write("rod.yaml", f"{ROD % 100}methods: [rk4, trapezoidal]\nend: 0.1\nstep: 0.01\n")
    said = answer("plan", "rod.yaml", "--no-time")
    # Three matrices of 101 rows and 4 columns.
    group = parsed("plan", "rod.yaml", "--no-time", "--json")["groups"][1]
    check("of which the Newton matrix is 9.5 KiB (a band of 3 diagonals)" in said and said.count("memory of a point") == 2
          and group["matrix_bytes"] == 3 * 101 * 4 * 8 and group["point_bytes"] > group["matrix_bytes"], f"{said}{group}")
    # Linear stages have four: both derivatives, the factors, and which rows change places.
    for rule in ("analytic", "central"):
        group, = parsed("plan", "rod.yaml", "--no-time", "--json", "-s", f"methods=[{{rodas5p: , newton: {{jacobian: {rule}}}}}]")["groups"]
        check(group["matrix_bytes"] == 4 * 101 * 4 * 8, f"{rule}: {group}")
    ring = CHAIN.replace("if(i > 0, x[i - 1], 0)", "x[fmod(i + n - 1, n)]")
    write("ring.yaml", f"{ring % (200, 1)}methods: [generalized_alpha]\nend: 0.1\nstep: 0.1\n")
    refused("group 'generalized_alpha': the Newton matrix of 200 unknowns takes 937 KiB of each point, a thread has room for 1 lane, not for 8",
            "run", "ring.yaml", "-d", "native", "--lanes", "8", "-o", "none.h5")


def test_shipped():
    """The shipped rod keeps its half wave, which decays by each method's factor."""
    pendula("run", SHIPPED / "heat_rod.yaml", "-d", "native", "-o", "shipped.h5")
    n, steps = 100, np.array([0.02, 0.01, 0.005])
    a, steps = np.geomspace(0.1, 1, 16), steps[:, None]
    z = -4 * a * (n + 1) ** 2 * np.sin(np.pi / (2 * n + 2)) ** 2 * steps
    shape = np.sin(np.pi * np.arange(1, n + 1) / (n + 1))
    with h5py.File(folder / "shipped.h5") as file:
        for method, factor in (("backward_euler", 1 / (1 - z)), ("trapezoidal", (1 + z / 2) / (1 - z / 2))):
            found = file[method]["x_final"][...].reshape(3, 16, n)
            wanted = (factor ** np.round(0.1 / steps))[:, :, None] * shape
            check(relative(found, wanted) < 1e-6 and np.all(file[method]["status"][...] == 1), f"{method}: {relative(found, wanted)}")


need_compiler()
main(test_rod, test_chain, test_beam, test_band_has_the_bits_of_the_whole, test_certificates, test_reference_counts, test_many_entries, test_memory, test_shipped)
