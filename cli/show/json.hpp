#pragma once

// What gable show prints, as one JSON document.

#include <string>

#include "cli/show/recorded.hpp"

namespace gable::cli {

/// The figures of the first screen with the fields of roofs.json; with `all` the records of every file.
std::string shown_json(const ShownFolder& shown, bool all);

}  // namespace gable::cli
