# Four nodes: every local, remote, local_all, contended and congested Sample has its pages and threads in place; fit, plot and export
# work on the host with the recorded folder; hwloc in the guest accepts the measured attributes for every cluster and node.
inside <<'TEXT'
one_round /out/m --only op=load,level=memory --only latency,level=memory --only op=load,pattern=cache --only fma,dp > /out/measure.out
gable fit /out/m > /out/fit.out
gable export /out/m --hwloc -o /out/measured.xml
export HWLOC_XMLFILE=/out/measured.xml HWLOC_THISSYSTEM=1
lstopo-no-graphics -p --memattrs > /out/attributes
for node in 0 1 2 3; do
  hwloc-bind --best-memattr bandwidth --cpubind numa:$node --membind numa:$node -- \
    sh -c 'taskset -p $$; tail -n 1 /proc/self/numa_maps' >> /out/bound
done
TEXT
take "$here/one_round:/bin/one_round"
for tool in lstopo-no-graphics hwloc-bind; do
  path=$(command -v $tool) && take "$path:/bin/$tool" || skip "$tool is missing (package hwloc)"
done

verify_measure() {
  grep -q 'emulated machine: locations are valid, speeds are not' "$work/measure.out" || fail "measure does not say that the machine is emulated"
  python3 "$here/measured.py" "$work/m" || fail 'the Samples are not what four nodes call for'

  # The recorded folder is fitted, exported and drawn on the host, with the same result.
  cp "$work/m/roofs.json" "$work/roofs.json"
  "${gable[@]}" fit "$work/m" >"$work/fit.here" || fail 'fit'
  cmp "$work/roofs.json" "$work/m/roofs.json" || fail 'the roofs are others here than in the guest'
  "${gable[@]}" export "$work/m" --hwloc -o "$work/here.xml" 2>"$work/err" || fail 'export --hwloc'
  grep -q 'emulated machine' "$work/err" || fail 'export --hwloc passes emulated figures on without a word'
  "${gable[@]}" export "$work/m" --csv >"$work/roofs.csv" || fail 'export --csv'
  python3 "$here/attributes.py" "$work/m" "$work/attributes" "$work/roofs.csv" || fail 'the attributes are not the measured figures'
  # "pid 99's current affinity mask: c", "7ffd1000 prefer (many):1 stack ..."
  same 'where hwloc-bind binds to the best memory' "$(for node in 0 1 2 3; do printf 'c%x\nn%d\n' $((3 << 2 * node)) $node; done)" \
    "$(sed -E "s/.*mask: /c/; s/^[0-9a-f]+ (bind|prefer|prefer \(many\))[:=]([0-9]+).*/n\\2/" "$work/bound")"
  if command -v gnuplot >/dev/null; then
    "${gable[@]}" plot "$work/m" >"$work/plot.out" 2>"$work/err" || fail "plot: $(cat "$work/err")"
    for chart in larm-{0..3} latency-{0..3} matrix-bandwidth matrix-latency; do
      grep -q 'emulated machine' "$work/m/charts/$chart.svg" || fail "$chart does not say that the machine is emulated"
    done
    [ -z "${GABLE_KEEP:-}" ] || cp -r "$work/m" "$GABLE_KEEP"
  fi
}
