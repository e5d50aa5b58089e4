#!/bin/bash
# gable measure: plans, wrong usage, resuming after any kind of end, and folders it must not touch.
source "$(dirname "$0")/expect.sh" "$1"
cd "$work" || exit 1

# measures STATUS PATTERN ARGUMENT...: the exit status of gable measure, and a pattern in stderr.
measures() { expect "$1" "$2" measure "${@:3}"; }

recorded() { within 200 test -s "$1/samples.jsonl" || fail "$1: no sample"; }  # FOLDER

check() { python3 "$here/samples.py" "$@" || fail "samples.py $*"; }
cells=(--preset quick --quiet --only L1,op=load --only flops)

# Plans.
eight='pack:8 [numa(memory=64GB)] l3:1(size=32MB) l2:4(size=1MB) l1d:1(size=32KB) core:1 pu:1'
measures 0 '' --dry-run --synthetic "$eight"
for line in 'Plan of preset standard: [0-9]+ cells, [0-9]+ visits, about [0-9:]+' 'memory local ' 'memory remote' \
  'memory contended' 'memory congested' 'memory local_all' 'working-set ladder' 'loaded latency' 'floating-point'; do
  grep -qE "$line" out || fail "the plan of eight nodes lacks '$line'"
done
grep -qE '^Of this, [0-9]+ % for touching' out || fail "the plan does not say how much of it is set-up"
left=$(sed -n 's/^\([0-9]*\) cells of like clusters.* left out, .*/\1/p' out)
[ "${left:-0}" -gt 100 ] || fail "the plan of eight nodes leaves nothing out: $(head -3 out)"
few=$(sed -n 's/^Plan of .* cells, \([0-9]*\) visits.*/\1/p' out)
measures 0 '' --dry-run --exhaustive --synthetic "$eight"
grep -q 'left out' out && fail "--exhaustive leaves cells out"
[ "$(sed -n 's/^Plan of .* cells, \([0-9]*\) visits.*/\1/p' out)" -gt $((2 * few)) ] || fail "--exhaustive is not exhaustive"
measures 0 '' nowhere --dry-run --preset quick
[ -e nowhere ] && fail "--dry-run makes a folder"

# Kernels and cells by name, with the values that --only takes.
measures 0 '' --list --preset quick
for line in '^  kernel +op +ISA' '^  load_[a-z0-9]+ +load ' '^  kind +level +pattern +tier +cells' '^  bandwidth +L1 +cache .*load'; do
  grep -qE "$line" out || fail "--list lacks '$line': $(cat out)"
done
awk 'length > 120' out | grep -q . && fail "--list is wider than 120 columns"
measures 0 '' nowhere --list --json --preset quick --synthetic "$eight"
cp out cells.json
measures 0 '' --dry-run --preset quick --synthetic "$eight"
python3 - cells.json out <<'PYTHON' || fail "--list --json is not the plan"
import json, re, sys
listed, plan = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
cells = [c for c in listed["cells"] if not c["skip"] and not c["reserve"]]
count = int(re.search(r": (\d+) cells", plan).group(1))
assert len(cells) == count, (len(cells), count)
assert all(c["open_visits"] == c["visits"] > 0 for c in cells)
assert all(c["visits"] == 0 and (c["skip"] or c["reserve"]) for c in listed["cells"] if c not in cells)
assert {c["kernel"] for c in cells} == {k["kernel"] for k in listed["kernels"]}
assert sum(k["cells"] for k in listed["kernels"]) == count
PYTHON
[ -e nowhere ] && fail "--list makes a folder"
measures 2 'json' m --json

# Wrong usage: the option is named.
measures 2 '--preset: .nonsense. is none of quick, standard, full' m --preset nonsense
for budget in abc 0 -3s 10x nan '5 s'; do measures 2 'budget' m "--budget=$budget"; done
measures 2 '--only nosuch=1: .*pattern' m --only nosuch=1
measures 2 '--only' m --only L7
measures 2 '--only' m --only ''
measures 2 '--only' m --only ,
measures 2 '--isa: .mmx. is none of sse2' m --isa mmx
measures 2 '--pages: .3k. is none of 4k' m --pages 3k
measures 2 '--threads' m --threads 0
measures 2 '--memory-set: .*cluster 0; give 62 MiB' m --dry-run --synthetic "$eight" --memory-set 10M
measures 2 '--memory-set' m --memory-set 10X
measures 2 '--memory-set: 0 is too little' m --memory-set 0
measures 2 'DIR'
measures 2 '--dry-run' m --synthetic "$eight"
measures 2 '--dry-run' m --xml nosuch.xml
measures 2 'nosuch.xml' --dry-run --xml nosuch.xml
measures 2 '--nosuch' m --nosuch
HWLOC_SYNTHETIC='node:2 core:2 pu:1' measures 2 'HWLOC_' m
[ -e m ] && fail "wrong usage makes a folder"

# Measured once, and not again.
measures 0 '' deep/er/m "${cells[@]}"
check deep/er/m/samples.jsonl --complete
grep -q 'gable fit' out || fail "it does not say what is next"
python3 -c 'import json; json.load(open("deep/er/m/machine.json"))' || fail "machine.json is not JSON"
[ -s deep/er/m/topology.xml ] || fail "no topology.xml"
before=$(wc -l <deep/er/m/samples.jsonl)
invalid=$(grep -c '"status":"invalid"' deep/er/m/samples.jsonl)
measures 0 '' deep/er/m "${cells[@]}"
check deep/er/m/samples.jsonl --complete
# Invalid visits are made again. A variant that was left out as clearly slower gets its later rounds if it no longer looks so.
added=$(tail -n "+$((before + 1))" deep/er/m/samples.jsonl)
[ "$(grep -cE '"round":[01],' <<<"$added")" -le "$invalid" ] || fail "measured twice"

# The dry run shows that nothing or a part is left to do, and does not change the folder.
sums=$(cat deep/er/m/* | md5sum)
measures 0 '' deep/er/m "${cells[@]}" --dry-run
if [ "$invalid" = 0 ] && [ -z "$added" ] && ! grep -q 'has 2 MiB pages: ' deep/er/m/samples.jsonl; then grep -q 'deep/er/m is complete: nothing would be measured' out || fail "a finished folder's plan: $(cat out)"; fi
measures 0 '' deep/er/m --preset quick --quiet --only L1,op=load --only flops --only L2,op=load --dry-run
grep -q 'deep/er/m has part of it; left: ' out || fail "a folder's plan does not say what is left: $(cat out)"
measures 0 '' "new folder" "${cells[@]}" --dry-run
visits=$(sed -n 's/^Plan of .* cells, \([0-9]*\) visits.*/\1/p' out)
measures 0 '' "new folder" "${cells[@]}" --dry-run --budget 0.1s
some=$(sed -n 's/^The budget of 0.1 s is enough for: .*, \([0-9]*\) visits\?, .*/\1/p' out)
[ "${some:-$visits}" -lt "$visits" ] || fail "a plan of 0.1 s is not shorter: $(cat out)"
[ "$(awk '$3 ~ /^[0-9]+:/ || $4 ~ /^[0-9]+:/ || $5 ~ /^[0-9]+:/ { sum += $(NF - 1) } END { print sum }' <(sed 1,2d out))" = "$some" ] ||
  fail "the rows of 0.1 s do not add up to $some visits: $(cat out)"
measures 0 '' deep/er/m --dry-run --preset quick --synthetic "$eight"
grep -qE 'deep/er/m (has|is complete)' out && fail "another machine's plan counts what this one has: $(head -3 out)"
measures 0 '' deep/er/m "${cells[@]}" --dry-run --xml deep/er/m/topology.xml
grep -qE 'deep/er/m (has|is complete)' out || fail "the recorded machine's own topology is another machine: $(head -3 out)"
[ ! -e "new folder" ] && [ "$sums" = "$(cat deep/er/m/* | md5sum)" ] || fail "--dry-run changes a folder"

# Killed at any moment, it can be continued.
for delay in 0.1 0.2 0.35 0.5; do
  "$gable" measure killed "${cells[@]}" >out 2>err &
  sleep $delay
  kill -KILL $! 2>kill.err
  wait $! 2>wait.err
done
[ -e killed/samples.jsonl ] && check killed/samples.jsonl
measures 0 '' killed "${cells[@]}"
check killed/samples.jsonl --complete

# A last line that is cut off is set aside, and its visit is made again.
cp -r killed torn
last=$(tail -n 1 torn/samples.jsonl)
truncate -s -9 torn/samples.jsonl
measures 0 'torn/samples.jsonl: the last line was cut off and is now in torn/samples.jsonl.torn' torn "${cells[@]}"
[ "$(cat torn/samples.jsonl.torn)" = "${last:0:-8}" ] || fail "what was cut off is not in samples.jsonl.torn"
check torn/samples.jsonl --complete

# Ctrl-C: measurements are kept, and it says how to continue.
for signal in INT TERM; do
  # A background job of a script ignores SIGINT unless told otherwise.
  env --default-signal=INT "$gable" measure "stopped$signal" --preset full --quiet --only L1 >out 2>err &
  recorded "stopped$signal"
  kill -$signal $!
  wait $!
  got=$?
  [ $got = $((128 + $(kill -l $signal))) ] || fail "SIG$signal: exit $got"
  grep -q interrupted err || fail "SIG$signal: stderr says $(cat err)"
  grep -q '` continues' out || fail "SIG$signal: it does not say how to continue: $(cat out)"
  check "stopped$signal/samples.jsonl"
  grep -q interrupted "stopped$signal/samples.jsonl" && fail "SIG$signal: an interrupted sample was kept"
done

# Two at once in one folder: the second one is refused.
"$gable" measure twice --preset full --quiet --only L1 >out1 2>err1 &
first=$!
recorded twice
measures 1 'twice: another' twice "${cells[@]}"
kill -TERM $first
wait $first
check twice/samples.jsonl

# A budget: the remaining cells are reported.
measures 0 '' budget --preset quick --quiet --only L1 --only L2 --budget 0.2s
check budget/samples.jsonl
grep -q 'budget is used up: `gable measure budget --preset quick --budget 0.2s --only L1 --only L2 --quiet` continues' out ||
  fail "it does not say that the budget is used up and how to continue: $(cat out)"
measures 0 '' "it's spent" --preset quick --quiet --only L1,op=load --budget 0.01s
hint=$(sed -n 's/.*`gable \(measure .*\)` continues.*/\1/p' out)
(eval "\"$gable\" $hint --dry-run") >out 2>err && grep -q '^Plan of preset quick' out || fail "what it says to call is no call: $hint: $(cat err)"
grep -q '"status":"skipped".*budget' budget/samples.jsonl || fail "no cell is skipped for the budget"
measures 0 '' budget --preset quick --quiet --only L1,op=load

# The first figures are of memory and L1, however short the budget; a busy machine is told before the first visit.
( while :; do :; done ) &
burner=$!
measures 0 '' first --preset quick --quiet --budget 3s --pages 4k
kill $burner
wait $burner 2>wait.err
python3 - first/samples.jsonl <<'PYTHON' || fail "the first samples are not of memory and L1"
import json, sys
first = [json.loads(line)["asked"] for line in open(sys.argv[1])][:3]
seen = {(a["kind"], a["level"], a["pattern"]) for a in first}
wanted = {("bandwidth", "L1", "cache"), ("bandwidth", "memory", "local"), ("latency", "memory", "local")}
assert seen == wanted, seen
PYTHON
[ "$(nproc)" -gt 20 ] || grep -q 'this machine is busy; other processes use .* CPUs: ' err || fail "a busy machine is not told: $(cat err)"

# A forced ISA is in every kernel's name.
measures 0 '' isa "${cells[@]}" --isa sse2
python3 - isa/samples.jsonl <<'PYTHON' || fail "--isa sse2 measured something else"
import json, sys
for line in open(sys.argv[1]):
    sample = json.loads(line)
    assert sample["asked"]["kernel"].endswith(("_sse2", "_x86")), sample["asked"]["kernel"]
    assert sample["status"] != "ok" or sample["asked"]["op"] != "fma", "SSE2 has no FMA"
PYTHON

# Folders that must not be touched.
untouched() {
  local folder=$1 pattern=$2 before
  before=$(cat "$folder"/* | md5sum)
  measures 2 "$pattern" "$folder" "${cells[@]}"
  [ "$before" = "$(cat "$folder"/* | md5sum)" ] || fail "$folder was touched"
}
copy() { rm -rf copy && cp -r deep/er/m copy; }
copy && python3 - <<'PYTHON'
import json
machine = json.load(open("copy/machine.json"))
machine["cpu_model"] = "Another CPU"
json.dump(machine, open("copy/machine.json", "w"))
PYTHON
untouched copy 'copy: was measured on another machine'
for text in '{"schema":1' '[]' 'null' '{}' '{"clusters":3,"nodes":7}' '{"nodes":[1,2]}'; do
  copy && echo "$text" >copy/machine.json
  untouched copy 'copy(/machine.json|:)'
done
copy && sed -i '2s/"round":/"rond":/' copy/samples.jsonl
untouched copy 'copy/samples.jsonl:2: '
copy && rm copy/machine.json
untouched copy 'samples.jsonl without machine.json'
echo text >file
measures 2 'file' file "${cells[@]}"
measures 2 'file/m' file/m "${cells[@]}"

finish
