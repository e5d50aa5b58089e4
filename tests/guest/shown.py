#!/usr/bin/env python3
"""SHOWN EXPECTED: compares the output of gable machine --json in a guest with the expected one; GABLE_REGENERATE=1
writes EXPECTED instead. What the emulator, its kernel or this host decide is left out; of a node's bytes, the kernel keeps an
amount that differs between boots."""

import difflib
import json
import os
import pathlib
import sys

FIELDS = ("schema", "clusters", "nodes", "caches", "distances", "attributes", "hypervisor", "cpus_online")
STEP = 128 << 20


def comparable(machine):
    kept = {name: machine[name] for name in FIELDS}
    for node in kept["nodes"]:
        node["at_most_mib"] = -(-node.pop("bytes") // STEP) * STEP >> 20
    lines = []
    for name, value in kept.items():
        if isinstance(value, list) and value and isinstance(value[0], (dict, list)):
            rows = ",\n".join("  " + json.dumps(row) for row in value)
            lines.append(f' "{name}": [\n{rows}\n ]')
        else:
            lines.append(f' "{name}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


shown = comparable(json.loads(pathlib.Path(sys.argv[1]).read_text()))
expected = pathlib.Path(sys.argv[2])
if os.environ.get("GABLE_REGENERATE"):
    expected.parent.mkdir(exist_ok=True)
    expected.write_text(shown)
wanted = expected.read_text() if expected.exists() else ""
before, after = wanted.splitlines(True), shown.splitlines(True)
sys.stdout.writelines(difflib.unified_diff(before, after, str(expected), "gable machine"))
sys.exit(wanted != shown)
