# check_native_vectors -- `-d native`: clang makes one instruction of a root, or of a fused sum, of a whole vector of the processor.
"""Compiles a sweep's text behind kernels/native.h for processors with vectors of 256 and of 512 bits, whatever this one has, and counts
instructions. A loop over lanes that clang takes one by one made roots twenty times as slow. Needs clang, and x86."""
import os
import pathlib
import platform
import re
import shutil
import subprocess

from checking import check, finish, folder, pendula, skip

SWEEP = """
problem: elastic_pendulum_cartesian
parameters: {eps: {log: [1.0e-1, 1.0e-3, 64]}}
methods: [{theta2: {theta: 0.07}}]
step: 0.01
steps: 10
metrics: [status, x_final]
"""
NATIVE = pathlib.Path(os.environ["PENDULA_SOURCE_DIR"], "kernels/native.h").read_text()
# Processor, lanes, single precision.
CASES = [("x86-64-v3", 4, 0), ("x86-64-v3", 8, 0), ("x86-64-v3", 32, 0), ("x86-64-v3", 16, 1),
         ("skylake-avx512", 8, 0), ("skylake-avx512", 16, 0), ("skylake-avx512", 32, 0), ("skylake-avx512", 32, 1)]

clang = shutil.which("clang") or next(iter(sorted(map(str, pathlib.Path("/usr/lib").glob("llvm-*/bin/clang")))), None)
if not clang or platform.machine() != "x86_64":
    skip("no clang, or no x86")
sweep, text = folder / "roots.yaml", folder / "roots.c"
sweep.write_text(SWEEP)
source = pendula("source", sweep).out
text.write_text(f"{NATIVE}\n{source}")
for processor, lanes, single in CASES:
    options = ["-std=gnu17", "-O3", f"-march={processor}", "-ffp-contract=off", "-fno-math-errno", "-fno-builtin", "-fPIC", "-Wno-everything",
               f"-DLANES={lanes}", f"-DSINGLE={single}", "-DLOCAL_SIZE=1", "-S", "-o", "-"]
    made = subprocess.run([clang, *options, text], capture_output=True, text=True)
    last = "s" if single else "d"
    whole, one = (len(re.findall(rf"\t{word}", made.stdout)) for word in (f"vsqrtp{last}", f"vsqrts{last}"))
    sums, ones = (len(re.findall(rf"\tvfn?m(?:add|sub)[0-9]*{word}{last}", made.stdout)) for word in ("p", "s"))
    words = f"{processor}, {lanes} lanes{', single' if single else ''}"
    check(made.returncode == 0, f"{words}: {made.stderr[:400]}")
    check(whole > 0 and one == 0, f"{words}: {whole} roots of vectors, {one} of numbers")
    check(sums > 0 and ones == 0, f"{words}: {sums} fused sums of vectors, {ones} of numbers")
finish()
