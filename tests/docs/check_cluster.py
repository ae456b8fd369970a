# check_cluster -- the commands of docs/cluster.md for one machine: shards by xargs and their merge, and ranks where the program has MPI.
#
# The SLURM scripts of that page are run by tests/faults/slurm.py.
#
# Exit status: 0 all as it should be, 1 something is not, 77 skipped: no xargs, or no C compiler for the native device.
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(os.environ["PENDULA_PROGRAM"])
PAGE = pathlib.Path(os.environ.get("PENDULA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2])) / "docs" / "cluster.md"
failures = []


def check(fine, what):
    if not fine:
        failures.append(what)
        print(f"wrong: {what}")


def main():
    devices = subprocess.run([PROGRAM, "list", "devices"], capture_output=True, text=True).stdout
    if "native" not in devices or not shutil.which("xargs"):
        print("skipped: no C compiler, or no xargs")
        return 77
    text = PAGE.read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S)
    commands = [line for kind, block in blocks if kind == "sh" for line in block.splitlines()]
    ranks = re.findall(r"^    (mpirun .*)$", text, re.M)
    check(len(commands) == 2 and len(ranks) == 2, f"the page has {commands} and {ranks}")
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "bin").mkdir()
        (folder / "bin" / "pendula").symlink_to(PROGRAM.resolve())
        environment["PATH"] = f"{folder}/bin:{environment['PATH']}"
        # The native device compiles in a tenth of the time, and is the first that is found where OpenCL's are hidden.
        environment["OCL_ICD_VENDORS"] = f"{folder}/none"
        (folder / "study.yaml").write_text(blocks[0][1])

        def sh(line, code=0):
            done = subprocess.run(["sh", "-eu", "-c", line], cwd=folder, env=environment, capture_output=True, text=True)
            check(done.returncode == code, f"{line}: exit {done.returncode}: {done.stderr[-600:]}")

        sh("pendula run study.yaml -o whole.h5 --progress none")
        whole = (folder / "whole.h5").read_bytes()
        for line in commands:
            sh(line)
        check((folder / "study.h5").read_bytes() == whole, "shards: not the bytes of one process")
        (folder / "study.shard-07-of-16.h5").unlink()
        sh(commands[1] + " --force", code=6)
        sh("pendula run study.yaml --resume -o study.h5 --progress none")
        check((folder / "study.h5").read_bytes() == whole, "a missing shard, computed afterwards")
        if os.environ.get("PENDULA_MPI") == "ON" and shutil.which("mpirun"):
            (folder / "study.h5").unlink()
            sh(ranks[0].replace("-n 8", "--oversubscribe -n 4"))
            check((folder / "study.h5").read_bytes() == whole, "ranks: not the bytes of one process")
            sh(ranks[1].replace("-n 3", "--oversubscribe -n 3"))
    print(f"{len(failures)} wrong" if failures else "all as it should be")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
