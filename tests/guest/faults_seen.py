#!/usr/bin/env python3
"""hogs SAMPLES: node 2 is full, node 1 has less memory than requested; reasons and notes name both, and other cells are unaffected.
whole SAMPLES BEFORE...: complete, each visit once, and the records from before the interruption are at the start."""

import collections
import json
import pathlib
import sys

what, path, *before = sys.argv[1:]
text = pathlib.Path(path).read_text()
samples = [json.loads(line) for line in text.splitlines()]


def hogs():
    failures = []
    for sample in samples:
        asked, notes = sample["asked"], " ".join(sample["notes"])
        on_full = asked["node"] == 2 or asked["node"] is None  # interleaving needs every node
        if on_full:
            if asked["node"] == 2 and (sample["status"] != "skipped" or "free memory on node 2" not in sample["reason"]):
                failures.append(f"on the full node: {sample['status']} {sample['reason']} {sample['node_bytes']} {notes}")
        elif sample["status"] != "ok":
            failures.append(f"node {asked['node']} suffers: {sample['reason']}")
        if asked["node"] == 1:
            used = sample["node_bytes"].get("1", 0)
            if not asked["bytes"] <= used < 2 * asked["bytes"] or "not enough free memory on node 1" not in notes:
                failures.append(f"{used} bytes on the node with little memory, notes: {notes}")
    seen = collections.Counter(sample["asked"]["node"] for sample in samples)
    if not {0, 1, 2, 3} <= set(seen):
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
    if len(visits) != len(cases) * 6 or len(cases) != 4:
        failures.append(f"{len(visits)} visits of {len(cases)} Cases instead of 6 rounds of 4")
    return failures


failures = {"hogs": hogs, "whole": whole}[what]()
print("\n".join(failures[:10]) or f"{what}: {len(samples)} samples as expected")
sys.exit(bool(failures))
