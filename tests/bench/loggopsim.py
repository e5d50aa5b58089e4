#!/usr/bin/env python3
"""Holds `gable virt scale` against LogGOPSim (Hoefler, Schneider and Lumsdaine 2010) on the same schedule and noise.

    tests/bench/loggopsim.py GABLE_BUILD LOGGOPSIM_FOLDER [--nodes N,...] [--steps N] [--runs N]

LOGGOPSIM_FOLDER has the programs LogGOPSim and txt2bin, built outside of this tree. Each step computes 10 ms on every
node and ends in a dissemination of 1-byte messages with L = 2 us, o = 1 us and nothing else. LogGOPSim starts each rank
at a random time of the record; it seeds by the second, so that runs are a second apart.
"""
import argparse
import json
import os
import random
import re
import subprocess
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("build")
parser.add_argument("loggopsim")
parser.add_argument("--nodes", default="16,64,256,1024")
parser.add_argument("--steps", type=int, default=50)
parser.add_argument("--runs", type=int, default=5)
arguments = parser.parse_args()
compute = 10_000_000  # ns


def record(share, period, seconds, seed):
    """Exponential detours at random, in seconds: (begin, length)."""
    rng = random.Random(seed)
    at, found = 0.0, []
    while True:
        at += rng.expovariate(1 / period)
        length = rng.expovariate(1 / (share * period))
        if at + length > seconds:
            return found
        found.append((at, length))
        at += length


def goal(nodes):
    lines = [f"num_ranks {nodes}"]
    for rank in range(nodes):
        lines.append(f"rank {rank} {{")
        number, before = 0, []
        def add(text):
            nonlocal number
            number += 1
            lines.append(f"l{number}: {text}")
            for each in before:
                lines.append(f"l{number} requires l{each}")
            return number
        for step in range(arguments.steps):
            before = [add(f"calc {compute}")]
            distance, tag = 1, 1
            while distance < nodes:
                send = add(f"send 1b to {(rank + distance) % nodes} tag {tag}")
                receive = add(f"recv 1b from {(rank - distance) % nodes} tag {tag}")
                before, distance, tag = [send, receive], 2 * distance, tag + 1
        lines.append("}")
    return "\n".join(lines) + "\n"


with tempfile.TemporaryDirectory() as work:
    os.mkdir(f"{work}/m")
    for share, period in ((0.02, 0.05), (0.0022, 0.004), (0.02, 2)):
        seconds = max(20, 400 * period)
        detours = record(share, period, seconds, 1)
        with open(f"{work}/trace", "w") as file:
            file.write("\n".join(f"{at * 1e9:.0f}\t{length * 1e9:.0f}" for at, length in detours))
        sample = {"schema": 1, "asked": {"kind": "noise", "what": "detours", "pages": "", "cpu": 0, "bytes": 0}, "round": 0,
                  "facts": {}, "status": "ok", "reason": "", "seconds": [seconds], "work": [1], "disturbed": 0,
                  "steal_percent": 0, "verified": "", "threshold_us": 0.1, "pass_ns": 10, "interrupts": {},
                  "begin_us": [at * 1e6 for at, _ in detours], "length_us": [length * 1e6 for _, length in detours],
                  "notes": [], "started": "2026-01-01T00:00:00Z"}
        with open(f"{work}/m/virt.jsonl", "w") as file:
            file.write(json.dumps(sample) + "\n")
        print(f"noise of {100 * share:g} %, a detour every {1000 * period:g} ms on average")
        print(f"{'nodes':>8}{'LogGOPSim':>12}{'Gable':>12}{'95 %':>22}{'difference':>12}")
        for nodes in map(int, arguments.nodes.split(",")):
            with open(f"{work}/goal", "w") as file:
                file.write(goal(nodes))
            subprocess.run([f"{arguments.loggopsim}/txt2bin", "-i", f"{work}/goal", "-o", f"{work}/bin"], check=True,
                           stdout=subprocess.DEVNULL)
            times = []
            for run in range(arguments.runs):
                time.sleep(1.05)
                out = subprocess.run([f"{arguments.loggopsim}/LogGOPSim", "-f", f"{work}/bin", "-L", "2000", "-o", "1000", "-g", "0",
                                      "-G", "0", "-O", "0", "--noise-trace", f"{work}/trace", "--batchmode"], check=True,
                                     capture_output=True, text=True).stdout
                found = re.findall(r"(?:Host \d+|time at host \d+): (\d+)", out)
                times.append(max(map(int, found)))
            theirs = sum(times) / len(times) / 1e9
            points = json.loads(subprocess.run([f"{arguments.build}/gable", "virt", "scale", f"{work}/m", "--nodes", str(nodes),
                                                "--steps", str(arguments.steps), "--json"], check=True, capture_output=True).stdout)
            last = points["points"][-1]
            ours = [last["quiet_seconds"] * last[which] for which in ("slowdown", "lo", "hi")]
            print(f"{nodes:8}{theirs:12.5f}{ours[0]:12.5f}{ours[1]:11.5f}{ours[2]:11.5f}{100 * (ours[0] / theirs - 1):+10.2f} %")
