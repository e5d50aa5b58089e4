"""Writes FOLDER with machine.json and c2c.jsonl of a synthetic machine: every pair of CPUS in steps of the classes,
one slow pair, threads that contend. c2c.py FOLDER GABLE CORES_A_CLUSTER [SLOW_FACTOR [LEAVE_OUT]]"""
import json, os, random, subprocess, sys

folder, gable, cores = sys.argv[1], sys.argv[2], int(sys.argv[3])
factor = float(sys.argv[4]) if len(sys.argv) > 4 else 1
every = int(sys.argv[5]) if len(sys.argv) > 5 else 1
os.makedirs(folder, exist_ok=True)
topology = f"pack:2 [numa(memory=64GiB)] l3:2(size=32MiB) l2:{cores // 2}(size=1MiB) l1d:1(size=32KiB) core:1 pu:1"
with open(f"{folder}/machine.json", "w") as out:
    subprocess.run([gable, "machine", "--json", "--synthetic", topology], check=True, stdout=out)
rng = random.Random(1)
base = {"L3": 18, "node": 92, "machine": 210}


def relation(a, b):
    if a // (cores // 2) == b // (cores // 2):
        return "L3"
    return "node" if a // cores == b // cores else "machine"


with open(f"{folder}/c2c.jsonl", "w") as out:
    def line(asked, rounds, ns=None, rate=None, by_threads=None):
        for round_ in range(rounds):
            noise = [1 + 0.01 * rng.random() for _ in range(8)]
            seconds = [1e-3] * 8
            work = [round(1e6 / (ns * n)) for n in noise] if ns else [round(rate * 1e3 * n) for n in noise]
            record = {"schema": 1, "asked": asked, "round": round_, "status": "ok", "reason": "", "seconds": seconds,
                      "work": work, "disturbed": 0, "adds_per_cycle": 4, "clock_ghz": 3, "steal_percent": 0,
                      "cpus": asked["pus"], "node_bytes": {str(asked["node"]): 4096}, "notes": [],
                      "started": "2026-01-01T00:00:00Z"}
            if by_threads:
                record["by_threads"] = by_threads
            out.write(json.dumps(record) + "\n")

    def pair(measure, a, b, home, rounds=3):
        kind = relation(a, b)
        node = {"both": a // cores, "first": a // cores, "second": b // cores}[home]
        slow = factor if {a, b} == {1, cores + 2} else 1
        more = 1.2 if home == "second" else 1
        share = {"handoff": 1, "modified": 0.8, "shared": 0.7}[measure]
        line({"measure": measure, "pus": [a, b], "node": node, "home": home, "relation": kind,
              "distance": 21 if kind == "machine" else 0, "kinds": ""}, rounds, base[kind] * slow * more * share)

    count = 0
    for a in range(2 * cores):
        for b in range(a + 1, 2 * cores):
            count += 1
            if count % every and {a, b} != {1, cores + 2}:
                continue
            home = "first" if relation(a, b) == "machine" else "both"
            pair("handoff", a, b, home)
            for measure in ("modified", "shared"):
                pair(measure, a, b, home)
                pair(measure, b, a, home)
    pair("handoff", 0, cores, "second")
    for threads in (2, 2 * cores):
        for measure, rate in (("increments", 40), ("lock", 9)):
            shares = [100] * threads
            shares[0] = 300
            line({"measure": measure, "pus": list(range(threads)), "node": 0}, 3, rate=rate / threads, by_threads=shares)
