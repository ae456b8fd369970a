"""Analyses: indices of sensitivity, Pareto fronts, what methods do to an oscillator, and certificates of kernels."""
from __future__ import annotations

import collections.abc
import contextlib
import ctypes
from ctypes import byref, c_char_p
from typing import Any, Mapping, Sequence

import numpy as np

from ._library import STOPPED, Error, ProgressCall, encode, lib
from .progress import Interrupted, Interrupts
from .results import Group, Result, _Handle
from .sweeps import Sweep


def _shown(value):
    return value if isinstance(value, str) else f"{value:.4g}"


class Table(collections.abc.Mapping):
    """Arrays of an analysis by their names: table["S1"], or table.S1; a dimension each of `dims("S1")`.

    names: {dimension: [names]} of the places along a dimension, such as the factors. messages: lines for the user.
    """

    def __init__(self, kept, label):
        self._group, self.label = Group(kept, label), label

        def texts(name):
            found = []
            while text := lib.result_text(kept.pointer, encode(label), encode(name), len(found)):
                found.append(text.decode())
            return found

        self.messages, factors = texts("message"), texts("factor")
        self.names = {"factor": factors, "with": factors} if factors else {}
        self.reasons = texts("reason")

    def __getitem__(self, name):
        return self._group[name]

    def __iter__(self):
        return iter(self._group)

    def __len__(self):
        return len(self._group)

    def __getattr__(self, name):
        if not name.startswith("_") and name in self._group:
            return self._group[name]
        raise AttributeError(f"{self.__dict__.get('label')} has no array '{name}'")

    def dims(self, name: str) -> tuple[str, ...]:
        """The names of an array's dimensions."""
        return self._group.dims(name)

    def unit(self, name: str) -> str:
        """The unit of an array, or ""."""
        return self._group.unit(name)

    def columns(self) -> dict[str, Any]:
        """{name: values}, [rows] each: of the arrays that share the most dimensions, and the places along these."""
        main = max((self.dims(name) for name in self if not {"with", "root"} & set(self.dims(name))), key=len)
        arrays = {name: self[name] for name in self if self.dims(name) == main and name not in main}
        shape = next(iter(arrays.values())).shape
        places = {}
        for i, dim in enumerate(main):
            values = np.array(self.names[dim], object) if dim in self.names else self[dim] if dim in self else np.arange(shape[i])
            places[dim] = np.broadcast_to(values.reshape([-1 if k == i else 1 for k in range(len(shape))]), shape)
        return {name: values.ravel() for name, values in {**places, **arrays}.items()}

    def to_dataframe(self) -> Any:
        """A pandas.DataFrame of the columns."""
        import pandas

        return pandas.DataFrame(self.columns())

    def __repr__(self):
        columns = {name: list(map(_shown, values)) for name, values in self.columns().items()}
        wide = {name: max(map(len, [name, *values])) for name, values in columns.items()}
        lines = ["  ".join(name.rjust(wide[name]) for name in columns)]
        lines += ["  ".join(text.rjust(wide[name]) for name, text in zip(columns, row)) for row in zip(*columns.values())]
        return "\n".join([self.label, *lines])

    def _repr_html_(self):
        import html

        columns = self.columns()
        rows = "".join("<tr>" + "".join(f"<td>{html.escape(_shown(value))}</td>" for value in row) + "</tr>"
                       for row in zip(*columns.values()))
        heads = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        notes = "".join(f"<br>{html.escape(line)}" for line in self.messages)
        return f"<table><caption>{html.escape(self.label)}{notes}</caption><tr>{heads}</tr>{rows}</table>"


class Tables(collections.abc.Mapping):
    """The tables of an analysis by their labels: outputs, or methods. Of a single one its arrays are those of all: found.S1."""

    def __init__(self, pointer):
        kept = _Handle(pointer)
        labels = [lib.result_label(kept.pointer, i).decode() for i in range(lib.result_groups(kept.pointer))]
        self._tables = {label: Table(kept, label) for label in labels}

    def __getitem__(self, label):
        return self._tables[label]

    def __iter__(self):
        return iter(self._tables)

    def __len__(self):
        return len(self._tables)

    def __getattr__(self, name):
        tables = self.__dict__.get("_tables", {})
        if name.startswith("_") or len(tables) != 1:
            raise AttributeError(f"an analysis with the tables {', '.join(tables)} has no '{name}': choose one")
        return getattr(next(iter(tables.values())), name)

    def to_dataframe(self) -> Any:
        """A pandas.DataFrame of all tables, whose index begins with their labels."""
        import pandas

        return pandas.concat({label: table.to_dataframe() for label, table in self.items()})

    def __repr__(self):
        return "\n\n".join(map(repr, self.values()))

    def _repr_html_(self):
        return "".join(table._repr_html_() for table in self.values())


def _texts(words):
    return (c_char_p * len(words))(*[None if word is None else encode(word) for word in words])


def _doubles(values):
    return values.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def _matrix(values, names, stem):
    """An array [rows][columns] and the names of its columns: of an array, a mapping of columns or a DataFrame."""
    if hasattr(values, "columns") or isinstance(values, collections.abc.Mapping):
        names = [str(name) for name in (values.columns if hasattr(values, "columns") else values)]
        values = np.column_stack([np.asarray(values[name], np.float64) for name in names])
    values = np.ascontiguousarray(values, np.float64)
    values = values.reshape(-1, 1) if values.ndim == 1 else values
    if values.ndim != 2:
        raise ValueError(f"an array of shape {values.shape}: [rows][columns] is needed")
    if names is None:
        names = [stem] if values.shape[1] == 1 else [f"{stem}{i}" for i in range(values.shape[1])]
    if len(names) != values.shape[1]:
        raise ValueError(f"{len(names)} names for {values.shape[1]} columns")
    return values, names


def _options(**given):
    """Options of a sensitivity: words and numbers by their names."""
    options = lib.sensitivity_options()
    for key, value in given.items():
        setattr(options, key, encode(value) if isinstance(value, str) else value)
    return options


def _group(X, Y):
    """The group of a result that is given in place of arrays, or None."""
    if isinstance(X, Result) and len(X) == 1:
        X = next(iter(X.values()))
    if isinstance(X, Result) or (isinstance(X, Group) and Y is not None):
        raise ValueError("a result has its outputs: give one of its groups, and no Y")
    return X if isinstance(X, Group) else None


def _arrays(X, Y, names, outputs, distributions, options):
    """Points and outputs as arguments of the library, and the names of the factors."""
    X, names = _matrix(X, names, "x")
    Y, outputs = _matrix(Y, outputs, "y")
    if len(X) != len(Y):
        raise ValueError(f"{len(X)} points and {len(Y)} outputs")
    unknown = set(distributions or {}) - set(names)
    if unknown:
        raise ValueError(f"distributions: no factor is called {', '.join(sorted(unknown))}")
    known = _texts([(distributions or {}).get(name) for name in names])
    options.distributions = known if distributions else None
    return (_doubles(X), _texts(names), len(names), _doubles(Y), _texts(outputs), len(outputs), len(X)), names


def sensitivity(X: Any, Y: Any = None, names: Sequence[str] | None = None, *, outputs: Sequence[str] | None = None,
                index: str | None = None, estimator: str | None = None, failed: str | None = None, distributions: Any = None,
                output: str | None = None, replicates: int = 0, seed: int = 1) -> Tables:
    """Which factors an output depends on, and how far: Tables with one for each output, with intervals of 95 %.

    X: the points [n][factors], a mapping of columns or a DataFrame. Rows of Saltelli's design (SALib, OpenTURNS, R) have Sobol'
    indices, trajectories of Morris elementary effects over the ranges of X; other points the first order by ranks, and PAWN. Or a
    group of a result, whose sweep has a design; then there is no Y, and `output` chooses a metric.
    Y: the outputs [n] or [n][outputs], or columns; NaN is a point that failed.
    names, outputs: of the columns of X and Y.
    index: "sobol", "morris", "given", "delta", "shapley", "dgsm", or "chaos", a polynomial expansion of few independent points.
    estimator: of the first order: "saltelli", "jansen", "janon". failed: "drop", "worst", "refuse" or "classify".
    distributions: {factor: "{uniform: [0, 1]}"}, for an expansion. replicates, seed: of the intervals.

    Raises Error where the points serve no such index. Saltelli et al. 2010; Morris 1991; Gamboa et al. 2022; Sudret 2008.

    >>> grid = np.stack(np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 1, 9), indexing="ij"), -1).reshape(-1, 2)
    >>> found = sensitivity(grid, 3 * grid[:, 0] + 4 * grid[:, 1], names=["a", "b"])
    >>> found.names["factor"], [round(float(share), 3) for share in found.S1]
    (['a', 'b'], [0.36, 0.64])
    """
    options = _options(replicates=replicates, seed=seed, index=index, estimator=estimator, failed=failed, output=output)
    group = _group(X, Y)
    if group is not None:
        return Tables(lib.result_sensitivity(group._kept.pointer, encode(group.label), byref(options)))
    return Tables(lib.sensitivity(*_arrays(X, Y, names, outputs, distributions, options)[0], byref(options)))


def predict(X: Any, Y: Any = None, at: Any = None, names: Sequence[str] | None = None, *, outputs: Sequence[str] | None = None,
            failed: str | None = None, distributions: Any = None, output: str | None = None, seed: int = 1) -> Tables:
    """Outputs where nothing was computed, by a polynomial expansion (chaos) of the points: Tables with one for each output.

    X, Y, names, outputs, failed, distributions, output, seed: as of sensitivity().
    at: the places [n][factors], or columns; of a group of a result columns by the names of the factors.

    Arrays [point] in the output's unit: value, and error, the standard error of one prediction. Q2 is the share of the variance that
    the expansion explains. NaN where that is less than 0.9, and outside of the points; `messages` says why. Sudret 2008.

    >>> grid = np.stack(np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 1, 9), indexing="ij"), -1).reshape(-1, 2)
    >>> predict(grid, grid[:, 0] + grid[:, 0] * grid[:, 1]**2, [[0.3, 0.5]], names=["a", "b"]).value.round(9).tolist()
    [0.375]
    """
    options = _options(seed=seed, failed=failed, output=output)
    group = _group(X, Y)
    if group is not None:
        places, columns = _matrix(at, names, "x")
        return Tables(lib.result_predict(group._kept.pointer, encode(group.label), _texts(columns), len(columns), _doubles(places),
                                         len(places), byref(options)))
    arrays, names = _arrays(X, Y, names, outputs, distributions, options)
    if hasattr(at, "columns") or isinstance(at, collections.abc.Mapping):
        at = {name: at[name] for name in names}
    places, _ = _matrix(at, names, "x")
    return Tables(lib.predict(*arrays, _doubles(places), len(places), byref(options)))


def pareto(objectives: Any) -> np.ndarray:
    """Which points no other one dominates, as good in all objectives and better in one: an array of bool [n].

    objectives: [n][1 to 4], less is better; or columns. Equal points are on the front together; a point with NaN is not.

    >>> pareto([[1, 4], [2, 2], [3, 3], [4, 1]])
    array([ True,  True, False,  True])
    """
    values, _ = _matrix(objectives, None, "objective")
    front = np.zeros(len(values), np.bool_)
    lib.pareto(_doubles(values), values.shape[1], len(values), front.ctypes.data_as(ctypes.POINTER(ctypes.c_bool)))
    return front


def _settings(parameters):
    """{"rho_inf": [0.3, 0.6]} as "rho_inf=0.3,0.6"."""
    return _texts([f"{name}={','.join(map(str, np.atleast_1d(values).tolist()))}" for name, values in (parameters or {}).items()])


def spectrum(methods: str | Sequence[str], omega_h: Any, zeta: Any = 0.0, *, parameters: Mapping[str, Any] | None = None,
             device: str | None = None) -> Tables:
    """Radius, damping and period error of methods: Tables with one for each method and its parameters.

    methods: a name, or several. omega_h: frequency times step, above 0; zeta: physical damping; numbers or arrays.
    parameters: {"rho_inf": 0.6, "newmark.beta": [0.25, 0.3]}; each of several values has a table.
    device: probes the kernels too, as of Sweep.run(); None: theory alone.

    Arrays [zeta][omega_h], unit 1: radius, damping_ratio, period_error, radius_kernel; [zeta]: critical and critical_kernel, the
    largest stable omega_h. Chung and Hulbert 1993.

    >>> found = spectrum("symplectic_euler", [0.5, 1.0])
    >>> found.radius.shape, round(float(found.critical[0]), 6)
    ((1, 2), 2.0)
    """
    methods = [methods] if isinstance(methods, str) else list(methods)
    omegas, zetas = (np.atleast_1d(np.ascontiguousarray(values, np.float64)) for values in (omega_h, zeta))
    settings = _settings(parameters)
    return Tables(lib.spectrum(_texts(methods), len(methods), settings, len(settings), _doubles(omegas), len(omegas),
                               _doubles(zetas), len(zetas), encode(device) if device else None))


def pairs(first: str, second: str, values: Any = (), *, criterion: str | None = None, omega_h: float = 0.0, to_omega_h: float = 0.0,
          band: Any = None, bounds: Any = None, parameters: Mapping[str, Any] | None = None, device: str | None = None,
          metric: str | None = None) -> Table:
    """For values of one method's parameter the values of another's that damp alike: a Table.

    criterion: "low_frequency" (the default), "high_frequency", "radius", "damping_ratio", "decay", "max_decay", "measured".
    omega_h, to_omega_h, or band=(a, b): where they are compared. bounds: of the second parameter.
    parameters: as of spectrum(). device: counts updates and measures, as of Sweep.run(); None: theory alone.

    Arrays [pair], unit 1: both parameters, residual, low, high, ...; roots [pair][root]: further ones. NaN: there is none, and
    `reasons` says why.

    >>> found = pairs("generalized_alpha", "theta1", [0.25, 0.6], criterion="high_frequency", bounds=(0.5, 1))
    >>> [round(float(value), 6) for value in found.theta1]
    [0.8, 0.625]
    """
    options, settings = lib.pairs_options(), _settings(parameters)
    for key, word in {"criterion": criterion, "device": device, "metric": metric}.items():
        setattr(options, key, None if word is None else encode(word))
    options.omega_h, options.to_omega_h = omega_h, to_omega_h
    options.settings, options.setting_count = settings, len(settings)
    options.band[:], options.range[:] = band or (0.0, 0.0), bounds or (0.0, 0.0)
    given = np.ascontiguousarray(values, np.float64).ravel()
    return Tables(lib.pairs(encode(first), encode(second), _doubles(given), given.size, byref(options)))["pairs"]


def conform(sweep: Any, devices: Sequence[str] = (), sample: int = 0) -> Tables:
    """Whether the kernels compute what the methods' papers say: Tables with one for each method.

    sweep: a Sweep, or a Result of one. devices: to compare, as of Sweep.run(); none: all. sample: points of a method that are looked
    at; 0: all.

    Numbers: passed (1: it conforms), points and same_bits, substeps and substeps_certified, metrics and metrics_certified; the
    report is in `messages`. Needs a C compiler. Ctrl-C raises Interrupted, Sweep.cancel() in another thread Error.
    """
    options, interrupts = lib.conform_options(), Interrupts()
    devices = _texts([devices] if isinstance(devices, str) else list(devices))
    options.devices, options.device_count, options.sample = devices, len(devices), sample
    options.progress = ProgressCall(lambda *_: not interrupts.noted)
    if isinstance(sweep, Sweep):
        call, pointer, turn = lib.sweep_conform, sweep._handle, sweep._lock
    elif isinstance(sweep, Result):
        call, pointer, turn = lib.result_conform, sweep._kept.pointer, contextlib.nullcontext()
    else:
        raise TypeError("the tables of an analysis have no kernels: give the sweep, or the result of its run")
    with turn, interrupts:
        try:
            found = call(pointer, byref(options))
        except Error as error:
            if error.code != STOPPED or not interrupts.noted:
                raise
    if interrupts.noted:
        raise Interrupted()
    return Tables(found)
