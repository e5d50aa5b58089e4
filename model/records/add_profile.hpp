#pragma once

// The profiles of a program's processes as one.

#include "model/records/profile.hpp"

namespace gable::model {

/// Adds what `more` says: the same places and objects are one. Each process has its own distances.
void add_profile(Profile& to, const Profile& more);

/// Makes places that are the same one, with the sum of what they did to each object.
void join_same_places(Profile& profile);

/// Adds work of the same or of another function: flops and bytes, by kind and by level.
void add_work(FunctionWork& to, const FunctionWork& more);

}  // namespace gable::model
