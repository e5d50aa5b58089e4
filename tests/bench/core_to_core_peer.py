#!/usr/bin/env python3
"""Compares Gable's hand-offs between cores with core-to-core-latency's, in one run and by turns.

  tests/bench/core_to_core_peer.py PEER [-r ROUNDS] [--build BUILD]

PEER is the program, as `cargo install --root FOLDER core-to-core-latency` builds it: FOLDER/bin/core-to-core-latency.
Each round runs Gable and then the peer. The ratio of a pair is the median of the ratios within the rounds, because the
speed of a shared machine changes from round to round. The peer prints a mean, which a single interruption of a thread
raises, so a round counts only if Gable has a valid visit to the pair and the hypervisor took no time away. Prints each
pair's nanoseconds and ratio, and the geometric mean over the pairs."""
import argparse, json, math, statistics, subprocess, sys, tempfile


def of_gable(gable):
    """Nanoseconds by pair: the median over its visits, with the line on the node of the first CPU."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([gable, "measure", folder, "--only", "c2c", "--quiet"], check=True, capture_output=True)
        values = {}
        for line in open(f"{folder}/c2c.jsonl"):
            visit = json.loads(line)
            asked = visit["asked"]
            if asked["measure"] != "handoff" or visit["status"] != "ok" or asked["home"] not in ("both", "first"):
                continue
            ns = statistics.median(1e9 * s / w for s, w in zip(visit["seconds"], visit["work"]))
            values.setdefault(tuple(sorted(asked["pus"])), []).append(ns)
        return {pair: statistics.median(of_pair) for pair, of_pair in values.items()}


def of_peer(peer):
    """The same of the peer's first benchmark: rows and columns are the CPUs in their order."""
    text = subprocess.run([peer, "1000", "300", "--bench", "1", "--csv"], check=True, capture_output=True, text=True).stdout
    rows = [line.split(",") for line in text.splitlines() if "," in line]
    return {(j, i): float(cell) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell.strip() and j < i}


def stolen():
    """Ticks that the hypervisor took away since boot."""
    return int(open("/proc/stat").readline().split()[8])


def interval(values):
    """The 95 % interval of the median, from order statistics; the range of fewer than six values."""
    values, n = sorted(values), len(values)
    below = 0
    while below + 1 < n / 2 and sum(math.comb(n, k) for k in range(below + 1)) / 2 ** n <= 0.025:
        below += 1
    first = max(0, below - 1)
    return values[first], values[n - 1 - first]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("peer")
    parser.add_argument("-r", "--rounds", type=int, default=12)
    parser.add_argument("--build", default="build")
    arguments = parser.parse_args()
    ours, theirs = {}, {}
    for number in range(arguments.rounds):
        before = stolen()
        gable, peer = of_gable(f"{arguments.build}/gable"), of_peer(arguments.peer)
        if stolen() != before:
            print(f"round {number}: dropped, the hypervisor took time away", file=sys.stderr)
            continue
        for pair in gable.keys() & peer.keys():
            ours.setdefault(pair, []).append(gable[pair])
            theirs.setdefault(pair, []).append(peer[pair])
    if not ours:
        sys.exit("no round gave a valid hand-off; this machine is busy")
    ratios = {}
    print("CPUs        Gable, ns   peer, ns   ratio   95 %              rounds")
    for pair, values in sorted(ours.items()):
        within = [a / b for a, b in zip(values, theirs[pair])]
        ratios[pair] = statistics.median(within)
        lo, hi = interval(within)
        print(f"{pair[0]:>4} {pair[1]:>4} {statistics.median(values):11.2f} {statistics.median(theirs[pair]):10.2f}"
              f" {ratios[pair]:7.3f}   {lo:.3f} to {hi:.3f} {len(within):11}")
    print(f"geometric mean {math.exp(statistics.fmean(map(math.log, ratios.values()))):.3f}")


main()
