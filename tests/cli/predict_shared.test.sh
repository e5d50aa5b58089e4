#!/bin/bash
# gable predict: lines that threads take from each other. A program with a known number of them, on a machine with a known
# latency between its cores, and on one without.
source "$(dirname "$0")/expect.sh" "$1"
needs_valgrind
needs python3 cc:gcc
machines=$here/../../machines

# Two threads change the same 1000 lines in turns, 100 times each: all but the first turn get every line from the other.
cat >"$work/turns.c" <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
enum { lines = 1000, turns = 200 };
static _Alignas(64) char data[64 * lines];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;
static __attribute__((noinline)) void change(void) {
  for (int i = 0; i < lines; ++i) ++data[64 * i];
}
static void* work(void* mine) {
  pthread_mutex_lock(&mutex);
  while (turn < turns) {
    if (turn % 2 == *(int*)mine) {
      change();
      ++turn;
      pthread_cond_signal(&changed);
    } else {
      pthread_cond_wait(&changed, &mutex);
    }
  }
  pthread_mutex_unlock(&mutex);
  return NULL;
}
int main(void) {
  pthread_t other;
  int first = 0, second = 1;
  pthread_create(&other, NULL, work, &second);
  work(&first);
  return pthread_join(other, NULL);
}
C
cc -O1 -g -pthread "$work/turns.c" -o "$work/turns" || fail "turns.c"
cd "$work" || exit 1
expect 0 '' profile -o turns.profile -- ./turns
for name in without with; do
  cp -r "$machines/joe0" $name && chmod -R u+w $name
  python3 - $name/roofs.json <<'PYTHON' || fail "adding latencies"
import json, pathlib, sys
path = pathlib.Path(sys.argv[1])
document = json.loads(path.read_text())
for level, pattern, ns in (("memory", "local", 100), ("L3", "cache", 16), ("L2", "cache", 4)):
    like = next(r for r in document["roofs"] if r["level"] == level and r["pattern"] == pattern and r["cluster"] == 0)
    document["roofs"].append(like | {"kind": "latency", "op": "chase", "threads": 1, "value": ns, "lo": ns, "hi": ns, "unit": "ns"})
path.write_text(json.dumps(document))
PYTHON
done
cat >with/c2c.jsonl <<'JSON'
{"schema":1,"asked":{"measure":"handoff","pus":[0,1],"node":0,"home":"both","relation":"L3","distance":0.0,"kinds":""},"round":0,"status":"ok","reason":"","seconds":[0.0004,0.0004,0.0004],"work":[8000.0,8000.0,8000.0],"disturbed":0,"adds_per_cycle":4.0,"clock_ghz":3.0,"steal_percent":0.0,"cpus":[0,1],"node_bytes":{"0":16384},"notes":[],"started":"2026-01-01T00:00:00Z"}
JSON
expect 0 '' predict --profile turns.profile with without --threads 2 --json
python3 - "$work/out" <<'PYTHON' || fail "the lines from other cores"
import json, sys
known, unknown = json.load(open(sys.argv[1]))["predictions"]
needs = lambda row: [n for part in row["needs"] for n in part["needs"] if n["what"] == "lines from other cores"]
seconds = sum(need["seconds_hi"] for need in needs(known))
at_once = 10  # without a measured rate of random loads
lines = at_once * seconds / 50e-9 * 2
assert abs(lines / (199 * 1000) - 1) < 0.02, lines
missing = "the hand-offs between its cores"
assert missing not in known["missing"] and missing in unknown["missing"], (known["missing"], unknown["missing"])
assert unknown["missing_percent"] > known["missing_percent"] >= 0
PYTHON
expect 0 '' predict --profile turns.profile without --threads 2
says 'without lacks .*the hand-offs between its cores'
expect 0 '' predict --profile turns.profile with --threads 1 --json
python3 - "$work/out" <<'PYTHON' || fail "lines from other cores of one thread"
import json, sys
row, = json.load(open(sys.argv[1]))["predictions"]
assert not [n for part in row["needs"] for n in part["needs"] if n["group"] == "cores"]
PYTHON
echo '{"schema":1}' >with/c2c.jsonl
expect 2 'with/c2c.jsonl:1' predict --profile turns.profile with --threads 2
finish
