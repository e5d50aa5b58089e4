#!/usr/bin/env bash
# The published machines: their charts show the papers' tables, their descriptions match their topologies, and their
# scripts reproduce them.
source "$(dirname "$0")/expect.sh" "$1"
machines=$(realpath "$here/../../machines")
needs python3 gnuplot

# described_as FOLDER: machine.json equals the program's description of topology.xml.
described_as() {
  "$gable" machine --xml "$1/topology.xml" --json >"$work/shown.json" || fail "$1: topology.xml cannot be read"
  python3 - "$work/shown.json" "$1/machine.json" <<'PYTHON' || fail "$1: machine.json is not what topology.xml says"
import json, sys
shown, kept = (json.load(open(path)) for path in sys.argv[1:])
for field in ("sources", "published", "not_published"):
    assert isinstance(kept.pop(field), list), field
assert kept == shown
PYTHON
  "$gable" machine --xml "$1/topology.xml" >/dev/null || fail "$1: gable machine"
}

names=(a64fx-fx700 grace-superchip joe0 knl-snc4-cache knl-snc4-flat skylake-2s x7550-4s xeon6254-optane)
for name in "${names[@]}"; do
  mkdir "$work/$name"
  cp "$machines/$name"/*.{xml,json*} "$work/$name"
  described_as "$work/$name"
  "$gable" plot "$work/$name" --format svg >"$work/$name.out" 2>"$work/err" || fail "$name: $(cat "$work/err")"
  [ ! -s "$work/err" ] || fail "$name: $(cat "$work/err")"
  grep -q 'larm-0.svg' "$work/$name.out" || [[ $name =~ skylake|x7550|grace ]] || fail "$name: no LARM chart"
  [ -n "$(ls "$work/$name/charts")" ] && { python3 "$here/plot_check.py" "$work/$name" || fail "$name: see above"; }
  grep -q "\`$name\`" "$machines/README.md" || fail "$name: not in machines/README.md"
  grep -q "^!/machines/$name/$" "$machines/../.gitignore" || fail "$name: ignored by git"
done
grep -q 'not drawn: hybrid-0-1-0: no bandwidth of loads from the slow memory.*not published' "$work/skylake-2s.out" ||
  fail "skylake-2s: the output does not say what is not published"
for op in store copy scale add triad; do
  "$gable" plot "$work/xeon6254-optane" --op $op --format svg >"$work/out" || fail "xeon6254-optane: --op $op"
done
"$gable" export "$work/xeon6254-optane" --csv -o "$work/xeon6254-optane/roofs.csv" || fail "xeon6254-optane: export"
python3 "$here/zoo_check.py" "$work" || fail "the charts are not the papers' tables"


# The thesis's placements appear in one table with those measured into the same folder.
"$gable" place "$work/xeon6254-optane" --list >"$work/out" || fail "xeon6254-optane: place --list"
for line in '16 ranks +7,?234 +6,?022 +0\.83 +1,?683' '4 ranks +2,?083 +1,?975 +0\.95' 'top-down +851\.3 +533\.1 +0\.63' \
  'bottom-up +288\.2 +224\.0 +0\.78' 'PP 64 ranks +4,?276 +2,?195 +0\.51' 'Published: Unmann table 3\.3; Unmann table 3\.5\.' \
  '16 ranks: the graph in NVM instead of DRAM takes 20 % longer \(no interval\): '; do
  grep -qE "$line" "$work/out" || fail "xeon6254-optane: place --list lacks '$line': $(cat "$work/out")"
done

# The check detects a mistyped figure.
sed -i 's/309\.2/302.9/' "$work/joe0/charts/larm-0.tsv"
python3 "$here/zoo_check.py" "$work" >"$work/out" && fail "a wrong figure goes unnoticed"
grep -q '302.9' "$work/out" || fail "a wrong figure is not named"

# The scripts reproduce the stored files; topologies are compared as the program reads them, because versions of
# hwloc write them differently.
if command -v lstopo-no-graphics >/dev/null; then
  mkdir "$work/made"
  "$machines/make.sh" "$gable" "$work/made" || fail "machines/make.sh"
  for name in "${names[@]}"; do
    for file in "$machines/$name"/*.json*; do
      cmp "$file" "$work/made/$name/${file##*/}" || fail "$name: make.py writes another ${file##*/}"
    done
    described_as "$work/made/$name"
  done
else
  echo "not tried: making the machines anew (hwloc's programs are not installed)"
fi

[ $failures -eq 0 ] && echo "${#names[@]} machines drawn and checked"
exit $((failures > 0))
