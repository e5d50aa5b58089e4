#pragma once

// Processes whose first thread is still alone. It is bound once another begins there, or after a tenth of a
// second: a run-time system asks when it begins how many hardware threads there are, and a bound thread is
// told of one.

#include <sys/types.h>

#include <map>
#include <vector>

namespace gable::kmaf::live {

class FirstThreads {
 public:
  /// The process begins, or runs another program from now on, at `seconds` as in Event.
  void begin(pid_t process, double seconds) { since_[process] = seconds; }
  /// Another thread begins there, or the process ends: true for the first of them.
  bool take(pid_t process) { return since_.erase(process) > 0; }
  bool contains(pid_t process) const { return since_.contains(process); }

  /// Those that have been alone long enough, and are told of once.
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
