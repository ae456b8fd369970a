"""Lists of problems, methods, metrics and devices."""
from __future__ import annotations

from ctypes import byref, sizeof
from typing import Any

from ._library import Device, Parameter, lib

_KINDS = ("problem", "method", "metric")


def _number(value: float) -> float | None:
    return value if value == value and abs(value) != float("inf") else None


def _parameters(catalog: Any, kind: int, index: int) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    one = Parameter(size=sizeof(Parameter))
    while lib.catalog_parameter(catalog, kind, index, len(found), byref(one)):
        choices = [one.choices[i].decode() for i in range(one.choice_count)]
        entry = {"about": one.about.decode(), "unit": one.unit.decode(), "default": _number(one.initial)}
        if choices:
            entry |= {"default": choices[int(one.initial)], "choices": choices}
        else:
            entry |= {"least": _number(one.least), "most": _number(one.most)}
        found[one.name.decode()] = entry
    return found


def _listed(kind: str) -> dict[str, dict[str, Any]]:
    catalog, place = lib.catalog_new(), _KINDS.index(kind)
    try:
        found: dict[str, dict[str, Any]] = {}
        while name := lib.catalog_name(catalog, place, len(found)):
            index = len(found)
            found[name.decode()] = {"title": lib.catalog_title(catalog, place, index).decode(),
                                    "unit": lib.catalog_unit(catalog, place, index).decode(),
                                    "parameters": _parameters(catalog, place, index)}
        return found
    finally:
        lib.catalog_free(catalog)


def list_problems() -> dict[str, dict[str, Any]]:
    """{name: {"title", "unit": "", "parameters": {name: {"about", "unit", "default", "least", "most"}}}} of the problems. Where
    there is no default, or no bound, it is None; a parameter that is a word has "choices" in place of bounds.

    >>> list_problems()["lorenz"]["parameters"]["rho"]["default"]
    28.0
    """
    return _listed("problem")


def list_methods() -> dict[str, dict[str, Any]]:
    """The same of the methods. A default that follows from the method's equations is None.

    >>> {name: entry["default"] for name, entry in list_methods()["hht_alpha"]["parameters"].items()}
    {'alpha': -0.1, 'gamma': None, 'beta': None}
    """
    return _listed("method")


def list_metrics() -> dict[str, dict[str, Any]]:
    """The same of the metrics: "title" says what is measured, and "parameters" are the options of an entry, {name: {option: value}}.
    The first three are those of every point: status, x_final, v_final.

    >>> metrics = list_metrics()
    >>> list(metrics)[:3], metrics["period"]["unit"], "from" in metrics["energy_drift"]["parameters"]
    (['status', 'x_final', 'v_final'], 's', True)
    """
    return _listed("metric")


def list_devices() -> list[dict[str, Any]]:
    """A dict for each device, in the order of `pendula list devices`: name, platform, driver, version, gpu, fp64, compute_units,
    memory in bytes."""
    devices = lib.devices_new()
    try:
        found = []
        for i in range(lib.devices_count(devices)):
            device = Device(size=sizeof(Device))
            lib.devices_get(devices, i, byref(device))
            found.append({name: value.decode() if isinstance(value := getattr(device, name), bytes) else value
                          for name, _ in Device._fields_ if name != "size"})
        return found
    finally:
        lib.devices_free(devices)
