#!/usr/bin/env bash
# valgrind.test.sh BUILD EMULATOR...: the Valgrind tool counts programs of this architecture exactly. Its launcher cannot start
# it, because this kernel cannot, so the emulator runs the tool itself.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
tool=$build/libexec/gable/valgrind
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ls "$tool"/gable-* >/dev/null 2>&1 || { echo 'skipped: the Valgrind tool was not built (package valgrind)'; exit 77; }

counted() {  # counted NAME PROGRAM [arguments]
  VALGRIND_LAUNCHER=$tool/launch VALGRIND_LIB=$tool "${emulator[@]}" "$tool"/gable-* --tool=gable --quiet --functions=yes \
    --sim-hints=fallback-llsc --counts="$work/$1.counts" "$build/programs/$2" "${@:3}" >"$work/$1.out"
}
emulator=("${@:2}")
counted instructions instructions 3
features=$((1 << 6))  # NEON: Valgrind has neither SVE nor DC ZVA
counted fewer count_kernels 3 $features
counted more count_kernels 10 $features
counted one marked one
counted threads marked threads
python3 "$here/counted.py" "$work"
