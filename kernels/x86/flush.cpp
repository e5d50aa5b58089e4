#include "kernels/flush.hpp"

#include "kernels/kernel.hpp"

namespace gable::kernels {

void flush(const std::byte* memory, std::uint64_t bytes) {
  constexpr std::uint64_t line = 64;
  const bool optimized = (cpu_features() & clflushopt) != 0;
  for (const std::byte* at = memory; at < memory + bytes; at += line) {
    if (optimized)
      __asm__ volatile("clflushopt (%0)" : : "r"(at) : "memory");
    else
      __asm__ volatile("clflush (%0)" : : "r"(at) : "memory");
  }
  __asm__ volatile("mfence" : : : "memory");
}

}  // namespace gable::kernels
