#pragma once

// What the name of a streaming operation says of it.

#include <optional>
#include <string>

namespace gable::model {

/// The share of loads in its bytes: "load" and "ddot" 1, "store" 0, "copy" and "scale" 1/2, "add" and "triad"
/// 2/3, "mixN_M" N/(N+M); with "_nt" behind it the same. Nothing for other operations. Published figures name
/// no kernel, which is why the name is the source; a test holds it against the table of the kernels.
std::optional<double> load_share_of(std::string op);

}  // namespace gable::model
