#include "bench/apps/pagerank_step.hpp"

#include <arm_sve.h>

#include <algorithm>

namespace gable::bench {

namespace neon {
#define TARGET
#define VECTOR_BYTES 16
#include "bench/apps/pagerank_step.inc"
#undef TARGET
#undef VECTOR_BYTES
}  // namespace neon

// These kernels run with every vector length.
namespace sve {

#define TARGET __attribute__((target("+sve")))

// The sum over neighbours `at` to `stop` of the ranks that `these` selects, from `read` on.
TARGET inline void add_ranks(const RankStep& step, svbool_t these, const float* read, const Vertex* at,
                             const Vertex* stop, float* to) {
  svfloat32_t a = svdup_f32(0), b = a, c = a, d = a;
  for (; at + 4 <= stop; at += 4) {
    a = svadd_x(these, a, svld1(these, read + at[0] * step.ranks));
    b = svadd_x(these, b, svld1(these, read + at[1] * step.ranks));
    c = svadd_x(these, c, svld1(these, read + at[2] * step.ranks));
    d = svadd_x(these, d, svld1(these, read + at[3] * step.ranks));
  }
  for (; at < stop; ++at) a = svadd_x(these, a, svld1(these, read + *at * step.ranks));
  svst1(these, to, svadd_x(these, svadd_x(these, a, b), svadd_x(these, c, d)));
}

// The ranks of each neighbour in turn.
TARGET void by_ranks(const RankStep& step, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t v = first; v < last; ++v) {
    const Vertex* at = step.in_neighbours + step.in_offsets[v];
    const Vertex* const end = step.in_neighbours + step.in_offsets[v + 1];
    double sum[most_ranks] = {};
    while (at < end) {
      const Vertex* const stop = at + std::min<std::ptrdiff_t>(end - at, neon::block);
      float partial[most_ranks];
      for (std::size_t z = 0; z < step.ranks; z += svcntw())
        add_ranks(step, svwhilelt_b32(z, step.ranks), step.read + z, at, stop, partial + z);
      for (std::size_t z = 0; z < step.ranks; ++z) sum[z] += static_cast<double>(partial[z]);
      at = stop;
    }
    neon::finish(step, v, step.ranks, sum);
  }
}

// Each rank in turn, for as many neighbours as a vector holds.
TARGET void by_neighbours(const RankStep& step, std::uint64_t first, std::uint64_t last) {
  const auto ranks = static_cast<std::uint32_t>(step.ranks);
  for (std::uint64_t v = first; v < last; ++v) {
    const Vertex* const begin = step.in_neighbours + step.in_offsets[v];
    const std::uint64_t count = step.in_offsets[v + 1] - step.in_offsets[v], piece = neon::block * svcntw();
    double sum[most_ranks] = {};
    for (std::uint64_t from = 0; from < count; from += piece) {
      const std::uint64_t to = std::min(count, from + piece);
      for (std::size_t z = 0; z < ranks; ++z) {
        svfloat32_t partial = svdup_f32(0);
        for (std::uint64_t i = from; i < to; i += svcntw()) {
          const svbool_t these = svwhilelt_b32(i, to);
          const svuint32_t index = svmul_x(these, svld1(these, begin + i), ranks);
          partial = svadd_m(these, partial, svld1_gather_index(these, step.read + z, index));
        }
        sum[z] += static_cast<double>(svaddv(svptrue_b32(), partial));
      }
    }
    neon::finish(step, v, ranks, sum);
  }
}

}  // namespace sve

RankKernel rank_kernel(RankVector vector, const std::string& isa, std::size_t ranks) {
  if (isa != "sve") return neon::kernel_of(vector, ranks);
  return vector == RankVector::ranks ? sve::by_ranks : sve::by_neighbours;
}

}  // namespace gable::bench
