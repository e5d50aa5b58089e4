#!/bin/bash
# tests/bench/placement: a search of a small graph is profiled, its parts are found, and each placement gets a rate.
source "$(dirname "$0")/../cli/expect.sh" "$1"
needs_valgrind
needs python3 cc:gcc
[ "$first_cpu$(nproc)" != 01 ] && [ "$first_cpu" = 0 ] || { echo "skipped: graph_step needs the CPUs 0 and 1"; exit 77; }
build=${gable%/*}

# The graph fits into every cache, so that only the bounds of the rates are known.
python3 "$here/placement/predict_optane.py" --gable "$gable" --step "$build/graph_step" --recipe kron:12 \
  --only bfs-bottom-up --work "$work/placement" >"$work/table" || fail "predict_optane.py"
python3 - "$work/table" <<'PYTHON' || fail "the table of placements"
import sys
rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in open(sys.argv[1]) if line.startswith("| bfs")]
assert [row[2] for row in rows] == ["DD", "PD", "PP", "DP"], rows
assert [row[3] for row in rows] == ["1", "0.78", "0.59", "-"], rows
dd, *others = rows
assert float(dd[7].removesuffix(" of the published rate")) > 0, dd
for column in 4, 7:  # from the time in DRAM, and from the profile alone
    rates = {row[2]: float(row[column]) for row in others}
    assert 0 < rates["PP"] <= min(rates["PD"], rates["DP"]) <= 1.01, rates
PYTHON
finish
