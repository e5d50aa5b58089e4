# Faults while nodes are measured: nodes without free memory, kill -9 during the run, a full disk. Cells that cannot be measured
# have a reason, all others are measured, and recorded folders can be continued.

fault_nodes=4 full=2 more=128M memory=32M isa=
# The size of its caches is not known; without --isa, NEON would be measured too.
[ "$scenario" != aarch64 ] || fault_nodes=2 full=1 more=256M memory=256M isa='--isa sve'
{ echo "nodes=$fault_nodes full=$full more=$more memory=$memory isa='$isa'" && cat; } <<'TEXT' | inside
cells="--preset quick --memory-set $memory $isa --pages 4k --quiet --only pattern=local,op=load"

# fill NODE MIB: leaves this much free on the node beyond the kernel's reserve, using files that cannot be reclaimed.
fill() {
  kib=$(sed -n 's/.*MemFree: *\([0-9]*\) kB/\1/p' "/sys/devices/system/node/node$1/meminfo")
  kept=$(awk -v "node=$1," '$1 == "Node" { here = $2 == node } here && $1 == "high" { pages += $2 } $1 == "protection:" { here = 0 }
    END { print pages * 4 }' /proc/zoneinfo)
  mkdir -p "/mnt/$1"
  mount -t tmpfs -o "mpol=bind:$1" hog "/mnt/$1"
  dd if=/dev/zero of="/mnt/$1/hog" bs=1M count=$(((kib - kept) / 1024 - $2)) 2> /dev/null
}
# gable uses at most 70 % of free memory and needs some itself; the kernel's own use varies.
[ $nodes = 2 ] || fill 1 150
fill $full 30
SET=$more one_round /out/hogs --only pattern=local,op=load --only pattern=congested,op=load
umount /mnt/*

for lines in 3 9; do
  gable measure /out/killed $cells &
  while [ "$(cat /out/killed/samples.jsonl 2> /dev/null | wc -l)" -lt $lines ]; do sleep 0.1; done
  kill -9 $!
  wait $! || true
  cp /out/killed/samples.jsonl "/out/killed-$lines.jsonl"
done
gable measure /out/killed $cells

# Room for the same files, in pages, but for half of the samples.
room=0
for file in /out/killed/*; do
  kib=$((($(wc -c < $file) + 4095) / 4096 * 4))
  [ $file != /out/killed/samples.jsonl ] || kib=$((kib / 2))
  room=$((room + kib))
done
mkdir /small
mount -t tmpfs -o size=512k small /small
dd if=/dev/zero of=/small/filler bs=1k count=$((512 - room)) 2> /dev/null
gable measure /small/m $cells > /out/full.out 2> /out/full.err && status=0 || status=$?
echo $status > /out/full.status
cp -r /small/m /out/full-before
mount -o remount,size=4m /small
gable fit /small/m > /out/full.fit
gable measure /small/m $cells
cp -r /small/m /out/full-after
TEXT
take "$here/one_round:/bin/one_round"

verify_faults() {
  python3 "$here/faults_seen.py" $fault_nodes hogs "$work/hogs/samples.jsonl" || fail 'nodes without free memory'
  python3 "$here/faults_seen.py" $fault_nodes whole "$work/killed/samples.jsonl" "$work"/killed-{3,9}.jsonl || fail 'kill -9'
  same 'status of a full disk' 1 "$(cat "$work/full.status")"
  grep -q '^gable: .*/small/m/samples.jsonl: No space left on device' "$work/full.err" || fail "a full disk says: $(cat "$work/full.err")"
  python3 "$here/faults_seen.py" $fault_nodes whole "$work/full-after/samples.jsonl" "$work/full-before/samples.jsonl" || fail 'full disk'
}
