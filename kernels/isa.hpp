#pragma once

// Derives CPU features from what a CPU and its system report. Reading that is the architecture's part
// (kernels/x86/cpu.cpp, kernels/aarch64/cpu.cpp), so that any CPU can be described anywhere.

#include <cstdint>

namespace gable::kernels {

/// The words of CPUID that contain the features of kernels (Intel SDM volume 2A, AMD APM volume 3), and XCR0.
struct CpuidWords {
  std::uint32_t leaf1_ecx = 0;
  std::uint32_t leaf1_edx = 0;
  std::uint32_t leaf7_ebx = 0;  ///< 0 if the CPU has no leaf 7
  std::uint64_t xcr0 = 0;       ///< 0 if the system did not set OSXSAVE
};

/// What Linux and the registers of AArch64 say to a program (Arm ARM, DDI 0487: CTR_EL0, DCZID_EL0; Linux:
/// Documentation/arm64/elf_hwcaps.rst).
struct Aarch64Words {
  std::uint64_t hwcap = 0;
  std::uint64_t ctr = 0;        ///< cache type
  std::uint64_t dczid = 0;      ///< block of DC ZVA
  std::uint32_t sve_bytes = 0;  ///< vector length of this process; 0: no SVE
};

/// A CPU as the kernels need it.
struct Cpu {
  std::uint32_t features =
      0;  ///< Feature bits of features that the core has and whose registers the system saves
  std::uint32_t sve_bytes = 0;   ///< length of a vector; 0: no SVE
  std::uint32_t zva_bytes = 0;   ///< block that DC ZVA zeroes; 0: none
  std::uint32_t line_bytes = 0;  ///< smallest data cache line; 0: not reported
};

Cpu cpu_of(const CpuidWords& words);
Cpu cpu_of(const Aarch64Words& words);

/// The CPU that this runs on.
const Cpu& this_cpu();

}  // namespace gable::kernels
