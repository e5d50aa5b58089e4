#pragma once

// What gable compare prints as one JSON document; docs/comparing.md lists its fields.

#include <optional>
#include <string>

#include "cli/compare/compared.hpp"

namespace gable::cli {

/// Every figure of every comparison. `fail_above`: percent, if asked for.
std::string compared_json(const Compared& compared, std::optional<double> fail_above);

}  // namespace gable::cli
