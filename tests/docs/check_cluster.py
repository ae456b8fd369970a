# check_cluster -- the commands of docs/cluster.md for one machine: shards by xargs and their merge, and ranks where the program has MPI.
#
# The SLURM scripts of that page are run by tests/faults/slurm.py.
import os
import re
import shutil

from checking import check, execute, finish, folder, need_compiler, need_program, PROGRAM, ROOT, same_bytes, write

PAGE = ROOT / "docs" / "cluster.md"


need_compiler()
need_program("xargs")
text = PAGE.read_text()
blocks = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S)
commands = [line for kind, block in blocks if kind == "sh" for line in block.splitlines()]
ranks = re.findall(r"^    (mpirun .*)$", text, re.M)
check(len(commands) == 2 and len(ranks) == 2, f"the page has {commands} and {ranks}")
(folder / "bin").mkdir()
(folder / "bin" / "pendula").symlink_to(PROGRAM)
# The native device compiles in a tenth of the time, and is the first that is found where OpenCL's are hidden.
SURROUNDINGS = {"OMPI_ALLOW_RUN_AS_ROOT": 1, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": 1, "PATH": f"{folder}/bin:{os.environ['PATH']}",
                "OCL_ICD_VENDORS": folder / "none"}
write("study.yaml", blocks[0][1])


def sh(line, code=0):
    done = execute(["sh", "-eu", "-c", line], **SURROUNDINGS)
    check(done.code == code, f"{line}: exit {done.code}: {done.err[-600:]}")


sh("pendula run study.yaml -o whole.h5 --progress none")
for line in commands:
    sh(line)
same_bytes("study.h5", "whole.h5", "shards")
(folder / "study.shard-07-of-16.h5").unlink()
sh(commands[1] + " --force", code=6)
sh("pendula run study.yaml --resume -o study.h5 --progress none")
same_bytes("study.h5", "whole.h5", "a missing shard, computed afterwards")
if os.environ.get("PENDULA_MPI") == "ON" and shutil.which("mpirun"):
    (folder / "study.h5").unlink()
    sh(ranks[0].replace("-n 8", "--oversubscribe -n 4"))
    same_bytes("study.h5", "whole.h5", "ranks")
    sh(ranks[1].replace("-n 3", "--oversubscribe -n 3"))
finish("all as it should be")
