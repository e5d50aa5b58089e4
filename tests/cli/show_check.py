#!/usr/bin/env python3
"""show_check.py ROOFS.json SHOWN.json SCREEN.txt: what gable show printed for a folder, against its roofs.json.

Works out from roofs.json alone which figure is the best of each question, and compares every figure of the JSON document
and of the screen with it."""

import collections
import json
import math
import sys

roofs_path, shown_path, screen_path = sys.argv[1:]
roofs = json.load(open(roofs_path))["roofs"]
shown = json.load(open(shown_path))
screen = open(screen_path).read()
FIGURE = ("value", "lo", "hi", "unit", "n", "status")


def best(wanted):
    """The best ok roof of each cluster and node among the selected ones."""
    found = {}
    for roof in roofs:
        if roof["status"] != "ok" or not wanted(roof):
            continue
        key = roof["cluster"], roof["node"]
        sign = -1 if roof["unit"] == "ns" else 1
        if key not in found or sign * roof["value"] > sign * found[key]["value"]:
            found[key] = roof
    return found


def no_interval(roof):
    return roof["lo"] == roof["hi"] if roof.get("source") else roof["n"] < 2


def same(what, records, wanted):
    expected = best(wanted)
    got = {(one["cluster"], one["node"]): one for one in records if one["status"] == "ok"}
    assert got.keys() == expected.keys(), (what, got.keys(), expected.keys())
    for key, one in got.items():
        wanted_figure = dict(expected[key])
        if no_interval(wanted_figure):
            wanted_figure.update(lo=None, hi=None)
        for field in FIGURE:
            assert one[field] == wanted_figure[field], (what, key, field, one[field], wanted_figure[field])
    return list(got.values())


def number(value):
    if 0 < value < 0.1:
        return f"{value:.3g}"
    return f"{value:.{0 if value >= 999.95 else 1 if value >= 99.995 else 3 if 0 < value < 0.9995 else 2}f}"


def text_of(figure):
    """As the screen must show it."""
    value, lo, hi = (figure[name] for name in ("value", "lo", "hi"))
    if figure.get("source"):
        if lo is None:
            return number(value)
    elif figure["n"] < 2:
        return number(value) + " ±?"
    percent = 100 * max(hi - value, value - lo) / value
    if percent > 100:
        return f"{number(value)} ({number(lo)} to {number(hi)})"
    return f"{number(value)} ±{math.ceil(percent * 10 - 1e-9) / 10:.1f} %"


def alone(roof):
    return roof["level"] == "memory" and roof["node"] is not None and roof["pattern"] in ("local", "remote")


single, clusters = [], set()
matrix = shown["matrix"]
for name, kind in (("bandwidth", "bandwidth"), ("latency", "latency")):
    cells = same(name, matrix[name], lambda roof: roof["kind"] == kind and alone(roof) and
                 (kind == "latency" or roof["op"] == "load"))
    if len({(one["cluster"], one["node"]) for key in matrix for one in matrix[key]}) > 1:
        single += cells
for line in shown["lines"]:
    name = line["name"]
    if name.startswith("peak FMA"):
        precision = name[-2:].lower()
        wanted = lambda roof: roof["kind"] == "flops" and roof["op"] == "fma" and roof["precision"] == precision
        found = same(name, line["figures"], wanted)
    elif name == "mispredicted branch":  # twice what random outcomes take longer
        found = line["figures"]
        for one in found:
            branch = {roof["op"]: roof["value"] for roof in roofs
                      if roof["kind"] == "branch" and roof["status"] == "ok" and roof["cluster"] == one["cluster"]}
            clock = {roof["op"]: roof.get("clock_ghz", 0) for roof in roofs if roof["cluster"] == one["cluster"]}["branch_random"]
            cost = 2 * (branch["branch_random"] - branch["branch_steady"]) * (clock if one["unit"] == "cycles" else 1)
            assert abs(one["value"] - max(cost, 0)) < 1e-6, (one, branch)
    elif name in ("instruction window", "store window"):  # what a core executes in the latency of the same place
        op, half_iteration = ("random_apart", 17) if name == "instruction window" else ("store_apart", 8)
        found = line["figures"]
        for one in found:
            own = [roof for roof in roofs if roof["status"] == "ok" and roof["cluster"] == one["cluster"]]
            rate = next(roof for roof in own if roof["kind"] == "window" and roof["op"] == op)
            place = ("level", "node", "pages", "pattern")
            ns = next(roof["value"] for roof in own if roof["kind"] == "latency" and all(roof[of] == rate[of] for of in place))
            assert abs(one["value"] - max(1, rate["value"] * ns - half_iteration)) < 1e-6, (one, rate, ns)
    else:
        place, *rest = name.split(" loads")
        random = place.endswith(" random")
        place = place.removesuffix(" random")
        pattern = {"": "cache", ", local": "local", ", remote": "remote", ", all clusters busy": "local_all"}["".join(rest)]
        where = lambda roof: roof["pattern"] == pattern and (
            roof["level"] == place or roof["level"] == "memory" and roof["tier"] == place)
        kind, op = ("random", "random") if random else ("bandwidth", "load")
        found = same(name, line["figures"], lambda roof: roof["kind"] == kind and roof["op"] == op and where(roof))
        found += same(name, line["latencies"], lambda roof: roof["kind"] == "latency" and not random and where(roof))
    counts = collections.Counter((one["cluster"], one["unit"]) for one in found)
    clusters |= {one["cluster"] for one in found}
    single += [one for one in found if counts[one["cluster"], one["unit"]] == 1]
for operation in shown["operations"]:
    for unit in ("ns", "cycles"):
        for one in operation[unit]:
            measured = {roof["op"]: roof for roof in roofs
                        if roof["kind"] == "operation" and roof["status"] == "ok" and roof["cluster"] == one["cluster"]}
            roof, product = measured[one["op"]], measured.get("chain_mul")
            clock = roof.get("clock_ghz", 0)
            time = roof["value"]
            if one["op"].startswith("chain_sqrt"):
                time -= product["value"] * (product.get("clock_ghz", 0) / clock or 1 if clock else 1)
            assert abs(one["value"] - time * (clock if unit == "cycles" else 1)) < 1e-6, (one, roof, product)
            assert operation["name"] in screen, operation["name"]
if "lowest to highest" not in screen:
    for one in single:
        assert text_of(one) in screen, (text_of(one), one)
for line in screen.split("\n"):
    assert len(line) <= 120, line
    assert line == line.rstrip(), repr(line)
if "roofs" in shown:
    kept = json.load(open(roofs_path))
    for key in ("roofs", "ladder"):
        assert shown["roofs"][key] == kept[key], key
print(f"{len(single)} figures, {len(clusters)} clusters")
