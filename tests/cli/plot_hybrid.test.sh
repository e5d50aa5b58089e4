#!/usr/bin/env bash
# The charts of a pair of memories.
source "$(dirname "$0")/expect.sh" "$1"
needs python3 gnuplot

two_memories "$work/made"
fresh() {
  rm -rf "$work/m"
  cp -r "$work/made" "$work/m"
}

fresh
"$gable" plot "$work/m" >"$work/out" 2>"$work/err" || fail "gable plot: $(cat "$work/err")"
[ ! -s "$work/err" ] || fail "gnuplot complained: $(cat "$work/err")"
python3 "$here/plot_hybrid_check.py" "$work/m" || fail "the tables: see above"
python3 "$here/plot_check.py" "$work/m" || fail "the pictures: see above"
for chart in hybrid-0-0-1 hybrid-applications-0-0-1; do
  [ -s "$work/m/charts/$chart.svg" ] && [ -s "$work/m/charts/$chart.png" ] || fail "no $chart"
  grep -q 'held-out error' "$work/m/charts/$chart.svg" || fail "$chart: the legend has no errors"
done
"$gable" plot "$work/m" --cluster 0 --format pdf >"$work/out" && [ -s "$work/m/charts/hybrid-0-0-1.pdf" ] || fail "--cluster, pdf"

# The check detects a wrong curve.
sed -i 's/"lf":{"ss":\([0-9.]*\)/"lf":{"ss":9/; 0,/"sf":0\.9/s//"sf":0.8/' "$work/m/hybrid.json"
python3 "$here/plot_hybrid_check.py" "$work/m" >"$work/found" && fail "another θ goes unnoticed"

# Without applications, grid or model: missing charts are named.
fresh
python3 - "$work/m/hybrid.json" <<'PYTHON'
import json, sys
document = json.load(open(sys.argv[1]))
del document["pairs"][0]["applications"]
json.dump(document, open(sys.argv[1], "w"))
PYTHON
"$gable" plot "$work/m" --format svg >"$work/out" 2>&1 || fail "no applications: $(cat "$work/out")"
grep -q 'not drawn: hybrid-applications-0-0-1: no ddot' "$work/out" || fail "no applications, and nothing said"
fresh
python3 - "$work/m/hybrid.json" <<'PYTHON'
import json, sys
document = json.load(open(sys.argv[1]))
document["pairs"][0].update(status="skipped", reason="too little memory for the grid", cells=[])
json.dump(document, open(sys.argv[1], "w"))
PYTHON
"$gable" plot "$work/m" --format svg >"$work/out" 2>&1 || fail "a skipped pair: $(cat "$work/out")"
grep -q 'not drawn: hybrid-0-0-1: too little memory for the grid' "$work/out" || fail "a skipped pair has no reason"
fresh
sed -i 's/"seconds":/"sekunden":/' "$work/m/hybrid.json"
"$gable" plot "$work/m" >"$work/out" 2>"$work/err"
[ $? = 2 ] && grep -q "$work/m/hybrid.json:[0-9]" "$work/err" || fail "a broken hybrid.json: $(cat "$work/err")"

[ $failures -eq 0 ] && echo "all charts drawn and checked"
exit $((failures > 0))
