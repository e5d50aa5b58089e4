"""Compares the tables of the hybrid charts with hybrid.json: plot_hybrid_check.py FOLDER

The models are computed anew here from the θ in the file.
"""

import csv
import json
import math
import pathlib
import sys

failures = []
TRANSFERS = ("ls", "ss", "lf", "sf")


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def near(path, what, found, wanted):
    if abs(float(found) - wanted) > 1e-6 * wanted:
        failures.append(f"{path}: {what} is {found}, not {wanted}")


def times(fit, load, fast, part=1.0):
    shares = dict(ls=load * (1 - fast), ss=(1 - load) * (1 - fast), lf=load * fast, sf=(1 - load) * fast)
    return {x: part * shares[x] / fit["bandwidth_gb_per_s"][x] for x in TRANSFERS}


def equation_5(theta, t):
    longest = max(TRANSFERS, key=lambda x: t[x])
    return t[longest] + sum(theta[longest][y] * t[y] for y in TRANSFERS if y != longest and t[y] > 0)


def phases(load, fast):
    """(share in the fast memory, part of all bytes): pages alternate while both memories last."""
    alternating = min(fast, 1 - fast) * 2
    return (0.5, alternating), (0.0 if fast < 0.5 else 1.0, 1 - alternating)


def phased(fit, load, fast):
    theta = fit["phased"]["theta"]
    return sum(equation_5(theta, times(fit, load, share, part)) for share, part in phases(load, fast))


def turnaround(fit, load, fast):
    """As phased, and c / sqrt(1/l² + 1/s²) of the bytes of each memory, and c (sqrt(Σ t²) - max t)."""
    model = fit["turnaround"]
    seconds = 0
    for share, part in phases(load, fast):
        t = times(fit, load, share, part)
        seconds += equation_5(model["theta"], t)
        seconds += model["terms"]["contention"]["value"] * (math.hypot(*t.values()) - max(t.values()))
        for memory, of_memory in (("slow", 1 - share), ("fast", share)):
            loads, stores = load * of_memory * part, (1 - load) * of_memory * part
            if loads > 0 and stores > 0:
                turns = 1 / math.hypot(1 / loads, 1 / stores) / fit["bandwidth_gb_per_s"]["l" + memory[0]]
                seconds += model["terms"]["turns_" + memory]["value"] * turns
    return seconds


def check_curves(path, fit, rows):
    for row in rows:
        load, fast = float(row["load_percent"]) / 100, float(row["fast_percent"]) / 100
        where = f"{row['series']} at {row['load_percent']} % loads, {row['fast_percent']} % fast"
        t = times(fit, load, fast)
        ordered = sorted(t.values())
        in_doubt = ordered[-1] - ordered[-2] < 1e-9 * ordered[-1]  # either transfer may be called the longest
        if row["series"] == "limits":
            near(path, where + " (equation 3)", row["hi"], 1 / max(t.values()))
            near(path, where + " (equation 4)", row["lo"], 1 / sum(t.values()))
        if row["series"] == "equation5" and not in_doubt:
            near(path, where, row["gb_per_s"], 1 / equation_5(fit["theta"], t))
        if row["series"] == "phased":
            near(path, where, row["gb_per_s"], 1 / phased(fit, load, fast))
        if row["series"] == "turnaround":
            near(path, where, row["gb_per_s"], 1 / turnaround(fit, load, fast))


def check_benchmark(path, cells, rows, whole):
    """Every cell of the shown ratios appears once; in the chart of the grid, every cell."""
    shown = {(round(float(row["load_percent"])), round(float(row["fast_percent"]))): row for row in rows
             if row["series"] == "benchmark"}
    ratios = {ratio for ratio, _ in shown}
    expected = 0
    for cell in cells:
        total = sum(cell["bytes"].values())
        place = (round(100 * (cell["bytes"]["ls"] + cell["bytes"]["lf"]) / total),
                 round(100 * (cell["bytes"]["lf"] + cell["bytes"]["sf"]) / total))
        if place[0] not in ratios:
            if whole:
                failures.append(f"{path}: no panel for {place[0]} % loads")
            continue
        expected += 1
        row = shown[place]
        near(path, f"the cell {place}", row["gb_per_s"], total / 1e9 / cell["seconds"])
        near(path, f"lo of the cell {place}", row["lo"], total / 1e9 / cell["hi"])
        near(path, f"hi of the cell {place}", row["hi"], total / 1e9 / cell["lo"])
    if expected != len([row for row in rows if row["series"] == "benchmark"]):
        failures.append(f"{path}: not one row for each cell")


def check_interleaved(path, wanted, rows):
    """Every measured N:M appears once; the line of their equation 5 is near them."""
    shown = {(round(float(row["load_percent"])), row["interleave"]): row for row in rows if row["series"] == "interleaved"}
    lines = {(round(float(row["load_percent"])), round(float(row["fast_percent"]))): float(row["gb_per_s"]) for row in rows
             if row["series"] == "interleaved_equation5"}
    if not wanted or len(shown) != len(wanted):
        failures.append(f"{path}: {len(shown)} of {len(wanted)} interleaves")
    for cell in wanted:
        total = sum(cell["bytes"].values())
        load = round(100 * (cell["bytes"]["ls"] + cell["bytes"]["lf"]) / total)
        row = shown[load, f"{cell['slow']}:{cell['fast']}"]
        near(path, f"{cell['slow']}:{cell['fast']}", row["gb_per_s"], total / 1e9 / cell["seconds"])
        fast = 100 * cell["fast"] / (cell["slow"] + cell["fast"])
        near(path, "its share", row["fast_percent"], fast)
        if (load, round(fast)) in lines and abs(lines[load, round(fast)] / float(row["gb_per_s"]) - 1) > 0.05:
            failures.append(f"{path}: the line is {lines[load, round(fast)]} at {row}")
    if not lines:
        failures.append(f"{path}: no line of interleaves")


def check_applications(path, wanted, rows):
    ratios = {"ddot": 100, "scale": 50, "triad": 200 / 3}
    shown = [row for row in rows if row["series"] == "application"]
    if not wanted or len(shown) != len(wanted):
        failures.append(f"{path}: {len(shown)} of {len(wanted)} figures of applications")
    for run in wanted:
        total = sum(run["bytes"].values())
        fast = 100 * (run["bytes"]["lf"] + run["bytes"]["sf"]) / total
        name = run["op"].split("_")[0]
        found = [row for row in shown if row["title"].startswith(name + ":") and abs(float(row["fast_percent"]) - fast) < 1e-6]
        if len(found) != 1:
            failures.append(f"{path}: {name} at {fast} % stands there {len(found)} times")
            continue
        for column, seconds in (("gb_per_s", "seconds"), ("lo", "hi"), ("hi", "lo")):
            near(path, f"{column} of {name} at {fast} %", found[0][column], total / 1e9 / run[seconds])
        near(path, f"the loads of {name}", found[0]["load_percent"], ratios[name])


def main(folder):
    [pair] = json.loads((folder / "hybrid.json").read_text(encoding="utf-8"))["pairs"]
    name = f"{pair['cluster']}-{pair['slow']['node']}-{pair['fast']['node']}.tsv"
    grid, applications = folder / "charts" / f"hybrid-{name}", folder / "charts" / f"hybrid-applications-{name}"
    for path, whole in ((grid, True), (applications, False)):
        rows = rows_of(path)
        for series in ("limits", "equation5", "phased", "turnaround", "benchmark"):
            if not any(row["series"] == series for row in rows):
                failures.append(f"{path}: no {series}")
        check_curves(path, pair["fit"], rows)
        check_benchmark(path, pair["cells"], rows, whole)
    check_interleaved(grid, pair["interleaved"], rows_of(grid))
    if any(row["series"].startswith("interleaved") for row in rows_of(applications)):
        failures.append(f"{applications}: pages of applications are not interleaved N:M")
    check_applications(applications, pair["applications"], rows_of(applications))
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
