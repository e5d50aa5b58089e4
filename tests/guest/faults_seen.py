#!/usr/bin/env python3
"""NODES hogs SAMPLES: of four nodes, node 2 is full, and node 1 has less memory than requested; of two, node 1 is full. Reasons and
notes name both, and other cells are unaffected.
NODES whole SAMPLES BEFORE...: complete, each visit once, and the records from before the interruption are at the start."""

import collections
import json
import pathlib
import sys

nodes, what, path, *before = sys.argv[1:]
nodes = int(nodes)
full, little = (2, 1) if nodes == 4 else (1, None)
text = pathlib.Path(path).read_text()
samples = [json.loads(line) for line in text.splitlines()]


def hogs():
    failures = []
    for sample in samples:
        asked, notes = sample["asked"], json.dumps(sample["notes"])
        on_full = asked["node"] == full or asked["node"] is None  # interleaving needs every node
        if on_full:
            if asked["node"] == full and (sample["status"] != "skipped" or f" on node {full}" not in json.dumps(sample["reason"])):
                failures.append(f"on the full node: {sample['status']} {sample['reason']} {sample['node_bytes']} {notes}")
        elif sample["status"] != "ok":
            failures.append(f"node {asked['node']} suffers: {sample['reason']}")
        if little is not None and asked["node"] == little:
            used = sample["node_bytes"].get("1", 0)
            if not asked["bytes"] <= used < 2 * asked["bytes"] or '"smaller_buffers"' not in notes or " on node 1" not in notes:
                failures.append(f"{used} bytes on the node with little memory, notes: {notes}")
    seen = collections.Counter(sample["asked"]["node"] for sample in samples)
    if not set(range(nodes)) <= set(seen):
        failures.append(f"Samples of nodes {sorted(seen, key=str)} alone")
    return failures


def whole():
    failures = []
    for cut_off in before:
        earlier = pathlib.Path(cut_off).read_text()
        complete = earlier[: earlier.rfind("\n") + 1]
        if not complete or not text.startswith(complete):
            failures.append(f"{cut_off}: {len(complete)} bytes were recorded and are not what the file begins with")
    visits = collections.Counter((json.dumps(sample["asked"]), sample["round"]) for sample in samples)
    cases = {case for case, _ in visits}
    if any(sample["status"] != "ok" for sample in samples) or set(visits.values()) != {1}:
        failures.append(f"not every visit is there once: {collections.Counter(visits.values())}")
    if len(visits) != len(cases) * 6 or len(cases) != nodes:
        failures.append(f"{len(visits)} visits of {len(cases)} Cases instead of 6 rounds of {nodes}")
    return failures


failures = {"hogs": hogs, "whole": whole}[what]()
print("\n".join(failures[:10]) or f"{what}: {len(samples)} samples as expected")
sys.exit(bool(failures))
