#pragma once

// The names of Cases and roofs for people. Each text that names one takes it from here.

#include <string>

#include "model/records/records.hpp"
#include "model/records/tier.hpp"
#include "model/records/virt.hpp"

namespace gable::model {

enum class Style {
  place,   ///< "L2", "DRAM node 1", "DRAM" of several nodes; empty where no memory was found for the pattern
  level,   ///< "L2"; "MCDRAM, congested" for a memory-side cache, whose nodes are named elsewhere
  target,  ///< "L2", "DRAM node 1, remote", "DRAM all nodes, congested", "FMA DP"
  memory,  ///< "DRAM, local": of whatever node, to compare machines; otherwise as target
  what,    ///< "load", "peak FMA DP", "latency", "latency at 50 % load"
  roof,    ///< "load, DRAM node 1, remote", "peak FMA DP", "idle latency, L2": a row of a table
  limit,   ///< "DRAM node 1, remote (load)", "FMA DP": in verdicts
  curve,   ///< "DRAM node 1, remote, 4 KiB pages", "load_avx2, 4 KiB pages": of a chart; a ladder's is of all
           ///< steps
  figure,  ///< "cluster 0, DRAM node 1, remote: load", "cluster 0: peak FMA DP"
  cell,    ///< "cluster 0 DRAM node 1 remote load_avx2, 4 KiB pages"
  visit,   ///< "DRAM node 1 remote load_avx2 4k, cluster 0"
  group    ///< "bandwidth, memory remote": of cells that differ in operation, node, kernel and pages
};
std::string name_of(const Case& spec, Style style);

/// "random NT stores of 256 B", "STREAM copy, NT stores", "read latency".
std::string name_of(const TierCase& spec);
/// "stores", "stores and clwb", "NT stores": stores in this way.
std::string way_text(std::string_view way);

/// "first touch of a page, 4 KiB pages", "GUPS, table of 256 MiB, transparent huge pages".
std::string name_of(const VirtCase& spec);

/// "FMA DP" for flops, otherwise the operation.
std::string operation_text(const Case& spec);

/// "local", "local, all clusters busy", "remote", ...
std::string pattern_text(Pattern pattern);

/// "4 KiB", "2 MiB", "1 GiB"; empty of none.
std::string pages_text(Pages pages);
/// "4 KiB", "transparent huge", "2 MiB hugetlb", "1 GiB hugetlb"; empty of none.
std::string pages_text(VirtPages pages);

/// "avx2" of the kernel "load_short_avx2"; empty without a kernel.
std::string isa_of(const std::string& kernel);
/// The ISA of the Case's kernel, and its variant if it has one: "avx2", "avx2 short". Empty without a kernel.
std::string variant_text(const Case& spec);

}  // namespace gable::model
