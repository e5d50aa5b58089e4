"""Two Xeon Gold 6254, all memory at the first: DRAM and Optane persistent memory. Unmann's thesis, tables 2.1 to 2.3."""

import zoo

CORES, MODULES = 18, 6
TABLES = {  # (table, threads, SMT): operation: DRAM, persistent memory; GB/s, latency ns
    ("2.2", 36, True): {
        "load": (65.480, 32.669), "chase": (142.02, 403.83), "store": (42.782, 1.254), "copy": (53.928, 2.613),
        "scale": (47.512, 1.288), "add": (54.286, 3.987), "triad": (51.161, 2.180)},
    ("2.3", 18, False): {
        "load": (106.815, 40.161), "chase": (137.14, 403.70), "store": (73.715, 3.047), "copy": (66.715, 5.523),
        "scale": (66.717, 5.555), "add": (75.298, 8.093), "triad": (75.367, 8.185)}}
TABLE_2_1 = {  # of one module: GB/s by its capacity in GB
    "read, 256 B": {128: 6.8, 256: 6.8, 512: 5.3}, "write, 256 B": {128: 1.85, 256: 2.3, 512: 1.89},
    "read, 64 B": {128: 1.7, 256: 1.75, 512: 1.4}, "write, 64 B": {128: 0.45, 256: 0.58, 512: 0.47}}
RUNS = 10  # section 2.2: averages of ten runs

folder, gable = zoo.arguments()
zoo.topology(folder / "topology.xml",
             f"pack:2 [numa(memory={MODULES * 32 * zoo.GIB})] [numa(memory={MODULES * 128 * zoo.GIB})] "
             f"l3:1(size={99 * zoo.MIB // 4}) l2:{CORES}(size={zoo.MIB}) l1d:1(size={32 * zoo.KIB}) core:1 pu:2",
             [("root", "info", "HostName", "xeon6254-optane"),
              ("pack:all", "info", "CPUModel", "Intel Xeon Gold 6254"),
              ("numa:0", "subtype", "DRAM"), ("numa:1", "info", "DAXType", "NVM")], restrict="nodeset=0x3")

roofs = []
for (table, threads, smt), rows in TABLES.items():
    for op, values in rows.items():
        for node, value in enumerate(values):
            roofs.append(zoo.roof("latency" if op == "chase" else "bandwidth", value, f"Unmann table {table}",
                                  node=node, tier=("DRAM", "NVM")[node], op=op, threads=threads, smt=smt, n=RUNS))

zoo.write(
    folder, gable, roofs=roofs,
    sources=["CPUs, cores, sizes of caches and memory, all memory at the first socket: Unmann section 2.1",
             "the persistent memory was in App Direct mode, reached through libpmem; here it is a node of its own, as "
             "Linux shows it when it is handed over to the kernel"],
    figures=[zoo.published("clock", 3.1, "GHz", "Unmann section 2.1"),
             *(zoo.published(f"{what}, {MODULES} modules of 128 GB, claimed by Intel", round(MODULES * TABLE_2_1[what][128], 6),
                             "GB/s", "Unmann table 2.1 and section 2.3", tier="NVM", op=op)
               for what, op in (("read, 256 B", "load"), ("write, 256 B", "store"))),
             *(zoo.published(f"{what}, one module of {capacity} GB, claimed by Intel", value, "GB/s",
                             "Unmann table 2.1") for what, row in TABLE_2_1.items() for capacity, value in row.items())],
    not_published=["distances between nodes", "intervals", "threads of the latency benchmark (those of its table here)",
                   "page sizes", "bandwidth of the caches", "floating-point peaks"])
