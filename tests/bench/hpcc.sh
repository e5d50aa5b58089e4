#!/usr/bin/env bash
# Compares GUPS, STREAM triad and DGEMM of `gable measure --only virt,program` with Debian's hpcc (HPC Challenge) on one
# core of this machine. Both run in turn, and the best run of each counts.
#
#   tests/bench/hpcc.sh [-r ROUNDS] [BUILD_DIR]
#
# It needs the packages hpcc and libopenblas0-serial, which hpcc's DGEMM then uses. hpcc sizes its arrays by HPL's matrix:
# with N = 8200 the table of GUPS has 256 MiB, as at the preset standard.
set -eu
rounds=3
while getopts r: option; do
  case $option in r) rounds=$OPTARG ;; *) exit 2 ;; esac
done
shift $((OPTIND - 1))
gable=$(realpath "${1:-build}")/gable
for program in hpcc mpirun python3; do
  command -v $program >/dev/null || { echo "$program is missing: apt-get install hpcc python3" >&2; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cpu=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
cat >"$work/hpccinf.txt" <<'TEXT'
HPLinpack benchmark input file
Gable
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
8200         Ns
1            # of NBs
192          NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
1            Ps
1            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
TEXT
for round in $(seq "$rounds"); do
  "$gable" measure "$work/gable$round" --only virt,program --quiet >/dev/null
  rm -f "$work/hpccoutf.txt"
  (cd "$work" && OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 taskset -c "$cpu" mpirun --allow-run-as-root --bind-to none -n 1 hpcc)
  cp "$work/hpccoutf.txt" "$work/hpcc$round.txt"
done
python3 - "$work" "$rounds" <<'PYTHON'
import json, re, sys
work, rounds = sys.argv[1], int(sys.argv[2])
ours, theirs = {}, {}
names = {"gups": ("SingleRandomAccess_LCG_GUPs|SingleRandomAccess_GUPs", "GUPS"), "triad": ("SingleSTREAM_Triad", "GB/s"),
         "dgemm": ("SingleDGEMM_Gflops", "GFlop/s")}
for round in range(1, rounds + 1):
    for line in open(f"{work}/gable{round}/virt.jsonl"):
        sample = json.loads(line)
        what = sample["asked"]["what"]
        if what in names and sample["status"] == "ok":
            best = max(w / s for w, s in zip(sample["work"], sample["seconds"])) / 1e9
            ours[what] = max(ours.get(what, 0), best)
    text = open(f"{work}/hpcc{round}.txt").read()
    for what, (field, _) in names.items():
        for value in re.findall(rf"^(?:{field})=([0-9.e+-]+)", text, re.M):
            theirs[what] = max(theirs.get(what, 0), float(value))
print(f"{'':8}{'Gable':>12}{'hpcc':>12}{'ratio':>8}")
for what, (_, unit) in names.items():
    print(f"{what:8}{ours[what]:12.4g}{theirs[what]:12.4g}{ours[what] / theirs[what]:8.3f}  {unit}")
PYTHON
