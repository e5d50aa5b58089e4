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
expect 2 'one of --csv, --hwloc and --c2c' export "$work/m"
expect 2 'one of --csv, --hwloc and --c2c' export "$work/m" --csv --hwloc
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

finish
