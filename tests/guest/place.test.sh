#!/bin/bash
# gable place over memories that are not here: a node without CPUs (CXL), a local one of another tier, and a DAX file system. Every
# result is right and every part lies where it was asked for; what lies in a file is persistent memory, on no node, and is gone
# afterwards, also when gable is killed.
. "$(dirname "$0")/expect.sh"
command -v python3 >/dev/null || { echo "skipped: python3 is missing (package python3)"; exit 77; }

cat >"$work/inside" <<'TEXT'
gable place /out/m --bench pagerank --graph kron:9 --runs 1 --iterations 5 --ranks 1,16 --tiers "$1" --quiet
gable place /out/m --bench bfs --graph kron:9 --runs 1 --source 1 --tiers "$1" --quiet
if [ -d /mnt/pmem ]; then
  gable place /out/killed --bench bfs --graph kron:12 --runs 1000 --tiers /mnt/pmem --quiet &
  sleep 8
  kill -9 $!
  wait $! || true
  ls /mnt/pmem | grep -v lost+found >/out/left || true
  df -k /mnt/pmem | tail -n 1 | awk '{ print $3 }' >/out/used
fi
TEXT

places() {  # scenario, tiers, node of each tier (none: on no node)
  rm -rf "$work/m"
  guest "$1" --out "$work" --file "$work/inside:/inside" -- sh -e /inside "$2"
  same "$1: exit status" 0 $status
  python3 "$here/placed.py" "$work/m/placements.jsonl" "$2" "$3" || fail "$1: the placements"
}

# One thread a core, then one a hardware thread: twice as many.
guest smt --out "$work" -- gable place /out/smt --bench bfs --graph kron:8 --runs 1 --source 1 --smt=both --directions top-down --quiet
same 'smt: exit status' 0 $status
same 'smt: threads' 'one a core, then twice as many' "$(python3 - "$work/smt/placements.jsonl" <<'PY'
import json, sys
without, with_smt = (json.loads(line) for line in open(sys.argv[1]))
right = not without["smt"] and with_smt["smt"] and with_smt["threads"] == 2 * without["threads"] and with_smt["verified"]
print("one a core, then twice as many" if right else (without, with_smt))
PY
)"
places cxl DRAM,CXL 0,2
places pmem DRAM,/mnt/pmem 0,none
grep -q 'page cache' "$work/m/placements.jsonl" && fail 'a file on DAX is taken for page cache'
same 'files left' '' "$(cat "$work/left")"
[ "$(cat "$work/used")" -lt 1024 ] || fail "kill -9 left $(cat "$work/used") KiB in the tier"
finish
