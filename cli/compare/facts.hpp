#pragma once

// What machine.json says about hardware, system and settings, in words.

#include "cli/compare/side.hpp"

namespace gable::cli {

/// Adds the facts of its machine.json to those of the side.
void add_facts(Side& side);

}  // namespace gable::cli
