"""Compares the charts' tables of the published machines with the printed tables: zoo_check.py FOLDER

FOLDER holds a copy of machines/ with the charts drawn. The figures here were typed from the papers on their own,
without regard to machines/*/make.py.
"""

import csv
import json
import pathlib
import sys

failures = []


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def check(path, rows, printed, name_of):
    """printed: {name: figure} or {name: (figure, ±)}; every row is one of them, and the other way round."""
    seen = {}
    for row in rows:
        name = name_of(row)
        if name in seen:
            failures.append(f"{path}: {name} stands there twice")
        seen[name] = row
    if set(seen) != set(printed):
        failures.append(f"{path}: has {sorted(set(seen) - set(printed))} too much and {sorted(set(printed) - set(seen))} "
                        "not at all")
    for name in set(seen) & set(printed):
        row, figure = seen[name], printed[name]
        value, plus_minus = figure if isinstance(figure, tuple) else (figure, 0)
        if value is None:
            if row["status"] != "skipped" or not row["reason"] or row["value"]:
                failures.append(f"{path}: {name} is not skipped with a reason")
            continue
        for column, wanted in (("value", value), ("lo", value - plus_minus), ("hi", value + plus_minus)):
            if abs(float(row[column]) - wanted) > 1e-6:
                failures.append(f"{path}: {column} of {name} is {row[column]}, the paper has {wanted}")
        if not row["source"]:
            failures.append(f"{path}: {name} does not say where it comes from")


def larm_name(row):
    if row["kind"] == "flops":
        return row["op"]
    if row["pattern"] == "cache":
        return row["level"]
    return " ".join(word for word in (row["tier"], row["node"], row["pattern"]) if word)


def joe0(root):
    path = root / "joe0/charts/larm-0.tsv"
    check(path, rows_of(path), {
        "L1": 760.1, "L2": 309.2, "L3": 154.0,
        "DRAM 0 local": 36.1, "DRAM 1 remote": 17.5, "DRAM 2 remote": 15.0, "DRAM 3 remote": 14.3,
        "DRAM 0 contended": 16.7, "DRAM 1 contended": 8.3, "DRAM 2 contended": 6.8, "DRAM 3 contended": 6.2,
        "DRAM congested": 18.1,
        "fma": 1.99 * 8 * 7 * 1.7, "add": 0.99 * 4 * 7 * 1.7, "mul": 1.99 * 4 * 7 * 1.7}, larm_name)
    shown = {larm_name(row): float(row["value"]) for row in rows_of(path)}
    # Section 4.1: "reaching 190 GFlop/s for a single cluster", near the theoretical peak of two FMAs a cycle.
    if not 0.99 * 190 <= shown["fma"] <= 2 * 8 * 7 * 1.7 or round(2 * 8 * 7 * 1.7) != 190:
        failures.append(f"{path}: the FMA peak is not the paper's 190 GFlop/s")
    # Equation 2, two loads of 32 bytes a cycle, is what table 2 measured.
    if not 0.99 * 2 * 32 * 7 * 1.7 <= shown["L1"] <= 2 * 32 * 7 * 1.7:
        failures.append(f"{path}: L1 is not what equation 2 gives")
    for row in rows_of(path):  # figures 4 and 5: a roof rises to its ridge point, at the highest peak
        if row["kind"] == "bandwidth" and abs(float(row["ridge_flop_per_byte"]) * float(row["value"]) - shown["fma"]) > 1e-6:
            failures.append(f"{path}: {larm_name(row)} has its ridge elsewhere")


def knl_core():
    return {"fma": 1.70 * 16 * 16 * 1.3, "add": 1.70 * 8 * 16 * 1.3, "mul": 1.70 * 8 * 16 * 1.3, "L1": 1.66 * 64 * 16 * 1.3}


def knl_flat(root):
    if not 2.2e3 <= 4 * knl_core()["fma"] < 2.3e3:  # section 5.1: 2.2 TFlop/s for 64 cores
        failures.append("the KNL's peak is not the paper's")
    table_4 = [[(38.1, .1), (92.0, .5), (38.0, .8), (86.6, .4)], [(38.1, .1), (91.5, .4), (38.2, .1), (92.8, .4)],
               [(37.8, .1), (90.6, .5), (38.1, .1), (83.7, .6)], [(38.0, .2), (82.8, .4), (38.0, .1), (90.8, .3)]]
    for cluster in range(4):
        printed = knl_core()
        for node in range(4):
            tier = "HBM" if node in (1, 3) else "DRAM"
            local = (cluster, node) in ((0, 0), (0, 1), (1, 2), (1, 3))
            printed[f"{tier} {node} {'local' if local else 'remote'}"] = table_4[cluster][node]
        if cluster == 0:
            printed.update({"DRAM 0 local_all": (21.7, .7), "HBM 1 local_all": (90.9, 1.2), "DRAM congested": (19.8, .3),
                            "HBM congested": (77.6, 2.0), "DRAM 0 contended": 10.7, "HBM 1 contended": (21.5, .5)})
        path = root / f"knl-snc4-flat/charts/larm-{cluster}.tsv"
        check(path, rows_of(path), printed, larm_name)


def knl_cache(root):
    printed = knl_core()
    printed.update({"DRAM 0 local": (22.9, .7), "HBM 0 local": (85.4, 3.0), "DRAM 0 local_all": (20.0, .7),
                    "HBM 0 local_all": (83.3, 2.0), "DRAM congested": (17.0, .4), "HBM congested": None,
                    "DRAM 0 contended": None, "HBM 0 contended": None})
    path = root / "knl-snc4-cache/charts/larm-0.tsv"
    rows = rows_of(path)
    check(path, rows, printed, larm_name)
    reason = next(row["reason"] for row in rows if larm_name(row) == "DRAM 0 contended")
    if "MCDRAM" not in reason or "fit" not in reason:
        failures.append(f"{path}: the paper's reason is missing")


def a64fx(root):
    path = root / "a64fx-fx700/charts/larm-0.tsv"
    check(path, rows_of(path), {"L1": 115.2 / 0.765517, "L2": 115.2 / 1.960924, "HBM 0 local": 115.2 / 2.837131},
          larm_name)


def optane(root):
    hyper = {"load": (65.480, 32.669), "store": (42.782, 1.254), "copy": (53.928, 2.613), "scale": (47.512, 1.288),
             "add": (54.286, 3.987), "triad": (51.161, 2.180)}
    plain = {"load": (106.815, 40.161), "store": (73.715, 3.047), "copy": (66.715, 5.523), "scale": (66.717, 5.555),
             "add": (75.298, 8.093), "triad": (75.367, 8.185)}
    for op, (dram, pmem) in plain.items():
        path = root / f"xeon6254-optane/charts/larm-0{'' if op == 'load' else '-' + op}.tsv"
        check(path, rows_of(path), {"DRAM 0 local": dram, "NVM 1 local": pmem}, larm_name)
    path = root / "xeon6254-optane/charts/latency-0.tsv"
    check(path, rows_of(path), {"18 0": 137.14, "18 1": 403.70, "36 0": 142.02, "36 1": 403.83},
          lambda row: f"{row['threads']} {row['node']}")
    path = root / "xeon6254-optane/roofs.csv"
    with open(path, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == "bandwidth"]
    for row in rows:
        if row["lo"] or row["hi"]:
            failures.append(f"{path}: {row} has an interval, but the thesis has none")
        row["lo"] = row["hi"] = row["value"]
    printed = {f"{threads} {op} {node}": figures[node] for threads, table in ((36, hyper), (18, plain))
               for op, figures in table.items() for node in (0, 1)}
    check(path, rows, printed, lambda row: f"{row['threads']} {row['op']} {row['node']}")
    for row in rows:
        if (row["n"], row["smt"]) != ("10", "true" if row["threads"] == "36" else "false"):
            failures.append(f"{path}: {row} are not ten runs, with or without SMT")


def optane_placements(root):
    charts = root / "xeon6254-optane/charts"
    ranks = "1 rank,2 ranks,4 ranks,8 ranks,16 ranks,32 ranks,64 ranks".split(",")
    pagerank = {  # tables 3.3 and 3.5
        "36 DD": (539.047, 1059.3, 2083.336, 3983.992, 7233.536, 11207.712, 15574.336),
        "36 PD": (525.111, 1020.588, 1974.816, 3556.696, 6021.776, 9484.992, 13864.0),
        "36 PP": (448.246, 761.932, 1124.968, 1345.904, 1683.392, 2054.726, 2194.752),
        "18 PP": (672.942, 1044.704, 1691.844, 2164.136, 2719.584, 3420.224, 4275.705)}
    bfs = {"18 DD": (851.299, 288.185), "18 PD": (533.13, 224.028),  # table 3.4
           "36 PP": (181.847, 115.667), "18 PP": (294.115, 169.945)}  # table 3.6
    for name, columns, variants in (("place-pagerank-0-Live-Journal", pagerank, ranks),
                                    ("place-bfs-0", bfs, ("top-down", "bottom-up"))):
        printed = {f"{column} {variant}": figure for column, figures in columns.items()
                   for variant, figure in zip(variants, figures, strict=True)}
        rows = rows_of(charts / f"{name}.tsv")
        for row in rows:
            row["value"] = row["mteps"]
            if (row["n"], row["smt"]) != ("10", "yes" if row["threads"] == "36" else "no"):
                failures.append(f"{name}: {row} are not ten runs, with or without SMT")
        check(charts / f"{name}.tsv", rows, printed,
              lambda row: f"{row['threads']} {row['placement']} {row['variant']}")


def table_6(root):
    order = "lf_sf lf_ls lf_ss ls_sf ls_lf ls_ss sf_lf sf_ls sf_ss ss_sf ss_ls ss_lf".split()
    printed = {"skylake-2s": (.966, .600, -.102, .465, .294, .373, .912, .067, .337, .059, .293, .54),
               "knl-snc4-flat": (.238, .722, .985, .956, .611, .564, .183, .953, .797, .726, .571, .65)}
    for name, figures in printed.items():
        [pair] = json.loads((root / name / "hybrid.json").read_text(encoding="utf-8"))["pairs"]
        for place, figure in zip(order, figures):
            dominating, other = place.split("_")
            if pair["fit"]["theta"][dominating][other] != figure:
                failures.append(f"{name}: theta {place} is not {figure}")
    if (root / "skylake-2s/charts").exists() and list((root / "skylake-2s/charts").glob("*.tsv")):
        failures.append("skylake-2s: curves without published bandwidths")

    # Equation 5 for loads alone: half of them from either memory, the slow one's take longer.
    path = root / "knl-snc4-flat/charts/hybrid-0-0-1.tsv"
    curve = {float(row["fast_percent"]): float(row["gb_per_s"]) for row in rows_of(path) if row["series"] == "equation5"}
    band = {float(row["fast_percent"]): (float(row["lo"]), float(row["hi"])) for row in rows_of(path)
            if row["series"] == "limits"}
    slow, fast = 0.5 / 38.1, 0.5 / 92.0
    for share, wanted in ((0, 38.1), (100, 92.0), (50, 1 / (slow + 0.611 * fast))):
        if abs(curve[share] - wanted) > 1e-6:
            failures.append(f"{path}: {curve[share]} at {share} %, equation 5 gives {wanted}")
    if abs(band[50][0] - 1 / (slow + fast)) > 1e-6 or abs(band[50][1] - 1 / slow) > 1e-6:
        failures.append(f"{path}: the limits at 50 % are {band[50]}")
    if {row["load_percent"] for row in rows_of(path)} != {"100"} or any(row["series"] == "phased" for row in rows_of(path)):
        failures.append(f"{path}: shows what is not published")


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    for machine in (joe0, knl_flat, knl_cache, a64fx, optane, optane_placements, table_6):
        machine(folder)
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)
