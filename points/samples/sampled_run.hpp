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

/// Runs the program like run(), and samples it. If the kernel does not permit that, the program runs without,
/// and `samples.missing` says why. Throws as run().
SampledRun run_sampled(const std::vector<std::string>& command, const std::vector<std::string>& environment);

}  // namespace gable::points
