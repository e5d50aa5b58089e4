#!/usr/bin/env bash
# The Valgrind tool's trace: every access in order; their sum equals the counted bytes.
set -euo pipefail
tool=$1/libexec/gable/valgrind/launch
[ -x "$tool" ] || { echo "skipped: the Valgrind tool was not built (package valgrind)"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: python3 is missing (package python3)"; exit 77; }
grep -q avx2 /proc/cpuinfo || { echo "skipped: this CPU has no AVX2"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# traced NAME TRACE-OPTIONS... -- COMMAND...: creates $work/NAME.out, NAME.counts.PID.N and the trace.
traced() {
  local name=$1 options=()
  shift
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  "$tool" --tool=gable --quiet --fair-sched=try --log-file="$work/$name.log" "${options[@]}" --counts="$work/$name.counts" "${@:2}" >"$work/$name.out"
  [ ! -s "$work/$name.log" ] || { cat "$work/$name.log"; exit 1; }
}

traced order --trace="$work/order.csv" -- "$1/programs/traced"
traced all --trace="$work/all.csv" --trace-stack=yes -- "$1/programs/instructions" 3
traced some --trace="$work/some.csv" --trace-stack=yes --trace-every=7 -- "$1/programs/instructions" 3
traced threads --trace="$work/threads.trace" --trace-stack=yes -- "$1/programs/loops_asm_avx2_dp" 21 4
traced children --trace="$work/children.csv" -- "$1/programs/misbehave" fork
mkfifo "$work/pipe"
cat "$work/pipe" >"$work/piped.csv" &
reader=$!
exec 3>"$work/pipe"  # held open: the tool opens and closes it
traced piped --trace="$work/pipe" -- "$1/programs/traced"
exec 3>&-
wait "$reader"

# A file that cannot be written ends the trace, not the program.
"$tool" --tool=gable --quiet --log-file="$work/full.log" --trace=/dev/full --counts="$work/full.counts" "$1/programs/traced" >/dev/null
grep -q 'cannot write /dev/full' "$work/full.log"

python3 "$(dirname "$0")/trace_check.py" "$work"
