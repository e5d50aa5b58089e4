#pragma once

// The hardware threads that a thread may run on, of any number: machines have more than a cpu_set_t holds.

#include <sys/types.h>

#include <vector>

namespace gable::machines {

/// Os indices, ascending, of the thread `tid` (0: this one); none where there is no such thread.
std::vector<unsigned> affinity_of(pid_t tid);

/// 0 or errno. As the kernel has it, those that are not there, or not allowed here, are left out where
/// others are.
int set_affinity(pid_t tid, const std::vector<unsigned>& pus);

}  // namespace gable::machines
