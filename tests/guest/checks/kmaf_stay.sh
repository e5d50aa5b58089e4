# gable kmaf run on a machine with a memory that belongs to no cluster (CXL, HBM): pages there and pages that a policy binds stay, and
# others come to the thread that uses them. The kernel's own balancing must move nothing.
inside <<'TEXT'
. /hold_pages.sh
hold_pages 0 1
far=2
[ "$1" != snc4-flat ] || far=4
gable kmaf run --unit 2m --overhead 10% --json --report /out/report.json -- stays $far 60
release_pages
TEXT
take "$build/stays:/bin/stays" "$here/hold_pages.sh:/hold_pages.sh"

verify_kmaf_stay() {
  cat "$work/out"
  said() { grep -qx "$1" "$work/out" || fail "$2"; }
  said 'far_bound far 512 first 0 second 0' 'pages that a policy binds to a memory without a cluster were moved'
  said 'far_free far 512 first 0 second 0' 'pages in a memory without a cluster were moved'
  said 'near_bound far 0 first 512 second 0' 'pages that a policy binds to a node were moved'
  said 'near_free far 0 first 0 second 512' 'pages without a policy did not come to their thread'
  python3 - "$work/report.json" <<'TEXT' || fail 'the report'
import json, sys
r = json.load(open(sys.argv[1]))
print(r["samples"], r["pages"], r["kernel"])
assert r["managed"] and r["status"] == 0 and r["pages"]["moved"] >= 1
assert r["pages"]["failed"].get("a memory policy keeps the page where it is", 0) >= 1, "nothing was to stay"
tried = r["pages"]["failed"].get("the page is in a memory that is not managed", 0)
assert tried < 30, "the engine orders pages that must stay again and again: {} times in 60 s".format(tried)
TEXT
}
