#pragma once

// The innermost block of dgemm, by the vectors of an architecture.

#include <cstddef>

namespace gable::bench {

/// Adds to a block of c (columns `column` apart) the product of packed strips of a and b.
using Micro = void (*)(std::size_t depth, const double* a, const double* b, double* c, std::size_t column);

struct Shape {
  const char* isa;
  std::size_t rows, columns;  // of a micro block; at most 24 and 8
  Micro micro;
};

/// The one with the widest vectors that this CPU has.
Shape widest_shape();

// A micro block of c, in registers: rows of `Width` vectors each; a and b are packed in the order of use.
#define GABLE_MICRO_BODY(Vector, lanes, vectors, width)                                        \
  Vector sums[width][vectors] = {};                                                            \
  for (std::size_t k = 0; k < depth; ++k) {                                                    \
    Vector left[vectors];                                                                      \
    _Pragma("GCC unroll 8") for (int v = 0; v < vectors; ++v) left[v] =                        \
        *reinterpret_cast<const Vector*>(a + v * lanes);                                       \
    _Pragma("GCC unroll 16") for (int j = 0; j < width; ++j) {                                 \
      const double right = b[j];                                                               \
      _Pragma("GCC unroll 8") for (int v = 0; v < vectors; ++v) sums[j][v] += left[v] * right; \
    }                                                                                          \
    a += vectors * lanes;                                                                      \
    b += width;                                                                                \
  }                                                                                            \
  _Pragma("GCC unroll 16") for (std::size_t j = 0; j < width; ++j) {                           \
    _Pragma("GCC unroll 8") for (int v = 0; v < vectors; ++v) {                                \
      Vector* const at = reinterpret_cast<Vector*>(c + j * column + v * lanes);                \
      *at += sums[j][v];                                                                       \
    }                                                                                          \
  }

using Wide2 = double __attribute__((vector_size(16), aligned(8), may_alias));

inline void micro_plain(std::size_t depth, const double* a, const double* b, double* c, std::size_t column) {
  GABLE_MICRO_BODY(Wide2, 2, 2, 4)
}

inline constexpr Shape plain_shape = {"plain", 4, 4, micro_plain};

}  // namespace gable::bench
