#!/usr/bin/env bash
# gable measure --only virt, gable virt, and virtualization in compare and report.
source "$(dirname "$0")/expect.sh" "$1"
needs python3

cd "$work" || exit 1

# What is measured, without measuring; kinds; bad words.
expect 0 '' measure m --only virt --dry-run
says '^Virtualization: [0-9]+ cells, [0-9]+ visits, about' '^walk ' '^noise ' '^program '
expect 0 '' measure m --only virt --only L1 --dry-run
says '^Plan of preset standard' '^Virtualization: [0-9]+ cells, [0-9]+ visits, about' '^Together: about [0-9]+:[0-9]+$'
seconds() { sed -n "s/^$1.*about \([0-9]*\):\([0-9]*\)\$/\1 \2/p" out | awk '{ print 60 * $1 + $2 }'; }
off=$(($(seconds Together) - $(seconds Plan) - $(seconds Virtualization)))
[ "$off" -ge -1 ] && [ "$off" -le 1 ] || fail "the sum of both plans is wrong by $off s: $(cat out)"
expect 0 '' measure m --only virt,noise --dry-run --preset quick
says '^noise '
grep -q '^walk ' out && fail 'virt,noise has walks'
expect 2 "'nose' is none of the kinds of virt.*did you mean 'noise'" measure m --only virt,nose

# A small measurement resumes.
expect 0 '' measure m --only virt,noise,map,environment --preset quick --quiet
says 'Virtualization: [0-9]+ visits measured'
lines=$(wc -l <m/virt.jsonl)
expect 0 '' measure m --only virt,noise,map,environment --preset quick --quiet
says 'Virtualization: 0 visits measured'
[ "$(wc -l <m/virt.jsonl)" = "$lines" ] || fail 'what is there was measured again'
expect 0 '' measure m --only virt,noise,map,environment --preset quick --dry-run
grep -q 'came in transparent huge pages' m/virt.jsonl || says '^m has all of it$'  # else these are tried again
expect 0 '' virt show m
says '^Environment' 'hypervisor' 'paging' '^Cost of mapping' 'context switch' '^Noise' 'lost \(%\)'

# Other processes are told before the first visit, in the visits, and wherever their figures are shown.
burners=()
for i in $(seq $(($(nproc) / 20 + 2))); do
  (while :; do :; done) &
  burners+=($!)
done
expect 0 'this machine is busy; other processes use .* CPUs: ' measure busy --only virt,noise --preset quick --quiet
kill "${burners[@]}"
wait "${burners[@]}" 2>wait.err
says 'Virtualization: [0-9]+ visits measured, [0-9]+ of them while other processes kept CPUs busy'
grep -q '"status":"ok".*"code":"others_busy"' busy/virt.jsonl || fail "no note: $(cut -c1-400 busy/virt.jsonl)"
expect 0 '' virt show busy
alike='[0-9]+ of [0-9]+ visits: other processes kept [0-9.]+( to [0-9.]+)? CPUs busy; measure again on an idle machine'
says "$alike"
expect 0 '' virt scale busy --nodes 2 --steps 10
says "$alike"
expect 0 '' virt scale busy --nodes 2 --steps 10 --json
python3 -c 'import json, sys; assert ["other processes kept" in note for note in json.load(open("out"))["notes"]].count(True) == 1' || fail "JSON: $(cat out)"
expect 0 '' report busy -o busy.html
grep -q 'visits: other processes kept' busy.html || fail 'the report does not tell of other processes'
expect 0 '' compare busy busy
says 'visits: other processes kept'

# Synthetic folders: a native machine, a guest with nested paging, one with shadow paging.
python3 - "$work" <<'PYTHON' || fail 'synthetic folders'
import json, math, os, random, shutil, sys
work = sys.argv[1]
def folder(name, hypervisor, walk, mapping, share, gups):
    os.makedirs(f"{work}/{name}")
    for file in ("machine.json", "topology.xml"):
        shutil.copy(f"{work}/m/{file}", f"{work}/{name}")
    rng = random.Random(name)
    out = open(f"{work}/{name}/virt.jsonl", "w")
    def line(kind, what, pages, bytes, round, seconds, work_, cpu=None, **more):
        out.write(json.dumps({"schema": 1, "asked": {"kind": kind, "what": what, "pages": pages, "cpu": cpu, "bytes": bytes},
            "round": round, "facts": {}, "status": "ok", "reason": "", "seconds": seconds, "work": work_, "disturbed": 0,
            "steal_percent": 0, "verified": "", "notes": [], "started": "2026-01-01T00:00:00Z"} | more) + "\n")
    out.write(json.dumps({"schema": 1, "asked": {"kind": "environment", "what": "system", "pages": "", "cpu": None, "bytes": 0},
        "round": 0, "facts": {"hypervisor": hypervisor, "balloon": "none"}, "notes": [], "started": "2026-01-01T00:00:00Z"}) + "\n")
    def noisy(ns):
        return ns * 1e-9 * (1 + 0.01 * rng.gauss(0, 1))
    for round in range(6):
        for half in range(36, 60):
            bytes = 4096 * (2 ** (half // 2 - 12) if half % 2 == 0 else 3 * 2 ** (half // 2 - 13))
            data = 5 + 60 / (1 + (2 ** 27 / bytes) ** 2)
            costs = {"4k": 3 * max(0, 1 - 2 ** 19 / bytes) + walk * max(0, 1 - 2 ** 23 / bytes), "thp": 0}
            for pages, cost in costs.items():
                line("walk", "latency", pages, bytes, round, [noisy(data + cost) * 1e4] * 6, [1e4] * 6)
                line("walk", "packed", pages, bytes, round, [noisy(data) * 1e4] * 6, [1e4] * 6)
                line("walk", "bandwidth", pages, bytes, round, [noisy((data + cost) / 8) * 1e4] * 6, [1e4] * 6)
        for what, us in (("first touch", 0.5), ("mprotect", 1.2), ("fork", 300), ("context switch", 1.4), ("mmap and munmap", 2)):
            has = what in ("first touch", "mprotect", "fork")
            line("map", what, "4k" if has else "", 8 << 20 if has else 0, round, [noisy(us * mapping * 1000) * 100] * 5, [100] * 5)
        for program, rate in (("gups", 0.05 * gups), ("triad", 12), ("dgemm", 50), ("cg", 2)):
            line("program", program, "4k" if program in ("gups", "triad") else "", 1 << 28, round, [1 + 0.01 * rng.random()] * 3, [rate * 1e9] * 3)
        begins, at = [], 100.0
        while at < 0.995e6:
            begins.append(at)
            at += 4000
        line("noise", "detours", "", 0, round, [1.0], [1e7], cpu=0, threshold_us=0.2, pass_ns=20, interrupts={"LOC Local timer interrupts": 250},
             begin_us=begins, length_us=[share * 40] * len(begins))
folder("native", "none seen", 20, 1, 0.022, 1)
folder("nested", "kvm", 60, 1.2, 0.22, 0.6)
folder("shadow", "kvm", 20, 9, 0.22, 0.95)
PYTHON
expect 0 '' virt show nested --native native
says 'nested paging, 9[0-9] % sure' 'host pages +2 MiB or more' '4 KiB +2 .* 8(\.[0-9]+)? MiB|4 KiB +[12] ' 'every 4 ms \(tick\)'
expect 0 '' virt show shadow --native native
says 'shadow paging, 9[0-9] % sure'
expect 0 '' compare native nested shadow --names bare,ept,vtlb
says '^Environments' 'paging +native +nested paging.*shadow paging' '^Overheads beside bare' 'GUPS.*\+6[0-9]\.[0-9] % .*\*' \
  '^Run times' '^Noise, mean of the CPUs' 'ept +1 +0\.2'
expect 2 '--names: 2 for 3 folders' compare native nested shadow --names a,b
expect 0 '' compare native native
grep -qE '\+[1-9][0-9.]* % .*\*' out && fail 'a folder differs from itself'

# Predictions, and what is missing.
expect 0 '' virt advise native nested --tlb-misses 2e6 --maps 1e4 --switches 100
says '4 KiB +4 KiB +24 ' '4 KiB +2 MiB +19 ' '2 MiB +2 MiB +15 ' 'Predictions beside the guest' 'GUPS' '(nested|shadow) ' \
  'Shadow paging: 0.45 µs per exit, 2 exits per entry. Both are assumed by Gable.'
grep -q 'as in the Palacios paper' out && fail "what Gable assumes is said to be the paper's"
expect 0 '' virt advise native --tlb-misses 2e6 --exit-us 1
says '1 µs per exit \(--exit-us\), 2 exits per entry. The exits per entry are assumed by Gable.' \
  ' % .*not known +not known +not known' 'give both --maps and --switches' ' switches not known'
grep -qE ' (shadow|nested) +[0-9]' out && fail 'one is better, though maps and switches are not known'
expect 0 '' virt advise native --maps 1e4 --switches 0
says 'ns +not known +not known +not known +[0-9.e+]+ walks/s' 'give --tlb-misses' ' 0 switches with'
expect 2 'virt advise: describe the workload' virt advise native
expect 2 'nested: was recorded in a guest \(hypervisor kvm\)' virt advise nested --tlb-misses 2e6
expect 2 'nested: was recorded in a guest' virt show shadow --native nested
expect 2 'has no cells of walk.*--only virt,walk' virt advise m --maps 1
printf '%s\n' 'tid,op,address,bytes' >t.csv
expect 2 'native run time by --seconds' virt advise native --trace t.csv
# A real program under Valgrind: it visits random pages of N, most of which a TLB of the synthetic reach (8 MiB) lacks.
if [ -x "$(dirname "$gable")/libexec/gable/valgrind/launch" ] && command -v cc >/dev/null; then
  cat >wander.c <<'C'
#include <stdlib.h>
int main(int count, char** words) {
  size_t pages = strtoul(words[1], 0, 0);
  volatile char* memory = aligned_alloc(1 << 21, pages << 12);
  unsigned long x = count;
  for (int i = 0; i < 200000; ++i) {
    x = x * 6364136223846793005ul + 1442695040888963407ul;
    memory[(x >> 33) % pages << 12] = 1;
  }
  return 0;
}
C
  cc -O1 wander.c -o wander || fail 'wander.c'
  for pages in 512 20480; do
    expect 0 '' kmaf trace -o $pages.trace -- ./wander $pages
    expect 0 '' virt advise native --trace $pages.trace --seconds 1
    says "[0-9]+ accesses of $pages.trace; a TLB of [0-9]+ entries" 'give both --maps and --switches'
    sed -n 's/.*second: \([^ ]*\) walks with 4 KiB pages, \([^ ]*\) with 2 MiB.*/\1 \2/p' out >$pages.walks
  done
  # 2 MiB in reach: a walk to each page; 80 MiB: nine of ten accesses walk; with huge pages both are in reach.
  awk 'FILENAME ~ /^512/ { few = $1 } FILENAME ~ /^20480/ { many = $1; huge = $2 }
       END { exit !(few >= 512 && few < 2000 && many > 160000 && many < 201000 && huge < 300) }' 512.walks 20480.walks ||
    fail "walks of the traces: $(cat 512.walks 20480.walks)"
fi
mkdir empty && cp m/machine.json empty
expect 2 'no figures of virtualization are recorded.*--only virt' virt show empty
expect 0 '' compare native empty
says 'empty has no figures of virtualization: .gable measure .*empty --only virt'
sed 's/"schema": 1/"schema": 7/' native/virt.jsonl >empty/virt.jsonl
expect 2 'virt.jsonl:1:.*"schema" is 7.*written by another version' virt show empty
expect 2 'name a folder with recorded noise, or give the noise by --share' virt scale
expect 2 'give a time such as' virt scale native --compute 10x

# Scale: noise of a fixed period, whose closed form says 1 + share * period / compute on very many nodes.
expect 0 '' virt scale --share 0.22 --period 4ms --compute 1ms --latency 0 --overhead 0 --json
python3 - out <<'PYTHON' || fail 'scale: 0.22 %'
import json, sys
points = json.load(open(sys.argv[1]))["points"]
assert points[-1]["nodes"] == 100000 and len(points) == 18
last = points[-1]["slowdown"]
assert abs(last - 1.0088) < 0.001, last
assert all(a["slowdown"] <= b["slowdown"] + 0.002 for a, b in zip(points, points[1:]))
PYTHON
# Times are told with their units, also those that were given without.
expect 0 '' virt scale --share 22 --period 4 --compute 0.5 --latency 2e-6 --nodes 2 --steps 10
says 'Noise: 22 % of the time, every 4 s\.' '10 steps of 500 ms, .* messages: latency 2 µs, CPU time 1 µs'
expect 0 '' virt scale --share 22% --period 4 --nodes 2 --steps 10
says 'Noise: 22 % of the time'
expect 2 'share' virt scale --share 99%
expect 0 '' virt scale --share 22 --period 0.25ms --random --nodes 2 --steps 10
says 'at random every 250 µs on average'
expect 0 '' virt scale nested --nodes 1000 --steps 200
says '^Slowdown by noise' ' 1000 +' 'every|recorded in nested'
if command -v gnuplot >/dev/null; then
  expect 0 '' virt scale nested --nodes 1000 --steps 100 --output pictures --format svg
  [ -s pictures/virt-scale.svg ] || fail 'no picture'
  expect 0 '' compare native nested --output pictures --format svg
  for chart in virt-walks virt-noise virt-programs; do [ -s "pictures/$chart.svg" ] || fail "no $chart"; done
  # The chart and the table have one interval of each ratio, and none of a single visit.
  mkdir single
  cp nested/machine.json nested/topology.xml single
  python3 -c 'import json,sys
for line in open("nested/virt.jsonl"):
    if json.loads(line)["round"] == 0: sys.stdout.write(line)' >single/virt.jsonl
  expect 0 '' compare native nested single --output ratios --format svg --json
  python3 - out ratios/virt-programs.tsv <<'PYTHON' || fail 'intervals of ratios'
import csv, json, sys
of_nested, of_single = json.load(open(sys.argv[1]))["comparisons"]
rows = [row for row in csv.DictReader(open(sys.argv[2]), delimiter="\t") if row["environment"] != "native"]
for row in rows:
    one, = [f for f in (of_nested if row["environment"] == "nested" else of_single)["figures"] if f["name"].endswith(": " + row["program"])]
    assert (row["environment"] == "single") == bool(one.get("not_judged")) == (row["lo"] in ("", "NaN", "nan")), (row, one)
    if row["environment"] == "nested":
        for end in ("lo", "hi"): assert abs(float(row[end]) - 100 - one[f"change_{end}_percent"]) < 0.01 * float(row[end]), (row, one)
assert len(rows) == 8, rows
PYTHON
  expect 0 '' plot nested --output narrow --size column --format svg
  says '^caption of virt-walks: .*\. Random accesses to' '^caption of virt-noise: .*\. Mean over the CPUs\.'
  grep -E '^caption of .*(\. *$|\. [a-z])' out | grep -vE '[^ ]\.$' && fail 'a caption that is no sentence'
  expect 0 '' plot nested --output nested-charts --format svg
  [ -s nested-charts/virt-walks.svg ] && [ -s nested-charts/virt-noise.svg ] || fail "gable plot: $(ls nested-charts)"
  expect 0 '' plot busy --output busy-charts --format svg
  for chart in virt-noise virt-scale; do
    tr -d '\n' <"busy-charts/$chart.svg" | grep -q 'other.*processes.*kept' || fail "$chart does not tell of other processes"
  done
  grep -q 'by their length, ' busy-charts/virt-noise.svg || fail 'a chart does not name its machine'
  expect 0 '' report nested -o nested.html
  grep -q 'Cost of mapping' nested.html || fail 'the report has no section'
fi
rm empty/virt.jsonl
expect 0 '' report empty -o empty.html
finish
