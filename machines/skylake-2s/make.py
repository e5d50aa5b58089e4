"""A server with two Skylake Xeons. LARM paper, section 6.4, table 6."""

import zoo

folder, gable = zoo.arguments()
zoo.topology(folder / "topology.xml", "pack:2 [numa(memory=0)] pu:1",
             [("root", "info", "HostName", "skylake-2s"),
              ("pack:all", "info", "CPUModel", "Intel Xeon (Skylake generation)")])
zoo.write(folder, gable, roofs=[],
          sources=["two sockets of the Skylake generation: LARM section 6.4",
                   "the fast memory is the near node, the slow memory the far one: LARM section 6.3"],
          not_published=["model of the CPU", "cores (one stands for all of a socket) and caches",
                         "sizes of the memory nodes (0 in topology.xml)", "bandwidths, but in a picture"])
