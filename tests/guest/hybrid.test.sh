#!/bin/bash
# The hybrid grid on four memory nodes: every page where its cell asks for it, as two interfaces of the kernel tell it,
# and hybrid.json from the Samples.
. "$(dirname "$0")/expect.sh"

guest numa4 --out "$work/back" --file "$build/test_bench:/bin/test_bench" -- sh -ec '
  test_bench --gtest_filter="MixedPlacement.*"
  gable measure /out/m --only pattern=hybrid,cluster=0 --memory-set 32M --pages 4k --preset quick --quiet
  gable fit /out/m'
cat "$work/out"
same 'exit status' 0 $status
grep -qE '0 +DRAM node [01] +DRAM node [01] +4k( +[0-9.]+){4} +25 ' "$work/out" || fail 'gable fit shows no pair of nodes 0 and 1'
python3 "$here/hybrid.py" "$work/back/m" || fail 'the grid is not as planned'
finish
