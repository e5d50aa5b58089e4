#!/usr/bin/env bash
# The LARM chart of a validated machine: every roof's label has its errors, recomputed here from the points, and every
# point is at its measured position.
source "$(dirname "$0")/expect.sh" "$1"
needs python3 gnuplot
python3 "$here/plot_fixtures.py" "$work"
dir=$work/validated
"$gable" plot "$work/joe0" --cluster 0 --format svg >/dev/null || exit 1
"$gable" plot "$dir" --format svg >"$work/out" 2>"$work/err" || { cat "$work/err"; exit 1; }
[ ! -s "$work/err" ] || { echo "FAILED: gnuplot complained: $(cat "$work/err")"; exit 1; }
python3 "$here/plot_check.py" "$dir" || exit 1
python3 - "$dir" <<'PYTHON' || exit 1
import csv, json, re, sys, xml.etree.ElementTree as xml
folder = sys.argv[1]
def rows_of(cluster):
    with open(f"{folder}/charts/larm-{cluster}.tsv", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
def texts(cluster):
    return ["".join(text.itertext()) for text in
            xml.parse(f"{folder}/charts/larm-{cluster}.svg").iter("{http://www.w3.org/2000/svg}text")]
validations = json.load(open(folder + "/roofs.json"))["validation"]
rows = rows_of(0)
errors_shown = {(row["level"], row["pattern"], row["node"]): row["error_percent"] for row in rows if row["kind"] == "bandwidth"}

errors = {}
for one in validations:
    off = [(p["value"] - p["bound_gflop_per_s"]) / p["bound_gflop_per_s"] for p in one["points"] if p["status"] == "ok"]
    assert len(off) == 6
    squares = sum(x * x for x in off)
    errors[one["level"], one["pattern"], str(one["node"])] = 100 * (squares / 6) ** 0.5
for key, rms in errors.items():
    assert abs(float(errors_shown[key]) - rms) <= 0.001 * rms, (key, errors_shown[key], rms)
assert not errors_shown["memory", "congested", ""], "a roof that was not validated has an error"
least, most = (f"{x:.{2 if x < 0.995 else 1}f}" for x in (min(errors.values()), max(errors.values())))
assert f"known intensity, {least} to {most} % (RMS) off their roofs" in " ".join(texts(0)), (least, most, texts(0))

# Every point is in the table, failed ones with their reason; the ok ones are drawn.
wanted = {(p["level"], p["pattern"], str(p["node"]), p["flop_per_byte"]): p for one in validations for p in one["points"]}
points = [row for row in rows if row["kind"] == "validation"]
assert len(points) == len(wanted) == 7 * len(validations), len(points)
for row in points:
    point = wanted[row["level"], row["pattern"], row["node"], float(row["flop_per_byte"])]
    assert row["status"] == point["status"] and (row["reason"] == point["reason"] or point["reason"]["code"]) and row["unit"] == "GFlop/s", row
    assert row["status"] != "ok" or abs(float(row["value"]) / point["value"] - 1) < 1e-5, row
    assert not row["label"], row
note = " ".join(texts(0))
assert "Small circles, thin lines: programs" in note and f"{len(validations)} skipped or invalid" in note, note

# Not on the charts of clusters that were not validated.
assert not any(row["kind"] == "validation" for row in rows_of(1))
assert not any("Small circles" in text for text in texts(1)), texts(1)

# Each ok point adds one symbol to the picture of the same machine without validation.
def symbols(machine):
    return len(re.findall("href='#gpPt6'", open(f"{folder}/../{machine}/charts/larm-0.svg").read()))
assert symbols("validated") - symbols("joe0") == 6 * len(validations), (symbols("validated"), symbols("joe0"))
PYTHON
echo "all errors and points checked"
