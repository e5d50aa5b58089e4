// The chase is one cycle through every line, and its order is not one that a prefetcher follows.

#include "bench/buffers/chase.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/temporary_folder.hpp"

namespace {

using gable::bench::build_chase;

struct Aligned {
  explicit Aligned(std::size_t bytes)
      : data(static_cast<std::byte*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256))) {}
  ~Aligned() { std::free(data); }
  std::byte* data;
};

class Chase : public testing::TestWithParam<std::size_t> {};

TEST_P(Chase, IsOneCycleThroughEveryLine) {
  const std::size_t bytes = GetParam();
  const Aligned memory(bytes);
  for (const std::size_t line : {64, 128, 256}) {
    if (bytes < 4 * line) continue;
    const std::uint64_t lines = build_chase(memory.data, bytes, line);
    EXPECT_LE(lines * line, bytes);
    EXPECT_GT(lines * line * 3 / 2, bytes - line);
    std::set<std::byte*> seen;
    std::byte* at = memory.data;
    do {
      ASSERT_GE(at, memory.data);
      ASSERT_LT(at, memory.data + lines * line);
      ASSERT_EQ((at - memory.data) % static_cast<std::ptrdiff_t>(line), 0);
      seen.insert(at);
      at = *reinterpret_cast<std::byte**>(at);
    } while (at != memory.data && seen.size() <= lines);
    EXPECT_EQ(seen.size(), lines);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Chase,
                         testing::Values(256, 320, 4096, 6144, 16384, 24576, 49152, 65536 + 64, 1 << 20,
                                         3 << 19, (1 << 22) + 12345));

TEST(Chase, NoStepIsCommon) {
  const std::size_t bytes = 1 << 22;
  const Aligned memory(bytes);
  const std::uint64_t lines = build_chase(memory.data, bytes, 64);
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

// The largest line of any cache; 64 where the system shows none.
TEST(Lines, AreReadFromTheMachine) {
  const gable::TemporaryFolder folder("lines");
  EXPECT_EQ(gable::bench::line_bytes(folder.path), 64u);
  for (const auto& [index, bytes] : {std::pair{"index0", "64"}, {"index2", "128"}, {"index3", "64"}}) {
    const auto cache = folder.path / "sys/devices/system/cpu/cpu0/cache" / index;
    std::filesystem::create_directories(cache);
    std::ofstream(cache / "coherency_line_size") << bytes << "\n";
  }
  EXPECT_EQ(gable::bench::line_bytes(folder.path), 128u);
  EXPECT_GE(gable::bench::line_bytes(), 64u);
}

}  // namespace
