#!/bin/bash
# gable kmaf run --sampler write-faults: programs compute what they compute alone, whoever is killed or stopped meanwhile; they have no
# descriptor of ours; what cannot be managed is said.
source "$(dirname "$0")/expect.sh" "$1"
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
command -v pgrep >/dev/null || { echo "skipped: procps is not installed"; exit 77; }
disturbed=$1/disturbed
export GABLE_SYSTEM_ROOT=$work/root
mkdir -p "$work/root/run"
by_writes=(kmaf run --sampler write-faults --overhead 20%)
managed() { "$gable" "${by_writes[@]}" "$@"; }

managed --report "$work/report" -- true 2>"$work/err" || fail "true: $(cat "$work/err")"
if grep -q '^gable: write-faults: ' "$work/err"; then
  grep -q 'it runs as the OS\|unmanaged' "$work/err" || fail "not said that it is unmanaged: $(cat "$work/err")"
  [ $failures = 0 ] && echo "skipped: $(grep -m 1 '^gable: write-faults: ' "$work/err")"
  exit $((failures > 0 ? 1 : 77))
fi

# field JSON EXPRESSION over r
field() { python3 -c 'import json,sys; r=json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"; }

same_result() {
  "$@" >"$work/alone" 2>"$work/alone.err" </dev/null
  local alone=$?
  timeout 100 "$gable" "${by_writes[@]}" --json --report "$work/r.json" -- "$@" >"$work/out" 2>"$work/err" </dev/null
  local got=$?
  [ $got = $alone ] || fail "$*: exit $got, alone $alone: $(cat "$work/err")"
  cmp -s "$work/alone" "$work/out" || fail "$*: other output"
  cmp -s "$work/alone.err" "$work/err" || fail "$*: other errors: $(cat "$work/err")"
}
for what in 'threads 2000' 'forks 100' 'exec 20' 'handler 50' 'stacks 64' 'busy 50' 'busy 800' 'read 32'; do
  same_result "$disturbed" $what
done
same_result sh -c 'echo out; exit 3'
same_result sh -c 'kill -SEGV $$'
same_result bash -c 'for i in $(seq 40); do echo $((i * i)) | cat; done | sort -n | tail -n 3'
inherited='ls /proc/self/fd; grep ^Sig /proc/self/status | grep -v SigQ; ulimit -n; exec 9</dev/null; ls /proc/$$/fd'
same_result sh -c "$inherited"

# Every sample is of private memory; the report says what is not seen.
managed --json --report "$work/r.json" -- "$disturbed" busy 1500 >/dev/null 2>"$work/err" || fail "busy: $(cat "$work/err")"
[ "$(field "$work/r.json" 'r["managed"], r["sampler"], r["samples"]["taken"] > 50, r["samples"]["lost"]')" = "(True, 'write-faults', True, 0)" ] ||
  fail "not managed: $(cat "$work/r.json")"
grep -q 'data that is only read' "$work/r.json" || fail 'not said that reads are not seen'

# The user's own library is loaded too, and every process that is started sees the same.
[ "$(LD_PRELOAD=libm.so.6 managed --report "$work/r" -- sh -c 'echo $LD_PRELOAD' 2>/dev/null | sed 's|/.*||')" = libm.so.6: ] || fail 'the LD_PRELOAD of the user is gone'
[ -x "$1/disturbed_static" ] && {
  same_result "$1/disturbed_static" threads 200
  [ "$(field "$work/r.json" 'r["managed"]')" = False ] || fail 'a static program is managed'
  grep -q 'ran unmanaged' "$work/r.json" || fail 'not said of a static program that it is not managed'
}

# Where perf may not be used it is what is taken, and threads are found in /proc; who learns has to see them begin.
if "$1/without" perf true; then
  "$1/without" perf "$gable" kmaf run --overhead 20% --json --report "$work/r.json" --learn "$work/known" -- "$disturbed" busy 1500 >"$work/out" 2>"$work/err" ||
    fail "without perf: $(cat "$work/err")"
  [ "$(field "$work/r.json" 'r["managed"], r["sampler"], r["samples"]["taken"] > 50, 0 < r["overhead_share_of_cpu"] < 1')" = "(True, 'write-faults', True, True)" ] ||
    fail "without perf: $(cat "$work/r.json")"
  grep -q 'perf may not look' "$work/err" && grep -q 'who learns has to see threads begin' "$work/err" && [ ! -e "$work/known" ] ||
    fail "without perf: not said, or learned: $(cat "$work/err")"
  "$1/without" perf "$gable" kmaf run --report "$work/r" -- "$disturbed" threads 2000 >"$work/out" 2>/dev/null
  "$disturbed" threads 2000 | cmp -s - "$work/out" || fail 'without perf: other output'
fi

# Who is killed or stopped while pages are protected: the manager, or the process that serves. The program ends all the same.
"$disturbed" busy 2500 >"$work/expected"
program_of() { pgrep -P "$1" -x disturbed; }
server_of() { pgrep -P "$1" -x gable-faults; }
for whom in manager server both; do
  "$gable" "${by_writes[@]}" --report "$work/r" -- "$disturbed" busy 2500 >"$work/out" 2>/dev/null &
  manager=$!
  within 20 program_of $manager >/dev/null || fail "$whom: does not start"
  program=$(program_of $manager)
  server=$(server_of $manager)
  [ -n "$server" ] || fail "$whom: nobody serves"
  sleep 1
  case $whom in
    manager) kill -9 $manager ;;
    server) kill -9 "$server" ;;
    both) kill -9 $manager "$server" ;;
  esac
  wait $manager 2>/dev/null
  got=$?
  [ $whom = server ] && { [ $got = 0 ] && grep -q 'was killed' "$work/r" || fail "server: exit $got: $(cat "$work/r")"; }
  within 20 test ! -e "/proc/$program" || fail "$whom: the program does not end"
  within 20 test ! -e "/proc/$server" || fail "$whom: the process that serves does not end"
  cmp -s "$work/expected" "$work/out" || fail "$whom: other output without it"
done
"$gable" "${by_writes[@]}" --report "$work/r" -- "$disturbed" busy 2500 >"$work/out" 2>/dev/null &
manager=$!
within 20 program_of $manager >/dev/null || fail 'stopped: does not start'
program=$(program_of $manager)
sleep 0.5
kill -STOP $manager
state_of() { sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null; }
ended() { [ "$(state_of "$program")" = Z ]; }
within 20 ended || fail 'the program does not end while its manager is stopped'
kill -CONT $manager
wait $manager || fail "stopped: exit $?"
cmp -s "$work/expected" "$work/out" || fail 'other output when its manager is stopped'
[ $failures = 0 ] && echo 'all as expected'
exit $((failures > 0))
