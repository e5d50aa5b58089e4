#!/bin/bash
# gable kmaf run: output, input and status of the program are unchanged under every policy; reports; restoring settings when
# the manager, the program or both are killed. System settings are files below a temporary root, so this test changes no setting
# of the machine and needs no privilege. Without perf, programs run unmanaged, and the other checks still apply.
source "$(dirname "$0")/expect.sh" "$1"
needs python3 pgrep:procps
disturbed=$1/disturbed
for program in "$disturbed" "$1/disturbed_static"; do
  [ -x "$program" ] || { echo "FAILED: $program is not built: ninja -C $1 disturbed disturbed_static"; exit 1; }
done
export GABLE_SYSTEM_ROOT=$work/root
balancing=$work/root/proc/sys/kernel/numa_balancing
knobs=$work/root/sys/kernel/debug/sched/numa_balancing
mkdir -p "$work/root/run" "$(dirname "$balancing")" "$knobs"

system() {  # the original settings
  echo 0 >"$balancing"
  for knob in scan_delay_ms:1000 scan_period_min_ms:1000 scan_period_max_ms:60000 scan_size_mb:256; do
    echo "${knob#*:}" >"$knobs/${knob%:*}"
  done
}

state() { cat "$balancing" "$knobs"/*; }

undone() { [ "$(state)" = "$untouched" ]; }
system
untouched=$(state)

# field JSON EXPRESSION over r
field() { python3 -c 'import json,sys; r=json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"; }

managed=yes
"$gable" kmaf run --report "$work/report" -- true 2>"$work/err" || fail "true: $(cat "$work/err")"
grep -q 'perf may not' "$work/err" && managed=no
[ -s "$work/report" ] || fail 'no report'

# What standard error has said as the program started, the report there does not repeat.
"$gable" kmaf run -- true 2>"$work/err"
grep -q '^gable: ' "$work/err" || fail "no note on a machine with one node or without root: $(cat "$work/err")"
[ -z "$(sed 's/^gable: //; s/^  note *//' "$work/err" | sort | uniq -d)" ] || fail "a note is printed twice: $(cat "$work/err")"

# Results and exit statuses of programs do not depend on the policy.
same_result() {  # POLICY COMMAND...
  local policy=$1
  shift
  "$@" >"$work/alone" 2>"$work/alone.err" </dev/null
  local alone=$?
  "$gable" kmaf run --policy "$policy" --json --report "$work/r.json" -- "$@" >"$work/out" 2>"$work/err" </dev/null
  local got=$?
  [ $got = $alone ] || fail "$policy, $*: exit $got, alone $alone: $(cat "$work/err")"
  cmp -s "$work/alone" "$work/out" || fail "$policy, $*: other output"
  [ "$(field "$work/r.json" 'r["status"]')" = $alone ] || fail "$policy, $*: the report has another status"
  undone || fail "$policy, $*: settings are left: $(state | tr '\n' ' ')"
}
for policy in os compact random interleave autonuma kmaf; do
  same_result $policy "$disturbed" threads 64
  same_result $policy sh -c 'echo out; exit 3'
done
for what in 'threads 2000' 'forks 100' 'exec 20' 'handler 50' 'stacks 64' 'busy 50' 'busy 800' 'read 32'; do
  same_result kmaf "$disturbed" $what
  same_result compact "$disturbed" $what
done
for flag in --threads-only --data-only '--unit 2m' '--unit 4k' '--overhead 5%'; do
  "$gable" kmaf run $flag --report "$work/r" -- "$disturbed" threads 16 >"$work/out" 2>"$work/err" || fail "$flag: $(cat "$work/err")"
  "$disturbed" threads 16 | cmp -s - "$work/out" || fail "$flag: other output"
done
[ -x "$1/disturbed_static" ] && same_result kmaf "$1/disturbed_static" threads 200
same_result kmaf sh -c 'kill -TERM $$'
same_result kmaf sh -c 'kill -SEGV $$'
[ "$(echo 'one line' | "$gable" kmaf run --report "$work/r" -- cat)" = 'one line' ] || fail 'input does not arrive'
[ "$("$gable" kmaf run --report "$work/r" -- sh -c 'trap "" PIPE; echo a; exec 3>&-; ls /proc/self/fd | wc -l')" = \
  "$(sh -c 'trap "" PIPE; echo a; exec 3>&-; ls /proc/self/fd | wc -l')" ] || fail 'the program has descriptors of ours'
inherited='grep ^Sig /proc/self/status; ulimit -n; taskset -p $$ | sed "s/.*: //"'
for pipes in "trap '' PIPE" 'trap - PIPE'; do
  for policy in os kmaf; do
    [ "$(eval "$pipes"; "$gable" kmaf run --policy $policy --report "$work/r" -- sh -c "$inherited" | grep -v SigQ)" = \
      "$(eval "$pipes"; sh -c "$inherited" | grep -v SigQ)" ] || fail "$policy, $pipes: the program inherits signals or limits of ours"
  done
done

# The report.
"$gable" kmaf run --json --report "$work/r.json" -- "$disturbed" threads 160 >/dev/null 2>"$work/err" || fail "json: $(cat "$work/err")"
if [ "$("$gable" machine --json | python3 -c 'import json,sys; print(len(json.load(sys.stdin)["nodes"]))')" = 1 ]; then
  field "$work/r.json" 'r["notes"]' | grep -q "'code': 'one_node'" || fail "one node, and it does not say so: $(cat "$work/r.json")"
fi
field "$work/r.json" 'r["over_budget"] == (r["overhead_share_of_cpu"] > r["overhead_budget"])' | grep -q True || fail "the budget: $(cat "$work/r.json")"
[ "$(field "$work/r.json" 'r["schema"], r["policy"], r["seconds"] > 0, r["cpu_seconds"] > 0')" = "(1, 'kmaf', True, True)" ] || fail 'JSON'
if [ $managed = yes ]; then
  [ "$(field "$work/r.json" 'r["managed"], r["sampler"]')" = "(True, 'hint-faults')" ] || fail "not managed: $(cat "$work/r.json")"
  [ "$(field "$work/r.json" 'r["samples"]["taken"] > 0')" = True ] || fail 'no first touch was seen'
  # On a busy machine, lost events may include thread starts as well as accesses.
  [ "$(field "$work/r.json" 'r["samples"]["lost"] > 0 or r["tasks_started"]["threads"] == 160')" = True ] ||
    fail "threads: $(field "$work/r.json" 'r["tasks_started"]')"
  "$gable" kmaf run --policy compact --json --report "$work/r.json" -- "$disturbed" threads 16 >/dev/null 2>"$work/err"
  [ "$(field "$work/r.json" 'r["threads"]["moved"] + sum(r["threads"]["failed"].values()) > 0')" = True ] || fail "compact bound no thread: $(cat "$work/r.json")"
fi
# If nobody reads the messages, the program still runs. With --json there is only the report and the program's own output.
mv "$balancing" "$balancing.hidden"
for flag in '' --json; do
  (exec 2> >(exec true); sleep 0.3; exec "$gable" kmaf run $flag -- sh -c 'echo ran; exit 5') >"$work/out"
  [ $? = 5 ] && grep -qx ran "$work/out" || fail "run $flag with nobody at standard error: no program"
done
"$gable" kmaf run --json -- true 2>"$work/err"
field "$work/err" 'r["notes"]' | grep -q balancing || fail "not JSON with its notes: $(cat "$work/err")"
mv "$balancing.hidden" "$balancing"
# The program gets the caller's environment.
[ "$("$gable" kmaf run --report "$work/r" -- env | grep -v ^_= | sort)" = "$(env | grep -v ^_= | sort)" ] ||
  fail "the program has variables of ours: $("$gable" kmaf run --report "$work/r" -- env | sort | comm -3 - <(env | sort))"
# Balancing was off: counted faults on the machine do not come from it.
"$gable" kmaf run --policy os --json --report "$work/r.json" -- true
[ "$(field "$work/r.json" 'r["kernel"]["hint_faults"]')" = None ] || fail 'balancing that was off has counts'

"$gable" kmaf run -- sh -c 'echo theirs >&2' 2>"$work/err"
sed '/^gable kmaf run: policy/q' "$work/err" | grep -qx theirs || fail 'standard error is not the program'\''s'
grep -q '^gable kmaf run: policy kmaf' "$work/err" || fail 'no report on standard error'
timeout 20 "$gable" kmaf run --policy compact -- sh -c 'sleep 30 >/dev/null 2>&1 & echo started' 2>/dev/null | grep -q started ||
  fail 'a process that outlives the program holds up its reader'

# An oracle recognizes threads and pages from an earlier run of the command, and the program's result is the same.
cc -O2 -fopenmp "$(dirname "$0")/../../examples/sharing.c" -o "$work/sharing" || fail 'sharing.c'
sharing() { OMP_NUM_THREADS=5 "$gable" kmaf run "$@" --json --report "$work/r.json" -- "$work/sharing" ring --kib 256 --passes 2000; }
sharing --learn "$work/known" >"$work/first" 2>"$work/err" || fail "learn: $(cat "$work/err")"
if [ $managed = yes ]; then
  sharing --policy oracle --knowing "$work/known" >"$work/second" 2>"$work/err" || fail "oracle: $(cat "$work/err")"
  [ "$(grep checksum "$work/first")" = "$(grep checksum "$work/second")" ] || fail 'another checksum under the oracle'
  [ "$(field "$work/r.json" 'r["managed"], r["sampler"], r["known"]["threads"], r["known"]["threads_unknown"]')" = "(True, None, 5, 0)" ] ||
    fail "threads are not recognized: $(cat "$work/r.json")"
  if ! grep -q personality "$work/err"; then
    # 320 in the arrays, plus those of libraries and stacks.
    [ "$(field "$work/r.json" 'r["known"]["pages_in_place"] > 300 and r["known"]["pages_missed"] * 10 < r["known"]["pages_in_place"]')" = True ] ||
      fail "pages are not recognized: $(cat "$work/r.json")"
  fi
  OMP_NUM_THREADS=5 "$gable" kmaf run --policy oracle --data-only --knowing "$work/known" --report "$work/r" -- "$work/sharing" ring --kib 256 --passes 2000 >/dev/null 2>"$work/err"
  grep -q '^  overhead ' "$work/r" || fail "no overhead in the report of an oracle of data alone: $(cat "$work/r")"
  expect 0 'another command' kmaf run --policy oracle --knowing "$work/known" -- true
  "$gable" kmaf run --policy oracle --knowing "$work/known" --json --report "$work/r.json" -- true 2>"$work/err"
  field "$work/r.json" 'r["notes"]' | grep -q "'code': 'other_command_learned'" || fail "the report does not say whose record it was: $(cat "$work/r.json")"
  expect 1 'full' kmaf run --learn /dev/full -- "$work/sharing" ring --kib 256 --passes 2000
  expect 7 'full' kmaf run --learn /dev/full -- sh -c "'$work/sharing' ring --kib 256 --passes 2000; exit 7"
  expect 2 'learned with another' kmaf run --policy oracle --knowing "$work/known" --unit 2m -- true
  for what in 'threads 2000' 'forks 100' 'exec 20' 'handler 50' 'stacks 64' 'busy 50' 'busy 800' 'read 32'; do
    "$gable" kmaf run --learn "$work/known" --report "$work/r" -- "$disturbed" $what >"$work/alone" 2>"$work/err" || fail "learn $what: $(cat "$work/err")"
    "$gable" kmaf run --policy oracle --knowing "$work/known" --report "$work/r" -- "$disturbed" $what >"$work/out" 2>"$work/err" || fail "oracle $what: $(cat "$work/err")"
    cmp -s "$work/alone" "$work/out" || fail "oracle, $what: other output"
  done
else
  grep -q 'nothing was sampled or learned' "$work/err" && [ ! -e "$work/known" ] || fail 'a record without samples'
fi

# With hardware sampling, here simulated by page faults, the kernel's settings do not change. ThreadSanitizer has page
# faults of its own.
if [ $managed = yes ] && [ "$sanitizer" != thread ]; then
  pmu=$work/root/sys/bus/event_source/devices/cpu
  expect 0 'no precise memory event' kmaf run --sampler hardware -- true
  mkdir -p "$pmu/format" "$pmu/events"
  echo 1 >"$pmu/type"
  echo config:0-7 >"$pmu/format/event"
  echo event=0x09 >"$pmu/events/mem-loads"
  expect 0 'no reliable samples: cpu/mem-loads/: .* 0 samples' kmaf run --sampler hardware -- true
  echo event=0x02 >"$pmu/events/mem-loads"
  "$gable" kmaf run --sampler hardware --json --report "$work/r.json" -- sh -c "cat '$balancing'; '$disturbed' busy 800" >"$work/out" 2>"$work/err"
  { cat "$balancing"; "$disturbed" busy 800; } | cmp -s - "$work/out" || fail "hardware: other output: $(cat "$work/out" "$work/err")"
  [ "$(field "$work/r.json" 'r["managed"], r["sampler"], r["samples"]["lost"]')" = "(True, 'hardware', 0)" ] || fail "hardware: $(cat "$work/r.json")"
  [ "$(field "$work/r.json" 'r["samples"]["per_second_asked"], r["samples"]["per_cpu_second_asked"] > 0')" = "(None, True)" ] ||
    fail "hardware: not the rate that is kept: $(field "$work/r.json" 'r["samples"]')"
  undone || fail 'hardware: settings are left'
  mv "$balancing" "$balancing.hidden"  # no hint faults: auto does not fall back to the processor's samples
  "$gable" kmaf run --json --report "$work/r.json" -- true 2>"$work/err"
  [ "$(field "$work/r.json" 'r["managed"], r["sampler"]')" = "(False, None)" ] || fail "auto selects hardware: $(cat "$work/r.json")"
  field "$work/r.json" 'r["notes"]' | grep -q 'hint-faults.*this kernel has no NUMA balancing' || fail "not said what is missing: $(cat "$work/r.json")"
  mv "$balancing.hidden" "$balancing"
  "$gable" kmaf run --json --report "$work/r.json" -- true 2>"$work/err"
  [ "$(field "$work/r.json" 'r["sampler"]')" = hint-faults ] || fail "auto is not hint-faults: $(cat "$work/r.json")"
  rm -r "$work/root/sys/bus"
fi

# Without perf the report names the missing permission and the command that grants it, and the program runs unmanaged.
if "$1/without" perf true; then
  "$1/without" perf "$gable" kmaf run --json --report "$work/r.json" --learn "$work/unseen" -- "$disturbed" threads 200 >"$work/out" 2>"$work/err" ||
    fail "without perf: $(cat "$work/err")"
  "$disturbed" threads 200 | cmp -s - "$work/out" || fail 'without perf: other output'
  [ "$(field "$work/r.json" 'r["managed"], r["sampler"]')" = "(False, None)" ] || fail "without perf: $(cat "$work/r.json")"
  field "$work/r.json" 'r["notes"]' | grep -q 'hint-faults.*perf may not observe.*sudo sysctl kernel.perf_event_paranoid=2' ||
    fail "without perf: not said what is missing: $(cat "$work/r.json")"
  [ ! -e "$work/unseen" ] || fail 'without perf: a record without samples'
fi

# A program that queries the number of hardware threads at its start sees all of them.
told_of_all() { [ "$("$gable" kmaf run --policy "$1" --report "$work/r" -- nproc)" = "$(nproc)" ]; }
for policy in compact random kmaf; do
  within 2 told_of_all $policy || fail "$policy: the program is not told of all $(nproc) hardware threads"
done

# If the journal cannot be written any more (files are limited to 1 KiB), management ends and the program continues.
# On a busy machine it may see only longer processes.
for seconds in 2 20; do
  many="for i in \$(seq 60); do sleep $seconds & done; wait; echo done; exit 5"
  (trap '' XFSZ && ulimit -f 1 && exec "$gable" kmaf run --policy compact --report "$work/r" -- sh -c "$many") >"$work/out" 2>"$work/err"
  [ $? = 5 ] && [ "$(cat "$work/out")" = 'done' ] || fail "managing fails, and so does the program: $(cat "$work/err")"
  grep -q 'management stopped before the program ended: .*journal' "$work/r" && break
done
grep -q 'management stopped' "$work/r" || fail "the report does not say that management stopped: $(cat "$work/r")"

# Wrong usage, missing programs, missing rights.
expect 2 'no program given' kmaf run
expect 2 '--machine .*: no figures between cores; this machine comes with Gable' kmaf run --machine joe0 -- true
expect 2 '--learn' kmaf run --policy oracle -- true
expect 2 '--sampler is for --policy kmaf' kmaf run --policy oracle --knowing "$work/r" --sampler hint-faults -- true
expect 2 '--sampler is for --policy kmaf' kmaf run --policy compact --sampler hardware -- true
expect 2 'for --policy oracle' kmaf run --knowing "$work/r" -- true
expect 2 'for --policy kmaf' kmaf run --policy os --learn "$work/k" -- true
echo '{"schema":1}' >"$work/bad"
expect 2 'bad:1: "command" is missing' kmaf run --policy oracle --knowing "$work/bad" -- true
echo '{"schema":1,"command":["true"],"unit_bytes":4096,"no_huge_pages":false,"tasks_at_once":0,"tasks_left_out":0,"samples_left_out":0,"programs":0,"tasks":0,"pairs":0,"pages":0}' >"$work/empty"
printf '{\n "value": 1\n}\n' >"$work/other.json"
expect 2 'other.json:1: not a JSON object in a line, as --learn writes' kmaf run --policy oracle --knowing "$work/other.json" -- true
expect 2 'contains no thread' kmaf run --policy oracle --knowing "$work/empty" -- true
expect 1 'none' kmaf run --policy oracle --knowing "$work/none" -- true
expect 2 'none' kmaf run --learn "$work/none/file" -- true
expect 2 'arguments after --' kmaf run true -la
expect 2 'exclude each other' kmaf run --threads-only --data-only -- true
expect 2 'for --policy kmaf' kmaf run --policy compact --data-only -- true
expect 2 'overhead 0' kmaf run --overhead 0 -- true
expect 2 'is none of auto' kmaf run --sampler nothing -- true
expect 127 'no-such-program' kmaf run -- no-such-program
expect 126 'not executable' kmaf run -- "$work/report"
expect 2 'cannot be written' kmaf run --report "$work/none/report" -- touch "$work/was-run"
[ ! -e "$work/was-run" ] || fail 'the program runs though its report has no place'
if [ "$(id -u)" = 0 ] && [ -u /usr/bin/su ] && command -v setpriv >/dev/null; then
  chmod 755 "$work"
  cp "$gable" "$work/gable"  # other users may not have access to the build folder
  setpriv --reuid 65534 --clear-groups env -u GABLE_SYSTEM_ROOT "$work/gable" kmaf run -- su --version >"$work/out" 2>"$work/err" || fail "setuid: $(cat "$work/err")"
  grep -q 'setuid.*rights that its user lacks' "$work/err" || fail "setuid: not said: $(cat "$work/err")"
  cp /bin/true "$work/capable"
  if python3 -c 'import os, struct, sys
os.setxattr(sys.argv[1], "security.capability", struct.pack("<5I", 0x2000001, 1 << 10, 0, 0, 0))' "$work/capable" 2>/dev/null; then
    setpriv --reuid 65534 --clear-groups env -u GABLE_SYSTEM_ROOT "$work/gable" kmaf run -- "$work/capable" 2>"$work/err" || fail "capabilities: $(cat "$work/err")"
    grep -q 'capabilities.*rights that its user lacks' "$work/err" || fail "capabilities: not said: $(cat "$work/err")"
    expect 0 '' kmaf run -- "$work/capable"
    grep -q 'rights that its user lacks' "$work/err" && fail 'capabilities: root has them all'
  fi
fi
mv "$work/root/proc" "$work/root/hidden"
expect 0 'no NUMA balancing' kmaf run -- true
expect 0 'no NUMA balancing' kmaf run --policy autonuma -- true
mv "$work/root/hidden" "$work/root/proc"

# Termination signals are forwarded to the program.
"$gable" kmaf run --report "$work/r" -- sh -c 'trap "echo asked; exit 7" TERM; echo ready; while :; do sleep 0.05; done' >"$work/out" &
manager=$!
within 20 grep -q ready "$work/out" || fail 'does not start'
kill -TERM $manager
wait $manager
[ $? = 7 ] && grep -q asked "$work/out" || fail 'SIGTERM does not reach the program'

# SIGINT is forwarded if a process sends it: from a terminal the program gets it directly.
for policy in os compact; do
  rm -f "$work/out"  # it contains "ready" from the previous run
  env --default-signal=INT "$gable" kmaf run --policy $policy --report "$work/r" -- sh -c 'trap "echo asked; exit 7" INT; echo ready; while :; do sleep 0.05; done' >"$work/out" &
  manager=$!
  within 20 grep -q ready "$work/out" || fail 'does not start'
  kill -INT $manager
  wait $manager
  [ $? = 7 ] && [ "$(grep -c asked "$work/out")" = 1 ] || fail "$policy: SIGINT does not reach the program"
done

cat >"$work/terminal.py" <<'PYTHON'
import os, pty, re, signal, sys
if sys.argv[1] == "program":  # prints the sender of each SIGINT: 0 is the terminal
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    print("ready", flush=True)
    count = 0
    while (told := signal.sigtimedwait([signal.SIGINT], 60 if count < 8 else 1)):
        count += 1
        print("SIGINT-by", told.si_pid, flush=True)
    print("finished", flush=True)
    sys.exit(0)
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [*sys.argv[1:], "--", sys.executable, __file__, "program"])
text = b""
def senders():  # of complete lines: the terminal's echo may stand within one that is being written
    return re.findall(rb"SIGINT-by (\d+)\r\n", text)
def read_until(reached):
    global text
    while not reached():
        text += os.read(terminal, 1000)
read_until(lambda: b"ready" in text)
for sent in range(8):  # the next one only when this one has arrived: pending signals merge
    os.write(terminal, b"\x03")
    read_until(lambda: len(senders()) > sent or b"finished" in text)
try:
    read_until(lambda: b"finished" in text)
except OSError:
    pass
os.close(terminal)
os.waitpid(pid, 0)
assert senders() == [b"0"] * 8, text
PYTHON
for policy in os compact; do
  timeout 100 python3 "$work/terminal.py" "$gable" kmaf run --policy $policy --report "$work/r" 2>"$work/err" || fail "$policy: Ctrl-C at a terminal: $(cat "$work/err")"
done

# The manager, the guardian or both are killed. The program then continues unmanaged, on all hardware threads, with the right
# result. The manager has no standard input, so its journal could get that number.
"$disturbed" busy 1 >"$work/expected"
enough=$work/enough
mask() { taskset -p "$1" 2>/dev/null | sed 's/.*: //'; }
all=$(mask $$)
is_bound() { [ "$(mask "$1")" != "$all" ]; }
is_free() { ended "$1" || [ "$(mask "$1")" = "$all" ]; }
changed() {  # POLICY PROGRAM: whether the policy has changed a program of one thread
  case $1 in
    compact) [ "$(nproc)" = 1 ] || is_bound "$2" ;;
    autonuma) ! undone ;;
    kmaf) [ $managed = no ] || ! undone ;;
  esac
}
for policy in kmaf compact autonuma; do
  rm -f "$enough"
  "$gable" kmaf run --policy $policy --report "$work/r" -- "$disturbed" until "$enough" >"$work/out" 2>/dev/null <&- &
  manager=$!
  within 20 pgrep -P $manager -x disturbed >/dev/null || fail "$policy: does not start"
  program=$(pgrep -P $manager -x disturbed)
  within 20 changed $policy "$program" || fail "$policy: nothing is changed"
  kill -9 $manager
  wait $manager 2>/dev/null
  within 20 undone || fail "$policy: the manager was killed and settings are left: $(state | tr '\n' ' ')"
  within 20 is_free "$program" || fail "$policy: the program is still bound"
  touch "$enough"
  within 40 ended "$program" || fail "$policy: the program does not end"
  cmp -s "$work/expected" "$work/out" || fail "$policy: other output without its manager"

  "$gable" kmaf run --policy $policy --report "$work/r" -- "$disturbed" until "$work/never" >"$work/out" 2>/dev/null &
  manager=$!
  within 20 pgrep -P $manager -x disturbed >/dev/null || fail "$policy: does not start"
  kill -9 "$(pgrep -P $manager -x disturbed)"
  wait $manager
  [ $? = 137 ] || fail "$policy: the program was killed, which is not the exit status"
  undone || fail "$policy: the program was killed and settings are left"
done
if [ $managed = yes ]; then
  "$gable" kmaf run --report "$work/r" -- "$disturbed" until "$work/never" >"$work/out" 2>/dev/null &
  manager=$!
  within 20 pgrep -P $manager -x disturbed >/dev/null || fail 'does not start'
  within 20 grep -qx 1 "$balancing" || fail 'balancing is not switched on'
  expect 1 'another gable kmaf run' kmaf run -- true
  expect 0 '' kmaf run --policy compact -- true  # changes no settings
  program=$(pgrep -P $manager -x disturbed)
  kill -STOP $manager  # otherwise it sees the others end before it ends itself
  kill -9 $(pgrep -P $manager) $manager
  wait $manager 2>/dev/null
  undone && fail 'both were killed, and somebody put things back: the next part tests nothing'
  within 20 ended "$program"
  expect 0 'earlier run was killed' kmaf run --policy os -- true
  undone || fail "the next run did not put back what was left: $(state | tr '\n' ' ')"
fi
[ $failures = 0 ] && echo 'all as expected'
[ $managed = yes ] || echo 'without perf: by hint faults no program was managed'
exit $((failures > 0))
