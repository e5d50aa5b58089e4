#!/bin/bash
# What gable point run finds by samples: threads that spin until another one has done its work, and the functions of
# the runs that are timed, though the first run takes longer.
source "$(dirname "$0")/expect.sh" "$1"
needs_valgrind
needs python3 cc:gcc
cat >"$work/waits.c" <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int done;
static volatile double result;
static void* wait_for_the_other(void* none) {
  while (!atomic_load_explicit(&done, memory_order_acquire)) HINT;
  return none;
}
int main(void) {
  enum { waiting = 3, steps = 60000000 };
  pthread_t threads[waiting];
  for (int i = 0; i < waiting; ++i) pthread_create(&threads[i], NULL, wait_for_the_other, NULL);
  double x = 1;
  for (int i = 0; i < steps; ++i) x = 0.5 * x + 1;  /* each waits for the last */
  result = x;
  atomic_store_explicit(&done, 1, memory_order_release);
  for (int i = 0; i < waiting; ++i) pthread_join(threads[i], NULL);
  return 0;
}
C
case $(uname -m) in x86_64) hint=pause ;; *) hint=yield ;; esac
${CC:-cc} -O1 -g -std=gnu11 "-DHINT=__asm__ volatile(\"$hint\")" "$work/waits.c" -o "$work/waits" -pthread || fail waits.c

dir=$work/here
expect 0 '' measure "$dir" --preset quick --quiet --only level=memory,op=load,kind=bandwidth
expect 0 '' fit "$dir"
expect 0 '' point run "$dir" --repetitions 2 -- "$work/waits"
if grep -q sampling_refused "$dir/points.json"; then
  [ $failures = 0 ] || finish
  echo "skipped: the kernel permits no sampling"
  exit 77
fi
python3 - "$dir/points.json" <<'PYTHON' || fail "spinning threads are not recognized"
import json, sys
point = json.load(open(sys.argv[1]))["points"][0]
samples = point["samples"]
spinning = {file.rsplit("/", 1)[-1]: count for file, count in samples["spinning"].items()}
waiting = next(each for each in point["functions"] if each["function"] == "wait_for_the_other")["samples"]
# Three threads do nothing else. All samples of their loop are found, and few others.
assert spinning["waits"] > 0.3 * samples["all"], samples
assert abs(spinning["waits"] - waiting) < 0.05 * samples["all"], (spinning, waiting)
if point["threads"] < 2 or "no roof" in point["cause"]:
    print("the verdict was not tried: the machine was too busy to see several threads, or for a roof")
else:
    assert "wait for other threads, at barriers and locks (most in waits)" in point["cause"], point["cause"]
PYTHON

cat >"$work/first.sh" <<'SH'
#!/bin/sh
if [ ! -e "$0.ran" ]; then
  touch "$0.ran"
  i=0
  while [ $i -lt 1000000 ]; do i=$((i + 1)); done
fi
exec awk 'BEGIN { for (i = 0; i < 3000000; i++); }'
SH
chmod +x "$work/first.sh"
expect 0 '' point run "$dir" --name first --repetitions 3 -- "$work/first.sh"
python3 - "$dir/points.json" <<'PYTHON' || fail "the functions are those of the first run"
import json, sys
point = next(point for point in json.load(open(sys.argv[1]))["points"] if point["name"] == "first")
rest = sum(count for file, count in point["samples"]["elsewhere"].items() if "awk" not in file)
rest += sum(each["samples"] for each in point["functions"] if "sh" in each["object"].rsplit("/", 1)[-1])
longer = any(note["code"] == "sampled_run_longer" for note in point.get("notes", []))
assert longer or rest < 0.3 * point["samples"]["all"], point["samples"]
PYTHON

finish
