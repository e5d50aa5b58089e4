"""A server with two Skylake Xeons. LARM paper, section 6.4, table 6."""

import zoo

TABLE_6 = {"lf": {"sf": 0.966, "ls": 0.600, "ss": -0.102}, "ls": {"sf": 0.465, "lf": 0.294, "ss": 0.373},
           "sf": {"lf": 0.912, "ls": 0.067, "ss": 0.337}, "ss": {"sf": 0.059, "ls": 0.293, "lf": 0.54}}

folder, gable = zoo.arguments()
zoo.topology(folder / "topology.xml", "pack:2 [numa(memory=0)] pu:1",
             [("root", "info", "HostName", "skylake-2s"),
              ("pack:all", "info", "CPUModel", "Intel Xeon (Skylake generation)")])
zoo.hybrid(folder, cluster=0, slow=(1, "DRAM"), fast=(0, "DRAM"), theta=TABLE_6, gb_per_s={}, source="LARM table 6",
           reason="not published, only drawn (LARM figures 16 and 17)")
zoo.write(folder, gable, roofs=[],
          sources=["two sockets of the Skylake generation: LARM section 6.4",
                   "the fast memory is the near node, the slow memory the far one: LARM section 6.3"],
          not_published=["model of the CPU", "cores (one stands for all of a socket) and caches",
                         "sizes of the memory nodes (0 in topology.xml)", "bandwidths (only drawn)"])
