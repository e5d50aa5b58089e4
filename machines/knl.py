"""Shared by the two recordings of the Knights Landing. LARM paper, section 5, table 3."""

import zoo

CLUSTERS, CORES, GHZ = 4, 16, 1.3  # section 5: 64 cores, SNC-4
LANES, WIDTH = 8, 64  # AVX-512: doubles and bytes
TABLE_3 = {  # instructions per cycle of one core: theoretical, experimental
    "load": (2, 1.66), "store": (1, 0.96), "add": (2, 1.70), "mul": (2, 1.70), "fma": (2, 1.70)}
MCDRAM_BYTES = 4 * zoo.GIB  # a quarter of the 7230's 16 GB

# A tile: two cores, 1 MiB of L2; eight tiles per cluster.
TILES = f"l2:{CORES // 2}(size={zoo.MIB}) core:2 l1d:1(size={32 * zoo.KIB}) pu:4"
NAMED = [("pack:all", "info", "CPUModel", "Intel Xeon Phi 7230")]
SOURCES = ["CPU, clusters, cores: LARM section 5 and figure 7",
           "caches, tiles, four threads a core, 16 GB of MCDRAM: Intel's data of the Xeon Phi 7230"]
FIGURES = [zoo.published("clock", GHZ, "GHz", "LARM section 5"),
           *zoo.per_cycle(TABLE_3, "LARM table 3")]
NOT_PUBLISHED = ["sizes of the DRAM nodes (0 in topology.xml)", "distances between nodes", "latencies",
                 "what the ± of the table is and how often it was measured", "L2 bandwidth (only drawn)",
                 "memory bandwidth of stores"]


def core_roofs(cluster):
    """Peaks and L1 bandwidth of one cluster: equations 1 and 2 with the experimental throughputs of table 3."""
    own = dict(cluster=cluster, threads=CORES)
    made = [zoo.roof("bandwidth", zoo.l1_bandwidth(TABLE_3[op][1], WIDTH, CORES, GHZ), level="L1", pattern="cache",
                     op=op, source="LARM table 3 (equation 2)", **own) for op in ("load", "store")]
    return made + [zoo.roof("flops", zoo.peak(TABLE_3[op][1], flops * LANES, CORES, GHZ), level="core",
                            pattern="core", op=op, precision="dp", source="LARM table 3 (equation 1)", **own)
                   for op, flops in (("fma", 2), ("add", 1), ("mul", 1))]
