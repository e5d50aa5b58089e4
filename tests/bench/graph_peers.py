#!/usr/bin/env python3
"""PageRank and breadth-first search of Gable beside those of the GAP benchmark suite: the same graph, threads and sources, by
turns. Prints the ratios of times with 95 % intervals over the rounds.

    tests/bench/graph_peers.py --gap FOLDER [--graph FILE.sg] [--threads N] [--rounds 6] [--sources 8] [BUILD]

FOLDER is GAP's, outside this tree: its src/, and bfs, pr_spmv and converter, built there with -O3 -march=native. Without --graph
its converter makes Kronecker scale 20. GAP runs with small pages and with transparent huge ones, pinned to cores; the better of
the two counts, round by round. Both programs are timed by their own clocks, without reading the graph. Gable renumbers the
vertices before its clock starts; so GAP also runs on the renumbered graph (gap_renumber.cc), and the first ratio is that with
the numbering that suits GAP better, round by round: with many threads, GAP's PageRank gives one of them all vertices of high degree
of a renumbered graph. The time of the renumbering is printed too. A source that reaches less than a quarter of the vertices is drawn again. Exit
status 77 when GAP is not there.
"""

import argparse
import json
import math
import operator
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

STUDENT_95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]  # two-sided, 1 to 9 degrees of freedom
ITERATIONS = 20
AS_FILED = operator.itemgetter(1)


def say(message):
    print(f"graph_peers.py: {message}", file=sys.stderr)


class Failed(Exception):
    """A command that failed, with its output."""


def run(command, environment=None):
    done = subprocess.run([str(word) for word in command], env={**os.environ, **(environment or {})}, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.returncode}")
    return done.stdout


class Gap:
    def __init__(self, folder, graph, threads):
        self.folder, self.graph = folder, graph
        self.environment = {"OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}

    def seconds(self, program, *options):
        """Median trial time, of the better page size."""
        medians = []
        for huge in ("0", "1"):
            text = run([self.folder / program, "-f", self.graph, *options],
                       {**self.environment, "GLIBC_TUNABLES": f"glibc.malloc.hugetlb={huge}"})
            times = [float(t) for t in re.findall(r"^Trial Time:\s+(\S+)", text, re.M)]
            medians.append(statistics.median(times))
        return min(medians)

    def pagerank(self, runs):
        return self.seconds("pr_spmv", "-i", ITERATIONS, "-t", 0, "-n", runs) / ITERATIONS

    def bfs(self, source, runs):
        return self.seconds("bfs", "-r", source, "-n", runs)


class Renumbering:
    """The graph as Gable numbers it, in a file for GAP."""

    def __init__(self, folder, graph, threads, work):
        program = work / "gap_renumber"
        source = pathlib.Path(__file__).with_name("gap_renumber.cc")
        run([os.environ.get("CXX", "c++"), "-O3", "-march=native", "-fopenmp", "-std=c++11", "-I", folder / "src", source, "-o", program])
        self.command = [program, graph, work / "renumbered.sg"]
        self.graph, self.environment = work / "renumbered.sg", {"OMP_NUM_THREADS": str(threads)}

    def make(self, sources, runs):
        """Median seconds, and the number of each source."""
        texts = [run([*self.command, *sources], self.environment) for _ in range(runs)]
        told = [text.partition("Renumbering:")[2].split() for text in texts]  # GAP's reader prints too
        return statistics.median(float(words[0]) for words in told), dict(zip(sources, map(int, told[0][1:])))


class Gable:
    def __init__(self, program, graph, threads, work):
        self.command = [program, "place", work / "machine", "--graph", graph, "--tiers", "DRAM", "--threads", threads, "--json", "--quiet"]

    def record(self, *options):
        """The placement; None if other processes disturbed it."""
        try:
            (placed,) = json.loads(run([*self.command, *options]))["placements"]
        except Failed as failure:
            if "no placement has a valid figure" in str(failure):
                return None
            raise
        return placed if placed["status"] == "ok" else None

    def pagerank(self, runs):
        placed = self.record("--bench", "pagerank", "--ranks", 1, "--iterations", ITERATIONS, "--runs", runs)
        return placed and statistics.median(placed["seconds"]) / ITERATIONS

    def bfs(self, source, runs):
        placed = self.record("--bench", "bfs", "--directions", "optimizing", "--source", source, "--runs", runs)
        return placed and statistics.median(placed["seconds"])


def summary(ratios):
    """Geometric mean and its 95 % interval by Student's t of the logarithms; no interval for one round."""
    logs = [math.log(ratio) for ratio in ratios]
    middle = statistics.fmean(logs)
    if len(logs) < 2:
        return f"{math.exp(middle):.2f}"
    freedom = min(len(logs) - 1, len(STUDENT_95))
    half = STUDENT_95[freedom - 1] * statistics.stdev(logs) / math.sqrt(len(logs))
    return f"{math.exp(middle):.2f} ({math.exp(middle - half):.2f} to {math.exp(middle + half):.2f})"


def good_sources(gable, vertices, wanted):
    dice = random.Random(20211)
    found = []
    for _ in range(50 * wanted):
        source = dice.randrange(vertices)
        try:
            placed = gable.record("--bench", "bfs", "--directions", "optimizing", "--source", source, "--runs", 1)
        except Failed:  # no edge leads from it
            continue
        if placed and placed["traversed"][0] >= 0.25 * placed["edges"]:
            found.append(source)
        if len(found) == wanted:
            return found
    sys.exit("graph_peers.py: no sources that reach a quarter of the graph, or the machine is too busy")


class Comparison:
    """Rounds of GAP on the renumbered graph, GAP on the graph of the file, and Gable, in seconds."""

    def __init__(self, title):
        self.title, self.rounds = title, []

    def add(self, renumbered, filed, ours):
        self.rounds.append((renumbered, filed, ours))

    def ratios(self, choice):
        """Of GAP's time, which `choice` takes from those with both numberings."""
        return [choice(times[:2]) / times[2] for times in self.rounds if times[2]]

    def left_out(self):
        return sum(not times[2] for times in self.rounds)

    def print(self):
        valid = [times for times in self.rounds if times[2]]
        if not valid:
            return
        medians = [1e3 * statistics.median(side) for side in zip(*valid)]
        print(f"{self.title:<30} {medians[0]:9.2f} {medians[1]:9.2f} {medians[2]:9.2f} ms"
              f"  {summary(self.ratios(min)):<22} {summary(self.ratios(AS_FILED))}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gap", type=pathlib.Path, required=True)
    parser.add_argument("--graph", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--sources", type=int, default=8)
    parser.add_argument("--runs", type=int, default=5, help="of each program in a round")
    parser.add_argument("--only", choices=("pagerank", "bfs"))
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=pathlib.Path("build"))
    given = parser.parse_args()
    missing = [name for name in ("bfs", "pr_spmv", "converter", "src/graph.h") if not (given.gap / name).exists()]
    if missing:
        say(f"{given.gap}: no {', '.join(missing)}: build GAP there with CXX_FLAGS='-O3 -march=native -fopenmp -std=c++11'")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "machine").mkdir()
        graph = given.graph
        if graph is None:
            graph = work / "kron20.sg"
            run([given.gap / "converter", "-g", 20, "-b", graph])
        gap = Gap(given.gap, graph, given.threads)
        gable = Gable(given.build / "gable", graph, given.threads, work)
        first = gable.record("--bench", "pagerank", "--ranks", 1, "--iterations", 1, "--runs", 1)
        if first is None:
            sys.exit("graph_peers.py: the machine is too busy for figures")
        sources = good_sources(gable, first["vertices"], given.sources) if given.only != "pagerank" else []
        renumbering = Renumbering(given.gap, graph, given.threads, work)
        seconds, numbers = renumbering.make(sources, 3)
        renumbered = Gap(given.gap, renumbering.graph, given.threads)
        print(f"{graph.name}: {first['vertices']} vertices, {first['edges']} edges; {given.threads} threads, {given.rounds} rounds; "
              f"renumbering takes {1e3 * seconds:.0f} ms\n")
        print(f"{'':<30} {'GAP':>9} {'GAP':>9} {'Gable':>9}     GAP / Gable\n"
              f"{'median of the rounds':<30} {'renumb.':>9} {'as filed':>9} {'':>9}     {'better of both':<22} as filed")
        ranks = Comparison("PageRank, an iteration")
        searches = {source: Comparison(f"BFS from {source}") for source in sources}
        for _ in range(given.rounds):
            if given.only != "bfs":
                ranks.add(renumbered.pagerank(given.runs), gap.pagerank(given.runs), gable.pagerank(given.runs))
            for source, search in searches.items():
                search.add(renumbered.bfs(numbers[source], given.runs), gap.bfs(source, given.runs), gable.bfs(source, given.runs))
        for comparison in (ranks, *searches.values()):
            comparison.print()
        every = [[ratio for search in searches.values() for ratio in search.ratios(choice)] for choice in (min, AS_FILED)]
        if every[0]:
            print(f"{'BFS, all sources':<30} {'':32}  {summary(every[0]):<22} {summary(every[1])}")
        left_out = ranks.left_out() + sum(search.left_out() for search in searches.values())
        if left_out:
            print(f"\n{left_out} comparisons left out: others kept the CPUs busy")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failure:
        sys.exit(f"graph_peers.py: {failure}")
