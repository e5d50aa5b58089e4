# What virtualization costs: measured in the emulated guest and natively, and compared. Every output says that the overheads are
# the emulator's; no figure is checked.
inside <<'INSIDE'
gable measure /out/guest --only virt --preset quick --quiet
gable virt show /out/guest
INSIDE

verify_virt() {
  local gable=$build/gable native=$work/native text
  says() { for text in "$@"; do grep -qE -e "$text" "$work/out" || fail "the output lacks '$text': $(cat "$work/out" "$work/err")"; done; }
  says 'paging +emulated: its costs are the emulator' "These costs are the emulator's, not those of a hypervisor" '^Noise' '^Cost of mapping' '^Programs'
  python3 - "$work/guest/virt.jsonl" <<'PYTHON' || fail 'the guest did not measure everything'
import json, sys
visits = [json.loads(line) for line in open(sys.argv[1])]
programs = [each for each in visits if each["asked"]["kind"] == "program"]
assert {each["asked"]["what"] for each in programs} == {"gups", "triad", "dgemm", "cg"}
assert all(each["status"] == "ok" and each["verified"] for each in programs), programs
for each in visits:
    asked = each["asked"]
    assert asked["kind"] == "environment" or each["status"] == "ok" or asked["pages"] in ("thp", "2m", "1g") and each["reason"], each
assert all(each["seconds"] and each["work"] for each in visits if each.get("status") == "ok")
PYTHON
  "$gable" measure "$native" --only virt,environment,map,noise --preset quick --quiet >"$work/out" 2>"$work/err" || fail "natively: $(cat "$work/err")"
  "$gable" compare "$native" "$work/guest" --names native,emulated >"$work/out" 2>"$work/err" || fail "compare: $(cat "$work/err")"
  says 'emulated is emulated: its overheads are the emulator' '^Overheads beside native' 'first touch of a page, 4 KiB .*%' '^Noise.*' '^  emulated '
  "$gable" virt scale "$work/guest" --nodes 100 --steps 50 >"$work/out" 2>"$work/err" || fail "virt scale: $(cat "$work/err")"
  says '^Slowdown by noise'
}
