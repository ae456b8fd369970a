# check_gallery -- the commands of docs/gallery.md make its pictures, which are sound, and show what the page says of them.
#
# The sweeps run on the device native. Exit status: 0 all as it should be, 1 something is not, 77 skipped.
import math
import re
import shlex

from checking import answer, check, finish, folder, need, need_compiler, need_program, read, ROOT
from picture import faults_of, texts_of

np, _ = need("numpy", "h5py")


def run(line):
    words = [str(ROOT / word) if word.startswith("sweeps/") else word for word in shlex.split(line)]
    return answer(*words[1:], PENDULA_DEVICE="native")


# Each section is a run, a plot, and the picture of the page, whose name is that of the file that was made.
def check_section(title, text):
    commands = [line for line in text.split("```")[1].splitlines() if line]
    shown = re.search(r"!\[[^]]+\]\(gallery/([^)]+)\.png\)", text).group(1)
    check(len(commands) == 2, f"{title}: {commands}")
    run(commands[0])
    said = run(commands[1])
    check(said.startswith(f"{shown}.png, "), f"{title}: the page shows {shown}, the command made {said[:80]}")
    check((ROOT / "docs/gallery" / f"{shown}.png").is_file(), f"{title}: {shown}.png is not in docs/gallery")
    svg = (folder / f"{shown}.svg").read_text(encoding="utf-8")
    for fault in faults_of(svg, said):
        check(False, f"{title}: {fault}")
    return said, [part.words for part in texts_of(svg)]


def different(values):
    """How many values there are, those within 1e-3 of each other counted as one."""
    ordered = np.sort(values)
    return 1 + int((np.diff(ordered) > 1e-3).sum())


def check_bifurcation(said, words):
    force, samples = read("duffing_bifurcation", "dopri5/force"), read("duffing_bifurcation", "dopri5/poincare_x")[..., 0]
    at = lambda value: samples[np.argmin(abs(force - value))]
    check(different(at(0.2)) == 1 and different(at(0.28)) == 2 and different(at(0.32)) > 50, "the way to chaos is another")


# Hill's determinant on the axis: tongues begin at a = n^2; between them the motion is bounded.
def check_mathieu(said, words):
    a, q, found = (read("mathieu", f"yoshida4/{name}") for name in ("a", "q", "lyapunov_exponent"))
    grows = lambda x, y: found[np.argmin(abs(a - x)), np.argmin(abs(q - y))] > 0.05
    check(grows(1, 0.5) and grows(4, 2) and grows(-1, 0), "a tongue is missing")
    check(not grows(2.5, 0.5) and not grows(6.5, 1) and not grows(0, 0.5) and not grows(9, 0.5), "growth where the motion is bounded")
    # At q = 0 and a < 0 the exponent is sqrt(-a).
    check(abs(found[np.argmin(abs(a + 1)), 0] - 1) < 0.02, "the exponent of x'' = x")


# The energy at rest, g (2 - 2 cos th1 + 1 - cos th2), must reach that of a rod which stands: 2 g for the second.
def check_flips(said, words):
    th1, th2, time = (read("flips", f"rk4/{name}") for name in ("th1", "th2", "flip_time"))
    energy = 2 * (1 - np.cos(th1))[:, None] + (1 - np.cos(th2))[None, :]
    check(np.isnan(time[energy < 2]).all(), "a flip without the energy for it")
    flips = np.isfinite(time)
    check(flips.mean() > 0.3 and (flips == flips[::-1, ::-1]).mean() > 0.97, "the map is not the same turned by 180 degrees")
    check("no value" in words, "the legend names the grey region")


def check_response(said, words):
    for force in ("0.02", "0.05", "0.1", "0.2"):
        check(f"force = {force}" in words, f"the curve of force {force} is named")
    force, omega = (read("response", f"dopri5/{name}") for name in ("force", "force_omega"))
    found = read("response", "dopri5/steady_amplitude")
    # Harmonic balance: f^2 = A^2 ((1 - w^2 + 3/4 beta A^2)^2 + (delta w)^2), to the third harmonic, which is a percent here.
    for i, w in enumerate(omega):
        for k, f in enumerate(force):
            A = found[k, i]
            check(abs(A * math.hypot(1 - w * w + 0.15 * A * A, 0.1 * w) / f - 1) < 0.05, f"the amplitude at force {f}, frequency {w}: {A}")


def check_convergence(said, words):
    wanted = {"symplectic_euler": 1, "backward_euler": 1, "velocity_verlet": 2, "generalized_alpha": 2, "theta2": 2, "rk4": 4, "dopri5": 5}
    found = {label: float(order) for label, order in re.findall(r"^  (\w+): order ([\d.]+) from", said, re.M)}
    check(found.keys() == wanted.keys() and all(abs(found[name] - order) < 0.15 for name, order in wanted.items()), f"orders: {found}")
    for word in ("1", "2", "4", "5"):
        check(word in words, f"a triangle shows order {word}")


def check_work(said, words):
    for label in ("velocity_verlet", "trapezoidal", "generalized_alpha", "yoshida4", "rk4", "dopri5", "dopri5_adaptive, steps = 50"):
        check(label in words, f"{label} is drawn")


def check_portrait(said, words):
    x, v, start = (read("portrait", f"implicit_midpoint/{name}") for name in ("x", "v", "x0"))
    energy = v[..., 0]**2 / 2 + x[..., 0]**4 / 4 - x[..., 0]**2 / 2
    check(abs(energy - energy[:, :1]).max() < 1e-3, "the motions keep their energy")
    inside = abs(start) < math.sqrt(2)
    check((np.sign(x[..., 0]) == np.sign(start)[:, None]).all(axis=1).tolist() == inside.tolist(), "motions in one well, and around both")


def check_failures(said, words):
    check("not_finite" in words, "the colour of failures is named")
    for label, limit in (("central_difference", 2.0), ("rk4", 2 * math.sqrt(2))):
        eps, step, status = (read("failures", f"{label}/{name}") for name in ("eps", "step", "status"))
        ratio = step[:, None] / eps[None, :]
        check((status[ratio < 0.9 * limit] == 1).all(), f"{label}: a point fails below its limit of stability")
        check((status[ratio > 1.5 * limit] != 1).mean() > 0.9, f"{label}: points do not fail above their limit")


CHECKS = {"The way to chaos": check_bifurcation, "A stability chart": check_mathieu, "When does it flip?": check_flips,
          "A frequency response with families": check_response, "Convergence": check_convergence, "Work and precision": check_work,
          "A phase portrait": check_portrait, "A map with failures": check_failures}


need_program("gnuplot")
need_compiler()
page = (ROOT / "docs/gallery.md").read_text(encoding="utf-8")
sections = {part.splitlines()[0]: part for part in page.split("\n## ")[1:]}
check(sections.keys() == CHECKS.keys(), f"sections of the page: {sorted(sections)}")
for title, text in sections.items():
    CHECKS[title](*check_section(title, text))
finish("all pictures are as the page says")
