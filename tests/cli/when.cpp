#include "cli/text/columns.hpp"

#include <gtest/gtest.h>

namespace {

using gable::cli::when_text;

TEST(When, TimesOfFilesAreReadable) {
  EXPECT_EQ(when_text("2026-11-25T07:23:25Z"), "2026-11-25 07:23 UTC");
  for (const char* text : {"", "yesterday", "2026-11-25", "2026-11-25T07:23:25+01:00"})
    EXPECT_EQ(when_text(text), text);
}

TEST(When, OnlyAnotherDayMakesARange) {
  EXPECT_EQ(when_text("2026-11-25T07:23:25Z", "2026-11-25T23:59:59Z"), "2026-11-25 07:23 UTC");
  EXPECT_EQ(when_text("2026-11-25T23:23:25Z", "2026-11-27T00:01:00Z"), "2026-11-25 to 2026-11-27");
}

}  // namespace
