"""Knights Landing 7230, SNC-4, MCDRAM as memory of its own. LARM paper, section 5, tables 3 to 5."""

import json
import statistics

import knl
import zoo

TABLE_4 = {  # node: (GB/s, ±) to clusters 0 to 3
    0: ((38.1, 0.1), (38.1, 0.1), (37.8, 0.1), (38.0, 0.2)),
    1: ((92.0, 0.5), (91.5, 0.4), (90.6, 0.5), (82.8, 0.4)),
    2: ((38.0, 0.8), (38.2, 0.1), (38.1, 0.1), (38.0, 0.1)),
    3: ((86.6, 0.4), (92.8, 0.4), (83.7, 0.6), (90.8, 0.3))}
TABLE_5 = {  # pattern: (GB/s, ±) of DRAM, of MCDRAM; all clusters at work; cluster 0
    "local_all": ((21.7, 0.7), (90.9, 1.2)), "congested": ((19.8, 0.3), (77.6, 2.0)),
    "contended": ((10.7, 0.0), (21.5, 0.5))}
TABLE_6 = {"lf": {"sf": 0.238, "ls": 0.722, "ss": 0.985}, "ls": {"sf": 0.956, "lf": 0.611, "ss": 0.564},
           "sf": {"lf": 0.183, "ls": 0.953, "ss": 0.797}, "ss": {"sf": 0.726, "ls": 0.571, "lf": 0.65}}
TIERS = ("DRAM", "HBM")  # nodes alternate: DRAM, MCDRAM

folder, gable = zoo.arguments()
zoo.topology(folder / "topology.xml", f"pack:1 group:4 [numa(memory=0)] [numa(memory=0)] {knl.TILES}",
             [("root", "info", "HostName", "knl-snc4-flat"), *knl.NAMED,
              *((f"numa:{node}", "subtype", ("DRAM", "MCDRAM")[node % 2]) for node in range(8))])

roofs = [one for cluster in range(knl.CLUSTERS) for one in knl.core_roofs(cluster)]
for cluster in range(knl.CLUSTERS):
    for node, row in TABLE_4.items():
        value, plus_minus = row[cluster]
        roofs.append(zoo.roof("bandwidth", value, "LARM table 4", plus_minus=plus_minus, cluster=cluster, node=node,
                              pattern="local" if node // 2 == cluster else "remote", tier=TIERS[node % 2],
                              threads=knl.CORES))
for pattern, figures in TABLE_5.items():
    for node, (value, plus_minus) in enumerate(figures):
        roofs.append(zoo.roof("bandwidth", value, "LARM table 5", plus_minus=plus_minus, pattern=pattern,
                              node=None if pattern == "congested" else node, tier=TIERS[node], threads=knl.CORES))

zoo.hybrid(folder, cluster=0, slow=(0, "DRAM"), fast=(1, "HBM"), theta=TABLE_6,
           gb_per_s={"ls": TABLE_4[0][0], "lf": TABLE_4[1][0]}, source="LARM tables 6 (θ) and 4 (bandwidths)",
           reason="not published, only drawn (LARM figures 16 and 17)")
zoo.write(folder, gable, roofs=roofs, sources=knl.SOURCES, figures=knl.FIGURES,
          not_published=[*knl.NOT_PUBLISHED, "bandwidth from the memories of clusters 2 and 3 (said to be similar), so "
                         "no local roofs of these clusters"])

# The figures for `gable kmaf replay` (docs/formats/traces.md, replay.json). Figures that the paper does not have are from
# a Xeon Phi 7210, which has the same cores and clock as the 7230.
LAM = "Lam, Chips and Cheese, Knight's Landing: Atom with AVX-512, December 2022, Xeon Phi 7210"
CLOCK, REMOTE = knl.GHZ, [row[cluster] for node, row in TABLE_4.items() for cluster in range(knl.CLUSTERS)
                          if node % 2 == 1 and node // 2 != cluster]
DRAM_NS, MCDRAM_NS, CORE_GB = 143, 170, 13
REPLAY = {
    "schema": 1,
    "l1_ns": round(4 / CLOCK, 2), "l2_ns": round(17 / CLOCK, 1), "core_transfer_ns": 90, "node_transfer_ns": 90,
    "local_ns": DRAM_NS, "remote_ns": 147,
    "link_gb_per_s": round(statistics.median(value for value, _ in REMOTE) * 72 / 64, 1),
    "memory_gb_per_s": knl.CLUSTERS * TABLE_5["contended"][0][0],
    "all_memory_gb_per_s": knl.CLUSTERS * TABLE_5["local_all"][0][0],
    "tiers": [{"tier": "HBM", "local_ns": MCDRAM_NS, "remote_ns": 179, "memory_gb_per_s": TABLE_5["local_all"][1][0],
               "memory_bytes": knl.MCDRAM_BYTES}],
    "core": {"misses": round(CORE_GB * DRAM_NS / 64), "window": 72},
    "sources": [
        f"l1_ns, l2_ns: 4 and 17 clocks ({LAM}) at 1.3 GHz",
        "core_transfer_ns, node_transfer_ns: 80 to 100 ns between tiles, in SNC-4 too (Lam)",
        "local_ns, HBM local_ns: 143 ns and 170 ns in SNC-4 flat (Lam)",
        "remote_ns, HBM remote_ns: 147 ns of DRAM without clusters, 179 ns of MCDRAM of other clusters (Lam)",
        "link_gb_per_s: LARM table 4, median of loads from the MCDRAM of other clusters, times 72/64",
        "memory_gb_per_s: LARM table 5, contended: what one DRAM node gives the four clusters",
        "all_memory_gb_per_s: LARM table 5, local_all: what the four DRAM nodes together give their clusters; two "
        "controllers serve them",
        "HBM memory_gb_per_s: LARM table 5, local_all",
        "HBM memory_bytes: a quarter of the 7230's 16 GB",
        "misses: the lines on their way at the 13 GB/s that one core gets from DRAM (Lam), prefetches included",
        "window: the reorder buffer (Lam)"]}
(folder / "replay.json").write_text(json.dumps(REPLAY, indent=1) + "\n")
