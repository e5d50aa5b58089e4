#!/usr/bin/env python3
"""DIR TIER=NODE... [--moved-to NODE]: the visits of DIR/tiers.jsonl had their memory on these nodes (none: a file on DAX, which is
persistent). If it was moved away, they are invalid and name its new node."""

import json
import pathlib
import sys

moved = sys.argv[sys.argv.index("--moved-to") + 1] if "--moved-to" in sys.argv else None
nodes = dict(each.rsplit("=", 1) for each in sys.argv[2:] if "=" in each)
visits = [json.loads(line) for line in (pathlib.Path(sys.argv[1]) / "tiers.jsonl").read_text().splitlines()]
failures = []
seen = {}
for visit in visits:
    asked, name = visit["asked"], json.dumps(visit["asked"])
    seen.setdefault(asked["tier"], set()).add((asked["what"], asked["way"], asked["access_bytes"], asked["order"]))
    if visit["status"] == "skipped":
        continue
    node = nodes[asked["tier"]]
    if visit["status"] == "invalid":
        code, arguments = visit["reason"]["code"], visit["reason"]["arguments"]
        if not moved or not (code == "pages_on_other_node" and arguments[1] == int(moved) or code == "pages_not_in_memory"):
            failures.append(f"{name}: {visit['reason']}")
        continue
    if set(visit["node_bytes"]) != ({node} if node else set()):
        failures.append(f"{name}: on {visit['node_bytes']}")
    if visit["persistent"] != (node == "") or ("on DAX" in visit["how"]) != (node == ""):
        failures.append(f"{name}: {visit['how']}, persistent: {visit['persistent']}")
    if {"code": "emulated", "arguments": []} not in visit["notes"]:
        failures.append(f"{name}: no word of the emulation")
invalid = sum(visit["status"] == "invalid" for visit in visits)
if moved and invalid < 3:
    failures.append(f"{invalid} of {len(visits)} visits are invalid: the sabotage was not seen")
for tier in nodes:
    if len(seen.get(tier, ())) < 12 + 3 * 2 * 2 + 1:
        failures.append(f"{tier}: {len(seen.get(tier, ()))} cells")
print("\n".join(failures[:10]) or f"{len(visits)} visits, {invalid} invalid")
sys.exit(bool(failures))
