#!/bin/bash
# The examples: their results are right, and their stated work is correct.
source "$(dirname "$0")/expect.sh" "$1"
root=$(cd "$(dirname "$0")/../.." && pwd)
needs cc:gcc
echo 'int main(void) { return 0; }' >"$work/openmp.c"
cc -fopenmp "$work/openmp.c" -o "$work/openmp" 2>/dev/null || { echo "skipped: the compiler has no OpenMP (package libgomp1)"; exit 77; }
build() { cc -O2 -fopenmp -Wall -Wextra -Werror -I"$root/points/include" "$root/examples/$1.c" -o "$work/$2" -lm || fail "$1.c"; }
build blas1 ddot
cp "$work/ddot" "$work/scale"
cp "$work/ddot" "$work/triad"
build mg mg
build dgemm dgemm
dir=$work/machine
mkdir "$dir"
stated() {  # PROGRAM REGION EXPRESSION arguments...: of flops, loads, stores over one run
  local program=$1 region=$2 expected=$3
  shift 3
  expect 0 '' point run "$dir" --name x --counter marker --repetitions 1 -- "$work/$program" "$@"
  python3 - "$dir/points.json" "x: $region" "$expected" <<'PYTHON' || fail "$program $*: the work it states"
import json, sys
p = next(p for p in json.load(open(sys.argv[1]))["points"] if p["name"] == sys.argv[2])
assert (p["flops"], p["load_bytes"], p["store_bytes"]) == eval(sys.argv[3]), (p, sys.argv[3])
PYTHON
}
stated ddot ddot '(2 * 30009, 16 * 30009, 0)' 10003 3
stated scale scale '(30009, 8 * 30009, 8 * 30009)' 10003 3
stated triad triad '(2 * 30009, 16 * 30009, 8 * 30009)' 10003 3
# residuals at 4 and 2 cells a side: two of the norm; 2 + 1 + 2 and 40 of the cycle.
stated mg residual '(9 * (7 * 64 + 40 * 8), 64 * (7 * 64 + 40 * 8), 8 * (7 * 64 + 40 * 8))' 4 1
# Counted under Valgrind: the stated work is correct, and a matrix product is 2 N^3.
if [ -x "$1/libexec/gable/valgrind/launch" ]; then
  counted() {  # PROGRAM REGION EXPRESSION arguments...: true of the flops f and the bytes l and s of the region
    local program=$1 region=$2 expected=$3
    shift 3
    expect 0 '' point run "$dir" --name x --regions --repetitions 1 -- "$work/$program" "$@"
    python3 - "$dir/points.json" "x: $region" "$expected" <<'PYTHON' || fail "$program $*: the work that is counted"
import json, sys
p = next(p for p in json.load(open(sys.argv[1]))["points"] if p["name"] == sys.argv[2])
assert eval(sys.argv[3], {"f": p["flops"], "l": p["load_bytes"], "s": p["store_bytes"]}), (p, sys.argv[3])
PYTHON
  }
  counted triad triad '0 <= f - 2 * 30009 <= 8 and l >= 16 * 30009 and s >= 8 * 30009' 10003 3
  counted dgemm dgemm 'f == 2 * 100 ** 3' 100 1
  if cc -O2 -fopenmp -DHAVE_CBLAS -I"$root/points/include" "$root/examples/dgemm.c" -o "$work/blas" -lm -lopenblas 2>/dev/null; then
    for size in 100 192; do
      counted blas dgemm "2 * $size ** 3 + $size ** 2 <= f <= 2 * $size ** 3 + 2 * $size ** 2" $size 1
    done
  else
    echo "not tried: dgemm by OpenBLAS (package libopenblas-dev)"
  fi
else
  echo "not tried: the counter valgrind (package valgrind)"
fi
for how in one all; do "$work/mg" 16 4 $how >/dev/null || fail "mg $how does not converge"; done
for size in 1 63 64 130; do "$work/dgemm" $size 1 >/dev/null || fail "dgemm $size is wrong"; done
for program in ddot scale triad mg dgemm; do
  "$work/$program" 0 >/dev/null 2>"$work/err" && fail "$program 0 ends well"
  grep -q usage "$work/err" || fail "$program 0 says no usage"
done
finish
