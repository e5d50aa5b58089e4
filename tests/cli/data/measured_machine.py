"""A folder as in machines/measured: measured_machine.py FOLDER. Its figures are joe0's, with intervals and repetitions."""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
JOE0 = ROOT / "machines" / "joe0"


def roofs():
    data = json.loads((JOE0 / "roofs.json").read_text())
    for roof in data["roofs"]:
        roof.pop("source")
        roof.update(n=40, lo=0.99 * roof["value"], hi=1.01 * roof["value"])
    local = next(roof for roof in data["roofs"] if roof["pattern"] == "local")
    data["roofs"].append(dict(local, kind="latency", op="chase", unit="ns", threads=1, value=90.0, lo=89.0, hi=91.5))
    data["levels"] = [dict(cluster=0, level="L1", claimed_bytes=32768, measured_bytes=32768, confirmed=True, remark="")]
    first = data["roofs"][0]
    case = {name: first[name] for name in ("cluster", "kind", "level", "pattern", "node", "tier", "op", "kernel", "precision",
                                           "pages", "threads", "smt", "bytes", "load_percent")}
    data["validation"] = [dict(case, gb_per_s=first["value"], peak_gflop_per_s=189.4, paper_percent=None, rms_percent=None,
                               max_percent=None, points=[])]
    return data


def programs():
    lines = []
    cases = [line.split() for line in (ROOT / "tests/bench/programs/cases.txt").read_text().splitlines() if line[0] != "#"]
    for name, *arguments in cases:
        for threads in (1, 2):
            times = {f"{what}{end}": base * factor for what, base in (("seconds", 0.9), ("region_seconds", 0.8))
                     for end, factor in (("", 1), ("_min", 0.99), ("_max", 1.02))}
            lines.append(dict(program=name, arguments=arguments, threads=threads, runs=7, user_seconds=0.8 * threads,
                              kernel_seconds=0.05, **times))
    return dict(schema=1, compiler="gcc 12.2.0", flags="-O2", cpus=[0, 1], started="2026-01-01T00:00:00Z", repeated_runs=0,
                programs=lines)


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True)
machine = json.loads((JOE0 / "machine.json").read_text())
for field in ("sources", "published", "not_published"):
    machine.pop(field)
machine.update(name=folder.name, kernel="6.1.2")
(folder / "machine.json").write_text(json.dumps(machine))
lines = [line for line in (JOE0 / "topology.xml").read_text().splitlines() if '"ProcessName"' not in line]
(folder / "topology.xml").write_text("\n".join(lines).replace('"HostName" value="joe0"', f'"HostName" value="{folder.name}"'))
(folder / "roofs.json").write_text(json.dumps(roofs()))
(folder / "programs.json").write_text(json.dumps(programs()))
