#include "cli/kmaf/run.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace {

using gable::cli::knowledge_from_text;
using gable::cli::knowledge_to_text;
using gable::kmaf::Knowledge;

Knowledge example() {
  return {{"./app", "a b\"c"},
          2u << 20,
          true,
          2,
          3,
          4,
          {{"0+1", "/bin/a"}, {"0.1", "/bin/b"}},
          {{0, 0, 12}, {1, 5, 1}},
          {{0, 1, 77}},
          {{1, 0x7fffffffe000, {{1, 2}, {0, 9}}, 1, 5}}};
}

TEST(KmafKnowledge, ComesBackAsItWas) {
  EXPECT_EQ(knowledge_from_text(knowledge_to_text(example()), "f"), example());
  EXPECT_EQ(knowledge_from_text(knowledge_to_text({}), "f"), Knowledge());
}

std::string error_of(const std::string& text) {
  try {
    knowledge_from_text(text, "f");
  } catch (const gable::Error& error) {
    return error.what();
  }
  return "none";
}

TEST(KmafKnowledge, WhatIsWrongIsNamedByLineAndField) {
  const std::string good = knowledge_to_text(example());
  const auto spoiled = [&](const std::string& from, const std::string& to) {
    const std::size_t at = good.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return error_of(good.substr(0, at) + to + good.substr(at + from.size()));
  };
  const auto expect = [](const std::string& error, const std::string& start, const std::string& part) {
    EXPECT_EQ(error.substr(0, start.size()), start);
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  expect(error_of(""), "f:1: ", "empty file");
  expect(spoiled("\"schema\":1", "\"schema\":2"), "f:1: ", "schema");
  expect(spoiled("2097152", "5000"), "f:1: ", "unit_bytes");
  expect(spoiled("\"program\":1,\"accesses\":1}", "\"program\":2,\"accesses\":1}"), "f:5: ", "program");
  expect(spoiled("\"with\":1", "\"with\":0"), "f:6: ", "the same");
  expect(spoiled("\"with\":1", "\"with\":2"), "f:6: ", "with");
  expect(spoiled("\"tasks\":[1,0]", "\"tasks\":[1]"), "f:7: ", "one length");
  expect(spoiled("\"tasks\":[1,0]", "\"tasks\":[1,-1]"), "f:7: ", "tasks");
  expect(spoiled("\"tasks\":[1,0]", "\"tasks\":[1,2]"), "f:7: ", "tasks");
  expect(spoiled("\"first\":1", "\"first\":2"), "f:7: ", "first");
  expect(spoiled("140737488347136", "140737488347137"), "f:7: ", "4096");
  expect(spoiled("\"events\":77}", "\"events\":77"), "f:6: ", "JSON");
  expect(spoiled("\"pair\"", "\"pear\""), "f:6: ", "not a program");
  // These are more than is ever written: the reader's tables are bounded too.
  expect(spoiled("\"programs\":2", "\"programs\":1025"), "f:1: ", "\"programs\" is 1025");
  expect(spoiled("\"tasks\":2", "\"tasks\":1025"), "f:1: ", "\"tasks\" is 1025");
  expect(spoiled("\"pairs\":1", "\"pairs\":523777"), "f:1: ", "\"pairs\" is 523777");
  expect(spoiled("\"pages\":1", "\"pages\":1048577"), "f:1: ", "\"pages\" is 1048577");
  expect(spoiled("[1,0],\"accesses\":[2,9]", "[1,0,1,0,1],\"accesses\":[1,1,1,1,1]"),
         "f:7: ", "\"tasks\" has 5");
  expect(spoiled("\"tasks\":2", "\"tasks\":1"), "f:5: ", "more \"task\" lines");
  expect(spoiled("\"pages\":1", "\"pages\":0"), "f:7: ", "more \"page\" lines");
  // Cut off between two lines, which only the counts in the first line can reveal.
  expect(error_of(good.substr(0, good.rfind("{\"page"))), "f:6: ", "0 pages where the first line says 1");
}

}  // namespace
