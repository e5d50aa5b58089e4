#pragma once

// Several tasks at a time.

#include <cstddef>
#include <functional>

namespace gable::kmaf {

/// Calls `task` with each number below `tasks`, from this thread and jobs - 1 others. After an exception no
/// further tasks begin, and it is passed on.
void do_all(std::size_t tasks, int jobs, const std::function<void(std::size_t)>& task);

}  // namespace gable::kmaf
