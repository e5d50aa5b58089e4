"""Knights Landing 7230, SNC-4, MCDRAM as a cache of the DRAM. LARM paper, section 5, tables 3 and 5."""

import knl
import zoo

TABLE_5 = {  # pattern: (GB/s, ±) of DRAM, of data that the MCDRAM caches; None: not achievable; cluster 0
    "local": ((22.9, 0.7), (85.4, 3.0)), "local_all": ((20.0, 0.7), (83.3, 2.0)),
    "congested": ((17.0, 0.4), None), "contended": (None, None)}
FITS = ("the data that the clusters access in node 0 would fit into the four MCDRAM caches, whose bandwidth would be "
        "measured instead of the node's (LARM section 5.1)")
NO_REASON = "not achievable in cache mode; LARM table 5 gives no reason for this value"

folder, gable = zoo.arguments()
zoo.topology(folder / "topology.xml", f"pack:1 group:4 [numa(memory=0)] {knl.TILES}",
             [("root", "info", "HostName", "knl-snc4-cache"), *knl.NAMED, ("numa:all", "subtype", "DRAM")])
zoo.side_caches(folder / "topology.xml", knl.MCDRAM_BYTES)

roofs = [one for cluster in range(knl.CLUSTERS) for one in knl.core_roofs(cluster)]
for pattern, (dram, mcdram) in TABLE_5.items():
    own = dict(pattern=pattern, node=None if pattern == "congested" else 0, threads=knl.CORES)
    for figure, level, tier in ((dram, "memory", "DRAM"), (mcdram, "MCDRAM", "HBM")):
        value, plus_minus = figure or (None, 0)
        reason = "" if figure else FITS if tier == "DRAM" else NO_REASON
        roofs.append(zoo.roof("bandwidth", value, "LARM table 5", plus_minus=plus_minus, level=level, tier=tier,
                              reason=reason, **own))

zoo.write(folder, gable, roofs=roofs, sources=knl.SOURCES, figures=knl.FIGURES,
          not_published=[*knl.NOT_PUBLISHED, "memory roofs of clusters 1 to 3 (said to be similar)"])
