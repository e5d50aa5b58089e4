#pragma once

// What a profile tells of lines that evict each other because a cache has few ways.

#include <string>

#include "cli/profile/caches.hpp"

namespace gable::cli {

/// Sentences: which caches count with their sets, or why none does, and how much of a cache's traffic is
/// conflicts, if it is a tenth or more.
std::string conflicts_text(const model::Profile& profile, const ProfileMachine& machine);

}  // namespace gable::cli
