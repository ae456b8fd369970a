#!/usr/bin/env python3
# spectra -- response spectra of 40 earthquakes: docs/results/spectra.yaml beside numba at the same work.
"""Makes the records, runs the sweep, and computes the same peaks by numba: by rk4 at the same steps, and by the exact recurrence of
motion under an acceleration that is linear between its samples (N. C. Nigam and P. C. Jennings, 1969).

    spectra.py [--pendula PROGRAM] [--device NAME] [--repetitions N] [--records FILE.h5] [--picture STEM]

--records makes the file of the records alone. Prints a table of seconds, medians of runs in turns: of pendula the integration and the
whole command, of numba the call from arrays to arrays, compiled before. h5py and numpy are needed, and numba for the comparison. All
cores are used. Exit code 1: peaks differ.
"""
import argparse
import json
import math
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWEEP = ROOT / "docs/results/spectra.yaml"
PICTURE = ["--kind", "curves", "--metric", "acceleration", "--x", "T", "--family", "record", "--at", "zeta=0.05", "--scale", "log"]
# Peaks of the same method differ by rounding; those of the exact motion by the error of rk4 at a period of 20 steps.
ALLOWED = {"numba, rk4": 1e-9, "numba, exact recurrence": 1e-2}
RECORDS, SAMPLES, SPACING, STEP, END = 40, 2000, 0.01, 0.005, 25.0


def record(number):
    """A ground's acceleration in m/s^2: noise from a seed through the filter of K. Kanai (1957) and H. Tajimi (1960), a ground of 2.5 Hz
    and 60 % damping on rigid rock, under an envelope that rises for 3 s, stays, and decays from 10 s on."""
    noise, omega, zeta, u, v, out = random.Random(number), 5.0 * math.pi, 0.6, 0.0, 0.0, []
    for i in range(SAMPLES):
        t = i * SPACING
        v += SPACING * (noise.gauss(0.0, 1.0) - 2.0 * zeta * omega * v - omega * omega * u)
        u += SPACING * v
        out.append((2.0 * zeta * omega * v + omega * omega * u) * (min(t / 3.0, 1.0) ** 2 if t < 10.0 else math.exp(-0.4 * (t - 10.0))))
    peak = max(map(abs, out))
    return [9.81 * (0.1 + 0.5 * number / (RECORDS - 1)) * a / peak for a in out]


def write_records(path):
    rows = np.array([record(number) for number in range(RECORDS)])
    with h5py.File(path, "w") as file:
        file["t"], file["a"] = [round(i * SPACING, 2) for i in range(SAMPLES)], rows
    return rows


def exact_step(omega, zeta, h):
    """The motion of a step of h: (u, v) at its end from (u, v), the ground's acceleration at its start and its rate of change."""
    beta, damped = zeta * omega, omega * math.sqrt(1.0 - zeta * zeta)
    decay, sine, cosine = math.exp(-beta * h), math.sin(damped * h), math.cos(damped * h)
    # Homogeneous solutions that begin with (1, 0) and (0, 1), and what stays at rest under a constant and a growing acceleration.
    uu, uv = decay * (cosine + beta / damped * sine), decay * sine / damped
    vu, vv = -omega * omega * uv, decay * (cosine - beta / damped * sine)
    square = omega * omega
    au, av = (uu - 1.0) / square, vu / square
    slack = 2.0 * zeta / omega
    bu = (-h + slack + uv - slack * uu) / square
    bv = (-1.0 + vv - slack * vu) / square
    return uu, uv, vu, vv, au, av, bu, bv


def grounds(rows):
    """The acceleration at every step and half step, linear between samples and 0 behind them."""
    at = np.arange(2 * round(END / STEP) + 1) * (0.5 * STEP)
    times = np.arange(SAMPLES) * SPACING
    inside = at <= times[-1] + 1e-9
    return np.array([np.where(inside, np.interp(at, times, row), 0.0) for row in rows])


def exact(rows, periods, dampings):
    """The peaks [record][damping][period][displacement, acceleration, shear] at the steps, by the recurrence."""
    ground = grounds(rows)[:, ::2]
    step = np.array([[exact_step(2.0 * math.pi / T, zeta, STEP) for T in periods] for zeta in dampings])
    uu, uv, vu, vv, au, av, bu, bv = (step[..., k] for k in range(8))
    omega, zeta = 2.0 * math.pi / np.array(periods)[None, None, :], np.array(dampings)[None, :, None]
    shape = (len(rows), len(dampings), len(periods))
    u, v, peaks = np.zeros(shape), np.zeros(shape), np.zeros(shape + (3,))
    for n in range(ground.shape[1] - 1):
        a, slope = ground[:, n, None, None], (ground[:, n + 1] - ground[:, n])[:, None, None] / STEP
        u, v = uu * u + uv * v + au * a + bu * slope, vu * u + vv * v + av * a + bv * slope
        shear = omega**2 * u
        peaks = np.maximum(peaks, np.abs(np.stack([u, shear + 2.0 * zeta * omega * v, shear], axis=-1)))
    return peaks


def compile_numba():
    """The two peers: the same loops over points that threads share."""
    import numba  # the only part that needs it

    @numba.njit(inline="always")
    def table(rows, record, t):
        at = t / SPACING
        i = min(int(at), SAMPLES - 2)
        return rows[record, i] + (at - i) * (rows[record, i + 1] - rows[record, i]) if at <= SAMPLES - 1 + 1e-9 else 0.0

    @numba.njit(parallel=True)
    def runge_kutta(rows, points, peaks, steps, h):
        for p in numba.prange(points.shape[0]):
            record, c, k = int(points[p, 0]), 2.0 * points[p, 1] * points[p, 2], points[p, 2] * points[p, 2]
            u, v, x, y, z = 0.0, 0.0, 0.0, 0.0, 0.0
            for n in range(steps):
                t = n * h
                a1 = -k * u - c * v - table(rows, record, t)
                v2 = v + 0.5 * h * a1
                a2 = -k * (u + 0.5 * h * v) - c * v2 - table(rows, record, t + 0.5 * h)
                v3 = v + 0.5 * h * a2
                a3 = -k * (u + 0.5 * h * v2) - c * v3 - table(rows, record, t + 0.5 * h)
                v4 = v + h * a3
                a4 = -k * (u + h * v3) - c * v4 - table(rows, record, t + h)
                u += h / 6.0 * (v + 2.0 * (v2 + v3) + v4)
                v += h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4)
                x, y, z = max(x, abs(u)), max(y, abs(k * u + c * v)), max(z, abs(k * u))
            peaks[p, 0], peaks[p, 1], peaks[p, 2] = x, y, z

    @numba.njit(parallel=True)
    def recurrence(rows, points, coefficients, peaks, steps, h):
        for p in numba.prange(points.shape[0]):
            record, c, k = int(points[p, 0]), 2.0 * points[p, 1] * points[p, 2], points[p, 2] * points[p, 2]
            uu, uv, vu, vv, au, av, bu, bv = coefficients[p]
            u, v, x, y, z, a = 0.0, 0.0, 0.0, 0.0, 0.0, table(rows, record, 0.0)
            for n in range(steps):
                b = table(rows, record, (n + 1) * h)
                slope = (b - a) / h
                u, v = uu * u + uv * v + au * a + bu * slope, vu * u + vv * v + av * a + bv * slope
                a = b
                x, y, z = max(x, abs(u)), max(y, abs(k * u + c * v)), max(z, abs(k * u))
            peaks[p, 0], peaks[p, 1], peaks[p, 2] = x, y, z

    return runge_kutta, recurrence


def run_pendula(program, device, folder, *changes):
    """The sweep's axes and peaks, and the seconds of the integration and of the command."""
    begun = time.perf_counter()
    said = subprocess.run([program, "run", "spectra.yaml", "-d", device, "--force", "--progress", "none", "--summary", "json", *changes],
                          cwd=folder, check=True, capture_output=True, text=True).stdout
    seconds = json.loads(said.splitlines()[-1])["compute_seconds"], time.perf_counter() - begun
    with h5py.File(f"{folder}/spectra.h5") as file:
        axes = [file[f"rk4/{name}"][()] for name in ("record", "zeta", "T")]
        return axes, np.stack([file[f"rk4/{name}"][()] for name in ("x_max", "acceleration", "shear")], axis=-1), seconds


def make_peers(rows, axes):
    """By name a function that computes all peaks."""
    runge_kutta, recurrence = compile_numba()
    record, zeta, period = np.meshgrid(*axes, indexing="ij")
    points = np.stack([record.ravel(), zeta.ravel(), 2.0 * math.pi / period.ravel()], axis=-1)
    coefficients = np.array([exact_step(omega, zeta, STEP) for _, zeta, omega in points])
    peaks, steps = np.empty((len(points), 3)), round(END / STEP)

    def by_steps():
        runge_kutta(rows, points, peaks, steps, STEP)
        return peaks.reshape(record.shape + (3,)).copy()

    def by_recurrence():
        recurrence(rows, points, coefficients, peaks, steps, STEP)
        return peaks.reshape(record.shape + (3,)).copy()

    return {"numba, rk4": by_steps, "numba, exact recurrence": by_recurrence}


def compare(arguments):
    program = os.path.abspath(arguments.pendula)
    seconds, wrong = {}, False
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(SWEEP, folder)
        rows = write_records(f"{folder}/records.h5")
        axes, peaks, _ = run_pendula(program, arguments.device, folder)
        peers = make_peers(rows, axes)
        apart = {}
        for name, peer in peers.items():
            apart[name] = float(np.max(np.abs(peer() / peaks - 1.0)))
            wrong = wrong or apart[name] > ALLOWED[name]
        for _ in range(arguments.repetitions):
            _, _, (inner, whole) = run_pendula(program, arguments.device, folder)
            seconds.setdefault("pendula, integration", []).append(inner)
            seconds.setdefault("pendula, whole command", []).append(whole)
            for name, peer in peers.items():
                begun = time.perf_counter()
                peer()
                seconds.setdefault(name, []).append(time.perf_counter() - begun)
        if arguments.picture:
            subprocess.run([program, "plot", f"{folder}/spectra.h5", *PICTURE, "-o", os.path.abspath(arguments.picture), "--force", "--format", "png"], check=True)
    print("| code | seconds | least to largest | peaks apart from pendula's |\n| --- | --- | --- | --- |")
    for name, all_of in seconds.items():
        print(f"| {name} | {statistics.median(all_of):.2f} | {min(all_of):.2f} to {max(all_of):.2f} | {f'{apart[name]:.1e}' if name in apart else ''} |")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pendula", default=ROOT / "build/pendula", metavar="PROGRAM")
    parser.add_argument("--device", default="cpu", metavar="NAME")
    parser.add_argument("--repetitions", type=int, default=5, metavar="N")
    parser.add_argument("--records", metavar="FILE.h5")
    parser.add_argument("--picture", metavar="STEM")
    arguments = parser.parse_args()
    if arguments.records:
        write_records(arguments.records)
        return 0
    return int(compare(arguments))


if __name__ == "__main__":
    sys.exit(main())
