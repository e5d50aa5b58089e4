# The cost of gable kmaf run for programs that gain nothing, on a machine with one CPU whose clock counts instructions: the
# same run unmanaged and managed, independent of other load on the host. It includes all work of the manager.
cc -O3 -fopenmp "$here/../../examples/sharing.c" -o "$work/sharing" || { echo 'FAILED: sharing.c: not compiled'; exit 1; }

inside <<'TEXT'
# threads kernel KiB passes
pair() {
  export OMP_NUM_THREADS=$1
  for policy in os kmaf; do
    gable kmaf run --policy $policy --json --report /out/report -- sharing $2 --kib $3 --passes $4 > /out/said
    echo "{\"kernel\": \"$2\", \"threads\": $1, \"kib\": $3, \"policy\": \"$policy\", \"checksum\": \"$(grep -o 'checksum [0-9a-f]*' /out/said)\", \"report\":" >> /out/runs
    cat /out/report >> /out/runs
    echo '},' >> /out/runs
  done
}
pair 2 private 512 5000
pair 2 ring 512 5000
pair 2 pipeline 512 4000
pair 2 blocks 512 5000
pair 2 all-to-all 512 5000
pair 2 phases 512 5000
pair 8 ring 512 1000
pair 2 private 65536 40
TEXT
take "$work/sharing:/bin/sharing"
boot+=(--counted)

verify_kmaf_cost() {
  python3 "$here/kmaf_cost.py" "$work/runs" || fail 'managing costs more than it may, or is not sure of what it costs'
}
