#include "base/lists.hpp"

#include <gtest/gtest.h>

namespace gable {
namespace {

TEST(Lists, EachValueOnceAndInWords) {
  const std::vector<std::string> words = {"two", "four", "two", "eight"};
  EXPECT_EQ(distinct(words, &std::string::size), (std::vector<std::size_t>{3, 4, 5}));
  const auto same = [](const std::string& word) { return word; };
  EXPECT_EQ(joined(words, same, "; "), "two; four; two; eight");
  EXPECT_EQ(joined(std::vector<std::string>(), same), "");
  EXPECT_EQ(first_few(words, 4, same), "two, four, two, eight");
  EXPECT_EQ(first_few(words, 1, same), "two and 3 more");
}

}  // namespace
}  // namespace gable
