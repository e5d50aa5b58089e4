// The table of kernels/ for every SSE2 and AVX2 kernel, compared with the Valgrind counter: exact bytes and
// flops of an iteration.

#include "kernels/kernel.hpp"

#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

constexpr std::uint64_t fewer = 3, more = 10;

// "add_scalar_dp", the chains, and "random_apart".
bool is_scalar(const kernels::Kernel& kernel) {
  return kernel.kind == kernels::Kind::chain || kernel.kind == kernels::Kind::random ||
         std::string_view(kernel.op).find("_scalar") != std::string_view::npos;
}

// Valgrind supports neither AVX-512 nor clwb and clflushopt.
std::uint32_t features() {
  return kernels::cpu_features() & (kernels::sse2 | kernels::avx2 | kernels::fma);
}

Counts run(std::uint64_t iterations) {
  return count({program("count_kernels"), std::to_string(iterations), std::to_string(features())}, true);
}

TEST(Kernels, ClaimWhatValgrindCounts) {
  SKIP_WITHOUT_VALGRIND();
  const Counts little = run(fewer), much = run(more);
  int checked = 0;
  for (const kernels::Kernel& kernel : kernels::all()) {
    if (!kernels::runs(kernel, features())) continue;
    ++checked;
    const Work before = body_of(little, kernel.name), after = body_of(much, kernel.name);
    const std::uint64_t iterations = more - fewer;
    EXPECT_EQ(*after.load_bytes - *before.load_bytes, iterations * kernel.load_bytes) << kernel.name;
    EXPECT_EQ(*after.store_bytes - *before.store_bytes, iterations * kernel.store_bytes) << kernel.name;
    EXPECT_EQ(after.flop_count() - before.flop_count(), iterations * kernel.flops) << kernel.name;
    std::uint64_t of_width = 0;
    for (const Flops& sort : after.flops) {
      if (sort.vector_bits == (is_scalar(kernel) ? 0 : int(8 * kernel.vector_bytes))) of_width += sort.count;
    }
    // Scalar kernels add up what they return in a vector.
    if (is_scalar(kernel)) {
      EXPECT_GE(of_width, more * kernel.flops) << kernel.name;
    } else {
      EXPECT_EQ(of_width, after.flop_count()) << kernel.name;
    }
  }
  EXPECT_GE(checked, (features() & kernels::avx2) != 0 ? 50 : 20);
}

}  // namespace
}  // namespace gable::points::tests
