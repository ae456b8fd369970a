# check_networks -- coordinates with numbers and sums over an index: against closed forms, scipy, and the same formulas spelt out.
import re

from checking import answer, check, h5, main, need, need_compiler, pendula, results, ROOT, write

_, np = need("h5py", "numpy")

TIGHT = "methods: [{dopri5_adaptive: {rtol: 1.0e-12, atol: 1.0e-13}}]\nstep: 0.05\nend: 5\n"
KURAMOTO = """problem:
  coordinates: {a: n}
  define: {n: %d}
  rate: ["2*i/(n - 1) - 1 + k/n*sum(j, 0, n - 1, sin(a[j] - a[i]))"]
  start: ["1.8*pi*i/n"]
  parameters: {k: [0.5, 3]}
"""
# Both sides of the ends of a chain: the neighbour that is not there pulls nothing.
CHAIN = """problem:
  coordinates: {a: 8}
  acceleration: ["-sin(a[i]) + 0.7*(if(i < 7, sin(a[i + 1] - a[i]), 0) - if(i > 0, sin(a[i] - a[i - i/i]), 0)) - 0.05*v_a[i]
    + 0.3*(sum(j, 0, 7, v_a[j])/8 - v_a[i])"]
  start: ["0.2*i - 0.5"]
"""


def run(*words):
    return results(*words, device="native")


def test_scipy():
    """scipy 1.17.1: solve_ivp of the same right sides by numpy, DOP853, rtol = atol = 1e-13, which 1e-12 changes by 2e-12 at most."""
    due = {0.5: [-4.7360059539085215, -0.14761616650547252, 10.037443556841298],
           3.0: [-0.8389621991774859, -0.604698232082154, 6.140399802110264]}
    with run("kuramoto", KURAMOTO % 16 + TIGHT) as file:
        for k, right in due.items():
            final = file["dopri5_adaptive/x_final"][list(due).index(k)][[0, 5, 15]]
            check(np.max(np.abs(final - right)) < 2e-11, f"k = {k}: {final}, not {right}")
    frequency = "tables: {frequency: {samples: [[0, -1], [15, 1]]}}\n"
    with run("frequencies", frequency + (KURAMOTO % 16).replace("2*i/(n - 1) - 1", "frequency(i)") + TIGHT) as file:
        final = file["dopri5_adaptive/x_final"][0][[0, 5, 15]]
        check(np.max(np.abs(final - due[0.5])) < 2e-11, f"frequencies of a table: {final}, not {due[0.5]}")
    with run("chain", CHAIN + TIGHT) as file:
        x, v = file["dopri5_adaptive/x_final"][...], file["dopri5_adaptive/v_final"][...]
        right = [-0.05842143041478784, 0.03721482170886621, 0.09277159002010335, -0.06392124972785261, 0.42201477025847123]
        final = np.concatenate([x[[0, 3, 7]], v[[0, 7]]])
        check(np.max(np.abs(final - right)) < 2e-11, f"chain: {final}, not {right}")


def test_clusters():
    """Two equal clusters of equal oscillators: tan(d/2) of their distance d falls as exp(-k t). By explicit and implicit methods."""
    n, k, t, first = 32, 1.5, 2.0, 2.0
    system = f"""problem:
  coordinates: {{a: {n}}}
  rate: ["w + k/{n}*sum(j, 0, {n - 1}, sin(a[j] - a[i]))"]
  start: ["if(i < {n // 2}, 0, {first})"]
  parameters: {{w: 0.25, k: {k}}}
  exact: ["w*t + {first}/2 + if(i < {n // 2}, -1, 1)*atan(tan({first}/2)*exp(-k*t))"]
"""
    distance = np.arctan(np.tan(first / 2) * np.exp(-k * t))
    due = 0.25 * t + first / 2 + np.where(np.arange(n) < n // 2, -distance, distance)
    with run("clusters", f"{system}methods: [rk4, implicit_midpoint]\nstep: 0.005\nend: {t}\n") as file:
        for method, most in (("rk4", 1e-10), ("implicit_midpoint", 2e-5)):
            final = file[f"{method}/x_final"][...]
            check(np.max(np.abs(final - due)) < most, f"{method}: {final}, not {due}")
            check(file[f"{method}/error_max"][...] < most, f"{method}: {file[f'{method}/error_max'][...]} from the formula for `exact`")


def test_spelt():
    """A sum has the bits of its terms spelt out, called functions those of inlined ones, at every number of lanes and in the reference."""
    def spelt(n):
        names = ", ".join(f"a{i}" for i in range(n))
        rates = ", ".join(f'"2*{i}/({n} - 1) - 1 + k/{n}*(' + " + ".join(f"sin(a{j} - a{i})" for j in range(n)) + ')"' for i in range(n))
        starts = ", ".join(f'"1.8*pi*{i}/{n}"' for i in range(n))
        return f"problem:\n  coordinates: [{names}]\n  rate: [{rates}]\n  start: [{starts}]\n  parameters: {{k: [0.5, 3]}}\n"

    times = "methods: [rk4, trapezoidal]\nstep: 0.05\nend: 5\nmetrics: [x_final]\n"
    for n in (3, 6):  # three have copies of the sines, six call them
        with run("spelt", spelt(n) + times) as file:
            due = {method: file[f"{method}/x_final"][...] for method in ("rk4", "trapezoidal")}
        for words in ((), ("--lanes", "1"), ("-s", "problem.coordinates={a: %d}" % n)):
            with run("summed", KURAMOTO % n + times, *words) as file:
                for method, right in due.items():
                    check(file[f"{method}/x_final"][...].tobytes() == right.tobytes(), f"{n} oscillators, {method}, {words}")
        with run("reference", KURAMOTO % n + times, "-d", "reference") as file:
            for method, right in due.items():
                check(np.max(np.abs(file[f"{method}/x_final"][...] - right)) < 1e-9, f"{n} oscillators, {method}: the reference")


def test_blocks():
    """Calls in blocks, of huge angles too and one within another, have the bits of the functions inlined at each place."""
    rate = "k/n*sum(j, 0, n - 1, sin(1.0e10*cos(a[j]) + tanh(a[i])))"
    times = "methods: [rk4, trapezoidal]\nstep: 0.01\nend: 0.2\nmetrics: [x_final]\n"
    text = re.sub("rate: .*", f'rate: ["{rate}"]', KURAMOTO % 6) + times
    shown = answer("show", write("blocks.yaml", text))
    check(all(f"CALLS(real_{name}, calls, " in shown for name in ("sin", "cos", "tanh")), f"no blocks in {shown}")
    write("own_system.cl", re.sub(r"CALLS\((\w+), calls, (\d+)\);", r"for (int i = 0; i < \2; ++i) calls[i] = \1(calls[i]);", shown))
    for words in ((), ("--lanes", "1"), ("-s", "precision=single")):
        with run("blocks", text, *words) as a, run("copies", "problem: ./own_system.cl\nparameters: {k: [0.5, 3]}\n" + times, *words) as b:
            for method in ("rk4", "trapezoidal"):
                check(a[f"{method}/x_final"][...].tobytes() == b[f"{method}/x_final"][...].tobytes(), f"blocks {words}: {method}")
            check(np.all(np.isfinite(a["rk4/x_final"][...])), f"blocks {words}: rk4 is not finite")


def test_certified():
    """Certificates of every step, explicit and implicit, of a network whose sines are called; its file is replayed."""
    short = "methods: [rk4, trapezoidal]\nstep: 0.1\nend: 1\n"
    pendula("conform", write("certified.yaml", KURAMOTO % 6 + short), "-d", "native", "--lanes", "1")
    run("replayed", KURAMOTO % 6 + short).close()
    judged = answer("replay", "replayed.h5", "--group", "trapezoidal", "--point", "1", "-d", "native")
    check(re.search(r"certificates (\d+) of \1 hold", judged), f"replay: {judged}")


def test_called():
    """Beyond 24 calls of elementary functions a kernel has functions that are called; with fewer it has none."""
    for n, called in ((3, False), (16, True)):
        text = answer("source", write(f"source_{n}.yaml", KURAMOTO % n + "methods: [rk4]\nstep: 0.1\nend: 1\n"))
        check(("CALLED_ANGLES(sin)" in text) == called, f"{n} oscillators: functions are{' not' if called else ''} called")


def test_shipped():
    """The shipped sweep, over fewer couplings: without coupling no order, beyond Kuramoto's 4/pi the oscillators turn as one."""
    pendula("run", ROOT / "sweeps/network.yaml", "-d", "native", "--progress", "none", "--force", "-o", "network.h5", "-s",
            "problem.parameters.k={linear: [0, 4, 5]}")
    with h5("network") as file:
        order = file["rk4/mean_value"][...]
        check(np.all(file["rk4/status"][...] == 1) and order[0] < 0.3 and np.all(order[2:] > np.pi / 4), f"order {order}")
        # Locked phases are those of sin(a - psi) = w/(k r), r the mean of cos(a - psi), alike at every coupling.
        k, w = np.linspace(0, 4, 5)[2:], np.linspace(-1, 1, 16)
        for coupling, found in zip(k, order[2:]):
            r = 1.0
            for _ in range(500):
                r = np.mean(np.sqrt(1 - (w / (coupling * r))**2))
            check(abs(found - r) < 1e-9, f"k = {coupling}: order {found}, not {r}")


need_compiler()
main(test_scipy, test_clusters, test_spelt, test_blocks, test_certified, test_called, test_shipped)
