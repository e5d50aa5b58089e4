# gable kmaf run on a machine with four nodes and processes that share memory in pairs: partners move to one node, and so does their
# shared memory, which another process initialized. Pairs are unrelated to the order in which processes were started.

inside <<'TEXT'
gable kmaf run --policy os -- partners anonymous 8 64 3
gable kmaf run --unit 4k --overhead 10% --json --report /out/report.json -- partners /dev/shm/shared 8 64 400
partners policy /dev/shm/shared
TEXT
take "$build/partners:/bin/partners"

verify_kmaf_shared() {
  cat "$work/out"
  [ "$(grep -c '^missed' "$work/out")" = 1 ] || fail 'without anybody moving them they should not be together: nothing is shown'
  grep -q '^reached: 4 of 4 pairs' "$work/out" || fail 'partners do not share nodes with what they share'
  [ "$(tail -n 1 "$work/out")" = 'policy 0' ] || fail 'the policy of the shared memory is left'
  python3 - "$work/report.json" <<'TEXT' || fail 'the report'
import json, sys
r = json.load(open(sys.argv[1]))
print(r["seconds"], r["samples"], r["shared_objects"], r["mappings"], r["pages"], r["threads"], r["local_accesses"], r["kernel"])
assert r["managed"] and r["sampler"] == "hint-faults" and r["status"] == 0
assert r["tasks_started"]["processes"] >= 7
assert r["shared_objects"]["seen_into"] >= 1
assert r["threads"]["moved"] >= 4, "one of each pair; the program may end before the last of them is placed"
assert r["pages"]["moved"] + r["kernel"]["pages_moved"] >= 64, "of 256, of which those of one node may be where they belong"
TEXT
}
