# check_export -- `pendula export`: the table of a group has each number of the result file, to the bit.
import csv
import io
import resource
import signal
import struct

from checking import check, execute, flip, folder, h5, main, need, pendula, place_of, PROGRAM, refused, run, start, write

h5py, np = need("h5py", "numpy")

try:
    import pandas
except ImportError:
    pandas = None


# Points that fail and numbers that are not there; axes that go together, of a file and of a design; one point; a system of first order;
# single precision; 300,000 points, which are more than are read at a time.
SWEEPS = {
    "grid": "problem: double_pendulum\nparameters: {th1: {linear: [0.1, 3, 7]}, g: [9.81, 1e3]}\nmethods: [rk4, {generalized_alpha: {rho_inf: [0, 0.6]}}]\nstep: [0.1, 0.05]\nend: 2\n",
    "zip": "problem: pendulum\nparameters: {x0: {linear: [0.1, 3, 9]}, zeta: {linear: [0, 0.2, 9]}}\nmethods: [explicit_euler]\nstep: 0.1\nsteps: 7\ndesign: zip\ntrajectory: {every: 2}\n",
    "some": "problem: pendulum\nparameters: {x0: {linear: [0.1, 3, 5]}, zeta: {linear: [0, 0.2, 5]}, g: [1, 2]}\nmethods: [rk4]\nstep: 0.1\nsteps: 7\nzip: [x0, zeta]\n",
    "design": "problem: pendulum\nparameters: {x0: {uniform: [0.1, 3]}, g: [1, 2]}\nmethods: [rk4]\nstep: 0.1\nsteps: 3\ndesign: {sobol: {samples: 64}, inside: grid}\n",
    "file": "problem: pendulum\npoints: {file: points.csv}\nmethods: [{theta1: {theta1: [0.5, 1]}}]\nsteps: 3\n",
    "point": "problem: pendulum\nmethods: [rk4]\nstep: 0.1\nsteps: 3\n",
    "first": "problem: lorenz\nparameters: {rho: [1, 28, 1e30]}\nmethods: [rk4]\nstep: 0.01\nsteps: 100\n",
    "single": "problem: pendulum\nparameters: {x0: [0.1, 0.7]}\nprecision: single\nmethods: [rk4]\nstep: 0.1\nsteps: 30\n",
    "many": "problem: harmonic_oscillator\nparameters: {omega: {linear: [0.1, 3, 600]}, x0: {linear: [0.1, 3, 500]}}\nmethods: [rk4]\nstep: 0.1\nsteps: 1\nmetrics: [status, x_final]\n",
}


def wanted(path, label):
    """Columns of a group, by h5py alone: names and values, a row each point."""
    columns = {}
    with h5py.File(path) as file:
        group = file[label]
        status = group["status"]
        shape = status.shape
        along = [d[0].name.rsplit("/", 1)[1] for d in status.dims]
        names = list(group)
        for name in names[: names.index("status")]:
            dataset = group[name]
            dims = [d[0].name.rsplit("/", 1)[1] if len(d) else name for d in dataset.dims]
            if b"but not a netCDF variable" in dataset.attrs.get("NAME", b""):
                continue  # a dimension without values
            if dataset.dtype.kind != "f" or len(dims) != 1 or dims[0] not in along or name.startswith("trajectory_"):
                continue
            place = along.index(dims[0])
            columns[name] = np.broadcast_to(dataset[()].reshape([-1 if i == place else 1 for i in range(len(shape))]), shape).ravel()
        columns["status"] = status[()].ravel()
        for name in names[names.index("status") + 1:]:
            dataset = group[name]
            if dataset.shape == shape:
                columns[name] = dataset[()].ravel()
            elif dataset.shape[:-1] == shape and dataset.dims[len(shape)][0].name.endswith("/dof"):
                for i in range(dataset.shape[-1]):
                    columns[f"{name}[{i}]"] = dataset[()].reshape(-1, dataset.shape[-1])[:, i]
    return columns


def same_bits(a, b):
    return struct.pack("<d", a) == struct.pack("<d", b)


def compare(path, label, *words, rows=None, what=""):
    text = pendula("export", path, "--group", label, *words).out
    table = list(csv.reader(io.StringIO(text)))
    columns = wanted(folder / path, label)
    if not check(table[0] == list(columns), f"{path} {label} {what}: columns {table[0]}, not {list(columns)}"):
        return
    rows = np.arange(len(columns["status"])) if rows is None else rows
    check(len(table) - 1 == len(rows), f"{path} {label} {what}: {len(table) - 1} rows, not {len(rows)}")
    axes = list(columns).index("status")
    wrong = 0
    for line, row in zip(table[1:], rows):
        for i, (field, (name, values)) in enumerate(zip(line, columns.items())):
            value = float(values[row])
            if i > axes and columns["status"][row] == 0 or np.isnan(value):
                wrong += field != ""
            else:
                wrong += field == "" or not same_bits(float(field), value)
    check(wrong == 0, f"{path} {label} {what}: {wrong} fields")
    if pandas:
        frame = pandas.read_csv(io.StringIO(text), float_precision="round_trip")
        for name, values in columns.items():
            seen, exact = frame[name].to_numpy(dtype=float), np.asarray(values, dtype=float)[rows]
            if name not in list(columns)[: axes + 1]:
                exact = np.where(columns["status"][rows] == 0, np.nan, exact)
            check(np.array_equal(seen, exact, equal_nan=True), f"{path} {label} {what}: {name} through pandas")


def limits():
    """A disk that is full, and a signal, leave nothing."""
    before = sorted(p.name for p in folder.iterdir())

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    done = pendula("export", "many.h5", "-o", "no.csv", code=3, limit=limit)
    check("no.csv" in done.err and done.err.count("\n") == 1, f"a full disk: {done.err}")
    child = start("export", "many.h5", "-o", "no.csv")
    while child.poll() is None and not list(folder.glob(".pendula*/no.csv")):
        pass
    child.send_signal(signal.SIGINT)
    code = child.wait()
    (folder / "no.csv").unlink(missing_ok=code in (0, 75, -signal.SIGINT))
    check(code in (0, 75, -signal.SIGINT) and sorted(p.name for p in folder.iterdir()) == before, f"a signal: {code}")
    first = execute(["sh", "-c", f"'{PROGRAM}' export many.h5 | head -1"]).out
    check(first == "omega,x0,status,x_final[0]\n", f"a reader that goes away: {first}")


def refusals():
    for words, code, part in ((["grid.h5"], 2, "--group takes one of rk4, generalized_alpha"), (["grid.h5", "--group", "rk5"], 2, "no group 'rk5'"),
                              (["point.h5", "--metric", "x_macs"], 2, "did you mean 'x_max'"), (["point.h5", "--at", "x0=1"], 2, "no axis 'x0'"),
                              (["point.h5", "--metric", "x_final[phi]"], 2, "no metric 'x_final[phi]'"), (["zip.h5", "--at", "x0=1"], 2, "go together"), (["point.h5", "--format", "xml"], 2, "csv"),
                              (["point.h5", "-o", "grid.yaml"], 3, "exists"), (["point.h5", "-o", "point.h5", "--force"], 3, "point.h5"), (["nope.h5"], 3, "nope.h5"),
                              (["grid.yaml"], 4, "grid.yaml")):
        refused(part, "export", *words, code=code)
    flip("many", place_of("many", "rk4/x_final") + 5000, "bad")
    refused("damaged", "export", "bad.h5", code=4)


write("points.csv", "x0,g,step\n0.1,1,0.1\n0.30000000000000004,9.81,0.05\n1e-300,2,0.1\n")
for name, sweep in SWEEPS.items():
    run(name, sweep, device="cpu" if name == "single" else "reference")
    with h5(name) as file:
        for label in [g for g in file if "status" in file[g]]:
            compare(f"{name}.h5", label)
with h5("grid") as file:
    check(len(set(file["rk4/status"][()].ravel())) > 1, "some points of the grid fail")
    status = file["rk4/status"]
    rows = np.arange(status.size).reshape(status.shape)[:, 3, 1].ravel()
compare("grid.h5", "rk4", "--at", "th1=1.6,g=2000", rows=rows, what="at the nearest values")
error = pendula("export", "grid.h5", "--group", "rk4", "--at", "th1=1.6").err
check("th1 = 1.55" in error, f"which value was taken: {error}")
some = pendula("export", "grid.h5", "--group", "rk4", "--metric", "x_max", "--metric", "v_final").out.splitlines()[0]
check(some == "step,th1,g,status,v_final[0],v_final[1],x_max" or some == "step,th1,g,status,x_max,v_final[0],v_final[1]", f"only some columns: {some}")
whole = pendula("export", "grid.h5", "--group", "rk4", "--metric", "x_final", "--metric", "v_final").out.splitlines()
named = pendula("export", "grid.h5", "--group", "rk4", "--metric", "x_final[theta2]", "--metric", "v_final[v_theta1]").out.splitlines()
check(named[0] == "step,th1,g,status,x_final[1],v_final[0]", f"components by their names: {named[0]}")
check([row.split(",") for row in named] == [[*f[:4], f[5], f[6]] for f in (row.split(",") for row in whole)], "components by their names")
pendula("run", "many.yaml", "-d", "reference", "--progress", "none", "--shard", "1/3", "-o", "shard.h5")
compare("shard.h5", "rk4", what="a shard, of which most points were not run")
pendula("pack", "grid.h5", "-o", "packed.h5", "--progress", "none")
compare("packed.h5", "generalized_alpha", what="packed")
pendula("export", "point.h5", "-o", "new.csv")
check((folder / "new.csv").read_text() == pendula("export", "point.h5").out, "a file has what stdout has")
(folder / "new.csv").unlink()
main(limits, refusals, fine="every number is the file's" + ("" if pandas else "; skipped: pandas is absent"))
