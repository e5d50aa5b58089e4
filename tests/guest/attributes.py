#!/usr/bin/env python3
"""DIR ATTRIBUTES CSV: what lstopo -p --memattrs shows of the exported topology, and the CSV, are the figures of DIR/roofs.json, for every
cluster and node of DIR/machine.json."""

import csv
import json
import pathlib
import re
import sys

folder, attributes, table = (pathlib.Path(given) for given in sys.argv[1:])
machine = json.loads((folder / "machine.json").read_text())
roofs = [roof for roof in json.loads((folder / "roofs.json").read_text())["roofs"] if roof["pattern"] in ("local", "remote")]

shown, name = {}, None
for line in attributes.read_text().splitlines():
    if heading := re.match(r"Memory attribute #\d+ name `(\w+)'", line):
        name = heading[1]
    value = re.match(r"\s+NUMANode P#(\d+) = (\d+) from cpuset (0x[0-9a-f,x]+)", line)
    if value:
        mask = int(value[3].replace("0x", "").replace(",", ""), 16)
        shown[name, int(value[1]), mask] = int(value[2])

failures = []
for cluster in machine["clusters"]:
    mask = sum(1 << pu for pu in cluster["pus"])
    for node in machine["nodes"]:
        for attribute, kind, op, best in (("Bandwidth", "bandwidth", "load", max), ("Latency", "latency", "chase", min)):
            mine = [
                roof["value"] for roof in roofs
                if (roof["cluster"], roof["node"], roof["kind"], roof["op"], roof["status"])
                == (cluster["index"], node["os_index"], kind, op, "ok")
            ]
            wanted = best(mine) * (1e9 / 2**20 if attribute == "Bandwidth" else 1) if mine else None
            found = shown.get((attribute, node["os_index"], mask))
            if wanted is None or found is None or abs(found - wanted) > 0.51:
                failures.append(f"{attribute} of cluster {cluster['index']}, node {node['os_index']}: {found} instead of {wanted}")

rows = list(csv.DictReader(table.open()))
for roof in roofs:
    if not any(float(row["value"] or 0) == roof["value"] for row in rows):
        failures.append(f"not in the CSV: {roof}")
print("\n".join(failures[:10]) or f"{len(shown)} values as measured")
sys.exit(bool(failures) or not roofs)
