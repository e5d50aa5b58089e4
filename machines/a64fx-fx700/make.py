"""A64FX of an FX700: four clusters of 12 cores, each with its HBM2. Single-core measurements of the PMBS 2020 artifact."""

import zoo

CLUSTERS, CORES, GHZ = 4, 12, 1.8  # machine_state.txt; README A.2.3: 1.8 GHz
VECTOR = 64  # bytes: SVE of 512 bits
# Cycles per vector and array, as the files of single_core/stream/results print them: the fewest of all even unrollings, with
# the number of unrolled vectors. At 33 to 35 kB, at 2.3 MB, and at the largest size.
LOAD = {"L1": (0.765517, 16), "L2": (1.960924, 16), "memory": (2.837131, 4)}
STORE = {"L1": (1.043428, 14), "L2": (3.887928, 4), "memory": (4.546104, 2)}  # the artifact's init
COPY = {"L1": (1.603683, 16), "L2": (4.497071, 14), "memory": (5.740034, 6)}
STREAM = {  # jlinford/stream, README.md, GB/s of all 48 cores: stream_openmp, stream_zfill
    "copy": (537.948, 780.5791), "scale": (537.6951, 780.689), "add": (597.1723, 788.3303), "triad": (597.3241, 787.974)}

folder, gable = zoo.arguments()
zoo.topology(folder / "topology.xml",
             f"pack:1 group:{CLUSTERS} [numa(memory=0)] l2:1(size={8 * zoo.MIB}) l1d:{CORES}(size={64 * zoo.KIB}) core:1 pu:1",
             [("root", "info", "HostName", "a64fx-fx700"), ("pack:all", "info", "CPUModel", "A64FX"),
              *((f"numa:{node}", "subtype", "HBM") for node in range(CLUSTERS))])


def single_core(op, rows, vectors):
    """GB/s of one core: bytes of `vectors` accesses in the printed cycles."""
    return [zoo.roof("bandwidth", vectors * VECTOR * GHZ / cycles, level=level, op=op, threads=1,
                     pattern="local" if level == "memory" else "cache", node=0 if level == "memory" else None,
                     tier="HBM" if level == "memory" else "",
                     source="PMBS20 artifact, single_core/stream")
            for level, (cycles, _) in rows.items()]


zoo.write(
    folder, gable, roofs=single_core("load", LOAD, 1) + single_core("store", STORE, 1) + single_core("copy", COPY, 2),
    sources=["bandwidths: PMBS20 artifact, single_core/stream/results/{load,init,copy}/u*.txt, the fewest cycles of each",
             "clusters, cores, nodes: PMBS20 artifact, machine_state.txt",
             "caches (64 KiB a core, 8 MiB a cluster, lines of 256 bytes), HBM2: Arm, Introduction to the Fujitsu A64FX, 2019"],
    figures=[zoo.published("clock", GHZ, "GHz", "PMBS20 artifact, README.md"),
             zoo.published("bandwidth of one node, claimed", 256.0, "GB/s", "Arm, Introduction to the Fujitsu A64FX",
                           tier="HBM", op="load"),
             *(zoo.published(f"STREAM {op}, all cores, {how}", value, "GB/s", "jlinford/stream, README.md")
               for op, both in STREAM.items() for how, value in zip(("without DC ZVA", "with DC ZVA"), both))],
    not_published=["sizes of the memory nodes by hwloc (0 in topology.xml; numactl saw 7640, 8176, 8176 and 8156 MB)",
                   "roofs of all cores of one cluster", "peaks", "latencies", "remote bandwidths",
                   "the clock of the machine of STREAM", "intervals and repetitions"])
