// JSON as text, and how deep it may be nested.

#include "base/json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
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

TEST(JsonText, IsReadAsItWasWritten) {
  const std::string text = R"({"b":[1,2.5,null],"a":"\"\u0001"})";
  EXPECT_EQ(json_text(json_from(text)), text);
  EXPECT_EQ(json_from(json_text(json_from(text), 2)), json_from(text));
}

TEST(JsonText, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(json_text(Json("a\xff")), "\"a\xef\xbf\xbd\"");
}

TEST(JsonText, OtherTextIsRefused) {
  for (const char* const text : {"", "{", "{} {}", "nul"}) EXPECT_THROW(json_from(text), Json::parse_error);
}

}  // namespace
}  // namespace gable
