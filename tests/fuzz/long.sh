#!/usr/bin/env bash
# long.sh SECONDS [RUNS [READER...]]: every reader, or those named, under libFuzzer with ASan and UBSan for SECONDS each, and
# no longer than until RUNS executions of it are reached over all calls of this script (default: 1000000). Starts from the
# corpus in the tree and what earlier calls found (build-fuzz/found); build-fuzz/executions counts. A crash, a hang of 20 s or
# more than 2 GiB ends it and leaves the input in build-fuzz/. Needs Clang 16 or newer with libclang-rt: Clang 14 cannot compile
# std::ranges of GCC 12.
#
# Seven eighths of the time are quick: inputs of at most 4 KiB, no entropic schedule, no check for a return's dead stack; these
# took up to half of it. The last eighth has all that, and inputs of up to 64 KiB.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
seconds=${1:?usage: long.sh SECONDS [RUNS [READER...]]} most=${2:-1000000}
clang=$(command -v clang++-19 clang++-16 clang++ | head -1) || { echo "long.sh: no clang++" >&2; exit 1; }
cmake -S . -B build-fuzz -G Ninja -DGABLE_SANITIZE=fuzz -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_CXX_FLAGS='-O1 -gline-tables-only' >/dev/null
cmake --build build-fuzz --target fuzz
readers=("${@:3}")
[ ${#readers[@]} -gt 0 ] || mapfile -t readers < <(ls tests/fuzz/corpus | grep -v '\.beside$')
export TMPDIR=${TMPDIR:-/dev/shm}
export HWLOC_PLUGINS_PATH=/nonexistent # hwloc would load them for every input
sanitizer=detect_leaks=0:malloc_context_size=4:quarantine_size_mb=16
cd build-fuzz
mkdir -p executions
stopped=
trap 'stopped=yes' INT TERM # what was executed until then is counted

# part READER SECONDS ASAN_OPTIONS OPTION...: one run of libFuzzer, which is counted however it ends.
part() {
  local reader=$1 seconds=$2 options=$3 before now status=0
  before=$(cat "executions/$reader" 2>/dev/null || echo 0)
  [ "$before" -lt "$most" ] && [ "$seconds" -gt 0 ] && [ -z "$stopped" ] || return 0
  mkdir -p "found/$reader"
  GABLE_FUZZ=$reader ASAN_OPTIONS=$options ./fuzz "found/$reader" "../tests/fuzz/corpus/$reader" -max_total_time="$seconds" \
    -runs=$((most - before)) -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 -detect_leaks=0 -reload=0 \
    "${@:4}" >"$reader.log" 2>&1 || status=$?
  now=$(sed -n 's/stat::number_of_executed_units: *//p' "$reader.log")
  echo $((before + ${now:-0})) >"executions/$reader"
  echo "$reader: ${now:-0} executions, $((before + ${now:-0})) in all"
  [ "$status" = 0 ] || [ -n "$stopped" ] || { tail -40 "$reader.log"; exit 1; }
}

for reader in "${readers[@]}"; do
  part "$reader" $((seconds * 7 / 8)) "$sanitizer:detect_stack_use_after_return=0" -max_len=4096 -entropic=0
  part "$reader" $((seconds - seconds * 7 / 8)) "$sanitizer" -max_len=65536
done
