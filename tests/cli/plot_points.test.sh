#!/usr/bin/env bash
# Points on the LARM chart: names are unchanged, positions match the figures, on the right cluster's chart.
source "$(dirname "$0")/expect.sh" "$1"
needs python3 gnuplot
python3 "$here/plot_fixtures.py" "$work"
dir=$work/joe0
add() { "$gable" point add "$dir" "$@" >/dev/null || exit 1; }
names=('plain' 'two words' "it's" '"quoted"' 'back\slash \n' '{x}_^@&%~' '$(id) `id`' 'µ✓ 日本' '-- # %s %d' '<b>&amp;')
i=0
for name in "${names[@]}"; do
  i=$((i + 1))
  add --name "$name" --cluster 0 --flops "${i}e9" --load-bytes 16e9 --seconds 1 --seconds-lo 0.9 --seconds-hi 1.1 --nodes 0=1
done
add --name elsewhere --cluster 1 --flops 1e9 --load-bytes 8e9 --seconds 1
add --name everywhere --cluster all --flops 4e9 --load-bytes 32e9 --seconds 1
add --name far --cluster 0 --flops 1e6 --load-bytes 8e9 --seconds 1
add --name 'no place' --cluster 0 --flops 0 --load-bytes 8e9 --seconds 1
"$gable" plot "$dir" >"$work/out" 2>"$work/err" || { cat "$work/err"; exit 1; }
[ ! -s "$work/err" ] || { echo "FAILED: gnuplot complained: $(cat "$work/err")"; exit 1; }
python3 - "$dir" "${names[@]}" <<'PYTHON' || exit 1
import csv, sys, xml.etree.ElementTree as xml
folder, names = sys.argv[1], sys.argv[2:]
def shown(cluster):
    return ["".join(text.itertext()).strip() for text in
            xml.parse(f"{folder}/charts/larm-{cluster}.svg").iter("{http://www.w3.org/2000/svg}text")]
texts = shown(0)
for name in names + ["everywhere", "far: 0.00013 flop/byte, 0.001 GFlop/s"]:
    assert texts.count(name) == 2, (name, texts)  # gnuplot writes a text, the box behind it and the text again
assert "elsewhere" not in texts and "no place" not in texts
assert any("1 point without flops or bytes" in text for text in texts), texts
assert "elsewhere" in shown(1) and "plain" not in shown(1) and "everywhere" in shown(1)
rows = [row for row in csv.DictReader(open(f"{folder}/charts/larm-0.tsv"), delimiter="\t", quoting=csv.QUOTE_NONE)
        if row["kind"] == "point"]
assert len(rows) == len(names) + 2, rows
for i, row in enumerate(rows[: len(names)]):
    assert abs(float(row["flop_per_byte"]) - (i + 1) / 16) < 1e-9 and abs(float(row["value"]) - (i + 1)) < 1e-9, row
    assert float(row["lo"]) < float(row["value"]) < float(row["hi"]), row
everywhere = next(row for row in rows if row["point"] == "everywhere")
assert abs(float(everywhere["value"]) - 1) < 1e-9, everywhere  # a quarter of it
PYTHON
python3 "$here/plot_check.py" "$dir" || exit 1

# The chart shortens a long name in the middle, the table has all of it.
long="an application whose name é goes on and on, interleave, 16 threads, run 12"
"$gable" point add "$dir" --name "$long" --cluster 1 --flops 2e9 --load-bytes 16e9 --seconds 1.2 >/dev/null || exit 1
"$gable" plot "$dir" --cluster 1 >/dev/null || exit 1
grep -q '>an application w…threads, run 12<' "$dir/charts/larm-1.svg" || { echo "a long name is not cut"; exit 1; }
"$gable" plot "$dir" --size column --output "$work/column" >/dev/null || exit 1
grep -qE '>an app[^<]*…[^<]*12<' "$work/column/larm-1.svg" && ! grep -q '>an application w…threads, run 12<' "$work/column/larm-1.svg" ||
  { echo "in a narrow chart, a long name is not cut to half of it"; exit 1; }
grep -qF "$long" "$dir/charts/larm-1.tsv" || { echo "the table lacks a long name"; exit 1; }

# An arrow leads from a point to a derived one; if they are too close, the label names the origin. Others have no arrow.
add --name slow --cluster 1 --flops 2e9 --load-bytes 8e9 --seconds 4
add --name fast --cluster 1 --from slow --flops 2e9 --load-bytes 8e9 --seconds 1
add --name near --cluster 1 --from fast --flops 2e9 --load-bytes 8e9 --seconds 1.001
add --name 'from elsewhere' --cluster 1 --from plain --flops 2e9 --load-bytes 2e9 --seconds 1
"$gable" plot "$dir" >"$work/out" 2>"$work/err" || { cat "$work/err"; exit 1; }
[ ! -s "$work/err" ] || { echo "FAILED: gnuplot complained: $(cat "$work/err")"; exit 1; }
python3 - "$dir" <<'PYTHON' || exit 1
import csv, sys, xml.etree.ElementTree as xml
folder = sys.argv[1]
texts = ["".join(text.itertext()).strip() for text in
         xml.parse(f"{folder}/charts/larm-1.svg").iter("{http://www.w3.org/2000/svg}text")]
assert {"slow", "fast", "near (from fast)", "from elsewhere"} <= set(texts), texts
rows = {row["point"]: row for row in csv.DictReader(open(f"{folder}/charts/larm-1.tsv"), delimiter="\t", quoting=csv.QUOTE_NONE)
        if row["kind"] == "point"}
assert {name: row["from"] for name, row in rows.items() if row["from"]} == \
    {"fast": "slow", "near": "fast", "from elsewhere": "plain"}, rows
PYTHON

# More than a dozen have numbers; the legend has the names, with every sign in them.
add --name thirteenth --cluster 0 --flops 3e9 --load-bytes 20e9 --seconds 1
"$gable" plot "$dir" --cluster 0 >"$work/out" 2>"$work/err" || { cat "$work/err"; exit 1; }
[ ! -s "$work/err" ] || { echo "FAILED: gnuplot complained: $(cat "$work/err")"; exit 1; }
python3 - "$dir" "${names[@]}" <<'PYTHON' || exit 1
import sys, xml.etree.ElementTree as xml
folder, names = sys.argv[1], sys.argv[2:]
texts = ["".join(text.itertext()).strip() for text in
         xml.parse(f"{folder}/charts/larm-0.svg").iter("{http://www.w3.org/2000/svg}text")]
for number, name in enumerate(names, 1):
    assert name not in texts and f"{number} {name}" in texts and str(number) in texts, (name, texts)
PYTHON
echo "all points drawn and checked"
