# check_diff -- `pendula diff` against the same comparison by h5py and numpy: points in common, largest differences, settings.
import json
import math

from checking import check, ended, flip, folder, h5, main, need, place_of, refused, run
from poke import names_of, poke
from sweeps import grid

h5py, np = need("h5py", "numpy")

GRID = grid(41, 7, 1, "{x0: [0.5, 1, 1.5], zeta: [0, 0.05]}")
# The same points in another order, and others: an axis is fixed, one is reversed and finer, another trajectory is stored.
OTHER = """problem: pendulum
parameters: {x0: [1.5, 0.25, 1.0, 0.5, 0.7], zeta: {linear: [0.3, 0, 13]}}
methods: [{label: other, theta1: {}}, theta2: {theta: 0.5}, {label: third, rk4: {}}]
step: 0.05
end: 1
newton: {tolerance: 1.0e-6}
metrics: [status, energy_drift, updates, x_final, x_max]
trajectory: {every: 2, fields: [energy, x]}
"""
# Points one by one, some of the grid.
ROWS = """problem: pendulum
design: zip
parameters: {x0: [1.0, 0.5, 1.5, 0.5, 0.6], zeta: [0, 0.05, 0.3, 0.1, 0]}
methods: [theta2: {theta: 0.1}]
step: 0.1
end: 1
metrics: [status, updates, energy_drift]
trajectory: {every: 1, fields: [x]}
"""
DESIGN = """problem: pendulum
parameters: {x0: {uniform: [0.5, 1.5]}, zeta: {uniform: [0, 0.3]}}
methods: [theta2]
design: {sobol: {samples: 4096}}
step: 0.1
end: 1
metrics: [status, updates, energy_drift]
trajectory: {samples: 3, fields: [v]}
"""
PLACES = """problem: pendulum
zip: [ZIP]
parameters: {x0: [0.5, 1.0, 1.5], v0: [0, 0.5, 1], zeta: [0, 0.1, 0.2]}
methods: [rk4]
step: 0.1
end: 1
metrics: [status, x_final]
"""
LARGE = """problem: pendulum
parameters: {x0: {linear: [0.5, 1.5, 600]}, zeta: {linear: [0, 0.3, 600]}}
methods: [theta1]
step: 0.1
steps: 1
metrics: [status, x_final]
"""
RULES = ("method", "source", "design", "sampling", "first_block", "block_points")


def diff(a, b, *words, code=None):
    got, out, err = ended("diff", a, b, "--json", *words)
    check(code is None or got == code, f"diff {a} {b} {words}: exit {got}: {err}")
    check(err.count("\n") == (got != 0), f"diff {a} {b}: {err}")
    return got, json.loads(out) if out else None


def lies_along(axis, scale):
    """Whether an axis has its values along the dimension of a scale: its own, or where axes go together."""
    return axis.name == scale.name or ("CLASS" not in axis.attrs and axis.dims[0][0].name == scale.name)


def identity(group, names):
    """What identifies each point: its values of these names, as bytes."""
    status = group["status"]
    columns = []
    for name in names:
        if name in group and group[name].dtype.kind == "f" and group[name].ndim:
            along = [k for k, d in enumerate(status.dims) if lies_along(group[name], d[0])]
            shape = [1] * status.ndim
            shape[along[0]] = -1
            columns.append(np.broadcast_to(group[name][...].reshape(shape), status.shape).reshape(-1))
        else:
            columns.append(np.full(status.size, float(group.attrs[name])))
    return np.stack(columns, 1) if columns else np.zeros((status.size, 0))


def axes_of(group):
    names = names_of(group)
    return [n for n in names[:names.index("status")] if group[n].dtype == np.float64 and group[n].ndim and not n.startswith("trajectory_") and n not in ("sample", "dof", "time")]


def rows_of(group, variable):
    """A row per point, NaN where no trajectory is stored; and which points have one."""
    data, status = group[variable], group["status"]
    values = data[...].astype(float)
    if not any(d[0].name.endswith("/sample") for d in data.dims):
        return values.reshape(status.size, -1), np.ones(status.size, bool)
    stored = np.ones(status.shape, bool)
    for k, d in enumerate(data.dims):
        scale = d[0].name.rsplit("/", 1)[1]
        if k < status.ndim and scale.startswith("trajectory_"):
            whole = group[scale.removeprefix("trajectory_")]
            # Where points go together the values are indices.
            is_axis = whole.dtype == np.float64
            shape = [1] * status.ndim
            shape[k] = -1
            stored = stored & np.isin(whole[...] if is_axis else np.arange(status.shape[k]), group[scale][...]).reshape(shape)
    rows = np.full((status.size, int(np.prod(data.shape[status.ndim:]))), np.nan)
    rows[stored.reshape(-1)] = values.reshape(-1, rows.shape[1])
    return rows, stored.reshape(-1)


def expected(a, b, rtol, atol):
    """What diff must say of a group that both files have."""
    axes = [n for n in axes_of(a)] + [n for n in axes_of(b) if n not in axes_of(a)]
    fixed = [n for n in a.attrs if n in b.attrs and n not in axes and n not in RULES and not n.startswith(("newton.", "substeps.", "trajectory.")) and not isinstance(a.attrs[n], str)]
    where = {key.tobytes(): i for i, key in reversed(list(enumerate(identity(a, axes + fixed))))}
    pairs = [(where[key.tobytes()], i) for i, key in enumerate(identity(b, axes + fixed)) if key.tobytes() in where]
    status_a, status_b = a["status"][...].reshape(-1), b["status"][...].reshape(-1)
    ran = [(i, k) for i, k in pairs if status_a[i] != 0 and status_b[k] != 0]
    result = {"common": len(pairs), "only": [status_a.size - len({i for i, _ in pairs}), status_b.size - len(pairs)], "not_run": len(pairs) - len(ran)}
    names_a, names_b = names_of(a), names_of(b)
    result["variables"] = {"status": {"compared": len(ran), "differ": sum(status_a[i] != status_b[k] for i, k in ran), "unbounded": 0, "absolute": None, "relative": None}}
    for name in names_a[names_a.index("status") + 1:]:
        if name not in names_b[names_b.index("status"):]:
            continue
        (rows_a, stored_a), (rows_b, stored_b) = rows_of(a, name), rows_of(b, name)
        both = [(i, k) for i, k in ran if stored_a[i] and stored_b[k]]
        width = max(rows_a.shape[1], rows_b.shape[1])
        wide = [np.pad(rows, ((0, 0), (0, width - rows.shape[1])), constant_values=np.nan) for rows in (rows_a, rows_b)]
        x, y = wide[0][[i for i, _ in both]], wide[1][[k for _, k in both]]
        with np.errstate(invalid="ignore", divide="ignore"):
            same = (x.view(np.int64) == y.view(np.int64)) | (np.isnan(x) & np.isnan(y))
            gap, size = np.abs(x - y), np.maximum(np.abs(x), np.abs(y))
            finite = np.isfinite(gap)
            allowed = rtol * size + atol
            beyond = ~same & (~finite | ~(gap <= allowed) | (allowed == 0))
            ratio = np.where(size > 0, gap / size, 0)
        largest = {}
        for key, amount in (("absolute", gap), ("relative", ratio)):
            amount = np.where(same | ~finite, 0, amount)
            largest[key] = amount.max() if amount.size and amount.max() > 0 else None
        result["variables"][name] = {"compared": len(both), "differ": int(beyond.any(1).sum()), "unbounded": int((~same & ~finite).any(1).sum()), **largest}
    return result, axes


def compare(name_a, name_b, rtol=0, atol=0, only_apart=()):
    words = ["--rtol", rtol] * (rtol != 0) + ["--atol", atol] * (atol != 0)
    code, report = diff(name_a, name_b, *words)
    if report is None:
        return code, None
    differ = compared = 0
    with h5py.File(folder / name_a) as a, h5py.File(folder / name_b) as b:
        labels = [g for g in names_of(a) if g != "journal"]
        labels += [g for g in names_of(b) if g != "journal" and g not in labels]
        check([g["label"] for g in report["groups"]] == labels, f"{name_a} {name_b}: groups {[g['label'] for g in report['groups']]}")
        for group in report["groups"]:
            label, what = group["label"], f"{name_a} {name_b} {words} {group['label']}"
            if label not in a or label not in b:
                there = int(label in b)
                size = (b if there else a)[label]["status"].size
                check(group["points"] == group["only"] == ([0, size] if there else [size, 0]) and group["common"] == 0 and group["variables"] == [], f"{what}: {group}")
                continue
            want, axes = expected(a[label], b[label], rtol, atol)
            compared += want["common"] - want["not_run"]
            for key in ("common", "only", "not_run"):
                check(group[key] == want[key], f"{what}: {key} is {group[key]}, not {want[key]}")
            check(group["not_compared"] is None, f"{what}: {group['not_compared']}")
            got = {v["name"]: v for v in group["variables"]}
            check(set(got) == set(want["variables"]), f"{what}: {set(got) ^ set(want['variables'])}")
            for variable, numbers in want["variables"].items():
                if variable in only_apart:
                    check(got[variable]["not_compared"] is not None, f"{what} {variable}: is compared")
                    continue
                for key in ("compared", "differ", "unbounded"):
                    check(got[variable][key] == numbers[key], f"{what} {variable}: {key} is {got[variable][key]}, not {numbers[key]}")
                differ += numbers["differ"]
                for key in ("absolute", "relative"):
                    worst = got[variable][key]
                    if numbers[key] is None or worst is None:
                        check(numbers[key] is None and worst is None, f"{what} {variable}: {key} is {worst}, not {numbers[key]}")
                        continue
                    check(worst["difference"] == numbers[key], f"{what} {variable}: {key} is {worst}, not {numbers[key]}")
                    here = [dict(zip(axes, identity(file[label], axes)[point])) for file, point in ((a, worst["points"][0]), (b, worst["points"][1]))]
                    check(worst["at"] == here[0] == here[1], f"{what} {variable}: {worst} lies at {here}")
                    x, y = rows_of(a[label], variable)[0][worst["points"][0]], rows_of(b[label], variable)[0][worst["points"][1]]
                    gap = np.abs(x[:y.size] - y[:x.size])
                    if key == "relative":
                        gap = gap / np.maximum(np.maximum(np.abs(x[:y.size]), np.abs(y[:x.size])), 5e-324)
                    check(np.nanmax(gap[np.isfinite(gap)]) == worst["difference"], f"{what} {variable}: the point of {worst}")
    check(code == (7 if differ or not compared else 0), f"{name_a} {name_b} {words}: exit {code}, {differ} differ, {compared} compared")
    return code, report


def same_files():
    for name in ("grid", "rows", "design"):
        code, report = compare(f"{name}.h5", f"{name}.h5")
        check(code == 0 and report["settings"] == [], f"{name} and itself: {report['settings']}")
        code, out, err = ended("diff", f"{name}.h5", f"{name}.h5")
        check(code == 0 and " 0 only in A, 0 only in B" in out and err == "", f"{name} and itself: {out}{err}")


def points_at_other_places():
    for a, b in (("grid", "other"), ("other", "grid")):
        for rtol, atol in ((0, 0), (1e-6, 0), (0, 1e-7), (1e-3, 1e-9), (1e-9, 1e-12)):
            code, report = compare(f"{a}.h5", f"{b}.h5", rtol, atol)
        check(sum(g["common"] for g in report["groups"]) == 2 * 4 * 7, f"points in common: {report['groups']}")
    for a, b in (("grid", "rows"), ("rows", "grid")):
        code, report = compare(f"{a}.h5", f"{b}.h5", only_apart=("x",))
        check(report["groups"][0]["common"] == 3 and code == 0, f"rows of the grid: {report['groups'][0]['common']}")


def places():
    """Points stand at other places though dimensions are as long, and though the first values are the same."""
    run("abc", PLACES.replace("ZIP", "[x0, zeta]"))
    run("bca", PLACES.replace("ZIP", "[zeta, v0]"))
    run("bac", PLACES.replace("ZIP", "[x0, zeta]").replace("[0.5, 1.0, 1.5]", "[0.5, 1.5, 1.0]"))
    for a, b, common in (("abc", "bca", 3), ("bca", "abc", 3), ("abc", "bac", 3), ("bca", "bac", 3)):
        _, report = compare(f"{a}.h5", f"{b}.h5")
        check(report["groups"][0]["common"] == common, f"{a} {b}: {report['groups'][0]['common']} in common")


def slabs():
    """More points than are looked for at a time, the other way round; and few that stand far from each other."""
    run("large", LARGE)
    run("reversed", LARGE.replace("[0.5, 1.5, 600]", "[1.5, 0.5, 600]"))
    run("few", LARGE.replace("{linear: [0.5, 1.5, 600]}", "[0.5, 1.5]"), "-s", "newton.tolerance=1e-3")
    _, report = compare("large.h5", "reversed.h5")
    check(report["groups"][0]["common"] > 100000, "the other way round")
    for a, b in (("large.h5", "few.h5"), ("few.h5", "reversed.h5")):
        _, report = compare(a, b, 1e-9)
        check(report["groups"][0]["common"] == 1200, f"few points: {report['groups'][0]['common']}")


def designs():
    """A design that goes on, one whose points stand the other way round, and a shard, whose coordinates are its own only."""
    run("design2", DESIGN.replace("4096", "8192"))
    for a, b in (("design", "design2"), ("design2", "design")):
        _, report = compare(f"{a}.h5", f"{b}.h5")
        check(report["groups"][0]["common"] == 4096, "twice the samples")
    run("design", DESIGN, "--shard", "1/3", "-o", "shard.h5")
    code, report = compare("design.h5", "shard.h5")
    check(code == 0 and 0 < report["groups"][0]["common"] - report["groups"][0]["not_run"] < 4096, "a shard")
    check(report["settings"][0] == {"where": "", "name": "shard", "a": None, "b": "1/3"}, f"a shard: {report['settings']}")
    run("grid", GRID, "--shard", "1/3", "-o", "shard.h5")
    code, report = compare("grid.h5", "shard.h5")
    check(code == 0 and report["groups"][0]["not_run"] > 0, "a shard of a grid")
    run("grid", GRID, "--shard", "0/3", "-o", "first.h5")
    code, report = diff("first.h5", "shard.h5", code=7)
    check(all(g["common"] == g["not_run"] for g in report["groups"]), "shards have no computed point in common")


def numbers():
    """Signs, NaN, infinities and statuses at chosen points; one point by each variable."""
    run("a", GRID.replace("trajectory", "# "))
    data = (folder / "a.h5").read_bytes()
    for name in ("b.h5", "grid_plain.h5"):
        (folder / name).write_bytes(data)
    for name, changes in (("a.h5", {3: 0.0, 5: math.nan, 6: 1.0, 7: math.inf, 8: math.inf, 9: -math.inf, 10: 1e300, 11: 2.0, 12: math.nan, 13: math.nan}),
                          ("b.h5", {3: -0.0, 5: 1.0, 6: math.nan, 7: 1.0, 8: math.inf, 9: math.inf, 10: -1.7e308, 11: 2.0 + 2.0 ** -51, 12: math.nan, 13: math.copysign(math.nan, -1)})):
        poke(folder / name, "theta2", "energy_drift", changes)
    poke(folder / "b.h5", "other", "status", {4: 2, 9: 0})
    poke(folder / "b.h5", "theta2", "updates", {100: 12345})
    for rtol, atol in ((0, 0), (1e-15, 0), (0, 1e-12), (1, 0), (0, math.inf)):
        if not math.isinf(atol):
            compare("a.h5", "b.h5", rtol, atol)
    _, report = compare("a.h5", "b.h5")
    drift = next(v for v in report["groups"][0]["variables"] if v["name"] == "energy_drift")
    check(drift["differ"] == 7 and drift["unbounded"] == 4, f"chosen numbers: {drift}")
    status = report["groups"][1]["variables"][0]
    check(status["differ"] == 1 and report["groups"][1]["not_run"] == 1, f"chosen statuses: {status}")
    (folder / "c.h5").write_bytes(data)
    poke(folder / "c.h5", "other", "updates", {50: 12345})
    code, report = compare("c.h5", "grid_plain.h5")
    check(code == 7 and sum(v["differ"] for g in report["groups"] for v in g["variables"]) == 1, "one number differs")
    code, out, err = ended("diff", "a.h5", "b.h5")
    check(code == 7 and f"energy_drift: 7 of {drift['compared']} differ, 4 of them by NaN or infinity" in out, f"as text: {out}{err}")


def settings():
    """What is recorded differently, and nothing else."""
    run("a", GRID)
    run("b", GRID, "-o", "b.h5", "-s", "newton.tolerance=1e-9", "-s", "substeps.max_depth=3", "-s", "title=Other")
    _, report = diff("a.h5", "b.h5")
    found = {(s["where"], s["name"]): (s["a"], s["b"]) for s in report["settings"]}
    with h5("a") as a, h5("b") as b:
        want = set()
        for where, x, y in [("", a, b)] + [(g, a[g], b[g]) for g in a if g != "journal"]:
            want |= {(where, n) for n in {*x.attrs, *y.attrs} - {"first_block", "block_points"} if n not in x.attrs or n not in y.attrs or x.attrs[n] != y.attrs[n]}
            want |= {(where, "source") for _ in [0] if where and x["source"][()] != y["source"][()]}
    check(set(found) == want and ("theta2", "newton.tolerance") in want, f"settings: {set(found) ^ want}")
    check(found.get(("theta2", "newton.tolerance")) == ("1e-08", "1e-09") and found.get(("", "settings")) == (None, None), f"settings: {found}")
    _, report = diff("grid.h5", "other.h5")
    found = {(s["where"], s["name"]): (s["a"], s["b"]) for s in report["settings"]}
    check(found.get(("theta2", "step")) == ("2 values, 0.05 to 0.1", "0.05") and found.get(("theta2", "x0")) == ("41 values, 0.5 to 1.5", "5 values, 0.25 to 1.5"), f"axes: {found}")
    check(found.get(("theta2", "error_max")) == ("a variable", None) and found.get(("other", "x_max")) == (None, "a variable"), f"variables: {found}")
    run("c", GRID, "-s", "end=2")
    code, report = diff("a.h5", "c.h5", code=7)
    check(all(g["common"] == 0 for g in report["groups"]), "another end is another point")
    run("d", GRID.replace("end: 1", "steps: 10").replace("step: [0.1, 0.05]", "step: [0.1, 0.2]"))
    code, report = diff("a.h5", "d.h5", code=7)
    check(all("number of steps" in g["not_compared"] for g in report["groups"]), f"end and steps: {report['groups']}")


def what_is_refused():
    flip("grid", place_of("grid", "theta2/updates"), "damaged")
    (folder / "cut.h5").write_bytes((folder / "grid.h5").read_bytes()[:-100])
    for words, code, part in ((("grid.h5", "damaged.h5"), 4, "are damaged"), (("damaged.h5", "grid.h5"), 4, "are damaged"), (("grid.h5", "cut.h5"), 4, "cut.h5"), (("grid.h5", "absent.h5"), 3, "absent.h5"),
                              (("grid.h5",), 2, "which two result files?"), (("grid.h5", "grid.h5", "grid.h5"), 2, "two result files at a time"), (("grid.h5", "grid.h5", "--rtol", "-1"), 2, "--rtol"), (("grid.h5", "grid.h5", "--atol", "nan"), 2, "--atol")):
        refused(part, "diff", *words, code=code)


for name, sweep in (("grid", GRID), ("other", OTHER), ("rows", ROWS), ("design", DESIGN)):
    run(name, sweep)
main(same_files, points_at_other_places, places, slabs, designs, numbers, settings, what_is_refused, fine="all as documented")
