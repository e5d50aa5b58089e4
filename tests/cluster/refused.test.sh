#!/usr/bin/env bash
# A node that keeps its earlier result and is refused this time: its record stays, and the reason is told, by a launcher
# that Gable starts (a stand-in for Slurm) and by one that starts Gable.
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../cli/expect.sh"
command -v flock >/dev/null || { echo "skipped: flock is not installed (package util-linux)"; exit 77; }
mkdir "$work/bin"
# Slurm of one node, n1: the launcher runs the command behind its own options.
printf '#!/bin/sh\necho n1\n' >"$work/bin/scontrol"
printf '#!/bin/sh\n' >"$work/bin/sinfo"
cat >"$work/bin/srun" <<'TEXT'
#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift; done
SLURM_STEP_ID=0 SLURM_PROCID=0 SLURMD_NODENAME=n1 exec "$@"
TEXT
chmod +x "$work"/bin/*
in_allocation() { SLURM_JOB_ID=7 SLURM_JOB_NODELIST=n1 PATH=$work/bin:$PATH expect "$@"; }
in_launch() { PALS_RANKID=0 PALS_SIZE=1 SLURMD_NODENAME=n1 expect "$@"; }
first=(--preset quick --only load,L1 --pages 4k --budget 2s --local "$work")
second=(--preset quick --only store,L1 --pages 4k --budget 2s --local "$work")
record=$work/dir/n1/node.json

in_allocation 0 '' cluster measure "$work/dir" "${first[@]}"
says '^1 node: 1 complete'
cp "$record" "$work/before"

exec 9>"$work/gable-cluster-$(id -u)-n1.lock"
flock 9
echo "srun 99.0, which measures into elsewhere" >&9
refused='another measurement is at work there: srun 99.0, which measures into elsewhere'
in_allocation 1 '' cluster measure "$work/dir" "${second[@]}"
says '^1 node: 1 refused' "n1 +refused: $refused"
cmp "$record" "$work/before" || fail "another record: $(cat "$record")"
[ ! -e "$work/dir/.ended" ] || fail "left: $(find "$work/dir/.ended")"
in_launch 1 "n1: $refused" cluster measure "$work/dir" "${second[@]}"
says '^1 node: 1 refused' "n1 +refused: $refused"
cmp "$record" "$work/before" || fail "another record: $(cat "$record")"
[ ! -e "$work/dir/.ended" ] || fail "left: $(find "$work/dir/.ended")"

# Without anybody who waits for it, the reason stays beside the result until the node measures again.
in_launch 0 "n1: $refused" cluster measure "$work/dir" "${second[@]}" --quiet
grep -q '"status": "refused"' "$work/dir/.ended/n1/node.json" || fail "no reason: $(ls -A "$work/dir")"
expect 0 '' cluster show "$work/dir"
says '1 node: 1 complete'
exec 9>&-
in_allocation 0 '' cluster measure "$work/dir" "${second[@]}"
says '^1 node: 1 complete'
cmp -s "$record" "$work/before" && fail "the former record"
[ ! -e "$work/dir/.ended/n1" ] || fail "left: $(find "$work/dir/.ended")"

# A node that can write nothing into DIR tells the launcher.
rm -r "$work/dir"
mkdir "$work/dir"
ln -s /dev/null/absent "$work/dir/n1"
in_allocation 1 '' cluster measure "$work/dir" "${first[@]}"
says 'n1 +failed: .*; what was measured is in .*, and a rerun delivers it'
finish
