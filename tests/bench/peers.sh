#!/usr/bin/env bash
# Compares Gable with likwid-bench and STREAM on one machine: load, store, store_nt, copy and triad in every cache and
# in memory, with one thread and with all, each with small and with huge pages. Prints a table of ratios and their geometric mean.
#
#   tests/bench/peers.sh [-r ROUNDS] [-s STREAM_C] [-k CELL] [BUILD_DIR]
#
# STREAM_C is the path of STREAM's stream.c, which is compiled with gcc and clang, -O3 -march=native; without it only likwid-bench
# is run. CELL, such as L2/copy/1 or 'L1/triad/*', selects cells. Each round runs Gable and then every peer. The
# ratio to a peer is the median of the ratios within the rounds, since the speed of a shared machine changes from round to
# round, and the best of many tries would favour whoever has most of them. The best peer is the one with the smallest
# ratio; GB/s are medians over the rounds.
set -euo pipefail

rounds=3 stream_c= only="*"
while getopts r:s:k: opts; do
  case $opts in
    r) rounds=$OPTARG ;;
    s) stream_c=$(readlink -f "$OPTARG") ;;
    k) only=$OPTARG ;;
    *) sed -n '2,12p' "$0" >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
gable=$(readlink -f "${1:-build}/gable")
command -v likwid-bench >/dev/null || { echo "peers.sh: likwid-bench is missing (package likwid)" >&2; exit 77; }
if ! told=$(likwid-bench -t load -i 10 -W N:1000kB:1 2>&1) || [[ $told != *MByte/s:* ]]; then
  printf 'peers.sh: likwid-bench does not run here:\n%s\n' "$told" >&2
  exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cores=$("$gable" machine --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["clusters"][0]["cores"])')
isas=$("$gable" machine --json | python3 -c 'import json,sys; print(*json.load(sys.stdin)["isas"][-2:])')
levels=$("$gable" machine --json | python3 -c 'import json,sys; print(*["L%d" % c["level"] for c in json.load(sys.stdin)["caches"]], "memory")')

# The widest kernels of likwid-bench that this CPU runs, for each of our operations.
case ${isas##* } in
  avx512) widths="avx512 avx" ;;
  avx2) widths="avx" ;;
  *) widths="sse" ;;
esac
likwid_kernels() {
  local width
  for width in $widths; do
    case $1 in
      load) echo "load_$width" ;;
      store) echo "store_$width" ;;
      store_nt) echo "store_mem_$width" ;;
      copy) echo "copy_$width copy_mem_$width" ;;
      triad) echo "stream_$width stream_mem_$width stream_${width}_fma" ;;
    esac
  done
}

our_kernels() {
  case $1 in
    copy | triad) echo "$1 ${1}_nt" ;;
    *) echo "$1" ;;
  esac
}

# GB/s of one likwid-bench run of about 0.4 s: kernel, bytes in all, threads, page size, GB/s to expect.
likwid() {
  local tunables= passes
  [ "$4" = 2m ] && tunables=glibc.malloc.hugetlb=1
  passes=$(awk -v g="$5" -v b="$2" 'BEGIN { n = int(0.4e9 * g / b); print n < 10 ? 10 : n }')
  GLIBC_TUNABLES=$tunables likwid-bench -t "$1" -i "$passes" -W "N:$(($2 / 1000))kB:$3" 2>/dev/null |
    awk '$1 == "MByte/s:" { printf "%.3f\n", $2 / 1000 }' || true  # not every operation exists in every width
}

# GB/s of one STREAM function: compiler, function, threads, bytes in all, page size.
stream() {
  local binary=$work/stream-$1-$4 tunables=
  [ "$5" = 2m ] && tunables=glibc.malloc.hugetlb=1
  [ -x "$binary" ] || "$1" -O3 -march=native -fopenmp -DSTREAM_ARRAY_SIZE=$(($4 / 24)) -DNTIMES=20 \
    "$stream_c" -o "$binary" 2>/dev/null || return 0
  OMP_NUM_THREADS=$3 OMP_PROC_BIND=close OMP_PLACES=cores GLIBC_TUNABLES=$tunables "$binary" |
    awk -v f="$2" 'tolower($1) == f ":" { printf "%.3f\n", $2 / 1000 }' || true
}

median() { sort -g | awk '{ v[NR] = $1 } END { if (NR) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# The best of one operation in every ISA and page size: GB/s, bytes in all.
ours_of_size() {
  local op=$1 threads=$2 bytes=$3 isa pages
  for isa in $isas; do
    for pages in 4k 2m; do
      "$gable" bench "$op" "$bytes" --threads "$threads" --isa "$isa" --pages "$pages" --seconds 0.5 --json ||
        true  # the next may give a figure
    done
  done 2>/dev/null | python3 -c '
import json, sys
text, at, best = sys.stdin.read().strip(), 0, 0
while at < len(text):
    figure, at = json.JSONDecoder().raw_decode(text, at)
    best, at = max(best, figure["roof"]["value"] if figure["roof"]["status"] == "ok" else 0), at + 1
if best: print("%.3f %d" % (best, int(sys.argv[1])))' "$bytes"
}

# Our figure of a cell: GB/s, bytes in all. A measurement has no NT stores of so few bytes as caches hold. Beside a slow
# L3 they can be the fastest, and STREAM and likwid-bench have them.
ours() {
  local level=$1 op=$2 threads=$3 figure
  figure=$(measured "$@")
  if [[ -n $figure && $level == L3 && ($op == copy || $op == triad) ]]; then
    figure=$(printf '%s\n' "$figure" "$(ours_of_size "${op}_nt" "$threads" "${figure#* }")" | sort -g | tail -1)
  fi
  [ -z "$figure" ] || echo "$figure"
}

measured() {
  local level=$1 op=$2 threads=$3 folder filters=() kernel bytes budget
  if [[ $level != memory && $op == store_nt ]]; then
    read -r _ bytes < <(ours "$level" load "$threads") && ours_of_size "$op" "$threads" "$bytes"
    return
  fi
  folder=$(mktemp -d "$work/ours.XXXX")
  for kernel in $(our_kernels "$op"); do
    [[ $level != L* || $kernel != *_nt ]] || continue
    filters+=(--only "kind=bandwidth,op=$kernel,level=$level")
  done
  budget=4s
  [[ $level != memory ]] || budget=12s  # one thread touches gigabytes first
  "$gable" measure "$folder" --preset full --budget "$budget" --threads "$threads" --quiet "${filters[@]}" >/dev/null
  "$gable" fit "$folder" --json | python3 -c '
import json, sys
roofs = [r for r in json.load(sys.stdin)["roofs"] if r["status"] == "ok" and r["pattern"] in ("cache", "local")]
best = max(roofs, key=lambda r: r["value"], default=None)
if best: print("%.3f %d" % (best["value"], best["bytes"] * best["threads"]))' || true
}

compare() {
  local level=$1 op=$2 threads=$3 name="$1/$2/$3" round figure expected bytes kernel pages compiler
  : >"$work/mine"
  : >"$work/theirs"
  for ((round = 0; round < rounds; ++round)); do
    read -r figure bytes < <(ours "$level" "$op" "$threads") || continue
    echo "$round $figure" >>"$work/mine"
    expected=$figure
    for pages in 4k 2m; do
      for kernel in $(likwid_kernels "$op"); do
        [[ $level != L[12] || $op == store_nt || $kernel != *_mem_* ]] || continue  # NT stores lose there
        figure=$(likwid "$kernel" "$bytes" "$threads" "$pages" "$expected")
        [ -n "$figure" ] && echo "$round $figure $kernel $pages" >>"$work/theirs"
      done
      if [ -n "$stream_c" ] && [[ $op == copy || $op == triad ]] && [[ $level == memory || $level == L3 ]]; then
        for compiler in gcc clang; do
          figure=$(stream "$compiler" "$op" "$threads" "$bytes" "$pages")
          [ -n "$figure" ] && echo "$round $figure STREAM-$compiler $pages" >>"$work/theirs"
        done
      fi
    done
  done
  python3 - "$work/mine" "$work/theirs" "$name" <<'PYTHON' | tee -a "$work/table"
import collections, statistics, sys
mine = {int(line.split()[0]): float(line.split()[1]) for line in open(sys.argv[1])}
theirs = collections.defaultdict(dict)
for line in open(sys.argv[2]):
    number, figure, kernel, pages = line.split()
    theirs[kernel, pages][int(number)] = float(figure)
if not mine or not theirs:
    sys.exit(print(f"{sys.argv[3]:20} no figure", file=sys.stderr))
ratio = {peer: statistics.median(mine[i] / of[i] for i in of) for peer, of in theirs.items()}
best = min(ratio, key=ratio.get)
print("%-20s %9.1f %9.1f  %-22s %-3s %6.3f" % (sys.argv[3], statistics.median(mine.values()),
                                               statistics.median(theirs[best].values()), *best, ratio[best]))
PYTHON
}

printf '%-20s %9s %9s  %-22s %-3s %6s\n' "cell" "Gable" "best peer" "which" "" "ratio"
for level in $levels; do
  for op in load store store_nt copy triad; do
    for threads in 1 "$cores"; do
      [[ "$level/$op/$threads" == $only ]] || continue
      compare "$level" "$op" "$threads"
    done
  done
done
# Idle latency compared with a plain chase over the same bytes: our ns / its ns, the median of five rounds each.
latency() {
  local level=$1 pages=$2 folder ours bytes reason= round
  folder=$(mktemp -d "$work/chase.XXXX")
  : >"$work/mine"
  : >"$work/theirs"
  for ((round = 0; round < 5; ++round)); do
    rm -rf "$folder"
    "$gable" measure "$folder" --preset quick --pages "$pages" --quiet --only "kind=latency,level=$level" >/dev/null
    read -r ours bytes reason < <("$gable" fit "$folder" --json | python3 -c '
import json, sys
roofs = json.load(sys.stdin)["roofs"]
ok = [r for r in roofs if r["status"] == "ok"]
if ok: print(ok[0]["value"], ok[0]["bytes"])
else: print("- -", *sorted({"%s: %s" % (r["status"], r["reason"]) for r in roofs}) or ["not planned"])') || continue
    [ "$ours" != - ] || continue
    echo "$ours" >>"$work/mine"
    "$work/plain_chase" "$bytes" "$cpu" "$pages" | cut -d' ' -f1 >>"$work/theirs"
  done
  [ -s "$work/mine" ] || { printf '%-20s no figure: %s\n' "$level/latency/$pages" "$reason"; return; }
  awk -v n="$level/latency/$pages" -v m="$(median <"$work/mine")" -v t="$(median <"$work/theirs")" 'BEGIN {
    printf "%-20s %9.2f %9.2f  %-22s %-3s %6.3f\n", n, m, t, "plain chase", "", m / t }'
}

awk '{ sum += log($NF); ++n; if (n == 1 || $NF < least) { least = $NF; which = $1 } }
     END { if (n) printf "\n%d cells: geometric mean %.3f, least %.3f (%s)\n", n, exp(sum / n), least, which }' "$work/table"

[ "$only" = "*" ] || exit 0
cpu=$("$gable" machine --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["clusters"][0]["pus"][0])')
gcc -O2 "$(dirname "$0")/plain_chase.c" -o "$work/plain_chase"
printf '\n%-20s %9s %9s  %-22s %-3s %6s\n' "latency (ns)" "Gable" "chase" "" "" "ratio"
for level in $levels; do
  for pages in 4k 2m; do latency "$level" "$pages"; done
done
