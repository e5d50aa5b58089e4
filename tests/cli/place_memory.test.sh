#!/usr/bin/env bash
# gable place --bench memory: tables and charts of known figures, recording and resuming, and wrong
# calls.
source "$(dirname "$0")/expect.sh"
needs python3
here=$(cd "$(dirname "$0")" && pwd)

# Figures that are known.
mkdir "$work/known"
python3 "$data/tiers.py" "$work/known"
expect 0 "" place "$work/known" --bench memory --list
cp "$work/out" "$work/table"
python3 "$here/memory_check.py" table "$work/table" || fail "the table of known figures"
expect 0 "" place "$work/known" --bench memory --list --json
python3 "$here/memory_check.py" figures "$work/out" || fail "the figures"
if command -v gnuplot >/dev/null; then
  expect 0 "" plot "$work/known" --format svg
  for way in store clwb nt; do
    python3 "$here/memory_check.py" chart "$work/known/charts/writes-$way-0.tsv" $way || fail "the chart of $way"
    [ -s "$work/known/charts/writes-$way-0.svg" ] || fail "no picture of $way"
  done
  for chart in writes-nt tier-threads; do
    grep -q "Dashed" "$work/known/charts/$chart-0.svg" || fail "$chart: no picture, or it lacks the claims"
    grep -q 'stroke-dasharray' "$work/known/charts/$chart-0.svg" || fail "$chart: no line for the claims"
  done
  sed -i 's/\t128\t1\t/\t256\t1\t/' "$work/known/charts/writes-nt-0.tsv"
  python3 "$here/memory_check.py" chart "$work/known/charts/writes-nt-0.tsv" nt 2>/dev/null && fail "a wrong chart goes unnoticed"
fi
sed -i '5s/"bytes": \[[^,]*,/"bytes": [1,/' "$work/known/tiers.jsonl"
sed -i '7s/"status": "ok"/"status": "fine"/' "$work/known/tiers.jsonl"
expect 2 'tiers.jsonl:7: "status"' place "$work/known" --bench memory --list

# A published machine in the same form, with the vendor's claims, which the call may override.
expect 0 "" place "$here/../../machines/xeon6254-optane" --bench memory --list --vendor DRAM:read=128 --vendor NVM:write=12
grep -q "NVM: reads reach 40.16 GB/s (loads, 18 threads), 0.98 of the vendor's 40.8 GB/s" "$work/out" || fail "the published claim"
grep -q "DRAM: reads reach 106.8 GB/s (loads, 18 threads), 0.83 of the vendor's 128 GB/s" "$work/out" || fail "a claim with --list"
grep -q "0.25 of the vendor's 12 GB/s" "$work/out" || fail "a claim in place of the published one"
grep -qE 'Write Bandwidth +73.72 GB/s +3.05 GB/s +0.041' "$work/out" || fail "table 2.3"
grep -qE 'STREAM Add +54.29 GB/s +3.99 GB/s +0.073' "$work/out" || fail "table 2.2"

# A call records every cell; the next one continues from there.
few="--access 64,4096 --threads 1 --quiet"
small=$("$gable" machine --json | python3 -c "
import json, sys
caches = json.load(sys.stdin)['clusters'][0]['caches']
last = max((c['bytes'] * c['count'] for c in caches), default=0)
print(max(2 * last, 64 << 20) >> 20)")M
mkdir "$work/files" "$work/m"
# measured ARGUMENT...: it ends well, or, where others were busy all the time, says that nothing is valid.
measured() {
  "$gable" place "$@" >"$work/out" 2>"$work/err"
  local got=$?
  [ $got = 0 ] || { [ $got = 1 ] && grep -q 'no tier has a valid figure' "$work/err"; } || fail "place $*: exit $got: $(cat "$work/err")"
}
measured "$work/m" --bench memory --tiers DRAM,"$work/files" --runs 1 --memory-set $small $few
python3 - "$work/m/tiers.jsonl" <<'PYTHON' || fail "the records"
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
for tier in {r["asked"]["tier"] for r in records}:
    own = [r for r in records if r["asked"]["tier"] == tier]
    ways = {r["asked"]["way"] for r in own if r["asked"]["access_bytes"]}
    assert len(own) >= 2 * 12 + 2 * 2 * 3 + 1, len(own)
    assert {"store", "clwb", "nt"} <= ways, ways
    assert all(r["status"] != "ok" or r["seconds"] for r in own)
    assert all(r["reason"] for r in own if r["status"] != "ok")
dram = [r for r in records if r["asked"]["tier"] == "DRAM" and r["status"] == "ok"]
assert all(len(r["node_bytes"]) == 1 for r in dram), dram
files = [r for r in records if r["asked"]["tier"] != "DRAM" and r["how"]]
assert all("not persistent" in r["how"] or "on DAX" in r["how"] for r in files), files
PYTHON
[ -z "$(ls "$work/files")" ] || fail "files left"
# On a busy machine there may be no valid one to damage.
python3 - "$work/m/tiers.jsonl" <<'PYTHON' || fail "no record was spoilt"
import sys
path = sys.argv[1]
lines = list(open(path))
spoilt = next((i for i, line in enumerate(lines) if '"status":"ok"' in line), None)
if spoilt is None:
    sys.exit(0)
lines[spoilt] = lines[spoilt].replace('"status":"ok","reason":""', '"status":"invalid","reason":"spoilt by the test"')
assert "spoilt by the test" in lines[spoilt], lines[spoilt]
open(path, "w").writelines(lines)
PYTHON
before=$(wc -l <"$work/m/tiers.jsonl")
cp "$work/m/tiers.jsonl" "$work/kept"
measured "$work/m" --bench memory --tiers DRAM,"$work/files" --runs 1 --memory-set $small $few
head -n "$before" "$work/m/tiers.jsonl" | cmp -s - "$work/kept" || fail "what was measured was changed"
python3 - "$work/m/tiers.jsonl" <<'PYTHON' || fail "what was ok, or skipped, was measured again, or what was invalid was not"
import collections, json, sys
seen = collections.Counter()
spoilt = again = None
for line in open(sys.argv[1]):
    r = json.loads(line)
    cell = json.dumps([r["asked"], r["round"]])
    if r["reason"] == "spoilt by the test":
        spoilt = cell
    elif cell == spoilt:
        again = r
    if r["status"] != "invalid":
        seen[cell] += 1
assert not seen or max(seen.values()) == 1
assert again or not spoilt
PYTHON

# Interrupted: the records are complete, and no file is left.
has_records() { [ -f "$work/i/tiers.jsonl" ] && [ "$(wc -l <"$work/i/tiers.jsonl")" -ge 3 ]; }
for signal in INT KILL; do
  rm -rf "$work/i"
  mkdir "$work/i"
  "$gable" place "$work/i" --bench memory --tiers DRAM,"$work/files" --runs 1000 --memory-set $small $few >"$work/out" 2>"$work/err" &
  pid=$!
  within 200 has_records || fail "$signal: no records"
  kill -$signal $pid
  wait $pid 2>/dev/null
  status=$?
  [ $signal = KILL ] || [ $status = 130 ] || fail "Ctrl-C: exit $status"
  [ $signal = KILL ] || grep -q "interrupted" "$work/err" || fail "Ctrl-C: nothing said"
  [ -z "$(ls "$work/files")" ] || fail "$signal: files left"
  expect 0 "" place "$work/i" --bench memory --list
done

expect 2 "named twice" place "$work/m" --bench memory --tiers DRAM,DRAM
expect 2 "no memory node 'node:99'" place "$work/m" --bench memory --tiers node:99
expect 2 "no such folder" place "$work/m" --bench memory --tiers /no/such/place/
expect 2 "tiers /proc/nosuch: /proc/nosuch: " place "$work/m" --bench memory --tiers DRAM,/proc/nosuch
expect 2 "iB free, but" place "$work/m" --bench memory --memory-set 900T
expect 2 "twice the last-level caches" place "$work/m" --bench memory --memory-set 1K
expect 2 "is not one of the tiers" place "$work/m" --bench memory --vendor HBM:read=1
expect 2 "is not one of the tiers" place "$work/m" --bench memory --list --vendor HBM:read=1
expect 2 "give TIER:read=" place "$work/m" --bench memory --list --vendor DRAM:read=fast
expect 2 "threads: --list runs nothing" place "$work/m" --bench memory --list --threads 1
expect 2 "tiers: --list runs nothing" place "$work/m" --list --tiers DRAM
expect 2 "dump: only for graphs" place "$work/m" --bench memory --list --dump "$work/dump"
expect 2 "only for --bench memory$" place "$work/m" --list --vendor DRAM:read=1
expect 2 "give TIER:read=" place "$work/m" --bench memory --vendor DRAM:read=fast
expect 2 "65" place "$work/m" --bench memory --access 65
expect 2 "only for graphs" place "$work/m" --bench memory --graph kron:4
expect 2 "no memory benchmarks|no such folder" place "$work/nothing" --bench memory --list
expect 2 "only for --bench memory" place "$work/m" --bench bfs --graph uniform:6 --access 64
expect 2 "one number" place "$work/m" --bench memory --threads 1,2
finish
