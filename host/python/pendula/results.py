"""Results: groups, one for each method of a sweep, with arrays by their names."""
from __future__ import annotations

import collections.abc
import ctypes
import functools
import html
import os
from ctypes import byref, sizeof
from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

from ._library import Array, encode, handle, lib

if TYPE_CHECKING:
    import pandas
    import xarray

_TYPES = (np.int8, np.int32, np.int64, np.float32, np.float64)
MODES = {"new": 0, "resume": 1, "replace": 2}  # how a file is begun
# Advice by the status of failed points.
REMEDIES = {
    "not_run": "run them again: the run was cancelled, or the file is not complete",
    "newton_failed": "a smaller step, or a larger newton.max_updates or newton.tolerance",
    "depth_exceeded": "a smaller step, or a larger substeps.max_depth",
    "budget_exceeded": "a smaller step, or a larger substeps.budget",
    "not_finite": "a smaller step: the method is unstable there",
    "singular": "a smaller step, or other parameters: the equations of a step have no single solution there",
    "chatter": "another `set` of the events, or one with `stop`: they follow each other without end there",
}


class _Handle:
    """A result of the library. It is freed with the last array that views its memory."""

    def __init__(self, pointer: int):
        self.pointer = handle(pointer)

    def __del__(self) -> None:
        lib.result_free(self.pointer)


def _view(kept: _Handle, array: Array, shape: tuple[int, ...]) -> np.ndarray:
    """The library's memory as a numpy array, which keeps the result."""
    dtype = np.dtype(_TYPES[array.type])
    if array.count == 0:
        return np.empty(shape, dtype)
    buffer = (ctypes.c_char * (array.count * dtype.itemsize)).from_address(array.data)
    buffer.kept = kept
    view = np.frombuffer(buffer, dtype).reshape(shape)
    view.flags.writeable = array.computed
    return view


class Group(collections.abc.Mapping[str, np.ndarray]):
    """The arrays of a method: metrics, trajectories, the values of axes, and constants.

    group["x_final"] is a numpy array with a dimension for each axis, in the order of `dims("x_final")`; group.x_final is the same.
    It is a view of the library's memory for results in memory, which stays as long as the array, and read from the file for others.
    Integers that were not computed have the value fill("NAME").

    >>> import pendula
    >>> sweep = pendula.Sweep("pendulum", "rk4", parameters={"x0": [0.5, 1.0]}, step=[0.1, 0.05], end=2.0,
    ...                       metrics=["x_final", "energy_loss"])
    >>> group = sweep.run()["rk4"]
    >>> group.dims("x_final"), group.x_final.shape, group.unit("energy_loss"), list(group.axes)
    (('step', 'x0', 'dof'), (2, 2, 1), 'J', ['step', 'x0'])
    """

    def __init__(self, kept: _Handle, label: str):
        self._kept, self.label = kept, label
        self._read: dict[str, np.ndarray] = {}

    @functools.cached_property
    def _arrays(self) -> dict[str, Array]:
        arrays: dict[str, Array] = {}
        while True:
            array = Array(size=sizeof(Array))
            if not lib.result_array(self._kept.pointer, encode(self.label), len(arrays), byref(array)):
                return arrays
            arrays[array.name.decode()] = array

    def _array(self, name: str) -> Array:
        """The description of one array: a call that wants one number does not ask for all of them."""
        if "_arrays" in self.__dict__:
            return self._arrays[name]
        array = Array(size=sizeof(Array))
        if not lib.result_find(self._kept.pointer, encode(self.label), encode(name), byref(array)):
            raise KeyError(name)
        return array

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._read:
            array = self._array(name)
            shape = tuple(array.shape[: array.rank])
            if array.data:
                self._read[name] = _view(self._kept, array, shape)
            else:
                values = np.empty(shape, np.float64)
                lib.result_read(self._kept.pointer, encode(self.label), encode(name), values.ctypes.data, values.size)
                if array.fill == array.fill:
                    values = np.where(np.isnan(values), array.fill, values)
                self._read[name] = values.astype(_TYPES[array.type], copy=False)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __getattr__(self, name: str) -> np.ndarray:
        if not name.startswith("_"):
            try:
                return self[name]
            except KeyError:
                pass
        raise AttributeError(f"group '{self.label}' has no array '{name}'")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays]

    def dims(self, name: str) -> tuple[str, ...]:
        """The names of an array's dimensions."""
        array = self._arrays[name]
        return tuple(dim.decode() for dim in array.dims[: array.rank])

    def unit(self, name: str) -> str:
        """The unit of an array, or ""."""
        return self._arrays[name].unit.decode()

    def about(self, name: str) -> str:
        """One line on an array, or ""."""
        return self._arrays[name].about.decode()

    def fill(self, name: str) -> int | None:
        """The value that stands for integers that were not computed, or None."""
        fill = self._arrays[name].fill
        return None if fill != fill else int(fill)

    @property
    def axes(self) -> dict[str, np.ndarray]:
        """{name: values [n]} of the dimensions that have values, and of the columns of points."""
        shape = self.dims("status")
        return {name: self[name] for name, array in self._arrays.items()
                if not array.computed and (name in shape or (array.rank == 1 and self.dims(name)[0] in shape))}

    @property
    def messages(self) -> list[str]:
        """A line for each status of failed points: how many, where, and advice."""
        status, lines = self["status"], []
        axes = self.axes
        for code in np.unique(status):
            name = lib.status_name(int(code)).decode()
            if name == "ok":
                continue
            at, where = np.nonzero(np.atleast_1d(status == code)), []
            for axis, values in axes.items():
                there = values[at[self.dims("status").index(self.dims(axis)[0])]]
                where.append(f"{axis} {there.min():.4g} to {there.max():.4g}")
            lines.append(f"{self.label}: {len(at[0])} of {status.size} points {name}"
                         + (f", at {', '.join(where)}" if where else "")
                         + f"; {REMEDIES[name]}")
        return lines

    def to_xarray(self) -> xarray.Dataset:
        """An xarray.Dataset: parameters are dimensions and coordinates, with units."""
        import xarray

        variables, coordinates = {}, {}
        for name, array in self._arrays.items():
            attributes = {key: text for key, text in (("units", self.unit(name)), ("long_name", self.about(name))) if text}
            (variables if array.computed else coordinates)[name] = (self.dims(name), self[name], attributes)
        return xarray.Dataset(variables, coordinates)

    def to_dataframe(self) -> pandas.DataFrame:
        """A pandas.DataFrame with a row for each point: its axes, and every metric that is one number."""
        import pandas

        dims, shape = self.dims("status"), self["status"].shape
        columns = {}
        for name, values in self.axes.items():
            along = [1] * len(shape)
            along[dims.index(self.dims(name)[0])] = -1
            columns[name] = np.broadcast_to(values.reshape(along), shape).ravel()
        for name, array in self._arrays.items():
            if array.computed and self.dims(name) == dims:
                columns[name] = self[name].ravel()
            elif array.computed and self.dims(name)[:-1] == dims and self.dims(name)[-1] == "dof":
                columns |= {f"{name}[{i}]": self[name][..., i].ravel() for i in range(self[name].shape[-1])}
        return pandas.DataFrame(columns)

    def __repr__(self) -> str:
        shape = ", ".join(f"{dim}: {count}" for dim, count in zip(self.dims("status"), self["status"].shape))
        computed = ", ".join(name for name, array in self._arrays.items() if array.computed)
        return f"<pendula.Group {self.label} ({shape or 'one point'}): {computed}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{html.escape(', '.join(self.dims(name)))}</td><td>{html.escape(self.unit(name))}</td>"
            f"<td>{html.escape(self.about(name))}</td></tr>" for name in self._arrays)
        return (f"<table><caption>{html.escape(self.label)}</caption>"
                f"<tr><th>array</th><th>dimensions</th><th>unit</th><th></th></tr>{rows}</table>"
                + "".join(f"<p>{html.escape(line)}</p>" for line in self.messages))


class Result(collections.abc.Mapping[str, Group]):
    """The groups of a run or of a file, by the labels of the methods. A result with a single group has its arrays as attributes:
    `sweep.run(points).x_final`."""

    _folder: Any = None  # of its file, where that is temporary

    def __init__(self, pointer: int):
        self._kept = _Handle(pointer)
        labels = [lib.result_label(self._kept.pointer, i).decode() for i in range(lib.result_groups(self._kept.pointer))]
        self._groups = {label: Group(self._kept, label) for label in labels}

    def __getitem__(self, label: str) -> Group:
        return self._groups[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or len(self._groups) != 1:
            raise AttributeError(f"a result of the groups {', '.join(self.__dict__.get('_groups', {}))} has no '{name}'")
        return getattr(next(iter(self._groups.values())), name)

    @property
    def complete(self) -> bool:
        """Whether every point was computed."""
        return bool(lib.result_complete(self._kept.pointer))

    @property
    def messages(self) -> list[str]:
        """The messages of all groups: none where every point ended with ok."""
        return [line for group in self.values() for line in group.messages]

    def save(self, file: str | os.PathLike[str], *, mode: str = "new") -> None:
        """Writes a result in memory into a result file: the bytes that `run(file=...)` gives. Points that were not computed are
        missing there, and `run(file=..., mode="resume")` computes them.

        mode: "new" or "replace". Raises Error: the file exists already or cannot be written; the points were given as an array,
        which a result file does not have; the result is one of a file already.
        """
        lib.result_save(self._kept.pointer, encode(file), MODES[mode])

    def __repr__(self) -> str:
        return "\n".join(repr(group) for group in self.values())

    def _repr_html_(self) -> str:
        return "".join(group._repr_html_() for group in self.values())


def open(path: str | os.PathLike[str]) -> Result:
    """Opens a result file, whose blocks are verified. Raises Error."""
    return Result(lib.result_open(encode(path)))
