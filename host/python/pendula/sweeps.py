"""Sweeps: made of keywords or of a sweep file, and run."""
import collections.abc
import ctypes
import json
import signal
import sys
import threading
import time
import warnings

import numpy as np

from ._library import STOPPED, Error, ProgressCall, SayCall, encode, handle, lib
from .results import Result

_MODES = {"new": 0, "resume": 1, "replace": 2}


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run. result: the Result with the points computed until then, or None."""

    def __init__(self, result):
        super().__init__("the run was interrupted")
        self.result = result


def _plain(value):
    """Arrays and numbers of numpy as Python's."""
    if isinstance(value, np.ndarray):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, collections.abc.Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [_plain(each) for each in value]
    return value


def _yaml(value):
    """A value as YAML on one line: JSON is."""
    return json.dumps(_plain(value), allow_nan=False, ensure_ascii=False)


def _methods(given):
    """`methods:` of a sweep: a name, a list, or {name: {parameter: values}}."""
    if isinstance(given, str):
        return [given]
    if isinstance(given, collections.abc.Mapping):
        return [{name: settings} if settings else name for name, settings in given.items()]
    return list(given)


class Sweep:
    """A sweep of the keys that a sweep file has (docs/sweep-files.md).

    problem: the name of one, a mapping of formulas or matrices, or the path of a kernel file; its text may be given in `files`.
    parameters: {name: number, list, array or {"log": [a, b, n]}}; a list or an array is an axis.
    methods: a name, a list of names and {name: {parameter: values}}, or such a mapping of all.
    step, end, steps: two of the three; in seconds. Others: metrics, trajectory, newton, substeps, precision, design, zip,
    correlated, points, title.
    files: {path: text} of files that the sweep names: they are not looked for on the disk. A kernel file is code.

    Raises Error, with the key or the place.
    """

    def __init__(self, problem, methods, *, parameters=None, files=None, **keys):
        self._handle = handle(lib.sweep_new())
        for path, text in (files or {}).items():
            lib.sweep_set_file(self._handle, encode(path), encode(text))
        self.set("problem", problem)
        self.set("methods", _methods(methods))
        for name, value in (parameters or {}).items():
            self.set(f"parameters.{name}", value)
        for key, value in keys.items():
            if value is not None:
                self.set(key, value)
        self.plan()

    @classmethod
    def _of(cls, pointer):
        sweep = cls.__new__(cls)
        sweep._handle = handle(pointer)
        return sweep

    @classmethod
    def from_yaml(cls, text):
        """A sweep by the text of a sweep file."""
        return cls._of(lib.sweep_from_text(encode(text), None))

    @classmethod
    def from_file(cls, path):
        """A sweep file."""
        return cls._of(lib.sweep_from_file(encode(path)))

    def __del__(self):
        if getattr(self, "_handle", None):
            lib.sweep_free(self._handle)

    def set(self, key, value):
        """Sets a key, such as "parameters.eps" or "newton.tolerance", to a value of Python's."""
        if isinstance(value, np.ndarray) and value.ndim == 1 and value.size and value.dtype.kind in "fiu":
            numbers = np.ascontiguousarray(value, np.float64)
            lib.sweep_set_numbers(self._handle, encode(key), numbers.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), numbers.size)
        else:
            lib.sweep_set(self._handle, encode(key), encode(_yaml(value)))

    def plan(self):
        """Checks the sweep. Raises Error."""
        lib.sweep_plan(self._handle)
        return self

    @property
    def points(self):
        """The number of points."""
        return lib.sweep_points(self.plan()._handle)

    @property
    def bytes(self):
        """The size of its results."""
        return lib.sweep_bytes(self.plan()._handle)

    @property
    def settings(self):
        """Every setting as YAML, with the defaults."""
        return lib.sweep_settings(self.plan()._handle).decode()

    def cancel(self):
        """Ends the run that another thread began."""
        lib.sweep_cancel(self._handle)

    def _take_points(self, points, names):
        """Gives the library its points: a mapping or a DataFrame of columns, or an array [points][columns] with names."""
        if hasattr(points, "columns") or isinstance(points, collections.abc.Mapping):
            names = [str(name) for name in (points.columns if hasattr(points, "columns") else points)]
            points = np.column_stack([np.asarray(points[name], np.float64) for name in names])
        values = np.ascontiguousarray(points, np.float64)
        values = values.reshape(-1, 1) if values.ndim == 1 else values
        if values.ndim != 2 or not names or len(names) != values.shape[1]:
            raise ValueError(f"points: an array of shape {values.shape} needs as many names as columns, by names=[...]")
        words = (ctypes.c_char_p * len(names))(*[encode(name) for name in names])
        lib.sweep_set_points(self._handle, words, len(names), values.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), len(values))

    def run(self, points=None, device=None, progress=None, file=None, *, names=None, mode="new", lanes=0, memory=0, seconds=0.0):
        """Runs it, and returns a Result.

        points: in place of axes, the parameters of each point: {name: array}, a pandas.DataFrame, or an array [points][columns]
        with names=[...]. Programs are kept from run to run.
        device: "gpu", "cpu", "native", a name, "reference"; None: the first GPU, else a CPU.
        progress: True or False; None: a line on a terminal; or a function of points_done, points_total that may return False.
        file: a result file to write, in place of memory; mode: "new", "resume" or "replace".
        memory: the most bytes to take of a device's memory. seconds: time after which the run is cancelled.

        Ctrl-C raises Interrupted, with the result until then; of a run into a file this is None, and mode="resume" goes on. A run
        in memory that `seconds` or `progress` ends returns its result, with `complete` False.
        """
        if points is not None:
            self._take_points(points, names)
        options, state = lib.run_options(), {"interrupted": False, "raised": None, "shown": 0.0}
        show = sys.stderr.isatty() if progress is None else progress

        def see(now, _):
            try:
                if callable(progress):
                    return progress(now.contents.points_done, now.contents.points_total) is not False
                if show and time.monotonic() - state["shown"] > 0.1:
                    state["shown"] = time.monotonic()
                    _draw(now.contents)
                return not state["interrupted"]
            except BaseException as error:  # of the caller's function; it is raised after the run
                state["raised"] = error
                return False

        def say(line, _):
            warnings.warn(line.decode(errors="replace"), stacklevel=3)

        options.progress, options.say = ProgressCall(see), SayCall(say)
        options.device = encode(device) if device else None
        options.file = encode(file) if file else None
        options.mode, options.lanes, options.memory, options.seconds = _MODES[mode], lanes, memory, seconds
        result = cancelled = None
        with _Interrupts(state):
            try:
                pointer, cancelled = lib.sweep_run(self._handle, ctypes.byref(options))
                result = Result(pointer)
            except Error as error:
                if error.code != STOPPED or not (state["interrupted"] or state["raised"]):
                    raise
        if state["shown"]:
            print(file=sys.stderr)
        if state["raised"]:
            raise state["raised"]
        if state["interrupted"]:
            raise Interrupted(result)
        if cancelled and not (seconds or callable(progress)):
            warnings.warn(str(cancelled), stacklevel=2)
        return result

    def __repr__(self):
        labels = ", ".join(lib.sweep_label(self.plan()._handle, i).decode() for i in range(lib.sweep_groups(self._handle)))
        return f"<pendula.Sweep of {self.points} points: {labels}>"


class _Interrupts:
    """Notes Ctrl-C in place of an exception, which could come between any two lines of a call back from the library."""

    def __init__(self, state):
        self.state = state

    def __enter__(self):
        self.before = signal.getsignal(signal.SIGINT) if threading.current_thread() is threading.main_thread() else None
        if self.before:
            signal.signal(signal.SIGINT, lambda *_: self.state.update(interrupted=True))

    def __exit__(self, *_):
        if self.before:
            signal.signal(signal.SIGINT, self.before)


def _draw(progress):
    share = progress.points_done / max(progress.points_total, 1)
    print(f"\r{100 * share:5.1f}%  {progress.points_done}/{progress.points_total} points", end="", file=sys.stderr, flush=True)
