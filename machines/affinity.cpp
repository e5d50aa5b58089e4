#include "machines/affinity.hpp"

#include <sched.h>

#include <cerrno>

namespace gable::machines {

namespace {

// The largest number for which Linux can be built on x86; the kernel uses the part that it supports.
constexpr unsigned most_pus = 8192;
constexpr unsigned word_bits = 8 * sizeof(unsigned long);
using Words = std::vector<unsigned long>;

}  // namespace

std::vector<unsigned> affinity_of(pid_t tid) {
  Words words(most_pus / word_bits);
  auto* const set = reinterpret_cast<cpu_set_t*>(words.data());
  if (sched_getaffinity(tid, words.size() * sizeof words[0], set) != 0) return {};
  std::vector<unsigned> pus;
  for (unsigned pu = 0; pu < most_pus; ++pu) {
    if (words[pu / word_bits] >> (pu % word_bits) & 1) pus.push_back(pu);
  }
  return pus;
}

int set_affinity(pid_t tid, const std::vector<unsigned>& pus) {
  Words words(most_pus / word_bits);
  for (const unsigned pu : pus) {
    if (pu >= most_pus) return EINVAL;
    words[pu / word_bits] |= 1ul << (pu % word_bits);
  }
  const auto* const set = reinterpret_cast<const cpu_set_t*>(words.data());
  return sched_setaffinity(tid, words.size() * sizeof words[0], set) == 0 ? 0 : errno;
}

}  // namespace gable::machines
