#!/usr/bin/env bash
# tests/bench/record_machine.sh: a brief recording is kept with nothing that identifies the host, or the machine was disturbed, which
# it says; beside busy processes nothing is kept. Its parts: what counts as disturbed, and what is kept.
source "$(dirname "$0")/../cli/expect.sh" "$1"
needs gcc make python3
recording=$here/recording
export PYTHONDONTWRITEBYTECODE=1
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"; [ "$failures" = 0 ] || exit 1' EXIT

# The program with a budget, so that a recording takes seconds.
mkdir "$work/build"
cat >"$work/build/gable" <<TEXT
#!/bin/sh
case "\$*" in measure*--list*) exec $gable "\$@" ;; measure*) exec $gable "\$@" --budget 2s ;; esac
exec $gable "\$@"
TEXT
chmod +x "$work/build/gable"
printf '# program and arguments\nnbody 300 400\ntriad 1000 3\n' >"$work/cases"
record() {
  "$here/record_machine.sh" -b "$work/build" -o "$work/measured" -p quick -c "$work/cases" -n 2 "$@" >"$work/out" 2>"$work/err"
}

if record this-one; then
  python3 - "$work/measured/this-one" <<'PYTHON' || fail "see above: $(cat "$work/out" "$work/err")"
import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
programs = json.loads((folder / "programs.json").read_text())
cases = [(line["program"], line["arguments"], line["threads"], line["pages"]) for line in programs["programs"]]
assert cases == [(*case, threads, pages) for case in (("nbody", ["300", "400"]), ("triad", ["1000", "3"]))
                 for threads in (1, 2) for pages in ("4k", "2m")], cases
assert all(line["runs"] == 2 and 0 < line["region_seconds"] <= line["seconds"] for line in programs["programs"])
assert all(line["user_seconds"] >= 0 and line["kernel_seconds"] >= 0 for line in programs["programs"])
assert json.loads((folder / "machine.json").read_text())["name"] == "this-one"
assert "skipped" not in (folder / "roofs.json").read_text()
PYTHON
  grep -q '^| `this-one` | .* | 20..-..-.. | steal .* |$' "$work/out" || fail "no line for the list: $(cat "$work/out")"
  "$gable" show "$work/measured/this-one" >"$work/shown" 2>&1 || fail "show: $(cat "$work/shown")"
elif ! grep -Eq '^disturbed: |two cores are needed' "$work/err" || ! grep -q 'this-one is not kept' "$work/err"; then
  fail "the end of a recording: $(cat "$work/out" "$work/err")"
fi

make -s -C "$here/programs" OUT="$work/programs" "$work/programs/nbody" || fail "nbody does not compile"
gcc -O2 -std=gnu17 -pthread -Wall -Wextra "$recording/crowding.c" -o "$work/crowding" || fail crowding.c

# Two busy processes a CPU: whatever was recorded before stays.
mkdir -p "$work/measured/busy" && touch "$work/measured/busy/earlier"
for _ in $(seq $((2 * $(nproc)))); do (while :; do :; done) & done
record busy && fail "beside busy processes a recording is kept: $(cat "$work/out")"
grep -Eq '^disturbed: |two cores are needed' "$work/err" || fail "it does not say why: $(cat "$work/err")"
[ "$(ls "$work/measured/busy")" = earlier ] || fail "an earlier recording is lost"
mkdir "$work/two" && echo '{"clusters":[{"core_pus":[[0],[0]]}]}' >"$work/two/machine.json" && : >"$work/two/samples.jsonl"
python3 "$recording/times.py" --programs "$work/programs" --cases <(echo nbody 500 300) --machine "$work/two" --prober "$work/crowding" \
  --compiler c --flags f --runs 1 --output "$work/times.json" 2>"$work/err" && fail "times beside busy processes are kept"
grep -q '^disturbed: nbody 500 300: other processes kept .* CPUs busy' "$work/err" || fail "times.py says: $(cat "$work/err")"
[ ! -e "$work/times.json" ] || fail "disturbed times are written"
kill $(jobs -p)

# Probes of cores that do four additions per cycle: a run during which they did fewer in a quarter of the time, and a brief one.
# Probes that were interrupted are above four, and do not agree.
python3 - "$recording" <<'PYTHON' || fail "see above: probes"
import sys
sys.path.insert(0, sys.argv[1])
import times
probes = times.Probes()
lines = lambda adds: [f"{number % 2} {each}" for number, each in enumerate(adds)]
quiet = probes.crowded_percent(lines([3.98, 3.99, 4.0] * 100 + [5.1, 9.7]))
assert quiet == 0, quiet
crowded = probes.crowded_percent(lines([4.0] * 75 + [2.0, 2.9, 3.5, 2.2, 3.1] * 5))
assert crowded == 25, crowded
assert probes.crowded_percent(lines([2.0] * 19)) == 0
PYTHON
# The prober prints probes of both CPUs until its input ends.
sleep 0.1 | "$work/crowding" 0 0 >"$work/probes" || fail "crowding.c: status $?"
[ "$(grep -cE '^0 [0-9]+\.[0-9]{3}$' "$work/probes")" -ge 4 ] || fail "crowding.c prints: $(cat "$work/probes")"

record 'no/name'
[ $? = 2 ] && grep -q "KIND 'no/name'" "$work/err" || fail "a KIND with a slash: $(cat "$work/err")"

# state WHAT: of ten visits, whose fields are those of WHAT.
state() {
  mkdir -p "$work/visits"
  python3 - "$work/visits" "$1" <<'PYTHON'
import json, pathlib, sys
folder, what = pathlib.Path(sys.argv[1]), sys.argv[2]
visit = dict(asked=dict(cluster=0), status="ok", seconds=[1e-3] * 10, crowded=0, adds_per_cycle=3.9, steal_percent=0.0)
visits = [dict(visit) for _ in range(10)]
roofs = {"roofs": [dict(status="ok", reason="")], "ladder": []}
if what == "dropped": visits[0].update(crowded=7, seconds=[1e-3] * 3)
if what == "slow": roofs["roofs"][0]["remarks"] = [dict(code="crowded_visits", arguments=[1, 2])]
if what == "stolen": visits = [dict(visit, steal_percent=6.0) for _ in range(10)]
if what == "lost": roofs["ladder"] = [dict(status="invalid", reason="other processes kept 1.0 CPUs busy")]
if what == "repeated": visits[0]["status"] = "invalid"
if what == "nothing": visits = []
(folder / "samples.jsonl").write_text("".join(json.dumps(one) + "\n" for one in visits))
(folder / "roofs.json").write_text(json.dumps(roofs))
PYTHON
  python3 "$recording/state.py" "$work/visits" >"$work/out" 2>&1
}
state quiet || fail "quiet: $(cat "$work/out")"
state repeated && grep -q '1 of 10 visits invalid' "$work/out" || fail "a visit that was repeated: $(cat "$work/out")"
state dropped && grep -q 'crowded 7.0 %' "$work/out" || fail "repetitions that were left out: $(cat "$work/out")"
while read -r what pattern; do
  state "$what" && fail "$what is not noticed"
  grep -q "^disturbed: .*$pattern" "$work/out" || fail "$what: $(cat "$work/out")"
done <<'TEXT'
slow other hardware threads used the cores .* 100 % of the figures
stolen the hypervisor took 6 %
lost 1 figures have no valid visit: other processes
nothing nothing was measured
TEXT

# Kept: neither the host's names nor its devices; the figures keep their order.
mkdir "$work/host"
cat >"$work/host/machine.json" <<'TEXT'
{"schema": 1,
 "name": "db07.example.org",
 "cpu_model": "X",
 "clusters": [
 ],
 "kernel": "6.1.2-99-customer"}
TEXT
"$gable" machine --synthetic 'pack:1 [numa] l2:1 core:2 pu:1' --json >/dev/null || fail "a synthetic machine"
cat >"$work/host/topology.xml" <<'TEXT'
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0x1" complete_cpuset="0x1" allowed_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1">
    <info name="DMIBoardSerial" value="S3CR3T"/>
    <info name="HostName" value="db07.example.org"/>
    <info name="LinuxCgroup" value="/customer"/>
    <object type="NUMANode" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="2" local_memory="1073741824"/>
    <object type="Core" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="3">
      <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="4"/>
    </object>
    <object type="Bridge" gp_index="5" bridge_type="0-1" depth="0" bridge_pci="0000:[00-00]">
      <object type="OSDev" gp_index="6" name="eth0" osdev_type="2"><info name="Address" value="52:54:00:12:34:56"/></object>
    </object>
  </object>
</topology>
TEXT
echo '{"roofs":[{"value":442.4970240501026,"lo":442.00000000001,"all":[0.0,4000.0],"hi":1.23456789012e-07,"n":39,"bytes":134217728}]}' >"$work/host/roofs.json"
for status in ok invalid; do  # of visits with a hundred repetitions
  python3 -c 'import json, sys; print(json.dumps({"status": sys.argv[1], "seconds": [0.5] * 100, "work": list(range(100))}))' $status
done >"$work/host/c2c.jsonl"
python3 "$recording/kept.py" "$work/host" "$work/kept" zen9 || fail kept.py
[ "$(cat "$work/kept/c2c.jsonl")" = '{"status":"ok","seconds":[0.5,0.5,0.5,0.5,0.5],"work":[0,20,40,60,80]}' ] ||
  fail "hand-offs: $(cat "$work/kept/c2c.jsonl")"
grep -rE 'db07|example|S3CR3T|customer|eth0|52:54' "$work/kept" && fail "the host is identified"
[ "$(cat "$work/kept/roofs.json")" = '{"roofs":[{"value":442.5,"lo":442,"all":[0,4000],"hi":1.2346e-07,"n":39,"bytes":134217728}]}' ] ||
  fail "rounded: $(cat "$work/kept/roofs.json")"
grep -q '"kernel": "6.1.2"}' "$work/kept/machine.json" || fail "the kernel: $(cat "$work/kept/machine.json")"
"$gable" machine --xml "$work/kept/topology.xml" --json >"$work/shown" || fail "the topology that is kept cannot be read"
grep -q '"name": "zen9"' "$work/shown" || fail "its name: $(cat "$work/shown")"
finish
