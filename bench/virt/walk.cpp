#include "bench/virt/walk.hpp"

#include <algorithm>
#include <array>

#include "base/clocks.hpp"
#include "bench/buffers/chase.hpp"

namespace gable::bench {

namespace {

constexpr std::size_t most_chains = 12;

// Every block of 4 KiB has its line somewhere else, so that lines do not share the sets of a cache.
std::byte* line_of_block(std::byte* memory, std::uint64_t block, Lines lines) {
  if (lines == Lines::packed) return memory + block * packed_bytes;
  const std::uint64_t mixed = (block + 1) * 0x9e3779b97f4a7c15u;
  return memory + block * spread_bytes + (mixed >> 58) * 64;
}

template <std::size_t Chains>
void follow_chains(void** heads, std::uint64_t steps) {
  std::array<void*, Chains> at;
  std::copy_n(heads, Chains, at.begin());
  for (std::uint64_t step = 0; step < steps; ++step) {
    for (void*& each : at) each = *static_cast<void**>(each);
  }
  for (void*& each : at) asm volatile("" : "+r"(each));
  std::copy_n(at.begin(), Chains, heads);
}

}  // namespace

Walk::Walk(std::byte* memory, std::uint64_t bytes, Lines lines) : lines_(bytes / spread_bytes) {
  // The order is that of build_chase: a linear congruential cycle, written from front to back.
  const ChaseOrder order = chase_order(lines_);
  std::uint64_t next = order.increment;
  for (std::uint64_t i = 0; i < lines_; ++i) {
    *reinterpret_cast<void**>(line_of_block(memory, i, lines)) = line_of_block(memory, next, lines);
    next = (next + order.multiplier) % lines_;
  }
  heads_.resize(most_chains);
  std::uint64_t block = 0;
  for (std::size_t c = 0; c < most_chains; ++c) {
    heads_[c] = line_of_block(memory, block, lines);
    block = (block + lines_ / most_chains + 1) % lines_;
  }
}

double Walk::follow(bool one_chain, std::uint64_t& accesses) {
  const double begin = monotonic_seconds();
  std::uint64_t steps = std::max<std::uint64_t>(1, accesses);
  if (one_chain) {
    follow_chains<1>(heads_.data(), steps);
    accesses = steps;
  } else {
    steps = std::max<std::uint64_t>(1, accesses / most_chains);
    follow_chains<most_chains>(heads_.data(), steps);
    accesses = steps * most_chains;
  }
  return monotonic_seconds() - begin;
}

}  // namespace gable::bench
