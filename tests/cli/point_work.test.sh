#!/bin/bash
# gable point run: what is counted is what is timed, by processes and by time; and the threads that worked at once.
source "$(dirname "$0")/expect.sh" "$1"
needs python3 cc:gcc
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$work/machine
mkdir "$dir" "$work/100% full"
export TMPDIR="$work/100% full"
"$gable" machine --json >"$dir/machine.json"
points=$dir/points.json
given=(--flops 1e6 --load-bytes 8e6)
field() { of_point "$points" "$@"; }
refused() {  # PATTERN arguments of gable point run
  local pattern=$1
  shift
  expect 1 "$pattern" point run "$dir" --name refused "$@"
  ! grep -q '"name":"refused"' "$points" 2>/dev/null || fail "gable point run $*: there is a point"
}
has_valgrind() { [ -x "$(dirname "$gable")/libexec/gable/valgrind/launch" ]; }
counters=(given)
! has_valgrind || counters+=(valgrind)

# A program that goes to the background, and others whose work does not end with them: its time would be too short.
cat >"$work/background.c" <<'C'
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int count, char **arguments) {
  volatile double sum = 0;
  const char *how = count > 1 ? arguments[1] : "";
  if (!strcmp(how, "daemon") && daemon(1, 0)) return 1;
  if (!strcmp(how, "orphan") && fork()) return 0;
  if (!strcmp(how, "session") && (fork() || setsid() < 0 || fork())) return 0;
  for (long i = 0; i < 100000000; ++i) sum = sum + 1.5;
  return 0;
}
C
name=background_$$
cc -O1 -Wall -Wextra -Werror "$work/background.c" -o "$work/$name" || fail "background.c"
remains() { grep -qsz -- "[b]${name#b}" /proc/[0-9]*/cmdline; }
gone() { ! remains; }
for how in daemon orphan session; do
  for counter in "${counters[@]}"; do
    how_counted=("${given[@]}")
    # A process that ended before its name was read has only its number.
    [ $counter = given ] || how_counted=(--counter $counter)
    refused "($name .*|process [0-9]+( \\(.*$name.*\\))?) (worked on|is still running) after the end of .*$name.*foreground" \
      "${how_counted[@]}" -- "$work/$name" $how
    within 60 gone || fail "$how: a process of $counter stays behind"
  done
done
refused "after the end of sh.*foreground" "${given[@]}" -- sh -c "$work/$name & true"
refused "after the end of .*$name.*foreground" --counter marker -- "$work/$name" daemon
within 60 gone || fail "a process stays behind"
expect 0 '' point run "$dir" --name waits "${given[@]}" --repetitions 1 -- sh -c "$work/$name & wait"

if has_valgrind; then
  # A program that works for a given time does less when it is counted; one that only looks at the clock does not.
  cat >"$work/timed.c" <<'C'
#include <gable-marker.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile sig_atomic_t is_over;
static void end(int number) {
  is_over = number;
}
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
int main(int count, char **arguments) {
  volatile double sum = 0;
  const int is_bound = count > 1 && !strcmp(arguments[1], "bound");
  if (count > 1 && !strcmp(arguments[1], "alarm")) {
    signal(SIGALRM, end);
    alarm(1);
    while (!is_over) sum = sum + 1.5;
    return 0;
  }
  const double begin = now();
  for (long pass = 0; is_bound ? now() < begin + 1 : pass < 300; ++pass) {
    gable_marker_start("pass");
    for (int i = 0; i < 100000; ++i) sum = sum + 1.5;
    gable_marker_stop("pass");
    if (now() < begin) return 1;
  }
  return 0;
}
C
  cc -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -I"$root/points/include" "$work/timed.c" -o "$work/timed" -pthread || fail "timed.c"
  refused 'what was counted is not what was timed: .* asked for the time [0-9]+ times' --counter valgrind --repetitions 2 -- "$work/timed" bound
  refused 'what was counted is not what was timed: .* set 1 timer' --counter valgrind --repetitions 2 -- "$work/timed" alarm
  refused 'what was counted is not what was timed|was entered .* times when it was timed and' --regions --repetitions 2 -- "$work/timed" bound
  expect 0 '' point run "$dir" --name passes --counter valgrind --repetitions 2 -- "$work/timed"
  [ "$(field passes '30e6 <= p["flops"] < 31e6')" = True ] || fail "a given amount of work: $(field passes p)"
  expect 0 '' point run "$dir" --name passes --regions --repetitions 2 -- "$work/timed"
  [ "$(field 'passes: pass' 'p["flops"]')" = 30000000 ] || fail "its region: $(field 'passes: pass' p)"
fi

# Names that no point can have are refused before anything runs.
printf '#!/bin/sh\ntouch "%s"\n' "$work/ran" >"$work/app"
chmod +x "$work/app"
cp "$work/app" "$work"/$'two\nlines'
for name in $'a\nb' $'a\xff' $'a\x1b'; do
  expect 2 'must be UTF-8 on one line; --name gives it another' point run "$dir" --name "$name" "${given[@]}" -- "$work/app"
done
expect 2 'must be UTF-8 on one line; --name gives it another' point run "$dir" "${given[@]}" -- "$work"/$'two\nlines'
expect 2 'both are 0' point run "$dir" --flops 0 --load-bytes 0 -- "$work/app"
[ ! -e "$work/ran" ] || fail "it ran before its name was refused"
if has_valgrind; then
  (ulimit -n 10 && "$gable" point run "$dir" --name few --counter valgrind -- "$work/app") >"$work/out" 2>&1
  grep -q 'valgrind does not work here: at most 10 files may be open' "$work/out" || fail "10 open files: $(cat "$work/out")"
  [ ! -e "$work/ran" ] || fail "it ran before the limit of open files was told"
fi
expect 0 '' point run "$dir" --name lines "${given[@]}" --repetitions 1 -- "$work"/$'two\nlines'

# Threads count if they worked at once. Those that are bound to one core are compared with one.
cat >"$work/threads.c" <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void *compute(void *unused) {
  volatile double sum = 0;
  for (long i = 0; i < 300000000; ++i) sum = sum + 1.5;
  return unused;
}
static void bind_to_first(void) {
  cpu_set_t allowed, first;
  sched_getaffinity(0, sizeof allowed, &allowed);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &allowed)) ++cpu;
  CPU_ZERO(&first);
  CPU_SET(cpu, &first);
  sched_setaffinity(0, sizeof first, &first);
}
int main(int count, char **arguments) {
  const char *how = count > 1 ? arguments[1] : "";
  if (!strcmp(how, "in_turn")) {
    if (!fork()) {
      compute(NULL);
      _exit(0);
    }
    wait(NULL);
    compute(NULL);
    return 0;
  }
  pthread_t other;
  if (!strcmp(how, "bound")) bind_to_first();
  pthread_create(&other, NULL, compute, NULL);
  compute(NULL);
  return pthread_join(other, NULL);
}
C
cc -O1 -Wall -Wextra -Werror "$work/threads.c" -o "$work/threads" -pthread || fail "threads.c"
expect 0 '' point run "$dir" --name in_turn "${given[@]}" --repetitions 1 -- "$work/threads" in_turn
[ "$(field in_turn 'p["threads"] < 2 and "cores" not in p')" = True ] || fail "one after the other: $(field in_turn 'p["threads"]')"
if [ "$(cut -d ' ' -f 1 /proc/self/schedstat 2>/dev/null || echo 0)" != 0 ]; then
  expect 0 '' point run "$dir" --name bound "${given[@]}" --repetitions 1 -- "$work/threads" bound
  [ "$(field bound 'p["threads"], p.get("cores")')" = '(2, 1)' ] || [ "$(field bound 'p["threads"]')" = 0 ] || fail "bound: $(field bound p)"
  [ "$(field bound 'p["threads"]')" = 0 ] || says '2 threads on 1 core'
  if [ "$(nproc)" -gt 1 ]; then
    expect 0 '' point run "$dir" --name free "${given[@]}" --repetitions 1 -- "$work/threads"
    [ "$(field free 'p["threads"] in (0, 2) and "cores" not in p')" = True ] || fail "two threads: $(field free 'p["threads"], p.get("cores")')"
  fi
fi
[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"

# The shared core is the one to compare with.
cp -r "$here/../../machines/joe0" "$work/shared"
chmod -R u+w "$work/shared"
python3 - "$work/shared/points.json" <<'PYTHON'
import json, sys
point = {"name": "two", "cluster": 0, "threads": 2, "cores": 1, "flops": 1e9, "load_bytes": 8e9, "store_bytes": 0,
         "seconds": 1, "seconds_lo": 1, "seconds_hi": 1, "counter": "add", "node_bytes": {"0": 1000000000}}
json.dump({"schema": 1, "points": [point]}, open(sys.argv[1], "w"))
PYTHON
expect 0 '' point list "$work/shared"
says '2 threads on 1 core'
tr -s '\n ' ' ' <"$work/out" | grep -q 'Its 2 threads share 1 core: .* It used 1 core of cluster 0' || fail "the shared core: $(cat "$work/out")"
expect 0 '' point list "$work/shared" --json
grep -q '"cores":1' "$work/out" || fail "cores are not kept: $(cat "$work/out")"

finish
