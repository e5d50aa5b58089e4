#!/usr/bin/env python3
"""Gable's PageRank and BFS with their parts in DRAM (D) and persistent memory (P), against the PMEM graph thesis.

    predict_optane.py --work FOLDER [--gable GABLE] [--step graph_step] [--recipe kron:livejournal]

Draws a graph of the size of the thesis's, profiles each run of graph_step (once; --work keeps graph and profiles), and lets
`gable predict` tell the time of each placement on machines/xeon6254-optane from the published time with everything in DRAM.
Prints a table: the rate relative to DD, as published and as predicted, with its interval. The last columns are of predictions
from the profile alone, for a copy of the machine with peaks of its cores (PEAKS), because none are published: the rate relative
to that of DD, and for DD the rate relative to the published one. The first letter is where the graph is, the second where the
temporary data is (table 3.2 of the thesis).
"""

import argparse
import json
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
RANKS = (1, 2, 4, 8, 16, 32, 64)
RUNS = [("pagerank", f"{z} rank{'s' * (z > 1)}", [str(z), "2"]) for z in RANKS] + \
       [("bfs", direction, [direction]) for direction in ("top-down", "bottom-up")]
CORES, GHZ = 18, 3.1
PEAKS = [("flops", "core", "core", "fma", "dp", 2 * 4 * 2 * CORES * GHZ, "GFlop/s"),  # two AVX2 instructions a cycle
         ("flops", "core", "core", "add", "dp", 2 * 4 * CORES * GHZ, "GFlop/s"),
         ("bandwidth", "L1", "cache", "load", "", 2 * 32 * CORES * GHZ, "GB/s"),
         ("bandwidth", "L1", "cache", "store", "", 32 * CORES * GHZ, "GB/s")]


def name_of(workload, variant):
    return f"{workload}-{variant.replace(' ', '-')}"


def chosen(args):
    return [run for run in RUNS if name_of(*run[:2]).startswith(args.only)]


def profile(args):
    graph = args.work / "graph.bin"
    if not graph.exists():
        subprocess.run([args.step, "make", graph, args.recipe], check=True)
    for workload, variant, words in chosen(args):
        path = args.work / f"{name_of(workload, variant)}.profile"
        if not path.exists():
            done = subprocess.run([args.gable, "profile", "-o", path, "--", args.step, workload, graph, *words], check=True,
                                  capture_output=True, text=True)
            path.with_suffix(".edges").write_text(done.stdout.split()[1])


def published(machine):
    """Traversed edges per second by workload, variant, placement and threads."""
    rates = {}
    for line in (machine / "placements.jsonl").read_text().splitlines():
        placed = json.loads(line)
        letters = "".join("DP"[part["kind"] == "NVM"] for part in placed["parts"])
        rates[placed["workload"], placed["variant"], letters, placed["threads"]] = placed["teps"]
    return rates


def functions_of_run(args, name):
    document = json.loads((args.work / f"{name}.profile").read_text())
    inside = {(place["function"], place["image"].split("/")[-1]) for use in document["uses"] if use["region"] == "run"
              for place in [document["places"][use["place"]]]}
    return [work for work in document["functions"] if (work["function"], work["object"].split("/")[-1]) in inside
            and "gable::" in work["function"]]


def point(args, workload, variant, threads, rate):
    """The region "run" with everything in DRAM; its instructions are those of the functions that have uses in it."""
    name = name_of(workload, variant)
    works = functions_of_run(args, name)
    sums = {key: sum(work[key] for work in works) for key in ("flops", "load_bytes", "store_bytes")}
    seconds = float((args.work / f"{name}.edges").read_text()) / rate
    return {"name": f"{name}-{threads}", "region": "run", "cluster": 0, "alone": True, "threads": threads, "counter": "profile",
            "seconds": seconds, "seconds_lo": seconds, "seconds_hi": seconds, "policy": "bind:0", "node_bytes": {"0": 1},
            "profile": f"{name}.profile", **({"cores": 18} if threads > 18 else {}), **sums}


def parts_of(args, workload, variant):
    """The objects of the graph and of the temporary data, in this order in the source."""
    document = json.loads((args.work / f"{name_of(workload, variant)}.profile").read_text())
    names = {}
    for thing in document["objects"]:
        if thing["kind"] != "mapping":
            continue
        asker = thing["callers"][thing["asker"]] if thing["asker"] >= 0 else {"function": "", "file": ""}
        if asker["function"].endswith(f"run_{workload}") or f"run_{workload}(" in asker["function"]:
            names[asker["line"]] = f"run_{workload} ({pathlib.Path(asker['file']).name}:{asker['line']})"
    first, second = (names[line] for line in sorted(names))
    return {"D": {}, "P": {first: 1}}, {"D": {}, "P": {second: 1}}


def predict(args, *words, objects):
    words = [*words, *(word for what, node in objects.items() for word in ("--memory", f"{what}=node:{node}"))]
    done = subprocess.run([args.gable, "predict", *words, "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["predictions"][0]


def with_peaks(machine, folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(machine, folder)
    document = json.loads((machine / "roofs.json").read_text())
    like = document["roofs"][0] | {"node": None, "tier": "", "threads": CORES, "smt": False, "n": 0, "source": "clock and width"}
    for kind, level, pattern, op, precision, value, unit in PEAKS:
        document["roofs"].append(like | {"kind": kind, "level": level, "pattern": pattern, "op": op, "precision": precision,
                                         "value": value, "lo": value, "hi": value, "unit": unit, "clock_ghz": GHZ,
                                         "adds_per_cycle": 4})
    (folder / "roofs.json").write_text(json.dumps(document))
    recorded = json.loads((machine / "machine.json").read_text())
    recorded["clusters"] = recorded["clusters"][:1]  # all threads ran on the first socket
    (folder / "machine.json").write_text(json.dumps(recorded))


def seconds_of_run(args, workload, variant, threads, objects):
    """From the profile alone: the sum of the region's functions."""
    name = name_of(workload, variant)
    row = predict(args, "--profile", args.work / f"{name}.profile", args.work / "peaks", "--threads", str(threads),
                  "--memory", "node:0", objects=objects)
    inside = {work["function"] for work in functions_of_run(args, name)}
    return sum(share["seconds"] for share in row["functions"] if share["what"] in inside)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gable", type=pathlib.Path, default=ROOT / "build/gable")
    parser.add_argument("--step", type=pathlib.Path, default=ROOT / "build/graph_step")
    parser.add_argument("--recipe", default="kron:livejournal")
    parser.add_argument("--only", default="", help="the begin of a run's name: pagerank-8, bfs")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    profile(args)
    machine, folder = ROOT / "machines/xeon6254-optane", args.work / "machine"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(machine, folder)
    (folder / "profiles").symlink_to(args.work.resolve())
    rates = published(machine)
    settings = [(workload, variant, threads) for workload, variant, _ in chosen(args) for threads in (36, 18)
                if (workload, variant, "DD", threads) in rates]
    points = [point(args, *each, rates[(*each[:2], "DD", each[2])]) for each in settings]
    (folder / "points.json").write_text(json.dumps({"schema": 1, "points": points}))
    with_peaks(machine, args.work / "peaks")
    print("| program | threads | placement | published | predicted | 95 % | | from the profile |\n|" + 8 * "---|")
    errors, own_errors = [], []
    for workload, variant, threads in settings:
        graph, temporary = parts_of(args, workload, variant)
        objects = {letters: graph[letters[0]] | temporary[letters[1]] for letters in ("DD", "PD", "PP", "DP")}
        alone = {letters: seconds_of_run(args, workload, variant, threads, where) for letters, where in objects.items()}
        dd = rates[workload, variant, "DD", threads]
        own = float((args.work / f"{name_of(workload, variant)}.edges").read_text()) / alone["DD"] / dd
        print(f"| {workload}, {variant} | {threads} | DD | 1 | - | - | | {own:.2f} of the published rate |")
        for letters in ("PD", "PP", "DP"):
            row = predict(args, folder, "--point", f"{name_of(workload, variant)}-{threads}", "--to", folder,
                          objects=objects[letters])
            ratio, lo, hi = (1 / row[key] for key in ("ratio", "ratio_hi", "ratio_lo"))
            truth, own = rates.get((workload, variant, letters, threads), 0) / dd, alone["DD"] / alone[letters]
            text = f"{truth:.2f} | {ratio:.2f} | {lo:.2f} to {hi:.2f} | {'in' if lo <= truth <= hi else 'out'}"
            if truth:
                errors.append(abs(ratio - truth))
                own_errors.append(abs(own - truth))
            else:
                text = f"- | {ratio:.2f} | {lo:.2f} to {hi:.2f} | "
            print(f"| {workload}, {variant} | {threads} | {letters} | {text} | {own:.2f} |")
    for words, each in (("predicted", errors), ("from the profile", own_errors)):
        print(f"{words}: {sum(error <= 0.08 for error in each)} of {len(each)} within 0.08, largest error {max(each):.2f}")


if __name__ == "__main__":
    main()
