// The chase is one cycle through every line, and its order is not one that a prefetcher follows.

#include "bench/buffers/chase.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <set>

namespace {

using gable::bench::build_chase;

struct Aligned {
  explicit Aligned(std::size_t bytes) : data(static_cast<std::byte*>(std::aligned_alloc(64, bytes))) {}
  ~Aligned() { std::free(data); }
  std::byte* data;
};

class Chase : public testing::TestWithParam<std::size_t> {};

TEST_P(Chase, IsOneCycleThroughEveryLine) {
  const std::size_t bytes = GetParam();
  const Aligned memory((bytes + 63) / 64 * 64);
  const std::uint64_t lines = build_chase(memory.data, bytes);
  EXPECT_LE(lines * 64, bytes);
  EXPECT_GT(lines * 64 * 3 / 2, bytes - 64);
  std::set<void*> seen;
  void* at = memory.data;
  do {
    ASSERT_GE(at, memory.data);
    ASSERT_LT(at, memory.data + lines * 64);
    seen.insert(at);
    at = *static_cast<void**>(at);
  } while (at != memory.data && seen.size() <= lines);
  EXPECT_EQ(seen.size(), lines);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Chase,
                         testing::Values(256, 320, 4096, 6144, 16384, 24576, 49152, 65536 + 64, 1 << 20,
                                         3 << 19, (1 << 22) + 12345));

TEST(Chase, NoStepIsCommon) {
  const std::size_t bytes = 1 << 22;
  const Aligned memory(bytes);
  const std::uint64_t lines = build_chase(memory.data, bytes);
  std::map<std::ptrdiff_t, std::uint64_t> steps;
  std::uint64_t near = 0;
  for (std::uint64_t i = 0; i < lines; ++i) {
    const auto* here = memory.data + i * 64;
    const auto* next = *reinterpret_cast<std::byte* const*>(here);
    ++steps[next - here];
    near += std::abs(next - here) < 4096;
  }
  for (const auto& [step, count] : steps) EXPECT_LT(count, lines / 20) << step;
  EXPECT_LT(near, lines / 100);
}

}  // namespace
