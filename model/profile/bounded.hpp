#pragma once

// Profiles of large programs that take little room.

#include <cstddef>

#include "model/records/profile.hpp"

namespace gable::model {

inline constexpr const char* other_functions = "(other functions)";
inline constexpr const char* other_objects = "(other objects)";

/// The profile with the `most` pairs of a place and an object that matter most. All others are added up as
/// those of one function to one object, by region, so that every sum stays what it was. More than 4096
/// records of pages are left out.
Profile bounded(const Profile& profile, std::size_t most);

}  // namespace gable::model
