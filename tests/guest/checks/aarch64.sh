# What is AArch64's own: the Valgrind tool started by gable point run, with marked regions; and gable kmaf run with hint faults, which
# moves pages that one thread touched to the nodes of the threads that use them.
inside <<'TEXT'
mkdir /out/m
gable machine --json > /out/m/machine.json
gable point run /out/m --counter valgrind --regions --repetitions 1 --name marked -- /programs/marked one
gable point run /out/m --counter pmu --repetitions 1 --name none -- /programs/marked one 2>/out/pmu && exit 1
. /hold_pages.sh
hold_pages 0 1
gable kmaf run --policy os -- affine private 5
gable kmaf run --unit 4k --overhead 10% --json --report /out/kmaf.json -- affine private 120
release_pages
TEXT
take "$build/affine:/bin/affine" "$here/hold_pages.sh:/hold_pages.sh" "$build/programs/marked:/programs/marked" "$build/libexec:/bin/libexec"

verify_aarch64() {
  cat "$work/out" "$work/pmu"
  [ -s "$work/pmu" ] || fail 'no reason why there are no hardware counters'
  [ "$(grep '^private' "$work/out" | cut -d ' ' -f 1-3 | paste -s)" = $'private 1 missed\tprivate 1 reached' ] ||
    fail 'pages are not where they should be: first without, then with management'
  python3 - "$work" <<'PYTHON' || fail 'the points, or the report'
import json, sys
points = {point["name"]: point for point in json.load(open(sys.argv[1] + "/m/points.json"))["points"]}
print({name: (point["flops"], point["load_bytes"], point["store_bytes"]) for name, point in points.items()})
elements = {"marked: outer": 3000, "marked: inner": 1000}
for name, count in elements.items():
    point = points[name]
    assert (point["flops"], point["load_bytes"], point["store_bytes"]) == (2 * count, 16 * count, 8 * count), point
report = json.load(open(sys.argv[1] + "/kmaf.json"))
print(report["samples"], report["pages"], report["threads"])
assert report["managed"] and report["sampler"] == "hint-faults" and report["status"] == 0
assert report["pages"]["moved"] >= 64, "of 256, half of which are in place"
PYTHON
}
