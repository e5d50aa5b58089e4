#pragma once

// Processes and their threads, as /proc lists them.

#include <sys/types.h>

#include <vector>

namespace gable::kmaf::live {

std::vector<pid_t> threads_of(pid_t pid);

/// The process and everything that it started and that has not lost its parent since.
std::vector<pid_t> with_descendants(pid_t pid);

/// Pages in memory, of the system's page size.
double resident_pages(pid_t pid);

}  // namespace gable::kmaf::live
