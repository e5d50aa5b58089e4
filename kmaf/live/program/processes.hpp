#pragma once

// Processes and their threads, as /proc lists them.

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace gable::kmaf::live {

std::vector<pid_t> threads_of(pid_t pid);

/// A field of /proc/PID/stat by its number (proc(5); from 4 on); 0 if there is no such process.
unsigned long long number_in_stat(pid_t pid, int place);

/// Parents of all processes, at the time of construction.
class ProcessTree {
 public:
  ProcessTree();
  /// The process and its descendants that have not been reparented.
  std::vector<pid_t> with_descendants(pid_t pid) const;

 private:
  std::multimap<pid_t, pid_t> children_;
};

/// Open files of the process, each as "/proc/PID/fd/N". Empty without permission.
std::vector<std::string> open_files_of(pid_t pid);

/// Pages of all mappings, of the system's page size.
double virtual_pages(pid_t pid);
/// Pages in memory, of the system's page size.
double resident_pages(pid_t pid);
/// CPU seconds of a thread so far; 0: it is gone.
double thread_cpu_seconds(pid_t pid, pid_t tid);

}  // namespace gable::kmaf::live
