# check_file -- checks names, dimensions, units and values of result files as h5py and xarray (both engines) see them.
#
#   check.py file --writer TEST_STORE   has TEST_STORE write its sample files and checks their exact contents
#   check.py file FILE.h5...            checks what holds for every result file
import sys

from checking import check, finish, folder, need, option, says

h5py, np, xr = need("h5py", "numpy", "xarray")
need("h5netcdf", "netCDF4")  # xarray's engines


ENGINES = ("h5netcdf", "netcdf4")
MEANINGS = "not_run ok newton_failed depth_exceeded budget_exceeded not_finite singular chatter"
ROOT_TEXTS = ("Conventions", "title", "program", "version", "problem", "sweep", "overrides", "settings", "fingerprint",
              "computed_by", "numbers", "precision")


def dims_of(dataset):
    return [dim[0].name.rsplit("/", 1)[1] if len(dim) else "" for dim in dataset.dims]


def is_bare(dataset):
    return dataset.attrs.get("NAME", b"").startswith(b"This is a netCDF dimension but not a netCDF variable")


def check_root(name, file):
    for attribute in ROOT_TEXTS:
        check(isinstance(file.attrs.get(attribute), str), f"{name}: root attribute {attribute} is a text")
    check(len(file.attrs["fingerprint"]) == 16, f"{name}: fingerprint has 16 digits")
    journal = file["journal"]
    names = list(journal)
    check(names == ["block", "block_done", "block_crc32"], f"{name}: journal holds {names}")
    check(journal["block_done"].dtype == np.uint8, f"{name}: type of block_done")
    check(journal["block_crc32"].dtype == np.uint32, f"{name}: type of block_crc32")
    check(dims_of(journal["block_done"]) == dims_of(journal["block_crc32"]) == ["block"], f"{name}: journal dimensions")


def check_dataset(name, dataset):
    scale = dataset.attrs.get("CLASS") == b"DIMENSION_SCALE"
    check(dataset.chunks is None and dataset.compression is None, f"{name}: contiguous")
    if scale and is_bare(dataset):
        return
    check("long_name" in dataset.attrs, f"{name}: long_name")
    # Components may have units of their own, which the scale `dof` says.
    check("units" in dataset.attrs or name.endswith("/status") or dims_of(dataset)[-1:] == ["dof"], f"{name}: units")
    check(dataset.attrs.get("units") != "seconds", f"{name}: units would become timedelta64")
    # An integer that is a metric has netCDF's fill value where it was not computed.
    fills = {np.dtype("i4"): -(2**31) + 1, np.dtype("i8"): -(2**63) + 2}
    metric = not scale and "sample" not in dims_of(dataset) and list(dataset.parent).index(name.rsplit("/", 1)[1]) > list(dataset.parent).index("status")
    fill = dataset.attrs.get("_FillValue")
    if metric and dataset.dtype in fills:
        check(fill is not None and fill.dtype == dataset.dtype and list(fill) == [fills[dataset.dtype]], f"{name}: fill value {fill}")
        missing = dataset[()] == fill[0]
        check(not np.any(missing & (dataset.parent["status"][()] == 1)), f"{name}: a point that is ok has no value")
        # Of pairs of parameters `not_run` says that there is no equivalent, and their number is known.
        check(np.all(missing[dataset.parent["status"][()] == 0]) or name.endswith("/root_count"), f"{name}: a point that was not run has a value")
    else:
        check(fill is None, f"{name}: no fill value")
    if not scale:
        check("" not in dims_of(dataset), f"{name}: a scale on every axis")
    if "sample" in dims_of(dataset) and not scale and not name.endswith("/time"):
        check(dataset.attrs.get("coordinates") == "time", f"{name}: coordinates")
    if dataset.dtype.kind == "f":
        bits = dataset[()].reshape(-1).view(f"u{dataset.dtype.itemsize}")
        nan = np.isnan(dataset[()]).reshape(-1)
        one = 0x7FF8000000000000 if dataset.dtype.itemsize == 8 else 0x7FC00000
        check(np.all(bits[nan] == one), f"{name}: one pattern of NaN")


# Names and units of the degrees of freedom are words in attributes, one for each.
def check_dofs(name, group):
    scale = group["dof"]
    numbers, names = scale.attrs["flag_values"], scale.attrs["flag_meanings"].split(" ")
    check(numbers.dtype == np.int32 and np.array_equal(numbers, scale[()]), f"{name}/dof: flag_values {numbers}")
    check(len(set(names)) == scale.size, f"{name}/dof: names {names}")
    units = scale.attrs["coordinate_units"].split(" ")
    check(len(units) == scale.size, f"{name}/dof: units {units}")
    if "velocities" in scale.attrs:
        speeds = scale.attrs["velocity_units"].split(" ")
        check(speeds == [f"{unit}/s" for unit in units], f"{name}/dof: units of velocities {speeds}")
        check(len(set(names) | set(scale.attrs["velocities"].split(" "))) == 2 * scale.size, f"{name}/dof: names of velocities")
    for key, wanted in (("x_final", units), ("x", units), ("v_final", None), ("v", None)):
        if key in group:
            each = wanted or scale.attrs["velocity_units"].split(" ")
            unit = each[0] if len(set(each)) == 1 else None
            check(group[key].attrs.get("units") == unit, f"{name}/{key}: units {group[key].attrs.get('units')}")


# What all points have is a scalar with a unit, a coordinate of the metrics, and an attribute of the group.
def check_constants(name, group):
    keys = list(group)
    constants = [key for key in keys[: keys.index("status")] if group[key].shape == () and key != "source"]
    rules = ("newton.", "substeps.", "trajectory.")
    numbers = {key for key, value in group.attrs.items() if not isinstance(value, str) and not key.startswith(rules) and not np.isnan(value)}
    check(set(constants) == numbers - {"steps", "first_block", "block_points"}, f"{name}: constants {set(constants) ^ numbers}")
    for key in constants:
        check(group[key][()] == group.attrs[key] and group[key].attrs["long_name"], f"{name}/{key} is {group[key][()]}")
        check("units" in group[key].attrs, f"{name}/{key}: units")
    for key in keys[keys.index("status") :]:
        if "sample" not in dims_of(group[key]):
            listed = group[key].attrs["coordinates"].split(" ") if constants else []
            check(listed[len(listed) - len(constants) :] == constants, f"{name}/{key}: coordinates {listed}")
    return constants


def check_group(name, group):
    for attribute in ("method", "design"):
        check(isinstance(group.attrs.get(attribute), str), f"{name}: attribute {attribute}")
    source = group["source"]
    check(source.shape == () and h5py.check_string_dtype(source.dtype).length == max(2, len(source[()]) + 1), f"{name}: source {source.dtype}")
    check((b"kernel" in source[()] or not source[()]) and "source" not in group.attrs, f"{name}: source is a dataset")
    status = group["status"]
    check(status.dtype == np.int8, f"{name}: status is i8")
    check(list(status.attrs["flag_values"]) == list(range(8)), f"{name}: flag_values")
    check(status.attrs["flag_values"].dtype == np.int8, f"{name}: flag_values are i8")
    check(status.attrs["flag_meanings"] == MEANINGS, f"{name}: flag_meanings")
    for key, dataset in group.items():
        if key == "source":
            continue
        check_dataset(f"{name}/{key}", dataset)
    for key in {"sample", "dof"} & set(group):
        check(group[key].dtype == np.int32, f"{name}/{key} is i32")
        check(np.array_equal(group[key][()], np.arange(group[key].size)), f"{name}/{key} counts from 0")
    check_constants(name, group)
    if "dof" in group:
        check_dofs(name, group)
    if "sample" in group:
        check(group["time"].attrs["units"] == "s" and dims_of(group["time"])[-1] == "sample", f"{name}: time")


# xarray sees the same names, dimensions, units and numbers through both engines, with times and masks decoded.
def check_with_xarray(path, label, group):
    for engine in ENGINES:
        name = f"{path}/{label} ({engine})"
        with xr.open_dataset(path, group=label, engine=engine) as data:
            names = {key for key, dataset in group.items() if not is_bare(dataset)}
            check(set(data.variables) == names, f"{name}: variables {sorted(set(data.variables) ^ names)}")
            check(data.attrs["method"] == group.attrs["method"], f"{name}: attribute method")
            source = data["source"].item()
            check((source if engine == "netcdf4" else source.decode()) == group["source"][()].decode(), f"{name}: source")
            names.remove("source")
            constants = check_constants(name, group)
            check(set(constants) <= set(data.coords), f"{name}: coordinates {set(data.coords)}")
            check(data["status"].dtype == np.int8, f"{name}: status is {data['status'].dtype}")
            for key in names:
                wanted, got = group[key], data[key]
                dims = [key] if wanted.attrs.get("CLASS") == b"DIMENSION_SCALE" else dims_of(wanted)
                check(list(got.dims) == dims, f"{name}/{key}: dimensions {got.dims}")
                exact = wanted[()]
                if "_FillValue" in wanted.attrs:
                    exact = np.where(exact == wanted.attrs["_FillValue"][0], np.nan, exact.astype(float))
                check(got.dtype == exact.dtype, f"{name}/{key}: type {got.dtype}")
                same = np.array_equal(got.values, exact, equal_nan=exact.dtype.kind == "f")
                check(same, f"{name}/{key}: values")
                check(got.attrs.get("units") == wanted.attrs.get("units"), f"{name}/{key}: units")
                if "sample" in dims and key not in ("sample", "time"):
                    check("time" in got.coords, f"{name}/{key}: time is a coordinate")
        with xr.open_dataset(path, engine=engine) as root:
            for attribute in ROOT_TEXTS:
                wanted = file_text(path, attribute)
                check(root.attrs.get(attribute) == wanted, f"{name}: {attribute} is {root.attrs.get(attribute)!r}")


def file_text(path, attribute):
    with h5py.File(path, "r") as file:
        return file.attrs[attribute]


def check_file(path):
    with h5py.File(path, "r") as file:
        check_root(path, file)
        names = list(file["/"])  # h5py lists the file itself by name, its root group by creation
        labels = [label for label in names if label != "journal"]
        check(names[-1] == "journal", f"{path}: the journal is last")
        check(len(labels) > 0, f"{path}: has groups")
        for label in labels:
            check_group(f"{path}/{label}", file[label])
            check_with_xarray(path, label, file[label])


# What test_store wrote: a grid of 2 x 3 x 5 points, a zip of 7, one point without axes.
def check_samples(directory):
    complete, partial = f"{directory}/complete.h5", f"{directory}/partial.h5"
    with h5py.File(complete, "r") as file:
        check(list(file["/"]) == ["grid", "zip", "plain", "journal"], f"groups {list(file['/'])}")
        check(list(file["grid"])[:7] == ["step", "eps", "rho", "trajectory_eps", "dof", "sample", "time"],
              f"order of datasets {list(file['grid'])}")
        grid = file["grid"]
        check(dims_of(grid["status"]) == ["step", "eps", "rho"], "dimensions of grid/status")
        check(dims_of(grid["x_final"]) == ["step", "eps", "rho", "dof"], "dimensions of grid/x_final")
        check(dims_of(grid["x"]) == ["step", "trajectory_eps", "rho", "sample", "dof"], "dimensions of grid/x")
        check(dims_of(grid["energy"]) == ["step", "trajectory_eps", "rho", "sample"], "dimensions of grid/energy")
        check(dims_of(grid["time"]) == ["step", "sample"], "dimensions of grid/time")
        check(grid["x"].shape == (2, 2, 5, 9, 2) and grid["v"].dtype == np.float32, "shape of grid/x, type of grid/v")
        types = [grid[name].dtype for name in ("updates", "depth_max", "updates_so_far")]
        check(types == [np.int64, np.int32, np.int32], f"types of counters: {types}")
        check(np.array_equal(grid["trajectory_eps"][()], [1e-3, 1e-1]), "grid/trajectory_eps")
        check(grid["decay_rate"].attrs["of"] == "theta" and grid["decay_rate"].attrs["from"] == 1, "options of a metric")
        check(dims_of(file["zip/status"]) == ["point"], "dimensions of zip/status")
        check(dims_of(file["zip/eps"]) == ["point"], "dimensions of zip/eps")
        check(dims_of(file["zip/energy"]) == ["trajectory_point", "sample"], "dimensions of zip/energy")
        check(file["zip/status"].attrs["coordinates"] == "eps rho step end k stepper.k", "coordinates of zip/status")
        wanted = {"k": ("N/m", 2.5), "stepper.k": ("1", 7), "end": ("s", 2), "eps": ("1", 1), "rho": ("1", 0.5), "step": ("s", 0.5)}
        for key, (unit, value) in wanted.items():
            scalar = file["plain"][key]
            check(scalar.shape == () and scalar[()] == value and scalar.attrs["units"] == unit, f"plain/{key}")
        check("variant" not in file["plain"] and "steps" not in file["plain"], "a word and the number of steps are attributes")
        words = {"flag_meanings": "r theta", "coordinate_units": "m rad", "velocities": "v_r v_theta", "velocity_units": "m/s rad/s"}
        for key, text in words.items():
            check(grid["dof"].attrs[key] == text, f"grid/dof: {key} is {grid['dof'].attrs[key]!r}")
        check(file["plain/status"].shape == () and file["plain/x"].shape == (5, 2), "shapes without axes")
        check(file.attrs["sweep"] == "problem: toy # \u00e9t\u00e9\n", "UTF-8 text")
    for engine in ENGINES:
        with xr.open_dataset(complete, group="zip", engine=engine) as data:
            check({"eps", "rho", "time", "k"} <= set(data.coords), f"coordinates of the zip: {set(data.coords)}")
        with xr.open_dataset(complete, group="grid", engine=engine) as data:
            one = data["energy"].sel(step=0.25, trajectory_eps=0.1, rho=0.7)
            named = data.assign_coords(dof=data.dof.flag_meanings.split())
            check(np.array_equal(named.x_final.sel(dof="theta"), data.x_final[..., 1]), "selection by a coordinate's name")
            check(one.dims == ("sample",) and float(one.time[-1]) == 2, "selection by value")
        with xr.open_dataset(partial, group="grid", engine=engine) as data:
            check(int((data["status"] != 0).sum()) == 12, "an unfinished file is masked by status")
            check(int(data["updates"].count()) == 12, "an integer metric is masked by its fill value")
    for path in (complete, partial):
        check_file(path)


if option("--writer"):
    says([option("--writer"), "write", folder])
    check_samples(folder)
else:
    check(len(sys.argv) > 1, "no file is named")
    for path in sys.argv[1:]:
        check_file(path)
finish("all as documented")
