"""Four Xeon X7550. kMAF paper (PACT 2014), section 4, table 2."""

import json

import zoo

SOCKETS, CORES = 4, 8
MEMORY = 128 * zoo.GIB

folder, gable = zoo.arguments()
zoo.topology(folder / "topology.xml",
             f"pack:{SOCKETS} [numa(memory={MEMORY // SOCKETS})] l3:1(size={18 * zoo.MIB}) "
             f"l2:{CORES}(size={256 * zoo.KIB}) l1d:1(size={32 * zoo.KIB}) core:1 pu:2",
             [("root", "info", "HostName", "x7550-4s"), ("pack:all", "info", "CPUModel", "Intel Xeon X7550"),
              ("numa:all", "subtype", "DRAM")])
zoo.write(folder, gable, roofs=[],
          sources=["sockets, cores, threads, caches, total memory: kMAF table 2",
                   "private L1 and L2, L3 for all cores of a socket, four nodes: kMAF section 4",
                   "a quarter of the memory at each node: assumed, the table gives the sum"],
          figures=[zoo.published("page size", 4096, "bytes", "kMAF table 2"),
                   zoo.published("memory, DDR3-1333, all nodes together", MEMORY, "bytes", "kMAF table 2"),
                   zoo.published("NUMA vector of a page", 4, "bytes", "kMAF table 2"),
                   zoo.published("sub-blocks of a page", 4, "entries", "kMAF table 2"),
                   zoo.published("threads in a sub-block's vector", 2, "entries", "kMAF table 2"),
                   zoo.published("thread ID", 16, "bits", "kMAF table 2")],
          not_published=["latencies", "bandwidths of memory and of the links between sockets", "distances", "clock"])

# Figures for `gable kmaf replay` that are not in the paper, from other sources: docs/formats/traces.md, replay.json.
QPI_BYTES, QPI_GT, SMI_GB, SMI_CHANNELS, TDP = 2, 6.4, 6.4, 4, 130
REPLAY = {
    "schema": 1,
    "l1_ns": 4 / 2.0, "l2_ns": 9 / 2.0, "l3_ns": round(63 / 2.26, 1), "local_ns": 160, "remote_ns": 160 + 197 - 135,
    "link_gb_per_s": QPI_BYTES * QPI_GT, "memory_gb_per_s": SMI_CHANNELS * SMI_GB,
    "energy": {"l1_nj": 0.02, "l2_nj": 0.45, "l3_nj": 3.4, "memory_nj": 15.6, "link_nj_per_byte": 0.08,
               "static_watts": SOCKETS * TDP / 2},
    "sources": [
        "l1_ns, l2_ns: 4 and 9 clocks (AnandTech 3648, April 2010, X7560) at the X7550's 2.0 GHz",
        "l3_ns, local_ns: 63 clocks at 2.26 GHz and 160 ns (AnandTech 3648, X7560, which has the same uncore)",
        "remote_ns: local and what a hop adds on the successor with the same links, 135 to 197 ns (Intel on the E7-4800, "
        "January 2014)",
        "link_gb_per_s: QPI at 6.4 GT/s, 2 bytes a transfer in each direction; every pair of sockets has a link",
        "memory_gb_per_s: four SMI channels of 6.4 GB/s a socket",
        "energy of caches and memory: Horowitz, ISSCC 2014, 45 nm: 20 pJ a word from 32 KiB, 100 pJ from 1 MiB, with the "
        "square root of the size in between and beyond; 1.3 to 2.6 nJ from memory; eight words a line beyond L1",
        "link_nj_per_byte: assumed, 10 pJ a bit",
        "static_watts: assumed, half of what the four sockets may draw (130 W each)"]}
(folder / "replay.json").write_text(json.dumps(REPLAY, indent=1) + "\n")
