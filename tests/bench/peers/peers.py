# peers -- other codes against the kernels on workloads W1 to W6: builds them, checks their results, and prints their rates.
#
#   python3 tests/bench/peers/peers.py --pendula build/pendula [--study | --work-precision]
#
# Exit status: 0 all peers here agree with the kernels, 1 one does not, or does not build or run. Peers that are not
# installed are named and left out.
import argparse
import dataclasses
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tables
from program import Program, ProgramError, distance
from roster import METHODS, PEERS, PENDULA, STUDY
from running import HERE, Broken, Builder, Missing, Running, report
from workloads import EXACT, PAPER, SAMPLE, TOLERANCE, WORKLOADS

LADDER = [10.0 ** (-k / 2) for k in range(4, 27)]  # tolerances of codes that choose their steps
SPREAD = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002)  # steps of --work-precision
LOOSEST = 1e-2  # of tolerances in it


def arguments():
    parser = argparse.ArgumentParser(description="Other codes against the kernels: same systems, turn by turn.")
    parser.add_argument("--pendula", required=True, help="the built program")
    parser.add_argument("--device", default="cpu", help="where the kernels run (default: cpu)")
    parser.add_argument("--python", default=sys.executable, help="interpreter that has numpy, numba, jax and SALib (default: this one)")
    parser.add_argument("--points", type=int, default=16384, help="systems of a workload, a power of two, at least 64; slow "
                        "codes integrate every 2nd, 4th, ... of them (default: 16384)")
    parser.add_argument("--steps", type=int, default=1000, help="steps of 0.01, of W6 of 0.001 (default: 1000)")
    parser.add_argument("--seconds", type=float, default=0.5, help="what one run should take (default: 0.5)")
    parser.add_argument("--repetitions", type=int, default=5, help="of each code, in turns (default: 5)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="workers (default: every core)")
    parser.add_argument("--lanes", type=int, help="of pendula's kernels in the column `device` (default: as a run takes)")
    parser.add_argument("--workloads", default=",".join(WORKLOADS), help="of these only, with commas between")
    parser.add_argument("--peers", default="", help="only those in whose names one of these words stands, with commas between")
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--work-precision", action="store_true", help="error and time of W1 at several steps and tolerances")
    other.add_argument("--study", action="store_true", help="a study by SALib of W1, evaluated by pendula and by numba")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--markdown", action="store_true", help="print a section of docs/results/PEERS.md")
    asked = parser.parse_args()
    if asked.points < SAMPLE or asked.points & (asked.points - 1):
        parser.error("--points is a power of two, at least 64")
    if min(asked.steps, asked.repetitions, asked.threads) < 1:
        parser.error("--steps, --repetitions and --threads are at least 1")
    if unknown := [name for name in asked.workloads.split(",") if name not in WORKLOADS]:
        parser.error(f"no workload is called {', '.join(unknown)}")
    return asked


def spread(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


class Bench:
    def __init__(self, asked, folder):
        self.asked, self.failed = asked, False
        self.program = Program(asked.pendula, asked.device, folder)
        self.builder = Builder(folder, asked.python, asked.pendula, asked.device)
        self.started = []

    def peers(self, workload):
        words = [word.lower() for word in self.asked.peers.split(",") if word]
        return [peer for peer in PEERS
                if workload.name in peer.workloads and (not words or any(word in peer.name.lower() for word in words))]

    def sample(self, workload):
        return workload.values(self.asked.points, self.asked.points // SAMPLE)

    def open(self, peer, workload, values, steps, step=None, setting=TOLERANCE):
        running = Running(self.builder, peer, workload, [workload.start(value) for value in values], steps,
                          self.asked.threads, step or workload.step, setting)
        self.started.append(running)
        return running

    def stop(self):
        for running in self.started:
            running.stop()
        self.started = []

    def once(self, peer, workload, steps, step=None, setting=TOLERANCE):
        """Final states of the sample, and the seconds of a second run."""
        running = self.open(peer, workload, self.sample(workload), steps, step, setting)
        running.run()
        seconds = running.run()[1]
        return running.finish(), seconds

    def seconds(self, running):
        """Seconds of a run: of the integration alone, and from host to host. Those of the kernels alone are what `bench` measures."""
        device, host = running.run()
        if running.peer is PENDULA:
            workload = running.workload
            sweep = workload.sweep(running.points, workload.method, running.step, running.steps, ["status"], single=workload.single)
            device = running.points * running.steps / self.program.rate(sweep, self.asked.seconds, self.asked.lanes)
        return device, host

    def error(self, workload, states, end):
        return distance(states, self.program.tight(workload, self.sample(workload), end), workload.dofs)

    def kernels(self, workload):
        return self.program.states(workload, self.sample(workload), workload.method, workload.step, self.asked.steps)

    def setting(self, peer, workload, end):
        """The tolerance of Newton's method; for a code that chooses its steps, the loosest with the kernels' error."""
        if not peer.own_steps:
            return TOLERANCE
        wanted = self.error(workload, self.kernels(workload), end)
        for tolerance in LADDER:
            if self.error(workload, self.once(peer, workload, self.asked.steps, setting=tolerance)[0], end) <= wanted:
                return tolerance
        raise Broken(f"{peer.name} on {workload.name}: no tolerance down to {LADDER[-1]:.0e} has an error of {wanted:.1e}")

    def prepare(self, peer, workload):
        """The peer on as many of the systems as it can do in the time of one run."""
        setting = self.setting(peer, workload, self.asked.steps * workload.step)
        return self.fitting(peer, workload, self.asked.steps, None, setting), setting

    def fitting(self, peer, workload, steps, step, setting):
        _, seconds = self.once(peer, workload, steps, step, setting)
        points = SAMPLE
        while points < self.asked.points and 2 * points / SAMPLE * seconds <= self.asked.seconds:
            points *= 2
        running = self.open(peer, workload, workload.values(self.asked.points, self.asked.points // points), steps, step, setting)
        running.run()  # what is compiled at the first run is compiled now
        return running

    def judge(self, peer, workload, states, end):
        """How far the peer is from the kernels, and whether that is what it should be. The error is that of the timed run."""
        stride = len(states) // SAMPLE
        states = states[::stride]
        error = self.error(workload, states, end)
        if peer.own_steps:
            wanted = self.error(workload, self.kernels(workload), end)
            return {"error": error, "apart": error, "bound": wanted, "against": "the solution", "agrees": error <= wanted}
        method = peer.like or workload.method
        if peer.tight:
            states = self.once(peer, workload, self.asked.steps, setting=peer.tight)[0]
        kernels = self.program.states(workload, self.sample(workload), method, workload.step / peer.finer, self.asked.steps * peer.finer,
                                      EXACT if peer.tight else PAPER)
        apart = distance(states, kernels)
        against = method.split(":")[0] + (f" at h/{peer.finer}" if peer.finer > 1 else "")
        return {"error": error, "apart": apart, "bound": workload.bound, "against": against, "agrees": apart <= workload.bound}

    def attempt(self, peer, action):
        """What the action returns; None where the peer is missing or broken, which is said."""
        try:
            return action()
        except Missing as missing:
            report(f"skipped: {missing}")
        except Broken as broken:
            self.failed = True
            report(f"failed: {broken}")
        return None

    def workload(self, workload):
        """A row for the kernels and one for each peer, measured in turns."""
        asked, rows, end = self.asked, [], self.asked.steps * workload.step
        report(f"{workload.name}: {workload.problem}, {workload.method}")
        entrants = [(PENDULA, *self.prepare(PENDULA, workload))]
        entrants += [(peer, *ready) for peer in self.peers(workload)
                     if (ready := self.attempt(peer, lambda: self.prepare(peer, workload)))]
        rates = [([], []) for _ in entrants]  # alone, and from host to host
        for _ in range(asked.repetitions):
            for (_, running, _), both in zip(entrants, rates):
                for rate, seconds in zip(both, self.seconds(running)):
                    rate.append(running.points * asked.steps / seconds)
        for (peer, running, setting), both in zip(entrants, rates):
            row = {"workload": workload.name, "who": peer.name, "points": running.points, "setting": setting,
                   "equal": peer.equal, "unequal": peer.unequal}
            for where, rate, own in zip(("device", "host"), both, rates[0]):
                row[where] = spread(rate)
                row[f"faster_{where}"] = spread([mine / theirs for mine, theirs in zip(own, rate)])
            rows.append(row | self.judge(peer, workload, running.finish(), end))
        self.failed |= not all(row["agrees"] for row in rows)
        return rows

    def work_precision(self):
        """Rows of error and time per system of the pendulum, over steps and tolerances; W3 is W1 with another method."""
        workload, rows = WORKLOADS["W1"], []
        end = self.asked.steps * workload.step
        peers = [(PENDULA, dataclasses.replace(workload, method=method)) for method in METHODS]
        peers += [(peer, workload) for peer in self.peers(workload)]
        peers += [(peer, WORKLOADS["W3"]) for peer in self.peers(WORKLOADS["W3"])
                  if peer.python or peer not in self.peers(workload)]
        for peer, own in peers:
            rows += self.attempt(peer, lambda: self.curve(peer, own, end)) or []
        return rows

    def part(self, action, *inputs):
        """The rows of one part; none where the program fails, which is said."""
        try:
            return action(*inputs)
        except (ProgramError, Broken, Missing) as error:
            self.failed = True
            report(f"failed: {error}")
            return []
        finally:
            self.stop()

    def curve(self, peer, workload, end):
        asked, rows = self.asked, []
        if not peer.own_steps:
            cases = [(f"h {step:g}", step, round(end / step), TOLERANCE) for step in SPREAD]
        else:
            cases = [(f"tolerance {t:.0e}", workload.step, asked.steps, t) for t in LADDER[::2] if t <= LOOSEST]
        name = f"{peer.name} {workload.method.split(':')[0]}" if peer.python else peer.name
        for label, step, steps, setting in cases:
            running = self.fitting(peer, workload, steps, step, setting)
            device, host = zip(*[self.seconds(running) for _ in range(asked.repetitions)])
            error = self.error(workload, running.finish()[::running.points // SAMPLE], steps * step)
            rows.append({"who": name, "setting": label, "device": spread([seconds / running.points for seconds in device]),
                         "host": spread([seconds / running.points for seconds in host]), "error": error})
        return rows

    def study(self):
        """Rows of SALib's study, which one process of Python runs."""
        asked = self.asked
        self.builder.look_for(STUDY)
        words = [asked.python, HERE / STUDY.file, asked.pendula, asked.device, asked.threads, asked.repetitions, asked.seconds]
        done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise Broken(f"{STUDY.file} ended with status {done.returncode}")
        rows = json.loads(done.stdout)
        self.failed |= not all(row["agrees"] for row in rows)
        return [row | {part: spread(seconds) for part, seconds in row["seconds"].items()} for row in rows]


def machine(asked):
    """What the numbers depend on."""
    def first_line(*command):
        try:
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
        except (OSError, subprocess.CalledProcessError, IndexError):
            return "unknown"

    names = [line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    return {"date": time.strftime("%Y-%m-%d"), "processor": names[0] if names else "unknown", "threads": asked.threads,
            "compiler": first_line(os.environ.get("CC", "gcc"), "--version"), "pendula": first_line(asked.pendula, "--version"),
            "steps": asked.steps, "systems": asked.points, "repetitions": asked.repetitions, "device": asked.device}


def main():
    asked = arguments()
    with tempfile.TemporaryDirectory(prefix="peers.") as folder:
        bench = Bench(asked, folder)
        if asked.work_precision or asked.study:
            rows = bench.part(bench.study if asked.study else bench.work_precision)
        else:
            rows = [row for name in asked.workloads.split(",") for row in bench.part(bench.workload, WORKLOADS[name])]
    about = machine(asked)
    if asked.json:
        print(json.dumps({"machine": about, "rows": rows}, indent=1))
    else:
        show = tables.study if asked.study else tables.work_precision if asked.work_precision else tables.rates
        print(show(about, rows, tables.markdown if asked.markdown else tables.text))
    return 1 if bench.failed else 0


if __name__ == "__main__":
    sys.exit(main())
