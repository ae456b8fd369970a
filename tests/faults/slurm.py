#!/usr/bin/env python3
# slurm -- the array and the merge script of docs/cluster.md under a SLURM of one node: tasks are killed, cancelled and requeued, and
# the file is that of one process, byte for byte.
#
# To be run as root on a machine with Debian's packages slurm-wlm and munge; it starts daemons of its own, with ports, keys and folders
# of its own, and ends them. It takes five minutes, two of which SLURM waits before it
# starts a requeued task again.
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, f"{sys.path[0]}/../support")
from checking import PROGRAM, ROOT, check, ended, execute, failures, finish, folder, same_bytes, skip  # noqa: E402

# As in the page, but long enough that its tasks can be disturbed.
STUDY = """problem: pendulum
parameters: {x0: {linear: [0.1, 3, 2001]}, zeta: {linear: [0, 0.2, 301]}}
methods: [generalized_alpha]
step: [0.05, 0.1]
end: 120
metrics: [status, updates, energy_drift, x_final]
"""
daemons = []
environment = {}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def call(*words, code=0):
    done = execute(words, **environment)
    check(code is None or done.code == code, f"{' '.join(map(str, words))}: exit {done.code}: {done.err}")
    return done.out.strip()


def start(*words):
    daemons.append(subprocess.Popen(list(map(str, words)), cwd=folder, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))


def wait_for(what, seconds, test):
    end = time.time() + seconds
    while time.time() < end:
        found = test()
        if found:
            return found
        time.sleep(0.1)
    check(False, f"{what} within {seconds} s")
    return None


def start_cluster():
    host = socket.gethostname().split(".")[0]
    (folder / "munge.key").write_bytes(os.urandom(1024))
    (folder / "munge.key").chmod(0o400)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    (folder / "slurm.conf").write_text(f"""ClusterName=pendula
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
KillWait=5
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")
    environment.update(SLURM_CONF=f"{folder}/slurm.conf", PATH=f"{folder}/bin:{os.environ['PATH']}")
    (folder / "bin").mkdir()
    (folder / "bin" / "pendula").symlink_to(PROGRAM)
    start("munged", "--foreground", "--force", f"--key-file={folder}/munge.key", f"--socket={folder}/munge.socket",
          f"--pid-file={folder}/munge.pid", f"--log-file={folder}/munge.log", f"--seed-file={folder}/munge.seed")
    wait_for("munge answers", 20, lambda: (folder / "munge.socket").exists())
    start("slurmctld", "-D", "-f", folder / "slurm.conf")
    start("slurmd", "-D", "-f", folder / "slurm.conf", "-N", host)
    return wait_for("the node is idle", 60, lambda: "idle" in call("sinfo", "-h", "-o", "%t", code=None))


def tasks_of(job):
    """The state of each task that the queue still has: {index: state}."""
    states = {}
    for line in call("squeue", "-h", "-r", "-j", job, "-o", "%K %T", code=None).splitlines():
        index, state = line.split()
        states[int(index)] = state
    return states


def running(job, count=1):
    return lambda: [i for i, state in tasks_of(job).items() if state == "RUNNING"][:count] or None


def process_of(index):
    found = subprocess.run(["pgrep", "-f", f"pendula run study.yaml .*--shard {index}/16$"], capture_output=True, text=True).stdout.split()
    return int(found[0]) if found else None


def disturbed_array():
    script = re.findall(r"^```bash\n(.*?)^```$", (ROOT / "docs" / "cluster.md").read_text(), re.M | re.S)
    check(len(script) == 2, "the page has two scripts")
    (folder / "array.sh").write_text(script[0])
    (folder / "merge.sh").write_text(script[1])
    (folder / "study.yaml").write_text(STUDY)
    call("pendula", "run", "study.yaml", "-o", "whole.h5", "--progress", "none")
    job = call("sbatch", "--parsable", "array.sh")
    merge = call("sbatch", "--parsable", f"--dependency=afterany:{job}", "merge.sh")
    done = {}
    for kind in ("killed", "cancelled", "requeued"):
        # One that has just begun, so that it is not complete.
        begun = set(running(job, 16)() or [])
        index = wait_for("a task begins", 60, lambda: [i for i in (running(job, 16)() or []) if i not in begun and process_of(i)])
        if not index:
            return
        index = index[0]
        time.sleep(0.5)
        process = process_of(index)
        if kind == "killed" and process:
            os.kill(process, signal.SIGKILL)
        elif kind == "cancelled":
            call("scancel", f"{job}_{index}")
        elif kind == "requeued":
            call("scontrol", "requeue", f"{job}_{index}")
        done[kind] = index
    print(f"tasks {done}", flush=True)
    wait_for("the array ends", 300, lambda: not tasks_of(job))
    wait_for("the merge ends", 60, lambda: not call("squeue", "-h", "-j", merge, code=None))
    shards = sorted(folder.glob("study.shard-*-of-16.h5"))
    states = {i: ended("verify", f"study.shard-{i:02}-of-16.h5").code for i in range(16)}
    missing = [i for i, code in states.items() if code]
    check(missing and set(missing) <= {done["killed"], done["cancelled"]}, f"the tasks that are not complete are those that were ended: {missing}")
    check(states[done["requeued"]] == 0, "the requeued task went on and is complete")
    check((folder / "study.h5").exists(), "the merge job made the file, whatever became of the tasks")
    text = (folder / f"slurm-{merge}.out").read_text()
    check(("blocks are missing" in text) == bool(missing), f"and said what is missing: {text.strip()}")
    if missing:
        again = call("sbatch", "--parsable", f"--array={','.join(map(str, missing))}", "array.sh")
        wait_for("the array of what is missing ends", 200, lambda: not tasks_of(again))
    call("pendula", "merge", "-o", "study.h5", "--force", *[shard.name for shard in shards])
    same_bytes("study.h5", "whole.h5", "the file of one process")


missing = [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if not shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")]
if missing or os.geteuid() != 0:
    skip(f"{', '.join(missing)} not installed" if missing else "not root")
os.environ["PATH"] += ":/usr/sbin:/sbin"
try:
    if start_cluster():
        disturbed_array()
finally:
    for daemon in reversed(daemons):
        daemon.terminate()
    for daemon in daemons:
        try:
            daemon.wait(timeout=10)
        except subprocess.TimeoutExpired:
            daemon.kill()
    if failures:
        for name in ("munge.log", "slurmctld.log", "slurmd.log"):
            if (folder / name).exists():
                print(f"--- {name}\n{(folder / name).read_text()[-2000:]}")
finish("all as documented")
