#!/usr/bin/env python3
"""The overhead of `gable kmaf run`: alternating runs of a program under --policy os and managed, in pairs.

    tests/bench/kmaf_overhead.py [--pairs 10] [--seconds 5] [--overhead 1%] [--kib 32768] [--kernels ring,private,...] [BUILD]

The programs are the kernels of examples/sharing.c (`ninja -C BUILD examples`), with as many threads as there are CPUs and as many
passes as take about --seconds here. Prints, of each kernel, the wall clock's and the CPU time's ratio managed / unmanaged
(geometric mean over the pairs, 95 % interval), and what the manager says itself that it took. On one node there is nothing to gain, so the ratio is the
cost; on several it is cost less gain.
"""

import argparse
import json
import math
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

STUDENT_95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131]
KERNELS = "ring,pipeline,blocks,all-to-all,private,phases"


def interval(ratios):
    """Geometric mean and its 95 % interval by Student's t of the logarithms."""
    logs = [math.log(ratio) for ratio in ratios]
    middle = statistics.fmean(logs)
    if len(logs) < 2:
        return f"{math.exp(middle):.4f}"
    half = STUDENT_95[min(len(logs) - 1, len(STUDENT_95)) - 1] * statistics.stdev(logs) / math.sqrt(len(logs))
    return f"{math.exp(middle):.4f} ({math.exp(middle - half):.4f} to {math.exp(middle + half):.4f})"


class Run:
    """One run: wall clock, CPU time of program and manager, and the report."""

    def __init__(self, command, policy, folder):
        report = folder / "report.json"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.monotonic()
        done = subprocess.run([*command[:1], "kmaf", "run", *policy, "--json", "--report", report, "--", *command[1:]], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.wall = time.monotonic() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            sys.exit(f"kmaf_overhead.py: {' '.join(map(str, command))}: {done.stderr.strip() or done.returncode}")
        self.cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.output = done.stdout
        self.report = json.loads(report.read_text())


def passes_for(command, seconds):
    """As many passes as take about `seconds`."""
    passes = 1
    while True:
        began = time.monotonic()
        subprocess.run([*command, "--passes", str(passes)], check=True, stdout=subprocess.DEVNULL)
        took = time.monotonic() - began
        if took > 0.5:
            return max(1, round(passes * seconds / took))
        passes *= 4


def checksum(output):
    """What the program computed, without its times."""
    return re.findall(r"checksum\S*\s+(\S+)", output)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--overhead", default="1%")
    parser.add_argument("--kib", type=int, default=32768, help="of each thread's array")
    parser.add_argument("--kernels", default=KERNELS)
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=pathlib.Path("build"))
    given = parser.parse_args()
    gable, sharing = given.build / "gable", given.build / "examples" / "sharing"
    if not sharing.exists():
        print(f"kmaf_overhead.py: {sharing}: not there; run: ninja -C {given.build} examples", file=sys.stderr)
        return 77
    os.environ.setdefault("OMP_NUM_THREADS", str(len(os.sched_getaffinity(0))))
    every = []
    print(f"{'kernel':<12} {'wall clock, managed / unmanaged':<34} {'CPU time':<34} {'own account':>11}  samples/s")
    with tempfile.TemporaryDirectory() as folder:
        for kernel in given.kernels.split(","):
            program = [sharing, kernel, "--kib", str(given.kib)]
            command = [gable, *program, "--passes", str(passes_for(program, given.seconds))]
            pairs = []
            for turn in range(given.pairs):
                order = [["--policy", "os"], ["--policy", "kmaf", "--overhead", given.overhead]]
                runs = [Run(command, policy, pathlib.Path(folder)) for policy in (order if turn % 2 == 0 else order[::-1])]
                alone, managed = runs if turn % 2 == 0 else runs[::-1]
                if not managed.report["managed"]:
                    sys.exit("kmaf_overhead.py: not managed: " + json.dumps(managed.report["notes"]))
                if not checksum(alone.output) or checksum(alone.output) != checksum(managed.output):
                    sys.exit(f"kmaf_overhead.py: {kernel}: another result: {alone.output} {managed.output}")
                pairs.append((alone, managed))
            walls = [managed.wall / alone.wall for alone, managed in pairs]
            every += walls
            own = statistics.fmean(managed.report["overhead_share_of_cpu"] for _, managed in pairs)
            rate = statistics.fmean(managed.report["samples"]["per_second"] for _, managed in pairs)
            print(f"{kernel:<12} {interval(walls):<34} {interval([m.cpu / a.cpu for a, m in pairs]):<34} {100 * own:9.2f} %  {rate:9.0f}",
                  flush=True)
    print(f"{'all':<12} {interval(every)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
