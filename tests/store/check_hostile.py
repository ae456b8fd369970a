# check_hostile -- result files made to harm, given to every command that reads one: refused at once, and nothing outside opened.
#
#   check.py hostile [KIND...]   these kinds only
#
# Each kind is a small result file that was changed by HDF5 and sealed anew, so that its seal is right. No command may hang, take
# more memory than the limit, end by a signal, open what lies outside the file, or print a character that a terminal obeys.
import concurrent.futures
import csv
import ctypes
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import zlib

from checking import check, execute, finish, folder, need, on_terminal, PROGRAM
import seal
from sweeps import FEW
import turn

h5py, np = need("h5py", "numpy")
from h5py import h5a, h5d, h5p, h5s, h5t, h5z

# Sanitizers take time, and memory without end: a run with them takes the kinds whose turn it is.
SANITIZED = b"__asan_init" in pathlib.Path(PROGRAM).read_bytes()
SECONDS = 100 if SANITIZED else 10
PARTS = 4
MEMORY = 512 << 10  # kB
CODES = {0, 2, 3, 4, 6, 7}  # of files that are not refused
# Messages of some kinds, those that docs/limits.md has.
MESSAGES = {
    "soft_link_to_group": "is a soft link, not an object",
    "external_link_to_file": "is a link into another file",
    "dataset_of_two_names": "has several names",
    "virtual_dataset_of_file": "is a virtual dataset, whose values lie in other files",
    "external_storage_in_file": "has its values in other files",
    "filter_of_a_plugin": "is stored by a filter that the program does not use",
    "dataset_of_a_committed_type": "is of a type that the program does not write",
    "axis_that_is_nowhere": "has no values in the file",
    "points_that_unpack_to_much": "would unpack to more than the file can hold",
    "axis_that_unpacks_to_much": "would take more memory than a file of this size needs",
}
ESC = "\x1b]0;gone\x07\x1b[2J"
COMMANDS = [
    ["info", "FILE"], ["info", "FILE", "--json"], ["info", "FILE", "--stats"], ["info", "FILE", "--sweep"],
    ["verify", "FILE"], ["verify", "FILE", "--json"],
    ["export", "FILE", "--group", "theta2"], ["export", "FILE", "--group", "other", "-o", "new.csv", "--force"],
    ["plot", "FILE", "--force", "-o", "new"], ["report", "FILE", "--force", "-o", "new.html"],
    ["diff", "FILE", "honest.h5"], ["diff", "honest.h5", "FILE", "--json"],
    ["pack", "FILE", "--force", "-o", "new.h5"], ["pack", "--unpack", "FILE", "--force", "-o", "new.h5"],
    ["merge", "FILE", "--force", "-o", "new.h5"],
    ["replay", "FILE", "--group", "theta2", "--point", "15", "-d", "reference"],
    ["sensitivity", "FILE", "--metric", "energy_drift"], ["sensitivity", "FILE", "--format", "csv"],
    ["distribution", "FILE", "--metric", "energy_drift", "--above", "0.1"], ["distribution", "FILE", "--by", "x0"],
    ["distribution", "FILE", "--correlation", "--format", "csv"],
    ["predict", "FILE", "--metric", "energy_drift", "--method", "theta2", "--at", "x0=1,zeta=0.1,theta=0.2"],
    ["pareto", "FILE", "--cost", "updates", "--error", "energy_drift"],
    ["run", "SWEEP", "-d", "reference", "--resume", "-o", "COPY"],
    ["run", "SWEEP", "-d", "reference", "--resume", "--retry", "failed", "-s", "newton.max_updates=200", "-o", "COPY"],
    ["run", "SWEEP", "-d", "reference", "--reuse", "FILE", "--force", "-o", "new.h5"],
]
PROGRESS = {"pack", "merge", "run"}


# The parts of which kinds are made.


def dcpl(*steps):
    made = h5p.create(h5p.DATASET_CREATE)
    for step in steps:
        step(made)
    return made


def deflated(*chunk):
    return dcpl(lambda p: p.set_chunk(chunk), lambda p: p.set_deflate(9))


def elsewhere(path, size):
    return dcpl(lambda p: p.set_external(path.encode(), 0, size))


EARLY = dcpl(lambda p: p.set_alloc_time(h5d.ALLOC_TIME_EARLY))
POINTS = (3, 4, 2)


def put(group, name, shape, dtype="i1", creation=None, kind_of=None):
    """A new dataset in place of one of the same name, with the scales that the old one had."""
    scales = [[s.name for s in d.values()] for d in group[name].dims] if name in group and group[name].attrs.get("CLASS") is None else []
    if name in group:
        del group[name]
    space = h5s.create(h5s.SCALAR) if shape == () else h5s.create_simple(shape)
    h5d.create(group.id, name.encode(), kind_of or h5t.py_create(np.dtype(dtype)), space, creation or dcpl())
    made = group[name]
    for d, names in enumerate(scales[:len(shape)]):
        for scale in names:
            made.dims[d].attach_scale(group[scale])
    return made


def chunks(dataset, payload, mask=0):
    """The same stored chunk at each place."""
    for place in np.ndindex(*[-(-n // c) for n, c in zip(dataset.shape, dataset.chunks)]):
        dataset.id.write_direct_chunk(tuple(p * c for p, c in zip(place, dataset.chunks)), payload, mask)


def unpacks(group, name, shape, dtype, chunk, payload):
    """A dataset of chunks that are small in the file."""
    chunks(put(group, name, shape, dtype, deflated(*chunk)), zlib.compress(payload, 9))


def link(group, name, target):
    """A link, a dataset, a type or another name of an object, in place of one of the name."""
    if name in group:
        del group[name]
    group[name] = target


def external(group, name, path, inside="/"):
    link(group, name, h5py.ExternalLink(path, inside))


def rename(group, first=None, **names):
    """New names in the old order, or with one at the beginning."""
    order = sorted(group, key=lambda name: (name != first, group.id.links.get_info(name.encode()).corder))
    for name in order:
        group.move(name, f"moved_{name}")
    for name in order:
        group.move(f"moved_{name}", names.get(name, name))


def text_type(size):
    made = h5t.C_S1.copy()
    made.set_size(size)
    return made


def compound():
    made = h5t.create(h5t.COMPOUND, 16)
    made.insert(b"a", 0, h5t.NATIVE_DOUBLE)
    made.insert(b"b", 8, h5t.NATIVE_INT64)
    return made


def enumeration():
    made = h5t.enum_create(h5t.NATIVE_INT8)
    made.enum_insert(b"one", 1)
    return made


def virtual(file, name, source, shape, dtype):
    layout = h5py.VirtualLayout(shape=shape, dtype=dtype)
    layout[...] = h5py.VirtualSource(*source, shape=shape)
    del file[name]
    file.create_virtual_dataset(name, layout)


def committed(group, use):
    """Does something with a type that has a name, which goes then."""
    named = h5t.NATIVE_INT8.copy()
    named.commit(group.id, b"kind")
    use(named)
    del group["kind"]


def raw_attribute(owner, name, made):
    h5a.create(owner.id, name.encode(), made, h5s.create(h5s.SCALAR))


def list_dimensions(group, *references):
    """Other scales of the first dimensions of the status, and the right ones of the rest."""
    lists = np.empty(max(len(references), 3), dtype=object)
    for i, each in enumerate([*references, *[[group[name].ref] for name in ("x0", "zeta", "theta")][len(references):]]):
        lists[i] = np.array(each, dtype=h5py.ref_dtype)
    del group["status"].attrs["DIMENSION_LIST"]
    group["status"].attrs.create("DIMENSION_LIST", lists, dtype=h5py.vlen_dtype(h5py.ref_dtype))


# Kinds that are refused where the file is opened. Each is made of the file, its group theta2, and the path of a name outside.

REFUSED = {
    # Links.
    "soft_link_to_group": lambda file, group, out: link(file, "other", h5py.SoftLink("/theta2")),
    "soft_link_to_nothing": lambda file, group, out: link(file, "other", h5py.SoftLink("/nothing")),
    "soft_link_to_itself": lambda file, group, out: link(file, "other", h5py.SoftLink("/other")),
    "soft_link_to_dataset": lambda file, group, out: link(group, "status", h5py.SoftLink("/other/status")),
    "soft_link_to_axis": lambda file, group, out: link(group, "x0", h5py.SoftLink("/other/x0")),
    "soft_link_in_journal": lambda file, group, out: link(file["journal"], "block_crc32", h5py.SoftLink("/theta2/status")),
    "external_link_to_pipe": lambda file, group, out: external(file, "other", out("pipe")),
    "external_link_to_file": lambda file, group, out: external(file, "other", out("honest.h5"), "/other"),
    "external_link_to_dataset": lambda file, group, out: external(group, "status", out("honest.h5"), "/theta2/status"),
    "external_link_to_pipe_of_dataset": lambda file, group, out: external(group, "energy_drift", out("pipe"), "/theta2/status"),
    "external_link_as_source": lambda file, group, out: external(group, "source", out("pipe"), "/source"),
    "external_link_as_journal": lambda file, group, out: external(file, "journal", out("pipe"), "/journal"),
    "external_link_in_journal": lambda file, group, out: external(file["journal"], "block_done", out("honest.h5"), "/journal/block_done"),
    "external_link_to_itself": lambda file, group, out: external(file, "other", "hostile.h5", "/other"),
    "one_link_more": lambda file, group, out: external(group, "more", out("pipe")),
    # Objects.
    "root_in_root": lambda file, group, out: link(file, "loop", file["/"]),
    "root_in_group": lambda file, group, out: link(group, "loop", file["/"]),
    "group_in_itself": lambda file, group, out: link(group, "loop", group),
    "group_of_two_names": lambda file, group, out: link(file, "again", group),
    "group_as_journal": lambda file, group, out: link(file, "journal", group),
    "group_in_group": lambda file, group, out: group.create_group("inner"),
    "dataset_of_two_names": lambda file, group, out: link(group, "again", group["status"]),
    "dataset_of_two_groups": lambda file, group, out: link(group, "again", file["other"]["status"]),
    "dataset_in_root": lambda file, group, out: link(file, "status", np.zeros(5, "i1")),
    "datatype_in_root": lambda file, group, out: link(file, "kind", np.dtype("f8")),
    "datatype_in_group": lambda file, group, out: link(group, "kind", np.dtype("f8")),
    "too_many_groups": lambda file, group, out: [file.create_group(f"g{i}") for i in range(5000)],
    "too_many_datasets": lambda file, group, out: [put(group, f"d{i}", ()) for i in range(4200)],
    "journal_is_missing": lambda file, group, out: file.pop("journal"),
    "journal_is_empty": lambda file, group, out: file["journal"].pop("block_done"),
    # Storage.
    "external_storage_in_pipe": lambda file, group, out: put(group, "status", POINTS, "i1", elsewhere(out("pipe"), 24)),
    "external_storage_in_file": lambda file, group, out: put(group, "energy_drift", POINTS, "f8", elsewhere(out("secret"), 192)),
    "external_storage_of_text": lambda file, group, out: put(group, "source", (), None, elsewhere(out("secret"), 64), text_type(64)),
    "virtual_dataset_of_file": lambda file, group, out: virtual(file, "theta2/status", (out("honest.h5"), "/theta2/status"), POINTS, "i1"),
    "virtual_dataset_of_pipe": lambda file, group, out: virtual(file, "journal/block_done", (out("pipe"), "/journal/block_done"), (2,), "u1"),
    "filter_of_a_plugin": lambda file, group, out: put(
        group, "status", POINTS, "i1", dcpl(lambda p: p.set_chunk(POINTS), lambda p: p.set_filter(305, h5z.FLAG_OPTIONAL, (1, 2)))),
    "filter_scaleoffset": lambda file, group, out: put(
        group, "updates", POINTS, "i8", dcpl(lambda p: p.set_chunk(POINTS), lambda p: p.set_scaleoffset(h5z.SO_INT, 0))),
    "chunks_of_the_fill_value": lambda file, group, out: put(group, "status", (1 << 20, 1 << 10, 1 << 10), "i1", deflated(64, 64, 64)),
    "axis_of_the_fill_value": lambda file, group, out: put(group, "x0", (1 << 27,), "f8", deflated(1 << 15)),
    "points_that_unpack_to_much": lambda file, group, out: unpacks(group, "status", (1 << 31, 1, 1), "i1", (1 << 18, 1, 1), bytes(1 << 18)),
    "journal_that_unpacks_to_much": lambda file, group, out: unpacks(
        file["journal"], "block_done", (1 << 28,), "u1", (1 << 18,), b"\1" * (1 << 18)),
    "large_chunk": lambda file, group, out: unpacks(group, "more", (1 << 26,), "i1", (1 << 26,), bytes(1 << 26)),
    "axis_that_is_nowhere": lambda file, group, out: put(group, "x0", (1 << 33,), "f8"),
    "points_that_are_nowhere": lambda file, group, out: put(group, "status", (1 << 20, 1 << 10, 1 << 10), "i1"),
    "journal_that_is_nowhere": lambda file, group, out: put(file["journal"], "block_done", (1 << 40,), "u1"),
    "text_that_is_nowhere": lambda file, group, out: put(group, "source", (), kind_of=text_type(1 << 31)),
    "compact_dataset": lambda file, group, out: put(group, "status", POINTS, "i1", dcpl(lambda p: p.set_layout(h5d.COMPACT))),
    "dimension_of_no_length": lambda file, group, out: put(group, "energy_drift", (3, 0, 2), "f8"),
    "dataset_of_a_committed_type": lambda file, group, out: committed(group, lambda named: put(group, "status", POINTS, kind_of=named)),
    # Attributes.
    "too_many_attributes": lambda file, group, out: [group.attrs.create(f"a{i}", 1) for i in range(1100)],
    "long_attribute": lambda file, group, out: group.attrs.create("flag_values", np.zeros(1 << 20, "i4")),
    "attribute_of_lists": lambda file, group, out: raw_attribute(group, "list", h5t.vlen_create(h5t.NATIVE_INT32)),
    "attribute_of_texts": lambda file, group, out: group.attrs.create("texts", np.array(["x" * 1000] * 3000, dtype=h5py.string_dtype())),
    "attribute_of_a_reference": lambda file, group, out: file.attrs.create("other", file["other"].ref),
    "attribute_of_a_region": lambda file, group, out: file.attrs.create("other", file["other/status"].regionref[0, 0]),
    "attribute_of_a_committed_type": lambda file, group, out: committed(group, lambda named: raw_attribute(group["status"], "more", named)),
    "class_of_a_long_text": lambda file, group, out: group["x0"].attrs.create("CLASS", np.bytes_(b"DIMENSION_SCALE" * 500)),
    "class_of_several_texts": lambda file, group, out: group["x0"].attrs.create("CLASS", np.array([b"DIMENSION_SCALE"] * 50)),
    "dimensions_that_are_numbers": lambda file, group, out: group["status"].attrs.create("DIMENSION_LIST", np.zeros(3)),
    "scale_list_of_other_members": lambda file, group, out: group["x0"].attrs.create(
        "REFERENCE_LIST", np.zeros(3, dtype=[("a", "f8"), ("b", "f8"), ("c", "i4")])),
    "dimension_of_another_group": lambda file, group, out: list_dimensions(group, [file["other/x0"].ref]),
    "dimension_that_is_a_group": lambda file, group, out: list_dimensions(group, [file["/"].ref]),
    "dimension_of_many_scales": lambda file, group, out: list_dimensions(group, [group["x0"].ref] * 100000),
    "more_dimensions_than_there_are": lambda file, group, out: list_dimensions(group, *[[group["x0"].ref]] * 7),
    # Names.
    "metric_with_escapes": lambda file, group, out: rename(group, energy_drift=f"drift{ESC}"),
    "axis_with_escapes": lambda file, group, out: rename(group, x0=f"x0{ESC}"),
    "group_with_escapes": lambda file, group, out: rename(file, other=f"other{ESC}"),
    "metric_with_newlines": lambda file, group, out: rename(group, energy_drift="drift\n!touch made\n"),
    "metric_in_another_direction": lambda file, group, out: rename(group, energy_drift="drift\u202e"),
    "attribute_with_escapes": lambda file, group, out: group.attrs.create(f"a{ESC}", 1),
    "long_name": lambda file, group, out: rename(group, energy_drift="e" * 60000),
}
# Types: of one dataset more.
TYPES = {
    "texts": lambda: h5t.py_create(h5py.string_dtype(), logical=True), "lists": lambda: h5t.vlen_create(h5t.NATIVE_INT32), "compound": compound,
    "references": lambda: h5t.STD_REF_OBJ, "regions": lambda: h5t.STD_REF_DSETREG, "enum": enumeration,
    "opaque": lambda: h5t.create(h5t.OPAQUE, 1 << 16), "array": lambda: h5t.array_create(h5t.NATIVE_INT8, (1 << 10, )), "half": lambda: h5t.IEEE_F16LE,
    "fixed_texts": lambda: text_type(16), "long_double": lambda: h5t.NATIVE_LDOUBLE}
REFUSED |= {f"dataset_of_{name}": lambda file, group, out, make=make: put(group, "more", (3,), None, EARLY, make()) for name, make in TYPES.items()}
# Kinds that commands may read; none of them comes to harm.
BORNE = {
    "metric_with_commas": lambda file, group, out: rename(
        group, energy_drift='drift, "of" energy', zeta='zeta,"', trajectory_zeta='trajectory_zeta,"'),
    "sweep_in_another_direction": lambda file, group, out: file.attrs.create("sweep", file.attrs["sweep"] + "# \u202e\u009b2J\n"),
    "text_of_many_bytes": lambda file, group, out: file.attrs.create("title", "x" * (64 << 20)),
    "journal_of_two_lengths": lambda file, group, out: put(file["journal"], "block_crc32", (50000,), "u4", EARLY),
    "points_of_another_shape": lambda file, group, out: put(group, "status", (7, 5, 3), "i1", EARLY),
    "blocks_of_no_points": lambda file, group, out: group.attrs.create("block_points", 0),
    "settings_that_are_texts": lambda file, group, out: [group.attrs.create(name, "x" * 1000) for name in ("step", "steps", "end")],
    "sweep_that_names_files": lambda file, group, out: file.attrs.create(
        "sweep", FEW.replace("pendulum", out("pipe") + ".cl", 1) + f"points: {{file: {out('pipe')}}}\n"),
}


def refused(function):
    """A kind of several statements."""
    REFUSED[function.__name__] = function


def borne(function):
    """A kind of several statements."""
    BORNE[function.__name__] = function


@refused
def link_of_the_users(file, group, out):
    """A link of a class that is defined by a program."""
    library = ctypes.PyDLL(next(line.split()[-1] for line in open("/proc/self/maps") if re.search(r"/libhdf5_?(serial)?[-.0-9so]*$", line.split()[-1])))
    traverse = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64)(lambda *_: -1)

    class Class(ctypes.Structure):
        _fields_ = [("version", ctypes.c_int), ("id", ctypes.c_int), ("comment", ctypes.c_char_p), ("create", ctypes.c_void_p), ("move", ctypes.c_void_p),
                    ("copy", ctypes.c_void_p), ("traverse", ctypes.c_void_p), ("delete", ctypes.c_void_p), ("query", ctypes.c_void_p)]

    known = Class(0, 187, b"ours", None, None, None, ctypes.cast(traverse, ctypes.c_void_p), None, None)
    made = library.H5Lregister(ctypes.byref(known)) >= 0
    made = made and library.H5Lcreate_ud(ctypes.c_int64(group.id.id), b"more", 187, b"data", ctypes.c_size_t(4), ctypes.c_int64(0), ctypes.c_int64(0)) >= 0
    check(made, "no link of the user's was made")


@refused
def virtual_dataset_of_any_length(file, group, out):
    layout = h5py.VirtualLayout(shape=(10,), maxshape=(None,), dtype="f8")
    source = h5py.VirtualSource(out("honest.h5"), "/theta2/x0", shape=(3,), maxshape=(None,))
    layout[:h5s.UNLIMITED] = source[:h5s.UNLIMITED]
    del group["x0"]
    file.create_virtual_dataset("theta2/x0", layout)


@refused
def filter_lzf(file, group, out):
    del group["energy_drift"]
    group.create_dataset("energy_drift", POINTS, "f8", chunks=POINTS, compression="lzf")


@refused
def deflated_twice(file, group, out):
    twice = dcpl(lambda p: p.set_chunk((1 << 18,)), lambda p: p.set_deflate(9), lambda p: p.set_filter(h5z.FILTER_DEFLATE, 0, (9,)))
    chunks(put(group, "more", (1 << 30,), "i1", twice), zlib.compress(zlib.compress(bytes(1 << 18), 9), 9))


@refused
def axis_that_unpacks_to_much(file, group, out):
    unpacks(group, "x0", (1 << 23,), "f8", (1 << 15,), bytes(1 << 18))
    rename(group, first="x0")  # axes stand before the status


@refused
def dataset_without_a_shape(file, group, out):
    del group["energy_drift"]
    group.create_dataset("energy_drift", data=h5py.Empty("f8"))


@refused
def dimension_without_a_name(file, group, out):
    """A dataset that no link leads to, with its values in another file."""
    hidden = put(group, "hidden", (3,), "f8", elsewhere(out("pipe"), 24))
    list_dimensions(group, [hidden.ref])
    del group["hidden"]


@refused
def million_degrees_of_freedom(file, group, out):
    put(group, "dof", (1 << 20,), "i4").make_scale("dof")
    group["dof"][...] = 0


@borne
def texts_with_escapes(file, group, out):
    for thing in (file, group, file["other"], *group.values(), *file["other"].values()):
        for name, value in list(thing.attrs.items()):
            if isinstance(value, str) and name not in ("fingerprint", "computed_by", "shard", "numbers"):
                thing.attrs[name] = value.replace(" ", f"{ESC} ") + ESC


@borne
def texts_with_newlines(file, group, out):
    """Lines that a script of gnuplot would obey, were they not in its quotes."""
    for thing in (file, group, *group.values()):
        for name, value in list(thing.attrs.items()):
            if name in ("title", "units", "long_name", "method", "problem"):
                thing.attrs[name] = f"{value}\n!touch made\nsystem('touch made')\"\nsystem('touch made')\n"


@borne
def many_points_in_few_bytes(file, group, out):
    """As many as a file may unpack to, in chunks that are all the same."""
    count = 1 << 27
    for name in list(group):
        del group[name]
    put(group, "point", (count,), ">f4").make_scale(f"This is a netCDF dimension but not a netCDF variable. {count:10d}")
    unpacks(group, "status", (count,), "i1", (1 << 18,), b"\1" * (1 << 18))
    group["status"].dims[0].attach_scale(group["point"])
    group.attrs["block_points"] = count
    file.attrs["packed"] = "shuffle, deflate 6, fletcher32"


@borne
def blocks_that_are_no_numbers(file, group, out):
    group.attrs["first_block"] = float("nan")
    file["other"].attrs["block_points"] = 1e300


KINDS = REFUSED | BORNE


# Each kind is given to each command.


class Watch:
    """What is opened in a folder; where the system cannot say, nothing."""

    def __init__(self, folder):
        libc = ctypes.CDLL(None)
        self.file = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.file < 0 or libc.inotify_add_watch(self.file, os.fsencode(folder), 0x21) < 0:  # IN_OPEN, IN_ACCESS
            print("what is opened outside is not watched: no inotify")
            self.file = -1

    def opened(self):
        try:
            return self.file >= 0 and len(os.read(self.file, 1 << 16)) > 0
        except BlockingIOError:
            return False


def run(words, folder):
    """The code, the output, and the largest memory in kB of a command; None for a code where it ran out of time."""
    started = subprocess.Popen([PROGRAM, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    late = threading.Event()
    timer = threading.Timer(SECONDS, lambda: (late.set(), started.kill()))
    timer.start()
    out = started.stdout.read()
    _, status, usage = os.wait4(started.pid, 0)
    timer.cancel()
    started.stdout.close()
    started.returncode = os.waitstatus_to_exitcode(status)
    return None if late.is_set() else started.returncode, out, usage.ru_maxrss


def judge(name, refused, words, code, out, memory):
    what = f"{name}: {' '.join(words)}: exit {code}, {memory >> 10} MB: {out[-400:]!r}"
    check(code is not None, f"{name}: {' '.join(words)}: not done after {SECONDS} s")
    check(SANITIZED or memory <= MEMORY, f"too much memory: {what}")
    check(code == 4 if refused else code in CODES, what)
    if refused:
        check(out.startswith(b"pendula: ") and out.count(b"\n") == 1, f"more than a line: {what}")
        check(MESSAGES.get(name, "").encode() in out, f"another message: {what}")
    if "--sweep" not in words:
        check(not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", out), f"characters that a terminal obeys: {what}")


def spell(words):
    names = {"FILE": "hostile.h5", "COPY": "copy.h5", "SWEEP": "small.yaml"}
    return [names.get(word, word) for word in words] + (["--progress", "none"] if words[0] in PROGRESS else [])


def try_command(name, refused, words, folder):
    if "COPY" in words:
        shutil.copy(folder / "hostile.h5", folder / "copy.h5")
    words = spell(words)
    judge(name, refused, words, *run(words, folder))


def make_kind(name, folder):
    shutil.copy(folder / "honest.h5", folder / "hostile.h5")
    ranges = seal.ranges_of(folder / "hostile.h5")
    with h5py.File(folder / "hostile.h5", "r+") as file:
        KINDS[name](file, file["theta2"], lambda name: str(folder / "outside" / name))
    seal.seal(folder / "hostile.h5", ranges)


def try_kind(name, folder, watch):
    make_kind(name, folder)
    watch.opened()
    for words in COMMANDS:
        try_command(name, name in REFUSED, words, folder)
    check(not watch.opened(), f"{name}: something outside the file was opened")
    check(not (folder / "made").exists(), f"{name}: a line of the file was obeyed")


def lay_out(folder):
    """A folder of its own for each that works: sweep, honest file, and what must not be opened."""
    (folder / "outside").mkdir(parents=True)
    os.mkfifo(folder / "outside" / "pipe")
    (folder / "outside" / "secret").write_bytes(bytes(4096))
    (folder / "small.yaml").write_text(FEW)
    code, out, _ = run(["run", "small.yaml", "-d", "reference", "-o", "honest.h5", "--progress", "none"], folder)
    check(code == 0, f"the sweep cannot be run: {out}")
    shutil.copy(folder / "honest.h5", folder / "outside" / "honest.h5")


def try_kinds(folder, names):
    lay_out(folder)
    watch = Watch(folder / "outside")
    for name in names:
        try_kind(name, folder, watch)


# What is not refused is shown as it may be.


def check_honest(folder):
    """All commands do their work on the file that the kinds are made of."""
    shutil.copy(folder / "honest.h5", folder / "hostile.h5")
    for words in COMMANDS:
        wanted = {4} if "--unpack" in words else {0, 3} if words[0] in ("plot", "report") else {0}
        shutil.copy(folder / "honest.h5", folder / "copy.h5")
        code, out, _ = run(spell(words), folder)
        check(code in wanted, f"the honest file: {words}: exit {code}: {out[-300:]}")


def check_header(folder):
    """The header of a table is read back by a program that reads CSV."""
    make_kind("metric_with_commas", folder)
    _, out, _ = run(["export", "hostile.h5", "--group", "theta2"], folder)
    names = next(csv.reader(io.StringIO(out.decode())))
    check(names[1] == 'zeta,"' and 'drift, "of" energy' in names, f"the header of a table: {names}")


def check_sweep(folder):
    """Elsewhere than on a terminal the sweep is printed as it is, byte for byte; on a terminal it is escaped."""
    make_kind("sweep_in_another_direction", folder)
    with h5py.File(folder / "hostile.h5") as file:
        wanted = file.attrs["sweep"].encode()
    _, out, _ = run(["info", "hostile.h5", "--sweep"], folder)
    check(wanted in out, f"info --sweep is not what is in the file: {out[:200]}")
    _, shown = on_terminal("info", "hostile.h5", "--sweep", cwd=folder)
    check(b"\\u202e\\u009b2J" in shown and "\u202e".encode() not in shown, f"info --sweep on a terminal: {shown[:300]}")


def check_memory(folder):
    """Where HDF5 gets no memory the message says so, and the file is not called damaged."""
    if SANITIZED:
        return
    make_kind("text_of_many_bytes", folder)
    done = execute(["sh", "-c", 'ulimit -v "$1"; exec "$2" info hostile.h5', "sh", 150 << 10, PROGRAM], cwd=folder)
    check(done.code == 1 and "out of memory" in done.err and "damaged" not in done.err, f"no memory: exit {done.code}: {done.err}")


part = turn.part(PARTS) if SANITIZED else None
names = sys.argv[1:] or (sorted(KINDS) if part is None else sorted(KINDS)[part::PARTS])
folders = [folder / str(i) for i in range(2)]
# HDF5 in this process is used by one at a time; commands run beside each other.
with concurrent.futures.ThreadPoolExecutor(len(folders)) as pool:
    list(pool.map(try_kinds, folders, [names[i::len(folders)] for i in range(len(folders))]))
for look in (check_honest, check_header, check_sweep, check_memory) if len(names) > 1 else ():
    look(folders[0])
finish(f"{len(names)} kinds of files, {len(COMMANDS)} commands: all as documented")
