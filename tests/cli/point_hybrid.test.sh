#!/usr/bin/env bash
# A point whose pages lie in two memories: DIR/hybrid.json gives it a roof of its own, of the value computed here from
# its parameters, and the chart a line for it.
source "$(dirname "$0")/expect.sh" "$1"
needs python3
dir=$work/m
two_memories "$dir"
add() { expect 0 '' point add "$dir" --cluster 0 --threads 8 --flops 1e9 --seconds 1 "$@"; }
add --name spread --load-bytes 24e9 --store-bytes 8e9 --nodes 0=40,1=60
add --name loads --load-bytes 24e9 --nodes 0=75,1=25
add --name even --load-bytes 12e9 --store-bytes 12e9 --nodes 0=50,1=50
add --name single --load-bytes 24e9 --nodes 1=1

cat >"$work/roofs.py" <<'PYTHON'
"""NAME TAB GB/S of each point spread over both memories, from the θ and bandwidths of hybrid.json alone."""
import json, sys
fit = json.load(open(sys.argv[1] + "/hybrid.json"))["pairs"][0]["fit"]
assert fit["better"] == "phased"  # pages alternate while both memories last, the rest lies in one
theta, rates = fit["phased"]["theta"], fit["bandwidth_gb_per_s"]
def phase(gb, load, fast):
    t = {"ls": gb * load * (1 - fast), "ss": gb * (1 - load) * (1 - fast), "lf": gb * load * fast, "sf": gb * (1 - load) * fast}
    t = {x: amount / rates[x] for x, amount in t.items() if amount > 0}
    top = max(t, key=t.get) if t else None
    return sum(seconds if x == top else theta[top][x] * seconds for x, seconds in t.items())
for name, load, fast in (("spread", 0.75, 0.6), ("loads", 1, 0.25), ("even", 0.5, 0.5)):
    both = 2 * min(fast, 1 - fast)
    print(name, 1 / (phase(both, load, 0.5) + phase(1 - both, load, float(fast > 0.5))), sep="\t")
PYTHON
python3 "$work/roofs.py" "$dir" >"$work/roofs.tsv" || fail "the roofs by hand"

expect 0 '' point list "$dir" --json
python3 - "$work/out" "$work/roofs.tsv" <<'PYTHON' || fail "the readings of spread points"
import json, sys
points = {point["name"]: point for point in json.load(open(sys.argv[1]))["points"]}
for name, roof in (line.split("\t") for line in open(sys.argv[2])):
    point = points[name]
    assert point["binding_roof"].startswith("hybrid ("), point
    reached = (point["load_bytes"] + point["store_bytes"]) / 1e9 / point["seconds"]
    if reached < 0.4 * float(roof):  # something else limits it
        assert point["headroom_percent"] is None, point
    else:
        assert abs(point["headroom_percent"] - 100 * (float(roof) / reached - 1)) < 1e-6, (point, roof)
assert "40 % on node 0, 60 % on node 1" in points["spread"]["binding_roof"], points["spread"]
assert points["single"]["binding_roof"] == "HBM node 1, local (load)", points["single"]
PYTHON

# The table exists even without gnuplot.
"$gable" plot "$dir" --format svg >"$work/out" 2>&1 || ! command -v gnuplot >/dev/null || fail "plot: $(cat "$work/out")"
python3 - "$dir/charts/larm-0.tsv" "$work/roofs.tsv" <<'PYTHON' || fail "the chart's lines of spread points"
import csv, sys
rows = csv.DictReader(open(sys.argv[1]), delimiter="\t", quoting=csv.QUOTE_NONE)
lines = {row["label"].split(":")[0]: row for row in rows if row["pattern"] == "hybrid"}
wanted = dict(line.split("\t") for line in open(sys.argv[2]))
assert set(lines) == set(wanted), lines
for name, roof in wanted.items():
    assert abs(float(lines[name]["value"]) / float(roof) - 1) < 1e-5, (lines[name], roof)
    assert float(lines[name]["lo"]) < float(roof) < float(lines[name]["hi"]), lines[name]
PYTHON

# Without the model the same pages have no line: a range between two bounds is not a roof.
rm -r "$dir/hybrid.json" "$dir/charts"
"$gable" plot "$dir" --format svg >"$work/out" 2>&1
awk -F'\t' '$4 == "hybrid" { found = 1 } END { exit found }' "$dir/charts/larm-0.tsv" || fail "a line without a model"

finish
