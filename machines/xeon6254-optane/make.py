"""Two Xeon Gold 6254, all memory at the first: DRAM and Optane persistent memory. Unmann's thesis, tables 2.1 to 2.3
and 3.3 to 3.6."""

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
RUNS = 10  # sections 2.2, 3.1.1 and 3.2.1: averages of ten runs
RANKS = (1, 2, 4, 8, 16, 32, 64)
# Placements of the Live Journal graph: million traversed edges per second by (placement, threads). A placement names
# where the graph and the temporary data are: D is DRAM, P persistent memory (table 3.2).
PAGERANK = {
    "3.3": {("DD", 36): (539.047, 1059.3, 2083.336, 3983.992, 7233.536, 11207.712, 15574.336),
            ("PD", 36): (525.111, 1020.588, 1974.816, 3556.696, 6021.776, 9484.992, 13864.0)},
    "3.5": {("PP", 36): (448.246, 761.932, 1124.968, 1345.904, 1683.392, 2054.726, 2194.752),
            ("PP", 18): (672.942, 1044.704, 1691.844, 2164.136, 2719.584, 3420.224, 4275.705)}}
BFS = {  # top-down, bottom-up
    "3.4": {("DD", 18): (851.299, 288.185), ("PD", 18): (533.13, 224.028)},
    "3.6": {("PP", 36): (181.847, 115.667), ("PP", 18): (294.115, 169.945)}}
LIVE_JOURNAL = dict(graph="Live Journal", vertices=4847571, edges=68993773)  # table 3.1

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

TIERS = {"D": ("DRAM", ""), "P": ("NVM", "libpmem, App Direct mode")}
placements = []
for workload, tables, variants in (("pagerank", PAGERANK, [(f"{n} rank{'s' * (n > 1)}", n) for n in RANKS]),
                                   ("bfs", BFS, [("top-down", 0), ("bottom-up", 0)])):
    for table, columns in tables.items():
        for (placement, threads), values in columns.items():
            parts = [(name, *TIERS[letter]) for name, letter in zip(("graph", "temporary"), placement)]
            placements += [zoo.placed(workload, variant, value, f"Unmann table {table}", **LIVE_JOURNAL, parts=parts,
                                      threads=threads, smt=threads == 36, runs=RUNS, ranks=ranks)
                           for (variant, ranks), value in zip(variants, values, strict=True)]

zoo.write(
    folder, gable, roofs=roofs, placements=placements,
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
                   "unit of tables 3.3 to 3.6 (million traversed edges per second here)", "sizes of the placed parts",
                   "page sizes", "bandwidth of the caches", "floating-point peaks"])
