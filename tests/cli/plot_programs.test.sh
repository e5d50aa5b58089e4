#!/bin/bash
# Charts of functions, objects and programs without flops: drawn whole, in a paper's column too, and in the report.
source "$(dirname "$0")/expect.sh" "$1"
needs python3 gnuplot
python3 "$here/plot_fixtures.py" "$work"
dir=$work/joe0
cp "$here/../fuzz/corpus/points/profiled.json" "$dir/points.json"

# texts FILE: those of a picture, in $work/texts.
texts() {
  python3 - "$1" >"$work/texts" <<'PYTHON'
import sys, xml.etree.ElementTree as xml
for text in xml.parse(sys.argv[1]).iter("{http://www.w3.org/2000/svg}text"):
    print("".join(text.itertext()).strip())
PYTHON
}
shows() {
  local file=$1 text
  shift
  texts "$file"
  for text in "$@"; do grep -qxF -e "$text" "$work/texts" || fail "$file lacks '$text': $(sort -u "$work/texts")"; done
}

expect 0 '' plot "$dir" --cluster 0
[ ! -s "$work/err" ] || fail "gnuplot complained: $(cat "$work/err")"
[ ! -e "$dir/charts/functions-0.svg" ] || fail "functions are drawn unasked"
shows "$dir/charts/objects-0.svg" 'x (a.c:3)' table 'solver: 4.00 GB' '3.00 GB, 75 %' reads writes
shows "$dir/charts/accesses-0.svg" join 'accesses per byte of a level'
texts "$dir/charts/larm-0.svg"
grep -qx join "$work/texts" && fail "a program without flops is among those with flops"
expect 0 '' plot "$dir" --cluster 0 --functions --size column --output "$work/column"
[ ! -s "$work/err" ] || fail "gnuplot complained: $(cat "$work/err")"
for chart in functions objects accesses; do [ -s "$work/column/$chart-0.pdf" ] || fail "no $chart-0.pdf"; done
shows "$work/column/functions-0.svg" 'a 50 %' 'b 50 %'
expect 2 'no roof or series has that' plot "$dir" --hide 'no such'
expect 0 '' plot "$dir" --cluster 0 --functions --hide 'solver: b' --hide writes --output "$work/hidden" --format svg
texts "$work/hidden/functions-0.svg"
grep -q 'solver: b' "$work/texts" && fail "a hidden function is drawn"
texts "$work/hidden/objects-0.svg"
grep -qx writes "$work/texts" && fail "hidden writes are drawn"

expect 0 '' report "$dir"
python3 - "$dir/report.html" <<'PYTHON' || fail "the report lacks the charts of programs"
import sys
page = open(sys.argv[1]).read()
for section, chart in ("functions", "functions-0"), ("objects", "objects-0"), ("larm", "accesses-0"):
    begin = page.index(f'<section id="{section}"')
    assert f'id="chart-{chart}"' in page[begin : page.index("</section>", begin)], section
PYTHON
finish
