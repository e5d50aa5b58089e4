#pragma once

// A C++ reference of every operation, against which the assembly is tested. It is written from the
// definitions of the operations. It uses only sizes from the table (vector, streams, flops, accumulators),
// not the assembly's method.

#include "kernels/kernel.hpp"

namespace gable::tests {

/// Changes `arguments` and the memory they name as `kernel.code` must. Sums are computed in another order.
/// They equal the kernel's if every intermediate sum is exact, as with integers of moderate size. Throws
/// std::invalid_argument for an unknown operation.
void reference(const kernels::Kernel& kernel, kernels::Arguments& arguments);

}  // namespace gable::tests
