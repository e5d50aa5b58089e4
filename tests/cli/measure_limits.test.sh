#!/bin/bash
# gable measure with forbidden, full or missing resources: it measures what it can and reports the rest.
source "$(dirname "$0")/expect.sh" "$1"
without=$1/without
full=$work/full
cleanup() {
  mountpoint -q "$full" && umount "$full"
  rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 1
skipped=()

# expect STATUS PATTERN COMMAND...: its exit status, and what stderr says.
expect() {
  local status=$1 pattern=$2 got
  shift 2
  "$@" >out 2>err
  got=$?
  [ $got = "$status" ] || fail "$*: exit $got, expected $status: $(cat err)"
  [ -z "$pattern" ] || grep -qE -- "$pattern" err || fail "$*: stderr lacks '$pattern': $(cat err)"
}

check() { python3 "$here/samples.py" "$@" || fail "samples.py $*"; }
cells=(--preset quick --quiet --only L1,op=load --only flops,op=fma,dp)

# A cpuset of one core.
expect 0 '' taskset -c "$first_cpu" "$gable" measure one "${cells[@]}"
check one/samples.jsonl --complete
grep -q '"cpus":\['"$first_cpu"'\]' one/samples.jsonl || fail "not measured on CPU $first_cpu"
expect 0 '' taskset -c "$first_cpu" "$gable" measure --dry-run
grep -q 'one core: no other core to generate the load' out || fail "the plan of one core does not say why there is no load"
if [ "$(nproc)" -gt 1 ]; then expect 2 'another cpuset' "$gable" measure one "${cells[@]}"; fi

# No NUMA system calls, as in a container.
if "$without" numa true 2>err; then
  expect 0 '' "$without" numa "$gable" measure numa "${cells[@]}"
  check numa/samples.jsonl --complete --note mbind
  grep -q '"node_bytes":{"' numa/samples.jsonl || fail "without move_pages it does not ask numa_maps"
else
  skipped+=("seccomp: $(cat err)")
fi

# No sched_getaffinity: the system is read all the same, and soon.
if "$without" affinity true 2>err; then
  expect 0 '' timeout 60 "$without" affinity "$gable" machine --json
  "$gable" machine --json >plain
  python3 - <<'PYTHON' || fail "without sched_getaffinity the machine has other CPUs"
import json
cpus = [[pu for cluster in json.load(open(name))["clusters"] for pu in cluster["pus"]] for name in ("plain", "out")]
assert set(cpus[0]) <= set(cpus[1]), cpus
PYTHON
else
  skipped+=("seccomp: $(cat err)")
fi

# Folders of sysfs that a container hides.
hidden() { unshare -m sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$@"; }
if [ "$(id -u)" = 0 ] && hidden /sys/kernel/mm true 2>err; then
  expect 0 '' hidden /sys/kernel/mm "$gable" bench load 64k
  expect 0 '' hidden /sys/kernel/mm "$gable" measure mm --preset quick --quiet --only latency,level=memory --budget 20s
  grep '"kind":"latency".*"level":"memory"' mm/samples.jsonl | grep -qvE '"status":"skipped"' || fail "no latency of memory where /sys/kernel/mm is hidden"
  if [ "$(ls -d /sys/devices/system/node/node[0-9]* | wc -l)" = 1 ]; then
    expect 0 '' hidden /sys/devices/system/node "$gable" machine
    grep -q 'DRAM node 0' out || fail "no memory node where sysfs shows none"
  else
    expect 2 'hwloc finds only one' hidden /sys/devices/system/node "$gable" machine
  fi
else
  skipped+=("hidden folders: $(cat err)")
fi

# A small stack, also for libraries.
if [ -z "$sanitizer" ]; then
  expect 0 '' bash -c 'ulimit -s 64 && exec "$@"' - "$gable" show joe0
  expect 0 '' bash -c 'ulimit -s 64 && exec "$@"' - "$gable" compare joe0 joe0
  expect 0 '' "$gable" kmaf generate ring --threads 4 --accesses 5000 -o ring.trace
  expect 0 '' bash -c 'ulimit -s 64 && exec "$@"' - "$gable" kmaf replay ring.trace --machine "$here/../../machines/x7550-4s" --policy kmaf --runs 1
fi

# No transparent huge pages: it uses 4 KiB pages and still measures every pattern.
if ! grep -qE '^Hugetlb: +0 kB' /proc/meminfo; then
  skipped+=("there are reserved huge pages")
elif "$without" thp true 2>err; then
  expect 0 'no 2 MiB pages' "$without" thp "$gable" measure thp --preset quick --quiet --only ladder,bandwidth --only L1,op=load
  check thp/samples.jsonl
  python3 - <<'PYTHON' || fail "without huge pages it measures too little, or too much"
import json
samples = [json.loads(line) for line in open("thp/samples.jsonl")]
assert all(s["asked"]["pages"] == "4k" for s in samples if s["asked"]["pattern"] == "ladder")
assert any(s["asked"]["pattern"] == "ladder" and s["status"] != "skipped" for s in samples)
large = [s for s in samples if s["asked"]["pages"] == "2m"]
assert large and all(s["status"] == "skipped" and s["reason"]["code"] in ("few_huge_pages", "no_such_pages") for s in large), large
PYTHON
else
  skipped+=("PR_SET_THP_DISABLE: $(cat err)")
fi

# Limited address space: smaller buffers or skipped cells; the rest is measured.
little=(--preset quick --quiet --pages 4k --only memory,local,op=load --only L1,op=load)
if grep -qE '^GABLE_SANITIZE:STRING=(address|thread)' "$1/CMakeCache.txt"; then
  skipped+=("a sanitizer reserves terabytes of addresses")
else
  expect 0 '' bash -c 'ulimit -v 150000 && exec "$@"' - "$gable" measure little "${little[@]}"
  check little/samples.jsonl
  grep -q '"level":"memory".*"status":"skipped","reason":"mmap' little/samples.jsonl || fail "no buffer was too large"
  grep -qE '"level":"L1".*"status":"(ok|invalid)"' little/samples.jsonl || fail "L1 was not measured"
fi

# A control group with little memory: nothing is killed.
group=/sys/fs/cgroup/memory/gable-test-$$
if mkdir "$group" 2>err && echo 200M >"$group/memory.limit_in_bytes" 2>err; then
  expect 0 '' bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$gable" measure group "${little[@]}"
  check group/samples.jsonl
  grep -qE '"level":"memory".*"status":"skipped","reason":("not enough|\{"code":"(little_memory|node_too_small_beyond_caches)")' group/samples.jsonl ||
    check group/samples.jsonl --note smaller_buffers
  grep -qE '"level":"L1".*"status":"(ok|invalid)"' group/samples.jsonl || fail "L1 was not measured in a small group"
else
  skipped+=("control groups of version 1: $(cat err)")
fi
[ -d "$group" ] && rmdir "$group"

if [ "$(id -u)" != 0 ]; then
  skipped+=("not root: no full disk, no other user")
else
  # A disk that fills up: an error, and only complete lines.
  mkdir "$full"
  if mount -t tmpfs -o size=48k tmpfs "$full" 2>err; then
    expect 1 "full/m.*(No space|left on device)" "$gable" measure "$full/m" --preset quick --quiet --only L1 --only L2
    if [ -s "$full/m/samples.jsonl" ]; then check "$full/m/samples.jsonl"; fi
    umount "$full"
  else
    skipped+=("mount: $(cat err)")
  fi

  # An unprivileged user.
  chmod 755 "$work"
  mkdir user && chown 65534:65534 user
  user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  if "${user[@]}" test -x "$gable"; then
    expect 0 '' "${user[@]}" "$gable" measure user/m "${cells[@]}"
    check user/m/samples.jsonl --complete
    # A read-only folder.
    expect 1 'mine/m: .*ermission' "${user[@]}" "$gable" measure mine/m "${cells[@]}"
    cp -r user/m ours
    chmod -R a+rX,go-w ours
    before=$(cat ours/* | md5sum)
    expect 1 'ours.*ermission' "${user[@]}" "$gable" measure ours "${cells[@]}"
    [ "$before" = "$(cat ours/* | md5sum)" ] || fail "a read-only folder was touched"
  else
    skipped+=("the program is not where another user may run it")
  fi
fi

[ $failures = 0 ] || exit 1
if [ ${#skipped[@]} != 0 ]; then
  printf 'skipped in part: %s\n' "${skipped[@]}"
fi
exit 0
