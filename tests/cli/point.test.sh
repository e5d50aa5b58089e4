#!/bin/bash
# gable point add, list, remove: output, stored points, and invalid input.
source "$(dirname "$0")/expect.sh" "$1"

python3 "$(dirname "$0")/plot_fixtures.py" "$work" || exit 1
dir=$work/joe0
points=$dir/points.json
ddot=(--flops 2.1e9 --load-bytes 16.9e9 --seconds 1)

# A point under the roofs, as a table and as JSON.
expect 0 '' point add "$dir" --name ddot --cluster 0 "${ddot[@]}" --nodes 1=1
grep -q 'Roof: DRAM node 1, remote (load); headroom 4 %' "$work/out" || fail "add does not say the roof"
expect 0 '' point list "$dir"
grep -q '^  Remote memory binds it: it reaches' "$work/out" || fail "list does not say the cause"
grep -qE ', recorded 20[0-9-]{8} [0-9:]{5} UTC$' "$work/out" || fail "list does not say when it was recorded: $(cat "$work/out")"
expect 0 '' point list "$dir" --json
cmp -s "$work/out" "$points" || fail "list --json prints something else than points.json"
python3 - "$points" <<'PYTHON' || fail "points.json is not as documented"
import json, sys
document = json.load(open(sys.argv[1]))
assert document["schema"] == 1
point = document["points"][0]
for field in ("name cluster flops load_bytes store_bytes seconds seconds_lo seconds_hi threads counter command node_bytes "
              "binding_roof headroom_percent").split():
    assert field in point, field
assert point["binding_roof"] == "DRAM node 1, remote (load)" and 3 < point["headroom_percent"] < 4, point
PYTHON

# Conjugate gradients on seven cores: instructions access twice what the memory transfers. Without the bytes by level it
# is undecided what binds it; with them it is the memory.
cg=(--cluster 0 --threads 7 --nodes 0=1 --flops 6.89e9 --load-bytes 66.08e9 --store-bytes 5.61e9 --seconds 1.04)
expect 0 '' point add "$dir" --name cg "${cg[@]}"
tr -s ' \n' ' ' <"$work/out" | grep -q 'undecided between its memory and L3' || fail "cg without levels: $(cat "$work/out")"
expect 0 '' point add "$dir" --name cg "${cg[@]}" --level-bytes DRAM=36.5GB,0.8GB --level-bytes L3=40e9,1e9
tr -s ' \n' ' ' <"$work/out" | grep -q 'Local memory binds it: 97 % .* To do: use each line' || fail "cg: $(cat "$work/out")"
python3 -c 'import json, sys
levels = next(p for p in json.load(open(sys.argv[1]))["points"] if p["name"] == "cg")["levels"]
assert [l["level"] for l in levels] == ["L3", "memory"] and levels[1]["read"] == 36500000000, levels' "$points" || fail "levels"
for wrong in L1=1e9 tape=1e9 L3 L3= L3=x L3=1,2,3 L3=-1; do
  expect 2 "\-\-level-bytes" point add "$dir" --name x "${ddot[@]}" --level-bytes "$wrong"
done
expect 2 "L3 twice" point add "$dir" --name x "${ddot[@]}" --level-bytes L3=1e9 --level-bytes L3=2e9
expect 0 '' point remove "$dir" cg
# On a machine without an L3, never thousands of percent under L1.
cp -r "$here/../../machines/knl-snc4-flat" "$work/published" && chmod -R u+w "$work/published"
expect 0 '' point add "$work/published" --name cg --cluster 0 --threads 16 --nodes 0=1 --flops 6.89e9 --load-bytes 66.08e9 \
  --store-bytes 5.61e9 --seconds 0.99
tr -s ' \n' ' ' <"$work/out" | grep -q 'undecided between its memory and L1' || fail "cg on KNL: $(cat "$work/out")"
grep -q 'headroom' "$work/out" && fail "cg on KNL has a headroom: $(cat "$work/out")"

# Names with all kinds of characters; a point replaces only the one with its name.
cp "$points" "$work/one"
odd=$'a b\'"\\{x}_^@&%~\xc2\xb5\xe2\x9c\x93 $(id)'
expect 0 '' point add "$dir" --name "$odd" "${ddot[@]}" --cluster 0
expect 0 '' point add "$dir" --name "$odd" "${ddot[@]}" --cluster 0 --store-bytes 8e9
python3 - "$points" "$work/one" "$odd" <<'PYTHON' || fail "adding changed another point"
import json, sys
now, before = (json.load(open(path))["points"] for path in sys.argv[1:3])
assert [point["name"] for point in now] == ["ddot", sys.argv[3]], now
assert now[0] == before[0] and now[1]["store_bytes"] == 8000000000
PYTHON
expect 2 "no point 'dodt'; it has .*; did you mean 'ddot'" point remove "$dir" dodt
expect 0 '' point remove "$dir" "$odd"
expect 0 '' point add "$dir" --name ddot2 "${ddot[@]}" --cluster 0 --json
python3 -c 'import json, sys; p, = json.load(open(sys.argv[1]))["points"]; assert p["name"] == "ddot2" and p["binding_roof"], p' "$work/out" ||
  fail "add --json: $(cat "$work/out")"
expect 0 '' point remove "$dir" --name ddot2
cmp -s "$points" "$work/one" || fail "removing changed another point"

# Many at once: none is lost, and no lock remains.
for i in $(seq 12); do "$gable" point add "$dir" --name "p$i" "${ddot[@]}" >/dev/null & done
wait
[ "$(grep -c '"name":"p' "$points")" = 12 ] || fail "points were lost: $(grep -c '"name"' "$points") there"
[ ! -e "$points.lock" ] || fail "the lock stays"
[ "$(ls "$dir" | grep -c points)" = 1 ] || fail "something was left behind: $(ls "$dir")"

# Wrong usage and broken files: the error names the cause, and nothing is changed.
cp "$points" "$work/all"
refused() {
  local pattern=$1
  shift
  expect 2 "$pattern" point "$@"
  cmp -s "$points" "$work/all" || fail "gable point $*: points.json was touched"
}
refused "no point 'absent'; it has ddot, p" remove "$dir" absent
refused "\-\-cluster 9: .*0, 1, 2, 3" add "$dir" --name x "${ddot[@]}" --cluster 9
refused "scatter: policies are" add "$dir" --name x "${ddot[@]}" --policy scatter
refused "\-\-cluster one" add "$dir" --name x "${ddot[@]}" --cluster one
for nodes in 0 0= =1 0=x 0=1,x 0=1,, -1=1 0=-1 0=0 "0=1 1=2"; do
  refused "\-\-nodes" add "$dir" --name x "${ddot[@]}" "--nodes=$nodes"
done
refused "neither flops nor bytes" add "$dir" --name x --flops 0 --load-bytes 0 --seconds 1
refused "seconds_lo" add "$dir" --name x "${ddot[@]}" --seconds-lo 2
refused "one line" add "$dir" --name $'a\nb' "${ddot[@]}"
refused "UTF-8" add "$dir" --name $'a\xff' "${ddot[@]}"
refused "name.*empty" add "$dir" --name '' "${ddot[@]}"
refused "seconds" add "$dir" --name x --flops 1 --load-bytes 1 --seconds 0
refused "flops" add "$dir" --name x --flops many --load-bytes 1 --seconds 1
refused "no command" "$dir"
expect 2 "no such folder" point list "$work/absent"
sed -i '3s/"flops"/"flips"/' "$points"
cp "$points" "$work/all"
refused 'points.json:3: points\[0\]: "flops" is missing' add "$dir" --name x "${ddot[@]}"
refused 'points.json:3: points\[0\]: "flops" is missing' list "$dir"

# The prediction of a move.
rm "$points"
expect 0 '' point add "$dir" --name ddot --cluster 0 --threads 7 "${ddot[@]}" --nodes 1=1
expect 0 '' predict "$dir" --point ddot --to node:0 --json
python3 - "$work/out" <<'PYTHON' || fail "the move to the local node"
import json, sys
(row,) = json.load(open(sys.argv[1]))["predictions"]
assert row["nodes"] == {"0": 1.0} and row["ratio_lo"] < 17.5 / 36.1 < row["ratio_hi"], row
assert abs(row["ratio"] - 17.5 / 36.1) < 0.05, row
PYTHON
for to in fast:0 slow:3; do
  expect 0 '' predict "$dir" --point ddot --to ${to%:*} --json
  python3 -c 'import json, sys
assert list(json.load(open(sys.argv[1]))["predictions"][0]["nodes"]) == [sys.argv[2]]' "$work/out" ${to#*:} ||
    fail "--to ${to%:*}: $(cat "$work/out")"
done
expect 0 '' predict "$dir" --point ddot --to 0=50,1=50
tr -s '\n ' ' ' <"$work/out" >"$work/line"
grep -q 'no hybrid model was fitted' "$work/line" || fail "a mix without a model is not said to be: $(cat "$work/out")"
for to in node:x node: 7 0=x ''; do expect 2 '\-\-to' predict "$dir" --point ddot --to "$to"; done
expect 2 "no bandwidth of memory .* node 9" predict "$dir" --point ddot --to node:9
cp -r "$here/../../machines/joe0" "$work/nodes"
chmod -R u+w "$work/nodes"
expect 0 '' point add "$work/nodes" --name ddot --cluster 0 "${ddot[@]}" --nodes 0=1
for to in node:7 0=60,7=40; do
  expect 2 "to $to: no memory node 7: .*nodes has the nodes 0, 1, 2, 3" predict "$work/nodes" --point ddot --to $to
done
expect 2 "no point 'absent'" predict "$dir" --point absent --to node:0
expect 2 '\-\-to needs \-\-point' predict "$dir" --to node:0
expect 0 '' point add "$dir" --name nowhere --cluster 0 "${ddot[@]}"
expect 2 "lies now is not known" predict "$dir" --point nowhere --to node:0

# Without roofs a point is kept and has no reading; a fit gives it one.
mkdir "$work/new"
expect 0 '' point add "$work/new" --name ddot --flops 2.1e9 --load-bytes 16.9e9 --seconds 1
grep -q 'No roofs of cluster 0 are known' "$work/out" || fail "missing roofs are not said"
python3 "$data/two_clusters.py" "$work/new" || fail two_clusters.py
expect 0 '' fit "$work/new"
grep -q '"binding_roof":"' "$work/new/points.json" || fail "a fit does not read the points anew"

# Other kinds of files: the error names them without showing their content.
for wrong in '{"schema":1,\n "points":[{' 'hello' '\xff\xfe\x00' '[]' ''; do
  printf "$wrong" >"$work/joe0/points.json"
  expect 2 'points.json:[12]: ' point list "$work/joe0"
  grep -qE 'json.exception|hello' "$work/err" && fail "the library's own words: $(cat "$work/err")"
  expect 2 'points.json:[12]: ' point add "$work/joe0" --name x "${ddot[@]}"
done
printf '{"schema":1,\n "points":x}' >"$work/joe0/points.json"
expect 2 'points.json:2: not JSON from column 11 on' point list "$work/joe0"
rm "$work/joe0/points.json"
mkdir "$work/joe0/points.json"
expect 1 'points.json: Is a directory' point list "$work/joe0"
rmdir "$work/joe0/points.json"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  chmod 755 "$work"
  nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$gable" "$@" >"$work/out" 2>"$work/err"; }
  if setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$gable"; then
    nobody point add "$work/joe0" --name x "${ddot[@]}"
    [ $? = 1 ] && grep -q 'joe0: nothing can be written there: Permission denied' "$work/err" || fail "no rights: $(cat "$work/err")"
    nobody point run "$work/joe0" --flops 1 --load-bytes 1 -- touch "$work/joe0/ran"
    [ $? = 1 ] && grep -q 'joe0: nothing can be written there: Permission denied' "$work/err" || fail "run without rights: $(cat "$work/err")"
    chmod 700 "$work/joe0"
    nobody point list "$work/joe0"
    [ $? = 1 ] && grep -qE 'joe0/[a-z.]*: Permission denied' "$work/err" || fail "no rights to read: $(cat "$work/err")"
    chmod 755 "$work/joe0"
  fi
fi

# Clusters and nodes must exist according to machine.json.
cp -r "$(dirname "$0")/../../machines/joe0" "$work/known"
known() { expect 2 "$1" point add "$work/known" --name x "${ddot[@]}" "${@:2}"; }
known "\-\-nodes 9=1: no memory node 9: .* nodes 0, 1, 2, 3" --nodes 9=1
known "\-\-threads 99: cluster 1 .* has 7 hardware threads" --cluster 1 --threads 99
known "\-\-threads 99: all .* has 28 hardware threads" --threads 99
known "bind:9: no memory node 9: .* nodes 0, 1, 2, 3" --policy bind:9
known "\-\-cluster 9: .* clusters 0, 1, 2, 3" --cluster 9
known "\-\-access 9=.: no memory node 9: .* nodes 0, 1, 2, 3" --access 9=load:1
known "access 0=load:-1.*: load: '-1' is not an amount of bytes" --access 0=load:-1
known "access 0=fetch:1: 'fetch:1' is neither load:BYTES nor store:BYTES" --access 0=fetch:1
known "access x=load:1: no node" --access x=load:1
known "access 0=load:1,load:2: load twice" --access 0=load:1,load:2
known '"access": node 0 is there twice' --access 0=load:1 --access 0=load:2
known '"access": load_bytes are 1e\+15 in all, and its instructions fetch' --access 0=load:1e15
known '"access": store_bytes are 1e\+15 in all, and its instructions change 0 bytes' --access 0=store:1e15
[ ! -e "$work/known/points.json" ] || fail "a refused point is there"
expect 0 '' point add "$work/known" --name x "${ddot[@]}" --nodes 0=1,3=1 --policy interleave:0,3 --threads 28

json_is() {
  "$gable" point list "$1" --json >"$work/out" || fail "list $1"
  python3 -c "import json, sys; p, = json.load(open(sys.argv[1]))['points']; assert $2, p" "$work/out" || fail "$1: $2"
}
# Pages lie on both nodes, and one of them is accessed: its roof counts.
expect 0 '' point add "$work/known" --name x "${ddot[@]}" --cluster 0 --nodes 0=1,1=1 --threads 7
says 'Roof: hybrid'
expect 0 '' point add "$work/known" --name x "${ddot[@]}" --cluster 0 --nodes 0=1,1=1 --access 0=load:1e7 --access 1=load:5e9 --threads 7
says 'Roof: DRAM node 1, remote' 'accesses to memory as given: 100 % on node 1; 100 % of the bytes are loads'
json_is "$work/known" 'p["access"] == {"source": "given", "nodes": [{"node": n, "cluster": None, "load_bytes": b, "store_bytes": 0} for n, b in ((0, 10**7), (1, 5 * 10**9))]}'

# Without a roof of its data's location, or with roofs of more threads, there is no headroom.
for machine in knl-snc4-cache joe0; do
  cp -r "$here/../../machines/$machine" "$work/un-$machine"
  chmod -R u+w "$work/un-$machine"
done
expect 0 '' point add "$work/un-knl-snc4-cache" --name x "${ddot[@]}" --cluster 0 --nodes 1=1
grep -q 'No roof of cluster 0 is known for where its data lies (100 % on node 1)' "$work/out" || fail "unknown: $(cat "$work/out")"
grep -q 'headroom [0-9]' "$work/out" && fail "a headroom without a roof: $(cat "$work/out")"
json_is "$work/un-knl-snc4-cache" 'p["binding_roof"] is None and p["headroom_percent"] is None and p["headroom_percent_hi"] is None'
expect 0 '' point add "$work/un-joe0" --name x "${ddot[@]}" --cluster 0 --nodes 0=1 --threads 1
grep -q 'headroom not known' "$work/out" || fail "one thread: $(cat "$work/out")"
json_is "$work/un-joe0" 'p["binding_roof"] and p["headroom_percent"] is None'
expect 2 'no latency of memory node 1' predict "$work/un-joe0" --point x --to node:1
expect 0 '' point add "$work/un-joe0" --name x "${ddot[@]}" --cluster 0 --nodes 0=1
grep -q 'headroom not known' "$work/out" && grep -q 'How many cores' "$work/out" || fail "unknown threads: $(cat "$work/out")"
expect 0 '' point add "$work/un-joe0" --name x "${ddot[@]}" --cluster 0 --nodes 0=1 --threads 7
json_is "$work/un-joe0" 'p["headroom_percent"] == p["headroom_percent_lo"] == p["headroom_percent_hi"] > 100'

# While the others are busy, each with its own node: not the contention for one node.
expect 0 '' point add "$work/un-joe0" --name x --flops 1e9 --load-bytes 34.8e9 --seconds 1 --cluster 0 --nodes 0=1 --policy first-touch --others-busy --threads 7
grep -q 'Roof: DRAM node 0, local (load); headroom 4 %' "$work/out" || fail "the others busy: $(cat "$work/out")"
# All clusters on one node: 33.7 of at least 36.1 GB/s.
expect 0 '' point add "$work/un-joe0" --name x --flops 1e9 --load-bytes 33.68e9 --seconds 1 --cluster all --nodes 0=1 --threads 28
tr -s '\n ' ' ' <"$work/out" | grep -q 'Contention for node 0 may bind it: it reaches 93 % of an even share of the bandwidth of node 0' ||
  fail "all clusters on one node: $(cat "$work/out")"
# Simulated, and nothing of its location is recorded: no roof.
sed -i 's/"node_bytes":{[^}]*}/"node_bytes":{},"simulated":true/' "$work/un-joe0/points.json"
json_is "$work/un-joe0" 'p["binding_roof"] is None and p["headroom_percent"] is None and "is simulated" in p["cause"]'
expect 0 '' point add "$work/un-joe0" --name x "${ddot[@]}" --cluster 0 --nodes 0=1 --threads 7

# Clusters of several kinds of cores have no roof together.
python3 - "$work/un-joe0/machine.json" <<'PYTHON'
import json, sys
machine = json.load(open(sys.argv[1]))
for cluster in machine["clusters"]: cluster["kind"] = "P" if cluster["index"] == 0 else "E"
json.dump(machine, open(sys.argv[1], "w"))
PYTHON
expect 0 '' point add "$work/un-joe0" --name x "${ddot[@]}" --cluster all --nodes 0=1
grep -q 'No roof is known for cores of several kinds (E, P) together' "$work/out" || fail "kinds: $(cat "$work/out")"
json_is "$work/un-joe0" 'p["binding_roof"] is None'

# A point derived from another: its gain; no cycles, no missing origin.
mkdir "$work/from"
add() { expect "$1" "$2" point add "$work/from" --flops 2e9 --load-bytes 16e9 "${@:3}"; }
add 0 '' --name mg --seconds 2 --seconds-lo 1.9 --seconds-hi 2.1
add 0 '' --name 'mg managed' --from mg --seconds 1.6 --seconds-lo 1.5 --seconds-hi 1.75
grep -q 'from mg: 2 s to 1.6 s, 1.25 times as fast (1.13 to 1.36)' "$work/out" || fail "the gain: $(cat "$work/out")"
expect 0 '' point list "$work/from"
grep -q 'from mg: 2 s' "$work/out" || fail "list does not say the gain: $(cat "$work/out")"
grep -q '"name":"mg managed","region":"","from":"mg"' "$work/from/points.json" || fail "from in $(cat "$work/from/points.json")"
cp "$work/from/points.json" "$work/from/before.json"
# Times of different work are not compared.
expect 0 '' point add "$work/from" --name 'mg small' --from mg --flops 1e9 --load-bytes 16.5e9 --seconds 1
grep -q 'from mg: its work is not the same (flops differ by 50 %, bytes by 3 %), so their times are not compared' "$work/out" ||
  fail "other work: $(cat "$work/out")"
grep -q 'times as fast' "$work/out" && fail "a speedup of other work: $(cat "$work/out")"
expect 0 '' point add "$work/from" --name 'mg again' --from mg --flops 2.03e9 --load-bytes 15.8e9 --seconds 1
grep -q 'from mg: 2 s to 1 s, 2.00 times as fast' "$work/out" || fail "the same work: $(cat "$work/out")"
expect 0 '' point remove "$work/from" 'mg small'
expect 0 '' point remove "$work/from" 'mg again'
add 2 "no point 'absent'; it has mg, mg managed" --name x --from absent --seconds 1
add 2 'from mg managed: "mg.*" is derived from itself' --name mg --from 'mg managed' --seconds 1
add 2 "from|no point 'x'" --name x --from x --seconds 1
expect 2 "no point 'absent'" point run "$work/from" --name y --from absent -- true
cmp -s "$work/from/points.json" "$work/from/before.json" || fail "a refused point changed the file"
sed 's/"from":"mg"/"from":"gone"/' "$work/from/before.json" >"$work/from/points.json"
expect 2 'points.json: "mg managed" is from "gone", which does not exist' point list "$work/from"
cp "$work/from/before.json" "$work/from/points.json"
expect 0 '' point remove "$work/from" mg
grep -q '"from":""' "$work/from/points.json" || fail "a point is from one that was removed"

finish
