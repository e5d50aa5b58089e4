#!/usr/bin/env bash
# gable compare: published machines, a measured folder beside altered copies of it, the exit status of a nightly job.
source "$(dirname "$0")/expect.sh" "$1"
needs python3 gnuplot
machines=$(realpath "$here/../../machines")

# says TEXT...: the last output has it.
# Names tell the folders apart.
expect 0 '' compare knl-snc4-flat knl-snc4-cache --names flat,cache
says '^  flat +knl-snc4-flat' '^  cache +knl-snc4-cache'
expect 2 "--names: 'a' is given twice" compare knl-snc4-flat knl-snc4-cache --names a,a
expect 2 "--names: 'a' is given twice" compare knl-snc4-flat joe0 knl-snc4-cache --names a,b,a --html "$work/none.html"
[[ ! -e $work/none.html ]] || fail "a page with equal names"
expect 2 '--names: a name is empty' compare knl-snc4-flat knl-snc4-cache --names 'a, '
expect 2 "--names: ' a' has a space at an end" compare knl-snc4-flat knl-snc4-cache --names 'a, a'
expect 2 '--names: 1 for 2 folders' compare knl-snc4-flat knl-snc4-cache --names a
expect 2 '--names: 3 for 2 folders' compare knl-snc4-flat knl-snc4-cache --names a,b,c

# Published machines. A machine beside itself has no difference, and nothing is lost.
expect 0 '' compare joe0 joe0
says 'What changed|show no difference of hardware, system, settings or run' 'matched by cluster and node'
for pair in "knl-snc4-flat knl-snc4-cache" "knl-snc4-cache knl-snc4-flat" "joe0 x7550-4s" "joe0 skylake-2s" "xeon6254-optane joe0"; do
  expect 0 '' compare $pair --json
  cp "$work/out" "$work/compared.json"
  python3 "$here/compare_check.py" "$work/compared.json" $(for name in $pair; do echo "$machines/$name"; done) >"$work/said" ||
    fail "$pair: $(cat "$work/said")"
  expect 0 '' compare $pair --all
done
expect 0 '' compare knl-snc4-flat knl-snc4-cache
says 'node 0 +DRAM' 'behind a cache' '^  cluster 0, DRAM node 0, local: load .*38\.10 GB/s +22\.90 GB/s +-39\.9 % +\? +not judged' \
  'in knl-snc4-flat only: .*another distance' 'in knl-snc4-flat only: knl-snc4-cache has no HBM in cluster 0' \
  'in knl-snc4-cache only: knl-snc4-flat has no memory-side cache' 'knl-snc4-cache has no HBM in cluster 0 or 1'
# The paper does not explain its ±, so no published figure is judged by it.
says 'node 7 +HBM +none' 'DRAM, congested: load .*not judged \[2\]' '^  \[2\] the other figure: behind a memory-side cache; the first figure has no interval' \
  ' 0 judged, 0 significantly different'
# A pair of memories needs both in the other folder, and no cache before them.
expect 0 '' compare knl-snc4-flat knl-snc4-cache --json
python3 - "$work/out" <<'PYTHON' || fail "the reason of a pair with HBM"
import json, sys
lone = json.load(open(sys.argv[1]))["comparisons"][0]["without_counterpart"]
pairs = {figure["reason"] for figure in lone if "HBM 1: loads from the slow memory" in figure["name"]}
assert pairs == {"knl-snc4-cache has no HBM"}, pairs
PYTHON
expect 0 '' compare joe0 skylake-2s
says '12 in skylake-2s only: nodes of other clusters may have another distance than in joe0' \
  '^skylake-2s compared with joe0: no figure has a counterpart\.'
# Other threads are another question, not an unmeasured one, and names tell them apart.
expect 0 '' compare joe0 a64fx-fx700
says '3 in joe0 only: the other folder has it with other threads: 1 thread instead of all cores' 'cluster 0, L1: load, all cores;' \
  '3 in a64fx-fx700 only: the other folder has it with other threads: all cores instead of 1 thread'
expect 0 '' compare joe0 xeon6254-optane --all
says '^  DRAM node 0, local: load, all cores ' '1 in xeon6254-optane only: the other folder has it with other threads: all cores instead of all hardware threads'
expect 0 '' compare joe0 xeon6254-optane --json
python3 - "$work/out" <<'PYTHON' || fail "figures with the same name"
import collections, json, sys
one = json.load(open(sys.argv[1]))["comparisons"][0]
names = collections.Counter(figure["name"] for figure in one["figures"] + one["without_counterpart"])
assert names.most_common(1)[0][1] == 1, names.most_common(3)
PYTHON
# MCDRAM as a cache and as a node are two things.
grep -E 'HBM.*MCDRAM|MCDRAM.*HBM' "$work/out" | grep -q '%.*to' && fail "a cache is compared with a node"
# The page says what the tables say, needs nothing else, and the order of the folders is in its title.
expect 0 '' compare knl-snc4-flat knl-snc4-cache --html "$work/page.html"
says 'page.html'
python3 "$here/report_check.py" "$work/page.html" "$work" compare >"$work/said" || fail "the page: $(cat "$work/said")"
grep -q '<h1>knl-snc4-cache beside knl-snc4-flat</h1>' "$work/page.html" || fail "the page has another title"
for text in '-39.9 %' 'not judged' 'MCDRAM' 'another distance'; do grep -qE -e "$text" "$work/page.html" || fail "the page lacks $text"; done
expect 2 '--html .*: this is a folder' compare joe0 joe0 --html "$work"
expect 1 'no figure of knl-snc4-cache can be judged against knl-snc4-flat: ' compare knl-snc4-flat knl-snc4-cache --fail-above 5%
expect 1 'no figure of joe0 \(2\) can be judged against joe0: ' compare joe0 joe0 --fail-above 5%
expect 0 '' compare joe0 x7550-4s knl-snc4-flat skylake-2s

# A measured folder and copies of it: altered FOLDER PYTHON changes every sample `s` of a copy.
altered() {
  cp -r "$work/base" "$work/$1"
  python3 - "$work/$1/samples.jsonl" "$2" <<'PYTHON'
import json, sys
path, code = sys.argv[1:]
samples = [json.loads(line) for line in open(path)]
def each(s, a, slower):
    exec(code, {"s": s, "a": a, "slower": slower})
for s in samples:
    def slower(factor, s=s): s["seconds"] = [t * factor for t in s["seconds"]]
    each(s, s["asked"], slower)
open(path, "w").write("".join(json.dumps(s) + "\n" for s in samples))
PYTHON
}
python3 "$data/two_clusters.py" "$work/base" && mv "$work/base/samples.jsonl" "$work" || fail two_clusters.py
python3 "$here/compare_runs.py" "$work/samples.jsonl" 1 >"$work/base/samples.jsonl" || fail compare_runs.py
altered same 'pass'
python3 "$here/compare_runs.py" "$work/samples.jsonl" 2 >"$work/same/samples.jsonl" || fail compare_runs.py
expect 0 '' compare "$work/base" "$work/same" --fail-above 5% --json
cp "$work/out" "$work/compared.json"
python3 - "$work/compared.json" <<'PYTHON' || fail "two runs of a machine"
import json, sys
one = json.load(open(sys.argv[1]))["comparisons"][0]
assert one["judged"] > 50 and one["significant"] <= 0.05 * one["judged"], one["significant"]
PYTHON
altered slow 'if a["kind"] == "bandwidth" and a["pattern"] == "local": slower(1.25)'
altered two 'if a["kind"] == "bandwidth" and a["level"] == "L3": slower(1.2)
if a["kind"] == "latency" and a["pattern"] == "remote": slower(2)'
# The largest change is named first, and figures of one name by what they were measured with.
expect 1 '5 %: cluster 0, DRAM node 2, remote: latency \(chase_.*2 MiB pages\) \+100 %; .*remote: latency \(chase_.*4 KiB pages\) \+100 %' compare "$work/base" "$work/two" --fail-above 5%
altered late 'if a["kind"] == "latency" and a["pattern"] == "remote": slower(1.3)'
altered fast 'if a["kind"] == "latency" or a["level"] == "L2": slower(0.5)'
altered spoilt 'if a["level"] == "L1" and a["op"] == "load": s.update(status="invalid", reason="a neighbour kept 1.5 CPUs busy", seconds=[], bytes=[], stopped="")'
sed -i 's/"kernel": *"[^"]*"/"kernel": "9.9.9"/; s/"schema":/"governor": "powersave", "schema":/' "$work/slow/machine.json"
expect 1 'significantly worse by more than 5 %: cluster 0, DRAM node 0, local: load \(load_[^)]*\) -20.0 %' compare "$work/base" "$work/slow" --fail-above 5%
says 'system +kernel .*9\.9\.9' 'settings +frequency governor +\? +powersave' 'local: load .*-20\.0 %.*worse'
grep -E 'L1: load|remote: latency' "$work/out" && fail "what did not change is shown"
expect 0 '' compare "$work/slow" "$work/base" --fail-above 5%
says 'local: load .*\+25\.0 %.*better'
expect 1 'remote: latency \(chase_[^)]*\) \+30.0 %' compare "$work/base" "$work/late" --fail-above 5%
expect 0 '' compare "$work/base" "$work/late" --fail-above 31%
expect 0 '' compare "$work/base" "$work/fast" --fail-above 5%
says 'latency .*-50\.0 %.*better' 'L2: load .*\+100 %.*better'
expect 0 '' compare "$work/base" "$work/spoilt"
says '[0-9]+ in base only: invalid in spoilt: a neighbour kept 1.5 CPUs busy' 'cluster 0, L1: load'
expect 0 '' compare "$work/spoilt" "$work/base"
says '[0-9]+ in base only: invalid in spoilt: a neighbour kept 1.5 CPUs busy'
# P and E cores are not compared with each other.
for kinds in 'P E' 'E P'; do
  name=${kinds/ /}
  altered "$name" 'pass'
  python3 - "$work/$name/machine.json" $kinds <<'PYTHON'
import json, sys
machine = json.load(open(sys.argv[1]))
for cluster, kind in zip(machine["clusters"], sys.argv[2:]):
    cluster["kind"] = kind
json.dump(machine, open(sys.argv[1], "w"))
PYTHON
done
expect 1 'no figure' compare "$work/PE" "$work/EP" --fail-above 5%
says 'cluster 0 of EP has E cores, not P cores' 'clusters +1 cluster of [0-9]+ P cores?.*1 cluster of [0-9]+ E core'
expect 0 '' compare "$work/PE" "$work/PE" --fail-above 5%
# A figure that neither folder has is not listed as one that one of them has.
altered short 'if a["level"] == "L1" and a["kind"] == "bandwidth": s.update(status="skipped", reason="asked for otherwise", seconds=[], bytes=[], stopped=""); a["threads"] = 1'
expect 0 '' compare "$work/base" "$work/short"
grep -qE 'in short only' "$work/out" && fail "a skipped figure is listed: $(cat "$work/out")"
says '[0-9]+ in base only: not measured in the other folder'
expect 1 '-20.0 %' compare "$work/base" "$work/same" "$work/slow" --fail-above 5%
says ' \*' '-20\.0 % \*' 'base +same +change +slow +change'

# A fit changes nothing; without samples the rounds are not known, and the figures are the same.
cp -r "$work/slow" "$work/fitted"
expect 0 '' fit --quiet "$work/fitted"
expect 0 '' compare "$work/base" "$work/fitted" --json
python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["comparisons"][0]["figures"])' "$work/out" >"$work/with"
expect 0 '' compare "$work/base" "$work/slow" --json
python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["comparisons"][0]["figures"])' "$work/out" >"$work/without"
cmp -s "$work/with" "$work/without" || fail "after a fit other differences"
rm "$work/fitted/samples.jsonl"
expect 1 'local: load \(load_[^)]*\) -20.0 %' compare "$work/base" "$work/fitted" --fail-above 5%

# Pictures.
expect 0 '' compare "$work/base" "$work/slow" --output "$work/pictures" --format svg
[ -s "$work/pictures/compare-larm-0.svg" ] && [ -s "$work/pictures/compare-larm-1.svg" ] || fail "no pictures: $(ls "$work/pictures")"
grep -q 'slow' "$work/pictures/compare-larm-0.svg" || fail "the picture does not name the folder"
[ ! -e "$work/base/charts" ] && [ ! -e "$work/base/roofs.json" ] || fail "gable compare wrote into a folder"

# docs/many-machines/comparing.md lists what the JSON has.
expect 0 '' compare zen5 granite-rapids --json
python3 - "$work/out" "$here/../../docs/many-machines/comparing.md" <<'PYTHON' || fail "comparing.md lacks sections or units"
import json, sys
page = open(sys.argv[2]).read()
rows = {name: next(line for line in page.splitlines() if line.startswith(f"| {name} |")) for name in ("`section`", "`name`, `unit`")}
for comparison in json.load(open(sys.argv[1]))["comparisons"]:
    for figure in comparison["figures"] + comparison["without_counterpart"]:
        assert f"`{figure['section']}`" in rows["`section`"], figure["section"]
        assert f"`{figure['unit']}`" in rows["`name`, `unit`"] or not figure["unit"], figure["unit"]
PYTHON

# Wrong calls.
expect 2 'name two' compare joe0
expect 2 'no such folder' compare joe0 "$work/absent"
expect 2 'not a number' compare joe0 joe0 --fail-above much
expect 2 'not a number' compare joe0 joe0 --fail-above -5%
expect 2 'none of svg, png, pdf' compare joe0 joe0 --output "$work/p" --format gif
mkdir "$work/broken"
echo '{' >"$work/broken/machine.json"
expect 2 'machine.json' compare joe0 "$work/broken"

finish
