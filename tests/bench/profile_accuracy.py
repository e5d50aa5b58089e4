#!/usr/bin/env python3
"""Memory profiles against cachegrind: profile_accuracy.py BUILD PROGRAMS

Runs programs of tests/bench/programs (compiled into the folder PROGRAMS by its Makefile) with one thread under
`gable profile` and under cachegrind, which simulates set-associative caches line by line. Prints the misses of both
for a first-level cache of 32 KiB (8 ways) and a last-level cache of 1 MiB (16 ways), the error of the hit rate, and how
much longer the program takes. The profile knows no ways, so it misses the conflicts of strides by powers of two.
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

CASES = """cg 40 20
fft 14 20
hash_join 16 2
histogram 21 10 1
histogram 21 18 2
lbm 100 96 40
matmul naive 200 1
matmul blocked 200 1
nbody 500 5
radix_sort 16 10
stencil 64 20
transpose 500 20
tree_search 16 100000
triad 100000 20
triangular_solve 30 20
chase 15 500000""".split("\n")
FIRST, LAST = 32 << 10, 1 << 20


def user_seconds(command, **options):
    before = os.times().children_user
    done = subprocess.run(command, check=True, capture_output=True, text=True, **options)
    return os.times().children_user - before, done


def machine_with(folder, caches):
    """A recorded machine with one core and these caches."""
    caches = [{"level": i + 1, "bytes": size, "largest_bytes": size, "count": 1, "pus_sharing": 1, "cores_sharing": 1}
              for i, size in enumerate(caches)]
    machine = json.loads((pathlib.Path(__file__).resolve().parents[2] / "machines/joe0/machine.json").read_text())
    machine["caches"] = caches
    for cluster in machine["clusters"]:
        cluster["caches"] = caches
    (folder / "machine.json").write_text(json.dumps(machine))


def misses(row, level):
    orders = row["behind"][level]
    return sum(orders[o][k] for o in ("sequential", "independent", "chained") for k in ("read", "write")) / 64


def profiled(gable, command, folder, env):
    seconds, _ = user_seconds([gable, "profile", "-o", folder / "a.profile", "--", *command], env=env)
    shown = subprocess.run([gable, "profile", "show", folder / "a.profile", "--machine", folder, "--json", "--by", "function"],
                           check=True, capture_output=True, text=True).stdout
    document = json.loads(shown)
    return seconds, document["lines_followed"], [sum(misses(row, level) for row in document["functions"]) for level in ("L1", "L2")]


def simulated(command, env):
    options = [f"--D1={FIRST},8,64", f"--LL={LAST},16,64", f"--I1={FIRST},8,64", "--cache-sim=yes", "--cachegrind-out-file=/dev/null"]
    text = user_seconds(["valgrind", "--tool=cachegrind", *options, *command], env=env)[1].stderr
    number = lambda name: int(re.search(name + r":\s+([\d,]+)", text).group(1).replace(",", ""))
    return number("D   refs"), [number("D1  misses"), number("LLd misses")]


def main():
    build, programs = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    env = dict(os.environ, OMP_NUM_THREADS="1")
    errors = ([], [])
    print(f"{'program':24} {'followed':>8} {'D1':>7} {'LL':>7} {'hit rate D1':>12} {'LL':>8} {'times as long':>14}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        machine_with(folder, (FIRST, LAST))
        for case in CASES:
            command = [str(programs / case.split()[0]), *case.split()[1:]]
            native = max(user_seconds(command, env=env)[0], 0.001)
            seconds, followed, ours = profiled(build / "gable", command, folder, env)
            accesses, truth = simulated(command, env)
            by_rate = [100 * (a - b) / accesses for a, b in zip(ours, truth)]
            for list_of, error in zip(errors, by_rate):
                list_of.append(abs(error))
            print(f"{case:24} {'1/' + str(round(1 / followed)):>8} {ours[0] / truth[0]:7.3f} {ours[1] / truth[1]:7.3f} "
                  f"{by_rate[0]:+11.2f}% {by_rate[1]:+7.2f}% {seconds / native:14.0f}", flush=True)
    print(f"mean error of the hit rate: D1 {statistics.mean(errors[0]):.2f} %, LL {statistics.mean(errors[1]):.3f} %")


if __name__ == "__main__":
    main()
