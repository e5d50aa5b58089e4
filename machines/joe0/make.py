"""Joe0: two Xeon E5-2650L v4 in cluster-on-die mode. LARM paper, section 4, tables 1 and 2."""

import zoo

CLUSTERS, CORES, GHZ = 4, 7, 1.7  # section 4: 7 cores per node, hyper-threading off
LANES, WIDTH = 4, 32  # AVX2, the widest of this CPU: doubles and bytes
TABLE_1 = {  # instructions per cycle of one core: theoretical, experimental
    "load": (2, 1.99), "store": (1, 0.99), "add": (1, 0.99), "mul": (2, 1.99), "fma": (2, 1.99)}
CACHES = {"L1": 760.1, "L2": 309.2, "L3": 154.0}
NODES = {"local": {0: 36.1}, "remote": {1: 17.5, 2: 15.0, 3: 14.3}, "contended": {0: 16.7, 1: 8.3, 2: 6.8, 3: 6.2}}
CONGESTED = 18.1

folder, gable = zoo.arguments()
zoo.topology(folder / "topology.xml",
             f"pack:2 group:2 [numa(memory=0)] l3:1(size={35 * zoo.MIB // 2}) l2:{CORES}(size={256 * zoo.KIB}) "
             f"l1d:1(size={32 * zoo.KIB}) core:1 pu:1",
             [("root", "info", "HostName", "joe0"), ("pack:all", "info", "CPUModel", "Intel Xeon E5-2650L v4")])

table_2 = dict(source="LARM table 2", threads=CORES)
roofs = [zoo.roof("bandwidth", value, level=level, pattern="cache", **table_2) for level, value in CACHES.items()]
for pattern, values in NODES.items():
    roofs += [zoo.roof("bandwidth", value, pattern=pattern, node=node, tier="DRAM", **table_2)
              for node, value in values.items()]
roofs.append(zoo.roof("bandwidth", CONGESTED, pattern="congested", tier="DRAM", **table_2))
roofs.append(zoo.roof("bandwidth", zoo.l1_bandwidth(TABLE_1["store"][1], WIDTH, CORES, GHZ), level="L1",
                      pattern="cache", op="store", threads=CORES, source="LARM table 1 (equation 2)"))
roofs += [zoo.roof("flops", zoo.peak(TABLE_1[op][1], flops * LANES, CORES, GHZ), level="core", pattern="core", op=op,
                   precision="dp", threads=CORES, source="LARM table 1 (equation 1)")
          for op, flops in (("fma", 2), ("add", 1), ("mul", 1))]

zoo.write(
    folder, gable, roofs=roofs,
    sources=["CPU, clusters, cores, nodes: LARM section 4 and figure 3",
             "caches: Intel's data of the E5-2650L v4 (32 KiB and 256 KiB a core, 35 MB L3 a socket, half of it a "
             "cluster)"],
    figures=[zoo.published("clock", GHZ, "GHz", "LARM section 4"),
             *zoo.per_cycle(TABLE_1, "LARM table 1")],
    not_published=["sizes of the memory nodes (0 in topology.xml)", "distances between nodes", "latencies",
                   "intervals and repetitions of table 2", "roofs of clusters 1 to 3 (said to be symmetric)",
                   "memory bandwidth of stores"])
