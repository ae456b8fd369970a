# trials -- one trial of each kind of fault: what is done to a command or a file, and what must come of it.
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

from checking import PROGRAM, environment, execute
from disk import Disk
from seal import split
from scenarios import CLOCK, HASTY, OUTPUT, RUN, SECONDS, faults, lines, pendula, read_record, succeed

CHAIN = 4  # at most so many kills before a run is left alone
REASONS = {"eio": "Input/output error", "enospc": "No space left on device"}
REMEDIES = ("goes on", "begins again")
HARMLESS = ("copy_file_range", "open", "unlink")  # where these fail the program does without


class Kind:
    """Trials of one kind: `total` is how many there are (None: any number), `unless` why they are left out.

    trial() gives what was done, a list of what is wrong, and whether the fault came in time.
    """

    total = None
    unless = ""

    def __init__(self, scenarios, shim, base):
        self.scenarios, self.shim, self.base = scenarios, shim, base
        self.whole = scenarios[0].wanted


class Kills(Kind):
    """SIGKILL at random moments, again and again; every second one of a plain run."""

    def trial(self, index, rng, folder):
        scenario = self.scenarios[0 if index % 2 else index // 2 % len(self.scenarios)]
        scenario.fill(folder)
        words, killed = scenario.command, 0
        while words and killed < CHAIN:
            process = subprocess.Popen([PROGRAM, *words], cwd=folder, env=environment(**faults(self.shim)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0, 1.1 * scenario.seconds))
            process.kill()
            if process.wait() == 0:
                break
            killed += 1
            words = scenario.go_on(folder)
        return scenario.name, scenario.settle(folder), killed > 0


class Operations(Kind):
    """SIGKILL before and inside every file operation."""

    faults = ("kill", "half")

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.cases = [(scenario, fault, n) for scenario in self.scenarios for fault in self.faults for n in range(1, scenario.operations + 1)]
        self.total = len(self.cases)

    def trial(self, index, rng, folder):
        scenario, fault, number = self.cases[index]
        scenario.fill(folder)
        ended = pendula(folder, scenario.command, **faults(self.shim, PENDULA_FAULT=f"{fault}:{number}"))
        wrong = [] if ended.code in (0, -signal.SIGKILL) else [f"it ends with {ended.code}: {ended.err.strip()}"]
        return f"{scenario.name}, {fault} at operation {number}", wrong or scenario.settle(folder), ended.code != 0


class Failures(Operations):
    """A disk that fails at an operation, or is full from one on."""

    faults = ("eio", "enospc")

    def trial(self, index, rng, folder):
        scenario, fault, number = self.cases[index]
        scenario.fill(folder)
        record = folder.with_suffix(".record")
        ended = pendula(folder, scenario.command, **faults(self.shim, PENDULA_FAULT=f"{fault}:{number}", PENDULA_FAULT_RECORD=str(record)))
        failed = next(((name, paths) for name, inode, offset, _, paths, _ in read_record(record) if inode == 0 and offset == number), None)
        record.unlink()
        what = f"{scenario.name}, {fault} at operation {number}" + (f" ({failed[0]} {' '.join(failed[1])})" if failed else "")
        wrong = self.judge(scenario, fault, failed, ended, folder)
        # A log that cannot be read or removed stays.
        if failed and failed[1][0] == OUTPUT + ".retry.log":
            (folder / failed[1][0]).unlink(missing_ok=True)
        return what, wrong or scenario.settle(folder), failed is not None

    def judge(self, scenario, fault, failed, ended, folder):
        said = [line for line in lines(ended) if "without its log" not in line]
        if ended.code == 0:
            harmless = failed is None or failed[0] in HARMLESS or failed[1][-1].endswith((".log", ".lock"))
            same = (folder / OUTPUT).read_bytes() == scenario.wanted
            return [] if harmless and same else [f"it ends with 0, and the file is {'whole' if same else 'wrong'}"]
        fine = ended.code == 3 and len(said) == 1 and REASONS[fault] in said[0]
        # Where the sweep itself cannot be read, nothing was begun.
        fine = fine and (said[0].endswith(REMEDIES) or "sweep.yaml" in said[0])
        return [] if fine else [f"it ends with {ended.code}: {ended.err.strip()}"]


class Cuts(Kind):
    """Power cuts: what was synced is there, of the rest a random part. The first trials cut it when a command has ended."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.records = [(scenario, *self.record(scenario, clock)) for clock in (CLOCK, HASTY) for scenario in self.scenarios]

    def record(self, scenario, clock):
        folder = self.base / f"recorded-{scenario.name}-{clock}"
        folder.mkdir()
        scenario.fill(folder)
        inodes = {name: os.stat(folder / name).st_ino for name in scenario.files}
        record = folder.with_suffix(".record")
        succeed(folder, scenario.command, **faults(self.shim, clock, PENDULA_FAULT_RECORD=str(record)))
        return inodes, list(read_record(record))

    def trial(self, index, rng, folder):
        scenario, inodes, operations = self.records[index % len(self.records)]
        ended = index < len(self.records)
        end = len(operations) - (0 if ended else rng.randrange(len(operations)))
        disk = Disk(scenario.files, inodes)
        for operation in operations[:end]:
            disk.apply(operation)
        for name, data in (disk.durable_files() if ended else disk.cut(rng)).items():
            (folder / name).write_bytes(data)
        what, output = f"{scenario.name}, behind operation {end} of {len(operations)}", folder / OUTPUT
        if end == len(operations) and not (output.exists() and output.read_bytes() == scenario.wanted):
            return what, ["the command had ended, and its file is lost"], True
        return what, scenario.settle(folder, trust=rng.random() < 0.7), True


def says_how(ended, option):
    """Whether one line says what is wrong, and which run mends it."""
    return len(lines(ended)) == 1 and f"`pendula run {option}`" in lines(ended)[0]


class Bytes(Kind):
    """A damaged byte of a finished file, every second one of its header; of these one in five in the trailer."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        (self.base / OUTPUT).write_bytes(self.whole)
        blocks = json.loads(pendula(self.base, ["verify", OUTPUT, "--json"]).out)["blocks"]
        # The journal has a byte for each block, and each is done.
        self.done, = [(start, length) for start, length in split(self.whole)[1] if self.whole[start:start + length] == bytes([1]) * blocks]

    def place(self, index, rng):
        (inside, ranges), size = split(self.whole), len(self.whole)
        while True:
            start, length = rng.choice(ranges)
            first = len(inside) if rng.random() < 0.2 else 0
            place = rng.randrange(first, size) if index % 2 else start + rng.randrange(length)
            hit = [(a, n) for a, n in ranges if a <= place < a + n]
            if bool(hit) != bool(index % 2):
                return place, bool(hit), self.done in hit

    def trial(self, index, rng, folder):
        self.scenarios[0].fill(folder)
        place, inside, undone = self.place(index, rng)
        damaged = bytearray(self.whole)
        damaged[place] ^= rng.randrange(1, 256)
        (folder / OUTPUT).write_bytes(damaged)
        what, wrong = f"byte {place} of {'the data' if inside else 'the header'}", []
        ended = pendula(folder, ["verify", OUTPUT])
        # A block that is no longer said to be done is missing.
        if ended.code != (6 if undone else 4) or not says_how(ended, "--resume" if inside else "--force"):
            wrong.append(f"verify ends with {ended.code}: {ended.err.strip()}")
        ended = pendula(folder, [*RUN, "--resume"])
        if ended.code != (0 if inside else 4) or not (inside or says_how(ended, "--force")):
            wrong.append(f"--resume ends with {ended.code}: {ended.err.strip()}")
        if (folder / OUTPUT).read_bytes() != (self.whole if inside else damaged):
            wrong.append("--resume leaves other bytes")
        return what, wrong, True


class Truncations(Kind):
    """A finished file cut off."""

    def trial(self, index, rng, folder):
        self.scenarios[0].fill(folder)
        size = len(self.whole)
        length = (0, 1, 8, size - 1, size - 8, size - 24, size - 25)[index] if index < 7 else rng.randrange(size)
        (folder / OUTPUT).write_bytes(self.whole[:length])
        wrong = []
        for words in (["verify", OUTPUT], [*RUN, "--resume"]):
            ended = pendula(folder, words)
            if ended.code != 4 or not says_how(ended, "--force"):
                wrong.append(f"{words[0]} ends with {ended.code}: {ended.err.strip()}")
        if (folder / OUTPUT).read_bytes() != self.whole[:length]:
            wrong.append("--resume changes it")
        return f"{length} of {size} bytes", wrong, True


def children(process):
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Ranks(Kind):
    """Runs that MPI shares: a rank or mpirun is killed, and another number of ranks goes on."""

    unless = "" if os.environ.get("PENDULA_MPI") == "ON" and shutil.which("mpirun") else "the program is built without MPI, or mpirun is absent"
    # A container's user may be root, and a machine may have fewer cores than there are ranks here.
    variables = {"OMPI_ALLOW_RUN_AS_ROOT": 1, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": 1}

    def mpirun(self, ranks, words):
        return ["mpirun", "--oversubscribe", "-n", str(ranks), PROGRAM, *words]

    def kill(self, rng, folder, ranks):
        """Whether a rank or all were killed before they were done."""
        process = subprocess.Popen(self.mpirun(ranks, [*RUN, "--resume"]), cwd=folder, env=environment(**self.variables), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.2, 0.8))
        found = children(process.pid)
        try:
            os.kill(rng.choice(found) if found and rng.random() < 0.7 else process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        end = time.monotonic() + SECONDS
        while any(map(alive, found)) and time.monotonic() < end:
            time.sleep(0.02)
        try:
            return process.wait(timeout=5) != 0
        except subprocess.TimeoutExpired:
            # OpenMPI's own fault, where a rank ends while it begins: mpirun waits, and all ranks have ended.
            hangs = any(map(alive, children(process.pid)))
            process.kill()
            process.wait()
            if hangs:
                raise
            return True

    def trial(self, index, rng, folder):
        self.scenarios[0].fill(folder)
        # As one of more ranks leaves it that is killed while it makes its file.
        for ending in (".tmp", ".lock")[:index % 3]:
            (folder / f"{OUTPUT}.rank-9{ending}").write_bytes(self.whole[:5000])
        killed = sum(self.kill(rng, folder, rng.choice((2, 3, 4))) for _ in range(rng.randint(1, 3)))
        ranks = rng.choice((2, 3, 4))
        done = execute(self.mpirun(ranks, [*RUN, "--resume"]), cwd=folder, seconds=SECONDS, **self.variables)
        wrong = [] if done.code == 0 else [f"{ranks} ranks go on and end with {done.code}: {done.err.strip()}"]
        return f"{killed} kills", wrong or self.scenarios[0].settle(folder), killed > 0


KINDS = {"kills": Kills, "operations": Operations, "cuts": Cuts, "disk": Failures, "bytes": Bytes, "truncations": Truncations, "ranks": Ranks}


def make_rng(seed, kind, index):
    return random.Random(f"{seed} {kind} {index}")
