#pragma once

// What the visits of virt.jsonl note, such as other processes that ran beside them.

#include <string>
#include <vector>

#include "model/records/virt.hpp"

namespace gable::model {

/// Notes that differ in their numbers alone are one.
struct VirtNote {
  Note note;       ///< the one with the largest number
  int visits = 0;  ///< that have it
  int of = 0;      ///< ok visits of the kind
  bool varies = false;
};

/// The notes of the ok visits of a kind, in order of appearance.
std::vector<VirtNote> notes_of(const std::vector<VirtSample>& samples, const std::string& kind);

/// "3 of 6 visits: other processes kept 1.9 CPUs busy, at most; measure again on an idle machine."
std::string note_text(const VirtNote& note);

}  // namespace gable::model
