#!/usr/bin/env bash
# The bundle runs with only its own loader and libraries, and measures.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
[ "$(readlink -f "$1")" = "$root/build" ] || { echo "skipped: run.sh bundles build/, this is $1"; exit 77; }
command -v patchelf >/dev/null || { echo "skipped: patchelf is missing (package patchelf)"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$root/run.sh" bundle "$work/bundle" >/dev/null

# Every library comes from the bundle, not from the system.
"$work/bundle/lib/ld-linux-x86-64.so.2" --library-path "$work/bundle/lib" --list "$work/bundle/lib/gable" >"$work/libraries"
if grep '=>' "$work/libraries" | grep -v "=> $work/bundle/lib/"; then
  echo "these libraries come from elsewhere"
  exit 1
fi
readelf -d "$work/bundle/lib/gable" | grep -qE '(RPATH|RUNPATH).*\[\$ORIGIN\]'

env -i PATH=/usr/bin:/bin "$work/bundle/gable" machine --json >"$work/machine.json"
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/machine.json"
env -i PATH=/usr/bin:/bin "$work/bundle/gable" measure "$work/here" --preset quick --only op=fma,precision=dp --quiet >/dev/null
"$1/gable" fit "$work/here" >/dev/null

# The Valgrind tool moves with it.
if [ -d "$1/libexec/gable/valgrind" ]; then
  env -i PATH=/usr/bin:/bin "$work/bundle/libexec/gable/valgrind/launch" --tool=gable --log-file="$work/log" --counts="$work/counts" /bin/true
  python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["threads"][0]["load_bytes"] > 0' "$work"/counts.*.0
fi
