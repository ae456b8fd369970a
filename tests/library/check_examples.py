# check_examples -- the examples in other surroundings run: a notebook without a screen, Julia, Octave.
import json
import re
import shutil
import sys

from checking import check, execute, folder, main, pendula as program, ROOT, write
from package import np, pendula

EXAMPLES = ROOT / "docs/examples"
PAGE = (ROOT / "docs/library.md").read_text(encoding="utf-8")


def check_cells():
    """The notebook's cells as a script, which runs where there are no notebooks."""
    cells = [cell for cell in json.loads((EXAMPLES / "sweep.ipynb").read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    check(len(cells) >= 4 and not any(cell["outputs"] for cell in cells), "the notebook has outputs, or no cells")
    script = "\n".join("".join(cell["source"]) for cell in cells)
    done = execute([sys.executable, write("cells.py", script + "\nassert float(np.abs(end(points)).max()) <= 2\nassert result.complete\n")])
    check(done.code == 0, f"the notebook's cells: {done.text}")


def check_notebook():
    try:
        import nbclient
        import nbformat
    except ImportError:
        print("not looked at: nbclient is not installed (Debian: python3-nbclient, python3-ipykernel)")
        return
    book = nbformat.read(EXAMPLES / "sweep.ipynb", as_version=4)
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()  # raises where a cell does
    shown = "".join(str(output) for cell in book.cells for output in cell.get("outputs", []))
    check("energy_drift" in shown and "<table>" in shown and "<details>" in shown, f"the notebook shows {shown[:500]}")


def check_julia():
    """Julia's file calls functions that are there, with their arguments; where Julia is installed, it prints the numbers of C's."""
    text = (EXAMPLES / "swing.jl").read_text(encoding="utf-8")
    header = re.sub(r"//.*", "", (ROOT / "host/pendula.h").read_text(encoding="utf-8"))
    calls = re.findall(r"ccall\(\(:(pendula_\w+), lib\), \S+, \(([^)]*)\)", text)
    check(len(calls) >= 7, f"{len(calls)} calls are read in swing.jl")
    for name, types in calls:
        declared = re.search(rf"\b{name}\(([^)]*)\)", header)
        check(declared and len(re.findall(r"[^,\s]+", types)) == len(declared.group(1).split(",")), f"swing.jl: {name}({types})")
    if not shutil.which("julia"):
        print("not looked at: julia is not installed")
        return
    done = execute(["julia", "--startup-file=no", EXAMPLES / "swing.jl"])
    check(done.code == 0 and done.out.strip() and done.out in PAGE, f"swing.jl: {done.text}")


def check_octave():
    octave = shutil.which("octave-cli") or shutil.which("octave")
    if not octave:
        print("not looked at: octave is not installed")
        return
    write("swing.yaml", "problem: pendulum\nparameters: {x0: [0.5, 1.0, 1.5]}\nmethods: [rk4, theta2]\nstep: [0.1, 0.05]\nend: 2\n"
                        "metrics: [updates, energy_drift]\n")
    program("run", "swing.yaml", "-o", "swing.h5")
    group = pendula.open(folder / "swing.h5")["theta2"]
    for name in ("energy_drift", "updates"):
        done = execute([octave, "-qf", EXAMPLES / "read_result.m", "swing.h5", "theta2", name])
        lines = done.out.split("\n")
        # Octave's order, first index fastest, is the file's.
        check(done.code == 0 and lines[0] == "[3 2]" and np.array_equal(np.array(lines[1:7], float), group[name].ravel()),
              f"read_result.m: {name}: {done.text}")


main(check_cells, check_notebook, check_julia, check_octave)
