#include "kernels/isa.hpp"

#include <cpuid.h>

#include "kernels/kernel.hpp"

namespace gable::kernels {
namespace {

constexpr std::uint32_t bit(int n) {
  return 1u << n;
}

constexpr std::uint64_t ymm_state = 0x06;  // XMM and upper halves of YMM
constexpr std::uint64_t zmm_state = 0xe6;  // these, mask registers, upper halves of ZMM, ZMM16 to ZMM31

std::uint64_t read_xcr0() {
  std::uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (std::uint64_t{high} << 32) | low;
}

CpuidWords read_cpuid() {
  CpuidWords words;
  std::uint32_t eax, ebx, ecx, edx;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
    words.leaf1_ecx = ecx;
    words.leaf1_edx = edx;
  }
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) words.leaf7_ebx = ebx;
  constexpr std::uint32_t osxsave = bit(27);
  if (words.leaf1_ecx & osxsave) words.xcr0 = read_xcr0();
  return words;
}

}  // namespace

std::uint32_t features_of(const CpuidWords& words) {
  const bool ymm = (words.xcr0 & ymm_state) == ymm_state;
  const bool zmm = (words.xcr0 & zmm_state) == zmm_state;
  std::uint32_t features = 0;
  if (words.leaf1_edx & bit(26)) features |= sse2;
  if (ymm && (words.leaf7_ebx & bit(5))) features |= avx2;
  if (ymm && (words.leaf1_ecx & bit(12))) features |= fma;
  if (zmm && (words.leaf7_ebx & bit(16))) features |= avx512f;
  if (words.leaf7_ebx & bit(23)) features |= clflushopt;
  if (words.leaf7_ebx & bit(24)) features |= clwb;
  return features;
}

std::uint32_t cpu_features() {
  static const std::uint32_t features = features_of(read_cpuid());
  return features;
}

bool runs(const Kernel& kernel, std::uint32_t features) {
  return (kernel.features & ~features) == 0;
}

std::vector<std::string> isas(std::uint32_t features) {
  std::vector<std::string> names;
  if (features & sse2) names.push_back("sse2");
  if (features & avx2) names.push_back("avx2");
  if (features & avx512f) names.push_back("avx512");
  return names;
}

}  // namespace gable::kernels
