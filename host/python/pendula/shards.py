"""Shards: the parts of a sweep as tasks of an executor, put together at the end."""
from __future__ import annotations

import copy
import ctypes
import functools
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Mapping

from ._library import STOPPED, Error, encode, lib
from .progress import Bar, Interrupted
from .results import MODES, Result
from .results import open as _open

if TYPE_CHECKING:
    from .sweeps import Sweep


def _compute(sweep: Sweep, path: str, shard: tuple[int, int], mode: str, options: Mapping[str, Any]) -> None:
    """A task: one shard into its file."""
    sweep._run(False, path.replace("{", "{{").replace("}", "}}"), mode, options, shard)


def run(sweep: Sweep, file: Any, count: int, executor: Any, mode: str, progress: Any, options: Mapping[str, Any]) -> Result:
    """Sweep.run() in shards: see there.

    Each shard is a result file beside `file`, and goes when all are put together. A run that ends before leaves them, and
    mode="resume" goes on with them.
    """
    folder = None
    if file is None:
        folder = tempfile.TemporaryDirectory(prefix="pendula-")
        file = os.path.join(folder.name, "result.h5")
    path = pathlib.Path(os.fspath(file)).absolute()
    if path.exists() and mode == "resume":
        return sweep.run(file=path, mode=mode, progress=progress, **options)
    if path.exists() and mode == "new":
        raise Error(f"{file}: exists already; mode \"resume\" continues it, \"replace\" replaces it", 3)
    digits = len(str(count - 1))
    files = [f"{path}.shard-{i:0{digits}}-of-{count}.h5" for i in range(count)]
    parts = [copy.copy(sweep) for _ in files]  # each has a handle of its own, which cancels it
    shard_mode = "resume" if mode == "resume" else "replace"
    bar, done, total = Bar(False if callable(progress) else progress), 0, sweep.points
    tasks = [functools.partial(_compute, part, files[i], (i, count), shard_mode, dict(options)) for i, part in enumerate(parts)]
    futures = [executor.submit(task) for task in tasks] if executor else []
    try:
        for wait in [future.result for future in futures] or tasks:
            wait()
            done += 1
            bar.see(total * done // count, total)
            if callable(progress) and progress(total * done // count, total) is False:
                raise Error(f"{file}: stopped with {done} of {count} shards done; mode \"resume\" goes on", STOPPED)
    except BaseException as why:
        for future in futures:
            future.cancel()
        for part in parts:
            part.cancel()
        for future in futures:  # shards of other threads end within two seconds
            if not future.cancelled():
                future.exception()
        if isinstance(why, KeyboardInterrupt):
            raise Interrupted() from None
        raise
    finally:
        bar.end(total * done // count, total)
    names = (ctypes.c_char_p * count)(*[encode(name) for name in files])
    lib.merge(encode(path), names, count, MODES["replace" if mode == "replace" else "new"])
    for name in files:
        for ending in ("", ".log", ".lock"):
            pathlib.Path(name + ending).unlink(missing_ok=True)
    result = _open(path)
    result._folder = folder
    return result
