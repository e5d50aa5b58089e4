#pragma once

// A separate process that outlives the manager, however that ends, and then restores what it changed.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "kmaf/live/guardian/journal.hpp"

namespace gable::kmaf::live {

class Guardian {
 public:
  /// Starts the process. It shares `journal` and its lock, and waits for the end of this process. Signals to
  /// this process's group do not reach it. Throws std::runtime_error.
  Guardian(Journal& journal, std::filesystem::path root);
  /// Makes it restore everything and waits for it.
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  /// Does what the destructor does, and returns what could not be restored.
  std::vector<std::string> dismiss();

  pid_t pid() const { return pid_; }

 private:
  void wait_until_ready();
  std::vector<std::string> put_back_here();

  Journal& journal_;
  std::filesystem::path root_;
  int alive_ = -1;  // closes when this process ends, which tells the guardian
  int words_ = -1;  // messages of the guardian
  pid_t pid_ = 0;
};

}  // namespace gable::kmaf::live
