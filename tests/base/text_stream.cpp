// Missing memory is not taken for the end of what is read.

#include "base/text_stream.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <streambuf>

#include "base/entries.hpp"

namespace gable {
namespace {

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
