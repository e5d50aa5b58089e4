#!/usr/bin/env python3
"""DIR [--smt] [--patterns a,b,...]: compares the records of gable measure with the cells required by machine.json.

Which (pattern, cluster, node) must be there is computed here from the clusters and nodes alone. Of each there is a valid Sample of
the load and, on one node, of the idle latency; all valid Samples have their pages on exactly the nodes that were asked for and their
threads on the cluster's own CPUs, one a core unless --smt.
"""

import argparse
import collections
import json
import pathlib
import sys

parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--smt", action="store_true")
parser.add_argument("--patterns", default="local,remote,local_all,contended,congested")
options = parser.parse_args()
patterns = options.patterns.split(",")

machine = json.loads((options.folder / "machine.json").read_text())
samples = [json.loads(line) for line in (options.folder / "samples.jsonl").read_text().splitlines()]
clusters = {cluster["index"]: cluster for cluster in machine["clusters"]}
nodes = {node["os_index"]: node for node in machine["nodes"] if node["bytes"] > 0}
of_tier = collections.defaultdict(list)
for index, node in nodes.items():
    of_tier[node["tier"]].append(index)
failures = []


def expected():
    """(pattern, cluster, frozenset of nodes) of all memory cells."""
    cells = set()
    for cluster in clusters:
        for index, node in nodes.items():
            cells.add(("local" if cluster in node["local_to"] else "remote", cluster, frozenset([index])))
            if len(clusters) > 1:
                cells.add(("contended", cluster, frozenset([index])))
        if len(of_tier) > 1:
            cells.add(("congested", cluster, frozenset(nodes)))
        for tier, members in of_tier.items():
            if len(members) > 1:
                cells.add(("congested", cluster, frozenset(members)))
            # Together with the other clusters that have their own node of this tier: at least one.
            own = {c: [i for i in members if c in nodes[i]["local_to"]] for c in clusters}
            for rank, index in enumerate(own[cluster]):
                theirs = [each[rank] for each in own.values() if len(each) > rank]
                if len(theirs) > 1 and set(theirs) != {index}:
                    cells.add(("local_all", cluster, frozenset([index])))
    return {cell for cell in cells if cell[0] in patterns}


def asked_nodes(asked):
    if asked["node"] is not None:
        return frozenset([asked["node"]])
    return frozenset(index for tier in asked["tier"].split("+") for index in of_tier[tier])


def check_split(sample):
    """A cell of the hybrid grid: node_percent of its pages on one node, the rest on the other."""
    asked, found = sample["asked"], {int(node): size for node, size in sample["node_bytes"].items()}
    percent = 100 * found.get(asked["node"], 0) / sum(found.values())
    if not set(found) <= {asked["node"], asked["other_node"]} or abs(percent - asked["node_percent"]) > 2:
        failures.append(f"{found} where {asked['node_percent']} % on node {asked['node']} were asked for: {asked}")


def check_place(sample):
    asked, name = sample["asked"], f"{sample['asked']} round {sample['round']}"
    found = {int(node): size for node, size in sample["node_bytes"].items()}
    wanted = asked_nodes(asked)
    if set(found) != wanted:
        failures.append(f"pages on nodes {sorted(found)}: {name}")
    whole = asked["bytes"] * (1 if "latency" in asked["kind"] else asked["threads"])
    most = asked["bytes"] * asked["threads"]  # the chase's data, and that of the load threads
    if not 0.9 * whole <= sum(found.values()) <= 1.01 * (most if asked["kind"] == "loaded_latency" else whole):
        failures.append(f"{sum(found.values())} bytes instead of {whole}: {name}")
    if any(abs(size * len(wanted) / sum(found.values()) - 1) > 0.2 for size in found.values()):
        failures.append(f"not interleaved evenly ({found}): {name}")
    tiers = {nodes[node]["tier"] for node in found if node in nodes}
    if tiers != set(asked["tier"].split("+")):
        failures.append(f"on {tiers}: {name}")


def check_threads(sample):
    asked, name = sample["asked"], f"{sample['asked']} round {sample['round']}"
    cores = clusters[asked["cluster"]]["core_pus"]
    cpus = set(sample["cpus"])
    if not cpus <= {pu for core in cores for pu in core}:
        failures.append(f"ran on CPUs {sorted(cpus)}: {name}")
    per_core = [len(cpus & set(core)) for core in cores]
    if asked["kind"] in ("bandwidth", "flops"):
        full = [len(core) if options.smt else 1 for core in cores]
        if per_core != full or asked["threads"] != sum(full):
            failures.append(f"{asked['threads']} threads, {per_core} on the cores: {name}")
    elif asked["kind"] == "latency" and len(cpus) != 1:
        failures.append(f"a chase on CPUs {sorted(cpus)}: {name}")


want = expected()
seen = collections.defaultdict(set)
for sample in samples:
    asked = sample["asked"]
    if machine["emulated"] and sample["status"] == "ok" and {"code": "emulated", "arguments": []} not in sample["notes"]:
        failures.append(f"no word of emulation: {asked}")
    if sample["status"] != "ok":
        continue
    if not all(seconds > 0 for seconds in sample["seconds"]) or len(sample["seconds"]) < 8:
        failures.append(f"no repetitions: {asked}")
    if asked["pattern"] != "ladder":
        check_threads(sample)
    if asked["level"] != "memory":
        continue
    if asked["pattern"] == "hybrid":
        check_split(sample)
        continue
    check_place(sample)
    cell = (asked["pattern"], asked["cluster"], asked_nodes(asked))
    if cell not in want:
        failures.append(f"nothing calls for {cell}")
    seen[asked["op"]].add(cell)

alone = {cell for cell in want if cell[0] in ("local", "remote")}
for op, cells in (("load", want), ("chase", alone)):
    for pattern, cluster, places in sorted(cells - seen[op], key=str):
        failures.append(f"no valid {op} {pattern}: cluster {cluster} on {sorted(places)}")
for failure in failures[:10]:
    print(failure)
counts = collections.Counter(cell[0] for cell in seen["load"])
print(", ".join(f"{counts[pattern]} {pattern}" for pattern in patterns), f"of {len(want)} cells;", len(samples), "samples")
sys.exit(bool(failures) or not want)
