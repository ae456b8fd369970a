# check_reuse -- `run --reuse OLD.h5`: points that an older file has are copied, wherever they stand, and the file is that of a run
# without it, byte for byte.
import re

from checking import change, check, flip, folder, h5, log_of, main, need, pendula, place_of, read, refused, remove, same_bytes, write
from sweeps import design, grid

need("h5py")

BASE = grid(41, 7, 2, "{x0: 1, zeta: [0, 0.1]}")
COUNT = 41 * 7 * 2 * 3  # points


def run(name, text, *words, device="reference"):
    """Writes NAME.yaml, runs it into NAME.h5, and returns what the file's log says at the end."""
    done = pendula("run", write(f"{name}.yaml", text), "-d", device, "--progress", "none", *words)
    return log_of(name)[-1] | {"err": done.err, "out": done.out} if done.code == 0 else {}


def same(text, old, copied, what, device="reference"):
    """A run with older files copies so many points, and is equal to one without."""
    remove("*new*.h5*")
    end = run("new", text, *[w for o in old for w in ("--reuse", f"{o}.h5")], device=device)
    check(end.get("points_copied") == copied, f"{what}: {end.get('points_copied')} points copied, not {copied}")
    (folder / "new.h5").rename(folder / "reused-new.h5")
    run("new", text, device=device)
    same_bytes("reused-new.h5", "new.h5", f"{what}: a run without it")
    return end


def grids():
    end = same(BASE, ["base"], COUNT, "the same sweep")
    check(end["steps"] == 0 and f"{COUNT} points copied from older files" in end["out"], "nothing is computed twice, and this is said")
    same(BASE.replace("1.5, 41]", "1.5, 81]"), ["base"], COUNT, "81 values from 41")
    same(BASE.replace("1.5, 41]", "1.5, 21]"), ["base"], 21 * 7 * 2 * 3, "21 values from 41")
    same(BASE.replace("0.3, 7]", "0.3, 13]").replace("step: [0.1, 0.05]", "step: [0.025, 0.05, 0.1, 0.2]"), ["base"], COUNT, "two axes, longer trajectories")
    same(BASE.replace("[0.1, 0.05]", "[0.05, 0.1]").replace("x0: {linear: [0.5, 1.5, 41]}, zeta: {linear: [0, 0.3, 7]}", "zeta: {linear: [0, 0.3, 7]}, x0: {linear: [0.5, 1.5, 41]}"),
         ["base"], COUNT, "axes in another order, the other way round")
    same(BASE.replace("zeta: {linear: [0, 0.3, 7]}", "zeta: 0.15").replace("where: {x0: 1, zeta: [0, 0.1]}", "where: {x0: 0.5}"), ["base"], 40 * 2 * 3, "an axis becomes a value")
    same(BASE.replace("where: {x0: 1, zeta: [0, 0.1]}", "where: {x0: [0.5, 1], zeta: 0.1}"), ["base"], COUNT - 2 * 3, "other trajectories")
    same(BASE.replace("theta: [0.1, 0.5]", "theta: 0.5"), ["base"], 41 * 7 * 2 * 2, "a method's parameter becomes a value")
    same(BASE.replace("label: other", "label: another"), ["base"], COUNT, "another label")
    zipped = BASE.replace("x0: {linear: [0.5, 1.5, 41]}", "x0: {linear: [0.5, 1.5, 7]}").replace("methods:", "design: zip\nmethods:").replace("step: [0.1, 0.05]", "step: 0.1")
    zipped = zipped.replace("theta: [0.1, 0.5]", "theta: 0.5").replace("where: {x0: 1, zeta: [0, 0.1]}", "where: {x0: 1}")
    same(zipped, ["base"], 2 * 2, "axes that go together: where they meet the grid, without one whose trajectory the grid lacks")
    run("zip", zipped)
    same(BASE, ["zip"], 2 * 3, "a grid from axes that go together")


def what_is_not_the_same():
    for what, text in {
        "a rule of Newton's method": BASE + "newton: {tolerance: 1e-9}\n",
        "another residual": BASE + "newton: {residual: raw}\n",
        "a least size": BASE + "newton: {scale: {x0: 1}}\n",
        "another guess": BASE + "newton: {guess: extrapolated}\n",
        "the budget": BASE + "substeps: {budget: 77}\n",
        "the depth": BASE + "substeps: {max_depth: 3}\n",
        "precision": BASE + "precision: single\n",
        "another parameter": BASE.replace("{x0:", "{g: 1.5, x0:", 1),
        "metrics": BASE.replace(", error_max]", "]"),
        "end": BASE.replace("end: 2", "end: 3"),
        "samples": BASE.replace("every: 2", "every: 4"),
    }.items():
        end = same(text, ["base"], 0, what)
        said = "has no group of the same kernel, metrics, precision and rules" in end["err"]
        check(said == (what not in ("a rule of Newton's method", "another parameter", "end")), f"{what}: {end['err']}")
    for words, code, named in ((("other.h5", "--reuse", "gone.h5"), 3, "gone.h5"), (("base.h5", "--force", "--reuse", "base.h5"), 3, "base.h5"),
                               (("other.h5", "--reuse", "base.yaml"), 4, "base.yaml")):
        refused(named, "run", "base.yaml", "-o", *words, code=code)
    check(not list(folder.glob("other*")), "nothing is left behind")


def kernels_and_reference():
    """Points of kernels are no points of the reference."""
    text = "problem: pendulum\nparameters: {x0: {linear: [0.5, 1.5, 2000]}}\nmethods: [rk4]\nstep: 0.1\nsteps: 10\nmetrics: [status, x_max]\ntrajectory: {every: 5}\n"
    run("kernels", text, device="cpu")
    same(text.replace("2000", "3999"), ["kernels"], 2000, "kernels, several blocks", device="cpu")
    same(text, ["kernels"], 0, "the reference from kernels")
    text = text.replace("trajectory: {every: 5}\n", "")
    run("plain", text)
    same(text + "precision: single\n", ["plain"], 0, "single precision from double, without trajectories")
    same(text.replace("[rk4]", "[{label: rk4, rk2: {}}]"), ["plain"], 0, "another method of the same label")


def designs():
    text = design(1024)
    run("design", text)
    same(text.replace("1024", "2048"), ["design"], 1024 * 4, "twice the samples of a design")
    same(text.replace("1024", "512"), ["design"], 512 * 4, "half the samples of a design")
    with h5("design") as file:
        x0, zeta = (file["rk4"][name][:] for name in ("x0", "zeta"))
    write("points.csv", "x0,zeta\n" + "".join(f"{a:.17g},{b:.17g}\n" for a, b in zip(x0[::3], zeta[::3])) + "1,0.1\n")
    same(re.sub("parameters: .*\n", "points: {file: points.csv}\n", text).replace("design: {saltelli: {samples: 1024}}\n", ""), ["design"], len(x0[::3]), "rows of a file")


def failed_and_unfinished():
    text = BASE.replace("step: [0.1, 0.05]", "step: [0.5, 0.05]") + "newton: {max_updates: 2}\nsubsteps: {max_depth: 0}\n"
    run("failed", text)
    with h5("failed") as file:
        check(len(set(file["other/status"][:].flat)) > 1, "some points fail")
    same(text.replace("1.5, 41]", "1.5, 81]"), ["failed"], COUNT, "points that fail")
    with h5("base") as file:
        blocks, first = len(file["journal/block_done"]), int(file["other"].attrs["first_block"])
    check(blocks == 3 and first == 2, f"{blocks} blocks, the last group from {first} on")
    flip("base", place_of("base", "journal/block_done"), "part")
    same(BASE, ["part"], COUNT - 1024, "an older file that is not complete")
    flip("base", place_of("base", "theta2/status") + 3, "damaged", 4)
    end = same(BASE, ["damaged"], COUNT - 1024, "an older file with a damaged block")
    check("1 block of 'damaged.h5' is damaged, and not used" in end["err"], f"a damaged block is said: {end['err']}")
    same(BASE, ["damaged", "part", "base"], COUNT, "several older files")


def resumed():
    """Half of a file is there, and an older file serves the rest."""
    text = "problem: pendulum\nparameters: {x0: {linear: [0.5, 1.5, 5000]}}\nmethods: [rk4]\nstep: 0.1\nsteps: 10\nmetrics: [status, x_max]\n"
    run("whole", text)
    run("older", text.replace("5000", "2500").replace("0.5, 1.5", "0.5, 0.9998999799959992"))
    wanted = (folder / "whole.h5").read_bytes()
    common = set(read("older", "rk4/x0")) & set(read("whole", "rk4/x0")[1024:])
    change("whole", "whole", {place_of("whole", "journal/block_done") + 1: bytes(4)})
    end = run("whole", text, "--resume", "--reuse", "older.h5")
    check(end["points_copied"] == len(common) and end["blocks_computed"] == 4, f"{end['points_copied']} of {len(common)} points copied into a file that is gone on with")
    check((folder / "whole.h5").read_bytes() == wanted, "not the bytes of one run")


run("base", BASE)
main(grids, what_is_not_the_same, kernels_and_reference, designs, failed_and_unfinished, resumed, fine="all as documented")
