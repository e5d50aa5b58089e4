#!/usr/bin/env bash
# program.test.sh BUILD EMULATOR...: the cross-built program describes this machine, lists a plan, measures a level, fits and
# places, works with published machines, and replays a trace as the program for this machine does.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
gable() { "${emulator[@]}" "$build/gable" "$@"; }
emulator=("${@:2}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

expect() {  # expect TEXT FILE
  grep -qe "$1" "$2" || { echo "FAILED: '$1' is not in:"; cat "$2"; exit 1; }
}

gable --version >"$work/version"
expect 'neon, sve' "$work/version"
gable machine --json >"$work/machine.json"
expect '"neon"' "$work/machine.json"
gable measure --list >"$work/list"
for kernel in load_sve load_neon fma_dp_sve chase_aarch64; do expect "$kernel" "$work/list"; done
gable measure "$work/here" --preset quick --budget 8s --only level=L1 --only fma,dp --quiet >"$work/measure" 2>&1
expect 'emulated machine: locations are valid, speeds are not' "$work/measure"
expect '"kernel":"load_sve".*"status":"ok"' "$work/here/samples.jsonl"
gable fit --quiet "$work/here"
gable place "$work/here" --bench pagerank --graph kron:7 --runs 1 --iterations 3 --quiet >"$work/place"
expect '"verified":"' "$work/here/placements.jsonl"

cp -r "$root/machines/knl-snc4-flat" "$work/knl"
gable show "$work/knl" >"$work/show"
expect 'HBM' "$work/show"
python3 "$root/tests/cli/data/two_clusters.py" "$work/two"
gable fit --quiet "$work/two"
expect '"bandwidth"' "$work/two/roofs.json"

gable kmaf generate ring -o "$work/ring.trace" --threads 16 --accesses 20000
gable kmaf replay "$work/ring.trace" --machine x7550-4s --policy compact,kmaf --runs 2 --json >"$work/replay.json"
expect '"kmaf"' "$work/replay.json"
native=$root/build/gable
if [ -x "$native" ]; then
  "$native" kmaf replay "$work/ring.trace" --machine x7550-4s --policy compact,kmaf --runs 2 --json >"$work/native.json"
  cmp "$work/replay.json" "$work/native.json"
fi
