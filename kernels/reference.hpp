#pragma once

// What every operation must do, in C++: the measure of the assembly's tests. Written from the operations'
// definitions; of the table it takes only sizes (vector, streams, flops, chains), never how the assembly does
// it.

#include "kernels/kernel.hpp"

namespace gable::kernels {

/// Does to `arguments` and to the memory they name what `kernel.code` must do. Sums are taken in another
/// order: they are equal to the kernel's where every intermediate sum is exact, as with integers of modest
/// size. Throws std::invalid_argument for an operation that it does not know.
void reference(const Kernel& kernel, Arguments& arguments);

}  // namespace gable::kernels
