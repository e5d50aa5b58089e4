#pragma once

// Work that may never return, such as reading what lies behind a lock that a stuck process holds.

#include <functional>
#include <string>

namespace gable::kmaf::live {

struct Said {
  std::string text;
  bool finished = false;  ///< the work came to its end
};

/// Lets a child do the work, which gets a descriptor to write to, and kills it when it has taken that many
/// seconds. What it wrote until then comes back all the same.
Said said_within(double seconds, const std::function<void(int)>& work);

}  // namespace gable::kmaf::live
