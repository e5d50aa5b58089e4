#!/usr/bin/env bash
# gable cluster measure on a Slurm of four nodes: results, a full disk, a killed and a hanging node, two jobs in one
# folder, a cancelled job, a submitted script, and results through srun's output.
set -u
build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
bed=$(mktemp -d)
trap 'rm -rf "$bed"' EXIT
echo n3 >"$bed/small_disk"
bash "$here/slurm_bed.sh" "$bed" bash "$here/measure_in_bed.sh" "$build" "$bed"
