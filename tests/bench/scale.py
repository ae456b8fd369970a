#!/usr/bin/env python3
# scale -- files, memory, journal and merge of a sweep of up to 10^9 points in 256 shards, by an engine that computes nothing.
"""Writes shards by tests/bench/dry_run.c, merges and verifies them by the program, and prints a table.

    scale.py --dry DRY_RUN [--program PROGRAM] [--points N[,N...]] [--shards N] [--folder FOLDER]

The sweep is a grid of three axes with a status and one metric: 9 bytes a point. Shards are written one after the other, and the times of
each are listed as median and maximum. FOLDER (a temporary one) needs room for twice the bytes.
"""
import argparse
import json
import os
import pathlib
import statistics
import tempfile

from measured import ROOT, timed


def study(arguments, points, folder):
    side = round(points ** (1 / 3))
    (folder / "scale.yaml").write_text(f"""problem: pendulum
parameters: {{x0: {{linear: [0.1, 3, {side}]}}, zeta: {{linear: [0, 0.2, {side}]}}, v0: {{linear: [0, 1, {points // side // side}]}}}}
methods: [rk4]
step: 0.1
end: 10
metrics: [status, x_max]
""")
    sweep, shards, made = folder / "scale.yaml", [], []
    for i in range(arguments.shards):
        shards.append(folder / f"{i:05}.h5")
        seconds, memory, out = timed(arguments.dry, sweep, shards[-1], f"{i}/{arguments.shards}")
        made.append(json.loads(out) | {"seconds": seconds, "memory": memory})
    total = sum(m["points"] for m in made)
    disk = sum(shard.stat().st_blocks for shard in shards) * 512
    merging, merge_memory, _ = timed(arguments.program, "merge", "-o", folder / "whole.h5", "--progress", "none", *shards)
    for shard in shards:
        shard.unlink()
    verifying, verify_memory, _ = timed(arguments.program, "verify", folder / "whole.h5")
    size = (folder / "whole.h5").stat().st_size
    info, info_memory, _ = timed(arguments.program, "info", folder / "whole.h5")
    for file in folder.glob("whole.h5*"):
        file.unlink()
    row = {"points": total, "shards": arguments.shards, "bytes": size, "overhead_bytes_per_shard": (disk - sum(m["bytes"] for m in made)) / len(made),
           "make_seconds": statistics.median(m["make_seconds"] + m["plan_seconds"] for m in made),
           "write_seconds": statistics.median(m["write_seconds"] for m in made), "worst_shard_seconds": max(m["seconds"] for m in made),
           "shard_mib": max(m["memory"] for m in made), "merge_seconds": merging, "merge_mib": merge_memory, "verify_seconds": verifying,
           "verify_mib": verify_memory, "info_seconds": info, "info_mib": info_memory}
    print(json.dumps({k: float(f"{v:.4g}") for k, v in row.items()}), flush=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dry", required=True)
    parser.add_argument("--program", default=os.environ.get("PENDULA_PROGRAM", ROOT / "build/pendula"))
    parser.add_argument("--points", default="1000000,10000000,100000000")
    parser.add_argument("--shards", type=int, default=256)
    parser.add_argument("--folder")
    arguments = parser.parse_args()
    for points in map(int, arguments.points.split(",")):
        with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
            study(arguments, points, pathlib.Path(folder))


if __name__ == "__main__":
    main()
