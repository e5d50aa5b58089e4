# Sourced by the tests of commands with the build folder as its argument: a work folder, fixtures, and checks of
# commands.
set -u
gable=$(realpath "$1")/gable
here=$(cd "$(dirname "$0")" && pwd)
data=$here/data
work=$(mktemp -d)
failures=0
first_cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)  # of those that may be used
# A test that has failed says so, whatever its last command was.
trap 'status=$?; rm -rf "$work"; [ "$status" != 0 ] || [ "$failures" = 0 ] || exit 1' EXIT

sanitizer=$(sed -n 's/^GABLE_SANITIZE:STRING=//p' "$1/CMakeCache.txt" | grep -vx OFF)  # empty without one

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# expect STATUS PATTERN ARGUMENT...: the exit status, and what stderr says.
expect() {
  local status=$1 pattern=$2
  shift 2
  "$gable" "$@" >"$work/out" 2>"$work/err"
  local got=$?
  [ $got = "$status" ] || fail "gable $*: exit $got, expected $status: $(cat "$work/err")"
  [ -z "$pattern" ] || grep -qE -e "$pattern" "$work/err" || fail "gable $*: stderr lacks '$pattern': $(cat "$work/err")"
}

# says PATTERN...: the output of the last `expect` has them.
says() {
  local text
  for text in "$@"; do grep -qE -e "$text" "$work/out" || fail "the output lacks '$text': $(head -60 "$work/out")"; done
}

# of_point FILE NAME EXPRESSION: its value over p, the point of that name in a points.json.
of_point() {
  python3 -c 'import json, sys
p = next(p for p in json.load(open(sys.argv[1]))["points"] if p["name"] == sys.argv[2])
print(eval(sys.argv[3]))' "$@"
}

# two_memories FOLDER: makes it, a fitted pair of memories (data/two_memories.py).
two_memories() { python3 "$data/two_memories.py" "$1" "$gable" || fail "data/two_memories.py"; }

# within SECONDS CONDITION...: waits until it holds.
within() {
  local left=$(($1 * 20))
  shift
  until "$@"; do
    left=$((left - 1))
    [ $left -gt 0 ] || return 1
    sleep 0.05
  done
}

# ended PID: it is gone, or its parent is and nobody else waits for it, as in some containers.
ended() {
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
  [[ $stat == *') Z '* ]]
}

# listens PID: it is gable, and has a handler for SIGINT.
listens() {
  local status
  status=$(cat "/proc/$1/status" 2>/dev/null)
  [[ $status =~ Name:[[:space:]]gable ]] && [[ $status =~ SigCgt:[[:space:]]([0-9a-f]+) ]] && ((0x${BASH_REMATCH[1]} & 2))
}

# needs PROGRAM[:PACKAGE]...: without one of them the test is skipped.
needs() {
  local each
  for each in "$@"; do
    command -v "${each%:*}" >/dev/null || { echo "skipped: ${each%:*} is not installed (package ${each#*:})"; exit 77; }
  done
}

needs_valgrind() {
  [ -x "$(dirname "$gable")/libexec/gable/valgrind/launch" ] || { echo "skipped: the Valgrind tool was not built (package valgrind)"; exit 77; }
}

# The end of a test.
finish() {
  [ $failures = 0 ] && echo 'all as expected'
  exit $((failures > 0))
}
