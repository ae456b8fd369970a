# check_pack -- `pendula pack`: copies for the archive read like the files they are of, are unpacked byte for byte, and hide no damage.
#
#   check.py pack [COUNT]   damages COUNT bytes (60), one at a time, in ways that depend on their number alone
import json
import os
import random
import resource
import shutil
import signal
import sys
import time

from checking import check, ended, finish, flip, folder, h5, need, pendula, place_of, refused, remove, run, same_bytes, start
from poke import names_of
from seal import seal, split
from sweeps import TRAJECTORIES

h5py, np = need("h5py", "numpy")

try:
    import xarray

    ENGINES = [engine for engine in ("h5netcdf", "netcdf4") if engine in xarray.backends.list_engines()]
except ImportError:
    ENGINES = []

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 60
LEAST = 4096  # smaller datasets are not compressed

SWEEPS = {
    **TRAJECTORIES,
    "one": """problem: pendulum
methods: [rk4]
step: 0.1
steps: 10
metrics: [status, x_max]
trajectory: {every: 1, fields: [x]}
""",
}
READERS = {
    "selected": [["info"], ["info", "--json"], ["verify", "--json"], ["pareto", "--cost", "updates", "--error", "energy_drift"], ["plot", "--kind", "map", "--metric", "updates", "-o", "new"],
                 ["sensitivity", "--metric", "energy_drift"], ["report", "-o", "new.html"], ["replay", "--group", "theta2", "--point", "77", "-d", "reference"]],
    "all": [["info"], ["verify", "--json"], ["plot", "--field", "x", "-o", "new"], ["report", "-o", "new.html"], ["replay", "--point", "2999", "-d", "reference"]],
    "together": [["info"], ["verify", "--json"], ["plot", "--kind", "curves", "--metric", "x_max", "-o", "new"], ["replay", "--group", "rk4", "--point", "2999", "-d", "reference"]],
    "design": [["info"], ["verify", "--json"], ["sensitivity", "--metric", "x_max"], ["distribution", "--metric", "x_max"], ["predict", "--metric", "x_max", "--at", "x0=1,zeta=0.1"], ["report", "-o", "new.html"]],
    "one": [["info"], ["verify", "--json"], ["replay", "--point", "0", "-d", "reference"]],
}


def pack(*words, code=0, **how):
    err = pendula("pack", "--progress", "none", *words, code=code, **how).err
    check(err.count("\n") == (code != 0), f"pack {words}: {err}")
    return err


def attributes(thing):
    """Names in their order, and values; what HDF5 adds to scales refers to addresses."""
    names = [h5py.h5a.open(thing.id, index=i, index_type=h5py.h5.INDEX_CRT_ORDER).name.decode() for i in range(len(thing.attrs))]
    return [(n, np.asarray(thing.attrs[n]).tolist()) for n in names if n not in ("DIMENSION_LIST", "REFERENCE_LIST")], [n for n in names]


def same_dataset(a, b, what):
    check(a.shape == b.shape and a.dtype == b.dtype and a[...].tobytes() == b[...].tobytes(), f"{what}: values")
    check(attributes(a) == attributes(b), f"{what}: attributes {attributes(a)} and {attributes(b)}")
    check([[s.name for s in d.values()] for d in a.dims] == [[s.name for s in d.values()] for d in b.dims] if "CLASS" not in a.attrs else True, f"{what}: scales")
    if a.shape and a.size * a.dtype.itemsize >= LEAST and a.id.get_offset() is not None:
        check(b.chunks is not None and b.shuffle and b.compression == "gzip" and b.fletcher32, f"{what}: {b.chunks} {b.compression}")
        check(np.prod(b.chunks) * b.dtype.itemsize <= 1 << 18, f"{what}: chunks of {b.chunks}")
    else:
        check(b.chunks is None, f"{what}: a small dataset in chunks")


def same_contents(name):
    with h5(name) as a, h5("packed") as b:
        check(names_of(a) == names_of(b), f"{name}: groups {names_of(b)}")
        check(attributes(a)[0] == attributes(b)[0][:-2] and [n for n, _ in attributes(b)[0][-2:]] == ["packed", "unpacked_header_crc32"], f"{name}: attributes of the file")
        for label in names_of(a):
            check(names_of(a[label]) == names_of(b[label]) and attributes(a[label]) == attributes(b[label]), f"{name} {label}: names and attributes")
            for variable in names_of(a[label]):
                same_dataset(a[label][variable], b[label][variable], f"{name} {label}/{variable}")
    with h5(name) as file:
        labels = [label for label in names_of(file) if label != "journal"]
    for engine in ENGINES:
        for label in labels:
            with xarray.open_dataset(folder / f"{name}.h5", group=label, engine=engine) as a, xarray.open_dataset(folder / "packed.h5", group=label, engine=engine) as b:
                check(a.identical(b) and list(a.variables) == list(b.variables), f"{name} {label}: by xarray and {engine}")


def everything_made(place):
    made = {}
    for path in sorted(place.glob("new*")):
        made[path.name] = path.read_bytes()
        path.unlink()
    return made


def same_readers(name):
    """Under the same name in another folder, every command prints and writes the same."""
    for place, file in (("a", f"{name}.h5"), ("b", "packed.h5")):
        (folder / place).mkdir(exist_ok=True)
        shutil.copy(folder / file, folder / place / "file.h5")
    for words in READERS[name]:
        results = []
        for place in ("a", "b"):
            code, out, err = ended(words[0], "file.h5", *words[1:], cwd=folder / place)
            out = "\n".join(line for line in out.splitlines() if " MB in " not in line)
            results.append((code, out, err, everything_made(folder / place)))
        if results[0][0] == 3 and "gnuplot" in results[0][2]:
            continue
        check(results[0][0] == 0 and results[0] == results[1], f"{name}: {words}: {[(r[0], r[1][:600], r[2]) for r in results]}")
    code, out, err = ended("diff", f"{name}.h5", "packed.h5", "--json")
    check(code == 0 and json.loads(out)["settings"] == [] and all(v["compared"] > 0 for g in json.loads(out)["groups"] for v in g["variables"]), f"{name}: diff: {out}{err}")
    code, out, err = ended("diff", "packed.h5", f"{name}.h5")
    check(code == 0 and " differs" not in out, f"{name}: diff: {out}{err}")


def there_and_back():
    for name, sweep in SWEEPS.items():
        run(name, sweep)
        whole = (folder / f"{name}.h5").read_bytes()
        pack(f"{name}.h5", "-o", "packed.h5", "--force")
        packed = (folder / "packed.h5").read_bytes()
        pack(f"{name}.h5", "-o", "again.h5", "--force")
        check((folder / "again.h5").read_bytes() == packed and (folder / f"{name}.h5").read_bytes() == whole, f"{name}: packed twice")
        check(name == "one" or len(packed) < len(whole), f"{name}: {len(packed)} of {len(whole)} bytes")
        ranges = split(packed)[1]
        check(all(a + n < b for (a, n), (b, _) in zip(ranges, ranges[1:])), f"{name}: ranges that touch: {ranges}")
        same_contents(name)
        same_readers(name)
        pack("--unpack", "packed.h5", "-o", "unpacked.h5", "--force")
        check((folder / "unpacked.h5").read_bytes() == whole, f"{name}: unpacked is not what was packed")
    pendula("run", "all.yaml", "-d", "reference", "--progress", "none", "--shard", "1/3", "-o", "shard.h5")
    pack("shard.h5", "-o", "packed.h5", "--force")
    pack("--unpack", "packed.h5", "-o", "unpacked.h5", "--force")
    same_bytes("unpacked.h5", "shard.h5", "a shard")


def refusals():
    pack("selected.h5", "-o", "packed.h5", "--force")
    packed = (folder / "packed.h5").read_bytes()
    for words, code, part in ((("packed.h5", "-o", "no.h5"), 4, "packed already"), (("--unpack", "selected.h5", "-o", "no.h5"), 4, "not packed"), (("absent.h5", "-o", "no.h5"), 3, "absent.h5"),
                              (("selected.h5", "-o", "packed.h5"), 3, "exists already"), (("selected.h5", "-o", "selected.h5", "--force"), 3, "is a file that this command reads"),
                              (("--unpack", "packed.h5", "-o", "packed.h5", "--force"), 3, "is a file that this command reads"), (("--unpack", "packed.h5", "-o", "selected.h5"), 3, "exists already"),
                              (("selected.h5",), 2, "which file is to be made?"), (("-o", "no.h5"), 2, "which result file?"), (("selected.h5", "-o", "nowhere/no.h5"), 3, "nowhere")):
        check(part in pack(*words, code=code), f"pack {words}")
    for words in (("run", "selected.yaml", "-d", "reference", "-o", "packed.h5", "--resume"), ("run", "selected.yaml", "-d", "reference", "-o", "no.h5", "--reuse", "packed.h5"),
                  ("merge", "packed.h5", "-o", "no.h5"), ("merge", "selected.h5", "packed.h5", "-o", "no.h5"), ("run", "selected.yaml", "-d", "reference", "-o", "packed.h5", "--resume", "--retry", "failed", "-s", "newton.max_updates=99")):
        refused("packed.h5: packed; `pendula pack --unpack` makes the file that it was", *words, "--progress", "none", code=4)
    check((folder / "packed.h5").read_bytes() == packed, "a packed file was written")
    done, value = place_of("selected", "journal/block_done"), place_of("selected", "theta2/updates")
    for place, code, part in ((done + 1, 6, "points are missing"), (value, 4, "are damaged"), (700, 4, "header")):
        flip("selected", place, "bad")
        check(part in pack("bad.h5", "-o", "no.h5", code=code), f"byte {place}")
    with h5py.File(folder / "bad.h5", "w") as file:
        file["x"] = 1
    pack("bad.h5", "-o", "no.h5", code=4)
    check(not list(folder.glob("no*")) and not list(folder.glob(".pendula*")), "something was left")


def another_version():
    """A file whose header this program would not make again is not unpacked: here the version that is recorded differs."""
    inside, ranges = split((folder / "packed.h5").read_bytes())
    (folder / "other.h5").write_bytes(inside)
    with h5py.File(folder / "other.h5", "r+", libver=("v108", "v108")) as file:
        file.attrs.modify("unpacked_header_crc32", file.attrs["unpacked_header_crc32"] ^ 1)
    seal(folder / "other.h5", ranges)
    pendula("verify", "other.h5")
    err = pack("--unpack", "other.h5", "-o", "no.h5", code=4)
    check("the version that made it unpacks it" in err and not list(folder.glob("no*")), f"another version: {err}")


def small_values():
    """What is too small for chunks has the checksums of its blocks too."""
    pack("one.h5", "-o", "small.h5")
    flip("small", place_of("small", "rk4/x_max"), "small")
    seal(folder / "small.h5")
    for words in (("verify", "small.h5"), ("diff", "one.h5", "small.h5"), ("pack", "--progress", "none", "--unpack", "small.h5", "-o", "no.h5")):
        err = pendula(*words, code=4).err
        check("damaged" in err and err.count("\n") == 1 and not list(folder.glob("no*")), f"a small value: {words}: {err}")


def one_byte(number):
    """A damaged byte: `verify` ends with 4, and what is read is refused or what it was."""
    rng = random.Random(number)
    name = list(SWEEPS)[number % len(SWEEPS)]
    packed = folder / f"packed_{name}.h5"
    if not packed.exists():
        pack(f"{name}.h5", "-o", packed.name)
    data = bytearray(packed.read_bytes())
    places = split(data)[1]
    if places and rng.random() < 0.7:
        offset, length = rng.choice(places)
        place = offset + rng.randrange(length)
    else:
        place = rng.randrange(len(data))
    data[place] ^= 1 << rng.randrange(8)
    (folder / "damaged.h5").write_bytes(data)
    what = f"{name}: byte {place} of {len(data)}"
    code, out, err = ended("verify", "damaged.h5")
    check(code == 4 and err.count("\n") == 1, f"{what}: verify: exit {code}: {out}{err}")
    check(not any(o <= place < o + n for o, n in places) or " damaged (" in out, f"{what}: verify: a chunk: {out}{err}")
    for words in (("diff", f"{name}.h5", "damaged.h5"), ("report", "damaged.h5", "-o", "no.html"), ("pack", "--progress", "none", "--unpack", "damaged.h5", "-o", "no.h5")):
        code, out, err = ended(*words)
        check(code == 4 and err.count("\n") == 1, f"{what}: {words[0]}: exit {code}: {out}{err}")
    code, out, err = ended("info", "damaged.h5")
    check(code in (0, 4) and err.count("\n") == (code != 0), f"{what}: info: exit {code}: {err}")
    check(not list(folder.glob("no*")), f"{what}: something was made")


def begun():
    """The file in the making."""
    return [file for pattern in (".pendula*/no.h5", "no.h5.tmp") for file in folder.glob(pattern)]


def nothing_is_left():
    """Neither a full disk nor a signal leaves a file."""
    run("long", SWEEPS["all"].replace("linear: [0.5, 1.5, 30]", "linear: [0.5, 1.5, 400]").replace("samples: 15", "samples: 11"))
    before = sorted(p.name for p in folder.iterdir())

    def limit(most):
        return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    for most in (0, 1000, 100000, 1000000, 4000000):
        err = pack("long.h5", "-o", "no.h5", code=3, limit=limit(most))
        check(sorted(p.name for p in folder.iterdir()) == before, f"a limit of {most} bytes leaves something: {err}")
    pack("long.h5", "-o", "packed_long.h5")
    before = sorted(p.name for p in folder.iterdir())
    for most in (1000, 3000000, (folder / "long.h5").stat().st_size - 1):
        err = pack("--unpack", "packed_long.h5", "-o", "no.h5", code=3, limit=limit(most))
        check(sorted(p.name for p in folder.iterdir()) == before, f"a limit of {most} bytes leaves something: {err}")
    stopped_early = 0
    for words in (["long.h5"], ["--unpack", "packed_long.h5"]):
        for delay in (0.0, 0.0, 0.0, 0.02, 0.1):
            process = start("pack", "--progress", "none", *words, "-o", "no.h5")
            while process.poll() is None and not begun():
                pass
            time.sleep(delay)
            if process.poll() is None:  # it stands still while the signal comes
                os.kill(process.pid, signal.SIGSTOP)
                os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
            early = words == ["long.h5"] and any(file.stat().st_size < 1000000 for file in begun())
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGCONT)
            code = process.wait()
            stopped_early += early
            check(not early or not (folder / "no.h5").exists(), f"{words}: SIGINT at the begin: exit {code}, and a file")
            if (folder / "no.h5").exists():  # the signal came when all was done, or all of an unpacked file was on its way
                pendula("verify", "no.h5")
                remove("no.h5", "no.h5.log")
            check(code in (0, 75, -signal.SIGINT) and sorted(p.name for p in folder.iterdir()) == before, f"{words}: SIGINT after {delay} s: exit {code}: {sorted(p.name for p in folder.iterdir())}")
    check(stopped_early > 0, "none was stopped at its begin")


for part in (there_and_back, refusals, another_version, small_values):
    part()
for number in range(COUNT):
    one_byte(number)
nothing_is_left()
finish("all as documented")
