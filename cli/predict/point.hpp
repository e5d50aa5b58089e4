#pragma once

// gable predict --point: the effect of moving an application's data.

#include <string>

namespace gable::cli {

/// `to`: "node:N", "fast" or "slow" (the node with the highest or lowest roof for the point's cluster), or
/// shares as "0=60,1=40". Prints the bound after the move with its interval. Throws Error::usage.
void predict_point(const std::string& folder, const std::string& name, const std::string& to, bool json);

}  // namespace gable::cli
