#!/usr/bin/env python3
"""Memory profiles against cachegrind: profile_accuracy.py BUILD PROGRAMS [CASE...]

Fails if the misses of a last-level cache differ by more than 2 %.

Runs programs of tests/bench/programs (compiled into the folder PROGRAMS by its Makefile) with one thread under
`gable profile` and under cachegrind, which simulates caches line by line: a first-level cache of 32 KiB with 8 ways, and
a last-level cache (LL) of 1 MiB, once with one set of all its lines and once with 16 ways. Cachegrind selects sets by the
program's addresses, so the profile is shown with all data on huge pages. Each address is that of another run, so the
same stacks, heaps and libraries may lie elsewhere.

Cachegrind's LL has room for code, too, which profiles do not know. Its first-level cache of code therefore has lines of
4 MiB, so that code takes only a few lines of the LL.

Prints the misses of data in the profile as a part of cachegrind's; how many more misses cachegrind's 16 ways
have than its one set ("conflicts"); what 16 ways have on small pages by the profile as a part of one set ("small pages");
the error of the hit rate with ways; and how much longer the program takes under `gable profile`.
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
FIRST, FIRST_WAYS, LAST, LAST_WAYS = 32 << 10, 8, 1 << 20, 16


def user_seconds(command, **options):
    before = os.times().children_user
    done = subprocess.run(command, check=True, capture_output=True, text=True, **options)
    return os.times().children_user - before, done


def machine_with(folder, caches):
    """A recorded machine with one core and caches of these sizes and ways (0: all lines in one set)."""
    caches = [{"level": i + 1, "bytes": size, "count": 1, "pus_sharing": 1, "cores_sharing": 1} | ({"ways": ways} if ways else {})
              for i, (size, ways) in enumerate(caches)]
    machine = json.loads((pathlib.Path(__file__).resolve().parents[2] / "machines/joe0/machine.json").read_text())
    machine["caches"] = caches
    for cluster in machine["clusters"]:
        cluster["caches"] = caches
    folder.mkdir()
    (folder / "machine.json").write_text(json.dumps(machine))


def misses(row, level):
    orders = row["behind"][level]
    return sum(orders[o][k] for o in ("sequential", "independent", "chained") for k in ("read", "write")) / 64


def shown(gable, profile, machine, huge_pages):
    """Misses of the first level and of the last one."""
    document = json.loads(subprocess.run(
        [gable, "profile", "show", profile, "--machine", machine, "--huge-pages", str(huge_pages), "--json", "--by", "function"],
        check=True, capture_output=True, text=True).stdout)
    return [sum(misses(row, level) for row in document["functions"]) for level in ("L1", "L2")]


def simulated(command, env, ways):
    """Accesses; misses of data in the first level, and in the last one with so many ways."""
    options = [f"--D1={FIRST},{FIRST_WAYS},64", f"--LL={LAST},{ways},64", f"--I1={16 << 20},4,{4 << 20}", "--cache-sim=yes",
               "--cachegrind-out-file=/dev/null"]
    text = user_seconds(["valgrind", "--tool=cachegrind", *options, *command], env=env)[1].stderr
    number = lambda name: int(re.search(rf"{name}:\s+([\d,]+)", text).group(1).replace(",", ""))
    return number(r"D\s+refs"), [number(r"D1\s+misses"), number(r"LLd\s+misses")]


def main():
    build, programs = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    gable, env = build / "gable", dict(os.environ, OMP_NUM_THREADS="1")
    errors, failed = ([], []), []
    print(f"{'program':24} {'lines':>6} {'sets':>6} {'D1':>7} {'LL one set':>11} {'LL 16 ways':>11} {'conflicts':>10} "
          f"{'small pages':>12} {'hit rate D1':>12} {'LL':>8} {'times as long':>14}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        machine_with(folder / "one-set", [(FIRST, FIRST_WAYS), (LAST, 0)])
        machine_with(folder / "ways", [(FIRST, FIRST_WAYS), (LAST, LAST_WAYS)])
        for case in sys.argv[3:] or CASES:
            command = [str(programs / case.split()[0]), *case.split()[1:]]
            native = max(user_seconds(command, env=env)[0], 0.001)
            profile = folder / "a.profile"
            seconds, _ = user_seconds([gable, "profile", "-o", profile, "--", *command], env=env)
            head = json.loads(profile.read_text())["profile"][0]
            one_set, ways, small = (shown(gable, profile, folder / machine, huge)
                                    for machine, huge in (("one-set", 100), ("ways", 100), ("ways", 0)))
            accesses, truth = simulated(command, env, LAST_WAYS)
            truth_of_one_set = simulated(command, env, LAST // 64)[1]
            by_rate = [100 * (a - b) / accesses for a, b in zip(ways, truth)]
            for list_of, error in zip(errors, by_rate):
                list_of.append(abs(error))
            print(f"{case:24} {'1/' + str(round(1 / head['lines_followed'])):>6} {str(round(64 * head['sets_followed'])) + '/64':>6} "
                  f"{ways[0] / truth[0]:7.3f} {one_set[1] / truth_of_one_set[1]:11.3f} {ways[1] / truth[1]:11.3f} "
                  f"{100 * (truth[1] / truth_of_one_set[1] - 1):+9.1f}% {small[1] / one_set[1]:12.3f} "
                  f"{by_rate[0]:+11.2f}% {by_rate[1]:+7.2f}% {seconds / native:14.0f}", flush=True)
            failed += [case] if max(abs(one_set[1] / truth_of_one_set[1] - 1), abs(ways[1] / truth[1] - 1)) > 0.02 else []
    print(f"mean error of the hit rate: D1 {statistics.mean(errors[0]):.2f} %, LL {statistics.mean(errors[1]):.3f} %")
    if failed:
        sys.exit("more than 2 % of the misses: " + ", ".join(failed))


if __name__ == "__main__":
    main()
