#!/bin/bash
# Builds the programs of predict_others.txt for predict_accuracy.py, with their input:
#
#     predict_others.sh NPB LULESH STREAM GAP OUT
#
# The first four are folders outside of this tree, with the sources of github.com/GMAP/NPB-CPP, LLNL/LULESH,
# jeffhammond/STREAM and sbeamer/gapbs. They are not changed. OUT also has links to x264 and fasttreeMP of the system
# (Debian: x264, fasttree). AVX-512 is not used, because Valgrind does not know it.
set -euo pipefail
[ $# = 5 ] || { sed -n '2,8s/^# \?//p' "$0" >&2; exit 2; }
here=$(dirname "$(readlink -f "$0")")
npb=$(readlink -f "$1") lulesh=$(readlink -f "$2") stream=$(readlink -f "$3") gap=$(readlink -f "$4")
mkdir -p "$5"
out=$(readlink -f "$5")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-O3 -g -march=x86-64-v3 -fopenmp"

cp -r "$npb/NPB-OMP" "$work/npb"
mkdir -p "$work/npb/bin"
for name in is ep cg mg ft bt sp lu; do
  make -C "$work/npb" "$name" CLASS=W CFLAGS="$flags -mcmodel=medium" CLINKFLAGS="$flags -mcmodel=medium" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
  cp "$work/npb/bin/$name.W" "$out/"
done
g++ $flags -DUSE_MPI=0 -I"$lulesh" "$lulesh"/lulesh*.cc -o "$out/lulesh"
for size in 2000000 10000000; do
  gcc $flags -DSTREAM_ARRAY_SIZE=$size -DNTIMES=10 "$stream/stream.c" -o "$out/stream.$size"
done
for name in bfs pr converter; do g++ -std=c++11 $flags -I"$gap/src" "$gap/src/$name.cc" -o "$out/$name"; done
OMP_NUM_THREADS=1 "$out/converter" -g 16 -b "$out/kronecker16.sg" >"$work/log"
for name in x264 fasttreeMP; do ln -sf "$(command -v $name)" "$out/$name"; done
python3 "$here/predict_inputs.py" "$out"
