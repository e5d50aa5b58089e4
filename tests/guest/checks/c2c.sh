# Lines between cores: every visit has its threads on the CPUs and its pages on the node that it asks for, every class of pairs is
# there, and no speed is checked.
inside <<'INSIDE'
gable measure /out/c2c --only c2c --quiet
INSIDE

verify_c2c() {
  python3 - "$work/c2c" "$here/expected/$scenario.json" <<'PYTHON' || fail 'c2c.jsonl is not what the machine calls for'
import json, os, sys
path = f"{sys.argv[1]}/c2c.jsonl"
clusters = json.load(open(sys.argv[2]))["clusters"]
cores = [core for cluster in clusters for core in cluster["core_pus"]]
node_of = {pu: cluster["nodes"][0] for cluster in clusters if cluster["nodes"] for pu in cluster["pus"]}
visits = [json.loads(line) for line in open(path)] if os.path.exists(path) else []
if len(cores) == 1 and len(cores[0]) == 1:
    assert not visits
    sys.exit()
for each in visits:
    asked = each["asked"]
    assert each["status"] == "ok" or each["reason"], each  # the host may stop the emulated CPUs, which is no matter of places
    assert each["cpus"] == asked["pus"], each
    assert set(each["node_bytes"]) == {str(asked["node"])}, each
    if len(asked["pus"]) == 2 and "home" in asked:
        nodes = [node_of[pu] for pu in asked["pus"]]
        own = [name for name, node in zip(("first", "second"), nodes) if node == asked["node"]]
        assert asked["home"] == ("both" if len(own) == 2 else own[0] if own else "other"), each
        same_core = any(set(asked["pus"]) <= set(core) for core in cores)
        assert (asked["relation"] == "core") == same_core, each
assert any(each["status"] == "ok" for each in visits)
measures = {each["asked"]["measure"] for each in visits}
assert measures == {"handoff", "modified", "shared", "increments", "lock"}, measures
relations = {each["asked"].get("relation") for each in visits}
assert ("core" in relations) == any(len(core) > 1 for core in cores), relations
homes = {each["asked"].get("home") for each in visits}
assert len(clusters) == 1 or {"first", "second"} <= homes, homes
assert len(clusters) < 3 or "other" in homes, homes
PYTHON
}
