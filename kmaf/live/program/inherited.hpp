#pragma once

// What a program inherits from this process, and what it must not inherit.

#include <sys/resource.h>

#include <vector>

namespace gable::kmaf::live {

/// Interleaves memory over `nodes` (os indices) for the calling thread and all it starts. 0 or errno.
int interleave(const std::vector<unsigned>& nodes);
/// What `interleave` would return here; changes nothing.
int interleave_refusal(const std::vector<unsigned>& nodes);

/// Disables transparent huge pages for this process and all it starts. 0 or errno.
int deny_huge_pages();
/// What `deny_huge_pages` would return here; changes nothing.
int deny_huge_pages_refusal();

/// Disables address space randomization for this process and all it starts, so that addresses are the same in
/// every run. 0 or errno.
int fix_addresses();
/// What `fix_addresses` would return here; changes nothing.
int fix_addresses_refusal();

/// Raises the limit of open files as far as allowed: a sampler needs one for each hardware thread.
class OpenFiles {
 public:
  OpenFiles();
  /// Restores the limit; called in the program's process.
  void give_back() const;

 private:
  rlimit before_ = {};
};

/// Opens /dev/null for closed standard input, output or error, in this process only. Files opened later
/// then get none of these numbers.
void occupy_standard_descriptors();

}  // namespace gable::kmaf::live
