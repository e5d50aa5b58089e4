#include "kernels/flush.hpp"

#include <algorithm>

#include "kernels/isa.hpp"

namespace gable::kernels {

void flush(const std::byte* memory, std::uint64_t bytes) {
  const std::uint64_t line = std::max<std::uint64_t>(16, this_cpu().line_bytes);
  for (const std::byte* at = memory; at < memory + bytes; at += line)
    __asm__ volatile("dc civac, %0" : : "r"(at) : "memory");
  __asm__ volatile("dsb sy" : : : "memory");
}

}  // namespace gable::kernels
