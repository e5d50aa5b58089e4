#pragma once

// Suggests the intended name for a mistyped one.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gable {

/// The number of insertions, deletions, replacements and transpositions of letters between `a` and
/// `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name that `word` was probably meant to be; case and dashes in front do not matter. The nearest of
/// `names` with at most one wrong letter in three, or else the only name that begins with `word`. Empty if
/// there is none.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

/// "; did you mean 'load'?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

}  // namespace gable
