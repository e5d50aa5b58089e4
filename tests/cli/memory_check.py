"""Compares the output of `gable place --list` and `gable plot` for data/tiers.py with the figures in that file.

memory_check.py figures JSON | table TEXT | chart TSV WAY
"""
import csv
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "data"))
import tiers

what, path = sys.argv[1:3]
failures = []


def near(found, wanted, name, tolerance=0.02):
    if abs(found - wanted) > tolerance * wanted:
        failures.append(f"{name}: {found} instead of {wanted}")


if what == "figures":
    figures = json.load(open(path))["figures"]
    inside = 0
    for f in figures:
        a = f["asked"]
        wanted = tiers.rate(a["tier"], a["what"], a["way"], a["access_bytes"], a["order"], a["threads"])
        near(f["value"], wanted, a)
        inside += f["lo"] <= wanted <= f["hi"]
    if inside < 0.9 * len(figures):
        failures.append(f"of {len(figures)} intervals {inside} hold the truth")
    if len(figures) != 2 * (len(tiers.STREAMS) * 7 + 3 * 7 * 2 * 6 + 2 * 7 + 1):
        failures.append(f"{len(figures)} figures")
elif what == "table":
    text = open(path).read()
    for threads, smt in ((18, False), (36, True)):
        head = "With SMT, 36" if smt else "Without SMT, one thread per core, 18"
        part = text[text.index(head):].split("\n\n")[0]
        for name, op, way, size in (("Read Bandwidth", "load", "", 0), ("Write Bandwidth", "store", "store", 0),
                                    ("Random Read, 64 B", "load", "", 64), ("Random Read, 256 B", "load", "", 256),
                                    ("STREAM Copy", "copy", "store", 0), ("STREAM Triad", "triad", "store", 0),
                                    ("Read Latency", "latency", "", 0)):
            line = next(line for line in part.splitlines() if re.match(rf"  {name}  ", line))
            values = re.findall(r"([0-9.]+) (?:GB/s|ns)", line)
            ratio = float(re.search(r"([0-9.]+) \(([0-9.]+) to ([0-9.]+)\)$", line)[1])
            wanted = [tiers.rate(tier, op, way, size, "random" if size else "sequential", threads) for tier in ("DRAM", "NVM")]
            for value, truth in zip(values, wanted):
                near(float(value), truth, f"{head}: {name}")
            near(ratio, wanted[1] / wanted[0], f"{head}: {name}, ratio", 0.03 + 0.0005 * wanted[0] / wanted[1])
    for sentence in ("NVM compared with DRAM, the best of each: reads at 0.38", "NVM: writes reach", "of the vendor's 40.8 GB/s",
                     "Writes to NVM, random blocks"):
        if sentence not in text:
            failures.append(f"the table lacks '{sentence}'")
else:
    rows = list(csv.DictReader(open(path), delimiter="\t"))
    if len(rows) != 2 * 2 * 7 * 6:
        failures.append(f"{len(rows)} points")
    if len({r["panel"] for r in rows}) != 4:
        failures.append("not a panel for each tier and order")
    for r in rows:
        if r["title"] != f"{r['tier']}, {r['order']} blocks" or r["way"] != sys.argv[3] or r["x"] != r["access_bytes"]:
            failures.append(f"in the wrong place: {r}")
        if r["vendor"] != ("11.1" if r["tier"] == "NVM" else ""):
            failures.append(f"the vendor's claim: {r}")
        near(float(r["value"]), tiers.rate(r["tier"], "store", r["way"], int(r["access_bytes"]), r["order"], int(r["threads"])), r)
sys.exit("\n".join(map(str, failures[:10])) if failures else 0)
