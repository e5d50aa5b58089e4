#!/usr/bin/env bash
# gable show: the figures of recorded folders equal those in roofs.json, and nothing is written.
# GABLE_REGENERATE=1 rewrites data/show-joe0.txt.
source "$(dirname "$0")/expect.sh" "$1"
needs python3
machines=$(realpath "$here/../../machines")
here_now=$(realpath "$here")

# state FOLDER: its files, their content and times.
state() { (cd "$1" && find . -exec stat -c '%n %s %y' {} + | sort && find . -type f -exec sha256sum {} + | sort); }

# checked FOLDER [ROOFS]: every screen ends well, writes nothing, and shows the figures of roofs.json.
checked() {
  local folder=$1 roofs=${2:-$1/roofs.json} before
  before=$(state "$folder")
  expect 0 '' show "$folder" --all
  cp "$work/out" "$work/all.txt"
  expect 0 '' show "$folder" --all --json
  cp "$work/out" "$work/shown.json"
  expect 0 '' show "$folder" --json
  python3 -m json.tool "$work/out" >/dev/null || fail "$folder: --json prints no JSON"
  expect 0 '' show "$folder"
  cp "$work/out" "$work/screen.txt"
  [ "$(state "$folder")" = "$before" ] || fail "$folder: gable show wrote something"
  [ -f "$roofs" ] || return
  python3 "$here/show_check.py" "$roofs" "$work/shown.json" "$work/screen.txt" >"$work/said" || fail "$folder: figures"
}

for name in a64fx-fx700 grace-superchip joe0 knl-snc4-cache knl-snc4-flat skylake-2s x7550-4s xeon6254-optane; do checked "$machines/$name"; done
checked "$machines/knl-snc4-cache"
grep -q 'Not measured: 3 cases skipped, 0 invalid' "$work/screen.txt" || fail "knl-snc4-cache: skips are not counted"
checked "$machines/grace-superchip"
grep -q 'L3 loads; DRAM loads, local; idle' "$work/screen.txt" || fail "grace-superchip: a memory without a roof is not missed"
checked "$machines/x7550-4s"
grep -q 'No roofs are recorded' "$work/screen.txt" && grep -q 'local memory 160 ns' "$work/screen.txt" ||
  fail "x7550-4s: not what is known of it"
checked "$machines/xeon6254-optane"
grep -q 'STREAM Triad' "$work/all.txt" || fail "xeon6254-optane: --all lacks the benchmarks of the tiers"

# The output for joe0 equals the reviewed one.
(cd "$machines/.." && "$gable" show machines/joe0 --all) >"$work/joe0.txt"
[ -z "${GABLE_REGENERATE:-}" ] || cp "$work/joe0.txt" "$data/show-joe0.txt"
diff "$data/show-joe0.txt" "$work/joe0.txt" || fail "joe0 is shown otherwise; GABLE_REGENERATE=1 writes it anew"

# A name finds the installed machine from any directory; a folder with that name has priority.
mkdir "$work/elsewhere"
cd "$work/elsewhere"
for name in joe0 machines/joe0 joe0/; do
  expect 0 '' show $name
  grep -q 'joe0: Intel Xeon E5-2650L v4' "$work/out" || fail "show $name shows another machine"
done
expect 0 '' export joe0 --csv
expect 0 '' point list joe0
expect 0 '' predict knl-snc4-flat --load-share 1
expect 0 '' kmaf generate private --threads 4 --accesses 20000 -o "$work/p.trace"
expect 0 '' kmaf replay "$work/p.trace" --machine x7550-4s --runs 1
mkdir joe0
expect 2 'joe0: nothing is recorded there; `gable measure joe0`' show joe0
rmdir joe0
expect 2 'the name of the folder is empty' show ''
for wrong in joe joe1 JOE0 machines/jo0; do
  expect 2 "$wrong: no such folder; did you mean .*joe0\?" show $wrong
done
# A name of one letter is in most words.
mkdir e && cp "$machines/joe0/roofs.json" e
expect 2 'nowhere: no such folder; `gable measure' show nowhere
rm -r e
expect 2 'did you mean .*knl-snc4-cache or .*knl-snc4-flat' show knl
expect 2 'did you mean joe0' export joe1 --csv
expect 2 'did you mean joe0' point list joe1
expect 2 'did you mean joe0' predict joe1 --load-share 1
expect 2 'did you mean x7550-4s' kmaf replay "$work/p.trace" --machine x7550
expect 2 'quite-else: no such folder; `gable measure quite-else` makes it' show quite-else
expect 2 'absent/joe0: no such folder' show absent/joe0
expect 2 'DIR' show
[ -z "$(ls -A)" ] || fail "a wrong name made something: $(ls -A)"
cp -r "$machines/joe0" mine
sed -i 's/"joe0"/"my own"/' mine/machine.json
expect 2 'did you mean .*mine' show mime
expect 0 '' show mine
grep -q '^my own: ' "$work/out" || fail "the folder's own machine.json does not name it"
cd "$here_now"

# A measured folder: the same figures before and after a fit, and reasons for missing ones.
python3 "$data/two_clusters.py" "$work/measured" || fail two_clusters.py
"$gable" show "$work/measured" --json --all >"$work/before.json" || fail "a folder without roofs.json"
"$gable" show "$work/measured" >"$work/out"
grep -q 'no roofs.json: these figures were fitted now' "$work/out" || fail "it does not say that it fitted"
[ ! -e "$work/measured/roofs.json" ] || fail "gable show wrote roofs.json"
expect 0 '' fit "$work/measured"
cp "$work/out" "$work/fit.txt"
checked "$work/measured"
python3 - "$work/before.json" "$work/shown.json" <<'PYTHON' || fail "before the fit other figures than after it"
import json, sys
before, after = (json.load(open(path)) for path in sys.argv[1:])
assert before["matrix"] == after["matrix"] and before["lines"] == after["lines"] and before["missing"] == after["missing"]
assert before["roofs"] == after["roofs"]
PYTHON
for pattern in 'Load bandwidth, GB/s' 'Peaks and bandwidths +Idle latency, ns' 'cluster 0 \(nodes 0, 1\)' 'peak FMA DP, GFlop/s' 'L3 loads' \
  'DRAM loads, local, GB/s' 'DRAM random loads, local, M lines/s +[34][0-9]{2}\.' 'Not measured: 6 cases skipped, 1 invalid' '1 invalid: 12 % of the pages' \
  '2 clusters of 4 cores, 4 memory nodes; measured 2026-01-01 00:00 UTC$' 'All tables.*show .*measured --all'; do
  grep -qE "$pattern" "$work/screen.txt" || fail "the screen lacks '$pattern'"
done
head -n -2 "$work/fit.txt" | while IFS= read -r line; do
  grep -qxF -e "$line" "$work/all.txt" || echo "$line"
done >"$work/lost"
[ ! -s "$work/lost" ] || fail "--all lacks what gable fit prints: $(cat "$work/lost")"
touch -d '2000-01-01' "$work/measured/roofs.json"
expect 0 '' show "$work/measured"
grep -q 'samples.jsonl is newer' "$work/out" || fail "figures that are out of date are not told"
touch -d '1 hour ago' "$work/measured/roofs.json" # as a copy may have it: the file is newer, and no Sample is
expect 0 '' show "$work/measured"
! grep -q 'samples.jsonl is newer' "$work/out" || fail "a copied folder is called out of date"
: >"$work/quiet"
"$gable" fit --quiet "$work/measured" >"$work/quiet" 2>&1 || fail "gable fit --quiet"
[ ! -s "$work/quiet" ] || fail "gable fit --quiet prints something"

# Wide intervals and single repetitions.
cp -r "$machines/joe0" "$work/wide"
python3 - "$work/wide/roofs.json" <<'PYTHON'
import json, sys
lines = open(sys.argv[1]).read().split("\n")
def changed(line, **fields):
    roof = json.loads(line.rstrip(","))
    roof.update(fields)
    roof.pop("source", None)
    return json.dumps(roof, separators=(",", ":")) + ("," if line.endswith(",") else "")
lines[2] = changed(lines[2], value=3.0, lo=0.5, hi=9.25, n=5)      # L1
lines[3] = changed(lines[3], n=1)                                  # L2
lines[4] = changed(lines[4], value=154.0, lo=150.0, hi=155.0, n=9) # L3
lines[5] = changed(lines[5], n=4)                                  # local memory: both ends are the value
open(sys.argv[1], "w").write("\n".join(lines))
PYTHON
checked "$work/wide"
for text in '3.00 (0.500 to 9.25)' '309.2 ±?' '154.0 ±2.6 %' '36.10 ±0.0 %'; do
  grep -qF "$text" "$work/screen.txt" || fail "the screen lacks '$text'"
done

# Many clusters: their range, and the number of clusters with a figure.
mkdir "$work/many"
python3 - "$work/many/roofs.json" <<'PYTHON'
import json, sys
def roof(cluster, node, value, kind="bandwidth", level="memory", pattern="local", op="load", precision="", unit="GB/s", n=9):
    return dict(cluster=cluster, kind=kind, level=level, pattern=pattern, node=node, tier="DRAM" if level == "memory" else "",
                op=op, kernel="load_avx2", precision=precision, pages="4k", threads=4, smt=False, bytes=0, load_percent=0,
                value=value, lo=value * 0.98, hi=value * 1.01, unit=unit, n=n, status="ok", reason="")
roofs = [roof(c, n, 100 - 3 * abs(c - n), pattern="local" if c == n else "remote") for c in range(16) for n in range(16)]
roofs += [roof(c, None, 500 + c, level="L1", pattern="cache") for c in range(12)]
roofs += [roof(c, None, 90, "flops", "core", "core", "fma", "dp", "GFlop/s") for c in range(16)]
with open(sys.argv[1], "w") as out:
    out.write('{"schema":1,\n"roofs":[\n' + ",\n".join(map(json.dumps, roofs)) + '\n],\n"ladder":[\n],\n"levels":[\n]}\n')
PYTHON
checked "$work/many"
for text in 'clusters 0 to 15' '500.0 to 511.0 ±2.0 % (12 of 16)' '90.00 ±2.0 %' 'lowest to highest'; do
  grep -qF "$text" "$work/screen.txt" || fail "the screen of many clusters lacks '$text'"
done
# Clusters of several kinds of cores are not put together.
python3 - "$work/measured/machine.json" "$work/many/machine.json" <<'PYTHON'
import json, sys
machine = json.load(open(sys.argv[1]))
first = machine["clusters"][0]
machine["clusters"] = [dict(first, index=i, kind="P" if i < 10 else "E") for i in range(16)]
json.dump(machine, open(sys.argv[2], "w"))
PYTHON
checked "$work/many"
for text in 'P cores, clusters 0 to 9' 'E cores, clusters 10 to 15' '500.0 to 509.0 ±2.0 % ' '510.0 to 511.0 ±2.0 % (2 of 6)'; do
  grep -qF "$text" "$work/screen.txt" || fail "the screen of clusters of two kinds lacks '$text'"
done

# Folders without roofs but with other results.
mkdir "$work/points"
expect 0 '' point add "$work/points" --name ddot --flops 2.1e9 --load-bytes 16.9e9 --seconds 1
checked "$work/points"
grep -q '^ddot (cluster 0' "$work/screen.txt" || fail "a folder with points alone"
two_memories "$work/two-memories"
checked "$work/two-memories"
grep -q 'Two memories at once' "$work/all.txt" || fail "a folder with a hybrid grid"
mkdir "$work/tiers"
python3 "$data/tiers.py" "$work/tiers" >/dev/null || fail "data/tiers.py"
checked "$work/tiers"
grep -qE 'Read Bandwidth|MTEPS' "$work/screen.txt" || fail "a folder with tiers alone: $(cat "$work/screen.txt")"

# Broken, empty and absent.
mkdir "$work/empty"
expect 2 'nothing is recorded there' show "$work/empty"
expect 2 'no such folder' show "$work/absent"
expect 2 'not a folder' show "$here/show.test.sh"
cp -r "$machines/joe0" "$work/broken"
sed -i '5s/"unit":"GB/"unit":"GiB/' "$work/broken/roofs.json"
expect 2 'roofs.json:5: .*"unit"' show "$work/broken"
for wrong in hello '[]' '{"schema":7}' '{"schema":1,"roofs":[{}]}'; do
  echo "$wrong" >"$work/broken/roofs.json"
  expect 2 'roofs.json:1: ' show "$work/broken"
done
expect 2 'samples.jsonl: no samples; `gable show .*joe0` prints' fit "$machines/joe0"

# Another user, who may read only.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  chmod 755 "$work"
  nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  if "${nobody[@]}" test -x "$gable"; then
    before=$(state "$work/measured")
    "${nobody[@]}" "$gable" show "$work/measured" >"$work/out" 2>&1 || fail "a folder that is read only: $(cat "$work/out")"
    "${nobody[@]}" "$gable" fit "$work/measured" >"$work/out" 2>"$work/err"
    [ $? = 1 ] && grep -q 'cannot write .*measured/roofs.json: Permission denied; these figures are not in the folder' "$work/err" ||
      fail "fit without rights: $(cat "$work/err")"
    grep -q '^Cluster 1$' "$work/out" || fail "fit without rights prints no tables"
    [ "$(state "$work/measured")" = "$before" ] || fail "a folder that is read only was changed"
    chmod 700 "$work/points"
    "${nobody[@]}" "$gable" show "$work/points" >"$work/out" 2>"$work/err"
    [ $? = 1 ] && grep -q 'Permission denied' "$work/err" || fail "a folder that cannot be read: $(cat "$work/err")"
  else
    echo "not tried: another user (who cannot run $gable)"
  fi
fi
# In a terminal, sentences are as wide as it.
python3 - "$gable" "$work/points" <<'PYTHON' || fail "lines in a terminal of 60 columns"
import fcntl, os, pty, struct, sys, termios
gable, folder = sys.argv[1:]
def lines(columns, *command):
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execv(gable, [gable, *command])
    text = b""
    try:
        while part := os.read(terminal, 4096):
            text += part
    except OSError:  # how Linux ends it
        pass
    os.waitpid(child, 0)
    return text.decode().splitlines()
def sentences(columns, *command):
    return [line for line in lines(columns, *command) if "  " not in line.strip()]
for command in (["show", "joe0"], ["point", "list", folder]):
    widest = [max(map(len, sentences(columns, *command))) for columns in (60, 200)]
    assert widest[0] <= 60 < widest[1] <= 120, (command, widest)
PYTHON
"$gable" show joe0 >/dev/full 2>"$work/err"
[ $? = 1 ] || fail "a full standard output is not an error"

finish
