#pragma once

// Where a program's data lies, as --memory and --to of gable predict say it.

#include <string>

#include "cli/recorded_machine.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// "node:1", "HBM", "interleave", "3:1", "0=60,1=40"; empty: first touch.
struct PlaceWords {
  std::string option;  ///< that said it
  std::string text;
};

/// Sets the nodes and the policy of the Point's data. Throws Error::usage for words that say no place, and
/// for memories that the machine of the folder does not have.
void place_data(const std::string& folder, const RecordedMachine& machine, const PlaceWords& place,
                model::Point& like);

/// Whether the text is such a place, "fast" or "slow", and no folder.
bool is_memory_text(const std::string& text);

}  // namespace gable::cli
