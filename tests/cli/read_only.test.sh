#!/bin/bash
# A folder that may be read and not written: commands that write end with 1, the others do their work.
source "$(dirname "$0")/expect.sh" "$1"
[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && command -v python3 >/dev/null || {
  echo "skipped: becoming another user takes root and setpriv (package util-linux)"
  exit 77
}
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
"${nobody[@]}" test -x "$gable" || { echo "skipped: another user cannot run $gable"; exit 77; }
chmod 755 "$work"

"$gable" measure "$work/m" --preset quick --quiet --only L1,op=load --only flops >"$work/out" 2>&1 && "$gable" fit "$work/m" --quiet ||
  fail "no folder: $(cat "$work/out")"
figures=(--flops 1e9 --load-bytes 1e9 --seconds 1)
expect 0 '' point add "$work/m" --name mine "${figures[@]}"
chmod -R go=rX "$work/m"
before=$(cat "$work/m"/* | md5sum)

# as_nobody STATUS PATTERN ARGUMENT...: the exit status, and what stderr says.
as_nobody() {
  "${nobody[@]}" "$gable" "${@:3}" >"$work/out" 2>"$work/err"
  local got=$?
  [ $got = "$1" ] || fail "gable ${*:3}: exit $got, expected $1: $(cat "$work/err")"
  [ -z "$2" ] || grep -q "$2" "$work/err" || fail "gable ${*:3}: stderr lacks '$2': $(cat "$work/err")"
}
as_nobody 1 'ermission' measure "$work/m" --preset quick --quiet --only L1,op=store
as_nobody 1 'ermission' measure "$work/new" --preset quick --quiet --only L1,op=store
as_nobody 1 'ermission' fit "$work/m"
as_nobody 1 'ermission' place "$work/m" --bench bfs --graph uniform:6 --runs 1 --quiet
as_nobody 1 'ermission' place "$work/m" --bench memory --quiet
as_nobody 1 'ermission' plot "$work/m"
as_nobody 1 'ermission' point add "$work/m" --name other "${figures[@]}"
as_nobody 1 'ermission' point run "$work/m" --flops 1 --load-bytes 1 -- true
as_nobody 1 'ermission' point remove "$work/m" --name mine
for command in "show $work/m" "machine $work/m" "export $work/m --csv" "point list $work/m" "measure $work/m --dry-run --preset quick"; do
  as_nobody 0 '' $command
  [ -s "$work/out" ] || fail "gable $command prints nothing"
done
[ "$(cat "$work/m"/* | md5sum)" = "$before" ] || fail "a folder that is read only was changed"

# A folder that others may not even read.
chmod 700 "$work/m"
as_nobody 1 'ermission' measure "$work/m" --preset quick --quiet --only L1,op=store
as_nobody 1 'ermission' measure "$work/m" --preset quick --dry-run

finish
