"""Writes recorded machines (roofs.json, machine.json) for the tests of `gable plot`: plot_fixtures.py FOLDER

joe0 and knl carry the LARM paper's tables 1, 2, 4 and 5; small and large are made up; validated is joe0 with made-up
validation of the first cluster's caches and memories.
"""

import json
import pathlib
import random
import sys


def roof(cluster, kind, value, **fields):
    units = {"bandwidth": "GB/s", "flops": "GFlop/s", "latency": "ns", "loaded_latency": "ns"}
    spread = fields.pop("spread", 0.004)
    one = dict(cluster=cluster, kind=kind, level="memory", pattern="local", node=None, tier="", op="load",
               kernel="load_avx2", precision="", pages="2m", threads=2, smt=False, bytes=0, load_percent=0)
    one.update(value=value, lo=value and value * (1 - spread), hi=value and value * (1 + spread),
               unit=units[kind], n=30, status="ok", reason="")
    if kind == "flops":
        one.update(level="core", pattern="core", pages="")
    if kind == "latency":
        one.update(op="chase", kernel="chase_x86", threads=1)
    if kind == "loaded_latency":
        one.update(op="chase", kernel="chase_x86", load_gb_per_s=0)
    one.update(fields)
    return one


def caches(cluster, values, latencies=(), **fields):
    made = [roof(cluster, "bandwidth", v, level=f"L{i + 1}", pattern="cache", node=0, tier="DRAM", **fields)
            for i, v in enumerate(values)]
    return made + [roof(cluster, "latency", v, level=f"L{i + 1}", pattern="cache", node=0, tier="DRAM", pages=p)
                   for i, v in enumerate(latencies) for p in ("4k", "2m")]


def peaks(cluster, fma, **fields):
    ops = (("fma", 1), ("add", 0.5), ("mul", 0.5))
    return [roof(cluster, "flops", fma * share * width, op=op, kernel=f"{op}_{precision}_avx2", precision=precision,
                 **fields) for precision, width in (("dp", 1), ("sp", 2)) for op, share in ops]


def ladder(cluster, steps, top):
    """steps: (bytes up to which, GB/s, ns)"""
    made, size = [], 4096
    while size <= top:
        for part in (size, size * 3 // 2):
            bandwidth, ns = next((b, n) for limit, b, n in steps if part <= limit)
            both = dict(level="ladder", pattern="ladder", node=0, tier="DRAM", threads=1, bytes=part)
            made.append(roof(cluster, "bandwidth", bandwidth, spread=0.03, **both))
            made.append(roof(cluster, "latency", ns, spread=0.03, **both))
        size *= 2
    return made


def level(cluster, name, claimed, measured, confirmed=True):
    return dict(cluster=cluster, level=name, claimed_bytes=claimed, measured_bytes=measured, confirmed=confirmed,
                remark="" if confirmed else "the ladder does not show it")


def loaded(cluster, idle, top, **fields):
    return [roof(cluster, "loaded_latency", idle * (1 + 0.25 * p / 100 / (1.12 - p / 100)), load_percent=p,
                 load_gb_per_s=top * p / 100, spread=0.02, **fields) for p in range(0, 101, 20)]


def small():
    one = caches(0, (512.3, 231.7, 118.2), (1.05, 3.71, 12.4), kernel="load_avx512") + peaks(0, 166.4)
    for pages, value in (("4k", 31.4), ("2m", 36.1)):
        one.append(roof(0, "bandwidth", value, node=0, tier="DRAM", pages=pages, kernel="load_avx512"))
    for pages, value in (("4k", 118.0), ("2m", 98.4)):
        one.append(roof(0, "latency", value, node=0, tier="DRAM", pages=pages))
    one.append(roof(0, "bandwidth", 21.9, node=0, tier="DRAM", op="store", kernel="store_avx512"))
    one += loaded(0, 98.4, 24.5, node=0, tier="DRAM", threads=2)
    none = dict(status="skipped", n=0, reason="one cluster: the same as \"local\"")
    one.append(roof(0, "bandwidth", None, pattern="contended", **none))
    steps = ((32 << 10, 250, 1.05), (1 << 20, 120, 3.7), (16 << 20, 60, 12.4), (1 << 40, 19.5, 98))
    levels = [level(0, "L1", 32 << 10, 32 << 10), level(0, "L2", 1 << 20, 1 << 20),
              level(0, "L3", 256 << 20, 16 << 20, False)]
    return one, ladder(0, steps, 512 << 20), levels


def bare():
    """One core without NUMA, with only two measured bandwidths."""
    own = dict(node=0, tier="DRAM", threads=1, kernel="load_sse2", pages="4k")
    return [roof(0, "bandwidth", 61.5, level="L1", pattern="cache", **own), roof(0, "bandwidth", 9.47, **own)], [], []


def joe0():
    remote = ((36.1, 17.5, 15.0, 14.3), (17.4, 36.0, 14.4, 15.1), (15.1, 14.2, 36.2, 17.6), (14.3, 15.2, 17.4, 36.1))
    contended = (16.7, 8.3, 6.8, 6.2)
    one = []
    for cluster in range(4):
        fields = dict(threads=7, pages="4k")
        one += caches(cluster, (760.1, 309.2, 154.0), (2.4, 7.1, 33.0), **fields) + peaks(cluster, 190, threads=7)
        for node in range(4):
            own = dict(node=node, tier="DRAM")
            pattern = "local" if node == cluster else "remote"
            one.append(roof(cluster, "bandwidth", remote[cluster][node], pattern=pattern, **own, **fields))
            one.append(roof(cluster, "bandwidth", contended[node ^ cluster], pattern="contended", **own, **fields))
            one.append(roof(cluster, "latency", 90 + 1000 / remote[cluster][node], pattern=pattern, **own))
            one += loaded(cluster, 90 + 1000 / remote[cluster][node], remote[cluster][node], pattern=pattern, **own)
        one.append(roof(cluster, "bandwidth", 18.1, pattern="congested", tier="DRAM", **fields))
    return one, [], []


def knl():
    one = []
    for cluster in range(4):
        fields = dict(threads=16, kernel="load_avx512")
        one += caches(cluster, (2360.0, 820.0), (3.1, 13.5), **fields) + peaks(cluster, 640, threads=16)
        for tier, nodes, local, rest, busy, contended, congested in (
                ("DRAM", range(0, 8, 2), 38.1, (38.0, 37.9, 38.2), 21.7, (10.7, 10.6, 10.8, 10.5), 19.8),
                ("HBM", range(1, 8, 2), 92.0, (86.6, 90.6, 82.8), 90.9, (21.5, 20.9, 22.4, 19.8), 77.6)):
            far = iter(rest)
            for position, node in enumerate(nodes):
                own = dict(node=node, tier=tier, **fields)
                pattern = "local" if position == cluster else "remote"
                value = local if position == cluster else next(far)
                one.append(roof(cluster, "bandwidth", value, pattern=pattern, **own))
                one.append(roof(cluster, "bandwidth", contended[position], pattern="contended", **own))
                one.append(roof(cluster, "latency", (130 if tier == "DRAM" else 155) + 4 * node, pattern=pattern,
                                node=node, tier=tier))
            one.append(roof(cluster, "bandwidth", busy, pattern="local_all", tier=tier, node=nodes[cluster], **fields))
            one.append(roof(cluster, "bandwidth", congested, pattern="congested", tier=tier, **fields))
    remote = [r for r in one if r["pattern"] == "remote" and r["kind"] == "bandwidth"]
    for bad in (remote[1], remote[9]):
        bad.update(status="invalid", value=None, lo=None, hi=None, n=0, reason="another tenant took 12 % of the CPU")
    return one, [], []


def large():
    chance = random.Random(7)
    one = []
    for cluster in range(8):
        one += caches(cluster, (4100, 2050, 900), (1.2, 3.9, 22), threads=24) + peaks(cluster, 1480, threads=24)
        for node in range(16):
            own = dict(node=node, tier="DRAM" if node < 8 else "CXL", threads=24)
            near = node % 8 == cluster
            pattern = "local" if near and node < 8 else "remote"
            base = 190 if pattern == "local" else (80 if node < 8 else 24)
            value = base * chance.uniform(0.6, 1)
            one.append(roof(cluster, "bandwidth", value, pattern=pattern, **own))
            one.append(roof(cluster, "bandwidth", value / chance.uniform(4, 8), pattern="contended", **own))
            one.append(roof(cluster, "latency", 15000 / base, pattern=pattern, node=node, tier=own["tier"]))
        for tier in ("DRAM", "CXL"):
            one.append(roof(cluster, "bandwidth", 60 if tier == "DRAM" else 9, pattern="congested", tier=tier, threads=24))
    return one, [], []


def validated(under, peak, short):
    """Validation of one roof: programs are below it by the share `short`, most at the ridge; one was disturbed."""
    points = []
    for octave in range(-2, 5):
        intensity = 2.0 ** octave
        bound = min(intensity * under["value"], peak)
        reached = bound * (1 - short * (3 if bound == peak and intensity * under["value"] < 2 * peak else 1))
        point = dict(under, kind="validation", op="load_fma", kernel="load_fma_avx2", precision="dp",
                     flop_per_byte=intensity, unit="GFlop/s", bound_gflop_per_s=bound)
        point.update(value=reached, lo=reached * 0.998, hi=reached * 1.002)
        if octave == 4:
            point.update(value=None, lo=None, hi=None, n=0, status="invalid", reason="another tenant took 9 % of the CPU")
        points.append(point)
    errors = [abs(p["value"] / p["bound_gflop_per_s"] - 1) for p in points if p["value"]]
    squares = sum(error * error for error in errors)
    case = {name: under[name] for name in ("cluster", "kind", "level", "pattern", "node", "tier", "op", "threads", "smt")}
    case.update(kernel="", precision="", pages="", bytes=0, load_percent=0)
    return dict(case, gb_per_s=under["value"], peak_gflop_per_s=peak, points=points,
                paper_percent=100 * squares ** 0.5 / len(errors), rms_percent=100 * (squares / len(errors)) ** 0.5,
                max_percent=100 * max(errors))


def joe0_validated():
    roofs, rungs, levels = joe0()
    under = [r for r in roofs if r["cluster"] == 0 and r["kind"] == "bandwidth" and r["pattern"] != "congested"]
    return roofs, rungs, levels, [validated(r, 190, 0.004 * (i + 1)) for i, r in enumerate(under)]


def write(folder, cpu, roofs, rungs, levels, validation=()):
    def lines(records):
        return "[\n" + ",\n".join(json.dumps(record, ensure_ascii=False) for record in records) + "\n]"

    folder.mkdir(parents=True, exist_ok=True)
    text = '{"schema":1,\n"roofs":%s,\n"ladder":%s,\n"levels":%s%s}\n' % (
        lines(roofs), lines(rungs), lines(levels), ',\n"validation":' + lines(validation) if validation else "")
    (folder / "roofs.json").write_text(text)
    (folder / "machine.json").write_text(json.dumps({"schema": 1, "cpu_model": cpu}, ensure_ascii=False))


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1])
    write(root / "small", "Emulated_CPU^{9} @ 2 GHz & {co} 'O\"Hara' ~ <µ>", *small())
    write(root / "bare", "", *bare())
    write(root / "joe0", "Intel Xeon E5-2650L v4", *joe0())
    write(root / "validated", "Intel Xeon E5-2650L v4", *joe0_validated())
    write(root / "knl", "Intel Xeon Phi 7230", *knl())
    write(root / "large", "Large 8-socket machine with CXL", *large())
