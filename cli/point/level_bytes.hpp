#pragma once

// The option --level-bytes.

#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::cli {

/// "L3=9e9,3e9", "DRAM=33.7e9,0.8e9" (or "memory"): bytes read from a level and written to it, in any order
/// of the levels. The bytes written may be left out. Throws Error::usage.
std::vector<model::LevelBytes> level_bytes_from(const std::vector<std::string>& texts);

}  // namespace gable::cli
