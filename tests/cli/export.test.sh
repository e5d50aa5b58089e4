#!/bin/bash
# gable export: CSV and hwloc XML of a recorded folder.
source "$(dirname "$0")/expect.sh" "$1"

python3 "$data/two_clusters.py" "$work/m" || fail two_clusters.py
expect 2 'roofs.json: no such file; run `gable fit' export "$work/m" --csv
expect 2 'roofs.json: no such file; run `gable fit' export "$work/m" --hwloc
mkdir "$work/none" && cp "$work/m/machine.json" "$work/none"
expect 2 'roofs.json: no such file; run `gable measure .*none` and `gable fit .*none` first' export "$work/none" --csv
sed -i 's/no 1 GiB pages/no \\"1 GiB\\", or larger, pages/' "$work/m/samples.jsonl"
"$gable" fit "$work/m" >"$work/out" || fail "gable fit"
cp "$work/m/roofs.json" "$work/roofs.json"

# CSV: every roof and step, every field as in roofs.json, quotes and commas included.
expect 0 '' export "$work/m" --csv -o "$work/roofs.csv"
[ -s "$work/out" ] && fail "-o also prints"
expect 0 '' export "$work/m" --csv
cmp -s "$work/out" "$work/roofs.csv" || fail "-o writes something else than is printed"
python3 - "$work/m/roofs.json" "$work/roofs.csv" <<'PYTHON' || fail "the CSV is not what roofs.json says"
import csv, json, sys
document = json.load(open(sys.argv[1]))
roofs = document["roofs"] + document["ladder"]
rows = list(csv.DictReader(open(sys.argv[2], newline="")))
assert len(rows) == len(roofs)
for row, roof in zip(rows, roofs):
    assert set(roof) <= set(row), set(roof) - set(row)
    for name, value in roof.items():
        if value is None or name in ("lo", "hi") and roof["n"] < 2:
            assert row[name] == "", (name, row)
        elif isinstance(value, bool):
            assert row[name] == str(value).lower(), (name, row)
        elif isinstance(value, (int, float)):
            assert row[name] == "" and roof["status"] != "ok" or float(row[name]) == value, (name, row)
        else:
            assert row[name] == value, (name, row)
assert any('"1 GiB", or larger,' in row["reason"] for row in rows)
PYTHON

# OpenMetrics text: a small parser of the format, and prometheus_client's where it is installed. Every figure that is ok is there
# once, in base units, with the ends of its interval.
python3 "$data/c2c.py" "$work/m2" "$gable" 4 3 || fail 'data/c2c.py'
cp "$work/m2/c2c.jsonl" "$work/m"
sed -i 's/"name": "[^"]*"/"name": "a \\\\ \\"b\\""/' "$work/m/machine.json"
expect 0 '' export "$work/m" --openmetrics
cp "$work/out" "$work/metrics"
expect 0 '' export "$work/m" --openmetrics -o "$work/metrics.prom"
cmp -s "$work/metrics" "$work/metrics.prom" || fail '--openmetrics -o writes something else than is printed'
python3 - "$work/metrics" "$work/roofs.json" <<'PYTHON' || fail "not OpenMetrics: $(head -30 "$work/metrics")"
import json, re, sys
text = open(sys.argv[1]).read()
roofs = [roof for roof in json.load(open(sys.argv[2]))["roofs"] if roof["status"] == "ok"]
assert text.endswith("# EOF\n") and text.count("# EOF") == 1
families, samples, current = {}, {}, None
sample = re.compile(r'([a-z0-9_]+)\{((?:[a-z0-9_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\} (\S+)')
for line in text.splitlines()[:-1]:
    if line.startswith("# "):
        kind, name, rest = line[2:].split(" ", 2)
        if kind == "TYPE":
            assert name not in families and rest == "gauge", line
            families[name], current = set(), name
        assert name == current and kind not in families[name], line
        families[name].add(kind)
        assert kind != "UNIT" or name.endswith("_" + rest), line
        continue
    match = sample.fullmatch(line)
    assert match and match[1] == current, line
    labels = tuple(re.findall(r'([a-z0-9_]+)="((?:[^"\\]|\\.)*)"', match[2]))
    assert len(dict(labels)) == len(labels) and dict(labels)["machine"] == r'a \\ \"b\"', line
    assert (current, labels) not in samples, line
    samples[current, labels] = float(match[3])
assert all({"TYPE", "HELP"} <= kinds for kinds in families.values())
def of(name, **labels):
    return [value for (family, own), value in samples.items() if family == name and labels.items() <= dict(own).items()]
best = {}
for roof in roofs:
    if roof["kind"] == "bandwidth":
        question = (str(roof["cluster"]), roof["level"], roof["pattern"], roof["op"], roof["tier"], "" if roof["node"] is None else str(roof["node"]))
        best[question] = max(best.get(question, 0), roof["value"])
assert len(of("gable_bandwidth_bytes_per_second")) == len(best) > 3, (len(best), len(of("gable_bandwidth_bytes_per_second")))
for (cluster, level, pattern, op, tier, node), value in best.items():
    found = of("gable_bandwidth_bytes_per_second", cluster=cluster, level=level, pattern=pattern, op=op, tier=tier, **({"node": node} if node else {}))
    assert any(abs(each - value * 1e9) < 1e-6 * each for each in found), (cluster, level, pattern, op, found, value)
for (family, labels), value in samples.items():
    low = family.replace("_bytes_", "_low_bytes_") if "_bytes_" in family else family.replace("_seconds", "_low_seconds")
    if (low, labels) in samples and low != family and "_high" not in family and "_low" not in family:
        assert samples[low, labels] <= value <= samples[low.replace("_low_", "_high_"), labels], family
assert len(of("gable_c2c_seconds", measure="handoff")) == 4 and 17e-9 < min(of("gable_c2c_seconds", measure="handoff")) < 19e-9
assert of("gable_c2c_differing_pairs") == [1] and len(of("gable_c2c_fairness")) == 4
try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
except ImportError:
    sys.exit()
assert sum(len(family.samples) for family in text_string_to_metric_families(text)) == len(samples)
PYTHON
rm "$work/m/c2c.jsonl"

# A figure without an interval has none in the CSV, rather than one of no width.
expect 0 '' export joe0 --csv
grep -q '^0,bandwidth,L1,cache,.*,760.1,,,GB/s,0,' "$work/out" || fail "joe0: $(head -3 "$work/out")"
expect 0 '' export knl-snc4-flat --csv
grep -qE ',38.1,[0-9.]+,[0-9.]+,GB/s,' "$work/out" || fail "knl-snc4-flat: $(head -3 "$work/out")"

# hwloc XML: hwloc reads it, and finds the fast memory.
expect 0 '' export "$work/m" --hwloc -o "$work/measured.xml"
if command -v hwloc-calc >/dev/null; then
  for cluster in 0 1; do
    best=$(hwloc-calc -i "$work/measured.xml" --local-memory --best-memattr bandwidth "package:$cluster")
    [ "$best" = $((2 * cluster + 1)) ] || fail "cluster $cluster: hwloc calls node '$best' the fastest, not its HBM"
    best=$(hwloc-calc -i "$work/measured.xml" --local-memory --best-memattr latency "package:$cluster")
    [ "$best" = $((2 * cluster)) ] || fail "cluster $cluster: hwloc calls node '$best' the nearest, not its DRAM"
  done
  lstopo-no-graphics -i "$work/measured.xml" --memattrs >"$work/attributes" || fail "hwloc does not read the XML"
  bandwidths=$(sed -n '/`Bandwidth/,/name `/p' "$work/attributes" | grep -c 'NUMANode L#. = .* from')
  latencies=$(sed -n '/`Latency/,/name `/p' "$work/attributes" | grep -c 'NUMANode L#. = .* from')
  [ "$bandwidths" = 8 ] && [ "$latencies" = 8 ] || fail "$bandwidths bandwidths and $latencies latencies, expected 8 and 8"
else
  echo "not tried: reading the XML back (hwloc's programs are not installed)"
fi

# Wrong usage and bad input.
expect 2 'one of --csv, --hwloc, --c2c and --openmetrics' export "$work/m"
expect 2 'one of --csv, --hwloc, --c2c and --openmetrics' export "$work/m" --csv --hwloc
expect 2 'no such folder' export "$work/absent" --csv
expect 2 'DIR' export --csv
expect 1 'cannot write .*absent/x.csv: No such file' export "$work/m" --csv -o "$work/absent/x.csv"
expect 1 'cannot write /dev/full: No space left' export "$work/m" --csv -o /dev/full

sed -i '5s/"threads":[0-9]*/"threads":"many"/' "$work/m/roofs.json"
expect 2 'roofs.json:5: roofs\[2\]: "threads" is "many"' export "$work/m" --csv
truncate -s 3000 "$work/m/roofs.json"
expect 2 'roofs.json:[0-9]+: not JSON.*gable fit' export "$work/m" --csv
: >"$work/m/roofs.json"
expect 2 'roofs.json:1: not JSON' export "$work/m" --csv

cp "$work/roofs.json" "$work/m/roofs.json"
echo old >"$work/old.xml"
truncate -s 3000 "$work/m/topology.xml"
expect 2 'topology.xml' export "$work/m" --hwloc -o "$work/old.xml"
rm "$work/m/topology.xml"
expect 2 'topology.xml' export "$work/m" --hwloc -o "$work/old.xml"
[ "$(cat "$work/old.xml")" = old ] || fail "a failed export cost the old file"
cp "$data/two-clusters.xml" "$work/m/topology.xml"
grep -vE '"level":"memory"' "$work/roofs.json" >"$work/m/roofs.json"
python3 - "$work/roofs.json" "$work/m/roofs.json" <<'PYTHON'
import json, sys
document = json.load(open(sys.argv[1]))
document["roofs"] = [roof for roof in document["roofs"] if roof["level"] != "memory"]
json.dump(document, open(sys.argv[2], "w"))
PYTHON
expect 2 'no local or remote load bandwidth' export "$work/m" --hwloc

# A wrong unit is refused with those that there are, each once.
sed 's/"unit": *"GB\/s"/"unit":"furlong"/' "$work/roofs.json" >"$work/m/roofs.json"
expect 2 'one of GB/s, GFlop/s, ns, M/s, G/s' export "$work/m" --csv

expect 2 'no figures between cores; this machine comes with Gable' export joe0 --c2c
finish
