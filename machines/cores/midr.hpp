#pragma once

// The names of AArch64 processors, which Linux shows only as numbers.

#include <filesystem>
#include <string>

namespace gable::machines {

/// The kinds of cores in proc/cpuinfo below `root`: "Neoverse-V2", or "Cortex-A72 + Cortex-A53" in the order
/// of the CPUs; empty if it shows none.
std::string arm_cores(const std::filesystem::path& root);

}  // namespace gable::machines
