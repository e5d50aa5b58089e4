#!/bin/bash
# gable fit on recorded folders, whole and broken.
source "$(dirname "$0")/expect.sh" "$1"

fresh() {
  rm -rf "$work/m"
  python3 "$data/two_clusters.py" "$work/m" || fail two_clusters.py
}

# A whole folder: the table, the file, and the same file again.
fresh
expect 0 '' fit "$work/m"
for pattern in '^Cluster 1$' 'L1 +cache +load' 'HBM node 1 +local +load +1[34][0-9]' 'fma +dp' 'loaded latency' \
  'congested' '32 KiB, confirmed' '6 skipped: no 1 GiB pages' '1 invalid: 12 % of the pages' 'others'; do
  grep -qE "$pattern" "$work/out" || fail "the table lacks '$pattern'"
done
grep -q ' $' "$work/out" && fail "the table has trailing spaces"
[ "$(awk 'length > 120' "$work/out")" = "" ] || fail "the table is wider than 120 columns"
cp "$work/m/roofs.json" "$work/first.json"
expect 0 '' fit "$work/m" --json
cmp -s "$work/out" "$work/m/roofs.json" || fail "--json prints something else than roofs.json"
cmp -s "$work/first.json" "$work/m/roofs.json" || fail "the same samples gave other roofs"
python3 - "$work/m/roofs.json" <<'PYTHON' || fail "roofs.json is not as designed"
import json, sys
document = json.load(open(sys.argv[1]))
assert document["schema"] == 1
fields = "cluster kind level pattern node tier op kernel pages threads value lo hi unit n status".split()
for roof in document["roofs"] + document["ladder"]:
    assert all(field in roof for field in fields), roof
    if roof["status"] == "ok":
        assert 0 < roof["lo"] <= roof["value"] <= roof["hi"] and roof["n"] > 0, roof
    else:
        assert roof["value"] is None and roof["reason"], roof
assert all(level["confirmed"] for level in document["levels"]) and len(document["levels"]) == 6
PYTHON

# For an emulated machine it says once that figures are not speeds; for others, nothing.
grep -q 'emulated' "$work/out" && fail "a real machine is taken for an emulated one"
fresh
sed -i 's/^{/{"emulated": true,/' "$work/m/machine.json"
expect 0 '' fit "$work/m"
[ "$(grep -c '^emulated machine: .*speeds are not$' "$work/out")" = 1 ] || fail "it does not say that the machine is emulated"

# Claimed sizes are those of the cluster's own caches.
fresh
python3 - "$work/m/machine.json" <<'PYTHON'
import json, sys
machine = json.load(open(sys.argv[1]))
machine["clusters"][0]["caches"] = machine["caches"]
machine["clusters"][1]["caches"] = [{**machine["caches"][0], "bytes": 1 << 27}]
json.dump(machine, open(sys.argv[1], "w"))
PYTHON
expect 0 '' fit "$work/m"
grep -q 'cluster 0 L1: 32 KiB, confirmed' "$work/out" || fail "the caches of cluster 0 are not its own"
grep -qE 'cluster 1 L1:.*128 MiB' "$work/out" || fail "the caches of cluster 1 are not its own"
grep -q 'cluster 1 L2' "$work/out" && fail "cluster 1 has the caches of the machine"

# Without machine.json the levels are named, not confirmed.
fresh
rm "$work/m/machine.json"
expect 0 '' fit "$work/m"
grep -q 'not in the topology' "$work/out" || fail "levels without claims are not said to be"

# Reasons that differ only in their numbers are merged.
fresh
spoil='s/"seconds":.*"disturbed"/"seconds":[],"bytes":[],"flops":[],"accesses":[],"load_bytes":[],"disturbed"/
  s/"status":"ok","reason":""/"status":"invalid","reason":"other processes kept 0.7 CPUs busy"/'
sed -i -e "1,6 { $spoil
  }" -e '1,3s/0\.7 CPUs/3.5 CPUs/' "$work/m/samples.jsonl"
expect 0 '' fit "$work/m"
[ "$(grep -c 'CPUs busy' "$work/out")" = 1 ] || fail "one reason is told several times"
grep -qE 'invalid: other processes kept 0.7 to 3.5 CPUs busy' "$work/out" || fail "the range of a reason is not told"

# No folder, no samples, no argument.
expect 2 'no such folder.*gable measure' fit "$work/absent"
expect 2 "joe0: a machine that comes with Gable; this needs a folder of your own" fit joe0
expect 2 'not a folder' fit "$data/two_clusters.py"
expect 2 'DIR' fit
expect 2 'no option' fit "$work/m" --colour
mkdir "$work/empty"
expect 2 'samples.jsonl: no samples; run `gable measure' fit "$work/empty"
: >"$work/empty/samples.jsonl"
expect 2 'no samples' fit "$work/empty"

# Broken samples: the error names file and line, and the previous roofs are kept.
broken() {
  local pattern=$1 change=$2
  fresh
  cp "$work/first.json" "$work/m/roofs.json"
  eval "$change"
  expect 2 "$pattern" fit "$work/m"
  cmp -s "$work/first.json" "$work/m/roofs.json" || fail "roofs.json was touched: $change"
  [ "$(ls "$work/m" | wc -l)" = 4 ] || fail "something was left behind: $change"
}
samples=$work/m/samples.jsonl
broken 'samples.jsonl:528: the last line is cut off' 'truncate -s -100 "$samples"'
broken "samples.jsonl:528: the last line is cut off; \`gable measure '$work/m'\` sets it aside" 'truncate -s -1 "$samples"'
broken 'samples.jsonl:7: not JSON: it ends too early' 'sed -i "7s/.\$//" "$samples"'
broken 'samples.jsonl:9: an empty line' 'sed -i "9s/.*//" "$samples"'
broken 'samples.jsonl:1: .*CR LF' 'sed -i "s/\$/\r/" "$samples"'
broken 'samples.jsonl:3: "schema" is 7.*another version' 'sed -i "3s/\"schema\":1/\"schema\":7/" "$samples"'
broken 'samples.jsonl:4: "seconds" is missing' 'sed -i "4s/\"seconds\"/\"sec\"/" "$samples"'
broken 'samples.jsonl:5: not JSON from column [0-9]+ on; ' 'sed -i "5s/\"seconds\":\[[^,]*/\"seconds\":[NaN/" "$samples"'
broken 'samples.jsonl:6: "seconds" must be above 0' 'sed -i "6s/\"seconds\":\[[^,]*/\"seconds\":[-1/" "$samples"'
broken 'samples.jsonl:8: "status" is "good"' 'sed -i "8s/\"status\":\"ok\"/\"status\":\"good\"/" "$samples"'
broken 'samples.jsonl:1: not JSON from column 1 on' '{ printf "\200"; head -c 5000 /dev/urandom | tr -d "\r\n"; echo; } >"$samples"'
broken 'machine.json:[0-9]+: not JSON' 'truncate -s -10 "$work/m/machine.json"'
broken 'machine.json:1: "caches" is missing' 'sed -i s/caches/cashes/ "$work/m/machine.json"'
broken 'machine.json:1: caches\[0\]: "bytes" is -5' 'sed -i "s/\"bytes\": 32768/\"bytes\": -5/" "$work/m/machine.json"'

# Every command gives the same remedy for a broken machine.json, and it works.
fresh
"$gable" fit "$work/m" >/dev/null || fail "gable fit"
truncate -s -10 "$work/m/machine.json"
for command in fit plot; do
  expect 2 'machine.json:[0-9]+: not JSON.*write it anew: `gable machine --xml .*/topology.xml --json' $command "$work/m"
done
cure=$(sed -n 's/.*write it anew: `gable \(.*\)`$/\1/p' "$work/err")
eval "\"$gable\" $cure" || fail "the cure '$cure' does not work"
expect 0 '' fit "$work/m"
grep -q '32 KiB, confirmed' "$work/out" || fail "the cure did not bring the caches back"

# A path that is not a file, and a full standard output.
fresh
rm "$samples" && mkdir "$samples"
expect 1 'samples.jsonl: Is a directory' fit "$work/m"
fresh
"$gable" fit "$work/m" >/dev/full 2>"$work/err"
[ $? = 1 ] || fail "a full standard output is not an error"

# A full disk: the old roofs.json stays whole.
mkdir "$work/disk"
if mount -t tmpfs -o size=400k none "$work/disk" 2>"$work/err"; then
  fresh
  cp "$work/m"/*.* "$work/disk"
  echo old >"$work/disk/roofs.json"
  dd if=/dev/zero of="$work/disk/filler" bs=4k 2>"$work/err"
  expect 1 'roofs.json: No space left' fit "$work/disk"
  [ "$(cat "$work/disk/roofs.json")" = old ] || fail "a full disk cost the old roofs.json"
  umount "$work/disk"
else
  echo "not tried: a full disk (no permission to mount a tiny one)"
fi

finish
