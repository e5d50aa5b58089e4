#!/bin/bash
# gable point run on two clusters makes a point for each, with the work of its own threads and the time in which they
# were at work, and says when other processes were busy. This machine's first two CPUs are described as two clusters.
source "$(dirname "$0")/expect.sh" "$1"
needs python3 cc:gcc lstopo-no-graphics:hwloc
needs_valgrind
{ [ "$(nproc)" -ge 2 ] && taskset -c 0,1 true; } 2>/dev/null || { echo "skipped: CPUs 0 and 1 are needed"; exit 77; }

lstopo-no-graphics -i "pack:2 [numa(memory=1073741824)] core:1 pu:1" --of xml -f "$work/two.xml"
export HWLOC_XMLFILE=$work/two.xml HWLOC_THISSYSTEM=1
dir=$work/machine
mkdir "$dir"
"$gable" machine --json >"$dir/machine.json"
points=$dir/points.json

# Two threads, each on its own CPU. `uneven`: the first does its loop once, the second three times. Otherwise each works
# at its own times, in tenths of a second: `ends` 3 and 9 of 9, `turns` one after the other, `both` always.
cat >"$work/times.c" <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>
static const char *how;
static sem_t turn[2];
static volatile double sums[2][16] __attribute__((aligned(128)));  /* on lines of their own */
static void compute(long which, int parts) {
  for (long i = 0; i < parts * 20000000L; ++i) sums[which][0] += 1.5;
}
static void loop(long which, int times) {
  double sum = 0;
  for (int i = 0; i < times * 800000; ++i) sum += 1.5;
  sums[which][0] = sum;
  usleep(200000);  /* long enough to be seen on its CPU */
}
static void *work(void *argument) {
  const long which = (long)argument;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(which, &one);
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
  if (strcmp(how, "uneven") == 0) loop(which, which == 0 ? 1 : 3);
  if (strcmp(how, "ends") == 0) compute(which, which == 0 ? 3 : 9);
  if (strcmp(how, "both") == 0) compute(which, 6);
  for (int i = 0; strcmp(how, "turns") == 0 && i < 4; ++i) {
    sem_wait(&turn[which]);
    compute(which, 1);
    sem_post(&turn[1 - which]);
  }
  return NULL;
}
int main(int argc, char **argv) {
  how = argv[argc - 1];
  sem_init(&turn[0], 0, 1);
  sem_init(&turn[1], 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, work, (void *)1);
  work(NULL);
  pthread_join(thread, NULL);
  return 0;
}
C
cc -O1 -pthread -o "$work/times" "$work/times.c" || exit 1
# told_apart HOW NAME OPTION...: points of both clusters. On a busy machine threads may be observed too rarely, which the point
# says; then it runs again.
told_apart() {
  local attempt
  for attempt in 1 2 3 4 5 6 7 8; do
    "$gable" point run "$dir" --name "$2" --counter valgrind --repetitions 1 "${@:3}" -- "$work/times" $1 >"$work/out" 2>&1 ||
      fail "$2: $(cat "$work/out")"
    ! grep -q "\"name\":\"$2\"" "$points" && return
    grep -q 'the work of each thread is not known' "$work/out" || fail "$2: no reason: $(cat "$work/out")"
    "$gable" point remove "$dir" "$2"
  done
  fail "$2: threads are never observed: $(cat "$work/out")"
}
told_apart uneven uneven
python3 - "$points" <<'PY' || fail "the points of two clusters: $(cat "$points")"
import json, sys
points = {p["name"]: p for p in json.load(open(sys.argv[1]))["points"]}
assert set(points) == {"uneven (cluster 0)", "uneven (cluster 1)"}, set(points)
for cluster, times in (0, 1), (1, 3):
    point = points[f"uneven (cluster {cluster})"]
    assert point["cluster"] == cluster and point["threads"] == 1 and not point["alone"], point
    assert abs(point["flops"] / (times * 8e5) - 1) < 0.01, point["flops"]
PY
told_apart uneven again --from uneven
grep -q '"name":"again (cluster 1)".*"from":"uneven (cluster 1)"' "$points" || fail "--from: $(cat "$points")"

for how in ends turns both; do told_apart $how $how; done
python3 - "$points" <<'PY' || fail "the times of two clusters: $(cat "$points")"
import json, sys
points = {p["name"]: p for p in json.load(open(sys.argv[1]))["points"]}
def seconds(how):
    return [points[f"{how} (cluster {cluster})"]["seconds"] for cluster in (0, 1)]
def notes(how, cluster):
    return {note["code"]: note["arguments"] for note in points[f"{how} (cluster {cluster})"]["notes"]}
def parts(how):  # of the program's time, as the notes say
    found = [notes(how, cluster).get("time_without_others") for cluster in (0, 1)]
    return [each[0] / each[1] if each else None for each in found]
def quiet(how):  # beside other processes threads wait for their CPUs, and looks come late
    return not any({"others_busy_while_timed", "runs_left_out", "time_uncertain"} & set(notes(how, c)) for c in (0, 1))
first, second = seconds("ends")
assert not quiet("ends") or (0.2 < first / second < 0.5 and parts("ends")[0]), (first, second)
assert not quiet("turns") or all(0.35 < part < 0.65 for part in parts("turns")), parts("turns")
first, second = seconds("both")
assert not quiet("both") or 0.8 < first / second < 1.25, (first, second)
PY

# Beside four processes that compute, no run is quiet: the point says so, and no cause is made up.
unset HWLOC_XMLFILE HWLOC_THISSYSTEM
"$gable" machine --json >"$dir/machine.json"
rm "$points"
busy=()
for _ in 1 2 3 4; do
  sh -c 'while :; do :; done' &
  busy+=($!)
done
"$gable" point run "$dir" --name starved --cluster 0 --flops 1e6 --load-bytes 8e6 --repetitions 3 -- sleep 0.3 >"$work/out" 2>&1 || fail "starved: $(cat "$work/out")"
kill "${busy[@]}"
grep -q 'other processes kept .* CPUs busy while it was timed' "$work/out" || fail "competitors are not told: $(cat "$work/out")"
python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["points"][0]["other_cpus"] > 0.3' "$points" ||
  fail "other_cpus: $(cat "$points")"

finish
