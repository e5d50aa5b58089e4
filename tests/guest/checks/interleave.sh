# gable kmaf run --policy interleave and random: the program's pages go round-robin over all memory nodes, with cores
# or without, as under the policies of these names in a replay.
inside <<'TEXT'
gable machine --json > /out/machine.json
for policy in interleave random; do
  gable kmaf run --policy $policy --report /out/report -- cat /proc/self/numa_maps > /out/$policy.maps
done
TEXT

verify_interleave() {
  for policy in interleave random; do
    python3 - "$work/machine.json" "$work/$policy.maps" <<'TEXT' || fail "$policy: the program's memory policy"
import json, sys
nodes = [node["os_index"] for node in json.load(open(sys.argv[1]))["nodes"]]
clusters = json.load(open(sys.argv[1]))["clusters"]
policies = {line.split()[1] for line in open(sys.argv[2])}
print(nodes, policies)
assert len(nodes) > len(clusters), "every node has cores: nothing is shown"
assert "interleave:{}-{}".format(min(nodes), max(nodes)) in policies, policies
TEXT
  done
}
