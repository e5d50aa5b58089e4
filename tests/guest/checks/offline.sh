# A node goes offline after planning: its cells are skipped with a reason, all others are measured. Once it is back, its cells are
# measured. The node is persistent memory, local to one of two clusters.

inside <<'TEXT'
one_round /out/m --only op=load,level=memory --only latency,level=memory &
while [ ! -e /out/m/machine.json ]; do :; done  # it is written between planning and the first visit
kill -STOP "$(pidof gable)"
for block in /sys/devices/system/node/node2/memory*; do echo offline > "$block/state"; done
kill -CONT "$(pidof gable)"
wait $!
cp -r /out/m /out/offline
for block in /sys/devices/system/node/node2/memory*; do echo online_movable > "$block/state"; done
gable measure /out/m --preset quick --memory-set 32M --pages 4k --quiet --only node=2,op=load,level=memory --only node=2,latency --only pattern=congested,op=load,level=memory
TEXT
take "$here/one_round:/bin/one_round"

verify_offline() {
  python3 - "$work/offline/samples.jsonl" <<'PYTHON' || fail 'the Samples while the node was offline'
import json, sys
samples = [json.loads(line) for line in open(sys.argv[1])]
of_node = [sample for sample in samples if sample["asked"]["node"] == 2]
def skipped_for_the_node(sample):
    assert sample["status"] == "skipped" and "node 2" in json.dumps(sample["reason"]), sample["reason"]
for sample in samples:
    if sample in of_node:
        skipped_for_the_node(sample)
    elif sample["asked"].get("other_node") == 2 and sample["asked"]["node_percent"] < 100:  # of the hybrid grid
        skipped_for_the_node(sample)
    elif "NVM" not in sample["asked"]["tier"]:  # nor interleaved over all tiers
        assert sample["status"] == "ok", sample["reason"]
assert of_node and {sample["asked"]["tier"] for sample in of_node} == {"NVM"}
PYTHON
  python3 "$here/measured.py" "$work/m" || fail 'the Samples of the node that came back'
  "${gable[@]}" fit "$work/m" >"$work/fit.out" || fail 'fit'
}
