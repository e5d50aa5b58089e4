"""Shared by the make.py of all published machines: topology.xml with hwloc's tools, machine.json and roofs.json.

A make.py describes one machine: hwloc's synthetic description with annotations, and the figures as its source prints
them, each with the table it stands in. `machines/make.sh` runs them all.
"""

import json
import pathlib
import re
import subprocess
import sys

GIB, MIB, KIB = 1 << 30, 1 << 20, 1 << 10
UNITS = {"bandwidth": "GB/s", "flops": "GFlop/s", "latency": "ns"}


def topology(path, synthetic, annotations=(), restrict=None):
    """Writes topology.xml. annotations: (location, what...) as hwloc-annotate takes them."""
    path.unlink(missing_ok=True)
    limit = ["--restrict", restrict] if restrict else []
    subprocess.run(["lstopo-no-graphics", "-i", synthetic, *limit, "--of", "xml", "-f", str(path)], check=True,
                   stdout=subprocess.DEVNULL)
    for location, *what in annotations:
        subprocess.run(["hwloc-annotate", path, path, "--", location, "--", *map(str, what)], check=True)
    if "numa(memory=0)" in synthetic:  # an unknown size; from 2.10 on, hwloc takes 1 GiB instead
        subprocess.run(["hwloc-annotate", path, path, "--", "numa:all", "--", "size", "0"], check=True)


def side_caches(path, size):
    """Adds a memory-side cache of `size` bytes to every memory node, which hwloc's synthetic descriptions cannot express."""
    text, number = path.read_text(), 10000

    def wrap(match):
        nonlocal number
        number += 1
        indent, node = match[1], match[0]
        sets = " ".join(re.findall(r'(?:complete_)?(?:cpu|node)set="[^"]*"', node.split("\n", 1)[0]))
        cache = (f'<object type="MemCache" {sets} gp_index="{number}" cache_size="{size}" depth="1" '
                 f'cache_linesize="64" cache_associativity="1" cache_type="0">')
        return f"{indent}{cache}\n" + "".join(f"  {line}\n" for line in node.splitlines()) + f"{indent}</object>\n"

    text = re.sub(r'^( *)<object type="NUMANode".*?</object>\n', wrap, text, flags=re.M | re.S)
    path.write_text(text)


def roof(kind, value, source, *, plus_minus=0, cluster=0, level="memory", pattern="local", node=None, tier="",
         op="load", precision="", threads=0, smt=False, n=0, reason=""):
    """A published figure. plus_minus: as published, otherwise 0; n: repetitions, 0 if not published.
    value None: skipped, for `reason`."""
    value = None if value is None else round(value, 6)
    ends = [None, None] if value is None else [round(value - plus_minus, 6), round(value + plus_minus, 6)]
    return dict(cluster=cluster, kind=kind, level=level, pattern=pattern, node=node, tier=tier, op=op, kernel="",
                precision=precision, pages="", threads=threads, smt=smt, bytes=0, load_percent=0, value=value,
                lo=ends[0], hi=ends[1], unit=UNITS[kind], n=n, status="skipped" if value is None else "ok",
                reason=reason, source=source)


def peak(per_cycle, flops, cores, ghz):
    """Equation 1 of the LARM paper, GFlop/s: instructions per cycle and core, flops per instruction, cores, clock."""
    return per_cycle * flops * cores * ghz


def l1_bandwidth(per_cycle, width, cores, ghz):
    """Equation 2 of the LARM paper, GB/s: instructions per cycle and core, bytes per instruction, cores, clock."""
    return per_cycle * width * cores * ghz


def published(what, value, unit, source, **more):
    """A published figure that is not a roof. tier, op ("load", "store"): a claim of the tier's vendor, GB/s."""
    return dict(what=what, value=value, unit=unit, source=source, **more)


def per_cycle(table, source):
    """Instructions per cycle of one core. table: {op: (theoretical, experimental)}."""
    return [published(f"{op}, {kind}", value, "instructions per cycle and core", source, op=op, kind=kind)
            for op, both in table.items() for kind, value in zip(("theoretical", "experimental"), both)]


TRANSFERS = ("ls", "ss", "lf", "sf")


def hybrid(folder, *, cluster, slow, fast, theta, gb_per_s, source, reason):
    """hybrid.json of published θ. slow, fast: (node, tier); theta: {dominating: {other: θ}}; gb_per_s: {transfer: (value,
    ±)}, what is not published left out for `reason`. The θ were fitted with equation 5: for `phased` there are none."""
    def model(values):
        unknown = dict.fromkeys(TRANSFERS)
        pairs = {x: {y: None if values is None else values[x][y] for y in TRANSFERS if y != x} for x in TRANSFERS}
        none = {x: {y: None for y in row} for x, row in pairs.items()}
        why = {} if values else {x: {y: "published for equation 5 alone" for y in row} for x, row in pairs.items()}
        errors = dict(paper_percent=None, rms_percent=None, max_percent=None, held_out_rms_percent=None, cells=0,
                      held_out_cells=0)
        return dict(theta=pairs, standard_error=none, undetermined=why, errors=errors, covariance=None)

    def bandwidths(of):
        return {x: round(of(*gb_per_s[x]), 6) if x in gb_per_s else None for x in TRANSFERS}

    fit = dict(**model(theta), no_bandwidth={x: reason for x in TRANSFERS if x not in gb_per_s},
               bandwidth_gb_per_s=bandwidths(lambda value, plus_minus: value),
               bandwidth_lo_gb_per_s=bandwidths(lambda value, plus_minus: value - plus_minus),
               bandwidth_hi_gb_per_s=bandwidths(lambda value, plus_minus: value + plus_minus),
               bandwidth_n=dict.fromkeys(TRANSFERS, 0), phased=model(None), better=None, cells=0, unmodelled_cells=0)
    pair = dict(cluster=cluster, slow=dict(node=slow[0], tier=slow[1]), fast=dict(node=fast[0], tier=fast[1]), status="ok",
                reason="", source=source, fit=fit, cells=[])
    (folder / "hybrid.json").write_text(f'{{"schema":1,\n"pairs":[\n{json.dumps(pair, ensure_ascii=False)}\n]}}\n')


def lines(records):
    return "[" + ",".join("\n  " + json.dumps(record, ensure_ascii=False) for record in records) + "\n ]"


def placed(workload, variant, mteps, source, *, graph, vertices, edges, parts, threads, smt, runs, ranks=0, cluster=0,
           notes=()):
    """A published figure of a workload, in million traversed edges per second. parts: (name, tier, how). ranks: that
    PageRank computes at once."""
    more = dict(ranks=ranks) if ranks else {}
    return dict(schema=1, workload=workload, variant=variant, **more, graph=graph, vertices=vertices, edges=edges,
                cluster=cluster, threads=threads, smt=smt,
                parts=[dict(name=name, tier=tier, kind=tier, how=how, bytes=0, node_bytes={}) for name, tier, how in parts],
                how="", ways_teps={}, seconds=[], traversed=[], flops=0.0, load_bytes=0.0, store_bytes=0.0, verified="",
                disturbed=0, status="ok", reason="", notes=list(notes), started="", teps=round(mteps * 1e6, 3), runs=runs,
                source=source)


def write(folder, gable, *, roofs, sources, figures=(), not_published=(), placements=()):
    """roofs.json, placements.jsonl, and machine.json: gable's description of topology.xml, with the source
    of each part."""
    shown = subprocess.run([gable, "machine", "--xml", folder / "topology.xml", "--json"], check=True,
                           capture_output=True, text=True).stdout
    more = f'"sources": {lines(sources)},\n "published": {lines(figures)},\n "not_published": {lines(not_published)}'
    (folder / "machine.json").write_text(shown.rstrip()[:-1].rstrip() + ",\n " + more + "}\n")
    text = ",\n".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in roofs)
    (folder / "roofs.json").write_text(f'{{"schema":1,\n"roofs":[\n{text}\n],\n"ladder":[\n],\n"levels":[\n]}}\n')
    if placements:
        (folder / "placements.jsonl").write_text(
            "".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in placements))


def arguments():
    """(folder to write into, program): from the command line of a make.py."""
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} FOLDER GABLE")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    return folder, sys.argv[2]
