"""NVIDIA Grace CPU Superchip: two CPUs of 72 Neoverse V2 cores. NVIDIA's benchmarking guide for Grace."""

import zoo

CORES = 72
GUIDE = "Grace CPU benchmarking guide, "
FMA = 53.5019  # GFlop/s of one core: fp64_sve_pred_fmla, without perf
STREAM = {"copy": 919.1946, "scale": 913.46, "add": 916.9269, "triad": 903.6879}  # GB/s, both CPUs

folder, gable = zoo.arguments()
zoo.topology(folder / "topology.xml",
             f"pack:2 [numa(memory=0)] l3:1(size={114 * zoo.MIB}) l2:{CORES}(size={zoo.MIB}) l1d:1(size={64 * zoo.KIB}) "
             "core:1 pu:1",
             [("root", "info", "HostName", "grace-superchip"), ("pack:all", "info", "CPUModel", "Neoverse-V2")])

zoo.write(
    folder, gable,
    roofs=[zoo.roof("flops", FMA, level="core", pattern="core", op="fma", precision="dp", threads=1,
                    source=GUIDE + "foundations/FMA")],
    sources=["CPUs, cores, caches: NVIDIA, Grace CPU Superchip Architecture In Depth, 2023; L3 of 114 MB: NVIDIA, Grace CPU "
             "Delivers High Bandwidth and Efficiency, 2025"],
    figures=[zoo.published("clock", 3.334, "GHz", GUIDE + "foundations/FMA (perf)"),
             *(zoo.published(f"STREAM {op}, both CPUs", value, "GB/s", GUIDE + "foundations/STREAM")
               for op, value in STREAM.items()),
             zoo.published("STREAM triad, both CPUs, least to be expected", 820.0, "GB/s", GUIDE + "foundations/STREAM"),
             zoo.published("STREAM triad, both CPUs, most to be expected", 972.0, "GB/s", GUIDE + "foundations/STREAM")],
    not_published=["sizes of the memory nodes (0 in topology.xml; 240 or 480 GB in all)", "bandwidth of one CPU or one cache",
                   "latencies", "distances between nodes", "intervals and repetitions of STREAM"])
