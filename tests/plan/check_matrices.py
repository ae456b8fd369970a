# check_matrices -- linear systems that a sweep file gives by matrices: against their modes.
from checking import check, folder, main, need, need_compiler, pendula, results, ROOT, write

h5py, np = need("h5py", "numpy")


def run(*words):
    return results(*words, device="native")


def modes(mass, damping, stiffness, start, t):
    """The solution of M x'' + D x' + K x = 0 from rest, by the eigenvectors of the first-order system."""
    n = len(start)
    inverse = np.linalg.inv(mass)
    system = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ stiffness, -inverse @ damping]])
    values, vectors = np.linalg.eig(system)
    weights = np.linalg.solve(vectors, np.concatenate([start, np.zeros(n)]))
    return (vectors @ (weights * np.exp(values * t))).real[:n]


def test_matrices():
    """Rows, a diagonal, one number, a file, and formulas of parameters: against modes."""
    mass = np.array([[2, 0.5, 0], [0.5, 1, -0.25], [0, -0.25, 1.5]])
    damping = np.diag([0.1, 0.2, 0.3])
    stiffness = np.array([[5, -2, 0], [-2, 4, -2], [0, -2, 3]])
    write("k.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 5\n2 2 4\n3 3 3\n2 1 -2\n3 2 -2\n")
    ways = {
        "rows": f"mass: {mass.tolist()}, damping: [0.1, 0.2, 0.3], stiffness: {stiffness.tolist()}",
        "file": f"mass: {mass.tolist()}, damping: [0.1, 0.2, 0.3], stiffness: ./k.mtx",
        "formulas": "mass: [[2*m, m/2, 0], [m/2, m, -m/4], [0, -m/4, 1.5*m]], damping: [[c, 0, 0], [0, 2*c, 0], [0, 0, 3*c]], "
                    'stiffness: [[5*k, "-2*k", 0], ["-2*k", 4*k, "-2*k"], [0, "-2*k", 3*k]], parameters: {m: 1, c: 0.1, k: 1}',
    }
    due = modes(mass, damping, stiffness, np.array([1, 0, -0.5]), 5.0)
    for name, system in ways.items():
        with run(name, f"problem: {{{system}, start: [1, 0, -0.5]}}\nmethods: [{{dopri5_adaptive: {{rtol: 1.0e-11, atol: 1.0e-12}}}}]\n"
                       "step: 0.05\nend: 5\n") as file:
            final = file["dopri5_adaptive/x_final"][...]
            check(np.max(np.abs(final - due)) < 1e-9, f"{name}: {final}, not {due}")
    # One number stands on every place of the diagonal; what has a potential and a diagonal mass suits a line search.
    system = f"problem: {{mass: 2, damping: 0.1, stiffness: {stiffness.tolist()}, start: [1, 0, -0.5]}}\n"
    with run("number", system + "methods: [incremental_potential, backward_euler]\nstep: 0.001\nend: 5\n") as file:
        due = modes(2 * np.eye(3), 0.1 * np.eye(3), stiffness, np.array([1, 0, -0.5]), 5.0)
        a, b = (file[m]["x_final"][...] for m in ("incremental_potential", "backward_euler"))
        check(np.max(np.abs(b - due)) < 5e-3, f"number: {b}, not {due}")
        check(np.max(np.abs(a - b)) < 1e-3, f"number: incremental_potential {a}, backward_euler {b}")
    # The energies of the matrices at the start.
    with run("energy", "problem: {mass: [2, 4], stiffness: [[5, -2], [-2, 4]], start: [1, 2], start_velocity: [1, -3]}\nmethods: [rk4]\n"
                       "step: 0.1\nend: 0.1\ntrajectory: {every: 1, fields: [energy, kinetic]}\n") as file:
        energy, kinetic = (file[f"rk4/{name}"][..., 0].item() for name in ("energy", "kinetic"))
        check(kinetic == 19 and energy == 19 + 6.5, f"energy: {energy}, kinetic {kinetic}")
    # A damping that is not symmetric turns without power: the energy stays.
    turning = "problem: {damping: [[0, 2], [-2, 0]], stiffness: [3, 3], start: [1, 0]}\nmethods: [rk4]\nstep: 0.001\nend: 5\n"
    with run("turning", turning) as file:
        check(file["rk4/energy_drift"][...] < 1e-10, "turning: the energy changes")


def test_sums_and_damping():
    """Sums with factors, Rayleigh's and modal damping, the ground's acceleration, and matrices of first order: against modes."""
    mass = np.array([[2, 0.5, 0], [0.5, 1, -0.25], [0, -0.25, 3]])
    stiffness = np.array([[20.0, -10, 0], [-10, 30, -20], [0, -20, 25]])
    root = np.linalg.cholesky(mass)
    inverse = np.linalg.inv(root)
    squares, vectors = np.linalg.eigh(inverse @ stiffness @ inverse.T)
    shapes = root @ vectors  # M phi of the modes
    modal = sum(2 * zeta * np.sqrt(square) * np.outer(shape, shape) for zeta, square, shape in zip([0.02, 0.05], squares, shapes.T))
    write("k0.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 20\n2 2 30\n3 3 25\n2 1 -10\n3 2 -20\n")
    write("k1.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 1\n")
    start, ground, rest = np.array([0.1, -0.2, 0.3]), 2.0, "methods: [rk4]\nstep: 0.001\nend: 3\n"

    def due(damping, stiffness):
        still = np.linalg.solve(stiffness, -ground * mass.sum(axis=1))
        return still + modes(mass, damping, stiffness, start - still, 3.0)

    system = f"mass: {mass.tolist()}, " "stiffness: {sum: [./k0.mtx, \"2*p * ./k1.mtx\", [0, 0, p]]}, start: [0.1, -0.2, 0.3], " \
             "parameters: {p: [0, 5]}"
    table = "tables: {ag: {samples: [[0, 2], [5, 2]]}}\n"
    with run("rayleigh", f"{table}problem: {{{system}, base: ag, damping: {{rayleigh: {{mass: 0.1, stiffness: p/100}}}}}}\n{rest}") as file:
        for i, p in enumerate([0, 5]):
            k = stiffness + np.diag([2 * p, 0, p])
            right, final = due(0.1 * mass + p / 100 * k, k), file["rk4/x_final"][i]
            check(np.max(np.abs(final - right)) < 1e-9, f"rayleigh, p = {p}: {final}, not {right}")
    system = f"mass: {mass.tolist()}, stiffness: {stiffness.tolist()}, start: [0.1, -0.2, 0.3], base: 2"
    for name, damping, matrix in (("lowest", "{modal: [0.02, 0.05]}", modal),
                                  ("added", "{modal: [0.02, 0.05], rayleigh: {mass: 0.1}, sum: [0.2]}", modal + 0.1 * mass + 0.2 * np.eye(3))):
        with run(name, f"problem: {{{system}, damping: {damping}}}\n{rest}") as file:
            final, right = file["rk4/x_final"][...], due(matrix, stiffness)
            check(np.max(np.abs(final - right)) < 1e-9, f"{name}: {final}, not {right}")
    # One ratio for all modes of a chain that is free to move: its first mode has the frequency 0.
    with run("free", "problem: {stiffness: [[1, -1], [-1, 1]], damping: {modal: 0.1}, start: [1, 0], start_velocity: [1, 1]}\n" + rest) as file:
        omega, middle = np.sqrt(2), 0.5 + 3.0
        turn = omega * np.sqrt(1 - 0.01)
        apart = np.exp(-0.1 * omega * 3) * (np.cos(turn * 3) + 0.1 * omega / turn * np.sin(turn * 3))
        check(np.max(np.abs(file["rk4/x_final"][...] - [middle + apart / 2, middle - apart / 2])) < 1e-9, f"free: {file['rk4/x_final'][...]}")
    state, force = np.array([[-1, 2, 0], [0, -3, 0.5], [0.5, 0, -2]]), np.array([1, 0, -1])
    with run("state", "problem: {state: [[-1, 2, 0], [0, -3, p], [p, 0, -2]], force: [1, 0, -1], start: [1, 0, 0], parameters: {p: 0.5}}\n"
                      + rest) as file:
        values, vectors = np.linalg.eig(state)
        still = np.linalg.solve(state, -force)
        right = still + (vectors @ (np.exp(3 * values) * np.linalg.solve(vectors, np.array([1, 0, 0]) - still))).real
        check(np.max(np.abs(file["rk4/x_final"][...] - right)) < 1e-11, f"state: {file['rk4/x_final'][...]}, not {right}")


need_compiler()
def test_shipped():
    """The building's peaks, of three stiffnesses, beside modes whose force is linear between samples: solved exactly there."""
    pendula("run", ROOT / "sweeps/shear_building.yaml", "-d", "native", "-s", "parameters.soft=[0.25, 0.75, 1.5]", "-o", "building.h5")
    with h5py.File(folder / "building.h5") as file:
        found = file["generalized_alpha/x_max"][...]
        check(np.all(file["generalized_alpha/status"][...] == 1), "the building: a point is not ok")
    times, record = np.loadtxt(ROOT / "sweeps/quake.csv", delimiter=",", skiprows=1, unpack=True)
    mass = np.array([60e3, 60e3, 60e3, 50e3])
    rest = np.array([[60e6, -60e6, 0, 0], [-60e6, 110e6, -50e6, 0], [0, -50e6, 90e6, -40e6], [0, 0, -40e6, 40e6]])
    for i, soft in enumerate((0.25, 0.75, 1.5)):
        stiffness = rest + np.diag([soft * 70e6, 0, 0, 0])
        squares, shapes = np.linalg.eigh(stiffness / np.sqrt(np.outer(mass, mass)))
        omega = np.sqrt(squares)
        share = shapes.T @ np.sqrt(mass)
        zeta = (0.3 / omega + 1.5e-3 * omega) / 2
        wd = omega * np.sqrt(1 - zeta**2)
        q, rate, motion = np.zeros(4), np.zeros(4), []
        # q'' + 2 zeta omega q' + omega^2 q = a + b t: the line that moves along, and a free vibration about it.
        for n in range(len(times) - 1):
            h = times[n + 1] - times[n]
            a, b = -9.81 * share * record[n], -9.81 * share * (record[n + 1] - record[n]) / h
            line = b / squares
            offset = a / squares - 2 * zeta * b / omega**3
            c = q - offset
            s = (rate - line + zeta * omega * c) / wd
            for t in np.arange(1, 5) * h / 4:
                decay, cosine, sine = np.exp(-zeta * omega * t), np.cos(wd * t), np.sin(wd * t)
                q = decay * (c * cosine + s * sine) + offset + line * t
                motion.append(shapes @ q)
            rate = decay * ((s * wd - zeta * omega * c) * cosine - (c * wd + zeta * omega * s) * sine) + line
        peak = np.max(np.abs(np.array(motion) / np.sqrt(mass)))
        check(abs(found[i] / peak - 1) < 5e-3, f"the building, soft = {soft}: {found[i]}, not {peak}")


main(test_matrices, test_sums_and_damping, test_shipped, fine="the matrices' modes")
