"""Lists of problems, methods, metrics and devices."""
from ctypes import byref, sizeof

from ._library import Device, lib

_KINDS = ("problem", "method", "metric")


def _listed(kind):
    catalog = lib.catalog_new()
    try:
        found, index = {}, 0
        while name := lib.catalog_name(catalog, _KINDS.index(kind), index):
            found[name.decode()] = lib.catalog_title(catalog, _KINDS.index(kind), index).decode()
            index += 1
        return found
    finally:
        lib.catalog_free(catalog)


def list_problems():
    """{name: title} of the problems."""
    return _listed("problem")


def list_methods():
    """{name: title} of the methods."""
    return _listed("method")


def list_metrics():
    """{name: description} of the metrics."""
    return _listed("metric")


def list_devices():
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
