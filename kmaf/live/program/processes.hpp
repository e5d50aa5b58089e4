#pragma once

// Processes and their threads, as /proc lists them.

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace gable::kmaf::live {

std::vector<pid_t> all_processes();
std::vector<pid_t> threads_of(pid_t pid);

/// A number of /proc/PID/stat, by its place there (proc(5); from 4 on); 0 where there is no such process.
unsigned long long number_in_stat(pid_t pid, int place);

/// Who started whom, of all processes there are when it is made.
class ProcessTree {
 public:
  ProcessTree();
  /// The process and everything that it started and that has not lost its parent since.
  std::vector<pid_t> with_descendants(pid_t pid) const;

 private:
  std::multimap<pid_t, pid_t> children_;
};

/// What the process has open, each as "/proc/PID/fd/N". Empty where it is not this user's to look at.
std::vector<std::string> open_files_of(pid_t pid);

/// Pages of all mappings, of the system's page size.
double virtual_pages(pid_t pid);
/// Pages in memory, of the system's page size.
double resident_pages(pid_t pid);

}  // namespace gable::kmaf::live
