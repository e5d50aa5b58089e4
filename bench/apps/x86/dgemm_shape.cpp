#include "bench/apps/dgemm_shape.hpp"

#include "kernels/kernel.hpp"

namespace gable::bench {

namespace {

using Wide4 = double __attribute__((vector_size(32), aligned(8), may_alias));
using Wide8 = double __attribute__((vector_size(64), aligned(8), may_alias));

__attribute__((target("avx2,fma"))) void micro_avx2(std::size_t depth, const double* a, const double* b,
                                                    double* c, std::size_t column) {
  GABLE_MICRO_BODY(Wide4, 4, 3, 4)
}

__attribute__((target("avx512f,fma"))) void micro_avx512(std::size_t depth, const double* a, const double* b,
                                                         double* c, std::size_t column) {
  GABLE_MICRO_BODY(Wide8, 8, 3, 8)
}

}  // namespace

Shape widest_shape() {
  const std::uint32_t features = kernels::cpu_features();
  if ((features & kernels::avx512f) != 0) return {"avx512", 24, 8, micro_avx512};
  if ((features & kernels::avx2) != 0 && (features & kernels::fma) != 0) return {"avx2", 12, 4, micro_avx2};
  return plain_shape;
}

}  // namespace gable::bench
