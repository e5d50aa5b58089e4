"""compare_check.py COMPARED FIRST OTHER: what gable compare --json says of two published machines, held against their
roofs.json: values, ratios, directions, and that no figure is lost."""

import json
import sys

compared = json.load(open(sys.argv[1]))
roofs = [json.load(open(f"{folder}/roofs.json"))["roofs"] for folder in sys.argv[2:4]]
one = compared["comparisons"][0]
rooflike = {"bandwidth", "peak", "latency", "loaded latency"}


def kind(figure):
    return figure["section"] in rooflike


# Every roof is in the result once, on its side.
for side, name in enumerate(("first", "other")):
    values = [f[name]["value"] for f in one["figures"] if kind(f)]
    lone = [f for f in one["without_counterpart"] if kind(f) and f["in"] in (name, "neither")]
    values += [f["figure"]["value"] for f in lone if f["figure"]["value"] is not None]
    wanted = [r["value"] for r in roofs[side] if r["status"] == "ok"]
    assert sorted(values) == sorted(wanted), (name, len(values), len(wanted))
assert all(f["reason"] for f in one["without_counterpart"])

for figure in one["figures"]:
    first, other = figure["first"]["value"], figure["other"]["value"]
    change = figure["change_percent"]
    if change is None:
        assert abs(figure["change"] - (other - first)) < 1e-9
        continue
    assert abs(change - 100 * (other / first - 1)) < 1e-6 * max(1, abs(change)), figure["name"]
    if figure["worse"] is not None and change != 0:
        assert figure["worse"] == ((other > first) == (figure["unit"] == "ns")), figure["name"]
    if figure["significant"]:
        assert figure["p"] <= figure["adjusted_p"] <= 0.05
        assert not figure["change_lo_percent"] <= 0 <= figure["change_hi_percent"], figure["name"]
    if figure["not_judged"]:
        assert figure["significant"] is None and figure["p"] is None
    else:
        assert figure["change_lo_percent"] <= change <= figure["change_hi_percent"], figure["name"]

# Only memories of one kind, and caches of one level, are the same figure.
for figure in one["figures"]:
    if kind(figure) and "node" in figure["name"]:
        tier = figure["name"].split(", ")[1].split(" ")[0]
        sides = [{r["value"] for r in side if r["tier"] == tier} for side in roofs]
        assert figure["first"]["value"] in sides[0] and figure["other"]["value"] in sides[1], figure["name"]
