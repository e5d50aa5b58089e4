#!/bin/bash
# The profile that gable point run keeps beside its points, and the objects of points.
source "$(dirname "$0")/expect.sh" "$1"
needs_valgrind
needs python3 cc:gcc
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$work/machine
mkdir "$dir"
"$gable" machine --json >"$dir/machine.json"
field() { of_point "$dir/points.json" "$@"; }
kept() { (cd "$dir" && ls profiles 2>/dev/null | tr '\n' ' '); }

cat >"$work/arrays.c" <<'C'
#include <gable-marker.h>
#include <stdlib.h>
static double table[40000];
__attribute__((noinline)) static void scale(double* to, const double* from, int n) {
  for (int i = 0; i < n; ++i) to[i] = 3 * from[i];
}
int main(void) {
  const int n = 400000;
  double* source = calloc(n, 8);
  double* target = malloc(8 * n);
  gable_marker_start("first");
  scale(target, source, n);
  gable_marker_stop("first");
  gable_marker_start("second");
  for (int i = 0; i < 900; ++i) scale(table, table, 40000);
  gable_marker_stop("second");
  return target[n / 2] != 0;
}
C
cc -O1 -g -I"$root/points/include" "$work/arrays.c" -o "$work/arrays" -pthread || fail "arrays.c"
cd "$work" || exit 1

expect 0 '' point run "$dir" --name 'my/arrays (1)' --repetitions 1 -- ./arrays
says ' object$' ' target \(arrays.c:10\)$' ' source \(arrays.c:9\)$'
grep -q 'stored B' "$work/out" && fail "the work of functions is printed unasked"
[ "$(kept)" = "my-arrays-1-.profile " ] || fail "the kept profile: $(kept)"
[ "$(field 'my/arrays (1)' 'p["profile"]')" = my-arrays-1-.profile ] || fail "the point does not name its profile"
python3 - "$dir/points.json" <<'PYTHON' || fail "objects, functions and accesses of the point"
import json, sys
point = json.load(open(sys.argv[1]))["points"][0]
objects = {each["object"]: each for each in point["objects"]}
array = 8 * 400000
assert {"source (arrays.c:9)", "target (arrays.c:10)", "table"} <= objects.keys(), objects.keys()
close = lambda a, b: abs(a - b) < 0.03 * b
l2 = lambda name: next(level for level in objects[name]["levels"] if level["level"] == "L2")
assert close(l2("source (arrays.c:9)")["read"], array), objects
assert close(l2("target (arrays.c:10)")["read"], array) and close(l2("target (arrays.c:10)")["written"], array), objects
for level in point["levels"]:
    sums = sum(each["read"] + each["written"] for one in objects.values() for each in one["levels"] if each["level"] == level["level"])
    assert 0.9 * (level["read"] + level["written"]) < sums < 1.001 * (level["read"] + level["written"]), (level, sums)
assert point["accesses"] > 2 * (400000 + 900 * 40000), point["accesses"]
scale = [each for each in point["functions"] if each["function"] == "scale"]
assert scale and scale[0]["levels"] and len(point["functions"]) < 30, point["functions"]
PYTHON
expect 0 '' point list "$dir" --objects
says ' target \(arrays.c:10\)$'
expect 0 '' point list "$dir" --functions
says ' scale \(arrays\)$'

# The time of functions: all of it belongs to functions, the kernel and other code; elsewhere it has the reason. The program
# is so brief that a few samples may all be in the kernel.
python3 - "$dir/points.json" <<'PYTHON' || fail "the time of functions"
import json, sys
point = json.load(open(sys.argv[1]))["points"][0]
samples = point["samples"]
if "missing" in samples:
    assert samples["missing"]["code"] == "sampling_refused", samples
else:
    scale = [each for each in point["functions"] if each["function"] == "scale"][0]
    assert 0 <= scale["time_lo"] <= scale["time"] <= scale["time_hi"] <= 1, scale
    assert scale["time_lo"] > 0 or samples["all"] < 20, (scale, samples)
    assert abs(scale["time"] - scale["samples"] / samples["all"]) < 1e-9, scale
    known = sum(each.get("samples", 0) for each in point["functions"]) + samples["kernel"] + sum(samples["elsewhere"].values())
    assert 0.9 * samples["all"] <= known <= samples["all"], (known, samples)  # small functions are left out
PYTHON
if ! grep -q sampling_refused "$dir/points.json"; then
  expect 0 '' profile show "$dir" --by function
  says ' time  ' ' remains' 'scale'
  expect 0 '' profile show "$dir" --json
  python3 -c 'import json,sys; rows = json.load(sys.stdin)["functions"]; assert any("time" in row for row in rows)' \
    <"$work/out" || fail "times in JSON"
  expect 0 '' profile show "$dir/profiles/my-arrays-1-.profile" --machine "$dir" --by function
  says ' time  '
  sed 's/"build":"[^"]*"/"build":"ab12"/' "$dir/profiles/my-arrays-1-.profile" >"$work/other.profile"
  expect 0 '' profile show "$work/other.profile" --machine "$dir" --by function
  says 'of another build'
  grep -q ' time  ' "$work/out" && fail "times of another build are shown"
fi
mkdir "$work/refused" && cp "$dir/machine.json" "$work/refused"
"$(dirname "$gable")/without" perf "$gable" point run "$work/refused" --repetitions 1 -- ./arrays >"$work/out" 2>"$work/err" ||
  fail "without perf: $(cat "$work/err")"
says 'time of functions was not measured'
[ "$(of_point "$work/refused/points.json" arrays 'p["samples"]["missing"]["code"]')" = sampling_refused ] || fail "the reason has no code"
cp arrays other
expect 0 '' point run "$work/refused" --name counted --repetitions 1 --counted ./other -- ./arrays
[ "$(of_point "$work/refused/points.json" counted 'p["samples"]["missing"]["code"]')" = sampled_other_program ] ||
  fail "samples of a program that was not counted: $(grep counted "$work/refused/points.json")"

# It is shown for the folder's machine; only a folder has points.
expect 0 '' profile show "$dir"
says 'profiles/my-arrays-1-.profile' "of $dir" ' scale$' ' table$' 'each level takes of the time is not known: machine: '
expect 0 '' profile show "$dir" --point 'my/arrays (1)' --machine joe0 --by object
says 'of .*joe0' ' table$'
expect 2 "has no point 'other'" profile show "$dir" --point other
expect 2 'is no folder' profile show "$dir/profiles/my-arrays-1-.profile" --point x

# The page on formats names every field.
expect 0 '' profile show "$dir" --json
cp "$work/out" "$work/shown.json"
expect 0 '' profile show "$dir" --csv
python3 - "$work/shown.json" "$work/out" "$root/docs/formats/profile.md" <<'PYTHON' || fail "fields that docs/formats/profile.md does not name"
import csv, json, re, sys
shown, page = json.load(open(sys.argv[1])), open(sys.argv[3]).read()
named = set(re.findall(r"`([a-z_]+)`", page.split("## What `gable profile show` prints")[1].split("\n## ")[0]))
levels = {cache["level"] for cache in shown["caches"]}
def names(value):
    if isinstance(value, list): return set().union(*map(names, value))
    if isinstance(value, dict): return {key for key in value if key not in levels}.union(*map(names, value.values()))
    return set()
fields = names(shown)
columns = set(next(csv.reader(open(sys.argv[2]))))
assert {"behind", "conflicts", "chain_length"} <= fields and {"by", "written_back"} <= columns, (fields, columns)
assert fields <= named and columns <= named, (fields - named, columns - named)
PYTHON

# Points of one run share a profile, which goes with the last of them.
expect 0 '' point run "$dir" --name two --regions --repetitions 1 -- ./arrays
[ "$(kept)" = "my-arrays-1-.profile two-first.profile " ] || fail "points of one run have one profile: $(kept)"
[ "$(field 'two: second' 'p["samples"]["missing"]["code"]')" = sampled_over_regions ] || fail "regions without times have no reason"
expect 0 '' point list "$dir" 'two: second' --functions
says 'functions are not counted by region'
[ "$(field 'two: second' '[o["object"] for o in p["objects"]][0]')" = table ] || fail "objects of a region: $(field 'two: second' 'p["objects"]')"
expect 2 'of which point\? --point takes' profile show "$dir"
cp -r "$dir" "$work/copy"
expect 0 '' profile show "$work/copy" --point 'two: first'
expect 0 '' point remove "$dir" 'two: first'
[ "$(kept)" = "my-arrays-1-.profile two-first.profile " ] || fail "a profile of a point is gone: $(kept)"
expect 0 '' point remove "$dir" 'two: second'
[ "$(kept)" = "my-arrays-1-.profile " ] || fail "a profile without points stays: $(kept)"

# A replaced point has the new profile, or none.
expect 0 'replaced the earlier point' point run "$dir" --name 'my/arrays (1)' --repetitions 1 -- ./arrays
[ "$(kept)" = "my-arrays-1--2.profile " ] || fail "a replaced profile stays, or the new one is lost: $(kept)"
expect 0 'replaced' point add "$dir" --name 'my/arrays (1)' --flops 1e9 --load-bytes 8e9 --seconds 1
[ -z "$(kept)" ] && [ ! -e "$dir/profiles" ] || fail "the profile of a replaced point stays: $(kept)"
expect 2 'no profile is kept of the point' profile show "$dir" --point 'my/arrays (1)'
expect 0 '' point list "$dir" --objects
says 'its objects are not known'

# A damaged or lost one is named; points.json names no other files.
head -c 500 "$work/copy/profiles/two-first.profile" >"$work/short" && cp "$work/short" "$work/copy/profiles/two-first.profile"
expect 2 'two-first.profile' profile show "$work/copy" --point 'two: first'
rm "$work/copy/profiles/two-first.profile"
expect 2 'two-first.profile: No such file' profile show "$work/copy" --point 'two: first'
expect 0 '' point list "$work/copy"
sed -i 's|"two-first.profile"|"../../arrays"|' "$work/copy/points.json"
expect 2 'points.json.*"profile" must be the name of a file' point list "$work/copy"

finish
