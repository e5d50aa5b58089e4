#!/bin/bash
# gable kmaf generate and replay: consistent figures, and invalid input.
source "$(dirname "$0")/expect.sh" "$1"
needs lstopo-no-graphics:hwloc

mkdir "$work/m"
lstopo-no-graphics -f -i "package:2 [numa(memory=1GB)] l3:1(size=65536) core:2 l2:1(size=8192) l1d:1(size=2048) pu:1" \
  --of xml "$work/m/topology.xml" || fail "lstopo"
cat >"$work/m/replay.json" <<'TEXT'
{"schema":1,"l1_ns":1,"l2_ns":4,"l3_ns":20,"local_ns":100,"remote_ns":170,"link_gb_per_s":10,"memory_gb_per_s":20,
 "energy":{"l1_nj":0.02,"l2_nj":0.4,"l3_nj":3,"memory_nj":16,"link_nj_per_byte":0.1,"static_watts":50}}
TEXT

expect 0 '' kmaf generate private --threads 4 --accesses 12000 -o "$work/p.csv"
expect 0 '' kmaf generate private --threads 4 --accesses 12000 -o "$work/p.trace"
cp "$work/p.trace" "$work/other.trace"
head -1 "$work/p.csv" | grep -q '^tid,address,bytes,write,instructions$' || fail "no header in the CSV"
expect 0 '' kmaf replay "$work/p.csv" --machine "$work/m" --runs 3 --json
mv "$work/out" "$work/csv.json"
expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 3 --jobs 1 --json
python3 - "$work/csv.json" "$work/out" <<'PYTHON' || fail "the JSON does not hang together"
import json, sys
one, two = (json.load(open(path)) for path in sys.argv[1:])
for document in (one, two):
    document.pop("trace")
assert one == two, "CSV and binary, two jobs and one: the same runs"
names = [policy["policy"] for policy in one["policies"]]
assert names == ["os", "compact", "random", "interleave", "autonuma", "oracle", "kmaf", "kmaf-sharing", "kmaf-threads", "kmaf-data"], names
policies = {policy["policy"]: policy for policy in one["policies"]}
assert policies["os"]["time_ratio"] == {"value": 1, "lo": 1, "hi": 1}
for policy in policies.values():
    for name in ("seconds", "time_ratio", "l3_miss_ratio", "link_traffic_ratio", "energy_ratio"):
        figure = policy[name]
        assert figure["lo"] <= figure["value"] <= figure["hi"], (policy["policy"], name)
    spent = policy["overhead_seconds"]
    share = 100 * sum(spent.values()) / policy["cpu_seconds"]
    assert abs(share - policy["overhead_percent"]) < 0.05, (policy["policy"], share)
    assert 0 < policy["cpu_seconds"] <= 4 * policy["seconds"]["hi"], policy["policy"]
assert policies["os"]["samples"] == policies["oracle"]["pages_moved"] == 0
assert policies["kmaf-threads"]["pages_moved"] == 0 and policies["kmaf-data"]["tasks_moved"] == 0
if "threads_not_mapped" not in one:
    # Private data that one thread touched first: all pages move to their users.
    assert policies["kmaf"]["local_percent"] > 90 > policies["os"]["local_percent"], policies["kmaf"]
    assert policies["kmaf"]["time_ratio"]["hi"] < 1
PYTHON
expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 2 --policy kmaf
[ "$(grep -cE '^  (os|kmaf) ' "$work/out")" = 2 ] || fail "--policy kmaf shows: $(cat "$work/out")"
[ ! -s "$work/err" ] || fail "progress where there is no terminal: $(cat "$work/err")"

# On a terminal, progress ends at 100 % and its line is erased.
TERM=xterm python3 - "$gable" "$work" >"$work/screen" <<'PYTHON'
import os, pty, sys
gable, work = sys.argv[1:]
arguments = ["kmaf", "replay", work + "/p.trace", "--machine", work + "/m", "--runs", "2", "--policy", "oracle"]
sys.exit(os.waitstatus_to_exitcode(pty.spawn([gable] + arguments)))
PYTHON
[ $? = 0 ] || fail "on a terminal: $(cat "$work/screen")"
for part in '100 %.*the oracle tries places' '100 %.*the policies run'; do
  grep -qE "$part" "$work/screen" || fail "the progress lacks '$part': $(cat -v "$work/screen")"
done
grep -qF "$(printf 'run\r\033[K')" "$work/screen" || fail "the line of progress stays: $(cat -v "$work/screen")"

# A single run has no interval; the seconds of a deterministic policy have an interval of width 0.
expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 1 --policy kmaf,compact
grep -qE '^  kmaf .* ±\? ' "$work/out" && ! grep -q '±0.000' "$work/out" || fail "one run shows: $(cat "$work/out")"
grep -q '1 run, which has no interval' "$work/out" || fail "one run says: $(cat "$work/out")"
expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 1 --policy kmaf,compact --json
python3 - "$work/out" <<'PYTHON' || fail "the JSON of one run: $(cat "$work/out")"
import json, sys
for policy in json.load(open(sys.argv[1]))["policies"]:
    for name in ("time_ratio", "l3_miss_ratio", "link_traffic_ratio", "energy_ratio", "seconds"):
        figure = policy[name]
        if name == "seconds" and policy["deterministic"]:
            assert figure["lo"] == figure["value"] == figure["hi"]
        else:
            assert figure is None or figure["lo"] is figure["hi"] is None, (policy["policy"], figure)
PYTHON

if command -v gnuplot >/dev/null; then
  expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 1 --policy kmaf --plot "$work/one"
  grep -q '1 run, which has no interval' "$work/one/p-replay.svg" || fail 'the picture of one run has intervals'
  expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 2 --plot "$work/pictures"
  for ending in tsv svg png; do [ -s "$work/pictures/p-replay.$ending" ] || fail "no p-replay.$ending"; done
fi

# Several traces: each has the same result as alone; the means of their ratios have equal weights.
expect 0 '' kmaf generate ring --threads 4 --accesses 12000 -o "$work/r.trace"
expect 0 '' kmaf replay "$work/r.trace" --machine "$work/m" --runs 3 --json
mv "$work/out" "$work/r.json"
expect 0 '' kmaf replay "$work/p.trace" "$work/r.trace" --machine "$work/m" --runs 3 --json
python3 - "$work/csv.json" "$work/r.json" "$work/out" <<'PYTHON' || fail "the JSON of two traces"
import json, sys
one, two, both = (json.load(open(path)) for path in sys.argv[1:])
assert both["replays"][1] == two
one.pop("trace"), both["replays"][0].pop("trace")
assert both["replays"][0] == one
for i, mean in enumerate(both["means"]):
    of = [document["policies"][i] for document in (one, two)]
    assert mean["policy"] == of[0]["policy"] == of[1]["policy"]
    for name in ("time_ratio", "l3_miss_ratio", "link_traffic_ratio", "energy_ratio"):
        if mean[name] is None:
            assert None in (of[0][name], of[1][name])
            continue
        assert abs(mean[name]["value"] - (of[0][name]["value"] + of[1][name]["value"]) / 2) < 1e-12
        assert mean[name]["lo"] <= mean[name]["value"] <= mean[name]["hi"]
PYTHON
expect 0 '' kmaf replay "$work/p.trace" "$work/r.trace" --machine "$work/m" --runs 2 --policy kmaf
grep -qE '^  r +1.000 ±0.000' "$work/out" && grep -qE '^  mean time +1.000' "$work/out" || fail "two traces show: $(cat "$work/out")"
if command -v gnuplot >/dev/null; then
  expect 0 '' kmaf replay "$work/p.trace" "$work/r.trace" --machine "$work/m" --runs 2 --policy interleave,kmaf --plot "$work/paper/charts" --size column
  python3 "$here/plot_check.py" --pictures "$work/paper" || fail "--size column: see above"
  expect 0 '' kmaf replay "$work/p.trace" "$work/r.trace" --machine "$work/m" --runs 2 --policy interleave,kmaf --plot "$work/programs"
  for name in p-replay r-replay programs-time programs-l3-misses programs-link-traffic programs-energy; do
    [ -s "$work/programs/$name.svg" ] || fail "no $name.svg"
  done
fi

# An oracle that knows another run maps threads by that one: with the same trace nothing changes, with another it is no better.
expect 0 '' kmaf generate ring --threads 5 --accesses 12000 -o "$work/r5.trace"
mkdir "$work/known"
cp "$work/r.trace" "$work/known/p.trace"
for known in - "$work/p.trace" "$work/known" "$work/r.trace"; do
  [ "$known" = - ] && option=() || option=(--knowing "$known")
  expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 2 --policy oracle "${option[@]}" --json
  cp "$work/out" "$work/knowing-$(basename "$known").json"
done
python3 - "$work" <<'PYTHON' || fail "the JSON of an oracle that knows another run"
import json, sys
own, same, folder, other = (json.load(open(f"{sys.argv[1]}/knowing-{name}.json")) for name in ("-", "p.trace", "known", "r.trace"))
assert same.pop("oracle_knows").endswith("/p.trace") and same == own
assert folder.pop("oracle_knows").endswith("/known/p.trace") and other.pop("oracle_knows").endswith("/r.trace")
assert folder == other
seconds = [document["policies"][1]["seconds"]["value"] for document in (own, other)]
assert seconds[0] <= seconds[1], seconds
PYTHON
expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 2 --policy oracle --knowing "$work/r.trace"
grep -q 'as is best in another run, .*r.trace' "$work/out" || fail "the table of such an oracle: $(cat "$work/out")"
expect 2 'r5.trace: 5 threads, but .*r.trace has 4' kmaf replay "$work/r.trace" --machine "$work/m" --policy oracle --knowing "$work/r5.trace"
expect 2 'known/r.trace' kmaf replay "$work/r.trace" --machine "$work/m" --policy oracle --knowing "$work/known"
expect 2 '--knowing is for --policy oracle' kmaf replay "$work/r.trace" --machine "$work/m" --policy kmaf --knowing "$work/r.trace"

# A suite is all traces of a folder, and the means that the paper prints beside theirs.
mkdir "$work/suite"
cp "$work/p.trace" "$work/r.trace" "$work/suite"
expect 0 '' kmaf replay "$work/p.trace" "$work/r.trace" --machine "$work/m" --runs 2 --policy kmaf,oracle --json
mv "$work/out" "$work/two.json"
expect 0 '' kmaf replay --suite "$work/suite" --machine "$work/m" --runs 2 --policy kmaf,oracle --json
python3 - "$work/two.json" "$work/out" <<'PYTHON' || fail "the JSON of a suite"
import json, sys
two, suite = (json.load(open(path)) for path in sys.argv[1:])
paper = {row["policy"]: row for row in suite.pop("paper")}
for document in (two, suite):
    for replay in document["replays"]:
        replay.pop("trace")
assert suite == two
assert set(paper) == {"kmaf", "oracle"}
assert abs(paper["kmaf"]["time_ratio"]["value"] - 0.862) < 1e-12 and paper["oracle"]["l3_miss_ratio"] is None, paper
PYTHON
expect 0 '' kmaf replay --suite "$work/suite" --machine "$work/m" --runs 2 --policy kmaf,oracle
grep -qE "^    the paper's +– +0.847 +0.862" "$work/out" && grep -q 'overhead of kmaf: .*the paper.s: 1.8 %' "$work/out" || fail "a suite shows: $(cat "$work/out")"
expect 2 'give traces, or --suite' kmaf replay --suite "$work" "$work/p.trace" --machine "$work/m"
expect 2 'give traces, or --suite' kmaf replay --machine "$work/m"
mkdir "$work/empty"
expect 2 'empty: no traces \(\*.trace\)' kmaf replay --suite "$work/empty" --machine "$work/m"
if command -v gnuplot >/dev/null; then
  expect 0 '' kmaf replay --suite "$work/suite" --machine "$work/m" --runs 2 --policy kmaf,oracle --plot "$work/suite-charts"
  grep -q "the paper's" "$work/suite-charts/programs-time.svg" && [ -s "$work/suite-charts/programs-overhead.svg" ] || fail "the charts of a suite"
fi

# Traces with the same name get their folders' names too; naming a trace twice is an error.
mkdir -p "$work/a" "$work/b"
cp "$work/p.trace" "$work/a/t.trace"
cp "$work/r.trace" "$work/b/t.trace"
expect 0 '' kmaf replay "$work/a/t.trace" "$work/b/t.trace" --machine "$work/m" --runs 2 --policy kmaf
grep -qE '^  a-t.trace +1.000' "$work/out" && grep -qE '^  b-t.trace +1.000' "$work/out" || fail "two traces of one name show: $(cat "$work/out")"
expect 0 '' kmaf replay "$work/p.csv" "$work/p.trace" --machine "$work/m" --runs 2 --policy kmaf
grep -qE '^  p.csv +1.000' "$work/out" && grep -qE '^  p.trace +1.000' "$work/out" || fail "one name with two endings: $(cat "$work/out")"
expect 2 'p.trace: this trace is named twice' kmaf replay "$work/p.trace" "$work/a/../p.trace" --machine "$work/m"
if command -v gnuplot >/dev/null; then
  expect 0 '' kmaf replay "$work/a/t.trace" "$work/b/t.trace" --machine "$work/m" --runs 2 --policy kmaf --plot "$work/same"
  for name in a-t.trace b-t.trace; do [ -s "$work/same/$name-replay.svg" ] || fail "no $name-replay.svg: $(ls "$work/same")"; done
fi

# Interrupted by any signal: it reports that, ends by the signal, and leaves nothing behind.
mkdir "$work/clean"
begun() { [ -n "$(ls -A "$work/clean")" ]; }
interrupted() {
  local signal=$1
  shift
  "$gable" "$@" >"$work/out" 2>"$work/err" &
  local pid=$!
  within 20 listens $pid || fail "gable $*: does not listen to signals"
  [ "$2" = replay ] || within 20 begun || fail "gable $*: writes nothing"
  kill -$signal $pid
  wait $pid
  local got=$?
  [ $got = $((128 + $(kill -l $signal))) ] && grep -q interrupted "$work/err" || fail "SIG$signal: gable $*: exit $got: $(cat "$work/err")"
}
for signal in INT TERM; do
  interrupted $signal kmaf generate ring --accesses 1000000000 -o "$work/clean/x.trace"
  interrupted $signal kmaf replay "$work/p.trace" --machine "$work/m" --runs 1000
done
[ -z "$(ls -A "$work/clean")" ] || fail "an interrupted trace is left: $(ls -A "$work/clean")"
(ulimit -f 100; exec 2>"$work/err"; "$gable" kmaf generate ring --accesses 1000000 -o "$work/clean/x.trace")
[ $? = 1 ] && grep -q 'File too large' "$work/err" || fail "a file too large is no error: $(cat "$work/err")"
[ -z "$(ls -A "$work/clean")" ] || fail "a file that could not be written is left: $(ls -A "$work/clean")"
expect 2 'seconds: 0 is not a number from 0.1 to 1e\+06' kmaf replay "$work/p.trace" --machine "$work/m" --seconds 0
expect 2 'seconds: many is not a number' kmaf replay "$work/p.trace" --machine "$work/m" --seconds many

expect 2 'KERNEL: .rings. is none of .*did you mean .ring.' kmaf generate rings -o "$work/x.csv"
expect 2 'output' kmaf generate ring
expect 1 'cannot write .*absent' kmaf generate ring -o "$work/absent/x.csv"
expect 1 'cannot write /dev/full' kmaf generate ring --accesses 100000 -o /dev/full
expect 2 '--policy: .best. is none of all, os, compact' kmaf replay "$work/p.trace" --machine "$work/m" --policy best
expect 2 'absent: no such folder' kmaf replay "$work/p.trace" --machine "$work/absent"
expect 2 'machine' kmaf replay "$work/p.trace"
expect 2 'absent.csv: No such file' kmaf replay "$work/absent.csv" --machine "$work/m"
echo "1,x,8,0" >"$work/bad.csv"
expect 2 'bad.csv:1: address' kmaf replay "$work/bad.csv" --machine "$work/m"
: >"$work/empty.csv"
expect 2 'empty.csv: contains no access' kmaf replay "$work/empty.csv" --machine "$work/m"
sed -i 's/"remote_ns":170,//' "$work/m/replay.json"
expect 2 'replay.json:1: "remote_ns" is missing' kmaf replay "$work/p.trace" --machine "$work/m"
echo '{"schema":2}' >"$work/m/replay.json"
expect 2 'replay.json:1: .*schema' kmaf replay "$work/p.trace" --machine "$work/m"
echo '{' >"$work/m/replay.json"
expect 2 'replay.json:2: not JSON' kmaf replay "$work/p.trace" --machine "$work/m"
rm "$work/m/replay.json"

# A machine that was measured needs no replay.json: the same figures give the same replay.
expect 2 'm/samples.jsonl: no samples; run .gable measure' kmaf replay "$work/p.trace" --machine "$work/m"
python3 - "$work/m" <<'PYTHON'
import json, sys
same = {"tier": "", "kernel": "", "precision": "", "pages": "", "threads": 1, "smt": False, "bytes": 0, "load_percent": 0,
        "n": 9, "status": "ok", "reason": ""}
roofs = []
def add(kind, level, pattern, cluster, node, value):
    unit = "ns" if kind == "latency" else "GB/s"
    roofs.append({"cluster": cluster, "kind": kind, "level": level, "pattern": pattern, "node": node,
                  "op": "chase" if kind == "latency" else "load", **same, "value": value, "lo": value, "hi": value, "unit": unit})
for cluster in 0, 1:
    for level, ns in ("L1", 1), ("L2", 4), ("L3", 20):
        add("latency", level, "cache", cluster, None, ns)
    for pattern, node, ns, rate in ("local", cluster, 100, 20), ("remote", 1 - cluster, 170, 10 * 64 / 72):
        add("latency", "memory", pattern, cluster, node, ns)
        add("bandwidth", "memory", pattern, cluster, node, rate)
def write(kept):
    lines = ",\n".join(json.dumps(roof) for roof in kept)
    open(sys.argv[1] + "/roofs.json", "w").write('{"schema":1,\n"roofs":[\n' + lines + '\n],\n"ladder":[\n],\n"levels":[\n]}\n')
write([roof for roof in roofs if (roof["kind"], roof["pattern"]) != ("latency", "remote")])
open(sys.argv[1] + "/all.json", "w").write(json.dumps(roofs))
PYTHON
expect 2 'm: it has no replay.json.*are not known: idle latency of remote memory; measure' kmaf replay "$work/p.trace" --machine "$work/m"
python3 - "$work/m" <<'PYTHON'
import json, sys
lines = ",\n".join(json.dumps(roof) for roof in json.load(open(sys.argv[1] + "/all.json")))
open(sys.argv[1] + "/roofs.json", "w").write('{"schema":1,\n"roofs":[\n' + lines + '\n],\n"ladder":[\n],\n"levels":[\n]}\n')
PYTHON
expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 3 --json
python3 - "$work/csv.json" "$work/out" <<'PYTHON' || fail "derived figures give another replay: $(head -c 600 "$work/out")"
import json, sys
given, derived = (json.load(open(path)) for path in sys.argv[1:])
assert [source.split()[0] for source in derived["machine_derived"]] == [
    "l1_ns", "l2_ns", "l3_ns", "local_ns", "remote_ns", "link_gb_per_s", "memory_gb_per_s"], derived["machine_derived"]
for one, two in zip(given["policies"], derived["policies"]):
    assert abs(one["seconds"]["value"] - two["seconds"]["value"]) < 1e-6 * one["seconds"]["value"], (one, two)
    assert two["joules"] is None and two["energy_ratio"] is None, two
PYTHON
expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 1 --policy os
grep -q 'm has no replay.json; derived from what was measured:' "$work/out" && grep -q 'remote_ns 170: idle latency of remote memory, median of 2' "$work/out" ||
  fail "it does not say what was derived: $(cat "$work/out")"

# Simulated points: the program's own point, its time multiplied by the ratio that the same replay prints.
expect 2 '--points: x7550-4s: a machine that comes with Gable' kmaf replay "$work/p.trace" --machine x7550-4s --points
expect 2 "m/points.json has no point 'p'" kmaf replay "$work/p.trace" --machine "$work/m" --points
expect 0 '' point add "$work/m" --name p --cluster all --threads 4 --flops 4e9 --load-bytes 16e9 --store-bytes 0 --seconds 2
expect 0 '' kmaf replay "$work/p.trace" "$work/other.trace" --machine "$work/m" --runs 3 --policy interleave,kmaf --points --json
grep -q "no simulated points of 'other': .*no point of that name" "$work/err" || fail "a program without a point: $(cat "$work/err")"
python3 - "$work/out" "$work/m/points.json" <<'PYTHON' || fail "the simulated points: $(cat "$work/m/points.json")"
import json, math, sys
replays, points = (json.load(open(path)) for path in sys.argv[1:])
points = {point["name"]: point for point in points["points"]}
assert set(points) == {"p", "p by os (simulated)", "p by interleave (simulated)", "p by kmaf (simulated)"}, set(points)
replay = replays["replays"][0]
assert replay["program_seconds"] == 2 and replays["replays"][1]["program_seconds"] == 30, replay["program_seconds"]
for policy in replay["policies"]:
    own, made, ratio = points["p"], points[f"p by {policy['policy']} (simulated)"], policy["time_ratio"]
    assert made["simulated"] and "simulated" not in own 
    # The point itself does not tell where its accesses go; the replay of the OS does, and arrows start there.
    assert made["from"] == ("p" if policy["policy"] == "os" else "p by os (simulated)"), made["from"]
    assert all(made[same] == own[same] for same in ("flops", "load_bytes", "store_bytes", "threads", "cluster", "counter"))
    assert math.isclose(made["seconds"], 2 * ratio["value"], rel_tol=1e-9), (made["seconds"], ratio)
    assert made["access"]["source"] == "replay" and "access" not in own, made["access"]
    for end in "seconds_lo", "seconds_hi":
        assert math.isclose(abs(math.log(made[end] / made["seconds"])), math.log(ratio["hi"] / ratio["value"]), abs_tol=1e-9), made
PYTHON
expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 1 --policy interleave,kmaf --points --json
python3 - "$work/out" "$work/m/points.json" <<'PYTHON' || fail "the accesses of the simulated points: $(cat "$work/m/points.json")"
import json, math, sys
replay, points = (json.load(open(path)) for path in sys.argv[1:])
points = {point["name"]: point for point in points["points"]}
for policy in replay["policies"]:
    # Every access to memory is simulated: their shares are the trace's. Of stores the program has none.
    nodes = points[f"p by {policy['policy']} (simulated)"]["access"]["nodes"]
    counted = {(one["cluster"], one["node"]): one["load_bytes"] for one in policy["access"]}
    kept = {(one["cluster"], one["node"]): one["load_bytes"] for one in nodes}
    assert set(kept) == set(counted) and all(one["store_bytes"] == 0 for one in nodes), nodes
    for key in kept:
        assert math.isclose(kept[key] / sum(kept.values()), counted[key] / sum(counted.values()), rel_tol=1e-6), (kept, counted)
PYTHON
expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 3 --policy kmaf --points
grep -q '^p by kmaf (simulated) (all clusters' "$work/out" && grep -q ' s ±.* (simulated)' "$work/out" && grep -q 'from p by os (simulated): 2 s to ' "$work/out" ||
  fail "the reading of a simulated point: $(cat "$work/out")"
expect 0 '' point add "$work/m" --name p --cluster all --threads 2 --flops 4e9 --load-bytes 16e9 --store-bytes 0 --seconds 2
expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 1 --policy kmaf --points
grep -q "no simulated points of 'p': its point has 2 threads, and the trace 4" "$work/err" || fail "another number of threads: $(cat "$work/err")"
expect 0 '' point add "$work/m" --name p --cluster 0 --flops 4e9 --load-bytes 16e9 --store-bytes 0 --seconds 2
expect 0 '' kmaf replay "$work/p.trace" --machine "$work/m" --runs 1 --policy kmaf --points
grep -q "no simulated points of 'p': its point is of cluster 0 alone" "$work/err" || fail "a point of one cluster: $(cat "$work/err")"

# Figures between cores change the time of a trace that shares lines, and the levels of the hierarchy.
expect 0 '' kmaf generate ring --threads 4 --accesses 12000 -o "$work/r.trace"
expect 0 '' kmaf replay "$work/r.trace" --machine "$work/m" --runs 1 --policy compact --json
mv "$work/out" "$work/without.json"
python3 - "$work/m/c2c.jsonl" <<'PYTHON'
import json, sys
with open(sys.argv[1], "w") as out:
    for measure, pus, home, relation, ns in (
            ("handoff", [0, 1], "both", "L3", 30), ("handoff", [0, 2], "first", "machine", 600),
            ("modified", [0, 1], "both", "L3", 25), ("modified", [0, 2], "first", "machine", 500)):
        asked = {"measure": measure, "pus": pus, "node": 0, "home": home, "relation": relation, "distance": 0, "kinds": ""}
        out.write(json.dumps({"schema": 1, "asked": asked, "round": 0, "status": "ok", "reason": "", "seconds": [ns * 1e-6] * 8,
            "work": [1000] * 8, "disturbed": 0, "adds_per_cycle": 0, "clock_ghz": 0, "steal_percent": 0, "cpus": pus,
            "node_bytes": {"0": 4096}, "notes": [], "started": "2026-01-01T00:00:00Z"}) + "\n")
PYTHON
expect 0 '' kmaf replay "$work/r.trace" --machine "$work/m" --runs 1 --policy compact --json
python3 - "$work/without.json" "$work/out" <<'PYTHON' || fail "figures between cores are not used: $(head -c 600 "$work/out")"
import json, sys
without, used = (json.load(open(path)) for path in sys.argv[1:])
assert "machine_between_cores" not in without
sentences = used["machine_between_cores"]
assert [each.split(":")[0] for each in sentences] == ["core_transfer_ns 25", "node_transfer_ns 500", "costs of the hierarchy's levels"], sentences
seconds = [{policy["policy"]: policy["seconds"]["value"] / each["scale"] for policy in each["policies"]} for each in (without, used)]
assert all(seconds[1][policy] > seconds[0][policy] for policy in seconds[0]), seconds
PYTHON
expect 0 '' kmaf replay "$work/r.trace" --machine "$work/m" --runs 1 --policy compact
says 'm has figures between cores, which are used:' '  node_transfer_ns 500: modified line between nodes'
rm "$work/m/c2c.jsonl"

expect 2 'joe0: it has no replay.json.*are not known: idle latency of L1' kmaf replay "$work/p.trace" --machine joe0
lstopo-no-graphics -f -i "numa:1 core:2 pu:1" --of xml "$work/m/topology.xml"
expect 2 'one NUMA node' kmaf replay "$work/p.trace" --machine "$work/m"
rm "$work/m/topology.xml"
expect 2 'topology.xml: not there' kmaf replay "$work/p.trace" --machine "$work/m"

finish
