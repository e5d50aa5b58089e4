#!/usr/bin/env bash
# gable measure --only c2c, and figures between cores wherever they are shown.
source "$(dirname "$0")/expect.sh" "$1"
needs python3

cd "$work" || exit 1
python3 "$data/c2c.py" fast "$gable" 4 || fail 'data/c2c.py'
python3 "$data/c2c.py" slow "$gable" 4 3 || fail 'data/c2c.py'

# The plan, without measuring: classes, time, and what spot checks find.
nps4='pack:2 group:4 [numa(memory=64GiB)] l3:3(size=32MiB) l2:8(size=1MiB) l1d:1(size=32KiB) core:1 pu:1'
expect 0 '' measure --only c2c --dry-run --synthetic "$nps4"
says '^Core to core: 21[0-9]{2} cells, .* about 0:2[0-9]$' '^  same L3 +672 pairs +3 in full +512 in spot checks' \
  '^  other package +9216 pairs' 'A single slow pair is found with a probability of 11 %'
expect 0 '' measure --dry-run --synthetic "$nps4"
says '^Plan of preset standard' '^Core to core: ' '^Together: about'
expect 0 '' measure --dry-run --synthetic "$nps4" --only L1
grep -q 'Core to core' out && fail 'a filter that does not name it selects c2c'
expect 0 '' measure --only c2c --dry-run --synthetic 'core:1 pu:1'
says 'nothing to measure, with one hardware thread'
expect 2 '--list --json does not list the cells of c2c' measure --only c2c --list --json

# On this machine: threads and pages are where they should be, and what is there is not measured again. A busy machine
# makes visits invalid, with the reason.
expect 0 '' measure here --only c2c --preset quick --quiet
if [ -s here/c2c.jsonl ]; then
  says '^Core to core: [0-9]+ visits? measured'
  python3 - <<'PYTHON' || fail 'the places in c2c.jsonl'
import json
for line in open("here/c2c.jsonl"):
    sample = json.loads(line)
    assert sample["status"] != "ok" or sample["cpus"] == sample["asked"]["pus"], sample
    assert sample["status"] != "ok" or set(sample["node_bytes"]) <= {str(sample["asked"]["node"])}, sample
    assert sample["status"] == "ok" or sample["reason"], sample
PYTHON
  before=$(grep -c '"status":"ok"' here/c2c.jsonl)
  expect 0 '' measure here --only c2c --preset quick --quiet
  [ "$(grep -c '"status":"ok"' here/c2c.jsonl)" -ge "$before" ] || fail 'visits are lost'
  python3 -c 'import collections, json
seen = collections.Counter((str(s["asked"]), s["round"]) for s in map(json.loads, open("here/c2c.jsonl")) if s["status"] == "ok")
assert max(seen.values(), default=1) == 1, seen.most_common(1)' || fail 'a visit was made twice'
fi

# Classes, and the pair that differs.
expect 0 '' show fast
says '^Between cores: same L3 1[78](\.[0-9])? ns, same node 9[0-9](\.[0-9])?, other package, distance 21 2[01][0-9]' \
  '^  same L3 +node of both +1[78]' '^  other package, distance 21 +node of the second +25' '^  +2 +20\.' 'fairness'
grep -q 'Differs' out && fail 'equal pairs differ'
expect 0 '' show slow
says 'Differs from its class: CPU 1 and 6: 6[0-9][0-9] ns; other package'
expect 0 '' show slow --json
python3 -c 'import json
c2c = json.load(open("out"))["c2c"]
assert [each["pus"] for each in c2c["differing"]] == [[1, 6]], c2c["differing"]
assert {(each["relation"], each["home"]) for each in c2c["classes"]} == {("L3", "both"), ("node", "both"), ("machine", "first"), ("machine", "second")}
assert {each["threads"] for each in c2c["contended"]} == {2, 8}
assert all(each["lo"] <= each["value"] <= each["hi"] for each in c2c["classes"])' || fail 'show --json'

# The matrix as core-to-core-latency prints it; its notebook takes the lower triangle.
expect 0 '' export slow --c2c
python3 - <<'PYTHON' || fail "the matrix: $(cat out)"
import csv
rows = list(csv.reader(open("out")))
assert len(rows) == 8 and all(len(row) == 8 for row in rows)
for i in range(8):
    assert rows[i][i] == ""
    for j in range(i):
        assert rows[i][j] == rows[j][i] and 17 < float(rows[i][j]) < 640
assert float(rows[6][1]) > 600 and 17 < float(rows[1][0]) < 19
PYTHON
expect 2 'choose one of' export slow --c2c --csv
cp -r fast none && rm none/c2c.jsonl
expect 2 'no figures between cores; `gable measure none --only c2c` on that machine adds them' export none --c2c

# Charts: every measured pair is a cell, clusters have borders; a large machine has groups of cores.
expect 0 '' plot slow -o charts
[ -s charts/c2c-handoff.svg ] && [ -s charts/c2c-modified.png ] || fail "no charts: $(ls charts)"
[ "$(grep -c . charts/c2c-handoff.tsv)" = 30 ] || fail "the table: $(cat charts/c2c-handoff.tsv)"
python3 "$data/c2c.py" large "$gable" 48 1 7 || fail 'data/c2c.py'
expect 0 '' plot large -o charts_large
grep -q 'not measured; the preset full' charts_large/c2c-handoff.svg || fail 'white cells are not explained'
expect 0 '' report slow -o report.html
grep -q 'Core to core' report.html && grep -q 'Differs from its class' report.html || fail 'the report lacks it'

# Differences between folders: of classes, not of single pairs.
sed 's/"measure": "lock"/"measure": "LOCK"/' fast/c2c.jsonl | python3 -c 'import json, sys
for line in sys.stdin:
    sample = json.loads(line.replace("LOCK", "lock"))
    if sample["asked"].get("relation") == "machine": sample["seconds"] = [1.3 * s for s in sample["seconds"]]
    print(json.dumps(sample))' >new.jsonl
mkdir -p new && cp fast/machine.json new && mv new.jsonl new/c2c.jsonl
expect 0 '' compare fast new --json
python3 -c 'import json
found = {each["name"]: each for each in json.load(open("out"))["comparisons"][0]["figures"]}
changed = [name for name, each in found.items() if each["significant"]]
assert changed and all("other package" in name for name in changed), changed
assert any("same L3" in name for name in found)' || fail "compare: $(head -c 600 out)"

# A cluster whose fifth node has a slow link between its packages.
for node in 1 2 3 4 5; do
  mkdir -p "cluster/n$node" && cp fast/machine.json "cluster/n$node"
  cp "$([ $node = 5 ] && echo new || echo fast)/c2c.jsonl" "cluster/n$node"
  echo '{"schema":1,"roofs":[],"ladder":[],"levels":[]}' >"cluster/n$node/roofs.json"
done
expect 0 '' cluster show cluster
says 'between cores, other package, distance 21: locked increment.*n5'

# Broken lines are refused with their place.
mkdir -p broken && cp fast/machine.json broken
sed '2s/"round": [0-9]*/"round": -1/' fast/c2c.jsonl >broken/c2c.jsonl
expect 2 'c2c.jsonl:2: .*round' show broken

finish
