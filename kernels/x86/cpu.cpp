// What an x86-64 CPU says of itself.

#include <cpuid.h>

#include "kernels/isa.hpp"
#include "kernels/kernel.hpp"

namespace gable::kernels {

const std::string_view general_isa = "x86";
const bool nt_stores_bypass_caches = true;

namespace {

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
  constexpr std::uint32_t osxsave = 1u << 27;
  if (words.leaf1_ecx & osxsave) words.xcr0 = read_xcr0();
  return words;
}

}  // namespace

const Cpu& this_cpu() {
  static const Cpu cpu = cpu_of(read_cpuid());
  return cpu;
}

}  // namespace gable::kernels
