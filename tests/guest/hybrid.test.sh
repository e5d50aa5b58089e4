#!/bin/bash
# The hybrid grid on four memory nodes: every page where its cell asks for it, as two interfaces of the kernel tell it,
# and hybrid.json from the Samples.
. "$(dirname "$0")/expect.sh"

guest numa4 --out "$work/back" --file "$build/test_bench:/bin/test_bench" -- sh -ec '
  test_bench --gtest_filter="MixedPlacement.*"
  gable measure /out/m --only pattern=hybrid,cluster=0 --memory-set 32M --pages 4k --preset quick --quiet
  gable fit /out/m'
cat "$work/out"
same 'exit status' 0 $status
grep -qE '0 +DRAM node [01] +DRAM node [01] +4k( +[0-9.]+){4} +25 ' "$work/out" || fail 'gable fit shows no pair of nodes 0 and 1'
python3 "$here/hybrid.py" "$work/back/m" || fail 'the grid is not as planned'

# The applications that the model is held against, over DRAM and the faster memory of the same cluster.
guest snc4-flat --out "$work/back-fast" -- sh -ec '
  set -- --only pattern=hybrid,cluster=0,op=ddot --only pattern=hybrid,cluster=0,op=scale_nt
  gable measure /out/m "$@" --only pattern=hybrid,cluster=0,op=triad_nt --memory-set 32M --pages 4k --preset standard --quiet'
same 'exit status' 0 $status
python3 - "$work/back-fast/m/samples.jsonl" <<'TEXT' || fail 'the applications do not lie where their cells have them'
import collections, json, sys
shares = collections.defaultdict(set)
for line in open(sys.argv[1]):
    sample = json.loads(line)
    asked = sample["asked"]
    assert sample["status"] == "ok", sample["reason"]
    assert (asked["node"], asked["other_node"]) == (0, 4), asked
    assert set(sample["node_bytes"]) <= {"0", "4"}, sample["node_bytes"]
    total = sum(sample["node_bytes"].values())
    share = sample["node_bytes"].get("0", 0) / total
    assert abs(share - asked["node_percent"] / 100) < 6 * 1.5 * 4096 / total, (asked, share)
    shares[asked["op"]].add(asked["node_percent"])
assert set(shares) == {"ddot", "scale_nt", "triad_nt"}, shares
assert all({0, 50, 100} < percents for percents in shares.values()), shares
TEXT
finish
