# check_info -- `info`: points by status, where on each axis they failed, what is missing, and what the log says of devices, against
# the file itself.
from checking import answer, change, check, finish, folder, h5, need, parsed, place_of, run
from poke import poke

np, _ = need("numpy", "h5py")

NAMES = ["not_run", "ok", "newton_failed", "depth_exceeded", "budget_exceeded", "not_finite", "singular", "chatter"]

GRID = """problem: pendulum
parameters: {x0: {linear: [0.5, 3, 101]}, zeta: [0, 0.1, 0.3]}
methods: [theta2: {theta: [0.1, 0.5]}, {label: rk, rk4: {}}]
step: {log: [0.1, 2, 12]}
end: 20
newton: {max_updates: 3}
substeps: {max_depth: 0}
metrics: [status, updates]
"""
OWN = """# A comment, kept where nothing is overridden.
title: "a: 'quoted' # title"
problem:
  coordinates: [x]
  acceleration: ["-w^2*x - 2*z*w*v_x"]
  start: [x0]
  parameters: {w: 1, z: [0.05, 0.1], x0: 1}
methods: [{label: one, rk4: {}}, theta2: {theta: [0, 0.5]}]
step: 0.1
end: 2
metrics: [status, updates, x_final, {decay_rate: {from: 0.5, label: late}}]
trajectory: {every: 4, where: {z: 0.1}}
"""
DESIGN = """problem: pendulum
parameters: {x0: {uniform: [0.5, 3]}, zeta: {uniform: [0, 0.3]}}
methods: [theta2]
step: 1.3
end: 20
newton: {max_updates: 3}
substeps: {max_depth: 0}
metrics: [status]
design: {sobol: {samples: 4096}}
"""


def values_of(group, name):
    """The value of each point on an axis."""
    status = group["status"]
    dims = [status.dims[i].keys()[0] if status.dims[i].keys() else "" for i in range(status.ndim)]
    if name in dims:
        shape = [1] * status.ndim
        shape[dims.index(name)] = -1
        return np.broadcast_to(group[name][...].reshape(shape), status.shape)
    return group[name][...]


def agree(name):
    """What the file says of itself, and what info says."""
    report = parsed("info", f"{name}.h5", "--json")
    lines = answer("info", f"{name}.h5").splitlines()
    with h5(name) as file:
        labels = [g for g in file if g != "journal"]
        total = np.zeros(7, int)
        for group in report["groups"]:
            status = file[group["label"]]["status"][...]
            counts = np.bincount(status.ravel(), minlength=7)
            total += counts
            check(group["points"] == status.size and group["status"] == {n: c for n, c in zip(NAMES, counts) if c}, f"{name}: {group['label']}: {group['status']}")
            for axis, parts in group["failures"].items():
                values = values_of(file[group["label"]], axis)
                computed = failed = 0
                for k, part in enumerate(parts):
                    inside = (values >= part["from"]) & ((values <= part["to"]) if k + 1 == len(parts) or values.ndim > 1 else (values < part["to"]))
                    if name == "design":
                        inside &= values <= part["to"] * (1 + 1e-12)
                    check(abs(int((inside & (status != 0)).sum()) - part["computed"]) <= (name == "design"), f"{name}: {axis}: {part}")
                    check(abs(int((inside & (status > 1)).sum()) - part["failed"]) <= (name == "design"), f"{name}: {axis}: {part}")
                    computed += part["computed"]
                    failed += part["failed"]
                check((computed, failed) == ((status != 0).sum(), (status > 1).sum()), f"{name}: {axis}: all parts together")
        check(report["points"] == total.sum() and report["status"] == {n: c for n, c in zip(NAMES, total) if c}, f"{name}: {report['status']}")
        check(len(report["groups"]) == len(labels), "all groups")
    return report, lines


def stats(name):
    """The least, the mean and the greatest number of each metric, and where they are."""
    report = parsed("info", f"{name}.h5", "--stats", "--json")
    lines = answer("info", f"{name}.h5", "--stats").splitlines()
    check(len(lines) == len(report) + 1, f"{name}: a line for each: {len(lines)}, {len(report)}")
    with h5(name) as file:
        wanted = 0
        for label in [g for g in file if g != "journal"]:
            group = file[label]
            status = group["status"]
            names = list(group)
            for metric in names[names.index("status") + 1:]:
                data = group[metric]
                vector = data.shape[:-1] == status.shape and data.dims[status.ndim][0].name.endswith("/dof")
                if data.shape != status.shape and not vector:
                    continue
                for c in range(data.shape[-1] if vector else 1):
                    wanted += 1
                    values = np.where(status[...] != 0, (data[..., c] if vector else data[...]).astype(float), np.nan)
                    rows = [r for r in report if r["group"] == label and r["metric"] == (f"{metric}[{c}]" if vector else metric)]
                    if not check(len(rows) == 1 and rows[0]["count"] == np.isfinite(values).sum(), f"{name}: {label}: {metric}: {rows}"):
                        continue
                    row = rows[0]
                    if row["count"] == 0:
                        check("least" not in row, f"{name}: {metric} has no number: {row}")
                        continue
                    fine = values[np.isfinite(values)]
                    check(row["least"] == fine.min() and row["greatest"] == fine.max() and np.isclose(row["mean"], fine.mean(), rtol=1e-12, atol=1e-300), f"{name}: {metric}: {row}")
                    for end, number in (("least_at", fine.min()), ("greatest_at", fine.max())):
                        place = dict(part.split("=") for part in row[end].split(","))
                        at = np.ones(status.shape, bool)
                        for axis, value in place.items():
                            at &= np.isclose(values_of(group, axis), float(value), rtol=1e-5)
                        check(number in values[at] and at.sum() < max(2, status.size), f"{name}: {metric}: {end}: {row}")
        check(wanted == len(report) and wanted > 1, f"{name}: {wanted} metrics, {len(report)} report")


def fingerprint(name):
    with h5(name) as file:
        return file.attrs["fingerprint"], file.attrs["settings"]


def sweeps():
    """A sweep that is given back makes the same file again; overrides are in it."""
    cases = [("grid", GRID, []), ("own", OWN, []),
             ("own", OWN, ["-s", "methods.theta2.theta=0.25", "-s", "step=[0.1, 0.05]", "-s", "title='it''s \\ new'", "-s", "newton.tolerance=1e-9", "-s", "parameters.z={linear: [0, 1, 3]}",
                           "-s", "trajectory=null", "-s", "methods.theta2.newton={mode: paper}"]),
             ("design", DESIGN, ["-s", "parameters.zeta={triangular: [0, 0.1, 0.2]}", "-s", "design={morris: {trajectories: 5}}"])]
    for name, text, words in cases:
        run(name, text, *words)
        again = answer("info", f"{name}.h5", "--sweep")
        check((again == text) == (not words), f"{name} {words}: {again}")
        run("again", again)
        check(fingerprint("again") == fingerprint(name), f"{name} {words}: another sweep: {again}")


def many_groups():
    """As many methods as a sweep may have, and many metrics: what is written is read."""
    methods = "".join(f"  - {{label: m{i}, rk4: {{}}}}\n" for i in range(1000))
    metrics = ", ".join(f"{{x_max: {{from: {0.001 * i:.3f}, label: most{i}}}}}" for i in range(30))
    run("many", f"problem: pendulum\nmethods:\n{methods}step: 0.1\nsteps: 2\nmetrics: [{metrics}]\n")
    check(len(parsed("info", "many.h5", "--json")["groups"]) == 1000, "a file of a thousand groups")
    (folder / "many.h5").unlink()


def unknown_statuses():
    """A file of another version may have a status that this one does not know."""
    (folder / "odd.h5").write_bytes((folder / "design.h5").read_bytes())
    poke(folder / "odd.h5", "theta2", "status", {0: 127, 1: -5, 2: 127})
    out = answer("info", "odd.h5")
    check("3 with a status that does not exist" in out, f"unknown statuses: {out}")


run("grid", GRID)
run("design", DESIGN)
report, lines = agree("grid")
check(report["status"]["newton_failed"] > 100 and report["missing"] == 0 and report["blocks"] == 12, f"{report}")
device = report["devices"][0]
check(len(report["devices"]) == 1 and device["name"] == "reference" and device["blocks"] == 12 and device["runs"] == 1 and device["steps"] > 1e5, f"{device}")
text = "\n".join(lines)
check("device       reference: 12 blocks in 1 run" in text and "blocks       12 of 12 done" in text, text)
by_step = {part["from"]: 100 * part["failed"] / part["computed"] for part in report["groups"][0]["failures"]["step"]}
line = next(line for line in lines if line.startswith("  failed       step:"))
check(all((f" {value:.4g} {share:.3g} %" in line) == (share > 0) for value, share in by_step.items()), f"{line}: {by_step}")
check(text.count("  failed  ") == len(report["groups"][0]["failures"]), "a line for each axis of the group that has failures")
report, lines = agree("design")
check(report["status"]["newton_failed"] > 100 and len(report["groups"][0]["failures"]["x0"]) == 8, f"{report['status']}")

unknown_statuses()
many_groups()

stats("grid")
sweeps()
stats("own")
run("grid", GRID)

# Half of it is not computed.
change("grid", "part", {place_of("grid", "journal/block_done"): bytes(3), place_of("grid", "theta2/status"): bytes(3 * 1024)})
report, lines = agree("part")
stats("part")
check(report["missing"] == 3 and report["status"]["not_run"] == 3072 and report["devices"] == [], f"a file that lost its log: {report}")
check("blocks       9 of 12 done; `pendula run --resume` goes on" in lines and not any("device" in line for line in lines), "\n".join(lines[:10]))
(folder / "part.h5.log").write_bytes(b'{"event": "start", "device": "a \\u001b[31m b"}\n{"event": "end", "blocks_computed": "x", "steps": 5}\n\xff[1,\n{]\n' * 3)
report = parsed("info", "part.h5", "--json")
check(report["devices"][0]["runs"] == 3 and report["devices"][0]["steps"] == 15 and report["devices"][0]["blocks"] == 0, f"a strange log: {report['devices']}")
check("\x1b" not in answer("info", "part.h5"), "what would change the terminal is escaped")
finish("all as documented")
