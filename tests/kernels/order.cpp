// The order of blocks: every block once, without a pattern that a memory or a prefetcher could exploit.

#include "kernels/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gable::kernels {
namespace {

TEST(Order, TheDefaultIsFrontToBack) {
  for (const std::uint64_t count : {1ull, 2ull, 64ull, 1ull << 40}) {
    for (std::uint64_t i : {std::uint64_t{0}, count / 3, count / 2, count - 1})
      EXPECT_EQ(Order{}.place(i, count), i);
  }
}

TEST(Order, ScatteredIsAPermutationOfEveryPowerOfTwo) {
  for (std::uint64_t count = 1; count <= 1u << 21; count *= 2) {
    const Order order = scattered_order(count);
    std::vector<bool> seen(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t at = order.place(i, count);
      ASSERT_LT(at, count);
      ASSERT_FALSE(seen[at]) << at << " of " << count << " comes twice";
      seen[at] = true;
    }
  }
}

// A page has sixteen blocks of 256 bytes: by chance, the share of steps that stay in their page is about one
// over the number of pages.
TEST(Order, ScatteredStepsAreRandomlyFar) {
  for (std::uint64_t bits = 11; bits <= 22; ++bits) {
    const std::uint64_t count = 1ull << bits;
    const Order order = scattered_order(count);
    std::uint64_t near = 0, up = 0;
    double distance = 0;
    for (std::uint64_t i = 1; i < count; ++i) {
      const std::uint64_t a = order.place(i - 1, count), b = order.place(i, count);
      near += a / 16 == b / 16;
      up += b > a;
      distance += std::abs(static_cast<double>(b) - static_cast<double>(a));
    }
    const auto steps = static_cast<double>(count);
    EXPECT_LE(near, 64u) << count;  // by chance 16
    EXPECT_NEAR(static_cast<double>(up) / steps, 0.5, 0.05) << count;
    EXPECT_NEAR(distance / steps / steps, 1.0 / 3, 0.03) << count;
  }
}

// No distance between successive blocks is frequent, so a stride prefetcher finds none.
TEST(Order, ScatteredHasNoStride) {
  for (const std::uint64_t count : {1u << 11, 1u << 16, 1u << 20}) {
    const Order order = scattered_order(count);
    for (const std::uint64_t lag : {1, 2, 4, 8, 16}) {
      std::vector<int> strides(count);
      for (std::uint64_t i = lag; i < count; ++i)
        ++strides[(order.place(i, count) - order.place(i - lag, count)) & (count - 1)];
      EXPECT_LE(*std::ranges::max_element(strides), std::max<int>(64, static_cast<int>(count / 1000)))
          << count << " blocks, " << lag << " apart";
    }
  }
}

// The effect of even multipliers.
TEST(Order, AnEvenMultiplierIsNoPermutation) {
  Order order = scattered_order(1024);
  order.multiplier += 1;
  std::vector<bool> seen(1024);
  std::uint64_t different = 0;
  for (std::uint64_t i = 0; i < 1024; ++i) {
    different += !seen[order.place(i, 1024)];
    seen[order.place(i, 1024)] = true;
  }
  EXPECT_LT(different, 1024u);
}

}  // namespace
}  // namespace gable::kernels
