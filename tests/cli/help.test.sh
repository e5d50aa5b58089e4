#!/bin/bash
# Help of every command: narrow enough, complete, and an error where it cannot be written. What is said of words that are no
# command, no option, no value.
source "$(dirname "$0")/expect.sh" "$1"

# below COMMAND...: the commands that its help lists.
below() { "$gable" "$@" --help | sed -n '/^Commands:/,/^[^ ]/s/^  \([a-z]*\) .*/\1/p'; }
commands=()
walk() {
  local name
  for name in $(below "$@"); do
    commands+=("${*:+$* }$name")
    walk "$@" "$name"
  done
}
walk
[ ${#commands[@]} -ge 22 ] || fail "help lists ${#commands[@]} commands: ${commands[*]}"
for name in measure 'point add' 'kmaf replay' completion man; do
  printf '%s\n' "${commands[@]}" | grep -qx "$name" || fail "help does not list $name"
done

for command in "" "${commands[@]}"; do
  expect 0 '' $command --help
  grep -q "^Usage: gable${command:+ $command} " "$work/out" || fail "gable $command --help says: $(head -3 "$work/out")"
  LC_ALL=C.UTF-8 awk 'length > 100' "$work/out" >"$work/wide"
  [ ! -s "$work/wide" ] || fail "gable $command --help is wider than 100 columns: $(cat "$work/wide")"
  grep -q ' $' "$work/out" && fail "gable $command --help has spaces at the end of a line"
  "$gable" $command --help >/dev/full 2>"$work/err"
  [ $? = 1 ] && grep -q 'cannot write to standard output' "$work/err" || fail "gable $command --help >/dev/full: $(cat "$work/err")"
done
# On a terminal that is narrower, as narrow as that.
if command -v script >/dev/null; then
  for columns in 80 60; do
    script -qec "stty cols $columns; '$gable' point run --help" /dev/null </dev/null | tr -d '\r' >"$work/out"
    grep -q '^Usage: gable point run ' "$work/out" || fail "gable point run --help on a terminal says: $(cat "$work/out")"
    LC_ALL=C.UTF-8 awk -v columns=$columns 'length > columns' "$work/out" >"$work/wide"
    [ ! -s "$work/wide" ] || fail "help on a terminal of $columns columns: $(cat "$work/wide")"
    script -qec "stty cols $columns; '$gable' predict joe0" /dev/null </dev/null | tr -d '\r' >"$work/out"
    LC_ALL=C.UTF-8 awk -v columns=$columns 'length > columns || NR > 1 && !/^  /' "$work/out" >"$work/wide"
    [ ! -s "$work/wide" ] || fail "a message on a terminal of $columns columns: $(cat "$work/wide")"
  done
fi
expect 2 '^gable: predict: give .*--load-slow.* or --load-share$' predict joe0
"$gable" --version >/dev/full 2>"$work/err"
[ $? = 1 ] || fail "gable --version >/dev/full ends well"
"$gable" machine >/dev/full 2>"$work/err"
[ $? = 1 ] || fail "gable machine >/dev/full ends well"
"$gable" measure --help 2>"$work/err" | true
[ ! -s "$work/err" ] || fail "a reader who has had enough is no error: $(cat "$work/err")"

# Without a command: the list on standard output and no success, as git does it.
expect 2 ''
for command in "${commands[@]}"; do
  [[ $command == *' '* ]] || grep -q "^  $command " "$work/out" || fail "bare gable does not list $command"
done
grep -q '^Begin with .gable measure DIR.' "$work/out" && [ ! -s "$work/err" ] || fail "bare gable: $(cat "$work/out" "$work/err")"
expect 2 '' kmaf
grep -q '^  replay ' "$work/out" || fail "bare gable kmaf: $(cat "$work/out")"

# Words that are nearly right.
expect 2 "no command 'plcae'; did you mean 'place'\?" plcae
expect 2 "point: no command 'ad'; did you mean 'add'\?" point ad
expect 2 "no command 'elephant'" elephant
grep -q 'did you mean' "$work/err" && fail "elephant is near to: $(cat "$work/err")"
expect 2 "place: no option '--grpah'; did you mean '--graph'\?" place m --bench bfs --grpah=x
expect 2 "measure: no option '--quite'; did you mean '--quiet'\?" measure --quite m
expect 2 "no option '--nme'; did you mean '--name'\?" point run m --nme x
grep -q 'arguments after --' "$work/err" || fail "the separator is not hinted at: $(cat "$work/err")"
expect 2 'See .gable place --help.' place m --grpah x
expect 2 "--policy: 'kmfa' is none of .*; did you mean 'kmaf'\?" kmaf run --policy kmfa -- true
expect 2 "--bench: 'pagerak' is none of pagerank, bfs, memory; did you mean 'pagerank'\?" place m --bench pagerak
expect 2 "--preset: 'ful' is none of .*did you mean 'full'" measure m --preset ful
expect 2 "no operation 'triadd'; did you mean 'triad'" bench triadd 1M
expect 2 'place: --bench needs a value: one of pagerank, bfs, memory$' place m --bench
expect 2 'point add: --name needs a value: TEXT$' point add m --name
expect 2 'measure: --preset: given 2 times; give it once$' measure m --preset quick --preset full
expect 2 'measure: --quiet takes no value$' measure m --quiet=5
expect 2 'kmaf replay: --json takes no value$' kmaf replay t.csv --json=yes
expect 2 "matches --only op=laod; did you mean 'load'\?" measure --dry-run --only op=laod
expect 2 "no field 'levle'; did you mean 'level'\?" measure --dry-run --only levle=L1
expect 2 "has add, .*; did you mean 'triad'\?" plot "$here/../../machines/xeon6254-optane" --op tirad

finish
