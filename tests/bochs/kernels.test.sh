# Runs the kernels on emulated CPUs: one with AVX-512 where this machine has none, so that these kernels are tested on any
# machine, and one without, which must not get any of them.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
rom=$build/bochs_rom program=$build/check_kernels

skip() {
  echo "skipped: $1"
  exit 77
}
command -v bochs > /dev/null || skip "bochs is missing (Debian packages bochs and bochs-term)"
[ -e /usr/share/bochs/VGABIOS-lgpl-latest ] || skip "the VGA BIOS is missing (Debian package vgabios)"
[ -e "$program" ] || skip "check_kernels was not built (a build with sanitizers has none)"

failures=0
# expect STATUS MODEL ARGUMENT...
expect() {
  local wanted=$1 model=$2 output status
  shift 2
  output=$("$here/bochs-run" "$rom" "$model" "$program" "$@" 2>&1)
  status=$?
  echo "$model, $*: status $status"
  echo "$output" | sed 's/^/  /'
  [ "$status" = "$wanted" ] || { echo "  FAILED: expected status $wanted"; failures=$((failures + 1)); }
}

if [ -z "${GABLE_SLOW:-}" ] && grep -q avx512f /proc/cpuinfo; then
  echo "corei7_icelake_u is left out: this CPU has AVX-512, so test_kernels runs its kernels (GABLE_SLOW=1 runs both)"
else
  expect 0 corei7_icelake_u "sse2 avx2 avx512"
fi
expect 0 corei7_haswell_4770 "sse2 avx2"
# The emulator detects the faults in question: an illegal instruction, a read outside the stream.
expect 139 corei7_haswell_4770 --run load_avx512
expect 139 corei7_skylake_x --run copy_overreads
[ $failures = 0 ]
