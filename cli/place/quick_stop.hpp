#pragma once

// Lets Ctrl-C end work that does not check for interruption: reading a graph, a long run, a verification.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace gable::cli {

/// After the first SIGINT or SIGTERM the command has half a second to end by itself. Then the process ends
/// by that signal at any point. This is safe: mappings are released, files in tiers have no name, and records
/// are written atomically.
class QuickStop {
 public:
  /// `last` is called before the process ends and returns what to tell().
  explicit QuickStop(std::function<std::string()> last);
  ~QuickStop();
  QuickStop(const QuickStop&) = delete;
  QuickStop& operator=(const QuickStop&) = delete;

  /// While it is held, the process does not end this way: writers of files hold it.
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
