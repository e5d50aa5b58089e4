#!/bin/bash
# BUILD SCENARIO: what gable machine shows in the scenario's guest, against expected/SCENARIO.json;
# GABLE_REGENERATE=1 writes that anew. The table for the screen is printed to be read.
. "$(dirname "$0")/expect.sh"
scenario=$2

guest "$scenario" --out "$work/back" -- sh -ec 'gable machine; gable machine --json > /out/machine.json'
cat "$work/out"
same 'exit status' 0 $status
[ $status = 0 ] || finish
python3 "$here/shown.py" "$work/back/machine.json" "$here/expected/$scenario.json" ||
  fail 'gable machine shows another machine'
finish
