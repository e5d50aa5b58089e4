# What gable machine shows in the scenario's guest, against expected/SCENARIO.json; GABLE_REGENERATE=1 writes that anew. The
# table for the screen is printed to be read.
inside <<'TEXT'
gable machine
gable machine --json > /out/machine.json
TEXT

verify_machine() {
  cat "$work/out"
  python3 "$here/shown.py" "$work/machine.json" "$here/expected/$scenario.json" || fail 'gable machine shows another machine'
}
