// Sums of work: kind by kind; bytes stay unknown if one side did not count them.

#include "points/counters/counts.hpp"

#include <gtest/gtest.h>

namespace gable::points {
namespace {

using Op = Flops::Operation;
constexpr auto sp = Flops::Precision::sp, dp = Flops::Precision::dp;

TEST(Work, AddsUpSortBySort) {
  Work sum{{{Op::fma, dp, 256, 80}}, 100, 10};
  sum += Work{{{Op::add, sp, 0, 1}, {Op::fma, dp, 128, 4}, {Op::fma, dp, 256, 8}}, 5, 0};
  const Work expected{{{Op::add, sp, 0, 1}, {Op::fma, dp, 128, 4}, {Op::fma, dp, 256, 88}}, 105, 10};
  EXPECT_EQ(sum, expected);
  EXPECT_EQ(sum.flop_count(), 93u);
}

TEST(Work, OrderDoesNotMatter) {
  const Work a{{{Op::mul, sp, 0, 3}, {Op::fma, dp, 256, 2}}, 1, 2};
  const Work b{{{Op::any, dp, Flops::unknown_bits, 7}, {Op::mul, sp, 0, 4}}, 3, 4};
  Work ab = a, ba = b;
  EXPECT_EQ(ab += b, ba += a);
}

TEST(Work, BytesThatWereNotCountedStayUnknown) {
  Work sum{{}, 8, 8};
  sum += Work{{}, std::nullopt, 8};
  EXPECT_EQ(sum.load_bytes, std::nullopt);
  EXPECT_EQ(sum.store_bytes, 16u);
}

TEST(Work, SortsHaveNames) {
  EXPECT_EQ(name(Op::fma), "fma");
  EXPECT_EQ(name(Flops::Precision::x87), "x87");
}

}  // namespace
}  // namespace gable::points
