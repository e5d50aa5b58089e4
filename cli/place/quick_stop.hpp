#pragma once

// Ctrl-C ends work that cannot be asked to end: reading a graph, a long run, a verification.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace gable::cli {

/// From the first SIGINT or SIGTERM on the command has half a second to end by itself. Then the process ends
/// by that signal wherever it is: what is mapped goes with it, files in tiers have no name, and records are
/// written whole.
class QuickStop {
 public:
  /// `last` is called before the process ends, and gives what is said on stderr.
  explicit QuickStop(std::function<std::string()> last);
  ~QuickStop();
  QuickStop(const QuickStop&) = delete;
  QuickStop& operator=(const QuickStop&) = delete;

  /// While it is held the process does not end this way: for writing files.
  [[nodiscard]] std::unique_lock<std::mutex> hold() { return std::unique_lock(writing_); }

 private:
  void watch();

  std::function<std::string()> last_;
  std::mutex writing_, mutex_;
  std::condition_variable over_;
  bool ended_ = false;
  std::thread watcher_;
};

}  // namespace gable::cli
