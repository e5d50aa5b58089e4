# Sourced by the guests' tests with the build folder as its argument: a work folder, the runner, and checks.
set -u
build=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
gable=("$build/gable")  # for what is done with the guest's results
[ ! -d "$build/sysroot/root" ] || gable=(qemu-aarch64-static -cpu max -L "$build/sysroot/root" "$build/gable")

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# guest SCENARIO [options] -- COMMAND...: runs it, keeps output, errors and status in $work/out, $work/err and $status.
# Missing packages skip the whole test.
guest() {
  "$here/run" "$1" --build "$build" "${@:2}" >"$work/out" 2>"$work/err"
  status=$?
  if [ $status = 77 ]; then
    tail -n 1 "$work/out"
    exit 77
  fi
}

# same WHAT EXPECTED GOT
same() {
  [ "$2" = "$3" ] || fail "$1 is '$3', expected '$2'; stderr: $(cat "$work/err")"
}

finish() {
  [ $failures = 0 ] && echo 'all as expected'
  exit $((failures > 0))
}
