#!/usr/bin/env bash
# gable place: results are right by another program's account, and what is wrong with a call is said.
source "$(dirname "$0")/expect.sh"
command -v python3 >/dev/null || { echo "skipped: python3 is missing (package python3)"; exit 77; }

check=$(cd "$(dirname "$0")" && pwd)/place_check.py
python3 - >"$work/edges.txt" <<'PY'
import random
random.seed(7)
print("# an edge list with gaps, loops and repetitions")
for _ in range(3000):
    print(int(random.random() ** 2 * 400) * 3, int(random.random() ** 2 * 400) * 3)
PY

for direction in directed undirected; do
  expect 0 "vertices, .* $direction edges" place "$work/m" --bench pagerank --graph "$work/edges.txt" --$direction \
    --iterations 30 --damping 0.8 --ranks 1 --runs 1 --dump "$work/ranks" --json
  python3 "$check" pagerank "$work/edges.txt" "$work/ranks" $direction 0.8 30 || fail "pagerank, $direction"
  expect 0 "" place "$work/m" --bench bfs --graph "$work/edges.txt" --$direction --source 3 --runs 1 \
    --dump "$work/depths" --json
  python3 "$check" bfs "$work/edges.txt" "$work/depths" $direction 3 || fail "bfs, $direction"
done
python3 -c "
import json, sys
records = [json.loads(line) for line in open('$work/m/placements.jsonl')]
assert len(records) == 2 * (1 + 3), len(records)
assert all(r['verified'] for r in records), records
assert json.load(open('$work/out'))['schema'] == 1
" || fail "placements.jsonl"
sed -i 's/^0 .*/0 0.5/' "$work/ranks"
python3 "$check" pagerank "$work/edges.txt" "$work/ranks" undirected 0.8 30 2>/dev/null && fail "a wrong rank was not noticed"

expect 0 "" place "$work/m" --bench bfs --graph uniform:8 --runs 1 --tiers DRAM,"$work"
grep -q "page cache, not persistent memory" "$work/out" || fail "a file that is not on DAX is not called so"
grep -q "MTEPS" "$work/out" || fail "no table"

touch "$work/taken"
expect 2 "would be overwritten" place "$work/m" --bench bfs --graph uniform:8 --tiers "$work/taken"
expect 2 "no HBM node|HBM" place "$work/m" --bench bfs --graph uniform:8 --tiers HBM
expect 2 "no tier 'nothing'" place "$work/m" --bench bfs --graph uniform:8 --tiers nothing
expect 2 "bench: sorting" place "$work/m" --bench sorting --graph uniform:8
expect 2 "graph is required" place "$work/m" --bench bfs
expect 2 "/nowhere" place "$work/m" --bench bfs --graph /nowhere
expect 2 "logarithm of the vertices" place "$work/m" --bench bfs --graph kron:99
expect 2 "takes about" place "$work/m" --bench bfs --graph kron:31
expect 2 "1 to 64" place "$work/m" --bench pagerank --graph uniform:8 --ranks 65
expect 2 "no such vertex" place "$work/m" --bench bfs --graph uniform:8 --source 256
expect 2 "cluster 99" place "$work/m" --bench bfs --graph uniform:8 --cluster 99
printf '1 2\n3 minus\n' >"$work/bad.txt"
expect 2 "bad.txt:2: 'minus'" place "$work/m" --bench bfs --graph "$work/bad.txt"
expect 1 "No such file|/no/such" place "$work/m" --bench bfs --graph uniform:6 --runs 1 --source 1 --dump /no/such/dump
[ $failures = 0 ]
