#!/bin/bash
# gable kmaf trace: traces of programs with known sharing show that sharing; invalid input; no files are left behind.
source "$(dirname "$0")/expect.sh" "$1"
needs_valgrind
needs cc:gcc
echo 'int main(void) { return 0; }' >"$work/openmp.c"
cc -fopenmp "$work/openmp.c" -o "$work/openmp" 2>/dev/null || { echo "skipped: the compiler has no OpenMP (package libgomp1)"; exit 77; }
root=$(cd "$(dirname "$0")/../.." && pwd)
cc -O2 -fopenmp -Wall -Wextra -Werror "$root/examples/sharing.c" -o "$work/sharing" || fail "sharing.c"
sharing() { OMP_NUM_THREADS=$1 "$work/sharing" "${@:2}"; }

# The programs themselves: the result is right and depends only on the number of passes.
for kernel in ring pipeline blocks all-to-all private phases; do
  sharing 6 $kernel --kib 128 --passes 9 >"$work/one" || fail "$kernel is wrong"
  taskset -c "$first_cpu" env OMP_NUM_THREADS=6 "$work/sharing" $kernel --kib 128 --passes 9 --where >"$work/two" || fail "$kernel on one CPU"
  [ "$(tail -1 "$work/one")" = "$(tail -1 "$work/two")" ] || fail "$kernel: two results: $(tail -1 "$work/one" "$work/two")"
  grep -qE 'thread 5 on node [0-9]*; its array: (32 pages on node|the kernel does not tell where)' "$work/two" || fail "$kernel --where: $(cat "$work/two")"
done
[ "$(sharing 3 phases --seconds 0.2 --kib 128 | grep -c ', phase')" = 3 ] || fail "phases are not three"
for bad in "" "rings" "ring --kib 100" "ring --passes 0" "ring --seconds x" "ring --kib"; do
  "$work/sharing" $bad >/dev/null 2>"$work/err"
  [ $? = 2 ] && grep -q usage "$work/err" || fail "sharing $bad: $(cat "$work/err")"
done

traced() {  # THREADS KERNEL FILE OPTION...
  OMP_NUM_THREADS=$1 expect 0 "$3: [0-9]* accesses by $1 threads" kmaf trace -o "$work/$3" "${@:4}" -- "$work/sharing" $2 --kib 128 --passes ${passes:-6}
  grep -q "$2: .*right" "$work/out" || fail "the program's output is not its own: $(cat "$work/out")"
}
for kernel in ring pipeline blocks all-to-all private phases; do
  traced 6 $kernel $kernel.trace
  expect 0 '' kmaf metrics "$work/$kernel.trace" --json
  mv "$work/out" "$work/$kernel.json"
done
# In short bursts every thread still shares with the right threads, given more passes; CSV works as well.
passes=24 traced 6 ring bursts.csv --bursts 20000/50000
grep -q 'of [0-9]* that the program made' "$work/err" || fail "bursts are not told: $(cat "$work/err")"
expect 0 '' kmaf metrics "$work/bursts.csv" --json
mv "$work/out" "$work/bursts.json"
python3 - "$work" <<'PYTHON' || fail "the sharing that was traced"
import json, sys
T = 6

def neighbours(i, j): return (i - j) % T in (1, T - 1)
def stages(i, j): return abs(i - j) == 2
# M counts accesses to data that another thread accessed before: the thread that initialized all shares with all.
def groups(i, j): return i % 2 == j % 2 or 0 in (i, j)
def first(i, j): return 0 in (i, j)
wanted = {"ring": neighbours, "pipeline": stages, "blocks": groups, "all-to-all": lambda i, j: True, "private": first,
          "bursts": neighbours}

def strong(matrix, pairs=None):
    """Which pairs share most: the given number of them, or all with more than an eighth of the largest."""
    cells = sorted((cell for row in matrix for cell in row), reverse=True)
    least = cells[pairs] if pairs else cells[0] / 8
    return [[cell > least for cell in row] for row in matrix]

for name, shares in wanted.items():
    matrix = json.load(open(f"{sys.argv[1]}/{name}.json"))["matrix"]
    assert len(matrix) == T, (name, len(matrix))
    # How much of each pair the bursts hit varies: these must be the pairs that share most.
    seen = strong(matrix, 2 * T if name == "bursts" else None)
    # Threads are in the order in which they were created.
    assert all(seen[i][j] == shares(i, j) for i in range(T) for j in range(T) if i != j), (name, matrix)
# More pairs than in any single phase.
seen = strong(json.load(open(f"{sys.argv[1]}/phases.json"))["matrix"])
assert sum(map(sum, seen)) > 2 * T, seen
PYTHON

# The trace interleaves the threads as in a parallel run: many turns per pass.
OMP_NUM_THREADS=4 expect 0 '' kmaf trace -o "$work/turns.trace" -- "$work/sharing" ring --kib 512 --passes 6
python3 - "$work/turns.trace" <<'PYTHON' || fail "threads take no turns"
import struct, sys
records = list(struct.iter_unpack("<QII", open(sys.argv[1], "rb").read()[8:]))
tids = [tid for _, tid, what in records if what & 0x3FFFFF]
changes = sum(a != b for a, b in zip(tids, tids[1:]))
assert changes > len(tids) / 8000, (changes, len(tids))
# At a barrier the last thread wakes the others, which wait. The program has one a pass, and one at the end of a parallel region.
events = [what >> 22 for _, _, what in records if what & 0x3FFFFF == 0]
waits, barriers = events.count(1), events.count(4)
assert 6 <= barriers <= 40 and 3 * barriers - 6 <= waits <= 3 * barriers + 30, (waits, barriers)
# Instructions: at least one for each line of the program's inner loop, and not hundreds.
instructions = sum(what >> 22 for _, _, what in records if what & 0x3FFFFF) + sum(a for a, _, what in records if what == 0)
assert 1 <= instructions / len(tids) <= 20, (instructions, len(tids))
PYTHON

# Which thread runs when is the tracer's affair: a replay does not show it. With so many pages, the few that libraries
# touch at different moments do not change where the steady part begins.
for turn in 32 4096; do
  OMP_NUM_THREADS=8 expect 0 '' kmaf trace --turn $turn -o "$work/turn.trace" -- "$work/sharing" ring --kib 256 --passes 4
  expect 0 '' kmaf replay "$work/turn.trace" --machine "$root/machines/x7550-4s" --policy compact --runs 1 --seconds 1 --json
  mv "$work/out" "$work/turn$turn.json"
done
python3 - "$work" <<'PYTHON' || fail "the replay depends on --turn"
import json, sys
# Of threads that are bound in order. The OS's places, by which the whole program takes a second, follow from the
# moments at which threads start.
short, long = (json.load(open(f"{sys.argv[1]}/turn{turn}.json")) for turn in (32, 4096))
assert abs(short["steady_accesses"] - long["steady_accesses"]) <= 0.01 * long["steady_accesses"], (short, long)
one, other = (replay["policies"][1]["seconds"]["value"] / replay["scale"] for replay in (short, long))
assert abs(one - other) <= 0.03 * other, (one, other)
PYTHON

# Locks leave events whether or not a thread has to wait: 4 threads take each of 4 locks 25 times.
cat >"$work/locks.c" <<'C'
#include <omp.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  static omp_lock_t lock;
  static long counts[4];
  omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 25; ++i) {
#pragma omp critical
    ++counts[0];
#pragma omp critical(named)
    ++counts[1];
    omp_set_lock(&lock);
    ++counts[2];
    omp_unset_lock(&lock);
    pthread_mutex_lock(&mutex);
    ++counts[3];
    pthread_mutex_unlock(&mutex);
  }
  return counts[0] != 100 || counts[1] != 100 || counts[2] != 100 || counts[3] != 100;
}
C
cc -O2 -fopenmp -pthread "$work/locks.c" -o "$work/locks" || fail "locks.c"
expect 0 '' kmaf trace -o "$work/locks.csv" -- "$work/locks"
python3 - "$work/locks.csv" <<'PYTHON' || fail "locks"
import collections, sys
counts = collections.Counter()
for line in list(open(sys.argv[1]))[1:]:
    tid, address, size, write, what = line.strip().split(",")
    if size == "0" and what in "67":
        counts[tid, address, what] += 1
# The C library takes locks of its own, less often.
ours = {address for _, address, _ in counts if sum(counts[t, address, "6"] for t in "0123") == 100}
assert len(ours) == 4, counts
assert all(counts[tid, address, what] == 25 for tid in "0123" for address in ours for what in "67"), counts
PYTHON

# A limit ends the trace and not the program.
traced 4 ring short.trace --max-accesses 50000
grep -q 'short.trace: 50000 accesses' "$work/err" && grep -q 'max-accesses' "$work/err" || fail "the limit: $(cat "$work/err")"
python3 - "$work/short.trace" <<'PYTHON' || fail "50000 accesses and their events"
import os, struct, sys
records = list(struct.iter_unpack("<QII", open(sys.argv[1], "rb").read()[8:]))
accesses = sum(what & 0x3FFFFF > 0 for _, _, what in records)
assert accesses == 50000 and records[-1][2] & 0x3FFFFF, accesses
PYTHON

# Every page appears, first accessed by the thread that touched it first, even if few accesses are kept.
OMP_NUM_THREADS=4 expect 0 '' kmaf trace -o "$work/few.csv" --bursts 1/1000000000 -- "$work/sharing" private --kib 128 --passes 2
python3 - "$work/few.csv" <<'PYTHON' || fail "first touches under --bursts"
import collections, sys
lines = [line.split(",") for line in open(sys.argv[1])][1:]
lines = [line for line in lines if line[2] != "0"]
pages = [int(address, 0) >> 12 for _, address, *_ in lines]
assert len(set(pages)) >= len(pages) - 1, "a page twice"
# Four arrays of 32 pages, all by thread 0.
assert sum(tid == "0" for tid, *_ in lines) >= 4 * 32, collections.Counter(tid for tid, *_ in lines)
PYTHON

# The trace of a wrapper is that of the process with the most accesses.
expect 0 'not in the trace: process [0-9]+ \(sh -c' kmaf trace -o "$work/sh.trace" -- sh -c "$work/sharing ring --kib 128 --passes 2; true"
expect 0 '' kmaf metrics "$work/sh.trace"

# Failures that leave nothing behind.
mkdir "$work/clean"
none() { expect "$1" "$2" kmaf trace -o "$work/clean/x.trace" "${@:3}"; }
none 127 'absent: .*no such program' -- "$work/absent"
none 126 'clean: this is a folder' -- "$work/clean"
none 137 'sh was killed by signal 9' -- sh -c 'kill -9 $$'
rm -f "$work/clean/x.trace"  # Valgrind kills a program that kills itself only after its trace is written
none 2 'no program given' 
none 2 'bursts 7/5: give N/M' --bursts 7/5 -- true
none 2 'max-accesses' --max-accesses 0 -- true
expect 2 'output' kmaf trace -- true
expect 2 'clean: this is a folder' kmaf trace -o "$work/clean" -- true
expect 1 'cannot write .*absent/x' kmaf trace -o "$work/absent/x.trace" -- true
expect 1 'cannot write /dev/full: is the disk full' kmaf trace -o /dev/full -- true
"$gable" kmaf trace -o /dev/stdout -- true 2>"$work/err" | head -c 100 >/dev/null
grep -qE 'cannot write /dev/stdout: its reader is gone|Broken pipe' "$work/err" && ! grep -q disk "$work/err" || fail "the trace's reader is gone: $(cat "$work/err")"
[ -x "$1/programs/misbehave" ] && none 132 'AVX-512, which Valgrind does not support: compile it for AVX2' -- "$1/programs/misbehave" avx512
setuid=$work/setuid
cp /bin/true "$setuid" && chmod u+s "$setuid"
none 126 'setuid' -- "$setuid"
[ -z "$(ls -A "$work/clean")" ] || fail "left behind: $(ls -A "$work/clean")"

# A program that fails keeps its trace and its exit status.
expect 3 'sharing ended with exit status 3: the trace up to there is kept|sh ended with exit status 3: the trace up to there is kept' \
  kmaf trace -o "$work/clean/x.trace" -- sh -c "$work/sharing ring --kib 128 --passes 2; exit 3"
expect 0 '' kmaf metrics "$work/clean/x.trace"

# Interrupted: the trace until then is complete and kept, with the program's exit status, even if only gable is signalled.
much_traced() { [ "$(cat "$work"/clean/.x.trace.*/x.trace 2>/dev/null | wc -c)" -gt 3000000 ]; }
for signal in INT TERM; do
  rm -f "$work/clean/x.trace"
  OMP_NUM_THREADS=2 setsid env --default-signal=INT "$gable" kmaf trace -o "$work/clean/x.trace" -- "$work/sharing" ring --kib 128 --seconds 60 >"$work/out" 2>"$work/err" &
  pid=$!
  within 60 much_traced || fail "SIG$signal: the trace does not grow to 3 MB: what follows tests little"
  if [ $signal = INT ]; then kill -INT -- -$pid; else kill -TERM $pid; fi
  wait $pid
  got=$?
  [ $got = $((128 + $(kill -l $signal))) ] || fail "SIG$signal: exit $got: $(cat "$work/err")"
  grep -q 'the trace up to there is kept' "$work/err" || fail "SIG$signal: $(cat "$work/err")"
  expect 0 '' kmaf metrics "$work/clean/x.trace"
  [ "$(ls -A "$work/clean")" = x.trace ] || fail "SIG$signal left $(ls -A "$work/clean")"
done

# Killed, it leaves only two folders, which the next run with the same output removes.
mkdir "$work/tmp" "$work/tmp/gable-counts-mine00"
export TMPDIR=$work/tmp
rm -f "$work/clean/x.trace"
setsid "$gable" kmaf trace -o "$work/clean/x.trace" -- "$work/sharing" ring --kib 128 --seconds 60 >"$work/out" 2>"$work/err" &
pid=$!
within 60 much_traced || fail "killed: the trace does not grow"
kill -KILL -- -$pid
wait $pid 2>/dev/null
[ "$(ls -A "$work/clean" "$work/tmp" | grep -cE '^(.x.trace|gable-counts)')" = 3 ] || fail "killed, it leaves no folders: $(ls -A "$work/clean" "$work/tmp")"
expect 0 '' kmaf trace -o "$work/clean/x.trace" -- true
[ "$(ls -A "$work/clean")" = x.trace ] || fail "beside the output there is $(ls -A "$work/clean")"
[ "$(ls -A "$work/tmp")" = gable-counts-mine00 ] || fail "in TMPDIR there is $(ls -A "$work/tmp")"

finish
