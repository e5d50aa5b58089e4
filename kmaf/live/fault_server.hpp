#pragma once

// The process of ours that serves the program's write faults (write_watch.hpp), from the manager's side.

#include <sys/types.h>

#include <optional>
#include <vector>

#include "kmaf/live/visitor.hpp"
#include "kmaf/live/write_watch.hpp"

namespace gable::kmaf::live {

class FaultServer {
 public:
  /// Starts it behind the door. It ends with this process, however that ends. Throws std::system_error.
  explicit FaultServer(const Door& door);
  ~FaultServer() { dismiss(); }
  FaultServer(const FaultServer&) = delete;
  FaultServer& operator=(const FaultServer&) = delete;

  void ask(const Asked& asked);
  /// What it has told since the last call.
  std::vector<Told> hear();
  /// Becomes readable when it has told something; empty when it has ended.
  std::optional<int> descriptor() const;
  /// Lets it end, and hears its last words. One that somebody has stopped is killed.
  std::vector<Told> dismiss();

 private:
  pid_t pid_ = -1;
  std::optional<Descriptor> asks_, told_;
  bool ended_ = false;
};

}  // namespace gable::kmaf::live
