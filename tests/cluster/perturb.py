"""perturb.py FOLDER OUT COUNT SEED [NODE=FACTOR...]: COUNT nodes like the recorded machine FOLDER.

Every figure of a node differs by 0.3 % (of all nodes alike) and 1 % of its own. The bandwidths of memory of a named
node are multiplied by FACTOR, its clock too, and it tells of one DIMM less. OUT/NODE gets machine.json, roofs.json and
node.json."""

import json
import os
import random
import re
import shutil
import sys

folder, out, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
odd = {name: float(factor) for name, factor in (each.split("=") for each in sys.argv[5:])}
roofs = open(f"{folder}/roofs.json").read().split("\n")
figures = re.compile(r'"value":([0-9.e+-]+),"lo":([0-9.e+-]+),"hi":([0-9.e+-]+)')
draw = random.Random(seed)
run = {}
for i in range(count):
    node = f"n{i + 1}"
    factor = odd.get(node, 1)
    os.makedirs(f"{out}/{node}")

    def changed(line):
        common = run.setdefault(line, draw.gauss(0, 0.003))
        by = 1 + common + draw.gauss(0, 0.01)
        if '"kind":"bandwidth"' in line and '"level":"memory"' in line:
            by *= factor
        return figures.sub(lambda m: '"value":%r,"lo":%r,"hi":%r' % tuple(by * float(x) for x in m.groups()), line)

    open(f"{out}/{node}/roofs.json", "w").write("\n".join(map(changed, roofs)))
    shutil.copy(f"{folder}/machine.json", f"{out}/{node}/machine.json")
    json.dump({"schema": 1, "node": node, "status": "complete", "reason": "", "hardware": "a CPU of 2 cores",
               "memory_bytes": (256 if factor == 1 else 224) << 30,
               "options": "--preset quick", "launch": "srun 1.0", "started": "2026-01-01T00:00:00Z", "seconds": 60,
               "expected_seconds": 60, "deadline": 0, "clock_ghz": 2.5 * factor, "rounds": 6,
               "facts": [{"group": "hardware", "name": "DIMMs", "value": "8 × 32 GiB" if factor == 1 else "7 × 32 GiB"},
                         {"group": "system", "name": "kernel", "value": "6.1.0"}]}, open(f"{out}/{node}/node.json", "w"))
