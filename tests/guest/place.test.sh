#!/bin/bash
# gable place on a DAX file system: what lies there is persistent memory, on no node, and is gone afterwards.
. "$(dirname "$0")/expect.sh"

cat >"$work/inside" <<'TEXT'
gable place /out/m --bench bfs --graph kron:9 --runs 1 --source 1 --tiers DRAM,/mnt/pmem
ls /mnt/pmem | grep -v lost+found > /out/left || true
TEXT
guest pmem --out "$work" --file "$work/inside:/inside" -- sh -e /inside
same 'exit status' 0 $status
same 'records' 12 "$(wc -l <"$work/m/placements.jsonl")"
grep -q 'on DAX"' "$work/m/placements.jsonl" || fail 'a file on DAX is not called so'
grep -q 'page cache' "$work/m/placements.jsonl" && fail 'a file on DAX is taken for page cache'
same 'files left' '' "$(cat "$work/left")"
finish
