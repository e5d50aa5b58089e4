#!/bin/bash
# gable predict on a hand-written hybrid.json, compared with independent arithmetic.
source "$(dirname "$0")/expect.sh" "$1"
here=$(dirname "$0")
export PYTHONDONTWRITEBYTECODE=1
mkdir "$work/m" "$work/empty"
python3 "$here/hybrid.py" "$work/m/hybrid.json"

# 8 GB + 8 GB loaded, 2 GB stored into the fast memory: 0.2 s + 0.294 * 0.1 s + 0.465 * 0.0333 s = 0.2449 s.
mix=(--load-slow 8e9 --load-fast 8GB --store-fast 2000MB)
expect 0 '' predict "$work/m" "${mix[@]}"
for pattern in '^cluster 0, slow DRAM node 0, fast HBM node 4$' 'bound: 73.50 GB/s \(95 %: 72.07 - 74.95\), 245 ms by equation 5' \
  'limits: 54.00 GB/s if nothing overlaps, 90.00 GB/s if everything' 'loads from the slow memory dominate and take 200 ms' \
  'hide 71 % of the 100 ms of loads from the fast memory' 'for 88.9 % loads: 1 slow to 2 fast' \
  'echo 1 >/sys/kernel/mm/mempolicy/weighted_interleave/node0' 'echo 2 >/sys/kernel/mm/mempolicy/weighted_interleave/node4' \
  'numactl --weighted-interleave=0,4 COMMAND' 'skipped: too little memory' 'bound: 147.0 GB/s, 122 ms'; do
  grep -qE "$pattern" "$work/out" || fail "the prediction lacks '$pattern'"
done
head -1 "$work/out" | grep -q 'slow DRAM node 1' || fail "the fastest pair is not the first"
expect 0 '' predict "$work/m" "${mix[@]}" --cluster 0 --slow-node 0 --json
python3 - "$work/out" <<'PYTHON' || fail "the JSON of a prediction is not as computed"
import json, math, sys
document = json.load(open(sys.argv[1]))
assert document["schema"] == 1 and len(document["predictions"]) == 1
pair = document["predictions"][0]
bound, weights = pair["bound"], pair["weights"]
seconds = 0.2 + 0.294 * 0.1 + 0.465 * 2 / 60
close = lambda a, b: math.isclose(a, b, rel_tol=1e-9)
assert close(bound["seconds"], seconds) and close(bound["gb_per_s"], 18 / seconds)
assert close(bound["gb_per_s_lo"], 18 / seconds * math.exp(-0.0196)) and close(bound["seconds_hi"], seconds * math.exp(0.0196))
assert close(bound["t_min_seconds"], 0.2) and close(bound["t_max_seconds"], 0.3 + 2 / 60)
assert bound["phases"][0]["dominating"] == "ls" and close(bound["phases"][0]["exposed_seconds"]["lf"], 0.0294)
assert (pair["pages"], pair["threads"]) == ("", 0)  # not known
assert weights["numactl"] == "--weighted-interleave=0,4" and close(pair["load_share"], 16 / 18)
assert weights["files"] == {f"/sys/kernel/mm/mempolicy/weighted_interleave/node{n}": w for n, w in ((0, weights["slow"]), (4, weights["fast"]))}
PYTHON

sed 's/"slow": {"node": 1/"pages": "2m", "threads": 6, &/' "$work/m/hybrid.json" >"$work/empty/hybrid.json"
expect 0 '' predict "$work/empty" "${mix[@]}" --slow-node 1 --json
python3 -c 'import json, sys
(pair,) = json.load(open(sys.argv[1]))["predictions"]
assert (pair["slow_node"], pair["pages"], pair["threads"]) == (1, "2m", 6), pair' "$work/out" || fail "the JSON lacks pages and threads"
rm "$work/empty/hybrid.json"

expect 0 '' predict "$work/m" --load-share 1 --cluster 0
grep -q bound "$work/out" && fail "a bound without a mix"
grep -q 'for 100 % loads: 1 slow to 2 fast' "$work/out" || fail "no weights for a share of loads"

# An unknown bandwidth.
sed 's/"bandwidth_gb_per_s": {"ls": 40.0, "ss": 25.0/"bandwidth_gb_per_s": {"ls": 40.0, "ss": null/; s/"no_bandwidth": {}/"no_bandwidth": {"ss": "not published"}/' \
  "$work/m/hybrid.json" >"$work/empty/hybrid.json"
expect 0 '' predict "$work/empty" --load-slow 1 --store-slow 1 --slow-node 0
for pattern in 'bound: not known: the bandwidth of stores into the slow memory is not known: not published' 'for 50 % loads: not known: the bandwidth of stores into the slow memory'; do
  grep -q "$pattern" "$work/out" || fail "an unknown bandwidth: the prediction lacks '$pattern'"
done
rm "$work/empty/hybrid.json"

# Wrong usage and missing files.
expect 2 'either the bytes of a mix.*or --load-share' predict "$work/m"
expect 2 'load-share.*load-slow|load-slow.*load-share' predict "$work/m" --load-share 1 --load-slow 1
expect 2 'load-share.*load-slow|load-slow.*load-share' predict "$work/m" --load-share 1 --load-slow 0
expect 2 'to needs --point' predict "$work/m" --load-slow 1 --to ''
expect 2 'cluster.*point|point.*cluster' predict "$work/m" --point x --to fast --cluster 0
expect 2 'load-slow: -1 is not an amount of bytes' predict "$work/m" --load-slow=-1
expect 2 'bytes must be from 0 to 1e30' predict "$work/m" --load-slow 1e31
expect 2 'load-slow' predict "$work/m" --load-slow nan --load-fast 1
for share in 1.5 nan 80% most; do expect 2 "load-share: $share is not a number from 0 to 1" predict "$work/m" --load-share $share; done
expect 2 'load-slow' predict "$work/m" --load-slow 3parsec
expect 2 'no such pair of memories; there are:' predict "$work/m" --load-slow 1 --cluster 7
grep -q 'cluster 1, slow DRAM node 0, fast HBM node 5' "$work/err" || fail "the pairs that there are are not named"
expect 2 'hybrid.json: no such file: no hybrid cells were measured; `gable measure .*/empty --only hybrid`.*`gable fit' predict "$work/empty" --load-slow 1
expect 2 'joe0/hybrid.json: no such file: no mixes of two memories were measured' predict joe0 --load-share 0.8
python3 "$data/two_clusters.py" "$work/two" || fail two_clusters.py
expect 0 '' fit --quiet "$work/two"
expect 2 'two/hybrid.json: no such file: no hybrid cells were measured; `gable measure .*/two --only hybrid`' predict "$work/two" --load-slow 2GB --load-fast 6GB
grep -m 1 '"pattern":"local"' "$work/two/samples.jsonl" | sed 's/"pattern":"local"/"pattern":"hybrid"/' >>"$work/two/samples.jsonl"
expect 2 'hybrid.json: no such file; run `gable fit .*/two` first' predict "$work/two" --load-slow 1
expect 2 'no such folder' predict "$work/absent" --load-slow 1
echo '{"schema":1,"pairs":[]}' >"$work/empty/hybrid.json"
expect 2 'hybrid.json: no pair of memories' predict "$work/empty" --load-slow 1
echo '{"schema":1,"pairs":[{}]}' >"$work/empty/hybrid.json"
expect 2 'hybrid.json:1: pairs\[0\]: "cluster" is missing' predict "$work/empty" --load-slow 1

# A point of all clusters, half of it in each tier: each cluster has a fast and a slow node of its own.
cp -r "$here/../../machines/knl-snc4-flat" "$work/tiers"
chmod -R u+w "$work/tiers"
expect 0 '' point add "$work/tiers" --name half --flops 2e10 --load-bytes 160e9 --seconds 1 --nodes 0=1,1=1,2=1,3=1,4=1,5=1,6=1,7=1
for extreme in fast:1357 slow:0246; do
    expect 0 '' predict "$work/tiers" --point half --to ${extreme%:*} --json
    python3 -c 'import json, sys
(row,) = json.load(open(sys.argv[1]))["predictions"]
assert "".join(sorted(row["nodes"])) == sys.argv[2] and row["threads"] is None, row' "$work/out" ${extreme#*:} ||
        fail "--to ${extreme%:*} of all clusters is not to own nodes"
done

# A published ± may mean anything, and its figure was not measured here.
expect 0 '' predict knl-snc4-flat --load-share 1
tr -s '\n ' ' ' <"$work/out" >"$work/line"
grep -q '92.00 GB/s (no interval), published: LARM tables 6' "$work/line" || fail "a published figure: $(cat "$work/out")"
grep -qE '95 %|measured' "$work/out" && fail "a published figure is said to be measured: $(cat "$work/out")"
expect 0 '' predict knl-snc4-flat --load-share 1 --json
python3 - "$work/out" <<'PYTHON' || fail "the JSON of a published figure"
import json, sys
(pair,) = json.load(open(sys.argv[1]))["predictions"]
assert (pair["weights"]["gb_per_s"], pair["weights"]["gb_per_s_lo"], pair["weights"]["gb_per_s_hi"]) == (92.0, None, None), pair
PYTHON

# Dependent loads follow the latencies of both memories (137.14 and 403.7 ns), which change more than the bandwidths.
cp -r "$here/../../machines/xeon6254-optane" "$work/optane"
chmod -R u+w "$work/optane"
expect 0 '' point add "$work/optane" --name chase18 --flops 1 --load-bytes 1440e6 --seconds 1.371 --threads 18 --cluster 0 --nodes 0=1
expect 0 '' predict "$work/optane" --point chase18 --to node:1 --json
python3 -c 'import json, sys
(row,) = json.load(open(sys.argv[1]))["predictions"]
assert row["ratio_lo"] <= 1 and 403.7 / 137.14 <= row["ratio_hi"] <= 1.15 * 403.7 / 137.14, row' "$work/out" ||
  fail "a chase: $(cat "$work/out")"
expect 0 '' predict "$work/optane" --point chase18 --to node:1
grep -q 'not known without its bytes by level' "$work/out" || fail "a chase: $(cat "$work/out")"
# Without latencies nothing is said of it.
sed -i '/"kind":"latency"/d' "$work/optane/roofs.json"
expect 2 'no latency of memory' predict "$work/optane" --point chase18 --to node:1
expect 0 '' predict "$work/optane" --point chase18 --to node:0 node:1 --json
python3 -c 'import json, sys
for row in json.load(open(sys.argv[1]))["predictions"]:
    assert all(row[name] is None for name in ("seconds", "seconds_lo", "seconds_hi", "ratio")) and "latency" in row["reason"], row' "$work/out" ||
  fail "without latencies there are figures: $(cat "$work/out")"

finish
