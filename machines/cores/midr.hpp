#pragma once

// The names of AArch64 processors, which Linux shows only as numbers.

#include <filesystem>
#include <string>

namespace gable::machines {

/// "Neoverse-V2" of implementer 0x41 and part 0xd4f (MIDR_EL1; Linux: arch/arm64/include/asm/cputype.h,
/// util-linux: sys-utils/lscpu-arm.c); "implementer 0x41 part 0xfff" if it is not known.
std::string arm_core_name(unsigned implementer, unsigned part);

/// The kinds of cores in proc/cpuinfo below `root`: "Neoverse-V2", or "Cortex-A72 + Cortex-A53" in the order
/// of the CPUs; empty if it shows none.
std::string arm_cores(const std::filesystem::path& root);

}  // namespace gable::machines
