#include "base/reading.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <streambuf>

#include "base/files.hpp"

namespace gable {
namespace {

template <typename Thrown>
std::string message_of(const Thrown& thrown, const std::string& where) {
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
  EXPECT_EQ(message_of(Error::format("a.json", 9, "wrong"), "a.json:3"), "a.json:9: wrong")
      << "the place within";
  EXPECT_EQ(message_of(Error::usage("wrong"), "a.json:3"), "a.json:3: wrong");
  const std::system_error unreadable(EIO, std::generic_category(), "cannot read a.json");
  EXPECT_EQ(message_of(unreadable, "a.json:3"), unreadable.what());
}

template <typename Thrown>
Error::Kind kind_of(const Thrown& thrown) {
  try {
    reading("a", [&] { throw thrown; });
  } catch (const Error& error) {
    return error.kind;
  }
  return {};
}

// The exit status follows from the kind.
TEST(Reading, TheKindStaysOrIsTheFormat) {
  EXPECT_EQ(kind_of(std::out_of_range("map::at")), Error::Kind::format);
  EXPECT_EQ(kind_of(Error::failed("wrong")), Error::Kind::format);
  EXPECT_EQ(kind_of(Error::usage("a", "wrong")), Error::Kind::usage);
  EXPECT_EQ(kind_of(Error::interrupted("stopped")), Error::Kind::interrupted);
  EXPECT_EQ(kind_of(std::bad_alloc()), Error::Kind::failed);
  EXPECT_THROW(reading("a", [] { throw std::system_error(EIO, std::generic_category()); }),
               std::system_error);
}

TEST(Errors, NameThePlaceAndEndWithAStatus) {
  const Error broken = Error::format("a.json", 3, "wrong");
  EXPECT_STREQ(broken.what(), "a.json:3: wrong");
  EXPECT_EQ(broken.where, "a.json:3");
  EXPECT_EQ(broken.text(), "wrong");
  EXPECT_EQ(broken.status, 2);
  EXPECT_STREQ(Error::usage("wrong").what(), "wrong");
  EXPECT_EQ(Error::usage("wrong").text(), "wrong");
  EXPECT_EQ(Error::failed("wrong").status, 1);
  EXPECT_EQ(Error::program("ended", 7).status, 7);
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
