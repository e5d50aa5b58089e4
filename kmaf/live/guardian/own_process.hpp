#pragma once

// These are for child processes that may outlive this process.

#include <initializer_list>

namespace gable::kmaf::live {

/// The new process calls this: it detaches itself from signals to this process group or terminal, and closes
/// all descriptors but these. A pipe from the program's output that stayed open here would keep its reader
/// waiting.
void detach(const char* name);
void keep_only(std::initializer_list<int> descriptors);

}  // namespace gable::kmaf::live
