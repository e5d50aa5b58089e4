#pragma once

// The product of two matrices on one core, in blocks that stay in its caches.

#include <cstddef>

namespace gable::bench {

/// c += a * b for square matrices of n rows, each stored column by column without gaps. Uses the widest
/// vectors that this CPU has.
void dgemm(std::size_t n, const double* a, const double* b, double* c);

/// "avx512", "avx2" or "plain": what dgemm uses here.
const char* dgemm_isa();

/// Whether c = a * b: both sides are multiplied by a vector of random numbers (Freivalds 1977) and compared
/// up to rounding.
bool is_product(std::size_t n, const double* a, const double* b, const double* c);

}  // namespace gable::bench
