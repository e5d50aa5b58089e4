#!/usr/bin/env bash
# The flops and bytes that gable place states for PageRank are at most those that the Valgrind tool counts for its kernel, and
# not much less: the kernel adds partial sums, constants and spills.
source "$(dirname "$0")/expect.sh"
launch=$1/libexec/gable/valgrind/launch
[ -x "$launch" ] || { echo "skipped: the Valgrind tool was not built (package valgrind)"; exit 77; }
needs python3

[ -z "$sanitizer" ] || { echo "skipped: Valgrind does not run a sanitizer"; exit 77; }

mkdir "$work/m"
for ranks in 1 16; do
  rm -f "$work"/counts.*
  timeout 300 "$launch" --tool=gable --functions=yes --counts="$work/counts" "$gable" place "$work/m" --bench pagerank \
    --graph kron:11 --ranks $ranks --iterations 200 --runs 1 --threads 1 --quiet >"$work/out" 2>"$work/err"
  # On a busy machine the time is invalid, and the status 1; the work is the same.
  [ -s "$work/m/placements.jsonl" ] || fail "under Valgrind: $(tail -n 3 "$work/err")"
  python3 - "$work" $ranks <<'PY' || fail "$ranks ranks"
import glob, json, sys
folder, ranks = sys.argv[1], int(sys.argv[2])
placed = [r for r in map(json.loads, open(folder + "/m/placements.jsonl")) if r["variant"].startswith(f"{ranks} ")][-1]
isa = placed["how"].split(", ")[-1]
name = f"{isa}::by_" + next(word for word in ("ranks", "neighbours", "slices") if word in placed["how"])
counted = [f for path in glob.glob(folder + "/counts.*") for f in json.load(open(path))["functions"] if name in f["function"]]
assert counted, (name, "was not counted")
# Each way was tried for 3 iterations before the 200; disturbed runs were repeated.
iterations = 200 * (len(placed["seconds"]) + placed["disturbed"]) + 3
def a_run(total):
    return total * 200 / iterations
flops = a_run(sum(c["count"] * (2 if c["operation"] == "fma" else 1)
                  for f in counted for c in f["flops"] if c["precision"] == "sp"))
loaded = a_run(sum(f["load_bytes"] for f in counted))
print(f"{ranks} ranks, {placed['how']}: instructions / algorithm: flops {flops / placed['flops']:.3f}, loads {loaded / placed['load_bytes']:.3f}")
assert 0.98 < flops / placed["flops"] < 1.3, flops / placed["flops"]
# To prefetch ranks, the number of a neighbour (4 bytes of 4 + 4 * ranks) is loaded a second time. Vectors of neighbours keep
# a partial sum of each rank in memory. Slices have padding, and sums of eight rows in memory.
again = 4 + 4 * ranks * ("of neighbours" in placed["how"])
most = 1.4 + 0.2 * ("slices" in placed["how"]) + again / (4 + 4 * ranks)
assert 0.98 < loaded / placed["load_bytes"] < most, loaded / placed["load_bytes"]
PY
done
finish
