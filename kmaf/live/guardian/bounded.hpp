#pragma once

// Work that may never return, such as reading data behind a lock that a stuck process holds.

#include <functional>
#include <string>

namespace gable::kmaf::live {

struct Said {
  std::string text;
  bool finished = false;  ///< the work was completed
};

/// Runs the work in a child process, which gets a descriptor to write to, and kills it after this many
/// seconds. Returns what it wrote until then.
Said said_within(double seconds, const std::function<void(int)>& work);

}  // namespace gable::kmaf::live
