#pragma once

// The hardware threads that a thread may run on, of any number.

#include <sys/types.h>

#include <optional>
#include <vector>

namespace gable::kmaf::live {

/// Os indices, ascending; empty when there is no such thread.
std::optional<std::vector<unsigned>> affinity_of(pid_t tid);

/// 0 or errno.
int set_affinity(pid_t tid, const std::vector<unsigned>& pus);

}  // namespace gable::kmaf::live
