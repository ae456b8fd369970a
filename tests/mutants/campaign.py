#!/usr/bin/env python3
# campaign -- wrong programs, one edit each: `pendula conform` and the unit tests must find every one.
#
# The lists in this folder hold the edits, and lists.py reads them. For each the program is made again from a finished build: a kernel
# is embedded anew, a C file compiled anew, and the rest linked as it is. Then the killers run, first `conform`, then tests, until one
# fails. At the end the program without an edit must pass every killer that found something. Exit code 1: an edit survived that is not
# said to be equivalent; 2: the lists or the build are wrong.
import argparse
import concurrent.futures
import dataclasses
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
from lists import HERE, ListError, Mutant, TREE, choose, edited, read_turn

DOES_NOT_CONFORM = 7  # exit codes of `pendula conform`
INPUT_WRONG = (1, 2, 4, 9)  # not of what the kernels compute: usage, sweep file, a kernel that is no C
TIMEOUT_S = 300  # of a test or a sweep: the longest take 110 s without optimisation, and others may work on the machine
NO_PROGRAM = "no program"  # what an operator made is no C
SYSTEM_PYTHON = "/usr/bin/python3"  # Debian's packages are of no use to another one in PATH


class Build:
    """A finished build by Makefiles, from which changed programs are linked."""

    def __init__(self, folder):
        self.folder = folder

    def link_words(self, target):
        path = f"{self.folder}/CMakeFiles/{target}.dir/link.txt"
        folder = self.folder
        if not os.path.exists(path):
            folder = f"{self.folder}/tests"
            path = f"{folder}/CMakeFiles/{target}.dir/link.txt"
        if not os.path.exists(path):
            raise ListError(f"the build has no program '{target}'")
        return folder, shlex.split(open(path, encoding="utf-8").read())

    def compile_words(self, path):
        """How a C file of the library is compiled."""
        base = path.startswith("host/base/") or path == "host/catalog/card_read.c"
        flags = open(f"{self.folder}/CMakeFiles/{'pendula_base' if base else 'pendula_core'}.dir/flags.make", encoding="utf-8").read()
        words = [shlex.split(value) for value in re.findall(r"^C_(?:DEFINES|INCLUDES|FLAGS) = (.*)$", flags, re.M)]
        return [self.link_words("pendula")[1][0]], [word for group in words for word in group if word != "-Werror"] + ["-w"]

    def dependents(self, header):
        """The C files of the library that include a header; a table of rows, themselves: the names in it stay as they are."""
        if header.endswith(".def"):
            line = f'#include "{header.partition("/")[2]}"'
            return [os.path.relpath(path, TREE) for path in glob.glob(f"{TREE}/*/*/*.c")
                    if not path.startswith(f"{TREE}/tests/") and line in open(path, encoding="utf-8").read()]
        users = []
        for path in glob.glob(f"{self.folder}/CMakeFiles/pendula_*.dir/**/*.o.d", recursive=True):
            if re.search(re.escape(header) + r"(\s|$)", open(path, encoding="utf-8").read()):
                users.append(re.sub(r"^.*?\.dir/", "", path)[: -len(".o.d")])
        return users


# Checks that run on the driver's devices, made to look like others.
SHIMMED = {"dense", "shares"}
# Tests of several lanes, which need clang.
VECTORS = {"amplification", "frames", "halving", "metrics", "newton", "shapes"}
# Checks that choose among the compilers and drivers of the machine.
CHOOSING = {"native"}
# Checks that take long, and what they are told.
SHORTER = {name: ["--quick"] for name in ("advise", "decay_tangents", "exponents", "progress", "tangents")}


class Maker:
    """A folder of its own in which a changed program is made."""

    def __init__(self, build, folder):
        self.build = build
        self.folder = folder
        self.objects = []
        os.makedirs(folder)
        shutil.copytree(os.path.join(TREE, "kernels"), f"{folder}/kernels")
        os.symlink(os.path.join(TREE, "sweeps"), f"{folder}/sweeps")
        os.makedirs(f"{folder}/none")
        for compiler in ("cc", "clang"):
            with open(f"{folder}/{compiler}", "w", encoding="utf-8") as file:  # the same bits in a fraction of the time
                file.write(f'#!/bin/sh\nexec {shutil.which("clang") or compiler} "$@" -O0\n')  # clang is the quicker one
            os.chmod(f"{folder}/{compiler}", 0o755)
        self.environment = dict(
            os.environ, PENDULA_CACHE_DIR=f"{folder}/cache", XDG_CONFIG_HOME=f"{folder}/no_config", OCL_ICD_VENDORS=f"{folder}/none",
            OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", PENDULA_SOURCE_DIR=folder, PENDULA_PROGRAM=f"{folder}/pendula",
            CMOCKA_TEST_ABORT="1")  # the first failure is enough

    def run(self, words, compiler="cc", timeout=TIMEOUT_S):
        """Exit code (None: it took too long) and output. Without a compiler, those of the machine and its drivers are there."""
        environment = {**self.environment, **({"PENDULA_CC": f"{self.folder}/{compiler}"} if compiler else {})}
        if not any(word.endswith(".py") for word in words):
            environment["PENDULA_TURN"] = "all"  # whether a program is found does not hang on the commit
        if "--shim" in words or not compiler:
            environment["OCL_ICD_VENDORS"] = os.environ.get("OCL_ICD_VENDORS", "/etc/OpenCL/vendors")
        with tempfile.TemporaryFile() as output:
            child = subprocess.Popen(words, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=self.folder,
                                     env=environment, start_new_session=True)
            try:
                code = child.wait(timeout)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, 9)
                child.wait()
                code = None
            output.seek(0)
            return code, output.read().decode(errors="replace")

    def run_test(self, name):
        return self.run(test_words(self, name), None if name in CHOOSING else "clang" if name in VECTORS else "cc")

    def compile(self, path, source, includes):
        first, flags = self.build.compile_words(path)
        target = f"{self.folder}/{path.replace('/', '_')}.o"
        code, output = self.run(first + includes + flags + ["-c", source, "-o", target])
        if code != 0:
            raise ListError(f"{path} does not compile:\n{output}")
        self.objects.append(target)

    def embed(self, edits):
        """Embeds the kernels; of problems also what the reference has of them."""
        os.makedirs(f"{self.folder}/embed", exist_ok=True)
        files = sorted(os.path.relpath(p, f"{self.folder}/kernels") for p in glob.glob(f"{self.folder}/kernels/**/*", recursive=True)
                       if re.search(r"\.(h|cl)$", p))
        code, output = self.run([f"{self.build.folder}/embed/embed", "kernel_file", f"{self.folder}/kernels", f"{self.folder}/embed", *files])
        if code != 0:
            raise ListError(f"the kernels cannot be embedded:\n{output}")
        self.compile("kernel_files.c", f"{self.folder}/embed/kernel_files.c", [])
        for edit in edits:
            if edit.path.startswith("kernels/problems/"):
                name = os.path.splitext(os.path.basename(edit.path))[0]
                for unit in glob.glob(f"{self.folder}/embed/problem_{name}*.c"):
                    if re.fullmatch(rf"problem_{name}(_\d+)?\.c", os.path.basename(unit)):
                        self.compile(os.path.basename(unit), unit, [])

    def make(self, edits):
        """Prepares what is linked for a program with these edits."""
        self.objects = []
        shutil.rmtree(f"{self.folder}/tree", ignore_errors=True)
        units, kernels = set(), []
        for edit in edits:
            target = f"{self.folder}/{'' if edit.path.startswith('kernels/') else 'tree/'}{edit.path}"
            os.makedirs(os.path.dirname(target), exist_ok=True)
            text = edited(edit)
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
            if edit.path.startswith("kernels/"):
                kernels.append(edit)
            elif edit.path.endswith((".h", ".def")):
                units.update(self.build.dependents(edit.path))
            else:
                units.add(edit.path)
        if kernels:
            self.embed(kernels)
        for unit in sorted(units):
            changed = f"{self.folder}/tree/{unit}"
            self.compile(unit, changed if os.path.exists(changed) else os.path.join(TREE, unit),
                         [f"-I{self.folder}/tree/host", f"-I{self.folder}/tree"])
        for edit in kernels:
            shutil.copyfile(os.path.join(TREE, edit.path), f"{self.folder}/{edit.path}")

    def link(self, target):
        folder, words = self.build.link_words(target)
        program = f"{self.folder}/{target}"
        # Of an archive the objects in front count; an object of the program itself is left out.
        names = {os.path.basename(path) for path in self.objects}
        words = [word for word in words if word.rpartition(".dir/")[2].replace("/", "_") not in names]
        at = words.index("-o")
        words[at + 1] = program
        linked = subprocess.run(words[:at] + self.objects + words[at:], cwd=folder, capture_output=True, text=True)
        if linked.returncode != 0:
            raise ListError(f"{target} cannot be linked:\n{linked.stdout}{linked.stderr}")
        return program


def conform_command(program, conform, device):
    """Words, and the compiler: lane counts beyond 1, which stand before the overrides, need clang."""
    sweep, *overrides = conform
    lanes = overrides.pop(0)[6:] if overrides and overrides[0].startswith("lanes=") else "1"
    words = [program, "conform", f"{HERE}/{sweep}.yaml", "-d", device, "--lanes", lanes]
    for override in overrides:
        words += ["-s", override]
    return words, "cc" if lanes == "1" else "clang"


def test_words(maker, name):
    """How a test is run: the program test_NAME linked anew, or check_NAME.py with the program."""
    checks = glob.glob(f"{TREE}/tests/*/check_{name}.py")
    if not checks:
        return [maker.link(f"test_{name}")]
    maker.link("pendula")
    given = ["--shim", f"{maker.build.folder}/tests/libfake_opencl.so"] if name in SHIMMED else []
    if name == "file":  # what the changed program writes
        given = ["--writer", maker.link("test_store")]
    return [SYSTEM_PYTHON if os.path.exists(SYSTEM_PYTHON) else sys.executable, f"{TREE}/tests/check.py", name, *given, *SHORTER.get(name, [])]


@dataclasses.dataclass
class Outcome:
    mutant: Mutant
    killer: str = ""  # "": it survived
    by: object = None  # the killer as a list has it: the name of a test, or the words after `conform`
    seconds: float = 0.0
    note: str = ""


class Campaign:
    def __init__(self, options, build, scratch):
        self.options, self.build, self.scratch = options, build, scratch
        self.lock = threading.Lock()
        self.makers = threading.local()
        self.maker_count = 0
        self.refused = {}  # (wrong kernel, conform) -> whether conform refuses it

    def maker(self):
        if not hasattr(self.makers, "own"):
            with self.lock:
                self.maker_count += 1
                number = self.maker_count
            self.makers.own = Maker(self.build, f"{self.scratch}/{number}")
        return self.makers.own

    def conform(self, maker, conform):
        """Whether `conform` passes; None where it takes too long."""
        program = maker.link("pendula") if not os.path.exists(f"{maker.folder}/pendula") else f"{maker.folder}/pendula"
        code, output = maker.run(*conform_command(program, conform, self.options.device))
        if code in INPUT_WRONG:
            raise ListError(f"conform {' '.join(conform)}: exit {code}:\n{output[-2000:]}")
        return code, output

    def prepare(self, edits):
        maker = self.maker()
        for made in glob.glob(f"{maker.folder}/pendula") + glob.glob(f"{maker.folder}/test_*"):
            os.remove(made)
        maker.make(edits)
        return maker

    def passes(self, killer):
        """Does the program without an edit pass a test, or a sweep to conform?"""
        maker = self.prepare([])
        code, output = maker.run_test(killer) if isinstance(killer, str) else self.conform(maker, killer)
        return code == 0, f"test {killer}" if isinstance(killer, str) else f"conform {' '.join(killer)}", output

    def must_refuse(self, mutant):
        """A wrong kernel shows nothing that `conform` does not refuse."""
        for conform in mutant.conform:
            key = (mutant.wrong.path, mutant.wrong.old, mutant.wrong.new, mutant.wrong.occurrence, tuple(conform))
            with self.lock:
                known = self.refused.get(key)
            if known is None:
                known = self.conform(self.prepare([mutant.wrong]), conform)[0] == DOES_NOT_CONFORM
                with self.lock:
                    self.refused[key] = known
            if not known:
                raise ListError(f"{mutant.name()}: conform {' '.join(conform)} does not refuse the wrong kernel by itself")

    def kill(self, mutant):
        begin = time.monotonic()
        outcome = Outcome(mutant, note=mutant.equivalent)
        if not mutant.equivalent:
            try:
                outcome.killer, outcome.by, outcome.note = self.find_killer(mutant)
            except ListError:
                if not self.options.more:
                    raise
                outcome.killer = NO_PROGRAM
        outcome.seconds = time.monotonic() - begin
        return outcome

    def find_killer(self, mutant):
        """What finds a mutant, in a word and as a list has it, and why; '' where nothing does."""
        if mutant.wrong:
            self.must_refuse(mutant)
        maker = self.prepare([mutant.edit] + ([mutant.wrong] if mutant.wrong else []))
        for conform in mutant.conform:
            code, output = self.conform(maker, conform)
            if (code == 0) == bool(mutant.wrong):
                why = "took too long" if code is None else reason(output) if code == DOES_NOT_CONFORM else f"exit {code}"
                return f"conform {conform[0]}", tuple(conform), why
        for name in mutant.tests if not self.options.conform_only else ():
            code, output = maker.run_test(name)
            if code != 0:
                return f"test {name}", name, "took too long" if code is None else ""
        return "", None, ""


def reason(output):
    """What `conform` names: the last line that says so."""
    lines = [line.strip() for line in output.splitlines() if "does not" in line]
    return lines[0] if lines else ""


def report(outcomes, options):
    """Prints survivors and the count of each area; the number of survivors."""
    survivors = [o for o in outcomes if not o.killer and not o.mutant.equivalent]
    print(f"\n{'area':<14} {'mutants':>7} {'conform':>8} {'tests':>6} {'equivalent':>10} {'survive':>8} {'by conform':>11}")
    for area in list(dict.fromkeys(o.mutant.area for o in outcomes)) + ["all"]:
        here = [o for o in outcomes if area in ("all", o.mutant.area)]
        conform = sum(o.killer.startswith("conform") for o in here)
        tests = sum(o.killer.startswith("test") for o in here)
        equivalent = sum(bool(o.mutant.equivalent) for o in here)
        share = 100.0 * conform / max(len(here) - equivalent, 1)
        survive = sum(not o.killer and not o.mutant.equivalent for o in here)
        print(f"{area:<14} {len(here):>7} {conform:>8} {tests:>6} {equivalent:>10} {survive:>8} "
              f"{share:>9.1f} %")
    for outcome in survivors:
        print(f"survives{' conform' if options.conform_only else ''}: {outcome.mutant.name()}")
        print(f"again: python3 tests/mutants/campaign.py --build build{' --more' if options.more else ''} --only {shlex.quote(outcome.mutant.name())}")
    return len(survivors)


def summary(outcomes):
    """What became of the mutants of each list."""
    rows = {}
    for outcome in outcomes:
        row = rows.setdefault(outcome.mutant.area, {"mutants": 0, "killed": 0, "equivalent": 0, "survivors": 0})
        row["mutants"] += 1
        row["equivalent" if outcome.mutant.equivalent else "killed" if outcome.killer else "survivors"] += 1
    return rows


def make_build(folder, mutants):
    """Configures and builds the program and the tests that are asked for."""
    tests = sorted({f"test_{name}" for m in mutants for name in m.tests if not glob.glob(f"{TREE}/tests/*/check_{name}.py")})
    subprocess.run(["cmake", "-S", TREE, "-B", folder, "-G", "Unix Makefiles"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "-j", str(len(os.sched_getaffinity(0))), "--target", "pendula", *tests], check=True,
                   stdout=subprocess.DEVNULL)


def check_unchanged(campaign, workers, outcomes):
    """The program without an edit must pass every killer that found something."""
    killers = sorted({outcome.by for outcome in outcomes if outcome.by}, key=str)
    wrong = 0
    for fine, name, output in workers.map(campaign.passes, killers):
        if not fine:
            wrong += 1
            print(f"the program without an edit fails {name}:\n{output[-3000:]}", flush=True)
    if wrong:
        raise ListError(f"{wrong} of {len(killers)} killers fail by themselves")
    print(f"the program without an edit passes the {len(killers)} sweeps and tests that found something", flush=True)


def run(options, scratch):
    mutants = choose(options)
    if options.list:
        for mutant in mutants:
            print(mutant.name() + (f" (equivalent: {mutant.equivalent})" if mutant.equivalent else ""))
        print(f"{len(mutants)} mutants")
        return 0
    begin = time.monotonic()
    build = options.build or f"{scratch}/build"
    if not os.path.exists(f"{build}/CMakeFiles/pendula.dir/link.txt"):
        build = f"{scratch}/build"
        make_build(build, mutants)
    campaign = Campaign(options, Build(os.path.abspath(build)), scratch)
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
        jobs = [workers.submit(campaign.kill, m) for m in mutants]
        for job in concurrent.futures.as_completed(jobs):
            outcome = job.result()
            outcomes.append(outcome)
            how = "equivalent" if outcome.mutant.equivalent else outcome.killer or "SURVIVES"
            print(f"{how:<24} {outcome.seconds:5.1f} s  {outcome.mutant.name()}" + (f" ({outcome.note})" if outcome.note else ""), flush=True)
        check_unchanged(campaign, workers, outcomes)
    outcomes.sort(key=lambda o: mutants.index(o.mutant))
    survivors = report(outcomes, options)
    print(f"{len(outcomes)} mutants in {time.monotonic() - begin:.0f} s")
    if options.summary:
        with open(options.summary, "w", encoding="utf-8") as file:
            json.dump(summary(outcomes), file)
    return 1 if survivors else 0


def main():
    parser = argparse.ArgumentParser(description="Wrong programs, one edit each, that conform and the tests must find.")
    parser.add_argument("--only", metavar="AREA", default="", help="areas, with commas between; or a part of a mutant's name")
    parser.add_argument("--turn", metavar="HASH/N", type=read_turn, help="the part of N that the hash of a commit chooses")
    parser.add_argument("--summary", metavar="FILE", help="the counts of each list, as JSON")
    parser.add_argument("--more", action="store_true", help="not the lists' mutants: what the operators in them make further of their lines")
    parser.add_argument("--conform-only", action="store_true", help="no unit tests: the share that conform alone finds")
    parser.add_argument("--list", action="store_true", help="print the mutants, run nothing")
    parser.add_argument("--build", metavar="DIR", default="", help="a finished build by Makefiles (default: one is made)")
    parser.add_argument("--device", default="native", help="device of conform (default: native)")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="how many at a time (default: cores)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pendula-mutants-") as scratch:
        try:
            return run(options, scratch)
        except ListError as error:
            print(f"campaign: {error}", file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main())
