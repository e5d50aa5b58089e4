#pragma once

// One call of a kernel, compared with its reference.

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace gable::tests {

using Faults = std::vector<std::string>;

/// Three streams of one pass each; `expected` is the output of the reference.
struct Streams {
  double* load[2];
  double* store;
  double* expected;
  std::size_t doubles[3];
};

/// Compares one call with the reference. `arguments` has iterations, pass, position and scalar.
Faults check_call(const kernels::Kernel& kernel, const Streams& streams, const kernels::Arguments& arguments);

}  // namespace gable::tests
