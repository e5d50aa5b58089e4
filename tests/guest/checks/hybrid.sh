# The hybrid grid: every page is where its cell requests it, according to two interfaces of the kernel; hybrid.json matches the
# Samples. With faster memory of the same cluster: also the applications with which the model is compared, and all clusters at once.
case $scenario in
numa4)
  inside <<'TEXT'
test_bench --gtest_filter='MixedPlacement.*'
one_round /out/m --only pattern=hybrid,cluster=0
gable fit /out/m
TEXT
  take "$build/test_bench:/bin/test_bench"
  ;;
snc4-flat)
  inside <<'TEXT'
set -- --only pattern=hybrid,cluster=0,op=ddot --only pattern=hybrid,cluster=0,op=scale_nt --only pattern=hybrid_all
PRESET=standard one_round /out/m "$@" --only pattern=hybrid,cluster=0,op=triad_nt
TEXT
  ;;
esac
take "$here/one_round:/bin/one_round"

verify_hybrid() {
  cat "$work/out"
  if [ "$scenario" = numa4 ]; then
    grep -qE '0 +DRAM node [01] +DRAM node [01] +4 KiB( +[0-9.]+){4} +25 ' "$work/out" || fail 'gable fit shows no pair of nodes 0 and 1'
    python3 "$here/hybrid.py" "$work/m" || fail 'the grid is not as planned'
    return
  fi
  python3 - "$work/m/samples.jsonl" <<'TEXT' || fail 'the applications do not lie where their cells have them'
import collections, json, sys
shares, busy = collections.defaultdict(set), collections.defaultdict(set)
for line in open(sys.argv[1]):
    sample = json.loads(line)
    asked = sample["asked"]
    assert sample["status"] == "ok", sample["reason"]
    own = str(asked["cluster"])
    assert (asked["node"], asked["other_node"]) == (int(own), int(own) + 4), asked
    assert set(sample["node_bytes"]) <= {own, str(int(own) + 4)}, sample["node_bytes"]
    total = sum(sample["node_bytes"].values())
    share = sample["node_bytes"].get(own, 0) / total
    assert abs(share - asked["node_percent"] / 100) < 6 * 1.5 * 4096 / total, (asked, share)
    if asked["pattern"] == "hybrid_all":
        busy[asked["cluster"]].add((asked["op"], asked["node_percent"]))
    else:
        shares[asked["op"]].add(asked["node_percent"])
spots = {(op, percent) for op in ("load", "store_nt", "mix1_1_nt") for percent in (0, 50, 100)}
assert busy == {cluster: spots for cluster in range(4)}, busy
assert set(shares) == {"ddot", "scale_nt", "triad_nt"}, shares
assert all({0, 50, 100} < percents for percents in shares.values()), shares
TEXT
}
