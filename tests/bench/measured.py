# measured -- programs run for the measurements of this folder: what they print, seconds, and the largest memory.
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def processor():
    """The processor's name, and the cores that this process may use."""
    names = re.findall(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return f"{names[0] if names else 'an unknown processor'}, {len(os.sched_getaffinity(0))} cores"


def start(*words, **environment):
    return subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **environment})


def finish(child):
    """What a program that was started printed, and MiB; one that fails ends all."""
    out, error = child.stdout.read().decode(), child.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(child.args)[:300]}: exit {os.waitstatus_to_exitcode(status)}: {error[-500:]}")
    return out, usage.ru_maxrss / 1024


def timed(*words):
    """Seconds, MiB, and what is printed."""
    begun = time.monotonic()
    out, memory = finish(start(*words))
    return time.monotonic() - begun, memory, out
