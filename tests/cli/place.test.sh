#!/usr/bin/env bash
# gable place: results are verified by another program, and wrong calls get error messages.
source "$(dirname "$0")/expect.sh"
needs python3

check=$(cd "$(dirname "$0")" && pwd)/place_check.py
python3 - >"$work/edges.txt" <<'PY'
import random
random.seed(7)
print("# an edge list with gaps, loops and repetitions")
for _ in range(3000):
    print(int(random.random() ** 2 * 400) * 3, int(random.random() ** 2 * 400) * 3)
PY

# A folder that is not there is a mistake, not another machine.
expect 2 "nosuch: no such folder; .gable measure .*nosuch. makes it" place "$work/nosuch" --bench bfs --graph uniform:8
[ ! -e "$work/nosuch" ] || fail "a folder is made by mistake"
mkdir "$work/m" "$work/teams" "$work/killed" "$work/joe0" && touch "$work/joe0/roofs.json"
mkdir "$work/full" && touch "$work/full/letter"
for bench in "bfs --graph uniform:8" memory; do
  expect 2 "full: no recording of a machine; .gable measure .*full. makes one" place "$work/full" --bench $bench
done
[ "$(ls "$work/full")" = letter ] || fail "a folder that was named by mistake has new files"
expect 2 "joe00: no such folder; did you mean .*joe0" place "$work/joe00" --bench bfs --graph uniform:8
rm -r "$work/joe0"

for direction in directed undirected; do
  expect 0 "vertices, .* $direction edges" place "$work/m" --bench pagerank --graph "$work/edges.txt" --$direction \
    --iterations 30 --ranks 1 --runs 1 --dump "$work/ranks" --json
  python3 "$check" pagerank "$work/edges.txt" "$work/ranks" $direction 0.85 30 || fail "pagerank, $direction"
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
python3 "$check" pagerank "$work/edges.txt" "$work/ranks" undirected 0.85 30 2>/dev/null && fail "a wrong rank was not noticed"

expect 0 "" place "$work/m" --bench bfs --graph uniform:8 --runs 1 --tiers DRAM,"$work"
tr -s '\n ' ' ' <"$work/out" | grep -q "page cache, not persistent memory" || fail "a file that is not on DAX is not called so"
grep -q "MTEPS" "$work/out" || fail "no table"
# A graph that the last-level cache holds says nothing of the memory.
if "$gable" machine --json | python3 -c 'import json,sys; sys.exit(not json.load(sys.stdin)["clusters"][0]["caches"])'; then
  tr -s '\n ' ' ' <"$work/out" | grep -q "note: all parts together take .* last-level cache holds .*larger graph" || fail "a graph in the cache is not called so: $(cat "$work/out")"
fi

# Teams of threads, earlier placements, their charts and points.
expect 0 "" place "$work/teams" --bench pagerank --graph kron:8 --ranks 1,4 --iterations 5 --runs 2 --threads 1 --smt=both --quiet
expect 0 "" place "$work/teams" --bench bfs --graph kron:8 --runs 2 --quiet
expect 0 "kron:8: 256 vertices, [0-9]+ undirected edges \([0-9]+ self-loops?\), [0-9]+ duplicates left out; " place "$work/teams" --bench bfs --graph kron:8 --runs 1
expect 0 "" place "$work/teams" --list
cp "$work/out" "$work/all"
grep -q "^pagerank on kron:8" "$work/all" && grep -q "^bfs on kron:8" "$work/all" || fail "--list leaves something out"
expect 0 "" place "$work/teams" --list --bench bfs --graph kron:8 --json
python3 -c "
import json
records = json.load(open('$work/out'))['placements']
assert {r['workload'] for r in records} == {'bfs'}, records
points = json.load(open('$work/teams/points.json'))['points']
assert [p['counter'] for p in points] == ['algorithm'], points
placed = [r for r in map(json.loads, open('$work/teams/placements.jsonl')) if r['status'] == 'ok']
smt = '$("$gable" machine --json | python3 -c 'import json,sys; c=json.load(sys.stdin)["clusters"][0]; print(len(c["pus"]) > c["cores"])')'
assert {r['smt'] for r in placed} == ({True, False} if smt == 'True' else {False}), smt
" || fail "--list, teams or points"
expect 2 "no such placements" place "$work/teams" --list --graph kron:9
if command -v gnuplot >/dev/null; then
  expect 0 "" plot "$work/teams" --format svg
  for chart in place-pagerank-0-kron-8 place-bfs-0; do
    [ -s "$work/teams/charts/$chart.svg" ] && [ -s "$work/teams/charts/$chart.tsv" ] || fail "$chart was not drawn"
  done
  python3 "$(dirname "$0")/plot_check.py" --pictures "$work/teams" || fail "the pictures of placements"
fi

# Options of another workload are errors, not ignored.
expect 2 "--source: only for --bench bfs" place "$work/m" --bench pagerank --graph uniform:8 --source 1
expect 2 "--ranks: only for --bench pagerank" place "$work/m" --bench bfs --graph uniform:8 --ranks 1
expect 2 "--directed: uniform:8 is generated" place "$work/m" --bench bfs --graph uniform:8 --directed
expect 2 "--threads 4096: the cluster has room" place "$work/m" --bench bfs --graph uniform:8 --threads 1,4096
expect 2 "--bench is required" place "$work/m" --graph uniform:8

# A different graph with the same name is refused, before the work starts if possible.
mkdir "$work/a" "$work/b" "$work/same"
printf '0 1\n1 2\n2 3\n' >"$work/a/g.txt"
printf '0 1\n1 2\n' >"$work/b/g.txt"
small=(--bench pagerank --runs 1 --ranks 1 --threads 1 --quiet)
expect 0 "" place "$work/same" "${small[@]}" --graph "$work/a/g.txt"
expect 2 "placements of a different graph g.txt .4 vertices, 3 edges; this one: 3 and 2." place "$work/same" "${small[@]}" --graph "$work/b/g.txt"
expect 0 "" place "$work/same" "${small[@]}" --graph "$work/a/g.txt" --directed
expect 0 "" place "$work/same" "${small[@]}" --graph "$work/a/g.txt" --undirected
printf '%%%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 2\n2 3\n3 4\n' >"$work/a/g.mtx"
for direction in "" --directed --undirected; do
  expect 0 "" place "$work/same" "${small[@]}" --graph "$work/a/g.mtx" $direction
done
expect 0 "" place "$work/same" "${small[@]}" --graph uniform:6:16
expect 0 "" place "$work/same" "${small[@]}" --graph uniform:6
names=$(python3 -c 'import json,sys; print(*[json.loads(line)["graph"] for line in open(sys.argv[1])])' "$work/same/placements.jsonl")
# An edge list is undirected by default, a general matrix directed: the same graph has one name.
[ "$names" = "g.txt g.txt-directed g.txt g.mtx g.mtx g.mtx-undirected uniform:6 uniform:6" ] || fail "names of graphs: $names"
expect 0 "" place "$work/same" --list --json --graph "$work/a/g.mtx"
[ "$(grep -o '"graph":"[^"]*"' "$work/out" | sort -u | wc -l)" = 2 ] || fail "--list --graph g.mtx shows: $(cat "$work/out")"
expect 2 "--dump $work/none/d: cannot be written" place "$work/same" "${small[@]}" --graph "$work/a/g.txt" --dump "$work/none/d"
expect 2 "--ranks" place "$work/same" "${small[@]}" --graph "$work/a/g.txt" --ranks 65

# Ctrl-C ends it at any time.
mkdir "$work/tier"
graph_is_there() { grep -q vertices "$work/err"; }
interrupt() {  # while the graph is made, or it is run; arguments...: of gable place
  local status
  rm -rf "$work/stopped"
  mkdir "$work/stopped"
  "$gable" place "$work/stopped" --tiers DRAM,"$work/tier" --quiet "${@:2}" >"$work/out" 2>"$work/err" &
  local pid=$!
  within 20 listens $pid || fail "$*: does not listen to signals"
  if [ "$1" = run ]; then
    within 60 graph_is_there || fail "$*: no graph"
    sleep 1
  fi
  kill -INT $pid 2>/dev/null || fail "$*: it was over before it could be interrupted"
  wait $pid
  status=$?
  [ $status = 130 ] || fail "$*: exit $status when interrupted: $(cat "$work/err")"
  grep -q "interrupted" "$work/err" || fail "$*: does not say it was interrupted: $(cat "$work/err")"
  [ -z "$(ls -A "$work/tier")" ] || fail "$*: left files in the tier"
}
interrupt graph --bench pagerank --graph kron:21 --ranks 1
graph_is_there || [ ! -e "$work/stopped/placements.jsonl" ] || fail "an interrupted generation placed something"
interrupt run --bench pagerank --graph kron:16 --ranks 1 --iterations 1000000 --runs 1000  # a single run takes long
interrupt run --bench bfs --graph kron:16 --runs 1000 --threads 1
if [ -e "$work/stopped/placements.jsonl" ]; then
  expect 0 "" place "$work/stopped" --list
fi
"$gable" place "$work/killed" --bench bfs --graph kron:16 --runs 1000 --tiers "$work/tier/new" --quiet >/dev/null 2>&1 &
killed=$!
within 60 grep -q "$work/tier" /proc/$killed/maps || fail "nothing is laid into the tier"
kill -KILL $killed
wait $killed 2>/dev/null
[ -z "$(ls -A "$work/tier")" ] || fail "kill -9 left files in the tier"

touch "$work/taken"
expect 2 "would be overwritten" place "$work/m" --bench bfs --graph uniform:8 --tiers "$work/taken"
expect 2 "no HBM node|HBM" place "$work/m" --bench bfs --graph uniform:8 --tiers HBM
expect 2 "no tier 'nothing'" place "$work/m" --bench bfs --graph uniform:8 --tiers nothing
expect 2 "bench: 'sorting' is none of" place "$work/m" --bench sorting --graph uniform:8
expect 2 "graph is required" place "$work/m" --bench bfs
expect 2 "/nowhere" place "$work/m" --bench bfs --graph /nowhere
expect 2 "log2 of the number of vertices" place "$work/m" --bench bfs --graph kron:99
expect 2 "takes about" place "$work/m" --bench bfs --graph kron:31
expect 2 "ranks: 65 is not a whole number from 1 to 64" place "$work/m" --bench pagerank --graph uniform:8 --ranks 65
expect 2 "no such vertex" place "$work/m" --bench bfs --graph uniform:8 --source 256
expect 2 "cluster 99" place "$work/m" --bench bfs --graph uniform:8 --cluster 99
printf '1 2\n3 minus\n' >"$work/bad.txt"
expect 2 "bad.txt:2: 'minus'" place "$work/m" --bench bfs --graph "$work/bad.txt"
expect 2 "--dump /no/such/dump: cannot be written" place "$work/m" --bench bfs --graph uniform:6 --runs 1 --source 1 --dump /no/such/dump
finish
