#!/usr/bin/env python3
"""DIR pages NODE | threads CPU | none: the Samples of DIR report a saboteur's interference, and no roof contains them."""

import collections
import json
import pathlib
import sys

folder, what = pathlib.Path(sys.argv[1]), sys.argv[2]
machine = json.loads((folder / "machine.json").read_text())
samples = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
roofs = json.loads((folder / "roofs.json").read_text())["roofs"]
pus = {cluster["index"]: set(cluster["pus"]) for cluster in machine["clusters"]}
failures = []
valid = collections.Counter()
of_status = collections.Counter(sample["status"] for sample in samples)


def is_note(reason, code, any_place=False):
    """Whether the reason has this code, and its last argument is the target."""
    return not isinstance(reason, str) and reason["code"] == code and (any_place or reason["arguments"][-1] == int(sys.argv[3]))


def told(sample):
    """Whether the reason names the saboteur's target."""
    if what == "pages":
        return is_note(sample["reason"], "pages_elsewhere") or is_note(sample["reason"], "pages_not_in_memory", any_place=True)
    return what == "threads" and is_note(sample["reason"], "thread_moved")


for sample in samples:
    asked = sample["asked"]
    name = f"{asked['pattern']} {asked['op']}, cluster {asked['cluster']}, node {asked['node']}"
    if sample["status"] == "invalid" and not told(sample):
        failures.append(f"{name}: {sample['reason']}")
    if sample["status"] == "ok":
        valid[json.dumps(asked)] += 1
        if set(map(int, sample["node_bytes"])) != {asked["node"]}:
            failures.append(f"valid, with pages on {sample['node_bytes']}: {name}")
        if not set(sample["cpus"]) <= pus[asked["cluster"]]:
            failures.append(f"valid, with threads on {sample['cpus']}: {name}")
    if what == "pages" and sample["status"] == "invalid" and asked["node"] == int(sys.argv[3]):
        failures.append(f"invalid where its pages were sent to: {name}")
if what == "none" and of_status["invalid"]:
    failures.append(f"{of_status['invalid']} invalid Samples without sabotage")
if what != "none" and of_status["invalid"] < len(samples) / 3:
    failures.append(f"of {len(samples)} Samples {of_status['invalid']} are invalid: the sabotage was not seen")

spoilt = 0
for roof in roofs:
    visits = sum(count for case, count in valid.items() if all(roof[field] == value for field, value in json.loads(case).items()))
    if (roof["status"] == "ok") != (visits > 0):
        failures.append(f"{visits} valid visits make a roof that is {roof['status']}: {roof}")
    if roof["status"] != "ok":
        spoilt += 1
        if roof["value"] is not None or not roof["reason"]:
            failures.append(f"a spoilt roof with a value or without a reason: {roof}")
if what != "none" and not spoilt:
    failures.append("every Case has a valid Sample: nothing shows that spoilt ones enter no roof")
print("\n".join(failures[:10]) or f"{what}: {dict(of_status)}, {spoilt} of {len(roofs)} roofs without a value")
sys.exit(bool(failures))
