#!/bin/bash
# A suite replayed on Knights Landing, which has no L3 and memory nodes without cores: the simulated points on the
# charts of the hybrid model and of the LARM.
source "$(dirname "$0")/expect.sh" "$1"
needs python3 gnuplot

mkdir "$work/suite"
cp -r "$here/../../machines/knl-snc4-flat" "$work/knl"
chmod -R u+w "$work/knl"
python3 "$data/knl_suite.py" "$work/suite" || fail "the traces"

# Points of the programs as the simulated OS runs them: with as many bytes, in as many seconds.
expect 0 '' kmaf replay --suite "$work/suite" --machine "$work/knl" --runs 1 --policy os --json
python3 - "$work/out" >"$work/programs" <<'PYTHON' || fail "the replay under the OS: $(head -c 600 "$work/out")"
import json, sys
for replay, flop_per_byte in zip(json.load(open(sys.argv[1]))["replays"], (0.5, 0.125)):
    name = replay["trace"].split("/")[-1].removesuffix(".trace")
    load = replay["scale"] * replay["steady_accesses"] * 64
    print(name, f"{flop_per_byte * load:.5g} {load:.5g} {replay['program_seconds']:.5g}")
PYTHON
while read -r name flops load seconds; do
  expect 0 '' point add "$work/knl" --name "$name" --cluster all --threads 64 --flops "$flops" --load-bytes "$load" \
    --store-bytes 0 --seconds "$seconds"
done <"$work/programs"

expect 0 '' show "$work/knl" --all
says 'another L2 90 ns, local memory 143 ns, remote 147 ns' 'HBM: local 170 ns, remote 179 ns, 90.9 GB/s per node'

# counted: what the replay in $work/replay.json counts is what its points have, and the memories give what was measured.
counted() {
  python3 - "$work/replay.json" "$work/knl" <<'PYTHON' || fail "the points: $(cat "$work/knl/points.json")"
import json, math, sys
replays = {replay["trace"].split("/")[-1].removesuffix(".trace"): replay for replay in json.load(open(sys.argv[1]))["replays"]}
points = {point["name"]: point for point in json.load(open(sys.argv[2] + "/points.json"))["points"]}
roofs = json.load(open(sys.argv[2] + "/roofs.json"))["roofs"]
def roof(pattern, tier):
    return next(each["value"] for each in roofs if each["pattern"] == pattern and each["tier"] == tier)
rates = {}
for name, replay in replays.items():
    assert "l3_misses" not in replay["policies"][0] and "memories_without_figures" not in replay
    for policy in replay["policies"]:
        key = name, policy["policy"]
        counted = {(each["cluster"], each["node"]): each["load_bytes"] for each in policy["access"]}
        lines = sum(counted.values()) / 64
        # What the memories gave and what other caches gave are all misses.
        assert lines <= policy["l2_misses"] + 1 and "l2_miss_ratio" in policy, key
        local = sum(bytes for (cluster, node), bytes in counted.items() if node // 2 == cluster) / 64
        assert abs(100 * local / policy["l2_misses"] - policy["local_percent"]) < 0.01, key
        fast = sum(bytes for (cluster, node), bytes in counted.items() if node % 2) / sum(counted.values())
        assert abs(fast - {"os": 0, "interleave": 0.5, "kmaf": 0, "oracle": 1}[policy["policy"]]) < 0.01, (key, fast)
        rates[key] = lines * 64 * replay["scale"] / policy["seconds"]["value"] / 4e9  # of a cluster
        if replay["runs"] > 1 and not policy["deterministic"]:
            continue  # its point has the accesses of one run
        kept = {(each["cluster"], each["node"]): each["load_bytes"]
                for each in points[f"{name} by {policy['policy']} (simulated)"]["access"]["nodes"]}
        assert set(kept) == set(counted), key
        for each in kept:
            assert math.isclose(kept[each] / sum(kept.values()), counted[each] / sum(counted.values()), rel_tol=1e-6), key
# The simulated memories give what tables 4 and 5 measured, less what the start and the end of a short loop cost.
for key, bound in ((("table", "os"), roof("contended", "DRAM")), (("stream", "os"), roof("local_all", "DRAM")),
                   (("table", "kmaf"), roof("local_all", "DRAM")), (("table", "oracle"), roof("local_all", "HBM"))):
    assert key not in rates or 0.75 * bound < rates[key] <= 1.01 * bound, (key, rates[key], bound)
PYTHON
}
expect 0 '' kmaf replay --suite "$work/suite" --machine "$work/knl" --runs 1 --policy interleave --points --json
mv "$work/out" "$work/replay.json"
counted
expect 0 '' kmaf replay --suite "$work/suite" --machine "$work/knl" --runs 2 --policy interleave,kmaf,oracle --points --json
mv "$work/out" "$work/replay.json"
counted
mkdir "$work/knl/kmaf"
cp "$work/replay.json" "$work/knl/kmaf/suite.json"
expect 0 '' report "$work/knl" -o "$work/report.html"
grep -q 'L2 misses' "$work/report.html" || fail "the report lacks the misses"
rm -r "$work/knl/kmaf"

for size in column screen; do
  expect 0 '' plot "$work/knl" --cluster 0 --size $size
  python3 "$here/plot_check.py" --pictures "$work/knl" || fail "knl, --size $size: see above"
  name='stream by interleave (simulated)' # a column has less room, and the symbol is open
  [ $size = screen ] || name='stream by interleave'
  grep -q "$name: " "$work/knl/charts/hybrid-programs-0-0-1.svg" || fail "--size $size: the legend lacks '$name'"
done
grep '^point' "$work/knl/charts/hybrid-programs-0-0-1.tsv" >"$work/points.tsv"
[ -z "${GABLE_REGENERATE:-}" ] || cp "$work/points.tsv" "$data/knl-replay.tsv"
# The versions of Scotch map threads differently, so figures may differ a little, and intervals of two runs much.
python3 - "$data/knl-replay.tsv" "$work/points.tsv" <<'PYTHON' || fail "the suite stands elsewhere; GABLE_REGENERATE=1 writes it anew"
import csv, sys
expected, found = ([row for row in csv.reader(open(path), delimiter="\t")] for path in sys.argv[1:])
assert [row[:4] for row in found] == [row[:4] for row in expected], found
for one, other in zip(expected, found):
    for a, b in ((one[column], other[column]) for column in (4, 5, 6, 9)):  # shares, GB/s, the model's
        assert a == b or abs(float(a) - float(b)) <= 0.05 * max(abs(float(a)), 10), (one, other)
assert {row[3] for row in found} == {"yes"}, "all are simulated, and drawn open"
arrows = {row[1]: row[2] for row in found}
for program in "table", "stream":
    for policy in "interleave", "kmaf", "oracle":
        assert arrows[f"{program} by {policy} (simulated)"] == f"{program} by os (simulated)", arrows
PYTHON

# What the folder lacks, or says wrong.
trace=$work/suite/table.trace
with() {
  python3 - "$here/../../machines/knl-snc4-flat/replay.json" "$work/knl/replay.json" "$1" <<'PYTHON'
import json, sys
document = json.load(open(sys.argv[1]))
exec(sys.argv[3])
open(sys.argv[2], "w").write(json.dumps(document))
PYTHON
}
refused() {
  with "$1"
  expect 2 "replay.json:1.*$2" kmaf replay "$trace" --machine "$work/knl" --policy os --runs 1
}
refused 'del document["core_transfer_ns"]' '"core_transfer_ns" is missing: the topology has no L3'
refused 'document["l3_ns"] = 20' '"l3_ns": the topology has no L3'
refused 'document["tiers"][0]["tier"] = "NVM"' '"tier": the topology has no memory node of NVM without cores'
refused 'document["tiers"] *= 2' '"tier": HBM is there twice'
refused 'document["tiers"][0]["memory_gb_per_s"] = 0' '"memory_gb_per_s" must be above 0'
refused 'del document["tiers"][0]["remote_ns"]' '"remote_ns" is missing'
refused 'document["core"]["misses"] = 33' '"misses" is 33'
with 'del document["tiers"]'
expect 0 '' kmaf replay "$trace" --machine "$work/knl" --policy interleave --runs 1
says 'no figures of the memory nodes 1, 3, 5, 7 without cores: no page lies there' 'L2 misses'
rm "$work/knl/replay.json"
expect 2 'knl: it has no replay.json.*are not known: idle latency of L1' kmaf replay "$trace" --machine "$work/knl"

# A measured machine without an L3: figures of MCDRAM by tier, and lines between cores instead of the L3.
python3 - "$work/knl" <<'PYTHON'
import json, sys
path = sys.argv[1] + "/roofs.json"
document = json.load(open(path))
def add(level, pattern, node, ns):
    document["roofs"].append({**document["roofs"][0], "kind": "latency", "level": level, "pattern": pattern, "node": node,
                              "op": "chase", "value": ns, "lo": ns, "hi": ns, "unit": "ns"})
add("L1", "cache", None, 3)
add("L2", "cache", None, 13)
for pattern, node, ns in (("local", 0, 143), ("remote", 2, 147), ("local", 1, 170), ("remote", 3, 179)):
    add("memory", pattern, node, ns)
open(path, "w").write(json.dumps(document))
asked = {"pus": [0, 16], "node": 0, "home": "both", "relation": "node", "distance": 0, "kinds": ""}
with open(sys.argv[1] + "/lines.jsonl", "w") as out:
    for measure in "handoff", "modified":
        out.write(json.dumps({"schema": 1, "asked": {"measure": measure, **asked}, "round": 0, "status": "ok", "reason": "",
            "seconds": [90e-6] * 8, "work": [1000] * 8, "disturbed": 0, "adds_per_cycle": 0, "clock_ghz": 0, "steal_percent": 0,
            "cpus": [0, 16], "node_bytes": {"0": 4096}, "notes": [], "started": "2026-01-01T00:00:00Z"}) + "\n")
PYTHON
expect 2 'the topology has no L3, .*gable measure --only c2c' kmaf replay "$trace" --machine "$work/knl" --policy os --runs 1
mv "$work/knl/lines.jsonl" "$work/knl/c2c.jsonl"
expect 0 '' kmaf replay "$trace" --machine "$work/knl" --policy interleave --runs 1
says 'local_ns 143: idle latency of local memory' 'HBM local_ns 170: idle latency of local HBM$' 'HBM remote_ns 179' \
  'HBM memory_gb_per_s 92.4: load bandwidth of local HBM, median of 2' 'link_gb_per_s 42.75' 'core_transfer_ns 90'
grep -q 'no page lies there' "$work/out" && fail "MCDRAM is not used: $(cat "$work/out")"
expect 2 'knl-snc4-cache: it has no replay.json' kmaf replay "$trace" --machine "$here/../../machines/knl-snc4-cache"

[ $failures -eq 0 ] && echo "the suite is on the charts"
exit $((failures > 0))
