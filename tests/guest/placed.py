"""Checks that gable place's records have their memory on the requested nodes: placed.py PLACEMENTS TIERS NODES

TIERS as for --tiers; NODES the node of each, or "none" for a file on DAX, whose pages are on no node.
"""
import json
import sys

path, tiers, nodes = sys.argv[1], sys.argv[2].split(","), sys.argv[3].split(",")
node_of = dict(zip(tiers, nodes))
records = [json.loads(line) for line in open(path, encoding="utf-8")]
failures = []
wanted = {(workload, variant, a, b)
          for workload, variants in (("pagerank", ("1 rank", "16 ranks")), ("bfs", ("top-down", "bottom-up", "optimizing")))
          for variant in variants for a in tiers for b in tiers}
seen = set()
for record in records:
    where = [part["tier"] for part in record["parts"]]
    name = (record["workload"], record["variant"], *where)
    seen.add(name)
    if not record["verified"] or "wrong" in json.dumps(record["reason"]):
        failures.append(f"{name}: verified by '{record['verified']}': {record['reason']}")
    # Under emulation a guest's CPUs take turns, so busy CPUs mean nothing; only the location of pages matters.
    if record["status"] != "ok" and "disturbed_runs" not in json.dumps(record["reason"]):
        failures.append(f"{name}: {record['status']}: {record['reason']}")
    for part in record["parts"]:
        found = {node: size for node, size in part["node_bytes"].items() if size}
        expected = set() if node_of[part["tier"]] == "none" else {node_of[part["tier"]]}
        if set(found) != expected:
            failures.append(f"{name}: {part['name']} in {part['tier']} lies on nodes {found}, expected {expected}")
        if node_of[part["tier"]] == "none" and "on DAX" not in part["how"]:
            failures.append(f"{name}: {part['name']} in {part['tier']}: {part['how']}")
if seen != wanted:
    failures.append(f"placements {sorted(seen ^ wanted)} are missing or too many")
print("\n".join(failures))
sys.exit(bool(failures))
