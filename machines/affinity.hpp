#pragma once

// Sets of hardware threads and memory nodes as the kernel takes them, in any number: some machines have more
// than fit into cpu_set_t.

#include <sys/types.h>

#include <vector>

namespace gable::machines {

/// Os indices, ascending, of the hardware threads that thread `tid` (0: this one) may use; empty if there is
/// no such thread.
std::vector<unsigned> affinity_of(pid_t tid);

/// Returns 0 or errno. The kernel ignores missing or forbidden hardware threads as long as others remain.
int set_affinity(pid_t tid, const std::vector<unsigned>& pus);

/// A bit for each number below `count`, of which those in `numbers` are set.
using BitMask = std::vector<unsigned long>;
BitMask bit_mask(const std::vector<unsigned>& numbers, unsigned count);
std::vector<unsigned> bits_in(const BitMask& mask);  ///< ascending

}  // namespace gable::machines
