#pragma once

// What machine.json says about hardware, system and settings, in words.

#include "cli/compare/side.hpp"

namespace gable::cli {

/// Sets `facts` and `memory_side_cache_bytes`; nothing without machine.json. Throws FormatError.
void read_facts(Side& side);

}  // namespace gable::cli
