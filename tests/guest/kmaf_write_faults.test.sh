#!/bin/bash
# gable kmaf run --sampler write-faults in a machine of four nodes, on Debian's kernel: pages that one thread initialized come to the nodes of the
# threads that write them, though the kernel's balancing is off; by root, and by a user who may not use perf and for whom it is all there is.
# Nothing of the machine is changed for it.
. "$(dirname "$0")/expect.sh"
[ -e "$build/libexec/gable/kmaf/write_faults.so" ] || { echo "skipped: the sampler write-faults is for x86-64"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }

cat >"$work/inside" <<'TEXT'
echo 0 > /proc/sys/kernel/numa_balancing
gable kmaf run --policy os -- affine private 3
gable kmaf run --sampler write-faults --unit 4k --overhead 10% --json --report /out/private.json -- affine private 60
mkdir -m 777 /out/user
echo 4 > /proc/sys/kernel/perf_event_paranoid
nobody='/bin/as-user --reuid 65534 --clear-groups'
$nobody gable kmaf run --json --report /out/user/refused.json -- affine private 1 2> /out/refused
echo 1 > /proc/sys/vm/unprivileged_userfaultfd
$nobody gable kmaf run --unit 4k --overhead 10% --json --report /out/user/user.json -- affine private 60
cat /proc/sys/kernel/numa_balancing > /out/after
TEXT
command -v setpriv >/dev/null || { echo "skipped: setpriv is not installed (package util-linux)"; exit 77; }
guest numa4 --deadline 300 --out "$work" --file "$build/affine:/bin/affine" --file "$build/libexec/gable/kmaf:/libexec/gable/kmaf" \
  --file "$(command -v setpriv):/bin/as-user" --file "$work/inside:/inside" -- sh -e /inside
same 'exit status' 0 $status
cat "$work/out"
[ $failures = 0 ] || finish
[ "$(head -n 1 "$work/out" | cut -d ' ' -f 1-3)" = 'private 1 missed' ] || fail 'pages come to their users without anybody moving them: nothing is shown'
[ "$(grep -c '^private 1 reached' "$work/out")" = 2 ] || fail 'private pages are not on the nodes of their users, by root and by another user'
grep -q 'sudo sysctl vm.unprivileged_userfaultfd=1' "$work/refused" || fail "the command that grants it is not named: $(cat "$work/refused")"
same 'kernel.numa_balancing' 0 "$(cat "$work/after")"
for report in private user/user; do
  python3 - "$work/$report.json" <<'TEXT' || fail "$report: the report"
import json, sys
r = json.load(open(sys.argv[1]))
print(r["samples"], r["pages"], r["threads"], r["tasks_started"], r["overhead_share_of_cpu"], r["notes"])
assert r["managed"] and r["sampler"] == "write-faults" and r["status"] == 0
assert r["samples"]["taken"] > 500 and r["samples"]["lost"] == 0
assert r["tasks_started"]["threads"] == 7, "by perf or by /proc"
assert r["pages"]["moved"] >= 250, "of 512, of which those of two threads of eight may be where they belong"
assert not r["kernel"]["pages_moved"], "the kernel moves none"
TEXT
done
finish
