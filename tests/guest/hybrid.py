"""hybrid.py FOLDER: checks the files of a quick hybrid grid of cluster 0 in two memories."""

import collections
import json
import sys

folder = sys.argv[1]
samples = [json.loads(line) for line in open(f"{folder}/samples.jsonl")]
loads = {"load": 1, "store_nt": 0, "mix1_1_nt": 1 / 2, "mix2_1_nt": 2 / 3, "mix1_2_nt": 1 / 3}
visits = collections.Counter()
weighted = collections.Counter()
for sample in samples:
    asked = sample["asked"]
    assert sample["status"] == "ok", sample["reason"]
    assert asked["pattern"] == "hybrid" and (asked["node"], asked["other_node"]) == (0, 1), asked
    assert set(sample["node_bytes"]) <= {"0", "1"}, sample["node_bytes"]
    total = sum(sample["node_bytes"].values())
    assert 0.99 * (32 << 20) < total <= 32 << 20, total
    share = sample["node_bytes"].get("0", 0) / total
    # Three streams of two threads, each rounded to half a page and with partial pages at its ends.
    assert abs(share - asked["node_percent"] / 100) < 6 * 1.5 * 4096 / total, (asked, share)
    if "node_weight" in asked:
        # The last group of weights may be shorter.
        exact = asked["node_weight"] / (asked["node_weight"] + asked["other_weight"])
        assert abs(share - exact) < 6 * 4 * 4096 / total, (asked, share)
        weighted[asked["op"], asked["node_weight"], asked["other_weight"]] += 1
        continue
    visits[asked["op"], asked["node_percent"]] += 1
assert set(visits) == {(op, percent) for op in loads for percent in (0, 25, 50, 75, 100)}, visits
assert set(weighted) == {(op, *weights) for op in loads for weights in ((1, 3), (3, 1))}, weighted
# One round may have been interrupted; first figures and those that spread most are visited more often.
assert min(visits.values()) >= 1 and min(weighted.values()) >= 1, (visits, weighted)

(pair,) = json.load(open(f"{folder}/hybrid.json"))["pairs"]
assert pair["status"] == "ok" and {pair["slow"]["node"], pair["fast"]["node"]} == {0, 1}, pair
cells = pair["cells"]
assert len(cells) == 25, len(cells)
assert len(pair["interleaved"]) == 10, pair["interleaved"]
for cell in pair["interleaved"]:
    total = sum(cell["bytes"].values())
    fast = (cell["bytes"]["lf"] + cell["bytes"]["sf"]) / total
    assert {cell["slow"], cell["fast"]} == {1, 3} and abs(fast - cell["fast"] / 4) < 0.01, cell
seen = collections.Counter()
for cell in cells:
    total = sum(cell["bytes"].values())
    seen[round((cell["bytes"]["ls"] + cell["bytes"]["lf"]) / total, 2), round((cell["bytes"]["lf"] + cell["bytes"]["sf"]) / total, 2)] += 1
expected = {(round(load, 2), share) for load in loads.values() for share in (0, 0.25, 0.5, 0.75, 1)}
assert set(seen) == expected, set(seen) ^ expected
pure = {name: total for cell in cells for name in cell["bytes"] if (total := sum(cell["bytes"].values())) == cell["bytes"][name] and cell["seconds"]}
assert set(pure) == {"ls", "ss", "lf", "sf"}, pure
assert not json.load(open(f"{folder}/roofs.json"))["roofs"], "a cell of the grid became a roof"
