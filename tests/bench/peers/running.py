# running -- builds peers into a folder, and exchanges jobs and results with them.
import os
import shutil
import subprocess
import sys
from array import array
from pathlib import Path

from workloads import TOLERANCE

HERE = Path(__file__).resolve().parent
WARNINGS = ["-D_GNU_SOURCE", "-Wall", "-Wextra"]


class Missing(Exception):
    """What a peer needs is not installed."""


class Broken(Exception):
    """A peer does not build, or fails."""


def compiler_of(peer):
    return {"gcc": os.environ.get("CC", "gcc"), "g++": os.environ.get("CXX", "g++")}.get(peer.compiler, peer.compiler)


def flags_of(peer):
    """Compiler and linker flags that pkg-config knows."""
    if not peer.pkg_config:
        return []
    found = subprocess.run(["pkg-config", "--cflags", "--libs", peer.pkg_config], capture_output=True, text=True)
    return found.stdout.replace("-I", "-isystem").split() if found.returncode == 0 else None


def lacks(peer, python):
    """The packages that the peer needs, where it cannot be here; else nothing."""
    if peer.python:
        fine = subprocess.run([python, "-c", f"import numpy, {peer.needs}"], capture_output=True).returncode == 0
        hint = f"{peer.package} of PyPI (pip install {peer.package}; --python names the interpreter that has it)"
    else:
        compiler, flags = shutil.which(compiler_of(peer)), flags_of(peer) if shutil.which("pkg-config") else []
        packaged = compiler or peer.compiler == "mpicc"
        hint = f"the Debian package {peer.package}" if packaged else f"the compiler {compiler_of(peer)}"
        fine = compiler and flags is not None and subprocess.run(
            [compiler, *flags, "-x", "c++" if peer.compiler == "g++" else "c", "-E", "-"], input=f"#include <{peer.needs}>\n",
            capture_output=True, text=True).returncode == 0
    return "" if fine else hint


class Builder:
    """Compiles each peer once for each workload's equations. Peers in Python find the package of this source tree."""

    def __init__(self, folder, python, pendula, device):
        os.environ |= {"PENDULA_LIBRARY": str(Path(pendula).resolve().with_name("libpendula.so")), "PENDULA_DEVICE": device,
                       "PYTHONPATH": str(HERE.parents[2] / "host/python")}
        self.folder, self.python, self.built, self.looked = Path(folder), python, {}, {}

    def look_for(self, peer):
        if peer.file not in self.looked:
            self.looked[peer.file] = lacks(peer, self.python)
        if self.looked[peer.file]:
            raise Missing(f"{peer.name} needs {self.looked[peer.file]}")

    def command(self, peer, workload):
        self.look_for(peer)
        if peer.python:
            return [self.python, str(HERE / peer.file)]
        key = (peer.file, peer.flags, workload.macro)
        if key not in self.built:
            self.built[key] = self.compile(peer, workload, self.folder / f"peer{len(self.built)}")
        return [str(self.built[key])]

    def compile(self, peer, workload, target):
        common = [*WARNINGS, f"-D{workload.macro}", f"-I{HERE}"]
        main = self.folder / "peer.o"
        commands = [[os.environ.get("CC", "gcc"), "-std=c17", *peer.flags, *common, "-c", HERE / "peer.c", "-o", main],
                    [compiler_of(peer), "-std=c++17" if peer.compiler == "g++" else "-std=c17", *peer.flags, *common,
                     HERE / peer.file, main, "-o", target, *(flags_of(peer) or []), *peer.libraries]]
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                raise Broken(f"{peer.name} does not build: {' '.join(map(str, command))}\n{done.stderr[-2000:]}")
        return target


class Running:
    """A peer with its systems, ready to run them as often as it is told to."""

    count = 0

    def __init__(self, builder, peer, workload, rows, steps, threads, step, setting=TOLERANCE):
        Running.count += 1
        self.peer, self.points, self.width = peer, len(rows), len(rows[0]) - 1
        self.workload, self.steps, self.step = workload, steps, step
        start, self.final = (builder.folder / f"{Running.count}.{end}" for end in ("start", "final"))
        start.write_bytes(array("d", [value for row in rows for value in row]).tobytes())
        own = builder.folder / f"{Running.count}.tmp"  # for what Open MPI leaves in a folder that all its programs share
        own.mkdir()
        command = builder.command(peer, workload) + [peer.mode.format(name=workload.name, method=workload.method),
                                                     len(rows), steps, repr(step), repr(setting), threads, start, self.final]
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=os.environ | {"TMPDIR": str(own), "OMPI_MCA_ess_singleton_isolated": "1"})
        self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            raise Broken(f"{self.peer.name} ended with status {self.process.returncode}")
        return line.strip()

    def run(self):
        """Seconds of one run over all systems: of the integration alone, and from host to host; in C they are the same."""
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        taken = [float(seconds) for seconds in self.answer().split()]
        return taken[0], taken[-1]

    def finish(self):
        """The final states of the last run."""
        self.process.stdin.close()
        self.process.stdout.close()
        if self.process.wait() != 0:
            raise Broken(f"{self.peer.name} ended with status {self.process.returncode}")
        values = array("d", self.final.read_bytes())
        return [tuple(values[i * self.width:(i + 1) * self.width]) for i in range(self.points)]

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def report(text):
    print(text, file=sys.stderr, flush=True)
