#include "machines/affinity.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>

namespace gable::machines {

namespace {

// The largest number for which Linux can be built on x86; the kernel uses the part that it supports.
constexpr unsigned most_pus = 8192;
constexpr unsigned word_bits = 8 * sizeof(unsigned long);

}  // namespace

BitMask bit_mask(const std::vector<unsigned>& numbers, unsigned count) {
  BitMask mask((count + word_bits - 1) / word_bits);
  for (const unsigned number : numbers) {
    if (number < count) mask[number / word_bits] |= 1ul << (number % word_bits);
  }
  return mask;
}

std::vector<unsigned> bits_in(const BitMask& mask) {
  std::vector<unsigned> numbers;
  for (unsigned number = 0; number < mask.size() * word_bits; ++number) {
    if (mask[number / word_bits] >> (number % word_bits) & 1) numbers.push_back(number);
  }
  return numbers;
}

std::vector<unsigned> affinity_of(pid_t tid) {
  BitMask mask = bit_mask({}, most_pus);
  auto* const set = reinterpret_cast<cpu_set_t*>(mask.data());
  if (sched_getaffinity(tid, mask.size() * sizeof mask[0], set) != 0) return {};
  return bits_in(mask);
}

int set_affinity(pid_t tid, const std::vector<unsigned>& pus) {
  if (std::ranges::any_of(pus, [](unsigned pu) { return pu >= most_pus; })) return EINVAL;
  const BitMask mask = bit_mask(pus, most_pus);
  const auto* const set = reinterpret_cast<const cpu_set_t*>(mask.data());
  return sched_setaffinity(tid, mask.size() * sizeof mask[0], set) == 0 ? 0 : errno;
}

}  // namespace gable::machines
