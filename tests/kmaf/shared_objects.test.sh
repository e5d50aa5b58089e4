#!/bin/bash
# Processes that share memory, on this machine's kernel, with one node or several: the shared memory has samples beyond its first
# touches; its memory policy is removed afterwards, even if the manager, or the manager and its guardian, were killed; a policy
# that the program has set itself is kept. This switches balancing on, as gable kmaf run does, and off again.
set -u
build=$1
gable=$build/gable partners=$build/partners
work=$(mktemp -d)
file=/dev/shm/gable-partners-$$
trap 'rm -rf "$work" "$file"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
command -v pgrep >/dev/null || { echo "skipped: procps is not installed"; exit 77; }

# run OPTIONS... : waits while another run manages this machine.
run() {
  for second in $(seq 60); do
    "$gable" kmaf run --json --report "$work/r.json" "$@" >"$work/out" 2>"$work/err" && return
    grep -q 'another gable kmaf run' "$work/err" || { fail "$*: $(cat "$work/err")"; return 1; }
    sleep 1
  done
  fail 'this machine is managed by others all the time'
}

field() { python3 -c 'import json,sys; r=json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$work/r.json" "$1"; }

run -- true || exit 1
[ "$(field 'r["sampler"]')" = hint-faults ] || { echo "skipped: no hint faults here: $(tr '\n' ' ' <"$work/err")"; exit 77; }
# Failures are a reason to skip only if a privilege is missing.
run -- "$partners" anonymous 2 16 1 || exit 1
left=$(field 'r["shared_objects"]["left"]')
[[ $left == *CAP_* ]] && { echo "skipped: $left"; exit 77; }

# Each of two processes touches a page for the first time once. Pages with more samples were hidden.
hidden_pages() {
  python3 - "$work/out" "$work/known" <<'TEXT'
import json, sys
address, size = next(line.split()[1:] for line in open(sys.argv[1]) if line.startswith("object"))
begin, end = int(address, 16), int(address, 16) + int(size)
pages = [page for page in map(json.loads, open(sys.argv[2])) if "page" in page and begin <= page["page"] < end]
print(sum(sum(page["accesses"]) > 2 and len(page["tasks"]) == 2 for page in pages), file=sys.stdout)
TEXT
}
for kind in anonymous systemv; do
  for seconds in 6 20 60; do  # the kernel hides pages by the CPU time of their process
    run --learn "$work/known" --overhead 10% -- "$partners" $kind 2 256 $seconds
    [ "$(hidden_pages)" -lt 128 ] || break
  done
  [ "$(hidden_pages)" -ge 128 ] || fail "$kind: $(hidden_pages) of 256 shared pages have samples of both beyond the first touches"
  [ "$(grep ^policy "$work/out" | tail -n 1)" = 'policy 8194' ] || fail "$kind: $(cat "$work/out")"
done

run -- "$partners" "$file" 2 16 2
[ "$("$partners" policy "$file")" = 'policy 0' ] || fail 'the policy is left'
rm -f "$file"
run --learn "$work/known" --overhead 10% -- "$partners" "$file" 2 256 3 own
[ "$("$partners" policy "$file")" = 'policy 2' ] || fail 'the policy of the program itself was changed'
[ "$(hidden_pages)" = 0 ] || fail 'an object with a policy of its own is seen into'
[ "$(field 'r["shared_objects"]["left"]')" = "{'it has a memory policy of its own': 1}" ] || fail "not told: $(cat "$work/r.json")"
rm -f "$file"

# until_true COMMAND...: waits until it succeeds, with a limit
until_true() {
  for tenth in $(seq 300); do
    "$@" && return
    sleep 0.1
  done
  return 1
}
policy_is() { [ "$("$partners" policy "$file" 2>/dev/null)" = "policy $1" ]; }
last_policy_is() { [ "$(grep ^policy "$work/out" | tail -n 1)" = "policy $1" ]; }

"$gable" kmaf run -- "$partners" anonymous 2 16 30 >"$work/out" 2>"$work/err" &
manager=$!
until_true last_policy_is 8194 || fail "not seen into: $(cat "$work/err")"
program=$(pgrep -P $manager partners)
kill -9 $manager
until_true last_policy_is 0 || fail 'the policy is left after the manager was killed'
kill $program

: >"$work/out"
"$gable" kmaf run -- "$partners" "$file" 2 16 30 >"$work/out" 2>"$work/err" &
manager=$!
until_true policy_is 8194 || fail "not seen into: $(cat "$work/err")"
kill -9 $(pgrep -P $manager gable-guardian) $manager $(pgrep -P $manager partners)
wait $manager
policy_is 8194 || fail 'the guardian was not killed in time: nothing is shown'
run -- true
policy_is 0 || fail 'the next run does not put the policy back'
[ $failures = 0 ] && echo 'all as expected'
exit $((failures > 0))
