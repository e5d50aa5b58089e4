#pragma once

// Derives CPU features from the results of CPUID and XGETBV. The instructions themselves are elsewhere, so
// that any CPU can be described.

#include <cstdint>

namespace gable::kernels {

/// The words of CPUID that contain the features of kernels (Intel SDM volume 2A, AMD APM volume 3), and XCR0.
struct CpuidWords {
  std::uint32_t leaf1_ecx = 0;
  std::uint32_t leaf1_edx = 0;
  std::uint32_t leaf7_ebx = 0;  ///< 0 if the CPU has no leaf 7
  std::uint64_t xcr0 = 0;       ///< 0 if the system did not set OSXSAVE
};

/// Feature bits of features that the core has and whose registers the system saves.
std::uint32_t features_of(const CpuidWords& words);

}  // namespace gable::kernels
