"""The shared library: where it is, its functions and structs (pendula.h), and its errors as exceptions."""
import ctypes
import ctypes.util
import os
import pathlib
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint64, c_void_p

texts = POINTER(c_char_p)
RANK = 32
STOPPED = 75  # the code of a run that was cancelled


class Error(Exception):
    """An error of the library.

    code: the exit code that the program of this version ends with: 2 a wrong call, 3 a file, 4 a wrong sweep or result file, 8 a
    device, 9 a kernel that does not compile, 75 cancelled, ...
    file, line, column: the place in a sweep's text with which the message begins; None where it names no place.
    """

    def __init__(self, text, code=1, file=None, line=None, column=None):
        super().__init__(text)
        self.code, self.file, self.line, self.column = code, file, line, column

    def __reduce__(self):
        return Error, (str(self), self.code, self.file, self.line, self.column)


class Progress(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("points_total", c_uint64), ("points_done", c_uint64), ("points_failed", c_uint64),
                ("steps_done", c_uint64)]


ProgressCall = ctypes.CFUNCTYPE(c_bool, POINTER(Progress), c_void_p)
SayCall = ctypes.CFUNCTYPE(None, c_char_p, c_void_p)


class RunOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("device", c_char_p), ("lanes", c_int), ("memory", c_uint64), ("seconds", c_double),
                ("file", c_char_p), ("mode", c_int), ("progress", ProgressCall), ("say", SayCall), ("user", c_void_p), ("shard", c_uint64),
                ("shards", c_uint64)]


class Array(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("unit", c_char_p), ("about", c_char_p), ("type", c_int), ("axis", c_bool),
                ("computed", c_bool), ("rank", c_size_t), ("shape", c_uint64 * RANK), ("dims", c_char_p * RANK),
                ("count", c_uint64), ("data", c_void_p), ("fill", c_double)]


class Parameter(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("unit", c_char_p), ("about", c_char_p), ("choices", texts),
                ("choice_count", c_size_t), ("initial", c_double), ("least", c_double), ("most", c_double)]


class Device(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("platform", c_char_p), ("driver", c_char_p), ("version", c_char_p),
                ("gpu", c_bool), ("fp64", c_bool), ("compute_units", c_uint), ("memory", c_uint64)]


handle = c_void_p
error_out = POINTER(handle)
doubles = c_void_p  # array.ctypes.data, or where the array may be gone at the call, array.ctypes.data_as(...), which keeps it


class SensitivityOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("index", c_char_p), ("estimator", c_char_p), ("failed", c_char_p), ("distributions", texts),
                ("output", c_char_p), ("replicates", c_uint64), ("seed", c_uint64)]


class PairsOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("criterion", c_char_p), ("omega_h", c_double), ("to_omega_h", c_double),
                ("band", c_double * 2), ("range", c_double * 2), ("settings", texts), ("setting_count", c_size_t),
                ("device", c_char_p), ("metric", c_char_p)]


class ConformOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("devices", texts), ("device_count", c_size_t), ("sample", c_uint64), ("progress", ProgressCall),
                ("user", c_void_p)]


# Every function: what it returns, and its arguments.
FUNCTIONS = {
    "version": (c_char_p,),
    "error_text": (c_char_p, handle),
    "error_code": (c_int, handle),
    "error_file": (c_char_p, handle),
    "error_line": (c_int, handle),
    "error_column": (c_int, handle),
    "error_free": (None, handle),
    "sweep_new": (handle, error_out),
    "sweep_from_text": (handle, c_char_p, c_char_p, error_out),
    "sweep_from_file": (handle, c_char_p, error_out),
    "sweep_set": (c_bool, handle, c_char_p, c_char_p, error_out),
    "sweep_set_numbers": (c_bool, handle, c_char_p, doubles, c_size_t, error_out),
    "sweep_set_file": (c_bool, handle, c_char_p, c_char_p, error_out),
    "sweep_set_points": (c_bool, handle, texts, c_size_t, doubles, c_size_t, error_out),
    "sweep_plan": (c_bool, handle, error_out),
    "sweep_groups": (c_size_t, handle),
    "sweep_label": (c_char_p, handle, c_size_t),
    "sweep_points": (c_uint64, handle),
    "sweep_bytes": (c_uint64, handle),
    "sweep_settings": (c_char_p, handle),
    "sweep_warning": (c_char_p, handle, c_size_t),
    "sweep_free": (None, handle),
    "run_options": (RunOptions,),
    "sweep_run": (handle, handle, POINTER(RunOptions), error_out),
    "sweep_cancel": (None, handle),
    "result_open": (handle, c_char_p, error_out),
    "result_groups": (c_size_t, handle),
    "result_label": (c_char_p, handle, c_size_t),
    "result_complete": (c_bool, handle),
    "result_array": (c_bool, handle, c_char_p, c_size_t, POINTER(Array)),
    "result_find": (c_bool, handle, c_char_p, c_char_p, POINTER(Array)),
    "result_size": (c_size_t, handle, c_char_p, c_char_p),
    "result_read": (c_bool, handle, c_char_p, c_char_p, doubles, c_size_t, error_out),
    "result_text": (c_char_p, handle, c_char_p, c_char_p, c_size_t),
    "result_save": (c_bool, handle, c_char_p, c_int, error_out),
    "result_free": (None, handle),
    "merge": (c_bool, c_char_p, texts, c_size_t, c_int, error_out),
    "sensitivity_options": (SensitivityOptions,),
    "sensitivity": (handle, doubles, texts, c_size_t, doubles, texts, c_size_t, c_size_t, POINTER(SensitivityOptions), error_out),
    "result_sensitivity": (handle, handle, c_char_p, POINTER(SensitivityOptions), error_out),
    "predict": (handle, doubles, texts, c_size_t, doubles, texts, c_size_t, c_size_t, doubles, c_size_t, POINTER(SensitivityOptions),
                error_out),
    "result_predict": (handle, handle, c_char_p, texts, c_size_t, doubles, c_size_t, POINTER(SensitivityOptions), error_out),
    "pareto": (c_bool, doubles, c_size_t, c_size_t, POINTER(c_bool), error_out),
    "spectrum": (handle, texts, c_size_t, texts, c_size_t, doubles, c_size_t, doubles, c_size_t, c_char_p, error_out),
    "pairs_options": (PairsOptions,),
    "pairs": (handle, c_char_p, c_char_p, doubles, c_size_t, POINTER(PairsOptions), error_out),
    "conform_options": (ConformOptions,),
    "sweep_conform": (handle, handle, POINTER(ConformOptions), error_out),
    "result_conform": (handle, handle, POINTER(ConformOptions), error_out),
    "status_name": (c_char_p, c_int),
    "catalog_new": (handle, error_out),
    "catalog_name": (c_char_p, handle, c_int, c_size_t),
    "catalog_title": (c_char_p, handle, c_int, c_size_t),
    "catalog_unit": (c_char_p, handle, c_int, c_size_t),
    "catalog_parameter": (c_bool, handle, c_int, c_size_t, c_size_t, POINTER(Parameter)),
    "catalog_free": (None, handle),
    "devices_new": (handle, error_out),
    "devices_count": (c_size_t, handle),
    "devices_get": (c_bool, handle, c_size_t, POINTER(Device)),
    "devices_free": (None, handle),
}


def _load():
    """The library: PENDULA_LIBRARY, the one beside this file (of a wheel), that of the build in the source tree, the system's."""
    here = pathlib.Path(__file__).absolute()
    places = [here.with_name("libpendula.so")]
    if (here.parents[2] / "pendula.h").exists():
        places.append(here.parents[3] / "build/libpendula.so")
    named = os.environ.get("PENDULA_LIBRARY") or next((str(place) for place in places if place.exists()), None)
    try:
        return ctypes.CDLL(named or ctypes.util.find_library("pendula") or "libpendula.so.0")
    except OSError as why:
        raise ImportError(f"libpendula cannot be loaded: {why}; install it, or name it by PENDULA_LIBRARY") from None


_loaded = _load()


def _declare(name, result, *arguments):
    function = getattr(_loaded, f"pendula_{name}")
    function.restype, function.argtypes = result, arguments
    if not arguments or arguments[-1] is not error_out:
        return function

    def call(*values):
        """Calls it and raises its error, except of a cancelled run, which has a result too."""
        error = handle()
        done = function(*values, ctypes.byref(error))
        why = _take(error) if error else None
        if not done:
            raise why or Error("the library gave no reason for a failure")
        return (done, why) if name == "sweep_run" else done

    return call


def _take(error):
    lib = _loaded
    text, file = lib.pendula_error_text(error), lib.pendula_error_file(error)
    line, column = lib.pendula_error_line(error), lib.pendula_error_column(error)
    made = Error(text.decode(errors="replace"), lib.pendula_error_code(error), file.decode(errors="replace") if file else None,
                 line or None, column or None)
    lib.pendula_error_free(error)
    return made


class _Library:
    """pendula_NAME() as lib.NAME(), without the last argument for the error."""


lib = _Library()
for _name, _types in FUNCTIONS.items():
    setattr(lib, _name, _declare(_name, *_types))
version = lib.version().decode()


def encode(text):
    """A path or text for the library."""
    return os.fsencode(text)
