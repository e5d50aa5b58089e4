#!/bin/bash
# gable machine: exit codes, messages and output for restricted processes.
source "$(dirname "$0")/expect.sh" "$1"
folder=$work

# expect STATUS TEXT ARGUMENTS...: runs gable machine and looks for TEXT in its output.
expect() {
  local output status
  output=$("$gable" machine "${@:3}" 2>&1)
  status=$?
  [ "$status" = "$1" ] || fail "status $status instead of $1: gable machine ${*:3}"
  grep -qF -- "$2" <<< "$output" || fail "no '$2' in: gable machine ${*:3}: $output"
}

expect 0 'Memory nodes'
expect 0 '"schema": 1' --json
expect 0 '"page_bytes": [' --json
expect 0 '4 cores, 8 hardware threads, 2 clusters, 2 memory nodes' --synthetic 'numa:2 core:2 pu:2'
expect 0 'L1     32 KiB  4          1 thread' --synthetic 'numa:1 core:2 l1:2 pu:1'
expect 0 '"hypervisor": null' --synthetic 'numa:2 core:2 pu:2' --json
expect 2 'synthetic topology "nonsense"' --synthetic nonsense
expect 2 'synthetic topology ""' --synthetic ''
expect 2 "$folder/none.xml: cannot be opened" --xml "$folder/none.xml"
printf '<topology version="2.0">\n<object type="Mach' > "$folder/cut.xml"
expect 2 "$folder/cut.xml:2: " --xml "$folder/cut.xml"
expect 2 'exclude each other; give one of them' --xml a --synthetic b
expect 2 '' --no-such-option

# A recorded machine, and a published one by its name.
machines=$(cd "$(dirname "$0")/../../machines" && pwd)
expect 0 'joe0: Intel Xeon E5-2650L v4, 28 cores, 28 hardware threads, 4 clusters' "$machines/joe0"
cd "$folder" || exit 1
expect 0 'NVM   768 GiB  cluster 0  CPU-less' xeon6254-optane
expect 0 'Not published: ' xeon6254-optane
"$gable" machine joe0 --json | cmp -s - "$machines/joe0/machine.json" || fail 'another machine.json than that of the folder'
expect 2 'joe00: no such folder; did you mean joe0' joe00
mkdir empty
expect 2 'empty/machine.json: no such file' empty
expect 2 'exclude each other; give one of them' joe0 --xml a

# A topology.xml of another machine than machine.json is refused by whatever uses both.
cp -r "$machines/joe0" mixed && chmod -R u+w mixed
cp "$machines/knl-snc4-flat/topology.xml" mixed
expect 2 'mixed/topology.xml: is of another machine than mixed/machine.json: memory nodes 0 to 7 instead of 0' mixed
"$gable" export mixed --hwloc >out 2>err && fail "export puts figures onto another machine's nodes"
grep -q 'mixed/topology.xml: is of another machine than mixed/machine.json' err || fail "export says: $(cat err)"
sed -i 's/"pus": *\[0, *1,/"pus": [0, 99,/; s/"core_pus": *\[\[0\], *\[1\],/"core_pus": [[0], [99],/' mixed/machine.json
cp "$machines/joe0/topology.xml" mixed
expect 2 'cluster 0 with hardware threads' mixed
for each in "$machines"/*/topology.xml "$machines"/measured/*/topology.xml; do expect 0 'Memory nodes' "${each%/*}"; done

# Another machine's topology is never mixed with properties of this host.
HWLOC_SYNTHETIC='numa:3 core:1 pu:1' "$gable" machine | grep -q 'hypervisor' && fail 'this host in a foreign topology'

if [ "$(nproc)" -gt 1 ]; then
  taskset -c "$first_cpu" "$gable" machine > "$folder/one" || fail 'a single CPU'
  grep -q '1 hardware thread,' "$folder/one" || fail 'taskset is not respected'
  grep -q 'CPUs may be used' "$folder/one" || fail 'the limit is not shown'
fi
"$gable" machine > /dev/full 2> "$folder/full" && fail 'a full disk goes unnoticed'

finish
