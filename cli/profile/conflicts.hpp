#pragma once

// This file describes the conflicts of a profile: lines that evict each other because a cache has few ways.

#include <string>

#include "cli/profile/caches.hpp"

namespace gable::cli {

/// Returns sentences. They say which caches count with their sets, or why none does, and which part of a
/// cache's traffic is conflicts, if that is a tenth or more.
std::string conflicts_text(const model::Profile& profile, const ProfileMachine& machine);

}  // namespace gable::cli
