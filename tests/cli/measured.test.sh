#!/usr/bin/env bash
# Machines in machines/measured: commands read them and find them by name, every figure has an interval, the times of the programs are
# complete, nothing identifies the host, and machines/README.md lists them. The same for a machine that is made up here
# and installed.
source "$(dirname "$0")/expect.sh" "$1"
machines=$(realpath "$here/../../machines")
needs python3 gnuplot

# accepted FOLDER: the check and every command that reads a machine accept it.
accepted() {
  local name=${1##*/}
  python3 "$here/measured_check.py" "$1" || fail "$name: see above"
  expect 0 '' machine --xml "$1/topology.xml" --json
  python3 - "$work/out" "$1/machine.json" <<'PYTHON' || fail "$name: machine.json is not what topology.xml says"
import json, sys
described, kept = (json.load(open(path)) for path in sys.argv[1:])
assert all(described[field] == kept[field] for field in ("name", "cpu_model", "clusters", "caches", "distances"))
PYTHON
  for as_named in "$name" "measured/$name" "machines/$name" "machines/measured/$name" "$1"; do
    expect 0 '' show "$as_named"
    says "^$name: " 'L1 loads' 'DRAM'
  done
  expect 0 '' show "$name" --all
  expect 0 '' point list "$name"
  expect 0 '' export "$name" --csv
  expect 0 '' compare "$name" "$name"
  says ' 0 significantly different'
  expect 0 '' compare joe0 "$name" --all
  expect 0 '' plot "$name" --output "$work/charts/$name" --format svg
  [ -s "$work/charts/$name/larm-0.svg" ] || fail "$name: no LARM chart"
  expect 2 "$name: a machine that comes with Gable, where nothing is written" report "$name"
  expect 2 "$name: a machine that comes with Gable; this needs a folder of your own" fit "$name"
}

mkdir "$work/elsewhere" && cd "$work/elsewhere" || exit 1
count=0
for folder in "$machines"/measured/*/; do
  [ -d "$folder" ] || continue
  folder=${folder%/} name=$(basename "$folder") count=$((count + 1))
  accepted "$folder"
  grep -q "^| \`$name\` | .* cores.* | 20..-..-.. | steal " "$machines/README.md" || fail "$name: not in machines/README.md"
  (cd "$machines/measured" && git check-ignore "$name"/*.*) >"$work/out" 2>/dev/null && fail "ignored by git: $(cat "$work/out")"
done

# An installation with one more.
built=$gable
mkdir -p "$work/root/bin" "$work/root/share/gable/machines/measured"
cp "$built" "$work/root/bin/gable"
cp -r "$machines/joe0" "$work/root/share/gable/machines/"
made=$work/root/share/gable/machines/measured/made
python3 "$data/measured_machine.py" "$made" || fail data/measured_machine.py
gable=$work/root/bin/gable
accepted "$made"
expect 2 'measured/joe0: no such folder' show measured/joe0
expect 2 'did you mean measured/made' show measured/mad
expect 2 'did you mean made' show mad
expect 0 '' completion bash
says '_gable_machines=.*joe0 made'
gable=$built

# changed WHAT PATTERN STATEMENT: the check notices what the Python statement does to the folder.
changed() {
  rm -rf "$work/made" && cp -r "$made" "$work/made"
  python3 - "$work/made" "$3" <<'PYTHON' || fail "$1: cannot be changed"
import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def edit(name, change):
    data = json.loads((folder / name).read_text())
    change(data)
    (folder / name).write_text(json.dumps(data))
def replace(name, old, new):
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))
exec(sys.argv[2])
PYTHON
  python3 "$here/measured_check.py" "$work/made" >"$work/said" 2>&1 && fail "$1 goes unnoticed"
  grep -Eq "$2" "$work/said" || fail "$1: the check says: $(cat "$work/said")"
}
changed 'a figure without an interval' 'no interval' 'edit("roofs.json", lambda d: d["roofs"][0].update(lo=None))'
changed 'an interval without its figure' 'no interval' 'edit("roofs.json", lambda d: d["roofs"][0].update(lo=1e9))'
changed 'an invalid figure' 'is invalid' 'edit("roofs.json", lambda d: d["roofs"][0].update(status="invalid"))'
changed 'no bandwidth of L1' 'no figure of' 'edit("roofs.json", lambda d: [r.update(level="L2") for r in d["roofs"]])'
changed 'a large folder' 'bytes, more than' '(folder / "hybrid.json").write_text("{}" + " " * 300 * 1024)'
changed 'samples' 'samples.jsonl' '(folder / "samples.jsonl").write_text("")'
changed 'a missing file' 'lacks' '(folder / "programs.json").unlink()'
changed 'too few programs' 'only 19 cases' 'edit("programs.json", lambda d: d.update(programs=d["programs"][:38]))'
changed 'a case without two threads' 'one and two threads' 'edit("programs.json", lambda d: d["programs"].pop())'
changed 'a time outside its range' 'seconds_min' 'edit("programs.json", lambda d: d["programs"][0].update(seconds_min=9))'
changed 'six runs' '6 runs' 'edit("programs.json", lambda d: d["programs"][0].update(runs=6))'
changed 'an unknown program' 'no source' 'edit("programs.json", lambda d: d["programs"][0].update(program="x"))'
changed 'no flags' 'how they were run' 'edit("programs.json", lambda d: d.update(flags=""))'
changed 'the host name' 'the name is db07' 'edit("machine.json", lambda d: d.update(name="db07"))'
changed 'the host name in the topology' 'the host name is db07' 'replace("topology.xml", "\"made\"", "\"db07\"")'
changed 'the firmware' 'DMIBoardSerial' 'replace("topology.xml", "\"hwlocVersion\"", "\"DMIBoardSerial\"")'
changed 'a device' 'OSDev' 'replace("topology.xml", "type=\"PU\"", "type=\"OSDev\"")'
changed 'the build of a kernel' 'kernel' 'edit("machine.json", lambda d: d.update(kernel="6.1.2-customer"))'

[ $failures = 0 ] && echo "$count measured machines, and one that was made up"
exit $((failures > 0))
