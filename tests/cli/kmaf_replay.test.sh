#!/bin/bash
# gable kmaf generate and replay: figures that hang together, and what they refuse.
source "$(dirname "$0")/expect.sh" "$1"
command -v lstopo-no-graphics >/dev/null || { echo "skipped: lstopo is missing (package hwloc)"; exit 77; }

mkdir "$work/m"
lstopo-no-graphics -f -i "package:2 [numa(memory=1GB)] l3:1(size=65536) core:2 l2:1(size=8192) l1d:1(size=2048) pu:1" \
  --of xml "$work/m/topology.xml" || fail "lstopo"
cat >"$work/m/replay.json" <<'TEXT'
{"schema":1,"l1_ns":1,"l2_ns":4,"l3_ns":20,"local_ns":100,"remote_ns":170,"link_gb_per_s":10,"memory_gb_per_s":20,
 "energy":{"l1_nj":0.02,"l2_nj":0.4,"l3_nj":3,"memory_nj":16,"link_nj_per_byte":0.1,"static_watts":50}}
TEXT

expect 0 '' kmaf generate private --threads 4 --accesses 60000 -o "$work/p.csv"
expect 0 '' kmaf generate private --threads 4 --accesses 60000 -o "$work/p.trace"
head -1 "$work/p.csv" | grep -q '^tid,address,bytes,write$' || fail "no header in the CSV"
expect 0 '' kmaf replay "$work/p.csv" --machine "$work/m" --runs 3 --json
mv "$work/out" "$work/csv.json"
expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 3 --jobs 1 --json
python3 - "$work/csv.json" "$work/out" <<'PYTHON' || fail "the JSON does not hang together"
import json, sys
one, two = (json.load(open(path)) for path in sys.argv[1:])
for document in (one, two):
    document.pop("trace")
assert one == two, "CSV and binary, two jobs and one: the same runs"
names = [policy["policy"] for policy in one["policies"]]
assert names == ["os", "compact", "random", "interleave", "autonuma", "oracle", "kmaf", "kmaf-threads", "kmaf-data"], names
policies = {policy["policy"]: policy for policy in one["policies"]}
assert policies["os"]["time_ratio"] == {"value": 1, "lo": 1, "hi": 1}
for policy in policies.values():
    for name in ("seconds", "time_ratio", "l3_miss_ratio", "link_traffic_ratio", "energy_ratio"):
        figure = policy[name]
        assert figure["lo"] <= figure["value"] <= figure["hi"], (policy["policy"], name)
    spent = policy["overhead_seconds"]
    share = 100 * sum(spent.values()) / (4 * policy["seconds"]["value"])
    assert abs(share - policy["overhead_percent"]) < 0.05, (policy["policy"], share)
assert policies["os"]["samples"] == policies["oracle"]["pages_moved"] == 0
assert policies["kmaf-threads"]["pages_moved"] == 0 and policies["kmaf-data"]["tasks_moved"] == 0
if "threads_not_mapped" not in one:
    # Private data that one thread touched first: everybody's pages come to their user.
    assert policies["kmaf"]["local_percent"] > 90 > policies["os"]["local_percent"], policies["kmaf"]
    assert policies["kmaf"]["time_ratio"]["hi"] < 1
PYTHON
expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 2 --policy kmaf
[ "$(grep -cE '^  (os|kmaf) ' "$work/out")" = 2 ] || fail "--policy kmaf shows: $(cat "$work/out")"

if command -v gnuplot >/dev/null; then
  expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 2 --plot "$work/pictures"
  for ending in tsv svg png; do [ -s "$work/pictures/p-replay.$ending" ] || fail "no p-replay.$ending"; done
fi

expect 2 'no kernel .rings.' kmaf generate rings -o "$work/x.csv"
expect 2 'output' kmaf generate ring
expect 1 'cannot write .*absent' kmaf generate ring -o "$work/absent/x.csv"
expect 1 'cannot write /dev/full' kmaf generate ring --accesses 100000 -o /dev/full
expect 2 'policy best: there are all, os, compact' kmaf replay "$work/p.trace" --machine "$work/m" --policy best
expect 2 'absent: no such folder' kmaf replay "$work/p.trace" --machine "$work/absent"
expect 2 'machine' kmaf replay "$work/p.trace"
expect 2 'absent.csv: No such file' kmaf replay "$work/absent.csv" --machine "$work/m"
echo "1,x,8,0" >"$work/bad.csv"
expect 2 'bad.csv:1: address' kmaf replay "$work/bad.csv" --machine "$work/m"
: >"$work/empty.csv"
expect 2 'empty.csv: there is no access' kmaf replay "$work/empty.csv" --machine "$work/m"
sed -i 's/"remote_ns":170,//' "$work/m/replay.json"
expect 2 'replay.json: "remote_ns" is missing' kmaf replay "$work/p.trace" --machine "$work/m"
echo '{"schema":2}' >"$work/m/replay.json"
expect 2 'replay.json: "schema" is not 1' kmaf replay "$work/p.trace" --machine "$work/m"
echo '{' >"$work/m/replay.json"
expect 2 'replay.json: not JSON' kmaf replay "$work/p.trace" --machine "$work/m"
rm "$work/m/replay.json"
expect 2 'replay.json: not there' kmaf replay "$work/p.trace" --machine "$work/m"

[ $failures = 0 ] || exit 1
echo "all as expected"
