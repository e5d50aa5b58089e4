#pragma once

namespace gable::model {

/// These words are in the note of a Sample of memory whose working set is smaller than the default one, so
/// that the last cache may hold more of it. Its Roof has the note as a remark.
inline constexpr const char* small_set_words = "instead of the default working set";

}  // namespace gable::model
