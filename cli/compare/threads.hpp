#pragma once

// Figures that differ in nothing but their threads get names that tell them apart.

#include <vector>

#include "cli/compare/compared.hpp"

namespace gable::cli {

/// "cluster 0, L1: load" becomes "cluster 0, L1: load, all cores" where a figure of this name has other
/// threads, in whichever folder.
void tell_threads_apart(std::vector<Versus>& versus);

}  // namespace gable::cli
