# check_plans -- `pendula plan --json` against the file that the run then makes.
from checking import check, finish, h5, need, parsed, write

need("h5py")

SWEEPS = {
    "grid": """title: "Two \\"methods\\""
problem: pendulum
parameters: {x0: {linear: [0.5, 3, 41]}, zeta: [0.3, 0.1]}
methods: [theta2: {theta: [0.1, 0.5]}, {label: rk, rk4: {}}]
step: {log: [0.1, 2, 12]}
end: 20
trajectory: {every: 4, where: {zeta: 0.11}}
""",
    "design": """problem: pendulum
parameters: {x0: {uniform: [0.5, 3]}, zeta: {truncated_normal: [0.2, 0.01, 0.1, 0.3]}, g: [1, 2]}
methods: [rk4]
step: 0.1
steps: 20
metrics: [status]
precision: single
design: {sobol: {samples: 64}, inside: grid}
""",
}


def compare(name):
    plan = parsed("plan", f"{name}.yaml", "--json", "--no-time")
    summary = parsed("run", f"{name}.yaml", "-d", "cpu" if name == "design" else "reference", "--summary", "json", "--progress", "none")
    check(plan["points"] == summary["points"] and plan["blocks"] == summary["blocks"] and "time" not in plan, f"{name}: {plan}")
    with h5(name) as file:
        check(plan["title"] == file.attrs["title"] and plan["problem"] == file.attrs["problem"] and plan["precision"] == file.attrs["precision"], f"{name}: {plan['title']}")
        check(sorted(g["label"] for g in plan["groups"]) == sorted(g for g in file if g != "journal"), f"{name}: groups")
        data = 0
        for said in plan["groups"]:
            group = file[said["label"]]
            names = list(group)
            computed = [group[n] for n in names[names.index("status"):]]
            size = sum(d.size * d.dtype.itemsize for d in computed)
            data += size
            check(said["points"] == group["status"].size and said["bytes"] == size and said["method"] == group.attrs["method"], f"{name}: {said['label']}: {size}: {said}")
            stored = group["x"].size // group["x"].shape[-1] // group["x"].shape[-2] if "x" in group else 0
            check(said["trajectories"] == stored, f"{name}: {said['label']}: {stored} trajectories: {said}")
            for axis in said["axes"]:
                values = group[axis["name"]][...]
                check(axis["count"] == values.size and axis["unit"] == group[axis["name"]].attrs["units"], f"{name}: {axis}")
                if "distribution" in axis:
                    check(axis["least"] <= values.min() and values.max() <= axis["greatest"], f"{name}: {axis}")
                else:
                    check(axis["least"] == values.min() and axis["greatest"] == values.max(), f"{name}: {axis}")
                check(axis["dimension"] == group[axis["name"]].dims[0][0].name.rsplit("/", 1)[1] if axis["dimension"] == "point" else axis["dimension"] == axis["name"], f"{name}: {axis}")
        check(plan["bytes"] == data, f"{name}: {plan['bytes']} bytes, not {data}")
    return plan, summary


for name, text in SWEEPS.items():
    write(f"{name}.yaml", text)
plan, summary = compare("grid")
check(sum(g["steps"] for g in plan["groups"]) >= summary["steps"] > 0 and len(plan["warnings"]) >= 1 and "zeta" in plan["warnings"][-1], f"warnings: {plan['warnings']}")
plan, summary = compare("design")
check(plan["groups"][0]["steps"] == summary["steps"] == 64 * 2 * 20, f"steps: {plan['groups'][0]['steps']}, {summary['steps']}")
time = parsed("plan", "grid.yaml", "--json", "-d", "none such")["time"]
check("no device 'none such'" in time["not_estimated"] and "seconds" not in time, f"a time that is not known: {time}")
time = parsed("plan", "grid.yaml", "--json", "-d", "cpu")["time"]
check(0 < time["seconds"] < 60 and time["device"] and time["substeps_and_updates"] > 1e4 and time["compile_seconds"] >= 0, f"a time: {time}")
finish("all as the file is")
