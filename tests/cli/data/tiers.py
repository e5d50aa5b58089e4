#!/usr/bin/env python3
"""Writes FOLDER/tiers.jsonl of an invented machine with DRAM and NVM whose figures are known: `rate` below, with 1 % noise.

Usage: tiers.py FOLDER        (the seed is fixed: the same file every time)
"""
import json
import math
import pathlib
import random
import sys

THREADS, SMT_THREADS, VISITS, REPETITIONS = (1, 2, 4, 8, 16, 18), 36, 6, 9
SIZES = (64, 128, 256, 512, 1024, 2048, 4096)
READ_SIZES = (64, 256)
STREAMS = [("load", ""), ("store", "store"), ("store", "clwb"), ("store", "nt"), ("copy", "store"), ("scale", "store"),
           ("add", "store"), ("triad", "store"), ("copy", "nt"), ("scale", "nt"), ("add", "nt"), ("triad", "nt")]
PEAK = {"DRAM": dict(load=106, store=74, copy=67, scale=67, add=75, triad=75),
        "NVM": dict(load=40, store=11, copy=5.5, scale=5.5, add=8, triad=8.1)}
LATENCY = {"DRAM": 137, "NVM": 404}  # ns
WAY = {"": 1, "store": 0.8, "clwb": 0.9, "nt": 1}


def rate(tier, what, way, size, order, threads):
    """GB/s, or ns of the latency."""
    if what == "latency":
        return LATENCY[tier]
    most = PEAK[tier][what] * WAY[way]
    value = most * (1 - math.exp(-threads / 4))
    if size and what == "load":
        return value * size / (size + {"DRAM": 100, "NVM": 500}[tier])
    if size:
        value *= size / (size + 300)  # waiting for each block
    if tier == "NVM" and what == "store":
        if size and size < 256:
            value *= size / 256  # the media writes 256 bytes
        if way == "store" and threads > 4:
            value *= (4 / threads) ** 0.8  # caches let lines go in no order
        if order == "random" and size:
            value *= 0.8
    return value


def main():
    chance = random.Random(2021)
    lines = []
    cells = [(what, way, 0, "sequential", t, False) for what, way in STREAMS for t in THREADS]
    cells += [(what, way, 0, "sequential", SMT_THREADS, True) for what, way in STREAMS]
    cells += [("store", way, size, order, t, False) for way in ("store", "clwb", "nt") for size in SIZES
              for order in ("sequential", "random") for t in THREADS]
    cells += [("load", "", size, "random", t, t == SMT_THREADS) for size in READ_SIZES for t in (*THREADS, SMT_THREADS)]
    cells.append(("latency", "", 0, "random", 1, False))
    for visit in range(VISITS):
        for what, way, size, order, threads, smt in cells:
            for tier in PEAK:
                value = rate(tier, what, way, size, order, threads)
                per_second = 1e9 / value if what == "latency" else value * 1e9
                seconds = [0.0005] * REPETITIONS
                work = [round(0.0005 * per_second * chance.gauss(1, 0.01), 3) for _ in seconds]
                asked = dict(tier=tier, what=what, way=way, access_bytes=size, order=order, cluster=0, threads=threads,
                             smt=smt, bytes=1 << 28)
                vendor = {("NVM", "load"): 40.8, ("NVM", "store"): 11.1}.get((tier, what))
                lines.append(json.dumps({
                    "schema": 1, "asked": asked, "round": visit, "kernel": f"{what}_avx512", "kind": tier,
                    "how": f"bound to node {tier == 'NVM':d}", "persistent": False, "vendor_gb_per_s": vendor,
                    "status": "ok", "reason": "", "seconds": seconds,
                    "accesses" if what == "latency" else "bytes": work, "disturbed": 0, "clock_ghz": 3.1,
                    "steal_percent": 0.0, "cpus": list(range(threads)), "node_bytes": {str(int(tier == "NVM")): 1 << 28},
                    "notes": [], "started": "2021-06-01T00:00:00Z"}))
    (pathlib.Path(sys.argv[1]) / "tiers.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
