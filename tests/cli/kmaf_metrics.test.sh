#!/bin/bash
# gable kmaf metrics: a trace with figures computed by hand, its charts, and invalid input.
source "$(dirname "$0")/expect.sh" "$1"

cat >"$work/t.csv" <<'TEXT'
tid,address,bytes,write
70,0,8,1
50,32,8,0
50,8,8,0
70,0,8,0
60,100,8,0
60,60,8,0
TEXT
expect 0 '' kmaf metrics "$work/t.csv" --thread-nodes 0,0,1 --json
python3 - "$work/out" <<'PYTHON' || fail "JSON of the trace that was worked out by hand"
import json, sys
found = json.load(open(sys.argv[1]))
matrix = [[0, 3, 1], [3, 0, 1], [1, 1, 0]]
cells = [cell for row in matrix for cell in row]
assert found["matrix"] == matrix, found
assert abs(found["sharing_amount"] - sum(cells) / 9) < 1e-12, found
wanted = sum((sum(row) / 3 - cell) ** 2 for row in matrix for cell in row) / 9
assert abs(found["heterogeneity"] - wanted) < 1e-12, found
assert abs(found["exclusivity_4k"] - 4 / 6) < 1e-12 and abs(found["exclusivity_2m"] - 4 / 6) < 1e-12, found
assert found["schema"] == 1
PYTHON
expect 0 '' kmaf metrics "$work/t.csv" --thread-nodes 0,0,1
grep -q 'exclusivity, 4 KiB *66.7 %' "$work/out" || fail "no exclusivity in: $(cat "$work/out")"
expect 0 '' kmaf metrics "$work/t.csv" --json
grep -q '"exclusivity_4k":null' "$work/out" || fail "exclusivity without nodes: $(cat "$work/out")"

if command -v gnuplot >/dev/null; then
  expect 0 '' kmaf metrics "$work/t.csv" --thread-nodes 0,0,1 --plot "$work/pictures"
  for file in t-sharing.tsv t-sharing.svg t-sharing.png t-exclusivity.tsv t-exclusivity.svg t-exclusivity.png; do
    [ -s "$work/pictures/$file" ] || fail "no $file"
  done
  expect 0 '' kmaf metrics "$work/t.csv" --json --plot "$work/pictures"
  python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/out" || fail "--plot spoils --json"
fi

expect 2 'names 2 threads, .*t.csv has 3' kmaf metrics "$work/t.csv" --thread-nodes 0,0
expect 2 'names 5 threads, .*t.csv has 3' kmaf metrics "$work/t.csv" --thread-nodes 0,0,1,1,1
expect 2 'thread-nodes' kmaf metrics "$work/t.csv" --thread-nodes 0,x
expect 2 'thread-nodes' kmaf metrics "$work/t.csv" --thread-nodes 0,-1
expect 2 'absent.csv: No such file' kmaf metrics "$work/absent.csv"
printf '\377\033[31m,1,2,3\n' >"$work/bytes.csv"
expect 2 'bytes.csv:1: tid is not text, expected a whole number' kmaf metrics "$work/bytes.csv"
expect 2 'TRACE' kmaf metrics
expect 2 '' kmaf
echo "1,2,8" >>"$work/t.csv"
expect 2 't.csv:8: expected four fields' kmaf metrics "$work/t.csv" --json
: >"$work/empty.csv"
expect 2 'empty.csv: contains no access' kmaf metrics "$work/empty.csv"

finish
