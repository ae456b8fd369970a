"""How far a run is: a bar on a terminal or in a notebook, and Ctrl-C."""
from __future__ import annotations

import sys
import threading
import time
from signal import SIGINT
from typing import Any

try:  # without the enumerations around them, whose exceptions take longer than a small run
    from _signal import getsignal, signal
except ImportError:
    from signal import getsignal, signal

_BEGIN, _EVERY = 0.5, 0.1  # seconds: shorter runs show nothing


class Bar:
    """A line that is drawn over and over, or in a notebook the output of a cell.

    >>> bar = Bar(shown=True)
    >>> bar.text(1, 4)
    ' 25.0%  1/4 points'
    """

    def __init__(self, shown: bool | None = None):
        self._notebook = shown is not False and in_notebook()
        self.shown = self._notebook or sys.stderr.isatty() if shown is None else bool(shown)
        self._due, self._place, self._drawn = time.monotonic() + _BEGIN, None, False

    @staticmethod
    def text(done: int, total: int) -> str:
        """What is drawn of so many points."""
        return f"{100 * done / max(total, 1):5.1f}%  {done}/{total} points"

    def see(self, done: int, total: int) -> None:
        """Draws it, unless it was drawn a moment ago."""
        if self.shown and time.monotonic() >= self._due:
            self._due = time.monotonic() + _EVERY
            self._draw(done, total)

    def _draw(self, done: int, total: int) -> None:
        self._drawn = True
        if not self._notebook:
            print(f"\r{self.text(done, total)}", end="", file=sys.stderr, flush=True)
            return
        from IPython.display import HTML, display

        page = HTML(f"<progress value={done} max={max(total, 1)}></progress> {self.text(done, total)}")
        if self._place is None:
            self._place = display(page, display_id=True)
        else:
            self._place.update(page)

    def end(self, done: int, total: int) -> None:
        """Draws it once more and ends the line, where one was drawn."""
        if self._drawn:
            self._draw(done, total)
            if not self._notebook:
                print(file=sys.stderr)


def in_notebook() -> bool:
    """Whether the cells of a notebook show what is displayed: nothing is imported that is not there."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run or a check of kernels. result: the Result with the points computed until then; None of a check, and of a run
    into a file, which goes on by `run(file=..., mode="resume")`."""

    def __init__(self, result: Any = None):
        super().__init__("interrupted")
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return Interrupted, ()  # from another process


class Interrupts:
    """Notes Ctrl-C in place of an exception, which could come between any two lines of a call back from the library.

    A context. `noted` is whether it came; only the main thread is told of signals.
    """

    noted = False

    def _note(self, *_: Any) -> None:
        self.noted = True

    def __enter__(self) -> Interrupts:
        self._before = getsignal(SIGINT) if threading.current_thread() is threading.main_thread() else None
        if callable(self._before):  # else it is ignored, or ends the process
            signal(SIGINT, self._note)
        return self

    def __exit__(self, *_: Any) -> None:
        if callable(self._before):
            signal(SIGINT, self._before)
