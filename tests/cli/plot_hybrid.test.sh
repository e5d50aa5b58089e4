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

# A suite on the Knights Landing: the points of the reviewed table, which are open only if simulated, and their pictures.
cp -r "$here/../../machines/knl-snc4-flat" "$work/knl"
chmod -R u+w "$work/knl"
program() { expect 0 '' point add "$work/knl" --cluster 0 --threads 16 --flops 1e9 --load-bytes 76e9 --policy "" "$@"; }
program --name mg --seconds 2.05 --access 0=load:76e9
program --name 'mg by interleave' --from mg --seconds 1.35 --access 0=load:38e9 --access 1=load:38e9
program --name 'mg by kmaf' --from mg --seconds 0.9 --access 0=load:12e9 --access 1=load:64e9
program --name 'mg by oracle' --from mg --seconds 0.84 --access 1=load:76e9
everywhere() { expect 0 '' point add "$work/knl" --cluster all --threads 64 --flops 1e9 --load-bytes 304e9 "$@"; }
everywhere --name lu --seconds 3.7 --policy first-touch --nodes 0=1,2=1,4=1,6=1
everywhere --name 'lu by interleave' --from lu --seconds 2.3 --policy interleave --nodes 0=1,1=1,2=1,3=1,4=1,5=1,6=1,7=1
sed -i '/"mg by kmaf"/s/"counter"/"simulated":true,"counter"/; /"mg by oracle"/s/"counter"/"simulated":true,"counter"/' "$work/knl/points.json"
for size in column screen; do
  expect 0 '' plot "$work/knl" --cluster 0 --size $size
  python3 "$here/plot_check.py" --pictures "$work/knl" || fail "knl, --size $size: see above"
done
grep '^point' "$work/knl/charts/hybrid-programs-0-0-1.tsv" >"$work/programs.tsv"
[ -z "${GABLE_REGENERATE:-}" ] || cp "$work/programs.tsv" "$data/knl-programs.tsv"
diff "$data/knl-programs.tsv" "$work/programs.tsv" || fail "the suite stands elsewhere; GABLE_REGENERATE=1 writes it anew"
grep -q '6 lu by interleave: 33.0 GB/s, 4 % below the estimate' "$work/knl/charts/hybrid-programs-0-0-1.svg" || fail "no distance to the model"
python3 - "$work/programs.tsv" <<'PYTHON' || fail "the points are not where tables 4 to 6 put them"
import csv, sys
rows = {row[1]: float(row[9]) for row in csv.reader(open(sys.argv[1]), delimiter="\t")}
ls, lf, theta_ls, theta_lf = 38.1, 92.0, 0.611, 0.722
def seconds(slow, fast, ls=ls, lf=lf):
    slow, fast = slow / ls, fast / lf
    return slow + theta_ls * fast if slow > fast else fast + theta_lf * slow
for name, value in {"mg": ls, "mg by interleave": 1 / seconds(0.5, 0.5), "mg by kmaf": 76 / seconds(12, 64), "mg by oracle": lf,
                    "lu": 21.7, "lu by interleave": 1 / seconds(0.5, 0.5, 19.8, 77.6)}.items():
    assert abs(rows[name] / value - 1) < 1e-9, (name, rows[name], value)
PYTHON

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
