# scenarios -- what the campaign disturbs: commands that make a result file, how each goes on, and the bytes that it must come to.
import dataclasses
import json
import pathlib
import tempfile
import time

from checking import PROGRAM, execute, preloaded

OUTPUT = "out.h5"
CLOCK = "200"  # so much faster the clock runs: blocks become done every 5 ms instead of once a second
HASTY = "1000000000"  # and here as soon as they are written
SECONDS = 60  # a command that takes longer hangs
SWEEP = """problem: pendulum
parameters: {x0: {linear: [0.5, 3, 81]}, zeta: {linear: [0, 0.3, 51]}}
methods: [theta2: {theta: [0.1, 0.5]}, {label: other, rk4: {}}]
step: 1
steps: 6
newton: {max_updates: 3}
substeps: {max_depth: 0}
metrics: [status, updates, x_final]
trajectory: {every: 3, where: {x0: [0.5, 3], zeta: 0.3}}
"""
RUN = ["run", "sweep.yaml", "-o", OUTPUT, "-d", "reference", "--progress", "none"]
MERGE = ["merge", "-o", OUTPUT, "--progress", "none", "part-0.h5", "part-1.h5", "part-2.h5"]
RETRY = [*RUN, "--resume", "--retry", "failed", "-s", "newton.max_updates=30"]


def lines(ended):
    return [line for line in ended.err.splitlines() if line.startswith("pendula: ")]


@dataclasses.dataclass
class Scenario:
    name: str
    files: dict  # what is there before: {name: bytes}
    command: list
    wanted: bytes = b""  # what the command makes
    seconds: float = 0.0  # it takes
    operations: int = 0  # of files, that it does
    again: list = None  # what goes on with a file that the command began; None: the command itself

    def fill(self, folder):
        for name, data in self.files.items():
            (folder / name).write_bytes(data)

    def go_on(self, folder):
        """What a user does next; nothing where the file is as it must be."""
        output = folder / OUTPUT
        if self.again is None or not output.exists() or output.read_bytes() == self.files.get(OUTPUT):
            return None if output.exists() and output.read_bytes() == self.wanted else self.command
        return self.again

    def keeps_whole(self):
        """Whether the name of the result never has part of a file: it is the old one, or the new one."""
        return self.again is None

    def is_left(self, name):
        return name in (OUTPUT, OUTPUT + ".log") or (name in self.files and not name.startswith(OUTPUT + "."))

    def settle(self, folder, trust=False):
        """Goes on once, undisturbed; what is wrong then. With `trust` no checksum mends what was written in the wrong order."""
        output = folder / OUTPUT
        if self.keeps_whole() and output.exists() and output.read_bytes() not in (self.wanted, self.files.get(OUTPUT)):
            return ["the file is neither the old one nor the new one"]
        words = self.go_on(folder)
        if trust and words and words is self.again:
            words = [*words, "--trust"]
        if words:
            ended = pendula(folder, words)
            if ended.code != 0:
                return [f"`{' '.join(words)}` ends with {ended.code}: {ended.err.strip()}"]
        if output.read_bytes() != self.wanted:
            return ["the file is not that of an undisturbed run"]
        # Where nothing is left to do, a lock that nobody holds may stay.
        left = [path.name for path in folder.iterdir() if not self.is_left(path.name) and (words or path.suffix != ".lock")]
        return [f"left over: {', '.join(sorted(left))}"] if left else []


def faults(shim, clock=CLOCK, **variables):
    return preloaded(shim, PENDULA_FAULT_CLOCK=clock, **variables)


def pendula(folder, words, **variables):
    return execute([PROGRAM, *words], cwd=folder, seconds=SECONDS, **variables)


def succeed(folder, words, **variables):
    ended = pendula(folder, words, **variables)
    if ended.code != 0:
        raise SystemExit(f"`{' '.join(words)}` ends with {ended.code}: {ended.err.strip()}")
    return (folder / OUTPUT).read_bytes()


def count_operations(record):
    return sum(1 for _ in read_record(record))


def read_record(path):
    """The operations that the shim recorded: (name, inode, offset, flags, paths, bytes)."""
    with open(path, "rb") as file:
        while line := file.readline():
            name, inode, offset, count, flags, *paths = line.decode().split()
            data = file.read(int(count)) if name == "write" else b""
            yield name, int(inode), int(offset), int(flags), paths, data


def half_done(folder, shim, whole):
    """A file of which some blocks are done, and what the killed run left beside it."""
    for operation in range(60, 10000, 3):
        for path in folder.glob(OUTPUT + "*"):
            path.unlink()
        pendula(folder, RUN, **faults(shim, PENDULA_FAULT=f"kill:{operation}"))
        if not (folder / OUTPUT).exists():
            continue
        found = json.loads(pendula(folder, ["verify", OUTPUT, "--json"]).out)["points"]
        if found["missing"] == 0:
            break
        if found["whole"] > found["missing"]:
            return {path.name: path.read_bytes() for path in folder.glob(OUTPUT + "*")} | {OUTPUT + ".tmp": whole[:5000]}
    raise SystemExit("no killed run leaves a file of which some blocks are done")


def make_all(base, shim):
    """All scenarios, measured."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=base))
    sweep = {"sweep.yaml": SWEEP.encode()}
    (folder / "sweep.yaml").write_text(SWEEP)
    whole = succeed(folder, RUN)
    parts = {}
    for i in range(3):
        succeed(folder, [*RUN, "--force", "--shard", f"{i}/3"])
        parts[f"part-{i}.h5"] = (folder / OUTPUT).read_bytes()
    other = succeed(folder, [*RUN, "--force", "-s", "parameters.x0={linear: [0.5, 3, 41]}"])
    half = half_done(folder, shim, whole)
    resume = [*RUN, "--resume"]
    scenarios = [Scenario("run", sweep, RUN, again=resume), Scenario("resume", sweep | half, resume, again=resume), Scenario("merge", parts, MERGE),
                 Scenario("retry", sweep | {OUTPUT: whole}, RETRY),
                 Scenario("reuse", sweep | {"old.h5": other}, [*RUN, "--reuse", "old.h5"], again=[*resume, "--reuse", "old.h5"]),
                 Scenario("replace", sweep | {OUTPUT: other}, [*RUN, "--force"], again=resume)]
    for scenario in scenarios:
        place = pathlib.Path(tempfile.mkdtemp(dir=base))
        scenario.fill(place)
        begun = time.monotonic()
        record = place.with_suffix(".record")
        scenario.wanted = succeed(place, scenario.command, **faults(shim, PENDULA_FAULT_RECORD=str(record)))
        scenario.seconds = time.monotonic() - begun
        scenario.operations = count_operations(record)
        if scenario.name != "retry" and scenario.wanted != whole:
            raise SystemExit(f"{scenario.name}: an undisturbed one does not make the bytes of a run")
    return scenarios
