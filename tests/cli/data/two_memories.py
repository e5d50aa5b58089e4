#!/usr/bin/env python3
"""two_memories.py FOLDER GABLE: makes the folder with roofs.json and hybrid.json of an invented machine of one cluster
with DRAM and HBM, as `gable fit` leaves them: a grid made with known parameters and 1 % noise, three applications over the
same placements, and pages interleaved N:M. The seed is fixed.
"""
import json
import pathlib
import random
import subprocess
import sys

SLOW, FAST = dict(node=0, tier="DRAM"), dict(node=1, tier="HBM")
GB_PER_S = dict(ls=60, ss=34, lf=140, sf=85)
THETA = {"lf": dict(sf=0.24, ls=0.72, ss=0.98), "ls": dict(sf=0.95, lf=0.61, ss=0.56),
         "sf": dict(lf=0.18, ls=0.95, ss=0.80), "ss": dict(sf=0.73, ls=0.57, lf=0.65)}
RATIOS = (1, 4 / 5, 2 / 3, 1 / 2, 1 / 3, 1 / 5, 0)  # loads of all accesses
SHARES = range(0, 101, 10)  # percent in the fast memory
APPLICATIONS = (("ddot", 1, 0.985), ("scale_nt", 1 / 2, 0.93), ("triad_nt", 2 / 3, 0.95))  # of the model's bandwidth
WEIGHTS = ((1, 3), (3, 1), (2, 3), (3, 2))  # slow to fast
TOTAL = 1 << 30
REPETITIONS, VISITS = 9, 9

chance = random.Random(1419)


def mixed(load, fast, total=TOTAL):
    return dict(ls=total * load * (1 - fast), ss=total * (1 - load) * (1 - fast), lf=total * load * fast,
                sf=total * (1 - load) * fast)


def equation_5(q):
    t = {x: q[x] / (GB_PER_S[x] * 1e9) for x in q}
    top = max(t, key=t.get)
    return t[top] + sum(THETA[top][y] * t[y] for y in t if y != top)


def seconds(load, fast):
    """Pages alternate while both memories last; the rest is in one."""
    both = 2 * min(fast, 1 - fast)
    return equation_5(mixed(load, 0.5, TOTAL * both)) + equation_5(mixed(load, round(fast), TOTAL * (1 - both)))


def cell(load, fast):
    visits = sorted(seconds(load, fast) * (1 + chance.gauss(0, 0.01)) for _ in range(VISITS))
    return dict(bytes=mixed(load, fast), seconds=visits[VISITS // 2], lo=visits[1], hi=visits[-2], n=VISITS * REPETITIONS)


def interleaved(load, slow, fast):
    """The same mix throughout, which is a little faster than the phases."""
    mean = 0.97 * equation_5(mixed(load, fast / (slow + fast)))
    visits = sorted(mean * (1 + chance.gauss(0, 0.01)) for _ in range(VISITS))
    return dict(slow=slow, fast=fast, bytes=mixed(load, fast / (slow + fast)), seconds=visits[VISITS // 2], lo=visits[1],
                hi=visits[-2], n=VISITS * REPETITIONS)


def application(op, load, fast, part):
    """Reaches `part` of the memories' bandwidth."""
    made = cell(load, fast)
    return dict(op=op, bytes=made["bytes"], **{name: made[name] / part for name in ("seconds", "lo", "hi")}, n=made["n"])


def roof(node, tier, gb_per_s):
    return dict(cluster=0, kind="bandwidth", level="memory", pattern="local", node=node, tier=tier, op="load",
                kernel="load_avx512", precision="", pages="4k", threads=8, smt=False, bytes=1 << 27, load_percent=0,
                value=gb_per_s, lo=0.99 * gb_per_s, hi=1.01 * gb_per_s, unit="GB/s", n=VISITS * REPETITIONS, status="ok",
                reason="")


def lines(records):
    return "[\n" + ",\n".join(json.dumps(record, separators=(",", ":")) for record in records) + "\n]"


def main(folder, gable):
    folder.mkdir(parents=True, exist_ok=True)
    cells = [cell(load, share / 100) for load in RATIOS for share in SHARES]
    names = dict(ls="load_slow_bytes", ss="store_slow_bytes", lf="load_fast_bytes", sf="store_fast_bytes")
    rows = [",".join([*names.values(), "seconds"])]
    rows += [",".join(f"{number:.9g}" for number in (*(one["bytes"][x] for x in names), one["seconds"])) for one in cells]
    grid = folder / "grid.csv"
    grid.write_text("\n".join(rows) + "\n")
    fit = json.loads(subprocess.run([gable, "fit", "--grid", grid, "--json"], check=True, capture_output=True,
                                    text=True).stdout)
    grid.unlink()
    for more in ("schema", "rows"):
        fit.pop(more, None)
    pair = dict(cluster=0, slow=SLOW, fast=FAST, status="ok", reason="", source="", fit=fit)
    head = json.dumps(pair, separators=(",", ":"))[:-1]
    runs = [application(op, load, share / 100, part) for op, load, part in APPLICATIONS for share in SHARES]
    woven = [interleaved(load, *weights) for load in RATIOS for weights in WEIGHTS]
    arrays = f'"cells":{lines(cells)},\n"applications":{lines(runs)},\n"interleaved":{lines(woven)}'
    (folder / "hybrid.json").write_text(f'{{"schema":1,\n"pairs":[\n{head},\n{arrays}}}\n],\n"missing":[\n]}}\n')

    roofs = [roof(pair["node"], pair["tier"], GB_PER_S[x]) for pair, x in ((SLOW, "ls"), (FAST, "lf"))]
    text = f'{{"schema":1,\n"roofs":{lines(roofs)},\n"ladder":[\n],\n"levels":[\n]}}\n'
    (folder / "roofs.json").write_text(text)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2])
