#pragma once

// The batch script that `gable cluster measure --submit` writes.

#include <string>

#include "cli/cluster/measure.hpp"

namespace gable::cli {

/// A script for sbatch that a person can read, change and keep.
std::string sbatch_script(const ClusterMeasureArguments& arguments, double deadline);

}  // namespace gable::cli
