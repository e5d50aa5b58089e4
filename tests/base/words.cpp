#include "base/words.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using namespace gable;

TEST(Words, Bytes) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(32768), "32 KiB");
  EXPECT_EQ(bytes_text(3 << 19), "1.5 MiB");
  EXPECT_EQ(bytes_text(67445186560), "62.81 GiB");
  EXPECT_EQ(bytes_text(UINT64_MAX), "16 EiB");
}

TEST(Words, Counts) {
  EXPECT_EQ(count_text(1, "thread"), "1 thread");
  EXPECT_EQ(count_text(0, "thread"), "0 threads");
  EXPECT_EQ(count_text(4, "memory node"), "4 memory nodes");
  EXPECT_EQ(plural(1, "cluster"), "cluster");
}

TEST(Words, ASentenceBeginsWithACapital) {
  EXPECT_EQ(capitalized("no ladder"), "No ladder");
  EXPECT_EQ(capitalized("L3 misses"), "L3 misses");
  EXPECT_EQ(capitalized(""), "");
}

TEST(Words, CaseAndParts) {
  EXPECT_EQ(lower_case("Sub NUMA-4"), "sub numa-4");
  EXPECT_EQ(split("a,,b,", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_TRUE(split("", ',').empty());
}

TEST(Words, ASmallShareIsNotNone) {
  EXPECT_EQ(percent_text(0.4), "less than 1 %");
  EXPECT_EQ(percent_text(0.5001), "1 %");
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(percent_text(99.4), "99 %");
}

TEST(Words, Durations) {
  EXPECT_EQ(duration_text(3.21e-6), "3.21 µs");
  EXPECT_EQ(duration_text(0.045), "45 ms");
  EXPECT_EQ(duration_text(12.345), "12.35 s");
  EXPECT_EQ(clock_text(65), "1:05");
  EXPECT_EQ(clock_text(7207.2), "2:00:07");
}

// What a terminal obeys: C0 but for newline and tab, DEL, and C1 as UTF-8. Other letters stay.
TEST(Words, NoControlCharacterIsPrintable) {
  EXPECT_EQ(printable("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(printable("\x1b[2J\x7f\r"), "?[2J??");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J\xc2\x80\xc2\x9f"),
            "?2J??");
  EXPECT_EQ(printable("\xc2\xa0\xc3\x9b\xe2\x80\xa6"), "\xc2\xa0\xc3\x9b\xe2\x80\xa6");
  EXPECT_EQ(printable("cut \xc2"), "cut \xc2");
}

}  // namespace
