#include "base/reading.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <streambuf>

#include "base/entries.hpp"

namespace gable {
namespace {

template <typename Error>
std::string message_of(const Error& thrown, const std::string& where) {
  try {
    reading("a.json", where, [&] { throw thrown; });
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Reading, WhateverEscapesNamesTheFile) {
  EXPECT_EQ(reading("a.json", [] { return 7; }), 7);
  EXPECT_EQ(message_of(std::out_of_range("map::at"), "a.json:3"), "a.json:3: map::at");
  EXPECT_EQ(message_of(std::bad_alloc(), "a.json:3"), "a.json:3: not enough memory");
  EXPECT_EQ(message_of(FormatError("a.json:9: wrong"), "a.json:3"), "a.json:9: wrong") << "the place within";
  EXPECT_EQ(message_of(FormatError("wrong"), "a.json:3"), "a.json:3: wrong");
  const std::system_error unreadable(EIO, std::generic_category(), "cannot read a.json");
  EXPECT_EQ(message_of(unreadable, "a.json:3"), unreadable.what());
}

// The exit status follows from the type.
TEST(Reading, TheTypeStaysOrIsAFormatError) {
  EXPECT_THROW(reading("a", [] { throw std::out_of_range("map::at"); }), FormatError);
  EXPECT_THROW(reading("a", [] { throw std::invalid_argument("a: wrong"); }), std::invalid_argument);
  EXPECT_THROW(reading("a", [] { throw std::system_error(EIO, std::generic_category()); }),
               std::system_error);
}

// Missing memory is not taken for the end of what is read.
struct NoMemory : std::streambuf {
  int_type underflow() override { throw std::bad_alloc(); }
};

TEST(TextStream, MissingMemoryIsNoEndOfText) {
  std::string line;
  TextStream lines("one\ntwo");
  for (const char* expected : {"one", "two"}) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(line, expected);
  }
  EXPECT_FALSE(std::getline(lines, line));
  NoMemory memory;
  TextStream failing("one");
  static_cast<std::ios&>(failing).rdbuf(&memory);
  EXPECT_THROW(std::getline(failing, line), std::bad_alloc);
}

TEST(Entries, Numbers) {
  const std::vector<int> processes = numbers_in("/proc"), files = numbers_in("/proc/self/fd", 0);
  EXPECT_EQ(std::count(processes.begin(), processes.end(), getpid()), 1);
  EXPECT_EQ(std::count(files.begin(), files.end(), 1), 1);
  EXPECT_TRUE(std::all_of(processes.begin(), processes.end(), [](int number) { return number > 0; }));
  EXPECT_TRUE(numbers_in("/nowhere").empty());
}

}  // namespace
}  // namespace gable
