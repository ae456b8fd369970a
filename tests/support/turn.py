# turn -- which part of a long walk this run takes: support/turn.h for the checks written in Python.
import os

WORD = os.environ.get("PENDULA_TURN") or "0"


def part(parts):
    """The part of so many that this run takes; None: all of them."""
    return None if WORD == "all" else int(WORD[:8], 16) % parts
