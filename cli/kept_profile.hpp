#pragma once

// The profiles that gable point run keeps beside the points: DIR/profiles/NAME.profile.

#include <string>
#include <vector>

#include "model/records/profile.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

inline constexpr std::size_t most_profile_bytes = 2 << 20;  ///< of a kept profile, as a file

/// Writes the profile into DIR/profiles, in a file that is named after the point and is not there yet. Of a
/// profile of more than `most_profile_bytes`, what matters least is added up (model::bounded). Returns the
/// name of the file. Throws std::system_error.
std::string keep_profile(const std::string& folder, const std::string& point, const model::Profile& profile);

/// DIR/profiles/FILE.
std::string profile_path(const std::string& folder, const std::string& file);

/// Removes the profiles of `before` that no point of `after` refers to, and DIR/profiles if it is then empty.
void remove_profiles(const std::string& folder, const std::vector<model::Point>& before,
                     const std::vector<model::Point>& after);

}  // namespace gable::cli
