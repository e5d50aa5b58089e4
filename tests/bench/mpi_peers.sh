#!/usr/bin/env bash
# Compares gable-mpi with the Intel MPI Benchmarks: latency and bandwidth of ping-pong, and of both ways at once, among two
# processes of this machine. Both run in turn, in rounds; each round has a ratio.
#
#   tests/bench/mpi_peers.sh [-r ROUNDS] [-m LAUNCHER] GABLE_MPI IMB_FOLDER
#
# IMB_FOLDER has IMB-MPI1 (github.com/intel/mpi-benchmarks), built with the MPI library of gable-mpi and its launcher:
#   make IMB-MPI1 CC=mpicc CXX=mpicxx        # Debian's libraries: without -Werror, and with -O2 instead of -O0
# LAUNCHER: 'mpirun.openmpi --bind-to core' (default) or 'mpirun.mpich -bind-to core'.
set -eu
rounds=10
launcher='mpirun.openmpi --bind-to core'
while getopts r:m: option; do
  case $option in r) rounds=$OPTARG ;; m) launcher=$OPTARG ;; *) exit 2 ;; esac
done
shift $((OPTIND - 1))
[ $# = 2 ] || { sed -n '2,10s/^# \?//p' "$0" >&2; exit 2; }
ours=$(realpath "$1") peer=$(realpath "$2")/IMB-MPI1
for program in "$ours" "$peer" "${launcher%% *}" python3; do
  command -v "$program" >/dev/null || { echo "$program is missing" >&2; exit 77; }
done
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for round in $(seq "$rounds"); do
  for what in ping-pong bidirectional; do
    $launcher -n 2 "$ours" "$work/$round" --rounds 1 --seconds 0.04 --only $what >/dev/null 2>"$work/err" || { cat "$work/err"; exit 1; }
  done
  $launcher -n 2 "$peer" PingPong Sendrecv -msglog 0:22 -time 1 -iter 2000 -iter_policy dynamic >"$work/$round.imb" || exit 1
done
python3 - "$work" "$rounds" <<'PYTHON'
import json, math, re, statistics, sys
work, rounds = sys.argv[1], int(sys.argv[2])
ratios = {}  # (what, bytes): gable's time over the peer's, by round
times = {}
for round in range(1, rounds + 1):
    peer, what = {}, None
    for line in open(f"{work}/{round}.imb"):
        if match := re.match(r"# Benchmarking (\w+)", line):
            what = {"PingPong": "ping-pong", "Sendrecv": "bidirectional"}[match[1]]
        fields = line.split()
        if what and len(fields) >= 4 and fields[0].isdigit() and "time-out" not in line:
            peer[what, int(fields[0])] = float(fields[2 if what == "ping-pong" else 3])
    for line in open(f"{work}/{round}/mpi.jsonl"):
        record = json.loads(line)
        key = record["what"], record.get("bytes")
        if key not in peer or not record.get("microseconds"):
            continue
        value = record["microseconds"][0]
        ratios.setdefault(key, []).append(value / peer[key])
        times.setdefault(key, []).append((value, peer[key]))


def mean(logs):
    """Geometric mean with its 95 % interval."""
    middle = statistics.fmean(logs)
    t = {2: 12.7, 3: 4.3, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}.get(len(logs), 2.1)
    reach = t * statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else math.inf
    return " ".join(f"{math.exp(each):7.3f}" for each in (middle, middle - reach, middle + reach))


print(f"{'':14}{'bytes':>9}{'Gable us':>10}{'peer us':>10}   ratio of times (95 %)")
for (what, size), each in sorted(ratios.items()):
    own, other = (statistics.median(pair[i] for pair in times[what, size]) for i in (0, 1))
    print(f"{what:14}{size:9}{own:10.3f}{other:10.3f}   {mean([math.log(x) for x in each])}")
for what, least, most in (("ping-pong", 0, 1024), ("ping-pong", 65536, 1 << 22), ("bidirectional", 65536, 1 << 22)):
    rows = [each for (name, size), each in ratios.items() if name == what and least <= size <= most]
    by_round = [statistics.fmean(math.log(row[i]) for row in rows) for i in range(min(map(len, rows)))]
    print(f"{what}, {least} to {most} B, all sizes:   {mean(by_round)}")
PYTHON
