#!/bin/bash
# The runner itself: input, output, and guests that fail.
. "$(dirname "$0")/expect.sh"
export TMPDIR=$work/tmp  # QEMU's command line names it
mkdir "$TMPDIR"

no_guest_left() {
  ! pgrep -f "qemu-system.*$TMPDIR" >/dev/null || fail "$1: QEMU still runs"
  [ -z "$(ls -A "$TMPDIR")" ] || fail "$1: left in the temporary folder: $(ls -A "$TMPDIR")"
}

# Arguments, both outputs, the exit status, files to and from the guest, in one boot.
mkdir "$work/given"
cat >"$work/given/probe" <<'TEXT'
printf '<%s>' "$@"
printf 'to stderr' >&2
echo 'a line on the console' > /dev/console
mkdir -p /out/deep
cp "$0" '/out/deep/a file'
gable --version > /out/version
exit 42
TEXT
guest one-cpu --file "$work/given:/given" --out "$work/back" -- \
  sh /given/probe 'a b' "it's" '"q" \' '$HOME *' '' '--out' $'two\nlines'
same 'exit status' 42 $status
same 'standard output' "<a b><it's><\"q\" \\><\$HOME *><><--out><"$'two\nlines>' "$(cat "$work/out")"
same 'standard error' 'to stderr' "$(cat "$work/err")"
cmp "$work/given/probe" "$work/back/deep/a file" || fail 'the file did not come back as it went in'
same 'version' "$("$build/gable" --version)" "$(cat "$work/back/version")"
no_guest_left 'a command that ends'

guest one-cpu --deadline 2 -- true
same 'status past the deadline' 124 $status
grep -q 'one-cpu: not done after 2 s' "$work/err" || fail "the deadline's message: $(cat "$work/err")"
no_guest_left 'deadline'

guest one-cpu -- sh -c 'echo c > /proc/sysrq-trigger'
same 'status of a guest that crashes' 125 $status
grep -q 'Kernel panic' "$work/err" || fail "a panic's message: $(cat "$work/err")"
no_guest_left 'panic'

# end_by SIGNAL: ends the runner while its guest runs.
end_by() {
  "$here/run" one-cpu --build "$build" -- true >"$work/out" 2>"$work/err" &
  local runner=$!
  for _ in $(seq 200); do
    pgrep -f "qemu-system.*$TMPDIR" >/dev/null && break
    sleep 0.1
  done
  pgrep -f "qemu-system.*$TMPDIR" >/dev/null || fail 'no QEMU is seen: nothing is said of what is left of it'
  kill -"$1" $runner
  wait $runner 2>/dev/null
  status=$?
}

for signal in INT TERM; do
  end_by $signal
  same "status after SIG$signal" $((128 + $(kill -l $signal))) $status
  no_guest_left "SIG$signal"
done
end_by KILL  # its folder may remain, QEMU must not
sleep 1
! pgrep -f "qemu-system.*$TMPDIR" >/dev/null || fail 'QEMU outlives a runner that was killed'
rm -rf "${TMPDIR:?}"/*

guest no-such-scenario -- true
same 'status of an unknown scenario' 2 $status
for scenario in "$here"/scenarios/*.toml; do
  grep -qw -- "$(basename "$scenario" .toml)" "$work/err" || fail "an unknown scenario does not list $scenario"
done
guest one-cpu --file nothing-here:/x -- true
same 'status of a file that is not there' 2 $status
guest one-cpu --out "$work/given/probe" -- true
same 'status of files to go where a file is' 2 $status
guest one-cpu
same 'status without a command' 2 $status
finish
