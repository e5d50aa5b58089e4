# gable kmaf run on a machine with four nodes: pages that one thread initialized move to the nodes of the threads that use them, although
# the kernel moves none (hold_pages); neighbours share a node; a change of phase is followed; and all settings are restored. The budget is ten
# times the usual one, because under emulation a fault costs ten times as much. The oracle then places the first program from the record
# of its run.

inside <<'TEXT'
settings() { cat /proc/sys/kernel/numa_balancing /sys/kernel/debug/sched/numa_balancing/scan*; }
settings > /out/before
managed() { gable kmaf run --unit 4k --overhead 10% --json --report "/out/$1.json" --learn "/out/$1.known" -- affine "$@"; }
. /hold_pages.sh
hold_pages 0 1 2 3
gable kmaf run --policy os -- affine private 5
managed private 400
gable kmaf run --policy oracle --knowing /out/private.known --overhead 10% --json --report /out/oracle.json -- affine private 400
release_pages
managed phases 400
managed ring 400
settings > /out/after
gable kmaf run --unit 4k -- affine ring 1500 on > /dev/null 2>&1 &
for second in $(seq 300); do
  sleep 1
  settings > /out/during
  cmp -s /out/before /out/during || ! pidof affine > /dev/null || break
done
sleep 3
kill -9 $!
masks() { for task in /proc/$(pidof affine)/task/*; do taskset -p ${task##*/}; done | sed 's/.* //' | sort -u; }
for second in $(seq 300); do
  sleep 1
  settings > /out/killed
  masks > /out/masks
  cmp -s /out/before /out/killed && [ "$(cat /out/masks)" = ff ] && break
done
kill $(pidof affine)
TEXT
take "$build/affine:/bin/affine" "$here/hold_pages.sh:/hold_pages.sh"

verify_kmaf() {
  cat "$work/out"
  said() { grep -qE "$1" "$work/out" || fail "$2"; }
  [ "$(head -n 1 "$work/out" | cut -d ' ' -f 1-3)" = 'private 1 missed' ] || fail 'pages come to their users without anybody moving them: nothing is shown'
  [ "$(grep -c '^private 1 reached' "$work/out")" = 2 ] || fail 'private pages are not on the nodes of their users, by kMAF and by the oracle'
  said '^phases 1 reached' 'pages of the first phase are not on the nodes of their users'
  said '^phases 2 reached' 'the change of phase was not followed'
  said '^ring 1 reached' 'neighbours do not share nodes'
  for name in private phases ring; do
    python3 - "$work/$name.json" <<'TEXT' || fail "$name: the report"
import json, sys
r = json.load(open(sys.argv[1]))
print(sys.argv[1].rsplit("/")[-1], r["samples"], r["mappings"], r["pages"], r["threads"], r["local_accesses"], r["kernel"])
assert r["managed"] and r["sampler"] == "hint-faults" and r["status"] == 0
assert r["samples"]["taken"] > 500 and r["samples"]["lost"] < r["samples"]["taken"] / 10, "a busy host delays their reader"
assert r["threads"]["moved"] >= 8
if "private" in sys.argv[1]:
    assert r["pages"]["moved"] >= 250, "of 512, of which those of two threads of eight may be where they belong"
TEXT
  done
  python3 - "$work/oracle.json" <<'TEXT' || fail "by the oracle: the report"
import json, sys
r = json.load(open(sys.argv[1]))
print(sys.argv[1].rsplit("/")[-1], r["known"], r["pages"], r["threads"])
assert r["managed"] and r["sampler"] is None and r["samples"]["taken"] == 0 and r["status"] == 0
assert r["known"]["threads"] == 8 and r["known"]["threads_unknown"] == 0 and r["threads"]["moved"] == 8
assert r["known"]["pages_in_place"] >= 400, "of 512, and others"
TEXT
  same 'the settings afterwards' "$(cat "$work/before")" "$(cat "$work/after")"
  [ "$(cat "$work/before")" != "$(cat "$work/during")" ] || fail 'no setting is changed while a program is managed'
  same 'the settings after kill -9' "$(cat "$work/before")" "$(cat "$work/killed")"
  same 'the mask after kill -9' ff "$(cat "$work/masks")"
}
