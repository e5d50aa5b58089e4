#pragma once

// Trials of hwloc in a child process. hwloc 2.9 crashes on, or takes minutes for, some XML files that are
// well-formed, for example where `complete_nodeset` is missing, and some systems, for example where sysfs
// shows no memory node.

#include <string>

namespace gable::machines {

/// Why hwloc cannot import the XML `text`; empty if it can. The child process may use most_trial_seconds of
/// CPU time and most_trial_bytes of memory. Throws std::system_error if no process can be started.
std::string trial_fault(const std::string& text);

/// The same for this system, as the environment tells hwloc to read it.
std::string system_trial_fault();

inline constexpr int most_trial_seconds = 20;
inline constexpr int most_os_index = (1 << 20) - 1;  ///< of CPUs and of memory nodes
inline constexpr unsigned long long most_trial_bytes = 4ULL << 30;

}  // namespace gable::machines
