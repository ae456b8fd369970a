"""Sweeps: made of keywords or of a sweep file, and run."""
from __future__ import annotations

import collections.abc
import ctypes
import html
import json
import os
import threading
import warnings
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from . import shards as _shards
from ._library import STOPPED, Error, ProgressCall, SayCall, encode, handle, lib
from .progress import Bar, Interrupted, Interrupts
from .results import MODES, Group, Result

Names = Sequence[str]


def _plain(value: Any) -> Any:
    """Arrays and numbers of numpy as Python's."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, collections.abc.Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [_plain(each) for each in value]
    return value


def _yaml(value: Any) -> str:
    """A value as YAML on one line: JSON is.

    >>> _yaml({"theta": np.linspace(0, 1, 3), "damped": True})
    '{"theta": [0.0, 0.5, 1.0], "damped": true}'
    """
    return json.dumps(_plain(value), allow_nan=False, ensure_ascii=False)


def _methods(given: Any) -> list[Any]:
    """`methods:` of a sweep: a name, a list, or {name: {parameter: values}}."""
    if isinstance(given, str):
        return [given]
    if isinstance(given, collections.abc.Mapping):
        return [{name: settings} if settings else name for name, settings in given.items()]
    return list(given)


def _table(points: Any, names: Names | None) -> tuple[np.ndarray, list[str]]:
    """Points as [points][columns] with the columns' names.

    >>> _table({"omega": [1, 2, 3], "x0": [0, 0, 1]}, None)[1]
    ['omega', 'x0']
    """
    if hasattr(points, "samples") and isinstance(points, collections.abc.Mapping):  # SALib's ProblemSpec
        points, names = points.samples, names or points["names"]
    elif names is None and (hasattr(points, "columns") or isinstance(points, collections.abc.Mapping)):
        names = list(points.columns if hasattr(points, "columns") else points)
        points = np.column_stack([np.asarray(points[name], np.float64) for name in names])
    values = np.ascontiguousarray(points, np.float64)
    if values.ndim == 1:
        values = values.reshape(-1, 1) if names and len(names) == 1 else values.reshape(1, -1)
    if values.ndim != 2 or not names or len(names) != values.shape[1]:
        raise ValueError(f"points: an array of shape {np.shape(points)} needs as many names as columns, by names=[...]")
    return values, [str(name) for name in names]


class Sweep:
    """A sweep of the keys that a sweep file has (docs/sweep-files.md).

    problem: the name of one, a mapping of formulas or matrices, or the path of a kernel file; its text may be given in `files`.
    methods: a name, a list of names and {name: {parameter: values}}, or such a mapping of all.
    parameters: {name: number, list, array [n] or {"log": [a, b, n]}}; a list or an array is an axis.
    keys: begin; step, end and steps (two of the three), in the problem's unit of time; metrics, trajectory, newton, substeps,
    precision, design, zip, correlated, points, tables, observe, compare, breaks, events, derivatives, title.
    files: {path: text} of files that the sweep names: they are not looked for on the disk. A kernel file is code.

    Raises Error, with the key or the place. A sweep may be pickled, without points that were given to run().

    >>> sweep = Sweep("pendulum", "rk4", parameters={"x0": np.linspace(0.5, 2.5, 5)}, step=0.1, end=1.0, metrics=["x_final"])
    >>> sweep
    <pendula.Sweep of 5 points: rk4>
    >>> sweep.run()["rk4"]["x_final"].shape  # [x0][dof]
    (5, 1)
    """

    def __init__(self, problem: Any, methods: Any, *, parameters: Mapping[str, Any] | None = None,
                 files: Mapping[str, str] | None = None, **keys: Any):
        self._begin("sweep_new")
        for path, text in (files or {}).items():
            self._step("sweep_set_file", encode(path), encode(text))
        self.set("problem", problem)
        self.set("methods", _methods(methods))
        for name, value in (parameters or {}).items():
            self.set(f"parameters.{name}", value)
        for key, value in keys.items():
            if value is not None:
                self.set(key, value)
        self.plan()

    def _begin(self, maker: str, *arguments: Any) -> None:
        self._handle = handle(getattr(lib, maker)(*arguments))
        self._made = [(maker, arguments)]  # the calls that make it again
        self._given = False
        self._lock = threading.Lock()

    def _step(self, call: str, *arguments: Any) -> None:
        getattr(lib, call)(self._handle, *arguments)
        self._made.append((call, arguments))

    @classmethod
    def _remade(cls, made: list[Any]) -> Sweep:
        sweep = cls.__new__(cls)
        sweep._begin(made[0][0], *made[0][1])
        for call, arguments in made[1:]:
            sweep._step(call, *arguments)
        return sweep

    def __reduce__(self) -> tuple[Any, ...]:
        return Sweep._remade, (self._made,)

    @classmethod
    def from_yaml(cls, text: str) -> Sweep:
        """A sweep by the text of a sweep file. Raises Error with line and column."""
        return cls._remade([("sweep_from_text", (encode(text), None))])

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Sweep:
        """A sweep file. Raises Error with file, line and column."""
        return cls._remade([("sweep_from_file", (encode(path),))])

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.sweep_free(self._handle)

    def set(self, key: str, value: Any) -> None:
        """Sets a key, such as "parameters.eps" or "newton.tolerance", to a value of Python's."""
        try:
            text = _yaml(value)
        except (TypeError, ValueError) as why:  # an object that is none of YAML's, or a number that is not finite
            raise Error(f"{key}: {why}", 2) from None
        self._step("sweep_set", encode(key), encode(text))

    def plan(self) -> Sweep:
        """Checks the sweep. Raises Error."""
        lib.sweep_plan(self._handle)
        return self

    @property
    def labels(self) -> list[str]:
        """The labels of its groups, one for each method."""
        return [lib.sweep_label(self.plan()._handle, i).decode() for i in range(lib.sweep_groups(self.plan()._handle))]

    @property
    def points(self) -> int:
        """The number of points of all groups together."""
        return lib.sweep_points(self.plan()._handle)

    @property
    def bytes(self) -> int:
        """The size of its results."""
        return lib.sweep_bytes(self.plan()._handle)

    @property
    def settings(self) -> str:
        """Every setting as YAML, with the defaults."""
        return lib.sweep_settings(self.plan()._handle).decode()

    def cancel(self) -> None:
        """Ends the run that another thread began."""
        lib.sweep_cancel(self._handle)

    def run(self, points: Any = None, device: str | None = None, progress: bool | Callable[[int, int], Any] | None = None,
            file: str | os.PathLike[str] | None = None, *, names: Names | None = None, mode: str = "new", lanes: int = 0,
            memory: int = 0, seconds: float = 0.0, shards: int = 0, executor: Any = None) -> Result:
        """Runs it, and returns a Result.

        points: in place of axes, the parameters of each point: {name: array [points]}, a pandas.DataFrame, an array
        [points][columns] with names=[...], a ProblemSpec of SALib with its samples. Programs are kept from run to run.
        device: "gpu", "cpu", "native", a name, "reference"; None: the first GPU, else a CPU.
        progress: True or False; None: a bar on a terminal and in a notebook; or a function of points_done, points_total that may
        return False to end the run.
        file: a result file to write, in place of memory; mode: "new", "resume" or "replace".
        lanes: points of a work item. memory: the most bytes to take of a device's memory. seconds: time after which the run is
        cancelled.
        shards: so many parts of the sweep, each a task of `executor` (any with `submit`, as concurrent.futures has it; None: one
        after the other here), are put together at the end: the bytes of one run. Without `file` they stand in a folder that is
        removed with the result.

        Ctrl-C raises Interrupted, with the result until then; of a run into a file this is None, and mode="resume" goes on. A run
        in memory that `seconds` or `progress` ends returns its result, with `complete` False.

        >>> sweep = Sweep("harmonic_oscillator", "rk4", step=0.01, end=1.0, metrics=["x_final"])
        >>> ends = sweep.run({"omega": [1.0, 2.0], "x0": [1.0, 1.0]}).x_final  # [point][dof]
        >>> ends[:, 0].round(4).tolist()
        [0.5403, -0.4161]
        """
        options = {"device": device, "lanes": lanes, "memory": memory, "seconds": seconds}
        if shards:
            if points is not None:
                raise ValueError("shards are parts of a sweep that stands in a text: name a file of points by the key `points`")
            return _shards.run(self, file, shards, executor, mode, progress, options)
        with self._lock:
            if points is not None:
                self._take_points(*_table(points, names))
            elif self._given:
                lib.sweep_set_points(self._handle, None, 0, None, 0)
                self._given = False
            return self._run(progress, file, mode, options)

    def _take_points(self, values: np.ndarray, names: list[str]) -> None:
        words = (ctypes.c_char_p * len(names))(*[encode(name) for name in names])
        self._given = True
        lib.sweep_set_points(self._handle, words, len(names), values.ctypes.data, len(values))

    def _run(self, progress: Any, file: Any, mode: str, given: Mapping[str, Any], shard: tuple[int, int] = (0, 0)) -> Result:
        options, bar, interrupts, raised = lib.run_options(), Bar(False if callable(progress) else progress), Interrupts(), []
        last = (0, 0)

        def see(now: Any, _: Any) -> bool:
            nonlocal last
            last = now.contents.points_done, now.contents.points_total
            try:
                if callable(progress) and progress(*last) is False:
                    return False
                bar.see(*last)
                return not interrupts.noted
            except BaseException as error:  # of the caller's function; it is raised after the run
                raised.append(error)
                return False

        def say(line: bytes, _: Any) -> None:
            warnings.warn(line.decode(errors="replace"), stacklevel=5)

        options.progress, options.say = ProgressCall(see), SayCall(say)
        options.device = encode(given["device"]) if given["device"] else None
        options.file = encode(file) if file else None
        options.mode, options.shard, options.shards = MODES[mode], *shard
        options.lanes, options.memory, options.seconds = given["lanes"], given["memory"], given["seconds"]
        result = cancelled = None
        with interrupts:
            try:
                pointer, cancelled = lib.sweep_run(self._handle, ctypes.byref(options))
                result = Result(pointer)
            except Error as error:
                if error.code != STOPPED or not (interrupts.noted or raised):
                    raise
            finally:
                bar.end(*last)
        if raised:
            raise raised[0]
        if interrupts.noted:
            raise Interrupted(result)
        if cancelled and not (given["seconds"] or callable(progress)):
            warnings.warn(str(cancelled), stacklevel=3)
        return result

    def function(self, metric: str | Callable[[Group], Any], names: Names, **options: Any) -> Callable[[Any], Any]:
        """The sweep, of one method, as a function of parameters: what SALib's ProblemSpec.evaluate, OpenTURNS' PythonFunction
        (func_sample=), scipy.optimize and emcee (vectorize=True) call. A call is one batch, whose programs are kept for the next.

        metric: the name of a metric, or a function of the group.
        names: of the parameters, in the order of the columns. options: those of run().
        Returns f: f(points [n][names]) is an array [n], and f(point [names]) one number; [n][k] and [k] of a metric with k numbers.

        >>> sweep = Sweep("harmonic_oscillator", "rk4", step=0.01, end=1.0, metrics=["x_final"])
        >>> end = sweep.function(lambda group: group.x_final[:, 0], ["omega", "x0"])
        >>> end([[1.0, 1.0], [2.0, 1.0]]).round(4).tolist(), round(float(end([1.0, 1.0])), 4)
        ([0.5403, -0.4161], 0.5403)
        """
        if len(self.labels) != 1:
            raise ValueError(f"a function has one method, and here are {', '.join(self.labels)}")

        def call(points: Any) -> Any:
            values = np.asarray(points, np.float64)
            if values.ndim not in (1, 2) or values.shape[-1] != len(names):
                raise ValueError(f"points of {len(names)} parameters ({', '.join(names)}) are [{len(names)}] or [n][{len(names)}], not of shape {values.shape}")
            [group] = self.run(values.reshape(-1, len(names)), names=names, progress=False, **options).values()
            found = group[metric] if isinstance(metric, str) else np.asarray(metric(group))
            return found[0] if values.ndim == 1 else found

        return call

    def __repr__(self) -> str:
        return f"<pendula.Sweep of {self.points} points: {', '.join(self.labels)}>"

    def _repr_html_(self) -> str:
        return f"<details><summary>{html.escape(repr(self))}</summary><pre>{html.escape(self.settings)}</pre></details>"
