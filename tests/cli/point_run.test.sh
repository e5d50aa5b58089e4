#!/bin/bash
# gable point run and import: the program's output, input and status, the recorded point, and invalid programs and
# files. Nothing here is timed.
source "$(dirname "$0")/expect.sh" "$1"
needs python3 cc:gcc
root=$(cd "$(dirname "$0")/../.." && pwd)
programs=$(realpath "$1")/programs

dir=$work/machine
mkdir "$dir"
"$gable" machine --json >"$dir/machine.json"
points=$dir/points.json
given=(--flops 1e6 --load-bytes 8e6)

field() { of_point "$points" "$@"; }

# Output, input and status are the program's; the later runs read the same input and say nothing.
printf 'one\ntwo\n' | "$gable" point run "$dir" --name piped "${given[@]}" --repetitions 3 -- \
  sh -c "cat; echo >&2 said" >"$work/out" 2>"$work/err" || fail "a piped program: $(cat "$work/err")"
[ "$(grep -c '^two$' "$work/out")" = 1 ] || fail "output is not passed through once: $(cat "$work/out")"
[ "$(grep -c '^said$' "$work/err")" = 1 ] || fail "stderr is not passed through once"
[ "$(field piped 'p["repetitions"]')" = 3 ] || fail "not 3 repetitions"
cat >"$work/reads" <<'SH'
#!/bin/sh
# Ends well only when its input is what it always is.
[ "$(cat)" = "the same" ]
SH
chmod +x "$work/reads"
echo "the same" >"$work/input"
"$gable" point run "$dir" --name input "${given[@]}" --repetitions 3 -- "$work/reads" <"$work/input" >"$work/out" 2>&1 ||
  fail "a file as input is not read anew: $(cat "$work/out")"
echo "the same" | "$gable" point run "$dir" --name input "${given[@]}" --repetitions 3 -- "$work/reads" >"$work/out" 2>&1 ||
  fail "a pipe as input is not read anew: $(cat "$work/out")"
mkfifo "$work/open"
exec 8<>"$work/open"
timeout 20 "$gable" point run "$dir" --name patient "${given[@]}" --repetitions 2 -- true <"$work/open" >"$work/out" 2>&1 ||
  fail "a pipe that stays open is waited for: $(cat "$work/out")"
exec 8>&-

# In many containers no policy may be set.
policy=interleave name='python3 interleave' managed=compact,interleave
"$gable" point run "$dir" --name forbidden --policy interleave "${given[@]}" --repetitions 1 -- true >"$work/out" 2>&1 ||
  { grep -q 'CAP_SYS_NICE' "$work/out" && policy=first-touch name=python3 managed=compact; } || fail "interleave: $(cat "$work/out")"

# What is recorded: the variables that matter, of which the caller may have some.
unset "${!OPENBLAS_@}" "${!OMP_@}" "${!GOMP_@}" "${!KMP_@}" "${!MKL_@}"
OMP_NUM_THREADS=2 UNRELATED=x "$gable" point run "$dir" --policy $policy "${given[@]}" --repetitions 2 -- \
  python3 -c 'import time; x = bytearray(64 << 20); time.sleep(0.5)' a 'b c' -d -- >"$work/out" 2>&1 || fail "python3: $(cat "$work/out")"
[ "$(field "$name" 'p["command"][3:]')" = "['a', 'b c', '-d', '--']" ] || fail "arguments: $(field "$name" 'p["command"]')"
[ "$(field "$name" 'p["environment"]')" = "{'OMP_NUM_THREADS': '2'}" ] || fail "environment"
[ "$(field "$name" 'p["policy"]')" = $policy ] || fail "policy"
# located NAME LEAST MOST: so many MiB were seen, or too little was seen.
located() {
  [ "$(field "$1" "($2 << 20 < sum(p['node_bytes'].values()) < $3 << 20 or
      not p['node_bytes'] and any(n['code'] in ('pages_seen_rarely', 'data_not_seen') for n in p['notes']))")" = True ] ||
    fail "its location, of $2 to $3 MiB: $(field "$1" 'p["node_bytes"], p["notes"]')"
}
located "$name" 48 128
# More than gable itself has, from which the kernel could not tell it (a sanitizer has 110 MiB).
mib=8
[ -z "$sanitizer" ] || mib=256
for when in first last; do
  for marked in "" yes; do
    name=touches how=("${given[@]}")
    [ -z "$marked" ] || { name='touches: touches'; how=(--regions --counter marker); }
    expect 0 '' point run "$dir" --name touches "${how[@]}" --repetitions 2 -- "$programs/touches" $((mib << 10)) 20 $when
    located "$name" $((mib * 3 / 4)) $((mib * 5 / 4))
  done
done
expect 0 '' point run "$dir" --name brief "${given[@]}" --repetitions 2 -- true
[ "$(field brief 'any(n["code"] == "brief_run" for n in p["notes"]) == (p["seconds"] < 0.05)')" = True ] ||
  fail "a brief run is not remarked: $(field brief p)"
[ "$(field brief 'p["threads"] == 1 or p["threads"] == 0 and any(n["code"] == "threads_unknown" for n in p["notes"])')" = True ] ||
  fail "threads that were not observed: $(field brief 'p["threads"], p["notes"]')"
if [ -x "$1/libexec/gable/valgrind/launch" ]; then
  expect 0 '' point run "$dir" --name counted --counter valgrind --repetitions 2 -- true
  [ "$(field counted 'p["threads"]')" = 1 ] || fail "its only thread was counted: $(field counted p)"
fi

# In a container that forbids NUMA system calls the default policy holds, and another one is refused with its reason.
if "$1/without" numa true; then
  "$1/without" numa "$gable" point run "$dir" --name contained "${given[@]}" --repetitions 2 -- true >"$work/out" 2>&1 || fail "in a container: $(cat "$work/out")"
  "$1/without" numa "$gable" point run "$dir" --policy interleave "${given[@]}" -- true >"$work/out" 2>&1
  [ $? = 2 ] && grep -q 'refuses the memory policy: .*CAP_SYS_NICE' "$work/out" || fail "a policy in a container: $(cat "$work/out")"
fi

# Failing programs: their exit status, no point, and other points unchanged.
cp "$points" "$work/all"
refused() {  # STATUS PATTERN arguments of gable point run
  local status=$1 pattern=$2
  shift 2
  expect "$status" "$pattern" point run "$@"
  cmp -s "$points" "$work/all" || fail "gable point run $*: points.json was touched"
}
refused 7 'sh ended with exit status 7' "$dir" "${given[@]}" -- sh -c 'exit 7'
refused 137 'killed by signal 9' "$dir" "${given[@]}" -- sh -c 'kill -9 $$'
refused 139 'killed by signal 11' "$dir" "${given[@]}" -- sh -c 'kill -SEGV $$'
refused 127 'no such program|no folder in PATH' "$dir" "${given[@]}" -- gable-no-such-program
refused 127 'no such program' "$dir" "${given[@]}" -- ./absent
refused 126 'a folder' "$dir" "${given[@]}" -- /
refused 2 'no program given' "$dir" "${given[@]}"
refused 2 'no memory node 99' "$dir" "${given[@]}" --policy bind:99 -- true
refused 2 'policies are' "$dir" "${given[@]}" --policy scatter -- true
refused 2 'weight' "$dir" "${given[@]}" --policy weighted:0=255 -- true
refused 2 'counter' "$dir" --counter tea-leaves -- true
refused 2 'need --load-bytes' "$dir" --flops 3 -- true
refused 2 'cluster 99' "$dir" "${given[@]}" --cluster 99 -- true
expect 2 'no such folder' point run "$work/absent" "${given[@]}" -- true
mkdir "$work/full" "$work/unused" && touch "$work/full/letter"
expect 2 'full: no recording of a machine; `gable measure .*full` makes one' point run "$work/full" "${given[@]}" -- true
expect 0 '' point list "$work/unused"
grep -q '^no points; nothing was measured here either: `gable measure ' "$work/out" || fail "a folder without anything: $(cat "$work/out")"
cat >"$work/later" <<SH
#!/bin/sh
# Fails from the second run on.
[ ! -e "$work/ran" ] && touch "$work/ran"
SH
chmod +x "$work/later"
refused 1 'later ended with exit status 1' "$dir" "${given[@]}" -- "$work/later"
cp -r "$dir" "$work/other"
sed -i 's/"bytes":[^,]*/"bytes": 12345/' "$work/other/machine.json"
expect 2 'another machine' point run "$work/other" "${given[@]}" -- true

# Marked regions: nested, from threads, likwid's macros unchanged, and misuse.
cat >"$work/marked.c" <<'C'
#ifdef LIKWID_PERFMON
#include <likwid-marker.h>
#else
#include <gable-marker.h>
#define LIKWID_MARKER_INIT
#define LIKWID_MARKER_THREADINIT
#define LIKWID_MARKER_REGISTER(tag)
#define LIKWID_MARKER_START gable_marker_start
#define LIKWID_MARKER_STOP gable_marker_stop
#define LIKWID_MARKER_CLOSE
#endif
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void *work(void *unused) {
  LIKWID_MARKER_THREADINIT;
  for (int i = 0; i < 100; ++i) {
    LIKWID_MARKER_START("outer \"\\ \xc2\xb5");
    LIKWID_MARKER_START("inner");
    gable_marker_work(2, 16, 8);
    LIKWID_MARKER_STOP("inner");
    gable_marker_work(0, 1, 0);
    LIKWID_MARKER_STOP("outer \"\\ \xc2\xb5");
  }
  return unused;
}
int main(int argc, char **argv) {
  LIKWID_MARKER_INIT;
  LIKWID_MARKER_REGISTER("inner");
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  if (argc > 1 && strcmp(argv[1], "open") == 0) LIKWID_MARKER_START("left open");
  if (argc > 1 && strcmp(argv[1], "stray") == 0) LIKWID_MARKER_STOP("never started");
  if (argc > 1 && strcmp(argv[1], "abrupt") == 0) _exit(0);
  if (argc > 1 && strcmp(argv[1], "fork") == 0 && fork() == 0) work(NULL);
  else wait(NULL);
  LIKWID_MARKER_CLOSE;
  return 0;
}
C
cc -std=gnu99 -Wall -Wextra -Werror -I"$root/points/include" "$work/marked.c" -o "$work/marked" -pthread || fail "marked.c"
cc -std=gnu99 -Wall -Wextra -Werror -DLIKWID_PERFMON -I"$root/points/include" "$work/marked.c" -o "$work/likwid" -pthread || fail "likwid's macros"
for program in marked likwid; do
  expect 0 '' point run "$dir" --name "m" --counter marker --repetitions 2 -- "$work/$program"
  [ "$(field 'm: inner' 'p["flops"], p["load_bytes"], p["store_bytes"], p["threads"] in range(1, 5), p["region"], p["counter"]')" = "(800, 6400, 3200, True, 'inner', 'marker')" ] ||
    fail "$program: $(field 'm: inner' 'p')"
  [ "$(field $'m: outer "\\ \xc2\xb5' 'p["load_bytes"], p["flops"]')" = "(6800, 800)" ] || fail "$program: the outer region"
  [ "$(field 'm: inner' 'p["seconds"] > 0')" = True ] || fail "$program: no time"
  for name in 'm: inner' $'m: outer "\\ \xc2\xb5'; do "$gable" point remove "$dir" "$name"; done
done
cp "$points" "$work/all"
refused 1 "'left open' was never closed in 1 thread" "$dir" --counter marker -- "$work/marked" open
refused 1 "'never started' was stopped by a thread that had not started it" "$dir" --counter marker -- "$work/marked" stray
refused 1 'marked no region' "$dir" --counter marker -- "$work/marked" abrupt
refused 1 'marked no region' "$dir" --counter marker -- true
expect 0 '' point run "$dir" --name forked --counter marker --repetitions 1 -- "$work/marked" fork
[ "$(field 'forked: inner' 'p["flops"]')" = 1000 ] || fail "a forked child's regions: $(field 'forked: inner' 'p["flops"]')"
if command -v c++ >/dev/null; then
  printf '#include <gable-marker.h>\nint main() { gable_marker_start("x"); gable_marker_stop("x"); }\n' >"$work/plain.cpp"
  c++ -std=c++20 -Wall -Wextra -Wpedantic -Werror -I"$root/points/include" "$work/plain.cpp" -o "$work/plain" -pthread || fail "the header in C++"
fi

# Counted under Valgrind: the whole program and its functions; output only once.
cat >"$work/counted.c" <<'C'
#include <stdio.h>
__attribute__((noinline)) double sum(const double *a, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += a[i];
  return s;
}
static double a[100000];
int main(void) {
  double s = 0;
  for (int r = 0; r < 10; ++r) s += sum(a + r, 99990);
  printf("sum %g\n", s);
  return s != 0;
}
C
cc -O1 "$work/counted.c" -o "$work/counted" || fail "counted.c"
if [ -x "$1/libexec/gable/valgrind/launch" ]; then
  expect 0 '' point run "$dir" --name counted --counter valgrind --functions --repetitions 2 -- "$work/counted"
  [ "$(grep -c '^sum 0$' "$work/out")" = 1 ] || fail "the counted run's output is not dropped"
  grep -qE 'sum \(counted\)' "$work/out" || fail "no table of functions: $(cat "$work/out")"
  [ "$(field counted 'p["flops"] >= 999900 and p["flops"] < 1010000, p["precision"], p["scalar_flops_percent"] > 99, p["counter"]')" = \
    "(True, 'dp', True, 'valgrind')" ] || fail "counted: $(field counted 'p["flops"], p["precision"], p["scalar_flops_percent"]')"
  grep -qE '^ +1e\+06 +[89]e\+06 .* sum \(counted\)$' "$work/out" || fail "its functions: $(cat "$work/out")"
else
  echo "not tried: the counter valgrind (not built; package valgrind)"
fi
cp "$points" "$work/all"
"$gable" point run "$dir" --counter pmu -- "$work/counted" >"$work/out" 2>"$work/err" && fail "pmu without bytes makes a point"
grep -qE '^gable: --counter pmu(: it counts flops but no bytes| does not work here: .*; (--counter valgrind works here|give the program))' "$work/err" ||
  fail "pmu: no reason, or no way out: $(cat "$work/err")"
cmp -s "$points" "$work/all" || fail "pmu: points.json was touched"

# Imports: errors name file, line and column; missing figures are requested.
cp "$points" "$work/all"
cat >"$work/advisor.csv" <<'CSV'
Function Call Sites and Loops,Self Elapsed Time,Self GFLOP,Self Loaded GB,Self Stored GB
"loop, ""hot""",0.5s,2,24,8
CSV
sed 's/0.5s/soon/' "$work/advisor.csv" >"$work/bad.csv"
imported() {
  local pattern=$1
  shift
  expect 2 "$pattern" point import "$dir" "$@"
  cmp -s "$points" "$work/all" || fail "gable point import $*: points.json was touched"
}
imported "bad.csv:2: column 2 .*'soon'" "$work/bad.csv"
imported 'not recognized as likwid' "$work/reads"
imported 'Is a directory' "$work"
head -c 2000 /dev/urandom | tr '\n' ' ' >"$work/garbage"
for format in auto likwid perf advisor; do
  imported 'garbage' "$work/garbage" --format $format --seconds 1
  LC_ALL=C grep -qP '[^\x20-\x7e\n]' "$work/err" && fail "--format $format echoes garbage"
done
printf '{"counter-value" : "5", "event" : "fp_arith_inst_retired.scalar_double"}\n' >"$work/perf.json"
imported 'no wall clock' "$work/perf.json"
imported 'it has no bytes' "$work/perf.json" --seconds 1
imported 'no such region' "$work/advisor.csv" --region none
expect 2 'absent.csv: No such file' point import "$dir" "$work/absent.csv"
expect 0 '' point import "$dir" "$work/perf.json" --seconds 2 --load-bytes 40 --store-bytes 0 --name perf
[ "$(field perf 'p["flops"], p["load_bytes"], p["seconds"], p["counter"], p["precision"]')" = "(5, 40, 2.0, 'perf', 'dp')" ] || fail "perf: $(field perf p)"
expect 0 '' point import "$dir" "$work/advisor.csv"
expect 0 '' point import "$dir" /dev/stdin --name piped < <(cat "$work/advisor.csv")
[ "$(field 'loop, "hot"' 'p["flops"], p["load_bytes"], p["counter"]')" = "(2000000000, 24000000000, 'advisor')" ] || fail "advisor"

# Works if the parent ignores SIGCHLD, which children inherit.
(trap '' CHLD; exec "$gable" point run "$dir" --name childless --flops 1e6 --load-bytes 8e6 -- false) >"$work/out" 2>"$work/err"
[ $? = 1 ] && grep -q 'exit status 1' "$work/err" || fail "SIGCHLD ignored: $(cat "$work/err")"

# ran FILE COUNTED OTHERS LEAST MOST: a line for each run, COUNTED once and OTHERS so often, as disturbed runs are repeated.
ran() {
  local others
  others=$(grep -cx "$3" "$work/$1")
  [ "$(grep -cx "$2" "$work/$1")" = 1 ] && [ "$others" -ge "$4" ] && [ "$others" -le "$5" ] && ! grep -qvx -e "$2" -e "$3" "$work/$1"
}

# The wrapper is used for timed runs but not for counting; quoted words stay together.
if [ -x "$1/libexec/gable/valgrind/launch" ]; then
  printf '#!/bin/sh\necho "${WRAPPED-by itself}" >>"%s/ran"\nsleep 0.1\n' "$work" >"$work/app"
  chmod +x "$work/app"
  expect 0 '' point run "$dir" --name before --repetitions 2 --counter valgrind -- "$work/app"
  [ "$(sort -u "$work/ran")" = 'by itself' ] && [ "$(wc -l <"$work/ran")" -ge 4 ] && [ "$(wc -l <"$work/ran")" -le 6 ] || fail "without a wrapper it ran: $(cat "$work/ran")"
  rm "$work/ran"
  expect 0 '' point run "$dir" --name after --from before --wrapper "env 'WRAPPED=through it'" --repetitions 2 --counter valgrind -- "$work/app"
  ran ran 'by itself' 'through it' 3 5 || fail "with a wrapper it ran: $(cat "$work/ran")"
  grep -q 'note: run through' "$work/out" && grep -q 'from before: ' "$work/out" || fail "the wrapped point: $(cat "$work/out")"
  rm "$work/ran"
  value='by a variable' expect 0 '' point run "$dir" --name after --wrapper 'env WRAPPED="$value"' --repetitions 2 --counter valgrind -- "$work/app"
  ran ran 'by itself' 'by a variable' 3 5 || fail "the words of a wrapper: $(cat "$work/ran")"
  expect 2 "wrapper: env 'x: a quote or a bracket" point run "$dir" --name x --wrapper "env 'x" -- "$work/app"
  expect 2 'wrapper: .*one command' point run "$dir" --name x --wrapper 'true; env' -- "$work/app"
  expect 2 'wrapper: .*one command' point run "$dir" --name x --wrapper 'env $(true)' -- "$work/app"
  expect 127 'absent: ' point run "$dir" --name x --wrapper "$work/absent" -- "$work/app"

  # Another build is counted in its place.
  expect 0 '' point run "$dir" --name counted --counted "'$programs/loops_c_sse2_dp' 40 1" --repetitions 2 --counter valgrind -- sleep 0.1
  [ "$(field counted 'p["flops"] > 40 * 40 and p["seconds"] > 0.09 and p["command"] == ["sleep", "0.1"]')" = True ] || fail "a counted build: $(cat "$work/out")"
  grep -q 'note: its work was counted in' "$work/out" || fail "a counted build is not noted: $(cat "$work/out")"
  expect 127 'absent: ' point run "$dir" --name x --counted "$work/absent" -- "$work/app"
  expect 2 'there is nothing to count' point run "$dir" --name x --counted true --counter marker -- "$work/app"
  expect 2 'there is nothing to count' point run "$dir" --name x --counted true "${given[@]}" -- "$work/app"

  # Under policies of kmaf run: one count, the same input for every run, and the output of the first run alone.
  printf '#!/bin/sh\necho "$(wc -c) ${LD_PRELOAD:+counted}" >>"%s/read"\nn=0; while [ $n -lt 100000 ]; do n=$((n + 1)); done\necho said\n' "$work" >"$work/app"
  echo input | "$gable" point run "$dir" --name app --managed $managed --repetitions 2 --counter valgrind -- "$work/app" >"$work/out" 2>"$work/err" ||
    fail "managed: $(cat "$work/err")"
  policies=(${managed//,/ })
  ran read '6 counted' '6 ' $((3 + 3 * ${#policies[@]})) $((5 + 5 * ${#policies[@]})) || fail "managed: runs and what they read: $(cat "$work/read")"
  [ "$(grep -c said "$work/out")" = 1 ] || fail "managed: output of other runs: $(cat "$work/out")"
  for policy in "${policies[@]}"; do
    [ "$(field "app by $policy" 'p["from"], p["flops"], p["counter"]')" = "$(field app '"app", p["flops"], p["counter"]')" ] || fail "the point of $policy"
  done
  for name in app 'app by compact'; do
    [ "$(field "$name" 'p["threads"] in (0, 1)')" = True ] || fail "$name, of one thread: $(field "$name" p)"
  done
  expect 2 "'os' is none of" point run "$dir" --managed os -- "$work/app"
  if "$1/without" perf true; then
    "$1/without" perf "$gable" point run "$dir" --name app --managed kmaf --repetitions 1 --counter valgrind -- "$work/app" >"$work/out" 2>"$work/err" </dev/null ||
      fail "managed without perf: $(cat "$work/err")"
    grep -q "no point 'app by kmaf'.*perf may not observe" "$work/err" && ! grep -q 'app by kmaf' "$dir/points.json" ||
      fail "an unmanaged run has become a point: $(cat "$work/err")"
  fi
fi

# CPU time in the kernel: that of a program of system calls, and of one marked region but not of the other.
"$gable" point run "$dir" --name calls "${given[@]}" --repetitions 3 -- \
  dd if=/dev/zero of=/dev/null bs=1M count=30000 status=none >"$work/out" 2>"$work/err" || fail "dd: $(cat "$work/err")"
[ "$(field calls 'p["kernel_seconds"] > 5 * p["user_seconds"] and p["page_faults"] > 10')" = True ] ||
  fail "dd's time in the kernel: $(field calls 'p["kernel_seconds"], p["user_seconds"], p["page_faults"]')"
cat >"$work/faults.c" <<'TEXT'
#include <gable-marker.h>
#include <stdlib.h>
#include <sys/mman.h>
int main(void) {
  const long bytes = 8 << 20;
  volatile double sum = 0;
  gable_marker_start("touch");
  for (int i = 0; i < 100; ++i) {
    char* fresh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(fresh, bytes, MADV_NOHUGEPAGE);
    for (long at = 0; at < bytes; at += 4096) fresh[at] = 1;
    munmap(fresh, bytes);
  }
  gable_marker_work(1e6, 1e6, 1e6);
  gable_marker_stop("touch");
  gable_marker_start("compute");
  for (int i = 0; i < 100000000; ++i) sum = sum + 1;
  gable_marker_work(1e6, 1e6, 1e6);
  gable_marker_stop("compute");
}
TEXT
cc -O1 -I"$root/points/include" "$work/faults.c" -o "$work/faults" -pthread || fail "faults.c"
"$gable" point run "$dir" --name faults --counter marker --repetitions 3 -- "$work/faults" >"$work/out" 2>"$work/err" ||
  fail "regions with faults: $(cat "$work/err")"
[ "$(field 'faults: touch' 'p["page_faults"] >= 100 * 2048 and p["kernel_seconds"] > p["user_seconds"]')" = True ] ||
  fail "faults of a region: $(field 'faults: touch' 'p["page_faults"], p["kernel_seconds"], p["user_seconds"]')"
[ "$(field 'faults: compute' 'p["page_faults"] < 100 and p["kernel_seconds"] < p["user_seconds"]')" = True ] ||
  fail "faults of another region: $(field 'faults: compute' 'p["page_faults"], p["kernel_seconds"], p["user_seconds"]')"

finish
