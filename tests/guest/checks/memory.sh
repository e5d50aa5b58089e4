# gable place --bench memory on a DAX file system, and on a CXL node while another process moves its pages: checks the location of
# the memory, never its speed.
{
  echo "few='--access 64,4096 --threads 1 --runs 1 --memory-set 8M --quiet'"
  if [ "$scenario" = pmem ]; then
    cat <<'TEXT'
gable place /out/pmem --bench memory --tiers DRAM,/mnt/pmem $few > /out/table
ls /mnt/pmem | grep -v lost+found > /out/left || true
TEXT
  else
    cat <<'TEXT'
gable place /out/cxl --bench memory --tiers DRAM,CXL $few > /dev/null
gable place /out/moved --bench memory --tiers CXL $few > /dev/null &
while ! pid=$(pidof gable); do sleep 0.1; done
saboteur pages $pid 1
wait $!
TEXT
  fi
} | inside
take "$build/saboteur:/bin/saboteur"

verify_memory() {
  if [ "$scenario" = pmem ]; then
    same 'files left' '' "$(cat "$work/left")"
    python3 "$here/memory.py" "$work/pmem" DRAM=0 /mnt/pmem= || fail 'the records of pmem'
  else
    python3 "$here/memory.py" "$work/cxl" DRAM=0 CXL=2 || fail 'the records of cxl'
    python3 "$here/memory.py" "$work/moved" CXL=2 --moved-to 1 || fail 'moved pages'
  fi
}
