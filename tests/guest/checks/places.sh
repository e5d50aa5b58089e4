# gable measure in the scenario's guest: all Samples for its nodes and CPUs exist, with pages and threads in place. With SMT: both
# one thread per core and all hardware threads, and the loaded latency.
inside <<'TEXT'
[ "$1" != aarch64 ] || export SET=256M  # the size of its caches is not known
one_round /out/m --only op=load,level=memory --only latency,level=memory
if [ "$1" = smt ]; then
  one_round /out/smt --smt --only op=load,level=memory --only latency,level=memory --only loaded_latency,pattern=local
fi
TEXT
take "$here/one_round:/bin/one_round"

verify_places() {
  python3 "$here/measured.py" "$work/m" || fail 'the Samples are not what the machine calls for'
  if [ "$scenario" = smt ]; then
    python3 "$here/measured.py" "$work/smt" --smt || fail 'the Samples with --smt are not what the machine calls for'
    grep -q '"kind":"loaded_latency".*"status":"ok"' "$work/smt/samples.jsonl" || fail 'no loaded latency'
  fi
  "${gable[@]}" fit "$work/m" >"$work/fit.out" || fail 'fit'
  if command -v gnuplot >/dev/null; then
    "${gable[@]}" plot "$work/m" >"$work/plot.out" 2>"$work/err" || fail "plot: $(cat "$work/err")"
  fi
  [ -z "${GABLE_KEEP:-}" ] || cp -r "$work/m" "$GABLE_KEEP/$scenario"
}
