#pragma once

// What a program inherits from this process, and what it must not.

#include <sys/resource.h>

#include <vector>

namespace gable::kmaf::live {

/// Memory round-robin over `nodes` (os indices) for the thread that calls and all it starts. 0 or errno.
int interleave(const std::vector<unsigned>& nodes);
/// What `interleave` would answer here; nothing is changed.
int interleave_refusal(const std::vector<unsigned>& nodes);

/// No transparent huge pages for this process and all it starts. 0 or errno.
int deny_huge_pages();
/// What `deny_huge_pages` would answer here; nothing is changed.
int deny_huge_pages_refusal();

/// Addresses that are the same in every run (no randomization of the address space) for this process and all
/// it starts. 0 or errno.
int fix_addresses();
/// What `fix_addresses` would answer here; nothing is changed.
int fix_addresses_refusal();

/// As many open files as this process may have: a sampler takes one for each hardware thread.
class OpenFiles {
 public:
  OpenFiles();
  /// The limit is again what it was: called in the program's process.
  void give_back() const;

 private:
  rlimit before_ = {};
};

/// Where standard input, output or error is closed, /dev/null takes its number, for this process alone.
/// Whatever is opened later is then none of the three.
void occupy_standard_descriptors();

}  // namespace gable::kmaf::live
