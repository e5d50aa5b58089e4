#pragma once

// The option --access.

#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::cli {

/// "0=load:3e9,store:1e9": bytes read from a memory node and written to it; one of the two may be left out.
/// Each text is of another node. Throws Error::usage.
std::vector<model::NodeAccess> access_from(const std::vector<std::string>& texts);

}  // namespace gable::cli
