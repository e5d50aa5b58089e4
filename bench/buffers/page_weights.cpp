#include "bench/buffers/page_weights.hpp"

#include <numaif.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace gable::bench {

namespace {

// Restores the thread's memory policy.
class Policy {
 public:
  Policy() { known_ = get_mempolicy(&mode_, mask_.data(), bits, nullptr, 0) == 0; }
  ~Policy() {
    if (!known_ || set_mempolicy(mode_, mode_ == MPOL_DEFAULT ? nullptr : mask_.data(), bits) != 0)
      set_mempolicy(MPOL_DEFAULT, nullptr, 0);
  }
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;

  static bool bind(unsigned node) {
    const auto mask = node_mask({node});
    return set_mempolicy(MPOL_BIND, mask.data(), mask_bits(mask)) == 0;
  }

 private:
  static constexpr unsigned long bits = 1024;  // the maximum number of nodes of a kernel
  int mode_ = MPOL_DEFAULT;
  std::array<unsigned long, bits / (8 * sizeof(unsigned long))> mask_ = {};
  bool known_ = false;
};

}  // namespace

void by_weights(const WeightedRange& range, std::size_t page_bytes,
                const std::function<void(std::byte* begin, std::size_t bytes)>& act) {
  const Policy before;
  std::size_t done = 0;
  for (std::size_t turn = 0; done < range.bytes; turn = (turn + 1) % range.nodes.size()) {
    const std::size_t bytes = std::min(range.weights[turn] * page_bytes, range.bytes - done);
    Policy::bind(range.nodes[turn]);  // on failure, the later check finds the pages elsewhere
    act(range.begin + done, bytes);
    done += bytes;
  }
  // A policy on the range keeps the kernel's NUMA balancing away; this moves no page.
  const auto mask = node_mask(range.nodes);
  mbind(range.begin, range.bytes, MPOL_INTERLEAVE, mask.data(), mask_bits(mask), 0);
}

std::string no_thread_policy(unsigned node) {
  const Policy before;
  return Policy::bind(node) ? "" : std::strerror(errno);
}

}  // namespace gable::bench
