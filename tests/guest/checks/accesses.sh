# Which memory a program accesses, on a machine with four nodes. By its profile and the location of its objects: pages are half on one
# node, and three quarters of the accesses go to the other half. By samples: gable point run --managed oracle, from learning to the point.
inside <<'TEXT'
echo 0 > /proc/sys/kernel/numa_balancing
mkdir /out/m
gable machine --json > /out/m/machine.json
gable point run /out/m --name hot --counter profile --repetitions 1 -- /bin/hot 2
gable point run /out/m --name private --flops 1e9 --load-bytes 1e9 --store-bytes 1e9 --repetitions 1 --managed oracle -- affine private 5 on
TEXT
take "$build/affine:/bin/affine" "$build/hot:/bin/hot" "$build/libexec:/bin/libexec"

verify_accesses() {
  cat "$work/out"
  python3 - "$work/m/points.json" <<'TEXT' || fail 'the accesses of the points'
import json, sys
points = {point["name"]: point for point in json.load(open(sys.argv[1]))["points"]}
hot = next(point for name, point in points.items() if name.startswith("hot"))  # of a cluster, if it was seen there
access, pages = hot["access"], hot["node_bytes"]
print(pages, access)
shares = {node["node"]: node["load_bytes"] for node in access["nodes"]}
shares = {node: bytes / sum(shares.values()) for node, bytes in shares.items()}
assert access["source"] == "profile" and 0.3 < pages["1"] / sum(pages.values()) < 0.7, pages
assert abs(shares[0] - 0.25) < 0.03 and abs(shares[1] - 0.75) < 0.03, shares
oracle = points["private by oracle"]
print(oracle["access"], oracle["notes"])
assert oracle["from"] == "private" and oracle["access"]["source"] == "samples", oracle
seen = {node["cluster"] for node in oracle["access"]["nodes"]}  # few samples in a few seconds: not always all four
assert len(seen) >= 2 and seen <= {0, 1, 2, 3}, oracle["access"]
assert abs(sum(node["load_bytes"] for node in oracle["access"]["nodes"]) - 1e9) < 1, oracle["access"]
assert {"code": "stores_not_told", "arguments": []} in oracle["notes"], oracle["notes"]
TEXT
}
