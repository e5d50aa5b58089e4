#pragma once

// Runs a program and samples what it executes.

#include <string>
#include <vector>

#include "base/programs/program.hpp"
#include "points/samples/code_samples.hpp"

namespace gable::points {

struct SampledRun {
  Ending ending;
  CodeSamples samples;
};

/// Does what run() does, and samples the program. If the kernel does not permit that, the program runs all
/// the same, and `samples` says why there are none. Throws what run() throws.
SampledRun run_sampled(const std::vector<std::string>& command, const std::vector<std::string>& environment);

}  // namespace gable::points
