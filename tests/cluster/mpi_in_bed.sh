# mpi_in_bed.sh BUILD BED TESTS: what mpi.test.sh checks, inside the bed.
set -u
gable=$1/gable
bed=$2
tests=$3
failures=0
tried=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=/tmp
cd "$bed" || exit 1

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# launched LAUNCHER COMMAND...: two processes on each of two nodes.
launched() {
  local launcher=$1
  shift
  case $launcher in
    openmpi)
      timeout 200 mpirun.openmpi --mca plm rsh --mca plm_rsh_agent "$bed/agent" --mca btl tcp,self,vader \
        --mca btl_tcp_if_include 10.98.0.0/24 --mca oob_tcp_if_include 10.98.0.0/24 \
        --host "10.98.0.1:$slots,10.98.0.2:$slots" "$@"
      ;;
    mpich)
      timeout 200 mpirun.mpich -launcher ssh -launcher-exec "$bed/agent" -localhost 10.98.0.254 \
        -hosts "10.98.0.1:$slots,10.98.0.2:$slots" "$@"
      ;;
  esac
}

# program LAUNCHER: ./gable-mpi is linked with its library: the one that was built, or with GABLE_SLOW=1 one built here.
program() {
  local built=openmpi
  command -v mpirun.$1 >/dev/null || return 1
  [ -x "$gable-mpi" ] && ldd "$gable-mpi" | grep -q libmpich && built=mpich
  if [ $built = $1 ] && [ -x "$gable-mpi" ]; then
    cp "$gable-mpi" gable-mpi
    return
  fi
  [ -n "${GABLE_SLOW:-}" ] && command -v mpicxx.$1 >/dev/null || return 1
  mpicxx.$1 -std=c++20 -O1 -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -I"$tests/../.." "$tests"/../../mpi/*.cpp \
    "$tests"/../../model/statistics/*.cpp "$tests/../../bench/apps/cg.cpp" -o gable-mpi 2>err || fail "$1: $(cat err)"
}

for launcher in openmpi mpich; do
  program $launcher || continue
  tried=$((tried + 1))
  slots=1
  launched $launcher ./gable-mpi cluster --rounds 2 --seconds 0.001 --most-bytes 1 --side 4 >out 2>&1 || fail "$launcher: $(cat out)"

  # Every process of the launch: one on a node works, the other one sleeps.
  slots=2
  launched $launcher "$gable" cluster measure "$bed/$launcher" --preset quick --only load,L1 --pages 4k --budget 2s --local "$bed" >out 2>&1 ||
    fail "$launcher, measure: $(cat out)"
  grep -q '^2 nodes: 2 complete' out || fail "$launcher, measure: $(cat out)"
  for node in m1 m2; do
    "$gable" show "$launcher/$node" >out 2>&1 || fail "$launcher, $node: $(cat out)"
    # Open MPI binds each process to a core; the node is measured as a whole all the same.
    "$gable" machine "$launcher/$node" | grep -qE "(^|, )$(nproc) hardware thread" || fail "$launcher, $node: $("$gable" machine "$launcher/$node" | head -1)"
  done
  # Again: both nodes are complete, and say so.
  SECONDS=0
  launched $launcher "$gable" cluster measure "$bed/$launcher" --preset quick --only load,L1 --pages 4k --budget 2s --local "$bed" >out 2>&1 ||
    fail "$launcher, again: $(cat out)"
  grep -q '^2 nodes: 2 complete' out && [ $SECONDS -lt 40 ] || fail "$launcher, again, after $SECONDS s: $(cat out)"
done
[ $tried -gt 0 ] || { echo "skipped: gable-mpi was not built (packages openmpi-bin and libopenmpi-dev, or mpich and libmpich-dev)"; exit 77; }

python3 - cluster/mpi.jsonl $tried <<'PYTHON' || fail "$(cat cluster/mpi.jsonl)"
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
tried = int(sys.argv[2])
clocks = [each for each in records if each["what"] == "clocks"]
assert len(clocks) == tried
for each in clocks:  # both nodes have this machine's clock
    assert {clock["node"] for clock in each["clocks"]} == {"m1", "m2"}
    assert all(abs(clock["offset_us"]) <= clock["error_us"] + 1e-3 for clock in each["clocks"]), each
figures = [each for each in records if each["what"] != "clocks"]
for what in ("ping-pong", "bidirectional", "barrier", "allreduce", "broadcast", "all-to-all", "HPCCG weak", "HPCCG strong"):
    assert sum(each["what"] == what for each in figures) >= tried, what
for each in figures:
    assert {place.split(":")[0] for place in each["places"]} == ({"m1", "m2"} if each["ranks"] > 1 else {"m1"}), each
    assert each["nodes"] == min(each["ranks"], 2) and "wrong" not in str(each["reason"]), each
    assert (each["status"] == "ok") == (each["microseconds"] is not None) and (each["status"] == "ok" or each["reason"]), each
    if each["microseconds"]:
        value, lo, hi = each["microseconds"]
        assert 0 < lo <= value <= hi, each
PYTHON
"$gable" cluster show cluster >out 2>&1 || fail "show: $(cat out)"
grep -q 'ping-pong .*between nodes' out && grep -q 'Clocks relative' out || fail "show: $(cat out)"

# Through a launcher's output, as if nothing were shared.
if command -v mpirun.openmpi >/dev/null; then
  "$gable" cluster measure gathered --preset quick --only load,L1 --pages 4k --budget 2s --local "$bed" --quiet --gather \
    "mpirun.openmpi --mca plm rsh --mca plm_rsh_agent $bed/agent --mca oob_tcp_if_include 10.98.0.0/24 --host 10.98.0.1,10.98.0.2" \
    >out 2>&1 || fail "--gather: $(cat out)"
  grep -q '^2 nodes: 2 complete' out || fail "--gather: $(cat out)"
  "$gable" show gathered/m2 >out 2>&1 || fail "gathered: $(cat out)"
fi
[ $failures -eq 0 ] && echo "all as expected"
exit $((failures > 0))
