#pragma once

// Properties of a streaming operation that follow from its name.

#include <optional>
#include <string>

namespace gable::model {

/// The share of loads in its bytes: "load" and "ddot" 1, "store" 0, "copy" and "scale" 1/2, "add" and "triad"
/// 2/3, "mixN_M" N/(N+M); a trailing "_nt" changes nothing. Nothing for other operations. The share comes
/// from the name because published figures name no kernel; a test compares it with the table of the kernels.
std::optional<double> load_share_of(std::string op);

}  // namespace gable::model
