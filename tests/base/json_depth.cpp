// How deep JSON may be nested.

#include "base/json_depth.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gable {
namespace {

std::string nested(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return std::string(count, '[') + std::string(count, ']');
}

TEST(JsonDepth, TheLimitIsAllowedAndOneMoreIsNot) {
  EXPECT_FALSE(nests_too_deep(nested(most_json_levels)));
  EXPECT_TRUE(nests_too_deep(nested(most_json_levels + 1)));
}

TEST(JsonDepth, SiblingsDoNotAddUp) {
  std::string many = "[";
  for (int i = 0; i < 1000; ++i) many += "{},";
  EXPECT_FALSE(nests_too_deep(many + "1]"));
}

TEST(JsonDepth, BracketsInStringsDoNotCount) {
  const std::string brackets(1000, '[');
  EXPECT_FALSE(nests_too_deep("\"" + brackets + "\""));
  EXPECT_FALSE(nests_too_deep("\"\\\"" + brackets + "\""));
  EXPECT_TRUE(nests_too_deep("\"\\\\\"" + brackets)) << "the string ends before them";
}

}  // namespace
}  // namespace gable
