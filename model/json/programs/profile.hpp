#pragma once

// A profile as a file (docs/formats/profile.md).

#include <string>

#include "model/records/profile.hpp"

namespace gable::model {

std::string profile_to_json(const Profile& profile);

/// Throws Error::format with file, line and field for anything else; `path` names the file.
Profile profile_from_json(const std::string& text, const std::string& path);

}  // namespace gable::model
