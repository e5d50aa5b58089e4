#!/usr/bin/env bash
# Compares gable-mpi with the Intel MPI Benchmarks: latency and bandwidth of ping-pong, and of both ways at once, among two
# processes of this machine. Both run in turn, in rounds; the medians over the rounds are compared.
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
import json, math, random, re, statistics, sys
work, rounds = sys.argv[1], int(sys.argv[2])
times = {}  # (what, bytes): Gable's time and the peer's, by round
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
        times.setdefault(key, []).append((record["microseconds"][0], peer[key]))


def interval(rows):
    """Ratio of the medians over rounds, mean (geometric) of all sizes, with its 95 % interval by resampling rounds."""
    def ratio(chosen):
        middle = [[statistics.median(row[i][side] for i in chosen) for side in (0, 1)] for row in rows]
        return math.exp(statistics.fmean(math.log(own / peer) for own, peer in middle))

    count = min(map(len, rows))
    draw = random.Random(1)
    drawn = sorted(ratio([draw.randrange(count) for _ in range(count)]) for _ in range(1000))
    return f"{ratio(range(count)):7.3f} ({drawn[24]:.3f} to {drawn[974]:.3f})"


print(f"{'':14}{'bytes':>9}{'Gable us':>10}{'peer us':>10}   ratio of times (95 %)")
for (what, size), pairs in sorted(times.items()):
    own, peer = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    print(f"{what:14}{size:9}{own:10.3f}{peer:10.3f}   {interval([pairs])}")
for what, least, most in (("ping-pong", 0, 1024), ("ping-pong", 65536, 1 << 22), ("bidirectional", 65536, 1 << 22)):
    rows = [each for (name, size), each in times.items() if name == what and least <= size <= most]
    print(f"{what}, {least} to {most} B, all sizes:   {interval(rows)}")
PYTHON
