#!/usr/bin/env bash
# gable-mpi between two nodes under Open MPI and MPICH: records with places, checked results, clocks; gable cluster
# measure under mpirun, with and without a shared folder; gable cluster show.
set -u
build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
bed=$(mktemp -d)
trap 'rm -rf "$bed"' EXIT
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
bash "$here/mpi_bed.sh" "$bed" bash "$here/mpi_in_bed.sh" "$build" "$bed" "$here"
