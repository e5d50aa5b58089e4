#pragma once

// What a process that has loaded the library of kmaf/preload says.

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "kmaf/live/samplers/perf_events.hpp"
#include "kmaf/preload/protocol.h"

namespace gable::kmaf::live {

/// A socket that the library can connect to, and its name for the environment. Throws std::system_error.
struct Door {
  Descriptor listening;  ///< non-blocking
  std::string name;
};
Door open_door();

struct Visitor {
  pid_t pid = 0;
  bool stranger = false;  ///< another user's, or with process numbers of its own
  gable_hello hello = {};
  std::vector<Descriptor> descriptors;
};

/// What a connection says; nothing where it says nothing that is understood, or not all of it.
std::optional<Visitor> hear_visitor(int connection);
/// Tells one who waits that nothing of his is protected.
void answer_visitor(int connection);

}  // namespace gable::kmaf::live
