#!/bin/bash
# gable point list: a filter, a table, the last points first; and what several points share is said once.
source "$(dirname "$0")/expect.sh" "$1"
needs python3 cc:gcc
root=$(cd "$(dirname "$0")/../.." && pwd)
python3 "$here/plot_fixtures.py" "$work" || exit 1
dir=$work/joe0
add() { expect 0 '' point add "$dir" --name "$1" --cluster 0 --threads 7 --flops "$2" --load-bytes 16e9 --seconds 1 --nodes 0=1; }
for each in 'mg: relax:2e9' 'mg: residual:1e9' ddot:3e9; do
  add "${each%:*}" "${each##*:}"
done
# Of different times, in another order than that of the file.
python3 - "$dir/points.json" <<'PYTHON'
import json, sys
document = json.load(open(sys.argv[1]))
for point, minute in zip(document["points"], (30, 10, 20)): point["started"] = f"2026-11-25T07:{minute}:00Z"
json.dump(document, open(sys.argv[1], "w"))
PYTHON
names() { grep -oE '^(mg: relax|mg: residual|ddot)' "$work/out" | tr '\n' ','; }
expect 0 '' point list "$dir"
[ "$(names)" = 'mg: relax,ddot,mg: residual,' ] || fail "the order: $(names)"
expect 0 '' point list "$dir" mg
[ "$(names)" = 'mg: relax,mg: residual,' ] || fail "a filter: $(names)"
expect 0 '' point list "$dir" resid ddot
[ "$(names)" = 'ddot,mg: residual,' ] || fail "two filters: $(names)"
expect 0 '' point list "$dir" mg --json
[ "$(python3 -c 'import json, sys; print([p["name"] for p in json.load(sys.stdin)["points"]])' <"$work/out")" = "['mg: relax', 'mg: residual']" ] ||
  fail "a filter of JSON: $(cat "$work/out")"
expect 2 "no point of .*joe0 has 'ddto' in its name; it has .*; did you mean 'ddot'" point list "$dir" ddto

# The table: a line for each point.
expect 0 '' point list "$dir" --table
[ "$(wc -l <"$work/out")" = 4 ] || fail "the table: $(cat "$work/out")"
says '^  point +threads +GFlop/s +flop/byte +GB/s +s +roof; headroom$' '^  ddot +7 +3 +0.1875 +16 +1 +DRAM node 0, local \(load\); [0-9]+ %' '^  mg: relax +7 +2 +0.125 +16 '
expect 0 '' point list "$dir" mg --table
[ "$(wc -l <"$work/out")" = 3 ] || fail "the table of some: $(cat "$work/out")"

# What points that were made together share is said once.
cat >"$work/advisor.csv" <<'CSV'
loop_name,self_elapsed_time,self_gflop,self_memory_gb
f,1,1,8
g,1,1,8
h,1,1,8
CSV
expect 0 '' point import "$dir" "$work/advisor.csv"
[ "$(grep -c 'loads and stores together' "$work/out")" = 1 ] && says '^  note on all 3: Advisor reported' || fail "a note of all: $(cat "$work/out")"
expect 0 '' point list "$dir" f g h
[ "$(grep -c 'loads and stores together' "$work/out")" = 1 ] || fail "a note of all is listed for each: $(cat "$work/out")"

# The functions of the program stand by themselves, those of the dynamic loader in one line.
needs_valgrind
mkdir "$work/machine"
"$gable" machine --json >"$work/machine/machine.json"
expect 0 '' point run "$work/machine" --name f --functions --counter valgrind --repetitions 1 -- "$(realpath "$1")/programs/marked" one
[ "$(grep -cE '\(ld-[^)]*\)$' "$work/out")" = 1 ] || fail "lines of the loader: $(cat "$work/out")"
says '[0-9]+ functions of the dynamic loader' ' nested \(marked\)$' '^  and [0-9]+ with less work, in points.json$'
awk '/ \(itself, /{on = 1; next} on && $1 != "and"{n++; b[n] = $2 + $3; f[n] = $1; B += b[n]; F += f[n]}
  END{for (i in b) if (b[i] < 0.0009 * B && f[i] < 0.0009 * F) exit 1}' "$work/out" || fail "lines that hardly matter: $(cat "$work/out")"
[ "$(of_point "$work/machine/points.json" f 'sum(f["load_bytes"] for f in p["functions"]) == p["load_bytes"]')" = True ] || fail "the file lacks functions"

finish
