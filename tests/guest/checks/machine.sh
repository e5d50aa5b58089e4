# The output of gable machine in the scenario's guest, compared with expected/SCENARIO.json; GABLE_REGENERATE=1 rewrites it. The
# table is printed for the reader.
inside <<'TEXT'
gable machine
gable machine --json > /out/machine.json
TEXT

verify_machine() {
  cat "$work/out"
  python3 "$here/shown.py" "$work/machine.json" "$here/expected/$scenario.json" || fail 'gable machine shows another machine'
}
