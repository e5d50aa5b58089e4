#pragma once

// The first screen of gable show.

#include <string>

#include "cli/show/recorded.hpp"

namespace gable::cli {

/// "Intel Xeon E5-2650L v4, 4 clusters of 7 cores, 4 memory nodes"; empty where it is not known.
std::string machine_text(const ShownFolder& shown);

/// "joe0: Intel Xeon E5-2650L v4, 4 clusters of 7 cores, 4 memory nodes", and what a reader must know.
std::string head_text(const ShownFolder& shown);

/// The matrices, the summary of the roofs and what was not measured; empty where there are no roofs.
std::string screen_text(const ShownFolder& shown);

/// Why figures of the first screen are not known, a line each; empty where all are.
std::string unknown_text(const ShownFolder& shown);

}  // namespace gable::cli
