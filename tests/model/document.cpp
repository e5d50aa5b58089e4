// The lines that errors in JSON files of records name.

#include "model/json/document.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace gable::model {
namespace {

int number(const Fields& fields) {
  return fields.integer("n");
}

std::string error_of(const std::string& text, const char* array) {
  try {
    Document(text, "file", "write it again").array(array, number);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Names and texts may have what looks like the begin of an array or a record.
TEST(Document, ErrorsNameTheLineOfTheRecord) {
  const std::string text = R"({"schema":1, "kind":"a[{\"",
"first":[
{"n":1, "text":"}\\", "in":{"n":[{"n":3}]}},

{"n":2}, {"n":3}
],
"sec\u006fnd":[{"n":1},
{"n":"x"}]})";
  const Document document(text, "file", "write it again");
  EXPECT_EQ(document.array("first", number), (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(error_of(text, "second").starts_with("file:8: second[1]")) << error_of(text, "second");
  EXPECT_EQ(error_of(text, "first"), "");
}

TEST(Document, ANumberThatIsTooLargeIsOnItsLine) {
  const std::string text = "{\"schema\":1,\"all\":[\n{\"n\":1},\n{\"n\":-1e400},\n{\"n\":1e401}]}";
  EXPECT_EQ(error_of(text, "all"), "file:3: not JSON: a number is too large; write it again");
}

// So many that a time that grows with their square would be noticed.
TEST(Document, ManyRecordsAreRead) {
  constexpr int count = 200000;
  std::string text = "{\"schema\":1,\"all\":[{\"n\":0}";
  for (int i = 1; i < count; ++i) text += ",\n{\"n\":" + std::to_string(i) + "}";
  const std::vector<int> all = Document(text + "]}", "file", "write it again").array("all", number);
  ASSERT_EQ(all.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(all.back(), count - 1);
}

}  // namespace
}  // namespace gable::model
