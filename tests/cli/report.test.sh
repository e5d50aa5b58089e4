#!/usr/bin/env bash
# gable report: one file for every published machine, with every section, whole HTML, nothing from elsewhere, and nothing of
# what files say as markup. The page in a browser: report_browser.test.sh.
source "$(dirname "$0")/expect.sh" "$1"
needs python3
machines=$(realpath "$here/../../machines")

# reported FOLDER [FLAG]: the report of the folder has what report_check.py asks for.
reported() {
  expect 0 '' report "$1" -o "$work/report.html"
  python3 "$here/report_check.py" "$work/report.html" "$1" "${@:2}" >"$work/said" || fail "$1: $(cat "$work/said")"
}

for name in a64fx-fx700 grace-superchip joe0 knl-snc4-cache knl-snc4-flat skylake-2s x7550-4s xeon6254-optane; do reported "$machines/$name" published; done
grep -q 'data-switch' "$work/report.html" || ! command -v gnuplot >/dev/null || fail "no chart has switches"
# Publications do not always say what their intervals are; a reason is given once, for all the charts that it is of.
grep -q '± is the distance to the further end' "$work/report.html" && fail "xeon6254-optane: intervals that are not there are explained"
grep -q '<li>Published: Unmann table' "$work/report.html" || fail "xeon6254-optane: the remarks on tiers are no list"
expect 0 '' report knl-snc4-flat -o "$work/published.html"
grep -q '± is as published\. 1 GB/s' "$work/published.html" || fail "knl-snc4-flat: published intervals are explained as others"
grep -q '>The tiers&#39; bandwidths were not measured with several numbers of threads (tier-threads-0, tier-threads-1)\.<' "$work/published.html" ||
  fail "knl-snc4-flat: the reason stands twice, or without its charts"

python3 "$data/two_clusters.py" "$work/two-clusters" || fail two_clusters.py
reported "$work/two-clusters" measured
two_memories "$work/two-memories"
reported "$work/two-memories"

# The default file, also over an older one; a published machine by its name.
cp -r "$machines/joe0" "$work/mine"
expect 0 '' report "$work/mine"
cp "$work/mine/report.html" "$work/first.html"
expect 0 '' report "$work/mine"
cmp -s "$work/first.html" "$work/mine/report.html" || fail "two reports of one folder differ"
expect 0 '' report joe0 -o "$work/joe0.html"
grep -q '<h1>joe0</h1>' "$work/joe0.html" || fail "the report of joe0 by its name is another one"

# What files say is text.
cp -r "$machines/knl-snc4-flat" "$work/hostile"
python3 "$here/report_check.py" --make-hostile "$work/hostile"
"$gable" point add "$work/hostile" --name '<b>p</b>&"'"'"'`x`</script><script>alert(2)</script>' --flops 1e9 --load-bytes 1e9 --seconds 0.1 \
  --cluster 0 >/dev/null 2>"$work/err" || fail "point add: $(cat "$work/err")"
reported "$work/hostile" hostile

# Programs, with their notes and dates, and with any headroom.
cp -r "$work/two-clusters" "$work/programs"
expect 0 '' fit "$work/programs"
add() { expect 0 '' point add "$work/programs" --cluster 0 --threads 4 "$@"; }
add --name base --flops 2e9 --load-bytes 16e9 --seconds 0.9 --seconds-lo 0.88 --seconds-hi 0.93
add --name moved --from base --flops 2e9 --load-bytes 16e9 --seconds 0.6
add --name waits --flops 2e9 --load-bytes 1e7 --seconds 4000
python3 - "$work/programs/points.json" <<'PYTHON'
import json, sys
text = json.load(open(sys.argv[1]))
text["points"][1].update(notes=["timed beside <others>", "a second note"], started="2026-02-03T04:05:06Z")
json.dump(text, open(sys.argv[1], "w"))
PYTHON
expect 0 '' fit "$work/programs"
reported "$work/programs" measured
grep -q '<br>From base: 0.9 s to 0.6 s, 1.50 times as fast' "$work/report.html" || fail "the gain is missing"
grep -q 'Cluster 0, 4 threads, figures given; 1 run, recorded 2026-02-03 04:05 UTC\.' "$work/report.html" || fail "who ran when is missing"
grep -q 'headroom [0-9]\{5,\} %' "$work/report.html" && fail "a headroom in too many percent"

# The most frequent notes of the visits, and how many others there are.
python3 - "$work/programs/samples.jsonl" <<'PYTHON'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
for i, line in enumerate(lines[:33]):
    line["notes"] = ["the frequent note"] if i < 3 else [f"note number {i}"]
open(sys.argv[1], "w").writelines(json.dumps(line) + "\n" for line in lines)
PYTHON
reported "$work/programs" measured
grep -q '<dt>note of 3 visits</dt><dd>the frequent note</dd>' "$work/report.html" || fail "a note of visits is missing"
grep -q '<dt>other notes</dt><dd>19, all in samples.jsonl</dd>' "$work/report.html" || fail "the other notes are not counted"

# The head is whole however narrow the terminal is.
python3 - "$work/programs/machine.json" <<'PYTHON'
import json, sys
text = json.load(open(sys.argv[1]))
text["cpu_model"] = "A Processor of " + "many words " * 12 + "(TM)"
json.dump(text, open(sys.argv[1], "w"))
PYTHON
reported "$work/programs" measured
grep -q '<header>.*(TM), 2 clusters.* memory nodes; measured 2026-01-01 00:00 UTC</p>' "$work/report.html" || fail "the head is cut"

# Runs and replays of kMAF.
mkdir "$work/mine/kmaf"
cp -r "$machines/x7550-4s" "$work/replayed"
mkdir "$work/replayed/kmaf"
expect 0 '' kmaf generate ring --threads 4 --accesses 20000 -o "$work/ring.trace"
expect 0 '' kmaf replay "$work/ring.trace" --machine "$work/replayed" --runs 2 --json
cp "$work/out" "$work/replayed/kmaf/ring.json"
reported "$work/replayed"
grep -q 'ring replayed on' "$work/report.html" || fail "the replay is not in the report"
echo '{"schema":1}' >"$work/mine/kmaf/other.json"
expect 2 'other.json:1: neither a run nor a replay' report "$work/mine"

# Without gnuplot there are tables, and the report says so.
mkdir "$work/path"
expect 0 '' --version
PATH=$work/path "$gable" report "$machines/joe0" -o "$work/tables.html" >/dev/null || fail "no report without gnuplot"
grep -q 'gnuplot-nox' "$work/tables.html" && grep -q '<details open><summary>Table' "$work/tables.html" ||
  fail "without gnuplot: no tables, or nothing said"
grep -q 'class="picture"' "$work/tables.html" && fail "a picture without gnuplot"

# One memory node and one cluster: nothing is advised that such a machine cannot record, and no file is named that a reader
# of the report does not have.
python3 "$here/plot_fixtures.py" "$work/fixtures"
python3 - "$work/two-clusters/machine.json" "$work/fixtures/small/machine.json" <<'PYTHON'
import json, sys
machine = json.load(open(sys.argv[1]))
machine["clusters"], machine["nodes"] = machine["clusters"][:1], machine["nodes"][:1]
json.dump(machine, open(sys.argv[2], "w"))
PYTHON
reported "$work/fixtures/small"
for sentence in 'There is only one value, which the other charts show\.' 'it takes two memory nodes\.'; do
  grep -q "$sentence</p>" "$work/report.html" || fail "one node: '$sentence' stands with a command, or not at all"
done
grep -q 'Not drawn: 1 skipped or invalid, reasons in the table below\.' "$work/report.html" || fail "one node: reasons"
grep -q '\.tsv' "$work/report.html" && fail "the report names a file that it does not bring"
grep -q '<li>cluster 0 contended load_' "$work/report.html" || fail "a skipped case is not listed"
grep -q '<t[dh][^>]*>load, all nodes, contended<' "$work/report.html" && fail "a skipped roof is among those that were measured"
reported "$work/two-clusters"
grep -q 'it takes two memory nodes\. Command: <code>gable measure' "$work/report.html" || fail "several nodes: no command"

expect 2 'nothing is recorded there' report "$work/path"
expect 2 'joe0: a machine that comes with Gable, where nothing is written; --output FILE' report joe0
expect 2 '--output .*: this is a folder' report joe0 -o "$work"
expect 2 'no such folder' report absent
exit $((failures > 0))
