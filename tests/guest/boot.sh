#!/bin/bash
# BUILD SCENARIO CHECK...: boots the scenario's guest once and runs the checks in it, one after the other. A check is a file
# checks/CHECK.sh. It gives the commands for the guest with `inside` (there $1 is the scenario, and files in /out are copied
# to $work), the files that the guest needs with `take`, and verifies the results in a function verify_CHECK.
. "$(dirname "$0")/expect.sh"
scenario=$2
checks=("${@:3}")
all=$work
boot=() files=() skipped=()

# Reads the commands for the guest, run by sh -e, from standard input.
inside() { cat >"$all/parts/$check"; }

# take HOST:GUEST...
take() {
  local file
  for file in "$@"; do
    [[ " ${files[*]} " == *" $file "* ]] || files+=(--file "$file")
  done
}

# skip REASON: skips this check.
skip() {
  skipped+=("$check: $*")
  rm -f "$all/parts/$check"
}

mkdir "$all/parts"
for check in "${checks[@]}"; do
  work=$all/made/$check
  mkdir -p "$work"
  . "$here/checks/$check.sh"
done
(cd "$all/parts" && for check in "${checks[@]}"; do [ ! -e "$check" ] || echo "$check"; done) >"$all/list"

# Restores the kernel's balancing before each check. A check must clean up its own processes and mounts.
cat >"$all/inside" <<'TEXT'
balancing=/proc/sys/kernel/numa_balancing
[ ! -e $balancing ] || was=$(cat $balancing)
for part in $(cat /parts/list); do
  began=$(cut -d ' ' -f 1 /proc/uptime)
  mkdir -p /kept/$part
  mount --bind /kept/$part /out
  sh -e /parts/$part "$1" > /kept/$part.out 2> /kept/$part.err && status=0 || status=$?
  umount /out
  echo $status > /kept/$part.status
  [ ! -e $balancing ] || echo $was > $balancing
  echo "$part: exit status $status after $(awk -v a=$began '{ printf "%.1f", $1 - a }' /proc/uptime) s in the guest"
done
mv /kept/* /out/
TEXT
work=$all
guest "$scenario" --deadline 900 "${boot[@]}" --out "$all/back" "${files[@]}" --file "$all/list:/parts/list" \
  --file "$all/parts:/parts" --file "$all/inside:/inside" -- sh /inside "$scenario"
cat "$work/out"
same 'exit status of the guest' 0 $status
[ $failures = 0 ] || finish
for check in $(cat "$all/list"); do
  work=$all/back/$check
  mv "$work.out" "$work/out"
  mv "$work.err" "$work/err"
  status=$(cat "$work.status")
  before=$failures
  echo "--- $check"
  same 'exit status' 0 "$status"
  [ $failures != $before ] || "verify_$check"
done
for reason in "${skipped[@]}"; do echo "skipped: $reason"; done
[ $failures != 0 ] || [ ${#skipped[@]} = 0 ] || exit 77
finish
