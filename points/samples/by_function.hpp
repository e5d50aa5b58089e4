#pragma once

// Samples of a program's instructions by the functions that were counted.

#include <map>
#include <string>
#include <utility>

#include "model/records/point.hpp"
#include "points/counters/counts.hpp"
#include "points/samples/code_records.hpp"

namespace gable::points {

struct FunctionSamples {
  std::map<model::FunctionKey, double> of;  ///< as in the counts
  model::Samples samples;                   ///< all samples, and those in no counted function
};

/// Code of a loop that is counted apart is not its function's. Code that a compiler inlined belongs to the
/// function whose symbol contains it, as in the counts. In a file without symbols, all code that was executed
/// when it was counted belongs to the function without a name. There are no samples, with the reason, if a
/// file with samples is another build than the counted one.
FunctionSamples by_function(const CodeSamples& samples, const Counts& counts);

}  // namespace gable::points
