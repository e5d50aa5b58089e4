// Student's intervals compared with printed tables.

#include "kmaf/replay/summary.hpp"

#include <gtest/gtest.h>

namespace gable::kmaf {
namespace {

TEST(Summary, StudentsTableOf975Percent) {
  const std::pair<int, double> table[] = {{1, 12.706}, {2, 4.303},  {4, 2.776},  {9, 2.262},
                                          {19, 2.093}, {30, 2.042}, {120, 1.980}};
  for (const auto& [degrees, t] : table) EXPECT_NEAR(student_t(degrees), t, 0.0006) << degrees;
}

TEST(Summary, ByHand) {
  const Summary summary = summarize({1, 2, 3});
  EXPECT_DOUBLE_EQ(summary.value, 2);
  EXPECT_NEAR(summary.hi - 2, 4.303 / 1.7320508, 1e-3);
  EXPECT_NEAR(2 - summary.lo, 4.303 / 1.7320508, 1e-3);
  EXPECT_TRUE(summary.has_interval());
  EXPECT_FALSE(summarize({7}).has_interval());
  EXPECT_EQ(summarize({7}).lo, 7);
  EXPECT_EQ(summarize({7, 7}).hi, 7);
}

}  // namespace
}  // namespace gable::kmaf
