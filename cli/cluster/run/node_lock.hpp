#pragma once

// One measurement on a node at a time, whatever DIR it measures into.

#include <string>

namespace gable::cli {

/// The lock's file in node-local storage; its content says who holds it.
std::string lock_path(const std::string& local);

class NodeLock {
 public:
  /// Throws std::system_error where the file cannot be made.
  NodeLock(const std::string& path, const std::string& owner);
  ~NodeLock();
  NodeLock(const NodeLock&) = delete;
  NodeLock& operator=(const NodeLock&) = delete;

  /// Who else is at work; empty: nobody, and the lock is held.
  const std::string& other() const { return other_; }

 private:
  int descriptor_;
  std::string other_;
};

/// Sleeps until nobody holds the lock, or a stop is requested.
void wait_for_lock(const std::string& path);

}  // namespace gable::cli
