#pragma once

// The hardware threads that a thread may use, in any number: some machines have more than fit into cpu_set_t.

#include <sys/types.h>

#include <vector>

namespace gable::machines {

/// Os indices, ascending, of thread `tid` (0: this one); empty if there is no such thread.
std::vector<unsigned> affinity_of(pid_t tid);

/// Returns 0 or errno. The kernel ignores missing or forbidden hardware threads as long as others remain.
int set_affinity(pid_t tid, const std::vector<unsigned>& pus);

}  // namespace gable::machines
