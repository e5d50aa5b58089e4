#pragma once

// One run of a program without Valgrind, and the runs in which its functions are sampled.

#include <vector>

#include "cli/point/run/competitors.hpp"
#include "cli/point/run/runs.hpp"
#include "points/counters/marker.hpp"
#include "points/run.hpp"
#include "points/samples/code_records.hpp"

namespace gable::cli {

struct NativeRun {
  double seconds = 0;
  Ending ending;
  Usage usage;
  std::vector<points::MarkedRegion> regions;
  Competitors others;
  points::CodeSamples samples;

  bool is_disturbed() const { return others.disturbs; }
};

/// Runs the program once. `samples`: samples the instructions that it executes. Throws Error::program if it
/// fails, Error::failed if a process of it outlives it.
NativeRun native_run(const RunPlan& plan, bool samples = false);

/// Samples of the observed run, or of further ones: instead of it if it took more CPU time than the timed
/// ones, which are not sampled (a note on `program` if they all do), and beside it if it is too short for
/// enough samples.
points::CodeSamples code_samples(const RunPlan& plan, const NativeRun& watched,
                                 const std::vector<NativeRun>& timed, RepeatedInput& input,
                                 model::Point& program);

}  // namespace gable::cli
