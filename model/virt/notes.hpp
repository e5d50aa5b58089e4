#pragma once

// What the visits of virt.jsonl note, such as other processes that ran beside them.

#include <string>
#include <vector>

#include "model/records/virt.hpp"

namespace gable::model {

/// "3 of 6 visits: other processes kept 0.6 to 1.9 CPUs busy; measure again on an idle machine.": the notes
/// of the ok visits of a kind. Those that differ in their numbers alone are one.
std::vector<std::string> notes_of(const std::vector<VirtSample>& samples, VirtKind kind);

}  // namespace gable::model
