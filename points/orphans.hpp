#pragma once

// Processes that outlive the program that started them: what they do is counted, and is not in its time.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/programs/program.hpp"

namespace gable::points {

/// "process 17 (sleep 100)"
std::string named_process(int pid);

/// What to do so that this process ends with the program.
std::string how_to_end_with(int pid);

/// While this lives, a process whose parent has ended becomes a child of this one, so that none is lost.
class Orphans {
 public:
  Orphans();
  ~Orphans();
  Orphans(const Orphans&) = delete;
  Orphans& operator=(const Orphans&) = delete;

  /// The ids of those that still run; those that have ended are taken note of. Other children of this process
  /// are not among them.
  std::vector<int> running();

  /// Kills all that still run, with their descendants.
  void end();

  /// Waits a moment for those that still run. Throws Error::failed, which names one of them, if it runs on,
  /// or if they worked for more than a fiftieth of the CPU time after the end of `program`. Call it just
  /// after that.
  void require_ended(const std::string& program, const Ending& ending);

 private:
  double late_seconds() const;

  std::set<int> others_;          ///< children from before
  std::map<int, double> at_end_;  ///< CPU seconds of those that ran when the program ended
  std::map<int, double> last_;    ///< their CPU seconds since, as far as they are known
  int was_ = 0;
};

}  // namespace gable::points
