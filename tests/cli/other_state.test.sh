#!/bin/bash
# A folder that holds better figures of another state of the machine, one for each of its figures: everything but the
# lists of all figures says what it says without them.
source "$(dirname "$0")/expect.sh" "$1"

python3 "$data/two_clusters.py" "$work/machine" || fail two_clusters.py
"$gable" fit "$work/machine" >/dev/null || fail "gable fit"
for folder in behind ahead renamed; do cp -r "$work/machine" "$work/$folder"; done
python3 - "$work" <<'PYTHON' || fail "the folders cannot be made"
import json, sys

def case(roof):
    return [value for field, value in roof.items() if list(roof).index(field) < list(roof).index("value")]

document = json.load(open(f"{sys.argv[1]}/machine/roofs.json"))
known = [case(roof) for roof in document["roofs"]]
twins = []
for roof in document["roofs"]:
    if roof["status"] != "ok":
        continue
    factor = 0.5 if roof["unit"] == "ns" else 2
    twin = {**roof, **{field: roof[field] * factor for field in ("value", "lo", "hi")}, "other_state": True}
    if roof["pages"]:
        twin["pages"] = "64k"
    else:
        twin["kernel"] = roof["kernel"].replace("avx2", "sse2")
    assert case(twin) not in known, twin
    twins.append(twin)
for name, roofs in (("behind", document["roofs"] + twins), ("ahead", twins + document["roofs"])):
    json.dump({**document, "roofs": roofs}, open(f"{sys.argv[1]}/{name}/roofs.json", "w"))
for roof in document["roofs"]:
    roof["kernel"] = roof["kernel"].replace("avx2", "avx512")
json.dump(document, open(f"{sys.argv[1]}/renamed/roofs.json", "w"))
PYTHON

# outputs FOLDER: what each command says of it, without the folder's name.
outputs() {
  local folder=$work/$1
  expect 0 '' show "$folder" && sed "s/$1/FOLDER/g" "$work/out" >"$work/$1.show"
  expect 0 '' export "$folder" --hwloc -o "$work/$1.hwloc"
  expect 0 '' plot "$folder" --format svg -o "$work/$1.charts"
  expect 0 '' point add "$folder" --name bound --cluster 0 --flops 1e9 --load-bytes 55e9 --seconds 1 --nodes 0=1
  expect 0 '' point add "$folder" --name slow --cluster 0 --flops 1e9 --load-bytes 30e9 --seconds 1 --nodes 0=1
  expect 0 '' point list "$folder"
  # The newer point comes first only if they are of different seconds.
  sed 's/recorded .* UTC//' "$work/out" | awk -v RS= -v ORS='\0' 1 | sort -z | tr '\0' '\n' >"$work/$1.points"
}
outputs machine
for folder in behind ahead; do
  outputs $folder
  for output in show hwloc points; do
    diff "$work/machine.$output" "$work/$folder.$output" || fail "$folder: $output differs"
  done
  for cluster in 0 1; do
    diff "$work/machine.charts/larm-$cluster.tsv" "$work/$folder.charts/larm-$cluster.tsv" || fail "$folder: chart"
  done
  diff "$work/machine.charts/matrix-bandwidth.tsv" "$work/$folder.charts/matrix-bandwidth.tsv" || fail "$folder: matrix"
  # Of a folder with other kernels, the best figures are compared.
  expect 0 '' compare "$work/machine" "$work/renamed" --json && mv "$work/out" "$work/machine.compared"
  expect 0 '' compare "$work/$folder" "$work/renamed" --json
  python3 - "$work/machine.compared" "$work/out" <<'PYTHON' || fail "$folder: gable compare takes other figures"
import json, sys
expected, found = ([(figure["name"], figure["first"]["value"], figure["other"]["value"])
                    for figure in json.load(open(path))["comparisons"][0]["figures"]] for path in sys.argv[1:])
assert expected and sorted(expected) == sorted(found), set(expected) ^ set(found)
PYTHON
  # The list of all figures says which those are.
  expect 0 '' export "$work/$folder" --csv
  python3 - "$work/out" "$work/$folder/roofs.json" <<'PYTHON' || fail "$folder: the CSV does not tell the states apart"
import csv, json, sys
said = [row["other_state"] for row in csv.DictReader(open(sys.argv[1], newline=""))]
document = json.load(open(sys.argv[2]))
known = [str(roof.get("other_state", False)).lower() for roof in document["roofs"] + document["ladder"]]
assert said == known and "true" in said and "false" in said
PYTHON
done

finish
