#!/usr/bin/env bash
# long.sh SECONDS [RUNS [READER...]]: every reader, or those named, under libFuzzer with ASan and UBSan for SECONDS each, and
# no longer than until RUNS executions of it are reached over all calls of this script (default: 1000000). Starts from the
# corpus in the tree and what earlier calls found (build-fuzz/found); build-fuzz/executions counts. A crash, a hang of 20 s or
# more than 2 GiB ends it and leaves the input in build-fuzz/. Needs clang and libclang-rt.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
seconds=${1:?usage: long.sh SECONDS [RUNS [READER...]]} most=${2:-1000000}
clang=$(command -v clang++-19 clang++-16 clang++-14 clang++ | head -1) || { echo 'long.sh: no clang++' >&2; exit 1; }
cmake -S . -B build-fuzz -G Ninja -DGABLE_SANITIZE=fuzz -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_CXX_FLAGS='-O1 -gline-tables-only' >/dev/null
cmake --build build-fuzz --target fuzz
readers=("${@:3}")
[ ${#readers[@]} -gt 0 ] || mapfile -t readers < <(ls tests/fuzz/corpus | grep -v '\.beside$')
export TMPDIR=${TMPDIR:-/dev/shm} ASAN_OPTIONS=detect_leaks=0
cd build-fuzz
mkdir -p executions
for reader in "${readers[@]}"; do
  mkdir -p "found/$reader"
  before=$(cat "executions/$reader" 2>/dev/null || echo 0)
  [ "$before" -lt "$most" ] || continue
  GABLE_FUZZ=$reader ./fuzz "found/$reader" "../tests/fuzz/corpus/$reader" -max_total_time="$seconds" -runs=$((most - before)) \
    -max_len=65536 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 >"$reader.log" 2>&1 ||
    { tail -40 "$reader.log"; exit 1; }
  now=$(sed -n 's/stat::number_of_executed_units: *//p' "$reader.log")
  echo $((before + now)) >"executions/$reader"
  echo "$reader: $now executions, $((before + now)) in all"
done
