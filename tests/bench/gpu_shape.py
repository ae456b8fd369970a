#!/usr/bin/env python3
# gpu_shape -- what a GPU's compiler makes of each kernel: registers a thread, bytes spilled, bytes of local memory. No GPU is needed.
#
# The composed source at LANES 1 is compiled by clang for sm_90 (PTX, then NVIDIA's ptxas) and for gfx90a, and what the compilers say is
# compared with gpu_shape.json beside this file. A number depends on the compilers; where theirs are other versions than the table's,
# numbers are printed and not compared. A driver brings compilers of its own: the table compares kernels, not devices, and says nothing
# of speed.
#
# ptxas is looked for in PATH, in /usr/local/cuda/bin, and in Python's package nvidia-cuda-nvcc (pip).
#
# usage: gpu_shape.py [--pendula PROGRAM] [--ptxas PROGRAM] [--write] [KERNEL...]
# Exit codes: 0 none is worse, 1 one is, 77 nothing could be compared here. `--write` writes the table anew.
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gpu_shape.json")
SOURCE = os.path.join(os.path.dirname(TABLE), "..", "..")
LOCAL_SIZE = 64

# OpenCL's functions that kernels call, in clang's words.
BUILTINS = """
#define fma(a, b, c) __builtin_fma(a, b, c)
#define sqrt(x) __builtin_sqrt(x)
#define fabs(x) __builtin_fabs(x)
#define convert_double(x) ((double)(x))
#define convert_long(x) ((long)(x))
#define atomic_add(sum, n) __sync_fetch_and_add(sum, n)
#define get_global_id(dimension) ((size_t)(uint)GROUP() * LOCAL_SIZE + (size_t)(uint)ITEM())
"""
NVIDIA = ["-target", "nvptx64-nvidia-cuda", "-Xclang", "-target-cpu", "-Xclang", "sm_80",
          "-DGROUP=__nvvm_read_ptx_sreg_ctaid_x", "-DITEM=__nvvm_read_ptx_sreg_tid_x"]
AMD = ["-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a",
       "-DGROUP=__builtin_amdgcn_workgroup_id_x", "-DITEM=__builtin_amdgcn_workitem_id_x"]

CHAIN = """problem: spring_chain
parameters: {n: %d, cubic: 1, x0: 0.1}
methods: [{generalized_alpha: {rho_inf: 0.6}}]
step: 0.01
steps: 10
newton: {mode: paper, tolerance: 1.0e-10}
metrics: [status, x_final, v_final, updates]
"""
WORKLOADS = ["W1", "W2", "W3", "W5", "W4n4", "W4n8"]
KERNELS = [*WORKLOADS, "quickstart.generalized_alpha", "quickstart.theta2", "all.generalized_alpha", "all.theta2", "n12", "n32"]


def compose(program, kernel, folder):
    """The source of a kernel."""
    sweep, method = os.path.join(folder, "sweep.yaml"), []
    if kernel in WORKLOADS:
        text = subprocess.run([program, "bench", "--print", kernel], check=True, capture_output=True, text=True).stdout
    elif kernel[1:].isdigit():
        text = CHAIN % int(kernel[1:])
    else:
        of, label = kernel.split(".")
        method = ["--method", label]
        with open(os.path.join(SOURCE, "sweeps", "quickstart.yaml"), encoding="utf-8") as file:
            text = file.read()
        if of == "all":  # without a list of metrics: all of them
            text = re.sub(r"(?m)^metrics:\n(  - .*\n)+", "", text)
    with open(sweep, "w", encoding="utf-8") as file:
        file.write(text)
    return subprocess.run([program, "source", sweep, *method], check=True, capture_output=True, text=True).stdout


def compile_to(target, source, path):
    """Compiles a source to assembly as a driver does; the text of it."""
    subprocess.run(["clang", "-x", "cl", "-cl-std=CL1.2", "-nogpulib", *target, "-O3", "-w", "-DLANES=1", "-DSINGLE=0",
                    f"-DLOCAL_SIZE={LOCAL_SIZE}", "-S", "-o", path, "-"], input=BUILTINS + source, text=True, check=True)
    with open(path, encoding="utf-8") as file:
        return file.read()


def number(pattern, text):
    found = re.search(pattern, text)
    if not found:
        sys.exit(f"gpu_shape: no '{pattern}' in:\n{text}")
    return int(found[1])


def nvidia_shape(ptxas, source, folder):
    path = os.path.join(folder, "kernel.ptx")
    compile_to(NVIDIA, source, path)
    said = subprocess.run([ptxas, "-v", "-arch=sm_90", path, "-o", os.devnull], check=True, capture_output=True, text=True)
    of = re.search(r"Compiling entry function 'sweep'(.*?Used .*?)\n", said.stdout + said.stderr, re.DOTALL)[1]
    return {"registers": number(r"Used (\d+) registers", of),
            "spilled": number(r"(\d+) bytes spill stores", of) + number(r"(\d+) bytes spill loads", of),
            "stack": number(r"(\d+) bytes stack frame", of)}


def amd_shape(source, folder):
    text = compile_to(AMD, source, os.path.join(folder, "kernel.s"))
    of = next(kernel for kernel in text.split("  - .args:")[1:] if re.search(r"\.name: +sweep\n", kernel))
    return {"registers": number(r"\.vgpr_count: +(\d+)", of), "spilled": number(r"\.vgpr_spill_count: +(\d+)", of),
            "stack": number(r"\.private_segment_fixed_size: +(\d+)", of)}


def find_ptxas(given):
    places = [given] if given else ["ptxas", "/usr/local/cuda/bin/ptxas"]
    for folder in sys.path if not given else []:
        for package in ("cuda_nvcc", "cu13", "cu14"):
            places.append(os.path.join(folder, "nvidia", package, "bin", "ptxas"))
    return next((found for found in map(shutil.which, places) if found), None)


def version_of(program):
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    return re.search(r"V\d[\d.]*|version \d[\d.]*", said)[0].lstrip("Vversion ")


def verdict(now, before):
    """What to say of a shape, and whether it is worse."""
    worse = [key for key in now if before and now[key] > before[key]]
    better = [f"{key} {before[key]} -> {now[key]}" for key in now if before and now[key] < before[key]]
    if worse:
        return "WORSE: " + ", ".join(f"{key} {before[key]} -> {now[key]}" for key in worse), True
    return ("better: " + ", ".join(better) if better else "", False)


def main():
    parser = argparse.ArgumentParser(description="What GPUs' compilers make of each kernel.")
    parser.add_argument("--pendula", default=os.environ.get("PENDULA_PROGRAM", "build/pendula"))
    parser.add_argument("--ptxas", help="NVIDIA's assembler")
    parser.add_argument("--write", action="store_true", help="write gpu_shape.json anew")
    parser.add_argument("kernels", nargs="*", default=[], metavar="KERNEL", help=", ".join(KERNELS))
    given = parser.parse_args()
    ptxas = find_ptxas(given.ptxas)
    if not shutil.which("clang"):
        print("skipped: this needs clang (Debian: clang)")
        return 77
    if not ptxas:
        print("without ptxas (pip: nvidia-cuda-nvcc) there is nothing of sm_90")
    with open(TABLE, encoding="utf-8") as file:
        table = json.load(file)
    versions = {"clang": version_of("clang"), **({"ptxas": version_of(ptxas)} if ptxas else {})}
    other = [f"{name} {versions[name]} is here, the table's is {table['compilers'].get(name)}" for name in versions
             if versions[name] != table["compilers"].get(name)]
    if other and not given.write:
        print("not compared: " + "; ".join(other))
    failed = False
    print(f"{'kernel':30} {'device':8} {'registers':>9} {'spilled':>8} {'stack':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for kernel in given.kernels or KERNELS:
            source = compose(os.path.abspath(given.pendula), kernel, folder)
            shapes = {**({"sm_90": nvidia_shape(ptxas, source, folder)} if ptxas else {}), "gfx90a": amd_shape(source, folder)}
            for device, now in shapes.items():
                said, worse = verdict(now, None if other else table["kernels"].get(kernel, {}).get(device))
                failed = failed or worse
                print(f"{kernel:30} {device:8} {now['registers']:9} {now['spilled']:8} {now['stack']:7}  {said}".rstrip(), flush=True)
                table["kernels"].setdefault(kernel, {})[device] = now
    if given.write:
        table["compilers"].update(versions)
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write(json.dumps(table, indent=1) + "\n")
        return 0
    return 1 if failed else 77 if other else 0


sys.exit(main())
