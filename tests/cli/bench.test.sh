#!/bin/bash
# gable bench: single figures, their checks and their messages; nothing is written.
source "$(dirname "$0")/expect.sh" "$1"
cd "$work" || exit 1
mkdir here && cd here || exit 1

# figure ARGUMENT...: a figure, or the reason why there is none.
figure() {
  "$gable" bench "$@" >../out 2>../err
  local got=$?
  [ $got != 2 ] || ! grep -q '^gable: sse2 has no fma' ../err || return 1  # an old CPU
  if [ $got = 1 ]; then
    grep -q '^gable: bench .*: no figure: .' ../err || fail "bench $*: exit 1 without a reason: $(cat ../err)"
    return 1
  fi
  [ $got = 0 ] || { fail "bench $*: exit $got: $(cat ../err)"; return 1; }
}

figure load 16K --threads 1 --seconds 0.1 --pages 4k && {
  grep -qE '^load_[a-z0-9]+: 1 thread of cluster 0 on CPU [0-9]+, 16 KiB in L1$' ../out || fail "load: $(cat ../out)"
  grep -qE '^  [0-9.]+ GB/s, 95 % interval [0-9.]+ to [0-9.]+ \([0-9]+ repetitions, [0-9]+ visits?\)' ../out ||
    fail "load: no figure: $(cat ../out)"
  grep -qE '^  pages: node [0-9]+ 16 KiB, 4 KiB each$' ../out || fail "load: no pages: $(cat ../out)"
  grep -q '^  disturbed: ' ../out || fail "load: disturbances are not told: $(cat ../out)"
}
figure load 16K --threads 1 --seconds 0.1 --isa sse2 && { grep -q '^load_sse2: ' ../out || fail "--isa: $(cat ../out)"; }
figure triad 16K --threads 1 --seconds 0.1 --isa sse2 && { grep -q '^triad_sse2: ' ../out || fail "--isa, of which variants lack: $(cat ../out)"; }
figure fma_dp --threads 1 --seconds 0.1 && { grep -q ' GFlop/s' ../out || fail "fma_dp: $(cat ../out)"; }
figure fma --threads 1 --seconds 0.1 && { grep -q '^fma_dp' ../out || fail "fma: $(cat ../out)"; }
figure latency --seconds 0.1 --pages 4k 16K && { grep -qE '^  [0-9.]+ ns' ../out || fail "latency: $(cat ../out)"; }
figure triad 16K --threads 1 --seconds 0.1 --pages 4k && { grep -q 'GFlop/s' ../out || fail "triad has flops: $(cat ../out)"; }
figure store_nt 16K --threads 1 --seconds 0.1 --pages 4k && {
  place='local memory'
  grep -q '^store_nt_\(neon\|sve\)' ../out && place=L1  # where non-temporal is a hint
  grep -qE "16 KiB in $place\$" ../out || fail "NT stores: not in $place: $(cat ../out)"
  grep -q 'partly in the caches' ../out && fail "NT stores are wholly in $place: $(cat ../out)"
}
figure load 16K --threads 1 --seconds 0.1 --json
python3 - ../out <<'END' || fail "--json: $(cat ../out)"
import json, sys
got = json.load(open(sys.argv[1]))
roof = got["roof"]
assert roof["op"] == "load" and roof["bytes"] == 16384 and roof["threads"] == 1 and roof["unit"] == "GB/s"
assert roof["status"] == "ok" and roof["lo"] <= roof["value"] <= roof["hi"] or roof["reason"]
assert got["visits"] > 0 or got["spoilt"]
END
[ -z "$(ls)" ] || fail "it writes: $(ls)"

# Wrong usage.
expect 2 'OP' bench
expect 2 "no operation 'lod'; did you mean 'load'" bench lod 64M
expect 2 '`gable bench --help` lists the operations' bench lod 64M
expect 2 'not an amount of bytes' bench load 64X
expect 2 'fma_dp works in registers and takes no SIZE' bench fma_dp 64M
expect 2 '--node 4711: nodes with memory are' bench load 64M --node 4711
expect 2 '--cluster 99: this machine has' bench load 64M --cluster 99
expect 2 '--threads 9999: cluster 0 has room for' bench load 64M --threads 9999
expect 2 'latency is measured with one thread|cluster 0 has room for 1,' bench latency 64M --threads 2
expect 2 '--isa: .mmx. is none of sse2' bench load 64M --isa mmx
expect 2 '--pages: .3k. is none of 4k' bench load 64M --pages 3k
expect 2 'give 4 KiB or more' bench load 1K --threads 1
expect 2 'is too small for this working set' bench load 100000G
expect 2 '--seconds' bench load 64M --seconds 0
HWLOC_SYNTHETIC='node:2 core:2 pu:1' expect 2 'HWLOC_' bench load 64M

finish
