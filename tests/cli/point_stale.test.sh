#!/bin/bash
# gable point run measures the roofs that decide about a program again, and tells which one has changed.
source "$(dirname "$0")/expect.sh" "$1"
needs_valgrind

# run_program NAME: makes a point of the program in the input; what is printed is one line in $work/line.
run_program() {
  cat >"$work/$1.c"
  ${CC:-cc} -O2 "$work/$1.c" -o "$work/$1" || fail "no C compiler"
  expect 0 '' point run "$dir" --name "$1" --repetitions 2 -- "$work/$1"
  tr -s ' \n' ' ' <"$work/out" >"$work/line"
}

dir=$work/here
expect 0 '' measure "$dir" --preset quick --quiet --only level=memory,op=load,kind=bandwidth --only op=div --only op=div_scalar
expect 0 '' fit "$dir"
# As if the memory had had half a MB/s when this was recorded.
python3 - "$dir/roofs.json" <<'PYTHON' || fail "no roof of the memory"
import json, sys
lines = open(sys.argv[1]).read().split("\n")
found = 0
for i, line in enumerate(lines):
    if '"kind":"bandwidth"' not in line or '"level":"memory","pattern":"local"' not in line: continue
    roof = json.loads(line.rstrip(","))
    roof.update(value=0.0005, lo=0.00049, hi=0.00051, n=3, status="ok", reason="")
    lines[i] = json.dumps(roof, separators=(",", ":")) + ("," if line.endswith(",") else "")
    found += 1
open(sys.argv[1], "w").write("\n".join(lines))
sys.exit(not found)
PYTHON
run_program sum <<'C'
#include <stdlib.h>
#include <stdio.h>
int main(void) {
  enum { n = 8 << 20 };
  double *x = malloc(n * sizeof *x), sum = 0;
  for (int i = 0; i < n; ++i) x[i] = i;
  for (int i = 0; i < n; ++i) sum += x[i];
  return printf("%g\n", sum) < 0;
}
C
grep -q 'the roof DRAM node 0, local (load) was 0.0 GB/s (0.0 to 0.0) when it was recorded, and [1-9]' "$work/line" ||
  echo "not tried: other processes were busy, or the memory was not steady"
grep -q 'out of date' "$work/line" || fail "a need of a thousand times the time is no contradiction: $(cat "$work/out")"

# The same with the peak of divisions.
sed -i '/"kind":"flops"/ s/"value":[0-9.e+-]*,"lo":[0-9.e+-]*,"hi":[0-9.e+-]*/"value":0.001,"lo":0.00099,"hi":0.00101/' "$dir/roofs.json"
grep -q '"kind":"flops".*"value":0.001,' "$dir/roofs.json" || fail "no peak of divisions"
run_program divide <<'C'
#include <stdio.h>
int main(void) {
  volatile double x = 1.1;
  double sum = 0;
  for (int i = 1; i < 3000000; ++i) sum += x / i;
  return printf("%g\n", sum) < 0;
}
C
grep -q 'the figure [^,]*DIV DP[^,]* was 0.0 GFlop/s (0.0 to 0.0) when it was recorded, and [1-9]' "$work/line" ||
  echo "not tried: other processes were busy, or the peak was not steady"

finish
