#!/bin/bash
# gable predict --profile, and --point --to with machines: times elsewhere, and input that is refused.
source "$(dirname "$0")/expect.sh" "$1"
needs_valgrind
needs python3 cc:gcc
machines=$here/../../machines

cat >"$work/arrays.c" <<'C'
#include <stdlib.h>
__attribute__((noinline)) static void scale(double* to, const double* from, int n) {
  for (int i = 0; i < n; ++i) to[i] = 3 * from[i];
}
int main(void) {
  const int n = 3000000;
  double* source = calloc(n, 8);
  double* target = malloc(8 * n);
  for (int i = 0; i < 3; ++i) scale(target, source, n);
  return target[n / 2] != 0;
}
C
cc -O1 -g "$work/arrays.c" -o "$work/arrays" || fail "arrays.c"
cd "$work" || exit 1
expect 0 '' profile -o a.profile -- ./arrays

# A machine with twice the roofs takes half the time; the time is that of the bytes at the memory's roof, or a bit more.
for name in here fast; do
  cp -r "$machines/joe0" $name && chmod -R u+w $name
done
python3 - fast/roofs.json <<'PYTHON' || fail "doubling the roofs"
import json, pathlib, sys
path = pathlib.Path(sys.argv[1])
document = json.loads(path.read_text())
for roof in document["roofs"]:
    for key in ("value", "lo", "hi"):
        roof[key] *= 2 if roof["unit"] != "ns" else 0.5
path.write_text(json.dumps(document))
PYTHON
python3 - fast/machine.json <<'PYTHON' || fail "doubling the clock"
import json, pathlib, sys
path = pathlib.Path(sys.argv[1])
document = json.loads(path.read_text())
next(figure for figure in document["published"] if figure["what"] == "clock")["value"] *= 2
path.write_text(json.dumps(document))
PYTHON
expect 0 '' predict --profile a.profile here fast --threads 7 --json
python3 - "$work/out" <<'PYTHON' || fail "the prediction from the profile alone"
import json, sys
document = json.load(open(sys.argv[1]))
here, fast = document["predictions"]
assert document["here"] is None and here["ratio"] is None
assert abs(fast["seconds"] / here["seconds"] - 0.5) < 1e-9, (here["seconds"], fast["seconds"])
assert here["seconds_lo"] < here["seconds"] < here["seconds_hi"]
assert here["threads"] == 7 and here["nodes"] == {"0": 1.0}
assert here["binds"][0]["what"] == "local memory", here["binds"]
memory = sum(n["seconds"] for part in here["needs"] for n in part["needs"] if n["what"] == "local memory")
assert 3 * 2 * 24e6 / 36.1e9 < memory < here["seconds"] < 2 * memory, (memory, here["seconds"])
assert abs(sum(f["seconds"] for f in here["functions"]) - here["seconds"]) < 1e-9
assert here["functions"][0]["what"] == "scale"
PYTHON
expect 0 '' predict --profile a.profile here fast --threads 7 --functions
head -1 "$work/out" | grep -q 'a.profile: from its profile alone' || fail "the first line: $(head -1 "$work/out")"
says '^most likely fastest on fast: .* most likely ' '^what binds there: local memory' '^Predicted times' '^Functions' 'scale '
expect 0 '' predict --profile a.profile here --threads 7 --memory node:2
says 'data on node 2' 'remote memory'
expect 0 '' predict --profile a.profile knl-snc4-flat --threads 16 --memory HBM --pages 4k
says '^knl-snc4-flat: it has no latencies of small pages'
expect 0 '' predict --profile a.profile knl-snc4-flat --threads 16 --memory HBM
says 'data on node [0-9]'
expect 0 '' predict --profile a.profile knl-snc4-flat --threads 16 --memory 3:1
says 'data 75 % on node 0, 25 % on node 1' 'the mix of memories'
expect 0 '' predict --profile a.profile knl-snc4-flat --threads 64 --memory HBM
says '64 threads of all clusters, data 25 % on node 1'
expect 0 '' predict --profile a.profile knl-snc4-cache --threads 16 --json
python3 - "$work/out" <<'PYTHON' || fail "the memory-side cache"
import json, sys
row, = json.load(open(sys.argv[1]))["predictions"]
needs = {}
for need in (n for part in row["needs"] for n in part["needs"]):
    needs[need["what"]] = needs.get(need["what"], 0) + need["seconds"]
moved = needs["MCDRAM"] * 85.4e9  # bytes; the memory has those of the first uses alone
assert 3 * 2 * 24e6 < moved < 3 * 3 * 24e6 + 3 * 24e6, moved
assert 2 * 24e6 < needs["local memory"] * 22.9e9 < 0.6 * moved, (needs, moved)
PYTHON
expect 0 '' predict --profile a.profile here --threads 2
says 'the profile has 1 thread: which lines'
expect 2 'knl-snc4-flat: it has no bandwidth of memory' predict --profile a.profile knl-snc4-flat --threads 16 --memory interleave
expect 2 'memory 1:2:3: knl-snc4-flat has 2 memory nodes here' predict --profile a.profile knl-snc4-flat --threads 16 --memory 1:2:3
expect 0 '' predict --profile a.profile here skylake-2s --threads 2
says 'skylake-2s .*not predicted:' 'sizes of its caches' '^on here: '
# A machine without such a memory does not spoil the others, and only what is predicted has notes.
expect 0 '' predict --profile a.profile here knl-snc4-flat --threads 7 --memory HBM
says 'not predicted: --memory HBM: here has no such memory' '^on knl-snc4-flat: ' '^knl-snc4-flat: the profile has 1 thread'
grep -q '^here: the profile' "$work/out" && fail "notes on a machine without a prediction"
expect 0 '' predict --profile a.profile here knl-snc4-flat --threads 7 --memory HBM --json
python3 - "$work/out" <<'PYTHON' || fail "the machine without such a memory, as JSON"
import json, sys
lacks, has = json.load(open(sys.argv[1]))["predictions"]
assert lacks["threads"] is lacks["seconds"] is None and "no such memory" in lacks["reason"], lacks
assert has["threads"] == 7 and has["seconds"] > 0, has
PYTHON
# What is the same for all machines is said once.
expect 0 '' predict --profile a.profile here fast --threads 7
says '^the profile has 1 thread' 'Predicted times .7 threads of cluster 0, data on node 0'
expect 0 '' predict --profile a.profile here fast knl-snc4-flat --threads 8
says '^  here +8 threads of all clusters, data ' '^  knl-snc4-flat +8 threads of cluster 0, data on node 0 '
expect 0 '' predict --profile a.profile here
says 'the profile has 1 thread|1 thread of cluster 0'

# From a time: nothing changes on the same machine, and a new machine says what its figures lack.
mkdir here/profiles && cp a.profile here/profiles/
point() { # JSON FIELDS...
  python3 - "$@" <<'PYTHON'
import json, pathlib, sys
profile = json.loads(pathlib.Path("a.profile").read_text())
sums = {key: sum(f[key] for f in profile["functions"]) for key in ("flops", "load_bytes", "store_bytes")}
point = {"name": "app", "cluster": 0, "alone": True, "threads": 1, "counter": "profile", "seconds": 0.025, "seconds_lo": 0.024,
         "seconds_hi": 0.026, "node_bytes": {"0": 1000}, "profile": "a.profile", "command": profile["profile"][0]["command"], "build": profile["profile"][0]["build"], **sums}
point.update(json.loads(sys.argv[1]))
pathlib.Path("here/points.json").write_text(json.dumps({"schema": 1, "points": [point]}))
PYTHON
}
point '{}'
expect 0 '' predict here --point app --to here fast --json
cp "$work/out" predicted.json
for machine in here fast; do
  expect 0 '' profile show here --point app --machine $machine --json
  cp "$work/out" shown-$machine.json
done
expect 0 '' profile show a.profile --machine here --json
python3 - predicted.json shown-here.json shown-fast.json "$work/out" <<'PYTHON' || fail "profile show has other times of levels than predict"
import json, sys
predicted = {row["machine"]: row for row in json.load(open(sys.argv[1]))["predictions"]}
for path, machine, measured in zip(sys.argv[2:], ("here", "fast", "here"), (True, False, True)):
    shown = json.load(open(path))["time_by_level"]
    assert shown["machine"] == machine and shown["measured"] is measured, (path, shown)
    assert shown["seconds"] == predicted[machine]["seconds"] and shown["seconds_hi"] == predicted[machine]["seconds_hi"], path
    binds = {part["what"]: part["binds"] for part in shown["parts"] if part["binds"]}
    wanted = {bound["what"]: bound["seconds"] / shown["seconds"] for bound in predicted[machine]["binds"]}
    assert binds.keys() == wanted.keys() and all(abs(binds[what] - wanted[what]) < 1e-9 for what in binds), (path, binds, wanted)
PYTHON
expect 0 '' profile show here --point app
says '^Measured time of app, 25 ms on here ' 'not explained|local memory'
expect 0 '' profile show here --point app --machine fast
says '^Time of app, predicted from 25 ms on here: .* on fast '
expect 0 '' predict here --point app --to here fast xeon6254-optane node:1 --json
python3 - "$work/out" <<'PYTHON' || fail "the prediction from a time"
import json, sys
document = json.load(open(sys.argv[1]))
rows = {row["machine"]: row for row in document["predictions"]}
assert document["here"]["seconds"] == 0.025 and document["profile"].endswith("profiles/a.profile")
assert abs(rows["here"]["ratio"] - 1) < 1e-6 and abs(rows["here"]["seconds_lo"] - 0.024) < 1e-6, rows["here"]
assert 0.4 < rows["fast"]["ratio"] < 0.7, rows["fast"]["ratio"]
assert rows["here, node:1"]["ratio"] > 1 and rows["here, node:1"]["nodes"] == {"1": 1.0}
assert any("peaks" in what for what in rows["xeon6254-optane"]["missing"]), rows["xeon6254-optane"]["missing"]
assert rows["xeon6254-optane"]["missing_percent"] > 0
PYTHON
expect 0 '' predict here --point app --to fast
says '^app: 25 ms on here' '^on fast: ' '^the roofs explain '
# The verdict says the same of other places for the data.
for node in 0 1; do
  point "{\"node_bytes\": {\"$node\": 1000}}"
  python3 "$here/advice_check.py" "$gable" "$work/here" >advice || fail "the verdict of data on node $node: $(cat advice)"
done
grep -q '"would": 1' advice || fail "remote data is not told to be faster at home: $(cat advice)"
point '{"user_seconds": 0.015, "kernel_seconds": 0.01}'
expect 0 '' predict here --point app --to fast
says 'the kernel took 40 % of its CPU time'

# A mix of memories takes as long as the hybrid model says of the same bytes.
cp -r "$machines/knl-snc4-flat" mix && chmod -R u+w mix
two_memories pair && cp pair/hybrid.json mix/
expect 0 '' profile show a.profile --machine mix --json
bytes=$(python3 - "$work/out" <<'PYTHON'
import json, sys
behind = [row["behind"]["L2"] for row in json.load(open(sys.argv[1]))["functions"]]
loaded = sum(one.get(order, {}).get(what, 0) for one in behind for order in ("sequential", "independent", "chained") for what in ("read", "write"))
stored = sum(one.get("written_back", 0) + one.get("streamed", 0) for one in behind)
print(f"--load-slow {0.75 * loaded} --store-slow {0.75 * stored} --load-fast {0.25 * loaded} --store-fast {0.25 * stored}")
PYTHON
)
expect 0 '' predict --profile a.profile mix --threads 16 --memory 3:1 --json
cp "$work/out" mixed.json
expect 0 '' predict mix $bytes --json
python3 - mixed.json "$work/out" <<'PYTHON' || fail "the mix of memories and the hybrid model differ"
import json, sys
mixed, model = (json.load(open(path))["predictions"][0] for path in sys.argv[1:])
seconds = sum(n["seconds"] for part in mixed["needs"] for n in part["needs"] if "hybrid" in n["what"])
assert abs(seconds / model["bound"]["seconds"] - 1) < 0.03, (seconds, model["bound"])  # own caches of 16 threads hold more
PYTHON
# That of few threads is no faster than the faster memory, though the model is of all threads.
for place in node:0 3:1 node:1; do
  expect 0 '' predict --profile a.profile mix --threads 1 --memory $place --json
  cp "$work/out" $place.json
done
python3 - node:0.json 3:1.json node:1.json <<'PYTHON' || fail "the mix of memories with one thread"
import json, sys
slow, mixed, fast = (json.load(open(path))["predictions"][0] for path in sys.argv[1:])
for end in ("seconds", "seconds_lo", "seconds_hi"):
    assert fast[end] <= mixed[end] <= slow[end], (end, fast[end], mixed[end], slow[end])
PYTHON

# Objects one by one: both on a node are as all data there, and each node has what its object transfers.
expect 0 '' predict --profile a.profile here --threads 7 --memory node:1 --json
cp "$work/out" whole.json
expect 0 '' predict --profile a.profile here --threads 7 --memory node:1 --memory source=node:1 --memory target=node:1 --json
cp "$work/out" both.json
expect 0 '' predict --profile a.profile here --threads 7 --memory 'target=node:1' --json
python3 - whole.json both.json "$work/out" <<'PYTHON' || fail "the places of objects"
import json, sys
whole, both, one = (json.load(open(path))["predictions"][0] for path in sys.argv[1:])
assert abs(both["seconds"] / whole["seconds"] - 1) < 1e-6, (both["seconds"], whole["seconds"])
assert one["objects"] == {"target (arrays.c:8)": 1} and one["nodes"] == {"0": 1.0}, one["objects"]
needs = {n["what"]: n["seconds"] for part in one["needs"] if part["function"] == "scale" for n in part["needs"]}
assert needs["local memory (node 0)"] > 0 and needs["remote memory (node 1)"] > needs["local memory (node 0)"], needs
PYTHON
expect 0 '' predict --profile a.profile here xeon6254-optane --threads 7 --memory target=node:1
says 'data on node 0, target \(arrays.c:8\) on node 1'
expect 0 '' predict here --point app --to here --memory 'source (arrays.c:7)=node:1'
says 'source \(arrays.c:7\) on node 1'
expect 2 'memory aim=node:N: the profile has no such object; it has: (source|target) \(arrays.c:' predict --profile a.profile here --memory aim=node:1
expect 2 'memory target=node:9: no memory node 9' predict --profile a.profile here --memory target=node:9
expect 2 'memory target=node:x: give OBJECT=node:N' predict --profile a.profile here --memory target=node:x
expect 2 'memory target=node:1: this object has two places' predict --profile a.profile here --memory target=node:0 --memory target=node:1
expect 2 'this object has two places: target' predict --profile a.profile here --memory target=node:0 --memory 'target (arrays.c:8)=node:1'
expect 2 'memory node:0 and node:1: give one place' predict --profile a.profile here --memory node:0 --memory node:1
expect 2 'need a profile' predict here --load-share 1 --memory a=node:1
sed 's/"name":"source"/"name":"target"/' a.profile >twice.profile
expect 2 'memory target=node:N: several objects have this name; give one of: target \(arrays.c:7\)' predict --profile twice.profile here --memory target=node:1
expect 0 '' predict --profile twice.profile here --memory 'target (arrays.c:7)=node:1'

# The chart: a bar for each machine, and the figures beside it.
expect 0 '' predict here --point app --to fast xeon6254-optane -o drawn --format svg
says 'drawn/predicted.svg'
grep -q 'xeon6254-optane' drawn/predicted.svg || fail "the chart's machines"
python3 - drawn/predicted.tsv <<'PYTHON' || fail "the chart's table"
import csv, sys
rows = list(csv.DictReader((line for line in open(sys.argv[1]) if not line.startswith("#")), delimiter="\t"))
for machine in ("fast", "xeon6254-optane"):
    own = [row for row in rows if row["machine"] == machine]
    whole, parts = own[0], own[1:]
    assert whole["what"] == "all" and float(whole["lo"]) < float(whole["seconds"]) < float(whole["hi"])
    assert abs(sum(float(row["seconds"]) for row in parts) / float(whole["seconds"]) - 1) < 0.01, own
PYTHON

# The report has the same times, and a point that cannot be predicted does not spoil it.
expect 0 '' report here -o report.html
grep -q 'No other machine was named for the report' report.html || fail "the report does not say how to name machines"
expect 0 '' report here --on fast xeon6254-optane -o report.html
expect 0 '' predict here --point app --to fast xeon6254-optane
time=$(awk '$1 == "xeon6254-optane" && $3 == "ms" { print $2 " ms" }' "$work/out" | head -1)
[ -n "$time" ] || fail "no time of xeon6254-optane on the screen"
python3 - report.html "$time" <<'PYTHON' || fail "the section of the report"
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()
section = re.search(r'<section id="elsewhere".*?</section>', text, re.S).group(0)
assert "app: Predicted times" in section and "xeon6254-optane" in section
assert sys.argv[2] in section, (sys.argv[2], section[:2000])
PYTHON
expect 2 'no-such-machine' report here --on no-such-machine -o report.html
point '{"build": "0123"}'
expect 0 '' report here --on fast -o report.html
grep -q 'the point .*app.* is of the build 0123' report.html || fail "the reason is missing in the report"

# Another architecture is told.
for change in 's/"isas": null/"isas": ["neon","sve"]/' 's/"cpu_model": "[^"]*"/"cpu_model": "Neoverse-V2"/'; do
  sed "$change" here/machine.json >fast/machine.json
  expect 0 '' predict --profile a.profile fast --threads 7
  says 'it is AArch64, and the profile of x86-64'
done
expect 0 '' predict --profile a.profile here --threads 7
grep -q 'and the profile of' "$work/out" && fail "another architecture is said of the profile's own"

# A profile of another program, another version, or cut off.
expect 2 'point needs --to: machines' predict here --point app --to ''
point '{"build": "0123"}'
expect 2 'profiles/a.profile: "build" is [0-9a-f]*, and the point .app. is of the build 0123' predict here --point app --to fast
point '{"load_bytes": 1e15}'
expect 2 'profiles/a.profile: "functions" load and store .* bytes' predict here --point app --to fast
point '{"region": "sweep"}'
expect 2 "no region 'sweep'" predict here --point app --to fast
point '{"profile": "b.profile"}'
expect 2 'b.profile' predict here --point app --to fast
point '{"profile": ""}'
expect 2 "to fast: no profile is kept of the point 'app'" predict here --point app --to fast
head -c 2000 a.profile >cut.profile
expect 2 'cut.profile' predict --profile cut.profile here
python3 - <<'PYTHON'
import json
document = json.load(open("a.profile"))
json.dump({**document, "functions": []}, open("idle.profile", "w"))
PYTHON
expect 2 'idle.profile: "functions" is empty' predict --profile idle.profile here
sed 's/"threads":1/"threads":0/' a.profile >wrong.profile
expect 2 'wrong.profile:[0-9]*: profile\[0\].*"threads"' predict --profile wrong.profile here
cc -O0 -g arrays.c -o arrays
expect 0 '' predict --profile a.profile here
says 'arrays is another build now'

# A machine that lacks everything, and wrong options.
expect 2 'for skylake-2s: the sizes of its caches are not known' predict --profile a.profile skylake-2s
mkdir bare && cp here/machine.json bare/
expect 2 'bare: it has no (roofs|bandwidth of memory)' predict --profile a.profile bare
cp -r here small
python3 - small/machine.json <<'PYTHON'
import json, pathlib, sys
path = pathlib.Path(sys.argv[1])
document = json.loads(path.read_text())
for cluster in document["clusters"]:
    cluster["caches"] = [cache for cache in cluster["caches"] if cache["level"] == 1]
path.write_text(json.dumps(document))
PYTHON
expect 0 '' predict --profile a.profile small --threads 7
says 'its machine.json has L1 alone'
mkdir none
expect 2 'none: no machine.json' predict --profile a.profile none
expect 2 'no such folder|no-such' predict --profile a.profile no-such-machine
expect 2 'threads 100' predict --profile a.profile here --threads 100
expect 2 'memory node:9: no memory node 9' predict --profile a.profile here --memory node:9
expect 2 'memory node:x: give node:N' predict --profile a.profile here --memory node:x
expect 2 'memory HBM: .* has no such memory' predict --profile a.profile here --memory HBM
expect 2 'pages 3x: give a size' predict --profile a.profile here --pages 3x
expect 2 'pages 3k: give a size' predict --profile a.profile here --pages 3k
expect 2 'without --point and --to' predict --profile a.profile here --point app
expect 2 'one DIR' predict here fast --load-share 1
expect 2 'need a profile' predict here --load-share 1 --threads 2
expect 2 'need a profile' predict here --load-share 1 -o drawn
finish
