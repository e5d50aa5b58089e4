#pragma once

// A process of its own that outlives the manager, however that ends, and then puts back what it had changed.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "kmaf/live/guardian/journal.hpp"

namespace gable::kmaf::live {

class Guardian {
 public:
  /// Starts the process. It shares `journal`, and with it the lock, and waits for the end of this one, which
  /// no signal to this process's group is for it either. Throws std::runtime_error.
  Guardian(Journal& journal, std::filesystem::path root);
  /// Lets it put everything back and waits until it has.
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  /// As the destructor, and tells what could not be put back.
  std::vector<std::string> dismiss();

  pid_t pid() const { return pid_; }

 private:
  void wait_until_ready();
  std::vector<std::string> put_back_here();

  Journal& journal_;
  std::filesystem::path root_;
  int alive_ = -1;  // closes with this process: that is how the guardian learns of its end
  int words_ = -1;  // what the guardian has to say
  pid_t pid_ = 0;
};

}  // namespace gable::kmaf::live
