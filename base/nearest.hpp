#pragma once

// The name that was meant where another was typed.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gable {

/// How many letters have to be added, removed, replaced, or exchanged with their neighbour, to make `b` of
/// `a`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name that `word` was probably meant to be; case and dashes in front do not matter. The nearest of
/// `names` with at most one wrong letter in three, or else the only name that begins with `word`. Empty where
/// there is none.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

/// "; did you mean 'load'?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

}  // namespace gable
