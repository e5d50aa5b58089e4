#!/bin/bash
# gable fit --grid on grids of other tools: it finds known parameters, and names invalid input.
source "$(dirname "$0")/expect.sh" "$1"
here=$(dirname "$0")

# check NAME NOISE: theta of the JSON that was printed, against the paper's.
check() {
  python3 - "$here" "$1" "$2" "$work/out" <<'PYTHON' || fail "theta of $1 with noise $2 did not come back"
import json, math, sys
sys.path.insert(0, sys.argv[1])
import grid
truth, noise, fit = grid.THETA[sys.argv[2]], float(sys.argv[3]), json.load(open(sys.argv[4]))
assert fit["schema"] == 1 and fit["better"] == "equation5", fit["better"]
far = 0
for x in truth:
    assert abs(fit["bandwidth_gb_per_s"][x] * 1e9 / grid.BANDWIDTH[x] - 1) <= 1e-9 + 5 * noise
    assert set(fit["theta"][x]) == set(truth[x]) == set(fit["phased"]["theta"][x]) == set(fit["turnaround"]["theta"][x])
    for y in truth[x]:
        off = abs(fit["theta"][x][y] - truth[x][y])
        assert off <= 1e-9 if noise == 0 else off <= 3 * fit["standard_error"][x][y], (x, y, fit["theta"][x][y])
errors = fit["errors"]
assert set(errors) >= {"paper_percent", "rms_percent", "max_percent", "held_out_rms_percent"}
assert math.isclose(errors["paper_percent"] * math.sqrt(errors["cells"]), errors["rms_percent"], rel_tol=1e-9, abs_tol=1e-12)
assert errors["rms_percent"] <= errors["max_percent"] <= 1e-6 + 1000 * noise
assert noise == 0 or 50 * noise < errors["held_out_rms_percent"] < 200 * noise
PYTHON
}

for machine in SKYLAKE KNL; do
  python3 "$here/grid.py" $machine 1 0 1 >"$work/exact.csv"
  expect 0 '' fit --grid "$work/exact.csv" --json
  check $machine 0
  python3 "$here/grid.py" $machine 1 0.01 1 >"$work/noisy.csv"
  expect 0 '' fit --grid "$work/noisy.csv" --json
  check $machine 0.01
done

# The order of the rows, line ends, a byte order mark, empty lines and duplicate rows do not change the output.
expect 0 '' fit --grid "$work/noisy.csv"
cp "$work/out" "$work/table"
[ "$(awk 'length > 140' "$work/out")" = "" ] || fail "the table is wider than 140 columns"
grep -q ' $' "$work/out" && fail "the table has trailing spaces"
for pattern in '^  ls  *loads from the slow memory  *3[0-9.]+' 'lf dominates .*±' '\? lf/ls: lf never dominates while ls' \
  'held out' 'as the paper' 'best model is equation 5' 'theta, turnaround' '^  contention  *contention of equally long transfers  *-?[0-9.]+ ± ' '441 rows, 441 cells'; do
  grep -qE "$pattern" "$work/out" || fail "the table lacks '$pattern'"
done
{ printf '\xef\xbb\xbf' && head -1 "$work/noisy.csv" && echo && tail -n +2 "$work/noisy.csv" | tac; } | sed 's/$/\r/' >"$work/other.csv"
expect 0 '' fit --grid "$work/other.csv"
cmp "$work/out" "$work/table" || fail "the same rows in another order gave another table"
{ cat "$work/noisy.csv" && tail -n +2 "$work/noisy.csv"; } >"$work/twice.csv"
expect 0 '' fit --grid "$work/twice.csv"
diff <(grep theta "$work/out" -A5 | grep dominates) <(grep theta "$work/table" -A5 | grep dominates) >&2 ||
  fail "each row twice gave other theta"

# A million rows.
awk 'NR == 1 { print; next } { for (i = 0; i < 2268; ++i) print }' "$work/noisy.csv" >"$work/million.csv"
expect 0 '' fit --grid "$work/million.csv"
grep -q '1000188 rows, 441 cells' "$work/out" || fail "a million rows are not a million"
rm "$work/million.csv"

# If the data determines only some parameters, the output says so; if it determines nothing, that is an error.
header=$(head -1 "$work/noisy.csv")
grid() { printf '%s\n' "$header" "$@" >"$work/grid.csv"; }
grid 1e9,0,0,0,0.1
expect 0 '' fit --grid "$work/grid.csv"
grep -q 'b_ss is not known: no cell' "$work/out" || fail "one row: unknown bandwidths are not named"
grep -q 'The models cannot be compared' "$work/out" || fail "one row: the output does not say that the models cannot be compared"
expect 0 '' fit --grid "$work/grid.csv" --json
python3 -c 'import json,sys; f=json.load(open(sys.argv[1])); assert f["bandwidth_gb_per_s"] == {"ls":10,"ss":None,"lf":None,"sf":None}
assert f["theta"]["lf"]["ls"] is None and f["undetermined"]["lf"]["ls"] and f["errors"]["held_out_rms_percent"] is None' \
  "$work/out" || fail "one row: JSON"
grid 1e9,1e9,0,0,0.1
expect 2 'grid.csv: no row has one transfer alone' fit --grid "$work/grid.csv"
grid
expect 2 'grid.csv:1: no row' fit --grid "$work/grid.csv"
grid 1e9,0,0,0,0.1 1e9,0,0,0,-0.1
expect 2 'grid.csv:3: seconds is -0.1, expected more than 0' fit --grid "$work/grid.csv"
grid 1e9,0,0,0,0.1 1e9,0,nan,0,0.1
expect 2 "grid.csv:3: load_fast_bytes is 'nan'" fit --grid "$work/grid.csv"
cut -d, -f1-3,5 "$work/noisy.csv" >"$work/grid.csv"
expect 2 'grid.csv:1: no column store_fast_bytes' fit --grid "$work/grid.csv"
head -c 100000 /dev/urandom >"$work/grid.csv"
expect 2 'grid.csv:[0-9]+: no column' fit --grid "$work/grid.csv"
expect 2 'absent.csv: no such file' fit --grid "$work/absent.csv"
expect 2 'Is a directory' fit --grid "$work"
expect 2 'either the folder DIR.*or --grid' fit
expect 2 'either the folder DIR.*or --grid' fit "$work" --grid "$work/noisy.csv"

finish
