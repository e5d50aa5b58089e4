#!/bin/bash
# gable kmaf run --sampler write-faults in a machine of four nodes, on Debian's kernel: pages that one thread initialized come to the nodes of the
# threads that write them, though the kernel's balancing is off and perf may not be used. Nothing of the machine is changed for it.
. "$(dirname "$0")/expect.sh"
[ -e "$build/libexec/gable/kmaf/write_faults.so" ] || { echo "skipped: the sampler write-faults is for x86-64"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }

cat >"$work/inside" <<'TEXT'
echo 0 > /proc/sys/kernel/numa_balancing
gable kmaf run --policy os -- affine private 3
gable kmaf run --sampler write-faults --unit 4k --overhead 10% --json --report /out/private.json -- affine private 45
cat /proc/sys/kernel/numa_balancing > /out/after
TEXT
guest numa4 --deadline 300 --out "$work" --file "$build/affine:/bin/affine" --file "$build/libexec/gable/kmaf:/libexec/gable/kmaf" \
  --file "$work/inside:/inside" -- sh -e /inside
same 'exit status' 0 $status
cat "$work/out"
[ $failures = 0 ] || finish
[ "$(head -n 1 "$work/out" | cut -d ' ' -f 1-3)" = 'private 1 missed' ] || fail 'pages come to their users without anybody moving them: nothing is shown'
grep -q '^private 1 reached' "$work/out" || fail 'private pages are not on the nodes of their users'
same 'kernel.numa_balancing' 0 "$(cat "$work/after")"
python3 - "$work/private.json" <<'TEXT' || fail 'the report'
import json, sys
r = json.load(open(sys.argv[1]))
print(r["samples"], r["pages"], r["threads"], r["local_accesses"], r["kernel"], r["notes"])
assert r["managed"] and r["sampler"] == "write-faults" and r["status"] == 0
assert r["samples"]["taken"] > 500 and r["samples"]["lost"] == 0
assert r["pages"]["moved"] >= 250, "of 512, of which those of two threads of eight may be where they belong"
assert not r["kernel"]["pages_moved"], "the kernel moves none"
TEXT
finish
