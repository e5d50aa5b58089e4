#!/bin/bash
# gable kmaf metrics: a trace with figures computed by hand, its charts, and invalid input.
source "$(dirname "$0")/expect.sh" "$1"

cat >"$work/t.csv" <<'TEXT'
tid,address,bytes,write
70,0,8,1
50,32,8,0
50,8,8,0
70,0,8,0
60,100,8,0
60,60,8,0
TEXT
expect 0 '' kmaf metrics "$work/t.csv" --thread-nodes 0,0,1 --json
python3 - "$work/out" <<'PYTHON' || fail "JSON of the trace that was worked out by hand"
import json, sys
found = json.load(open(sys.argv[1]))
matrix = [[0, 3, 1], [3, 0, 1], [1, 1, 0]]
cells = [cell for row in matrix for cell in row]
assert found["matrix"] == matrix, found
assert abs(found["sharing_amount"] - sum(cells) / 9) < 1e-12, found
wanted = sum((sum(row) / 3 - cell) ** 2 for row in matrix for cell in row) / 9
assert abs(found["heterogeneity"] - wanted) < 1e-12, found
assert abs(found["exclusivity_4k"] - 4 / 6) < 1e-12 and abs(found["exclusivity_2m"] - 4 / 6) < 1e-12, found
assert found["schema"] == 1
PYTHON
expect 0 '' kmaf metrics "$work/t.csv" --thread-nodes 0,0,1
grep -q 'exclusivity, 4 KiB *66.7 %' "$work/out" || fail "no exclusivity in: $(cat "$work/out")"
expect 0 '' kmaf metrics "$work/t.csv" --json
grep -q '"exclusivity_4k":null' "$work/out" || fail "exclusivity without nodes: $(cat "$work/out")"

if command -v gnuplot >/dev/null; then
  expect 0 '' kmaf metrics "$work/t.csv" --thread-nodes 0,0,1 --plot "$work/pictures"
  for file in t-sharing.tsv t-sharing.svg t-sharing.png t-exclusivity.tsv t-exclusivity.svg t-exclusivity.png; do
    [ -s "$work/pictures/$file" ] || fail "no $file"
  done
  expect 0 '' kmaf metrics "$work/t.csv" --json --plot "$work/pictures"
  python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/out" || fail "--plot spoils --json"
fi

expect 2 'names 2 threads, .*t.csv has 3' kmaf metrics "$work/t.csv" --thread-nodes 0,0
expect 2 'names 5 threads, .*t.csv has 3' kmaf metrics "$work/t.csv" --thread-nodes 0,0,1,1,1
expect 2 'thread-nodes' kmaf metrics "$work/t.csv" --thread-nodes 0,x
expect 2 'thread-nodes' kmaf metrics "$work/t.csv" --thread-nodes 0,-1
expect 2 'absent.csv: No such file' kmaf metrics "$work/absent.csv"
printf '\377\033[31m,1,2,3\n' >"$work/bytes.csv"
expect 2 'bytes.csv:1: tid is not text, expected a whole number' kmaf metrics "$work/bytes.csv"
expect 2 'TRACE' kmaf metrics
expect 2 '' kmaf
echo "1,2,8" >>"$work/t.csv"
expect 2 't.csv:8: expected four fields' kmaf metrics "$work/t.csv" --json
: >"$work/empty.csv"
expect 2 'empty.csv: contains no access' kmaf metrics "$work/empty.csv"

# Profiles tell the same, without a trace.
have_valgrind=$(dirname "$gable")/libexec/gable/valgrind/launch
if [ -x "$have_valgrind" ] && command -v gcc >/dev/null; then
  cat >"$work/threads.c" <<'C'
#include <pthread.h>
#include <stdlib.h>
enum { threads = 4, cells = 8192 };
static double* own[threads];
static pthread_barrier_t barrier;
static int passes;
static void* work(void* argument) {
  const long number = (long)argument;
  own[number] = aligned_alloc(4096, cells * sizeof(double));
  for (int i = 0; i < cells; ++i) own[number][i] = number;
  pthread_barrier_wait(&barrier);
  volatile double sum = 0;
  for (int pass = 0; pass < passes; ++pass) {
    const double* const others = own[(number ^ 1) % threads];
    double here = 0;
    for (int i = 0; i < cells; ++i) here += own[number][i] + others[i];
    sum = here;
    pthread_barrier_wait(&barrier);
  }
  (void)sum;
  return NULL;
}
int main(int count, char** arguments) {
  passes = count > 1 ? atoi(arguments[1]) : 1;
  pthread_t started[threads];
  pthread_barrier_init(&barrier, NULL, threads);
  for (long i = 0; i < threads; ++i) pthread_create(&started[i], NULL, work, (void*)i);
  for (int i = 0; i < threads; ++i) pthread_join(started[i], NULL);
  return 0;
}
C
  gcc -O1 -pthread "$work/threads.c" -o "$work/threads" || fail "threads.c"
  # The trace and the profile of one run, exact and sampled.
  for passes in 4 100; do
    "$have_valgrind" --tool=gable --functions=yes --profile=yes --trace="$work/same.trace" --counts="$work/counts" "$work/threads" $passes \
      2>"$work/err" || fail "a trace beside a profile: $(cat "$work/err")"
    expect 0 '' kmaf metrics "$work/same.trace" --thread-nodes 0,0,0,1,1 --json
    python3 - "$work/out" "$work"/counts.*.0 $passes <<'PYTHON' || fail "the trace and the profile of one run, $passes passes"
import json, sys
trace, profile = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))["profile"]
followed = profile["lines_followed"] / profile["of"]
assert (followed == 1) == (sys.argv[3] == "4"), followed
shared = profile["shared"]
error = 0.001 if followed == 1 else 3 / profile["shared_lines"] ** 0.5
largest = max(map(max, trace["matrix"]))
for i, row in enumerate(trace["matrix"]):
    for j, cell in enumerate(row):
        assert abs(shared[i][j] + shared[j][i] - cell) < error * largest, (i, j, shared[i][j] + shared[j][i], cell, error)
PYTHON
    expect 0 '' profile -o "$work/threads.profile" -- "$work/threads" $passes
    expect 0 '' kmaf metrics "$work/threads.profile" --thread-nodes 0,0,0,1,1 --json
    python3 - "$work/out" $passes <<'PYTHON' || fail "metrics of a profile, $passes passes: $(cat "$work/out")"
import json, sys
found, passes = json.load(open(sys.argv[1])), int(sys.argv[2])
cells = 8192
# Threads 1 and 2, and 3 and 4, read each other's array in every pass, and their own one again.
reads = cells * passes
for i in range(5):
    for j in range(5):
        partners = {i, j} in ({1, 2}, {3, 4})
        # Both read the other's array; once it has, each also comes back to its own.
        wanted = 4 * reads if partners else 0
        error = max(3 * found.get("sharing_error", 0), 0.02 + 1 / passes)
        assert abs(found["matrix"][i][j] - wanted) < error * 4 * reads, (i, j, found["matrix"][i][j], wanted, error)
# Node 0 has threads 0, 1 and 2: nobody else uses their pages.
assert found["exclusivity_4k"] > 0.97, found
PYTHON
    expect 0 '' kmaf metrics "$work/same.trace" --thread-nodes 0,0,1,0,1 --json
    mv "$work/out" "$work/traced"
    expect 0 '' kmaf metrics "$work/threads.profile" --thread-nodes 0,0,1,0,1 --json
    python3 - "$work/out" "$work/traced" $passes <<'PYTHON' || fail "exclusivity of a profile, $passes passes: $(cat "$work/out" "$work/traced")"
import json, sys
found, traced = (json.load(open(path)) for path in sys.argv[1:3])
passes = int(sys.argv[3])
# Each page is written once and read in each pass by its owner, and read in each pass by a thread of the other node.
# The start of the program uses pages of its own.
wanted = (1 + passes) / (1 + 2 * passes)
assert wanted < traced["exclusivity_4k"] < wanted + 0.05, (traced, wanted)
# The profile is of another run, whose start takes another number of accesses.
start = (traced["exclusivity_4k"] - wanted) / 4
for size in ("exclusivity_4k", "exclusivity_2m"):
    assert abs(found[size] - traced[size]) < 0.005 + start + 3 * found.get("exclusivity_error", 0), (size, found, traced)
PYTHON
    rm -f "$work"/counts.*
  done
  expect 0 '' kmaf metrics "$work/threads.profile"
  says 'accesses by 5 threads' 'of each element of the matrix'
  expect 2 'names 2 threads, .*threads.profile has 5' kmaf metrics "$work/threads.profile" --thread-nodes 0,0
  python3 - "$work/threads.profile" "$work/none.profile" <<'PYTHON'
import json, sys
document = json.load(open(sys.argv[1]))
document["pages"] = []
open(sys.argv[2], "w").write(json.dumps(document))
PYTHON
  expect 2 'none.profile: it does not tell which threads use which pages' kmaf metrics "$work/none.profile"
fi

finish
