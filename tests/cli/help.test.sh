#!/bin/bash
# If output cannot be written, there is an error message and exit status 1, also for help and versions.
source "$(dirname "$0")/expect.sh" "$1"

commands=("" machine measure fit show plot predict export place point "point run" "point add" "point import" "point list"
  kmaf "kmaf run" "kmaf trace" "kmaf generate" "kmaf metrics" "kmaf replay")
for command in "${commands[@]}"; do
  expect 0 '' $command --help
  grep -q '^Usage: gable' "$work/out" || fail "gable $command --help says: $(head -3 "$work/out")"
  "$gable" $command --help >/dev/full 2>"$work/err"
  [ $? = 1 ] && grep -q 'cannot write to standard output' "$work/err" || fail "gable $command --help >/dev/full: $(cat "$work/err")"
done
"$gable" --version >/dev/full 2>"$work/err"
[ $? = 1 ] || fail "gable --version >/dev/full ends well"
"$gable" machine >/dev/full 2>"$work/err"
[ $? = 1 ] || fail "gable machine >/dev/full ends well"
"$gable" measure --help 2>"$work/err" | true
[ ! -s "$work/err" ] || fail "a reader who has had enough is no error: $(cat "$work/err")"

[ $failures = 0 ] && echo 'all as expected'
exit $((failures > 0))
