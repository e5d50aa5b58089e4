#pragma once

// Work that may never return, such as reading data behind a lock that a stuck process holds.

#include <functional>
#include <initializer_list>
#include <string>

namespace gable::kmaf::live {

/// The new process calls this: it detaches itself from signals to this process group or terminal, and closes
/// all descriptors but these. A pipe from the program's output that stayed open here would keep its reader
/// waiting.
void detach(const char* name);
void keep_only(std::initializer_list<int> descriptors);

struct Said {
  std::string text;
  bool finished = false;  ///< the work was completed
};

/// Runs the work in a child process, which gets a descriptor to write to, and kills it after this many
/// seconds. Returns what it wrote until then.
Said said_within(double seconds, const std::function<void(int)>& work);

}  // namespace gable::kmaf::live
