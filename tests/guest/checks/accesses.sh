# Which memory a program accesses, on a machine with four nodes. By its profile and the location of its objects: pages are half on one
# node, and three quarters of the accesses go to the other half. By samples: gable point run --managed oracle, from learning to the point.
# On a busy host the guest is slow, so samples are fewer and pages are seen less often: the first program sleeps longer then.
inside <<'TEXT'
echo 0 > /proc/sys/kernel/numa_balancing
mkdir /out/m
gable machine --json > /out/m/machine.json
for seconds in 2 10 40; do
  gable point run /out/m --name hot --counter profile --repetitions 1 -- /bin/hot 2 $seconds
  ! grep -q '"source": *"profile"' /out/m/points.json || break
done
gable point run /out/m --name private --flops 1e9 --load-bytes 1e9 --store-bytes 1e9 --repetitions 1 --managed oracle -- affine private 12 on
TEXT
take "$build/affine:/bin/affine" "$build/hot:/bin/hot" "$build/libexec:/bin/libexec"

verify_accesses() {
  cat "$work/out"
  python3 - "$work/m/points.json" <<'TEXT' || fail 'the accesses of the points'
import json, sys
points = {point["name"]: point for point in json.load(open(sys.argv[1]))["points"]}
hot = next(point for name, point in points.items() if name.startswith("hot"))  # of a cluster, if it was seen there
access, pages = hot.get("access"), hot.get("node_bytes")
print(pages, access, hot["notes"])
if access is None or access["source"] != "profile":
    assert any(note["code"] in ("pages_seen_rarely", "data_not_seen") for note in hot["notes"]), hot
    print("no location: the host is too slow for its check")
else:
    shares = {node["node"]: node["load_bytes"] for node in access["nodes"]}
    shares = {node: bytes / sum(shares.values()) for node, bytes in shares.items()}
    assert 0.3 < pages["1"] / sum(pages.values()) < 0.7, pages
    assert abs(shares[0] - 0.25) < 0.03 and abs(shares[1] - 0.75) < 0.03, shares
oracle = points["private by oracle"]
access = oracle.get("access")
print(access, oracle["notes"])
assert oracle["from"] == "private", oracle
if access is None or access["source"] != "samples":
    print("no samples: the host is too slow for their check")
    sys.exit()
assert {node["cluster"] for node in access["nodes"]} <= {0, 1, 2, 3}, access
assert abs(sum(node["load_bytes"] for node in access["nodes"]) - 1e9) < 1, access
assert {"code": "stores_not_told", "arguments": []} in oracle["notes"], oracle["notes"]
# Each thread works on pages of its own, which the oracle moved to its node.
own = sum(node["load_bytes"] for node in access["nodes"] if node["node"] == node["cluster"]) / 1e9
if access["samples"] < 500:
    print("few samples: the host is too slow for the check of shares")
else:
    assert own > 0.7, (own, access["samples"])
TEXT
}
