#pragma once

// For processes that this one starts for itself and that outlive it, or must not end with it.

#include <initializer_list>

namespace gable::kmaf::live {

/// In the new process: what ends or stops this one's process group or terminal is not for it, and of this
/// one's descriptors it keeps these alone, for a pipe to the program's output that stayed open here would
/// keep its reader waiting.
void detach(const char* name);
void keep_only(std::initializer_list<int> descriptors);

}  // namespace gable::kmaf::live
