#!/usr/bin/env bash
# gable cluster show, report and compare on nodes that were made by perturbing one.
here=$(cd "$(dirname "$0")" && pwd)
cli=$here/../cli
source "$cli/expect.sh"
needs python3
python3 "$cli/data/two_clusters.py" "$work/one" || exit 1
expect 0 '' fit --quiet "$work/one"
perturb() { python3 "$here/perturb.py" "$work/one" "$@" || fail "perturb.py $*"; }

perturb "$work/a" 32 1 n7=0.8
mkdir "$work/a/n33" "$work/a/n34"
sed 's/"complete"/"hung"/; s/"reason": ""/"reason": "no result"/; s/"n1"/"n33"/' "$work/a/n1/node.json" >"$work/a/n33/node.json"
sed 's/"complete"/"measuring"/; s/"n1"/"n34"/' "$work/a/n1/node.json" >"$work/a/n34/node.json"
expect 0 '' cluster show "$work/a" --nodes
says '34 nodes: 32 complete, 2 hung' 'n33 +hung: no result' 'n34 +hung: began .* no result' \
  '32 nodes of a CPU of 2 cores' 'DRAM node 0, local: load .* n7' \
  'n7 .*-2[0-9]\.[0-9] % +worse +clock 2.000 GHz \(others 2.500\);' 'DIMMs 7( |$)' '^  n32 '
grep -q 'latency at' "$work/out" && fail "more than the main roofs"
expect 0 '' cluster show "$work/a" --json
python3 - "$work/out" <<'PYTHON' || fail "JSON"
import json, sys
one = json.load(open(sys.argv[1]))
group, = one["groups"]
assert len(group["nodes"]) == 32 and len(one["nodes"]) == 34
assert {each["node"] for each in group["outliers"]} == {"n7"}, group["outliers"]
assert all(each["worse"] == (each["change"] < 0) for each in group["outliers"])
for roof in group["roofs"]:
    assert roof["least"] <= roof["low_quartile"] <= roof["median"] * 1.001 and roof["nodes"] == 32, roof
PYTHON
expect 0 '' cluster report "$work/a" --roof 'L3: load'
for words in 'n7' 'L3: load' 'no result' 'DIMMs 7'; do grep -q "$words" "$work/a/report.html" || fail "the report lacks $words"; done
if command -v gnuplot >/dev/null; then
  expect 0 '' cluster show "$work/a" --output "$work/pictures" --format svg
  grep -q 'n7' "$work/pictures/cluster-strips-0.svg" || fail "the strips do not name n7"
  [ -s "$work/pictures/cluster-map-0.svg" ] || fail "no map"
fi

# A node without roofs.json is fitted. One with a damaged file has failed: it is in no group, and hides no other node.
perturb "$work/damaged" 6 4
rm "$work/damaged/n1/roofs.json"
cp "$work/one/samples.jsonl" "$work/damaged/n1"
truncate -s 3000 "$work/damaged/n2/roofs.json"
echo '{' >"$work/damaged/n3/node.json"
expect 0 '' cluster show "$work/damaged" --nodes
says '6 nodes: 4 complete, 2 failed' '^  n2 +failed: .*n2/roofs.json' '^  n3 +failed: .*n3/node.json' '^  n1 ' '^  n3 ' '^4 nodes of '
grep -q '^1 node of' "$work/out" && fail "a failed node is in a group: $(cat "$work/out")"

# A group says the memory that its nodes have, and not what it was grouped by.
mkdir "$work/equal"
for node in n1 n2 n3; do
  cp -r "$work/one" "$work/equal/$node"
  python3 - "$work/equal/$node/machine.json" <<'PYTHON' || fail "memory of $node"
import json, sys
machine = json.load(open(sys.argv[1]))
machine["memory_bytes"] = int(23.54 * 2**30)
json.dump(machine, open(sys.argv[1], "w"))
PYTHON
done
expect 0 '' cluster show "$work/equal"
says '^3 nodes of ' 'memory 23\.54 GiB$'

# Beside an earlier recording: an unchanged group passes, one changed node and one lost node fail.
perturb "$work/same" 32 2 n7=0.8
expect 0 '' cluster compare "$work/same" "$work/a" --fail-above 5%
perturb "$work/worse" 31 3 n7=0.8 n3=0.7
expect 1 'no figures of n32 .*n3: [0-9]+ roofs worse' cluster compare "$work/worse" "$work/a" --fail-above 5%
says 'n3 -[23][0-9]\.[0-9] %'
expect 1 "no figures of n32" cluster compare "$work/worse" "$work/a" --fail-above 50% --json
python3 - "$work/out" <<'PYTHON' || fail "compare --json"
import json, sys
one = json.load(open(sys.argv[1]))
assert one["nodes"] == 31 and one["lost"] == ["n32 (not in this recording)"], one["lost"]
assert {each["node"] for roof in one["roofs"] for each in roof["changed"]} == {"n3"}
PYTHON

# A node that failed does not pass, whether or not it is in the earlier recording. One that failed earlier is named.
perturb "$work/before" 6 4
perturb "$work/after" 7 5
for node in n2 n7; do echo '{' >"$work/after/$node/node.json"; done
expect 1 'no figures of n2 \(failed: .*n2/node.json.*no figures of n7 \(failed: ' \
  cluster compare "$work/after" "$work/before" --fail-above 90%
says ': 5 nodes in both' 'no figures of n7 \(failed: '
expect 0 '' cluster compare "$work/before" "$work/after" --fail-above 90%
says 'no earlier figures of n2 \(failed: .*n2/node.json'

# A file that may not be read is as a damaged one, and so is a folder.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  chmod 755 "$work"
  nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  if "${nobody[@]}" test -x "$gable"; then
    perturb "$work/closed" 7 5
    chmod 600 "$work/closed/n2/roofs.json"
    chmod 600 "$work/closed/n3/node.json"
    chmod 700 "$work/closed/n4"
    "${nobody[@]}" "$gable" cluster show "$work/closed" >"$work/out" 2>&1 || fail "closed files: $(cat "$work/out")"
    says '7 nodes: 4 complete, 3 failed' '^4 nodes of ' '^  n2 +failed: .*n2/roofs.json.*ermission' \
      '^  n3 +failed: .*n3/node.json.*ermission' '^  n4 +failed: .*n4/.*ermission'
    "${nobody[@]}" "$gable" cluster compare "$work/closed" "$work/before" --fail-above 90% >"$work/out" 2>&1
    [ $? = 1 ] || fail "compare passes nodes that cannot be read"
    says ': 3 nodes in both' 'no figures of n[234] .*no figures of n[234] '
  fi
fi

expect 2 'no such folder' cluster show "$work/absent"
mkdir "$work/empty"
expect 2 'no nodes are recorded' cluster show "$work/empty"
expect 2 'no roof has this' cluster show "$work/a" --roof nonsense
expect 2 'no launcher and no Slurm' cluster measure "$work/new"
[ ! -e "$work/new" ] || fail "a refused cluster measure leaves a folder"
expect 2 'use them with --submit' cluster measure "$work/new" --nodes 3
finish
