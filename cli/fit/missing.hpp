#pragma once

// Skipped and invalid figures, by reason.

#include <string>
#include <vector>

#include "model/roofs/roofs.hpp"

namespace gable::cli {

/// Cases whose reasons differ only in numbers.
struct Missing {
  model::Status status = model::Status::skipped;
  std::string reason;              ///< with the range of each number
  std::vector<std::string> cases;  ///< each in words
};

/// The missing figures of the roofs, the ladder, the validation and `cells` (of a grid): skipped ones first.
std::vector<Missing> missing_of(const model::Roofs& roofs, const std::vector<model::Roof>& cells);

/// The same as text, each with its first few cases. Empty if nothing is missing.
std::string missing_table(const std::vector<Missing>& missing);

}  // namespace gable::cli
