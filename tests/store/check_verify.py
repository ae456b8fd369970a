# check_verify -- damaged bytes in the data of result files: `verify` names each, `run --resume` computes it anew, byte for byte.
#
#   check.py verify [COUNT]   damages COUNT bytes (100), one at a time, in ways that depend on their number alone
import json
import random
import sys

from checking import check, ended, finish, folder, need, refused, write
from seal import split
from sweeps import TRAJECTORIES

h5py = need("h5py")

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 100

# With all metrics.
SWEEPS = TRAJECTORIES | {"all": TRAJECTORIES["all"].replace("metrics: [status, updates, energy_drift]\n", "")}


def run(name, *words):
    return ended("run", f"{name}.yaml", "-d", "reference", "--progress", "none", "-o", "file.h5", *words)


def describe(path):
    """The journal's two datasets, and of each variable its group, rows, bytes of a row and address."""
    with h5py.File(path) as file:
        journal = {name: (file["journal"][name].id.get_offset(), file["journal"][name].size) for name in ("block_done", "block_crc32")}
        variables = []
        for label, group in file.items():
            if "status" not in group:
                continue
            names = list(group)
            for name in names[names.index("status"):]:
                dataset = group[name]
                trajectory = any(d[0].name.endswith("/sample") for d in dataset.dims if len(d))
                rows = dataset.size
                for k, dim in enumerate(dataset.dims):
                    if len(dim) and dim[0].name.rsplit("/", 1)[1] in ("sample", "dof"):
                        rows //= dataset.shape[k]
                variables.append((label, group["status"].size, int(group.attrs["first_block"]), int(group.attrs["block_points"]),
                                  trajectory, rows, dataset.size * dataset.dtype.itemsize // max(rows, 1), dataset.id.get_offset()))
        return journal, variables


def block_of(place, journal, variables):
    """What verify must say of a byte: state and block; of a trajectory any block."""
    offset, count = journal["block_done"]
    if offset <= place < offset + count:
        return "missing", place - offset
    offset, count = journal["block_crc32"]
    if offset <= place < offset + 4 * count:
        return "damaged", (place - offset) // 4
    for label, points, first_block, block_points, trajectory, rows, row_bytes, offset in variables:
        if offset <= place < offset + rows * row_bytes:
            row = (place - offset) // row_bytes
            return "damaged", None if trajectory and rows != points else first_block + row // block_points
    return None, None


def one_byte(rng, name, whole, places):
    data = bytearray(whole)
    offset, length = rng.choice(split(whole)[1])
    place = offset + rng.randrange(length)
    state, block = block_of(place, *places)
    if not check(state is not None, f"{name}: byte {place} is in the data, and in no variable"):
        return
    data[place] ^= 1 << rng.randrange(8)
    path = folder / "file.h5"
    path.write_bytes(data)
    code, out, err = ended("verify", "file.h5", "--json")
    report = json.loads(out)
    found = [row for row in report["rows"] if row["state"] == state]
    check(code == (4 if state == "damaged" else 6) and err.count("\n") == 1, f"{name}: byte {place}: exit {code}: {err}")
    check(len(report["rows"]) == 1 and len(found) == 1 and found[0]["blocks"] == 1 and block in (None, found[0]["first_block"]),
          f"{name}: byte {place} of block {block} is {state}: {report['rows']}")
    code, out, err = run(name, "--resume", "--trust")
    trusted = path.read_bytes()
    check(code == 0 and (trusted == data if state == "damaged" else trusted == whole), f"{name}: byte {place}: --trust: exit {code}: {err}")
    path.write_bytes(data)
    code, out, err = run(name, "--resume")
    check(code == 0 and path.read_bytes() == whole, f"{name}: byte {place}: --resume does not mend it: exit {code}: {err}")
    check(("1 block of 'file.h5' is damaged" in err) == (state == "damaged") and "1 computed" in out, f"{name}: byte {place}: {err}{out}")


def whole_files(name):
    code, out, err = ended("verify", "file.h5")
    check(code == 0 and "blocks whole" in out and "damaged" not in out, f"{name}: exit {code}: {out}{err}")
    code, out, _ = ended("verify", "file.h5", "--json")
    check(code == 0 and json.loads(out)["rows"] == [] and json.loads(out)["blocks"] > 1 and json.loads(out)["damaged"] == json.loads(out)["missing"] == 0, f"{name}: {out}")


def commands_refuse_what_is_damaged():
    """Who reads a damaged block says so, and makes nothing."""
    whole = (folder / "file.h5").read_bytes()
    journal, variables = describe(folder / "file.h5")
    data = bytearray(whole)
    label, _, first_block, block_points, _, _, row_bytes, offset = variables[1]
    data[offset + row_bytes * (block_points + 3)] ^= 4  # a metric of the second block
    (folder / "file.h5").write_bytes(data)
    for words in (["plot", "file.h5", "-o", "no"], ["pareto", "file.h5", "--error", "x_max"], ["sensitivity", "file.h5"], ["distribution", "file.h5"], ["report", "file.h5", "-o", "no.html"],
                  ["predict", "file.h5", "--metric", "x_max", "--at", "x0=1,zeta=0.1"]):
        refused(f"points {block_points} to {2 * block_points - 1} of group '{label}' are damaged", *words, code=4)
    check(not list(folder.glob("no*")), "a page or a picture of a damaged file is made")
    (folder / "file.h5").write_bytes(whole)


def several_at_once():
    """Rows of the table are runs of blocks; damaged and missing ones are apart; the structure itself is sealed."""
    whole = (folder / "file.h5").read_bytes()
    journal, variables = describe(folder / "file.h5")
    data = bytearray(whole)
    offset, count = journal["block_done"]
    data[offset + 1] = data[offset + 2] = 0
    data[journal["block_crc32"][0] + 4 * (count - 1)] ^= 1
    (folder / "file.h5").write_bytes(data)
    code, out, err = ended("verify", "file.h5")
    lines = [line.split() for line in out.splitlines()]
    check(code == 4 and lines[1][0] == "missing" and lines[1][2:4] == ["1", "2"] and lines[2][0] == "damaged" and lines[2][2:4] == [str(count - 1), "1"],
          f"several: exit {code}: {out}{err}")
    data[journal["block_crc32"][0] + 4 * (count - 1)] ^= 1
    (folder / "file.h5").write_bytes(data)
    code, out, err = ended("verify", "file.h5")
    check(code == 6 and "2 missing" in out and "points are missing" in err, f"missing: exit {code}: {out}{err}")
    data[600] ^= 1
    (folder / "file.h5").write_bytes(data)
    refused("its header is not as it was made", "verify", "file.h5", code=4)
    (folder / "file.h5").write_bytes(whole[:len(whole) // 2])
    refused("file.h5", "verify", "file.h5", code=4)
    refused("absent.h5", "verify", "absent.h5", code=3)


for number, (name, sweep) in enumerate(SWEEPS.items()):
    write(f"{name}.yaml", sweep)
    code, _, err = run(name, "--force")
    if not check(code == 0, f"{name}: exit {code}: {err}"):
        continue
    whole = (folder / "file.h5").read_bytes()
    places = describe(folder / "file.h5")
    whole_files(name)
    for i in range(number, COUNT, len(SWEEPS)):
        one_byte(random.Random(i), name, whole, places)
    (folder / "file.h5").write_bytes(whole)
commands_refuse_what_is_damaged()
several_at_once()
finish("all as documented")
