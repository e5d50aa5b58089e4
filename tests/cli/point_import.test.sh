#!/bin/bash
# gable point import: every region of a file becomes a point of its own, and its rates are those that the tool measured.
source "$(dirname "$0")/expect.sh" "$1"
needs python3
dir=$work/machine
mkdir "$dir"
points=$dir/points.json
field() { of_point "$points" "$@"; }
rate='p["flops"] / p["seconds"] / 1e9'

# A loop that Advisor lists twice, such as its body and its remainder.
cat >"$work/advisor.csv" <<'CSV'
Function Call Sites and Loops,Self Elapsed Time,Self GFLOP,Self Loaded GB,Self Stored GB
[loop in sum at a.c:3],0.5s,2,24,8
[loop in sum at a.c:3],0.1s,1,6,2
[loop in sum at a.c:3],0.2s,1,6,2
f,0.1s,1,6,2
CSV
expect 0 '' point import "$dir" "$work/advisor.csv"
for name in '[loop in sum at a.c:3]' '[loop in sum at a.c:3] (2)' '[loop in sum at a.c:3] (3)' f; do
  field "$name" 'p["region"]' >/dev/null || fail "there is no point '$name'"
done
[ "$(field '[loop in sum at a.c:3] (2)' "$rate, p['region']")" = "(10.0, '[loop in sum at a.c:3]')" ] || fail "the second loop"
expect 0 '' point import "$dir" "$work/advisor.csv" --name adv
[ "$(grep -c '"name":"adv: ' "$points")" = 4 ] || fail "--name loses a loop: $(grep -o '"name":"adv[^"]*"' "$points")"
expect 0 '' point import "$dir" "$work/advisor.csv" --region '[loop in sum at a.c:3]' --name only
[ "$(grep -c '"name":"only' "$points")" = 3 ] || fail "--region loses a loop"
expect 0 '' point import "$dir" <(sed 's/,/;/g; 1s/^/\xef\xbb\xbf/' "$work/advisor.csv") --name semicolons --region f
[ "$(field semicolons "$rate")" = 10.0 ] || fail "semicolons and a mark: $(field semicolons p)"

# likwid's groups take turns, each with its own runtime. Bytes that a user gives are of all of it.
cat >"$work/likwid.csv" <<'CSV'
TABLE,Group 1 Raw,FLOPS,2
Event,Counter,HWThread 0
RETIRED_SSE_AVX_FLOPS_ALL,PMC0,4000000000
TEMP_CORE,TMP0,-
TABLE,Group 1 Metric,FLOPS,1
Metric,HWThread 0
Runtime (RDTSC) [s],0.4
TABLE,Group 2 Raw,DATA,2
Event,Counter,HWThread 0
LS_DISPATCH_LOADS,PMC0,1600000000
LS_DISPATCH_STORES,PMC1,0
TABLE,Group 2 Metric,DATA,1
Metric,HWThread 0
Runtime (RDTSC) [s],1.6
CSV
expect 0 '' point import "$dir" "$work/likwid.csv" --name groups --access-bytes 8
[ "$(field groups "$rate, p['load_bytes'] / p['seconds']")" = '(10.0, 8000000000.0)' ] || fail "two groups: $(field groups p)"
says 'note: its groups of events took turns'

# perf: an event of two groups counts once, and what cannot be mapped is refused by its name.
flops='{"counter-value" : "8000000000.0", "unit" : "", "event" : "fp_ret_sse_avx_ops.all:u", "event-runtime" : 1, "pcnt-running" : 100.00}'
time='{"counter-value" : "1000000000", "unit" : "ns", "event" : "duration_time:u", "event-runtime" : 1, "pcnt-running" : 100.00}'
bytes=(--load-bytes 8e9 --store-bytes 0)
printf '%s\n' "$flops" "$flops" "$time" >"$work/perf.json"
expect 0 '' point import "$dir" "$work/perf.json" --name twice "${bytes[@]}"
[ "$(field twice "$rate")" = 8.0 ] || fail "an event of two groups: $(field twice p)"
for event in fp_ops_retired_by_type.vector_all fp_arith_inst_retired.vector cpu/event=0xc7,umask=0x1/; do
  printf '%s\n' "${flops/fp_ret_sse_avx_ops.all:u/$event}" "$time" >"$work/perf.json"
  expect 2 "perf.json: $event: .*count" point import "$dir" "$work/perf.json" --name unknown "${bytes[@]}"
done
printf '%s\n' "${flops/fp_ret_sse_avx_ops.all:u/cycles}" "$time" >"$work/perf.json"
expect 0 '' point import "$dir" "$work/perf.json" --name none "${bytes[@]}"
says 'note: no flops: none of the events'
printf '%s\n' "${flops/100.00/100,00}" "$time" >"$work/perf.json"
expect 2 'perf.json:1: .*LC_ALL=C' point import "$dir" "$work/perf.json" "${bytes[@]}"

# Bytes by level of other tools: the memory binds what instructions alone leave undecided, and the user's figures count first.
cp -r "$here/../../machines/joe0" "$work/joe0" && chmod -R u+w "$work/joe0"
cat >"$work/mem.csv" <<'CSV'
TABLE,Group 1 Raw,MEM_DP,1
Event,Counter,HWThread 0,HWThread 1
RETIRED_SSE_AVX_FLOPS_ALL,PMC0,6000000000,890000000
TABLE,Group 1 Metric,MEM_DP,3
Metric,HWThread 0,HWThread 1
Runtime (RDTSC) [s],1.04,1.03
Memory read data volume [GBytes],36.5,0
Memory write data volume [GBytes],0.8,0
CSV
cg=(--load-bytes 66.08e9 --store-bytes 5.61e9 --threads 7 --cluster 0 --nodes 0=1)
expect 0 '' point import "$work/joe0" "$work/mem.csv" --name likwid "${cg[@]}"
expect 0 '' point import "$work/joe0" "$work/mem.csv" --name own "${cg[@]}" --level-bytes DRAM=18GB,0
sed 's/^Memory .* data/Other data/' "$work/mem.csv" >"$work/none.csv"
expect 0 '' point import "$work/joe0" "$work/none.csv" --name none "${cg[@]}"
cat >"$work/cachegrind.out.1" <<'CACHEGRIND'
desc: I1 cache:         32768 B, 64 B, 8-way associative
desc: D1 cache:         32768 B, 64 B, 8-way associative
desc: LL cache:         1048576 B, 64 B, 16-way associative
cmd: ./cg
events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
summary: 20000000000 0 0 8000000000 700000000 560000000 700000000 13000000 12000000
CACHEGRIND
expect 2 'it has no wall clock time' point import "$work/joe0" "$work/cachegrind.out.1" --access-bytes 8
expect 0 '' point import "$work/joe0" "$work/cachegrind.out.1" --name simulated --access-bytes 8 --seconds 1.04 \
  --threads 7 --cluster 0 --nodes 0=1
expect 0 '' point list "$work/joe0" --json
python3 - "$work/out" <<'PYTHON' || fail "verdicts of imported bytes by level"
import json, sys
points = {point["name"]: point for point in json.load(open(sys.argv[1]))["points"]}
bytes_of = lambda name: [(level["level"], level["read"], level["written"]) for level in points[name]["levels"]]
assert bytes_of("likwid") == [("memory", 36.5e9, 0.8e9)] and bytes_of("own") == [("memory", 18e9, 0)], points
assert bytes_of("simulated")[1] == ("memory", 64 * 572e6, 64 * 12e6), points["simulated"]
for name in ("likwid", "simulated"):
    assert points[name]["binding_roof"] == "DRAM node 0, local (load)" and points[name]["headroom_percent"] < 10, points[name]
assert 90 < points["own"]["headroom_percent"] < 120, points["own"]
assert points["none"]["binding_roof"] is None and "levels" not in points["none"], points["none"]
PYTHON

finish
