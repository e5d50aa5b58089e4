# measure_in_bed.sh BUILD BED: what measure.test.sh checks, inside the bed.
set -u
gable=$1/gable
bed=$2
failures=0
little=(--preset quick --only load,L1 --pages 4k --quiet)
longer=(--preset quick --only load --pages 4k --quiet --budget 8s)
endless=(--preset full --only load --pages 4k --quiet --budget 30s)
budget=2s

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# status DIR NODE: "complete", "hung", ...
status() { sed -n 's/^ "status": "\(.*\)",$/\1/p' "$1/$2/node.json" 2>/dev/null; }

# has DIR STATUS NODE...: each of them has that status.
has() {
  local folder=$1 wanted=$2 node
  shift 2
  for node in "$@"; do
    [ "$(status "$folder" "$node")" = "$wanted" ] || fail "$folder: $node is '$(status "$folder" "$node")', expected $wanted: $(cat "$bed/out")"
  done
}

# within SECONDS CONDITION...: waits until it holds.
within() {
  local left=$(($1 * 10))
  shift
  until "$@"; do
    left=$((left - 1))
    [ $left -gt 0 ] || return 1
    sleep 0.1
  done
}

# called NODES ARGUMENT...: gable cluster measure in an allocation of these nodes; its exit status.
called() {
  local nodes=$1
  shift
  salloc --quiet --nodelist="$nodes" "$gable" cluster measure "$@" "${little[@]}" --budget $budget >"$bed/out" 2>&1
}
says() { grep -qE -e "$1" "$bed/out" || fail "'$1' is not said: $(cat "$bed/out")"; }
agent_of() { pgrep -f "^$gable cluster measure $1 " | while read -r pid; do cat "/proc/$pid/environ" 2>/dev/null | tr '\0' '\n' | grep -qx "SLURMD_NODENAME=$2" && echo "$pid"; done | head -1; }
begun() { [ -n "$(agent_of "$1" "$2")" ]; }

# Results of four nodes; the disk of n3 is full, which costs only n3.
called n[1-4] "$bed/a" --deadline 90s --local "$bed/local" && fail "a node without a result is no success"
has "$bed/a" complete n1 n2 n4
has "$bed/a" failed n3
says 'n3 +failed: .*No space left on device'
for node in n1 n2 n4; do
  for file in machine.json topology.xml samples.jsonl roofs.json; do
    [ -s "$bed/a/$node/$file" ] || fail "$node has no $file"
  done
done
"$gable" show "$bed/a/n1" >"$bed/out" 2>&1 || fail "no ordinary folder: $(cat "$bed/out")"
before=$(stat -c %i "$bed/a/n1/samples.jsonl")
called n[1-4] "$bed/a" --deadline 90s --local "$bed" || fail "n3 has room in $bed: $(cat "$bed/out")"
has "$bed/a" complete n3
[ "$(stat -c %i "$bed/a/n1/samples.jsonl")" = "$before" ] || fail "a complete node was measured again"
called n[1-4] "$bed/a" || fail "all are complete"
says 'Every node of the allocation is complete'
ls -A "$bed/a" | grep -q '^\.n' && fail "something is left in the folder: $(ls -A "$bed/a")"

# One node is killed, one hangs: the others have results, and both are named.
salloc --quiet --nodelist=n[1-4] "$gable" cluster measure "$bed/b" --deadline 40s --local "$bed" "${longer[@]}" >"$bed/out" 2>&1 &
if within 100 begun "$bed/b" n2 && within 100 begun "$bed/b" n4; then
  kill -STOP "$(agent_of "$bed/b" n4)"
  kill -KILL "$(agent_of "$bed/b" n2)"
else
  fail "the nodes do not begin: $(cat "$bed/out")"
fi
wait $! && fail "lost nodes are no success"
has "$bed/b" complete n1 n3
has "$bed/b" lost n2
has "$bed/b" hung n4
says 'n2 +lost: .*Killed'
says 'n4 +hung: no result'
pkill -KILL -f "^$gable cluster measure $bed/b "
called n[1-4] "$bed/b" --deadline 60s --local "$bed" || fail "the rerun: $(cat "$bed/out")"
has "$bed/b" complete n1 n2 n3 n4

# Two jobs at once into one folder; a node at which another measurement is at work is refused.
lock=$bed/gable-cluster-$(id -u)-n2.lock
exec 9>"$lock"
flock 9
echo "srun 99.0, which measures into elsewhere" >&9
salloc --quiet --nodelist=n[3-4] "$gable" cluster measure "$bed/c" --local "$bed" "${little[@]}" --budget 2s >"$bed/second" 2>&1 &
second=$!
called n[1-2] "$bed/c" --local "$bed" && fail "n2 is at work for another one"
says 'n2 +refused: another measurement is at work there: srun 99.0, which measures into elsewhere'
wait $second || fail "the second of two jobs: $(cat "$bed/second")"
has "$bed/c" complete n1 n3 n4
has "$bed/c" refused n2
exec 9>&-
called n[1-4] "$bed/c" --local "$bed" || fail "n2 is free again: $(cat "$bed/out")"
has "$bed/c" complete n1 n2 n3 n4

# A submitted job that is cancelled, and its rerun.
"$gable" cluster measure "$bed/d" --submit --nodes 2 --sbatch nodelist=n[1-2] "${endless[@]}" --local "$bed" \
  >"$bed/out" 2>&1 || fail "--submit: $(cat "$bed/out")"
grep -q '^#SBATCH --nodes=2$' "$bed/d/gable-cluster.sbatch" || fail "the script: $(cat "$bed/d/gable-cluster.sbatch")"
job=$(grep -o 'job [0-9]*' "$bed/out" | cut -d' ' -f2)
within 100 begun "$bed/d" n2 || fail "the job does not begin: $(cat "$bed/out" "$bed"/d/*.out)"
sleep 3
scancel "$job"
ended() { [ -z "$(squeue -h -j "$job" -o %i 2>/dev/null)" ]; }
within 100 ended || fail "the job does not end"
[ "$(status "$bed/d" n1)" != complete ] || fail "a cancelled node is not complete"
called n[1-2] "$bed/d" --local "$bed" || fail "after scancel: $(cat "$bed/out")"
has "$bed/d" complete n1 n2

# Without a shared folder: through srun's output. And a sample of the group of four.
called n[1,2] "$bed/e" --gather srun --local "$bed" || fail "--gather: $(cat "$bed/out")"
has "$bed/e" complete n1 n2
"$gable" show "$bed/e/n2" >"$bed/out" 2>&1 || fail "gathered: $(cat "$bed/out")"
called n[1-4] "$bed/f" --sample 2 --local "$bed" || fail "--sample: $(cat "$bed/out")"
[ "$(grep -l '"complete"' "$bed"/f/*/node.json | wc -l)" = 2 ] || fail "--sample 2: $(cat "$bed/out")"
[ $failures -eq 0 ] && echo "all as expected"
exit $((failures > 0))
