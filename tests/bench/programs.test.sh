#!/usr/bin/env bash
# The programs that recordings time: each is right with one thread and with two, refuses wrong arguments, and notices a wrong
# result: its source is changed here so that it computes something else.
source "$(dirname "$0")/../cli/expect.sh" "$1"
programs=$here/programs
needs gcc make
unset ${!OMP_@} ${!GOMP_@}

make -s -C "$programs" OUT="$work/out" || fail "the programs do not compile"

# Program, arguments of a brief run, and a wrong statement in the place of a right one.
brief() {
  cat <<'TEXT'
triad|1000 3|b[i] + q|b[i] - q
cg|10 8|+= alpha * p[row]|+= 1.001 * alpha * p[row]
stencil|20 5|u[x + plane])|u[x])
matmul|naive 50 2|a[i * n + k] * b[k * n + j];|a[i * n + k] * b[j * n + k];
matmul|blocked 100 2|columns += block|columns += 2 * block
hash_join|8 10|table[at].key != key) at|0) at
chase|8 1001|i < steps|i < steps - 1
tree_search|8 1001|key < tree[at].key ?|key <= tree[at].key + 2 ?
transpose|50 3|from[j * n + i]|from[i * n + j]
histogram|12 5 2|>> (bits - bin_bits)|>> (bits - bin_bits + 1)
lbm|20 32 100|omega * (eq|0.9 * omega * (eq
nbody|50 40|time / 2)|time)
radix_sort|12 2|8 * pass|8 * pass / 2
fft|8 2|roots[start]|roots[inside]
fft|9 1|u - v|v - u
triangular_solve|12 2|sum / values[last]|sum
TEXT
}

while IFS='|' read -r program arguments right wrong; do
  for threads in 1 2; do
    OMP_NUM_THREADS=$threads "$work/out/$program" $arguments >"$work/said.$threads" || fail "$program $arguments, $threads threads: status $?"
    grep -q ', right$' "$work/said.$threads" || fail "$program $arguments: $(cat "$work/said.$threads")"
  done
  cmp -s "$work/said.1" "$work/said.2" || fail "$program $arguments: the result depends on the number of threads"
  python3 - "$programs/$program.c" "$work/$program.c" "$right" "$wrong" <<'PYTHON' || fail "$program.c lacks '$right'"
import sys
text = open(sys.argv[1]).read()
assert sys.argv[3] in text
open(sys.argv[2], "w").write(text.replace(sys.argv[3], sys.argv[4], 1))
PYTHON
  gcc -O1 -fopenmp -I"$programs" -I"$here/../../points/include" "$work/$program.c" -o "$work/wrong" -lm 2>"$work/err" || fail "$program: $(cat "$work/err")"
  "$work/wrong" $arguments >"$work/said" && fail "$program $arguments: '$wrong' in the place of '$right' goes unnoticed"
  grep -q ', WRONG$' "$work/said" || fail "$program with '$wrong' says: $(cat "$work/said")"
  "$work/out/$program" >"$work/said" 2>&1
  [ $? = 2 ] && grep -q "^usage: $program [A-Za-z|]* " "$work/said" || fail "$program without arguments: $(cat "$work/said")"
done < <(brief)

for source in "$programs"/*.c; do
  brief | grep -q "^$(basename "$source" .c)|" || fail "$source is not tried"
done

# Each case is one of a compiled program.
grep -v '^#' "$programs/cases.txt" >"$work/cases"
while read -r program arguments; do
  [ -x "$work/out/$program" ] || fail "cases.txt: no program $program"
done <"$work/cases"
[ "$(sort -u "$work/cases" | wc -l)" = "$(wc -l <"$work/cases")" ] || fail "cases.txt has a case twice"
finish
