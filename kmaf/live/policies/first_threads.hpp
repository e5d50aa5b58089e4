#pragma once

// Processes that have only their first thread. It is bound when another thread starts, or after a tenth of a
// second: a run-time system queries the number of hardware threads when it starts, and a bound thread
// would see one.

#include <sys/types.h>

#include <map>
#include <vector>

namespace gable::kmaf::live {

class FirstThreads {
 public:
  /// The process starts, or executes another program, at `seconds` as in Event.
  void begin(pid_t process, double seconds) { since_[process] = seconds; }
  /// Another thread starts there, or the process ends: true for the first such event.
  bool take(pid_t process) { return since_.erase(process) > 0; }
  bool contains(pid_t process) const { return since_.contains(process); }

  /// Processes that have had one thread for long enough; each is returned once.
  std::vector<pid_t> settled(double now) {
    constexpr double patience = 0.1;  // seconds
    std::vector<pid_t> settled;
    for (const auto& [process, since] : since_) {
      if (now - since >= patience) settled.push_back(process);
    }
    for (const pid_t process : settled) since_.erase(process);
    return settled;
  }

 private:
  std::map<pid_t, double> since_;
};

}  // namespace gable::kmaf::live
