#pragma once

// --sample K: which nodes of a group of equal ones are measured. The nodes decide it among themselves, by
// files that only one of them can create.

#include <string>

namespace gable::cli {

/// Whether this node is one of the `most` of its group. Slots of nodes that failed are given away again.
/// Throws std::system_error where DIR cannot be written.
bool has_sample_slot(const std::string& folder, const std::string& node, int most);

}  // namespace gable::cli
