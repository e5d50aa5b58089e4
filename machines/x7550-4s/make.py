"""Four Xeon X7550. kMAF paper (PACT 2014), section 4, table 2."""

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
