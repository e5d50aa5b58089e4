#!/bin/bash
# gable profile: a program's traffic by function and array, for the caches of published machines.
source "$(dirname "$0")/expect.sh" "$1"
[ -x "$(dirname "$gable")/libexec/gable/valgrind/launch" ] || { echo "skipped: built without the Valgrind tool"; exit 77; }
command -v gcc >/dev/null || { echo "skipped: no compiler"; exit 77; }

cat >"$work/arrays.c" <<'PROGRAM'
#include <stdlib.h>
static double table[100000]; static volatile char pool[50000];
__attribute__((noinline)) static void scale(double* to, const double* from, int n) {
  for (int i = 0; i < n; ++i) to[i] = 3 * from[i];
}
__attribute__((noinline)) static void fill(double* to, int n) {
  for (int i = 0; i < n; ++i) to[i] = i;
}
int main(int count, char** arguments) {
  int n = 400000;
  double* source = malloc(8 * n);
  double* target = malloc(8 * n);
  double *left = malloc(8000), *right = malloc(16000);
  fill(left, 1000), fill(right, 1000), pool[9] = left[9] == right[9];
  free(left);
  fill(source, n);
  fill(table, 100000);
  for (int i = 0; i < 4; ++i) scale(target, source, n);
  if (count == 2) abort();
  if (count == 4) *(volatile int*)8 = 1;
  if (count > 2) __builtin_trap();
  return target[n / 2] != 3.0 * (n / 2);
}
PROGRAM
gcc -O1 -g -o "$work/arrays" "$work/arrays.c" || fail "the program cannot be compiled"
cd "$work" || exit 1

expect 0 '' profile -o a.profile -- ./arrays
for word in 'Functions' 'Objects' 'scale' 'fill' 'source (arrays.c:11)' 'target (arrays.c:12)' 'table' 'in order'; do
  grep -qF "$word" "$work/out" || fail "the profile does not show '$word'"
done
expect 0 '' profile show a.profile --machine joe0 --json
python3 - "$work/out" <<'PYTHON' || fail "the traffic of joe0 is not that of the program"
import json, sys
document = json.load(open(sys.argv[1]))
functions = {row["name"]: row for row in document["functions"]}
objects = {row["name"]: row for row in document["objects"]}
array = 8 * 400000
scale = functions["scale"]
assert scale["load_bytes"] >= 4 * array and scale["store_bytes"] == 4 * array, scale
assert scale["flops"] == 4 * 400000
total = lambda row, level: sum(v["read"] + v["write"] for k, v in row["behind"][level].items() if k not in ("written_back", "streamed"))
close = lambda a, b: abs(a - b) < 0.03 * b
for level in ("L1", "L2"):  # neither holds both arrays
    assert close(total(scale, level), 8 * array), (level, total(scale, level))
    assert close(scale["behind"][level]["written_back"], 4 * array)
assert close(objects["table"]["peak_bytes"], 800000)
assert {"source (arrays.c:11)", "target (arrays.c:12)"} <= objects.keys()
assert objects["pool"]["peak_bytes"] == 50000, "a variable has its size, however little of it is used"
assert all(0 <= row["born"] <= row["died"] <= 1 for row in objects.values())
assert objects["left (arrays.c:13)"]["died"] < objects["right (arrays.c:13)"]["died"] == 1, "it was released before the loops"
assert objects["left (arrays.c:13)"]["blocks"] == 1 and objects["table"]["blocks"] == 0, objects["table"]
assert objects["left (arrays.c:13)"]["peak_bytes"] == 8000 and objects["right (arrays.c:13)"]["peak_bytes"] == 16000, objects.keys()
PYTHON

# What each level takes of the time is what gable predict says.
cp "$work/out" shown.json
expect 0 '' predict --profile a.profile joe0 --json
python3 - shown.json "$work/out" <<'PYTHON' || fail "the time of levels is not that of gable predict"
import json, sys
shown = json.load(open(sys.argv[1]))["time_by_level"]
predicted, = json.load(open(sys.argv[2]))["predictions"]
assert shown["machine"] == "joe0" and shown["measured"] is False and shown["reason"] == "", shown
assert [shown[key] for key in ("seconds", "seconds_lo", "seconds_hi")] == [predicted[key] for key in ("seconds", "seconds_lo", "seconds_hi")]
parts = {part["what"]: part for part in shown["parts"]}
binds = {bound["what"]: bound["seconds"] for bound in predicted["binds"]}
needs = {}
for need in (need for function in predicted["needs"] for need in function["needs"]):
    needs[need["what"]] = needs.get(need["what"], 0) + need["seconds"]
close = lambda a, b: abs(a - b) <= 1e-9 * max(abs(a), abs(b))
assert parts.keys() == binds.keys() | needs.keys() and {"L1", "L2", "L3", "local memory"} <= parts.keys(), parts.keys()
for what, part in parts.items():
    assert close(part["binds"] * shown["seconds"], binds.get(what, 0)), (what, part, binds)
    assert close(part["seconds"], needs.get(what, 0)) and close(part["need"] * shown["seconds"], part["seconds"]), (what, part, needs)
    assert part["need_lo"] <= part["need"] <= part["need_hi"], part
assert close(sum(part["binds"] for part in parts.values()), 1)
PYTHON
expect 0 '' profile show a.profile --machine joe0
says '^Time, predicted from the profile alone: .* on joe0 ' '^  part of the machine' '^  local memory ' '^  L2 ' ' (all|[0-9]+–[0-9]+ %) .* source \(arrays.c:11\)$'
expect 0 '' profile show a.profile --machine joe0 --by level
grep -q '^Functions' "$work/out" && fail "--by level shows functions"
expect 0 '' profile show a.profile --machine joe0 --by level --csv
head -1 "$work/out" | grep -q '^what,function,seconds,need,' || fail "the CSV of levels has no header"
grep -q '^L3,' "$work/out" || fail "the CSV of levels has no L3"
expect 0 '' profile show a.profile --by level
says 'name a recorded machine'

# Addresses select the sets of an L2 on huge pages.
python3 - "$here/../../machines/joe0/machine.json" sets <<'PYTHON' || fail "no machine with ways"
import json, os, sys
machine = json.load(open(sys.argv[1]))
for caches in [machine["caches"]] + [cluster["caches"] for cluster in machine["clusters"]]:
    caches[:] = [dict(caches[0], level=level, bytes=size, count=1, pus_sharing=1, cores_sharing=1, ways=ways)
                 for level, size, ways in ((1, 32 << 10, 8), (2, 1 << 20, 16))]
os.mkdir(sys.argv[2])
json.dump(machine, open(os.path.join(sys.argv[2], "machine.json"), "w"))
PYTHON
expect 0 '' profile show a.profile --machine sets
says 'each level takes of the time is not known' 'L1 \(8 ways\), L2 \(16 ways\)' 'L2 write back are a lower bound'
expect 0 '' profile show a.profile --machine sets --huge-pages 100
says 'L2 \(16 ways\)'
grep -q 'lower bound' "$work/out" && fail "nothing is left to chance on huge pages"
expect 2 'huge-pages' profile show a.profile --huge-pages 101
sed 's/"threads":1\b/"threads":1000/' a.profile >many.profile
expect 0 '' profile show many.profile --machine joe0
says 'L3 70 MiB for all threads' # of 28 cores, which have four of 17.5 MiB
expect 0 '' profile show a.profile --csv --by function
head -1 "$work/out" | grep -q '^by,name,where,behind,loads' || fail "the CSV has no header"

# The program's own status; what was seen until it died.
expect 134 'killed by signal 6.*the profile ends there' profile -o b.profile -- ./arrays die
expect 0 '' profile show b.profile
grep -q 'scale' "$work/out" || fail "a program that died left no profile"
says 'killed by signal 6 .*and the profile ends there'
expect 0 '' predict --profile b.profile joe0
says 'the program was killed by signal 6'

# Compilers end code with an instruction that no CPU executes: not one that Valgrind lacks, nor reached after a fault.
[ "$(uname -m)" != x86_64 ] || expect 132 'killed by signal 4[^,]*the profile ends there' profile -o b.profile -- ./arrays a trap
expect 139 'killed by signal 11[^,]*the profile ends there' profile -o b.profile -- ./arrays a bad store

# Killed from outside, it can write nothing.
if command -v pgrep >/dev/null; then
  "$gable" profile -o killed.profile -- sleep 600 2>"$work/err" &
  until child=$(pgrep -P $! -f 'tool=gable'); do sleep 0.1; done
  kill -9 "$child"
  wait $!
  [ $? = 137 ] && grep -q 'killed by signal 9.*before it wrote a profile' "$work/err" || fail "killed: $(cat "$work/err")"
  [ ! -e killed.profile ] || fail "a program that was killed leaves an empty file"
fi

expect 2 'which program' profile -o c.profile
expect 127 'no-such-program' profile -o c.profile -- ./no-such-program
[ ! -e c.profile ] || fail "a program that cannot be started leaves a file"
expect 2 'cannot be created|No such file' profile -o no/such/folder/c.profile -- ./arrays
expect 2 'profile.*again' profile show arrays.c
sed 's/"threads":1/"threads":0/' a.profile >d.profile
expect 2 'd.profile:[0-9]*: profile\[0\].*"threads"' profile show d.profile
sed 's/"schema":1/"schema":9/' a.profile >e.profile
expect 2 'schema' profile show e.profile
head -c 2000 a.profile >f.profile
expect 2 'f.profile' profile show f.profile
expect 2 'no-such-machine' profile show a.profile --machine no-such-machine
