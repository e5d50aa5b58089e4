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

TEST(Words, Durations) {
  EXPECT_EQ(duration_text(3.21e-6), "3.21 us");
  EXPECT_EQ(duration_text(0.045), "45 ms");
  EXPECT_EQ(duration_text(12.345), "12.35 s");
  EXPECT_EQ(clock_text(65), "1:05");
  EXPECT_EQ(clock_text(7207.2), "2:00:07");
}

}  // namespace
