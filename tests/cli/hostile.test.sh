#!/usr/bin/env bash
# Files that are made to break a reader: each ends with a message that names the file, within seconds and little memory.
source "$(dirname "$0")/expect.sh" "$1"
needs python3
root=$(cd "$here/../.." && pwd)
(ulimit -v 8000000 && "$gable" --version) >/dev/null 2>&1 && ulimit -v 8000000  # sanitizers reserve more

# refused WHAT FILE ARGUMENT...: exit status 1 or 2 within 30 s, a message that names FILE, and no control character.
refused() {
  local what=$1 file=$2 status
  shift 2
  timeout 30 "$gable" "$@" >"$work/out" 2>"$work/err"
  status=$?
  [ $status = 1 ] || [ $status = 2 ] || fail "$what: exit $status of gable $*: $(head -c 300 "$work/err")"
  grep -qF "$file" "$work/err" || fail "$what: the message does not name $file: $(head -c 300 "$work/err")"
  ! LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$work/out" "$work/err" || fail "$what: a control character is printed"
}

deep=$(python3 -c 'print("[" * 70000 + "]" * 70000)')
copy() {  # FOLDER of machines/
  rm -rf "$work/m"
  cp -r "$root/machines/$1" "$work/m"
}
for file in roofs.json hybrid.json machine.json; do
  copy knl-snc4-flat
  printf '{"schema": 1, "roofs": %s}' "$deep" >"$work/m/$file"
  refused 'deep JSON' "$file" show "$work/m"
done
copy xeon6254-optane
printf '{"reason": %s}\n' "$deep" >"$work/m/placements.jsonl"
refused 'deep JSON' placements.jsonl show "$work/m"
printf '{"reason": %s}\n' "$deep" >"$work/m/tiers.jsonl"
rm "$work/m/placements.jsonl"
refused 'deep JSON' tiers.jsonl show "$work/m"
python3 "$data/two_clusters.py" "$work/measured" || fail two_clusters.py
printf '{"reason": %s}\n' "$deep" >>"$work/measured/samples.jsonl"
refused 'deep JSON' samples.jsonl fit "$work/measured"

copy xeon6254-optane
sed -i '1s/"seconds":\[[^]]*\]/"seconds":[1e400]/' "$work/m/placements.jsonl"
grep -q 1e400 "$work/m/placements.jsonl" || sed -i '1s/[0-9][0-9.]*/1e400/' "$work/m/placements.jsonl"
refused 'a number beyond double' placements.jsonl:1 show "$work/m"
copy joe0
sed -i '0,/"DRAM"/s//"\\u001b[2JDRAM"/' "$work/m/roofs.json"
refused 'an escape sequence in a field' roofs.json show "$work/m"
for value in 0 1e300; do
  copy joe0
  sed -i "s/\"value\":36.1,\"lo\":36.1,\"hi\":36.1/\"value\":$value,\"lo\":$value,\"hi\":$value/" "$work/m/roofs.json"
  line=$(grep -n "\"value\":$value," "$work/m/roofs.json" | head -1 | cut -d: -f1)
  for command in show plot report; do refused "a roof of $value" "roofs.json:$line: roofs[" $command "$work/m"; done
  refused "a roof of $value" "roofs.json:$line: roofs[" compare "$work/m" "$root/machines/joe0" --html "$work/compared.html"
done
copy joe0
sed -i '0,/"value":36.1/s//"value":1e400/' "$work/m/roofs.json"
refused 'a roof of 1e400' "roofs.json:$(grep -n 1e400 "$work/m/roofs.json" | cut -d: -f1): not JSON" show "$work/m"
! grep -q 'gable fit' "$work/err" || fail "a folder without samples cannot be fitted: $(cat "$work/err")"
refused 'an escape sequence in a name' '?[2J' show "$work/"$'\x1b[2J'

# hwloc 2.9 crashes or does not end on some of these.
topology="$root/machines/knl-snc4-flat/topology.xml"
sed 's/ complete_nodeset="[^"]*"//g' "$topology" >"$work/no-nodeset.xml"
sed '0,/type="PU" os_index="[0-9]*"/s//type="PU" os_index="-5"/' "$topology" >"$work/negative.xml"
sed '0,/type="PU" os_index="[0-9]*"/s//type="PU" os_index="nan"/' "$topology" >"$work/nan.xml"
sed '0,/type="PU" os_index="[0-9]*"/s//type="PU"/' "$topology" >"$work/missing.xml"
for fault in no-nodeset negative nan missing; do
  timeout 60 "$gable" machine --xml "$work/$fault.xml" >"$work/out" 2>"$work/err"
  status=$?
  [ $status -le 2 ] || fail "$fault.xml: exit $status: $(head -c 300 "$work/err")"
  [ $status = 0 ] || grep -q "$fault.xml" "$work/err" || fail "$fault.xml is not named: $(cat "$work/err")"
  [ "$(wc -l <"$work/err")" -le 1 ] || fail "$fault.xml: hwloc says something too: $(cat "$work/err")"
done

# hwloc's own parser, without the libxml plugin, takes a CPU without a number for one with the largest.
export HWLOC_PLUGINS_PATH=/nonexistent
refused 'a CPU without a number' far.xml:\ a\ CPU machine --xml "$root/tests/fuzz/corpus/topology/far.xml"
unset HWLOC_PLUGINS_PATH

printf 'tid,address,bytes,write\n1,4096,2147483647,0\n' >"$work/huge.csv"
refused 'an access of 2 GiB' huge.csv:2 kmaf metrics "$work/huge.csv"

{ echo 'tid,address,bytes,write' && seq 5000 | sed 's/$/,4096,8,0/'; } >"$work/threads.csv"
refused 'a trace of 5000 threads' threads.csv kmaf metrics "$work/threads.csv"
refused 'a trace of 5000 threads' threads.csv kmaf replay "$work/threads.csv" --machine "$root/machines/x7550-4s"

finish
