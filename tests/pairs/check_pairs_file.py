# check_pairs_file -- checks what `pendula pairs` writes for programs: result files as h5py and xarray see them, and json.
import csv
import io
import json
import sys

from checking import answer, check, csv_rows, execute, finish, folder, h5, need, ROOT

np, xr = need("numpy", "xarray")
need("h5netcdf", "h5py", "netCDF4")


def pairs(*words):
    return answer("pairs", *words, "--problem", "none")


def equal(numbers, texts):
    return np.array_equal(numbers, [float(text) if text else np.nan for text in texts], equal_nan=True)


# The columns of csv are the variables of the file, bit by bit, along the axis named `dimension`.
def check_against_table(words, dimension):
    pairs(*words, "--format", "csv", "-o", "pairs.csv", "--force")
    table = list(csv.DictReader(io.StringIO((folder / "pairs.csv").read_text())))
    pairs(*words, "-o", "pairs.h5", "--force")
    path = str(folder / "pairs.h5")
    checked = execute([sys.executable, ROOT / "tests/check.py", "file", path])
    check(checked.code == 0, f"{words}: check_file", checked.text)
    names = list(table[0])
    with h5("pairs") as file:
        group = file["pairs"]
        check(group["status"].dims[0][0].name == f"/pairs/{dimension}", f"{words}: dimension")
        for name in names:
            if name not in ("roots", "reason"):
                check(equal(group[name][()], [row[name] for row in table]), f"{words}: {name}")
        check(np.array_equal(group["status"][()], [1 if row[names[1]] else 0 for row in table]), f"{words}: status")
        count = [(1 + row["roots"].count(";") + (row["roots"] != "")) if row[names[1]] else 0 for row in table]
        check(np.array_equal(group["root_count"][()], count), f"{words}: root_count")
        for number in range(2, max(count) + 1):
            further = [(row["roots"].split(";") + [""] * number)[number - 2] for row in table]
            check(equal(group[f"root_{number}"][()], further), f"{words}: root_{number}")
        check(f"root_{max(count) + 1}" not in group, f"{words}: no more roots")
        check("criterion: " in file.attrs["settings"], f"{words}: settings")
    for engine in ("h5netcdf", "netcdf4"):
        with xr.open_dataset(path, group="pairs", engine=engine) as data:
            check(data[names[1]].dims == (dimension,), f"{words}: dimensions in xarray")
            check(names[0] in data.coords, f"{words}: {names[0]} is a coordinate")
    return table


def check_json(words):
    table = csv_rows("pairs", *words, "--problem", "none")
    whole = json.loads(pairs(*words, "--format", "json"))
    check(whole["from"] == words[0] and whole["to"] == words[1], f"{words}: from and to")
    check(whole["columns"] == list(table[0])[:2], f"{words}: columns")
    check(len(whole["pairs"]) == len(table), f"{words}: one object per value")
    for one, row in zip(whole["pairs"], table):
        for name, field in row.items():
            if name == "roots":
                due = [float(root) for root in field.split(";") if root]
            elif name == "reason":
                due = field
            else:
                due = float(field) if field else None
            check(one[name] == due, f"{words}: {name} is {one[name]!r}, not {due!r}")
    return whole


alpha = ("generalized_alpha", "theta2")
values = np.random.default_rng(18).uniform(0, 1, 20)
check_against_table((*alpha, "--values", ",".join(f"{value!r}" for value in values.tolist())),
                    "rho_inf")
check_against_table((*alpha, "--values", "0.6,0.05,0.6,0.3"), "point")
check_against_table(("newmark", "theta1", "--criterion", "max_decay"), "gamma")
# tr_bdf2 damps alike below and above gamma = 2 - sqrt(2): two equivalents.
table = check_against_table(("bathe", "tr_bdf2", "--criterion", "radius", "--omega-h", "2.5",
                                        "--values", "0.3,0.5,0.1"), "rho_inf")
check(all(row["roots"] for row in table), "there are further roots")
whole = check_json((*alpha, "--values", "0.05,0.6,0.9"))
check(whole["criterion"] == "low_frequency" and whole["omega_h"] is None, "json: the criterion")
check(len(whole["ranges"]) == 1 and abs(whole["ranges"][0][0] - 0.115013332) < 1e-8, "json: ranges")
whole = check_json(("theta1", "bathe", "--criterion", "decay", "--omega-h", "1", "--to-omega-h", "2"))
check(whole["omega_h"] == [1, 2], "json: omega_h")
finish("all as documented")
