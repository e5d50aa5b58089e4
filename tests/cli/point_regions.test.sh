#!/bin/bash
# gable point run --regions: marked regions become points with the counted work; functions are kept; no files stay
# behind, however it ends.
source "$(dirname "$0")/expect.sh" "$1"
needs_valgrind
needs python3 cc:gcc
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$work/machine
mkdir "$dir" "$work/tmp"
export TMPDIR=$work/tmp
"$gable" machine --json >"$dir/machine.json"
field() { of_point "$dir/points.json" "$@"; }

# 3000 and 1000 elements in each of four threads, as tests/points/programs/marked.c has them.
marked=$1/programs/marked
expect 0 '' point run "$dir" --regions --repetitions 2 --name m -- "$marked" threads
[ "$(field 'm: outer' 'p["flops"], p["load_bytes"], p["store_bytes"], p["counter"], p["precision"], p["region"], p["threads"] in range(1, 5)')" = \
  "(24000, 192000, 96000, 'profile', 'dp', 'outer', True)" ] || fail "outer: $(field 'm: outer' p)"
[ "$(field 'm: inner' 'p["flops"], p["seconds"] > 0, p["repetitions"]')" = "(8000, True, 2)" ] || fail "inner: $(field 'm: inner' p)"
expect 0 '' point run "$dir" --regions --repetitions 2 --name l -- "$marked" library
[ "$(field 'l: library' 'p["flops"], any(n["code"] == "one_thread_marks" for n in p["notes"])')" = "(8000, True)" ] || fail "library: $(field 'l: library' p)"
expect 0 '' point run "$dir" --regions --repetitions 2 --name b -- "$marked" beside
[ "$(field 'b: shared' 'p["flops"], {"code": "threads_outside", "arguments": [6000]} in p["notes"]')" = "(8000, True)" ] || fail "beside: $(field 'b: shared' p)"

# One thread marks both regions, and another one works in the second only: the roofs are of one thread, and of two.
cat >"$work/two.c" <<'C'
#include <gable-marker.h>
#include <semaphore.h>
static sem_t begin, done;
static volatile double sums[2];
static void compute(int which) {
  struct timespec from, now;
  clock_gettime(CLOCK_MONOTONIC, &from);
  do {
    for (int i = 0; i < 1000; ++i) sums[which] += 1.5;
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec - from.tv_sec + 1e-9 * (now.tv_nsec - from.tv_nsec) < 0.2);
}
static void *help(void *unused) {
  sem_wait(&begin);
  compute(1);
  sem_post(&done);
  return unused;
}
int main(void) {
  pthread_t thread;
  sem_init(&begin, 0, 0);
  sem_init(&done, 0, 0);
  pthread_create(&thread, NULL, help, NULL);
  gable_marker_start("serial");
  compute(0);
  gable_marker_work(1, 8, 8);
  gable_marker_stop("serial");
  gable_marker_start("parallel");
  sem_post(&begin);
  compute(0);
  sem_wait(&done);
  gable_marker_work(1, 8, 8);
  gable_marker_stop("parallel");
  return pthread_join(thread, NULL);
}
C
cc -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -I"$root/points/include" "$work/two.c" -o "$work/two" -pthread || fail "two.c"
expect 0 '' point run "$dir" --counter marker --repetitions 2 --name two -- "$work/two"
# Beside other processes it is not known. On one CPU two threads take as long as one.
for region in serial:1 parallel:$(($(nproc) < 2 ? 1 : 2)); do
  [ "$(field "two: ${region%:*}" "p['threads'] == ${region#*:} or p['threads'] == 0 and any(n['code'] == 'threads_at_once_unknown' for n in p['notes'])")" = True ] ||
    fail "threads: $(field "two: ${region%:*}" p)"
done

# From the same regions of another run.
expect 0 '' point run "$dir" --regions --repetitions 2 --name again --from m -- "$marked" one
[ "$(field 'again: inner' 'p["from"]')" = 'm: inner' ] || fail "from: $(field 'again: inner' p)"

# likwid's macros in a source that does not mention Gable.
cat >"$work/likwid.c" <<'C'
#include <likwid-marker.h>
int main(void) {
  volatile double sum = 0;
  LIKWID_MARKER_INIT;
  LIKWID_MARKER_START("sum");
  for (int i = 0; i < 5000; ++i) sum = sum + 1.5;
  LIKWID_MARKER_STOP("sum");
  LIKWID_MARKER_CLOSE;
  return sum < 1;
}
C
cc -O1 -Wall -Wextra -Werror -DLIKWID_PERFMON -I"$root/points/include" "$work/likwid.c" -o "$work/likwid" -pthread || fail "likwid.c"
expect 0 '' point run "$dir" --regions --repetitions 2 -- "$work/likwid"
[ "$(field 'likwid: sum' 'p["flops"], 0 <= p["load_bytes"] - 40000 <= 16, p["store_bytes"]')" = "(5000, True, 40000)" ] || fail "likwid: $(field 'likwid: sum' p)"

# Functions are stored in the file and shown again.
expect 0 '' point run "$dir" --functions --repetitions 2 --name f -- "$marked" one
[ "$(field f '[f["flops"] for f in p["functions"] if f["function"] == "nested"]')" = "[6000]" ] || fail "functions: $(field f 'p["functions"][:3]')"
[ "$(field f 'sum(f["load_bytes"] for f in p["functions"]) == p["load_bytes"]')" = True ] || fail "the functions' bytes are not the program's"
"$gable" point list "$dir" --functions >"$work/out"
grep -qE '^ +6e\+03 .* nested \(marked\)$' "$work/out" || fail "list --functions: $(cat "$work/out")"
grep -q 'functions are not counted by region' "$work/out" || fail "a point without functions says nothing"
"$gable" point list "$dir" | grep -q nested && fail "functions are listed unasked"

# Invalid requests.
cp "$dir/points.json" "$work/all"
expect 1 "'left open' was never closed" point run "$dir" --regions -- "$marked" open
expect 1 'marked no region' point run "$dir" --regions -- true
expect 2 'leave out --functions' point run "$dir" --regions --functions -- "$marked" one
expect 2 'leave out these two' point run "$dir" --regions --load-bytes 3 -- "$marked" one
expect 2 'counter pmu' point run "$dir" --regions --counter pmu -- "$marked" one
ran=$work/ran
printf '#!/bin/sh\ntouch "%s"\n' "$ran" >"$work/app"
chmod +x "$work/app"
expect 2 "from absent: .*no point of a region of it" point run "$dir" --regions --from absent -- "$work/app"
expect 2 "from f: .*no point of a region of it" point run "$dir" --regions --from f -- "$work/app"
expect 2 '"m: outer" is derived from itself' point run "$dir" --regions --name m --from again -- "$work/app"
[ ! -e "$ran" ] || fail "a program ran whose --from is refused"
cmp -s "$dir/points.json" "$work/all" || fail "points.json was touched"

# Ending gable ends the program and leaves nothing behind.
cat >"$work/long" <<SH
#!/bin/sh
echo \$\$ >"$work/pid"
exec sleep 60
SH
chmod +x "$work/long"
for signal in TERM HUP INT; do  # a background job of a script ignores SIGINT, and one of nohup SIGHUP
  rm -f "$work/pid"
  env --default-signal=INT,HUP "$gable" point run "$dir" --regions -- "$work/long" 2>"$work/err" &
  within 100 test -s "$work/pid"
  [ -n "$(ls "$TMPDIR")" ] || fail "no temporary folder: the test tests nothing"
  kill -$signal $!
  wait $!
  [ $? = $((128 + $(kill -l $signal))) ] || fail "$signal: $(cat "$work/err")"
  kill -0 "$(cat "$work/pid")" 2>/dev/null && fail "$signal: the program goes on"
done
[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"
cmp -s "$dir/points.json" "$work/all" || fail "points.json was touched"

finish
