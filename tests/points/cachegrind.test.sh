#!/bin/bash
# Memory profiles that follow every line have the misses of a last-level cache that cachegrind has, within 2 %.
build=$1
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$build/libexec/gable/valgrind/launch" ] || { echo "skipped: built without the Valgrind tool"; exit 77; }
for needed in valgrind make gcc python3; do
  command -v $needed >/dev/null || { echo "skipped: no $needed"; exit 77; }
done
valgrind --tool=cachegrind --cache-sim=yes --cachegrind-out-file=/dev/null true 2>/dev/null || { echo "skipped: cachegrind does not run"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s -C "$here/../bench/programs" OUT="$work" "$work"/{tree_search,hash_join} 2>/dev/null || { echo "skipped: the programs cannot be compiled"; exit 77; }
python3 "$here/../bench/profile_accuracy.py" "$build" "$work" 'tree_search 16 30000' 'hash_join 15 1'
