"""Copies what is kept of a recorded folder: kept.py FOLDER TO NAME

Leaves out samples.jsonl, which is many MB, the cells that were skipped, most repetitions of hand-offs, and everything that
identifies the host: its name, what hwloc read from the firmware, devices, and the suffix of the kernel's version. Figures are
rounded to five digits, and integers have no ".0".
"""

import json
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

DESCRIBING = {"Backend", "Architecture", "hwlocVersion", "CPUVendor", "CPUFamilyNumber", "CPUModelNumber", "CPUModel",
              "CPUStepping", "Inclusive", "CoreType", "FrequencyMaxMHz", "FrequencyBaseMHz", "LinuxCapacity", "DAXDevice",
              "MemoryTiersNr", "HostName"}  # infos of hwloc; HostName becomes NAME
DEVICES = {"Bridge", "PCIDev", "OSDev", "Misc"}


def rounded(text):
    text = re.sub(r"-?\d+\.\d{4,}(e[-+]?\d+)?", lambda number: repr(float(f"{float(number[0]):.5g}")), text)
    return re.sub(r"(\d)\.0(?=[],}])", r"\1", text)


def without_skipped(text):
    """roofs.json, which has a line for each cell."""
    kept = "".join(line for line in text.splitlines(keepends=True) if '"status":"skipped"' not in line)
    return re.sub(r",(\n ?\])", r"\1", kept)


def short_visits(text):
    """c2c.jsonl, whose visits repeat up to a hundred times."""
    kept = []
    for visit in map(json.loads, text.splitlines()):
        if visit["status"] == "ok":
            step = max(1, len(visit["seconds"]) // 5)
            kept.append(visit | {field: visit[field][::step] for field in ("seconds", "work")})
    return "".join(json.dumps(visit, separators=(",", ":")) + "\n" for visit in kept)


def topology(text, name):
    root = xml.fromstring(text)
    for parent in list(root.iter()):
        for child in list(parent):
            is_device = child.tag == "object" and child.get("type") in DEVICES
            is_other = child.tag == "info" and child.get("name") not in DESCRIBING
            if is_device or is_other or child.tag in ("userdata", "support"):
                parent.remove(child)
            elif child.tag == "info" and child.get("name") == "HostName":
                child.set("value", name)
    xml.indent(root)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE topology SYSTEM "hwloc2.dtd">\n'
            + xml.tostring(root, encoding="unicode") + "\n")


def description(text, name):
    text = re.sub(r'^ "name": .*,$', lambda _: f' "name": {json.dumps(name)},', text, count=1, flags=re.M)
    return re.sub(r'^( "kernel": "[^-+"]*)[^"]*', r"\1", text, count=1, flags=re.M)


def main():
    source, target, name = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    target.mkdir(parents=True, exist_ok=True)
    for file, change in (("topology.xml", topology), ("machine.json", description)):
        (target / file).write_text(change((source / file).read_text(), name))
    for file, change in (("roofs.json", without_skipped), ("hybrid.json", str), ("virt.jsonl", str),
                         ("c2c.jsonl", short_visits)):
        if (source / file).exists():
            (target / file).write_text(rounded(change((source / file).read_text())))


if __name__ == "__main__":
    main()
