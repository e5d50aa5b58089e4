#include "bench/apps/pagerank_step.hpp"

#include <immintrin.h>

namespace gable::bench {

namespace sse2 {
#define TARGET
#define VECTOR_BYTES 16
#include "bench/apps/pagerank_step.inc"
#undef TARGET
#undef VECTOR_BYTES
}  // namespace sse2

namespace avx2 {
#define TARGET __attribute__((target("avx2,fma")))
#define VECTOR_BYTES 32
#define INDEX(at, ranks)                                                       \
  _mm256_mullo_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)), \
                     _mm256_set1_epi32(static_cast<int>(ranks)))
#define GATHER(from, index) _mm256_i32gather_ps(from, index, 4)
#include "bench/apps/pagerank_step.inc"
#undef TARGET
#undef VECTOR_BYTES
#undef INDEX
#undef GATHER
}  // namespace avx2

namespace avx512 {
#define TARGET __attribute__((target("avx512f")))
#define VECTOR_BYTES 64
#define INDEX(at, ranks) \
  _mm512_mullo_epi32(_mm512_loadu_si512(at), _mm512_set1_epi32(static_cast<int>(ranks)))
#define GATHER(from, index) _mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xffff, index, from, 4)
#include "bench/apps/pagerank_step.inc"
}  // namespace avx512

RankKernel rank_kernel(RankVector vector, const std::string& isa, std::size_t ranks) {
  if (isa == "avx512") return avx512::kernel_of(vector, ranks);
  if (isa == "avx2") return avx2::kernel_of(vector, ranks);
  return sse2::kernel_of(vector, ranks);
}

}  // namespace gable::bench
