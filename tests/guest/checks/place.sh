# gable place on emulated memories: a node without CPUs (CXL), a local node of another tier, and a DAX file system. Every result is
# right and every part is where it was requested. A file is persistent memory, on no node, and is removed afterwards, even if gable is
# killed. With SMT: one thread per core, then one per hardware thread, twice as many.
case $scenario in
smt) inside <<<'mkdir /out/smt; gable place /out/smt --bench bfs --graph kron:8 --runs 1 --source 1 --smt=both --directions top-down --quiet' ;;
cxl) tiers=DRAM,CXL nodes=0,2 ;; # the node of each tier, or none
pmem) tiers=DRAM,/mnt/pmem nodes=0,none ;;
aarch64) tiers=node:0,node:1 nodes=0,1 ;;
esac
[ "$scenario" = smt ] || {
  echo tiers=$tiers
  cat <<'TEXT'
mkdir /out/m /out/killed
gable place /out/m --bench pagerank --graph kron:9 --runs 1 --iterations 5 --ranks 1,16 --tiers $tiers --quiet
gable place /out/m --bench bfs --graph kron:9 --runs 1 --source 1 --tiers $tiers --quiet
used() { df -k /mnt/pmem | tail -n 1 | awk '{ print $3 }'; }
if [ -d /mnt/pmem ]; then
  before=$(used)
  gable place /out/killed --bench bfs --graph kron:12 --runs 1000 --tiers /mnt/pmem --quiet &
  for tenth in $(seq 300); do
    sleep 0.1
    used >/out/meanwhile
    [ $(cat /out/meanwhile) -lt $((before + 256)) ] || break
  done
  kill -9 $!
  wait $! || true
  ls /mnt/pmem | grep -v lost+found >/out/left || true
  echo "$before $(cat /out/meanwhile) $(used)" >/out/used
fi
TEXT
} | inside

verify_place() {
  if [ "$scenario" = smt ]; then
    same 'smt: threads' 'one a core, then twice as many' "$(python3 - "$work/smt/placements.jsonl" <<'PY'
import json, sys
without, with_smt = (json.loads(line) for line in open(sys.argv[1]))
right = not without["smt"] and with_smt["smt"] and with_smt["threads"] == 2 * without["threads"] and with_smt["verified"]
print("one a core, then twice as many" if right else (without, with_smt))
PY
)"
    return
  fi
  python3 "$here/placed.py" "$work/m/placements.jsonl" "$tiers" "$nodes" || fail 'the placements'
  if [ "$scenario" = pmem ]; then
    grep -q 'page cache' "$work/m/placements.jsonl" && fail 'a file on DAX is taken for page cache'
    same 'files left' '' "$(cat "$work/left")"
    local before meanwhile after
    read -r before meanwhile after <"$work/used"
    [ "$meanwhile" -ge $((before + 256)) ] || fail 'nothing is seen in the tier: nothing is shown'
    [ "$after" -lt $((before + 64)) ] || fail "kill -9 left $after KiB in the tier, which had $before before"
  fi
}
