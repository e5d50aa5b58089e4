#!/usr/bin/env python3
"""What verdicts say of other places for the data is what `gable predict` says of them.

advice_check.py GABLE FOLDER          checks the points that FOLDER has
advice_check.py GABLE FOLDER --fill   first writes points of many kinds into FOLDER, a copy of a published machine"""
import json
import pathlib
import re
import subprocess
import sys

gable, folder = sys.argv[1], pathlib.Path(sys.argv[2])
roofs = [roof for roof in json.loads((folder / "roofs.json").read_text())["roofs"]
         if roof.get("status", "ok") == "ok" and roof["kind"] == "bandwidth" and roof["level"] == "memory" and roof["node"] is not None]


def nodes_of(cluster):
    return sorted({roof["node"] for roof in roofs if roof["cluster"] == cluster})


def run(*arguments):
    done = subprocess.run([gable, *arguments], capture_output=True, text=True)
    if done.returncode == 2 and "predict" not in arguments:
        sys.exit(done.stderr)
    return json.loads(done.stdout) if done.returncode == 0 else None


def fill():
    machine = json.loads((folder / "machine.json").read_text())
    cluster = machine["clusters"][0]
    levels = [f"L{cache['level']}" for cache in cluster.get("caches", []) if cache["level"] > 1]
    points = []

    def add(name, node, gb, written=0.0, moved=None, chained=0.0, flops=1e6, **more):
        """`moved`: GB that each level transfers; None: not known."""
        point = {"name": f"{name} {node}", "cluster": cluster["index"], "alone": True, "threads": cluster["cores"],
                 "counter": "profile", "seconds": 1, "seconds_lo": 0.98, "seconds_hi": 1.02, "node_bytes": {str(node): 1 << 40},
                 "flops": flops, "load_bytes": gb * 1e9, "store_bytes": written * 1e9, "policy": "first-touch", **more}
        if moved is not None:
            level = {"read": moved * 1e9, "written": written * 1e9}
            point["levels"] = [{"level": each, **level} for each in levels]
            point["levels"].append({"level": "memory", **level, "chained": chained * 1e9})
        points.append(point)

    best = {node: max(r["value"] for r in roofs if r["node"] == node and r["cluster"] == cluster["index"]) for node in nodes_of(cluster["index"])}
    for node, roof in best.items():
        for share in (0.02, 0.3, 0.6, 0.75, 0.95, 1.5, 4):
            add(f"unknown {share}", node, share * roof)
            add(f"stores {share}", node, 0.5 * share * roof, 0.5 * share * roof)
            if share <= 1:
                add(f"stream {share}", node, roof * share, moved=roof * share)
                add(f"update {share}", node, roof * share, roof * share / 2, moved=roof * share)
                add(f"cached {share}", node, 2 * roof, moved=roof * share / 10)
                add(f"chain {share}", node, roof * share / 8, moved=roof * share / 8, chained=roof * share / 8)
    everywhere = {str(node): 1 << 40 for node in best}
    for share in (0.3, 0.9):
        add(f"all {share}", "spread", share * len(best) * min(best.values()), cluster=None, alone=False, threads=0, node_bytes=everywhere)
    (folder / "points.json").write_text(json.dumps({"schema": 1, "points": points}))


if "--fill" in sys.argv:
    fill()
document = run("point", "list", str(folder), "--json")
assert document and document["points"], "no points are listed"
said = {"would": 0, "could": 0, "none": 0, "nothing": 0}
for point in document["points"]:
    cause, name = point["cause"], point["name"]
    where = point["cluster"] if point["cluster"] is not None and point["cluster"] >= 0 else None
    if where is None:
        continue  # of all clusters: only that it is listed
    places = [f"node:{node}" for node in nodes_of(where)]
    found = run("predict", str(folder), "--point", name, "--to", *places, "--json")
    rows = {node: row for node, row in zip(nodes_of(where), found["predictions"]) if row["seconds"] is not None} if found else {}
    lies_on = max(point["node_bytes"], key=lambda node: point["node_bytes"][node])
    others = {node: row for node, row in rows.items() if str(node) != lies_on}
    sure = {node: row for node, row in others.items() if row["seconds_hi"] < point["seconds_lo"] and row["ratio"] <= 1 / 1.05}
    about = (folder.name, name, cause, {node: (row["ratio_lo"], row["ratio"], row["ratio_hi"]) for node, row in others.items()})
    would = re.search(r"With its data on node (\d+) \(.*?\) it would be ([\d.]+) times as fast \(([\d.]+) to ([\d.]+)\)", cause)
    could = re.search(r"With its data on node (\d+) \(.*?\) it could be up to ([\d.]+) times as fast", cause)
    no_place = "Another placement of its data gains little" in cause
    contradicts = "not from the same machine" in cause
    assert bool(would) + bool(could) + no_place <= 1, about
    assert not contradicts or not (would or could or no_place), about
    if would:
        row = others[int(would[1])]
        for text, ratio in zip(would.groups()[1:], (row["ratio"], row["ratio_hi"], row["ratio_lo"])):
            assert abs(float(text) - 1 / ratio) <= 0.006, about
        assert row["seconds"] == min(each["seconds"] for each in sure.values()), about
        said["would"] += 1
    else:
        assert contradicts or not sure, about
    if could:
        assert abs(float(could[2]) - 1 / others[int(could[1])]["ratio_lo"]) <= 0.006, about
        said["could"] += 1
    if no_place:
        assert others and all(row["ratio_lo"] > 1 / 1.1 for row in others.values()), about
        said["none"] += 1
    if not (would or could or no_place):
        said["nothing"] += 1
print(json.dumps(said))
