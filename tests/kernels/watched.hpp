#pragma once

// A call of a kernel with known values in every register that the calling convention preserves.

#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace gable::tests {

/// Runs the kernel; returns what it did not preserve, one sentence each.
std::vector<std::string> watched_call(const kernels::Kernel& kernel, kernels::Arguments& arguments);

}  // namespace gable::tests
