#!/usr/bin/env python3
"""Writes the folder of an invented machine of two clusters with DRAM and HBM each, as `gable measure` leaves it.

Usage: two_clusters.py FOLDER        (the seed is fixed: the same folder every time)

Its topology is two-clusters.xml: lstopo-no-graphics --of xml --input "pack:2 [numa(memory=17179869184)]
[numa(memory=4294967296)] l3:1(size=16777216) l2:4(size=1048576) l1d:1(size=32768) core:1 pu:1", with the nodes' subtypes.
"""
import json
import math
import pathlib
import random
import shutil
import sys

CORES = 4
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
CACHES = [(1, 32 * KIB, 4.0, 430), (2, MIB, 14.0, 260), (3, 16 * MIB, 45.0, 150)]  # level, bytes, cycles, GB/s
CLOCK_GHZ = 3.0
NODES = [(0, 0, "DRAM"), (1, 0, "HBM"), (2, 1, "DRAM"), (3, 1, "HBM")]  # os index, cluster, tier
GB_PER_S = {"DRAM": 60, "HBM": 140}
IDLE_NS = {"DRAM": 90, "HBM": 115}
OPS = {"load": 1.0, "store": 0.55, "store_nt": 0.8, "mix2_1": 0.85}
ROUNDS = 3
REPETITIONS = 3

random_numbers = random.Random(20190613)
lines = []


def noisy(value, drift):
    """One repetition: other processes only slow it down."""
    return value * drift / (1 + random_numbers.expovariate(200))


def sample(kind, value, rounds=ROUNDS, status="ok", reason="", load=0.0, nodes=(), **fields):
    """Visits of one case whose rate is `value` (GB/s, GFlop/s, accesses or lines per ns)."""
    asked = dict(cluster=0, kind=kind, level="memory", pattern="local", node=None, tier="", op="", kernel="",
                 precision="", pages="", threads=CORES, smt=False, bytes=0, load_percent=0)
    asked.update(fields)
    unit = {"bandwidth": "bytes", "flops": "flops", "random": "lines"}.get(kind, "accesses")
    work = 10**6 if unit == "accesses" else 10**8
    for visit in range(rounds):
        drift = 1 + random_numbers.gauss(0, 0.004)
        seconds = [float(f"{work / noisy(value, drift) / 1e9:.5g}") for _ in range(REPETITIONS)]
        if status != "ok":
            seconds = []
        line = dict(schema=1, asked=asked, round=visit, status=status, reason=reason, seconds=seconds)
        line[unit] = [work] * len(seconds)
        if kind == "loaded_latency":
            line["load_bytes"] = [round(load * 1e9 * second) for second in seconds]
        first = asked["cluster"] * CORES
        line.update(disturbed=0, stopped="tight" if seconds else "", clock_ghz=CLOCK_GHZ, steal_percent=0,
                    cpus=list(range(first, first + asked["threads"])) if seconds else [],
                    node_bytes={str(node): asked["bytes"] * asked["threads"] // len(nodes) for node in nodes},
                    notes=[], started=f"2026-01-01T00:{visit:02d}:00Z")
        lines.append(line)


def peaks(cluster):
    for op, flops in (("fma", 2), ("add", 1), ("mul", 1)):
        for precision, lanes in (("dp", 4), ("sp", 8)):
            sample("flops", CORES * CLOCK_GHZ * 2 * lanes * flops, cluster=cluster, level="core", pattern="core", op=op,
                   kernel=f"{op}_{precision}_avx2", precision=precision)


def caches(cluster, local):
    for level, size, cycles, rate in CACHES:
        for op, share in OPS.items():
            asked = dict(cluster=cluster, level=f"L{level}", pattern="cache", node=local, tier="DRAM", op=op,
                         kernel=f"{op}_avx2", pages="2m", bytes=size // (8 if level == 3 else 2), nodes=[local])
            if op == "store_nt":  # measured in memory only; in its place, pages that the machine does not have
                asked.update(op="store", kernel="store_avx2", pages="1g")
                sample("bandwidth", 1, 1, "skipped", "no 1 GiB pages are reserved", **asked)
            else:
                sample("bandwidth", rate * share, **asked)
        asked.update(op="chase", kernel="chase_x86", threads=1)
        sample("latency", CLOCK_GHZ / cycles, 1, **asked)


def time_per_access(size, memory_ns):
    """Random replacement: of every level, the share of the working set that it holds."""
    total, inner = 0.0, 0.0
    for _, capacity, cycles, _ in CACHES:
        held = min(1.0, capacity / size)
        total += max(0.0, held - inner) * cycles / CLOCK_GHZ
        inner = max(inner, held)
    return total + (1 - inner) * memory_ns


def ladder(cluster, local):
    size = 4 * KIB
    while size <= 256 * MIB:
        for bytes_each in (size, size * 3 // 2):
            ns = time_per_access(bytes_each, IDLE_NS["DRAM"])
            asked = dict(cluster=cluster, level="ladder", pattern="ladder", node=local, tier="DRAM", pages="2m",
                         threads=1, bytes=bytes_each, nodes=[local], rounds=1)
            sample("latency", 1 / ns, op="chase", kernel="chase_x86", **asked)
            if bytes_each == size:
                sample("bandwidth", 110 / math.sqrt(ns), op="load", kernel="load_avx2", **asked)
        size *= 2


def memory(cluster):
    for node, home, tier in NODES:
        pattern = "local" if home == cluster else "remote"
        far = 1.0 if pattern == "local" else 0.45
        asked = dict(cluster=cluster, node=node, tier=tier, bytes=64 * MIB, nodes=[node])
        for op in OPS if pattern == "local" else ("load", "store"):
            rate = GB_PER_S[tier] * OPS[op] * far
            for pages, gain in (("2m", 1.0), ("4k", 0.9)) if pattern == "local" and op == "load" else (("2m", 1.0),):
                sample("bandwidth", rate * gain, pattern=pattern, op=op, kernel=f"{op}_avx2", pages=pages, **asked)
        if home == cluster:
            sample("bandwidth", GB_PER_S[tier] * 0.97, pattern="local_all", op="load", kernel="load_avx2", pages="2m",
                   **asked)
        status = ("invalid", "12 % of the pages lay on node 0") if (cluster, node) == (1, 3) else ("ok", "")
        sample("bandwidth", GB_PER_S[tier] * 0.45 * (1.2 if home == cluster else 0.8), ROUNDS, *status,
               pattern="contended", op="load", kernel="load_avx2", pages="2m", **asked)
        latency(cluster, node, tier, pattern)
    for tier in ("DRAM", "HBM"):
        sample("bandwidth", GB_PER_S[tier] * 0.6, cluster=cluster, pattern="congested", tier=tier, op="load",
               kernel="load_avx2", pages="2m", bytes=64 * MIB, nodes=[node for node, _, kind in NODES if kind == tier])


def latency(cluster, node, tier, pattern):
    idle = IDLE_NS[tier] * (1 if pattern == "local" else 1.6)
    peak = GB_PER_S[tier] * (1 if pattern == "local" else 0.45) * 0.9
    asked = dict(cluster=cluster, pattern=pattern, node=node, tier=tier, op="chase", kernel="chase_x86",
                 bytes=256 * MIB, nodes=[node])
    for pages, cost in (("2m", 1.0), ("4k", 1.25)):
        sample("latency", 1 / (idle * cost), pages=pages, threads=1, **asked)
    for percent in (0, 20, 40, 60, 80, 100):
        use = percent / 100 * 0.95
        sample("loaded_latency", 1 / (idle * (1 + 0.12 * use / (1 - use))), 1, pages="2m", load_percent=percent,
               load=use * peak, **asked)


def random_loads(cluster):
    for node, home, tier in NODES:
        far = 1.0 if home == cluster else 0.6
        for threads in (CORES, 1):
            for pages, gain in (("2m", 1.0), ("4k", 0.7)):
                sample("random", threads * 0.1 * far * gain, cluster=cluster, node=node, tier=tier, nodes=[node],
                       pattern="local" if home == cluster else "remote", op="random", kernel="random_x86", pages=pages,
                       threads=threads, bytes=256 * MIB // threads)


def machine():
    return dict(
        schema=1, name="two-clusters", cpu_model="Invented 8-core", kernel="6.1.0", hypervisor="",
        clusters=[dict(index=i, cores=CORES, pus=list(range(i * CORES, (i + 1) * CORES)),
                       nodes=[node for node, home, _ in NODES if home == i]) for i in (0, 1)],
        nodes=[dict(os_index=node, tier=tier, subtype=tier, bytes=(16 if tier == "DRAM" else 4) * GIB,
                    cpuless=tier == "HBM", memory_side_cache_bytes=0, local_to=[home]) for node, home, tier in NODES],
        caches=[dict(level=level, bytes=size, count=2 if level == 3 else 2 * CORES,
                     pus_sharing=CORES if level == 3 else 1) for level, size, _, _ in CACHES],
        isas=["sse2", "avx2"], page_bytes=[4096, 2097152])


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for cluster, local in ((0, 0), (1, 2)):
        peaks(cluster)
        caches(cluster, local)
        ladder(cluster, local)
        memory(cluster)
    for cluster in (0, 1):
        random_loads(cluster)
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    (folder / "samples.jsonl").write_text(text)
    (folder / "machine.json").write_text(json.dumps(machine(), indent=1) + "\n")
    shutil.copy(pathlib.Path(__file__).with_name("two-clusters.xml"), folder / "topology.xml")


if __name__ == "__main__":
    main()
