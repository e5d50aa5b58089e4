#include "cli/options/validators.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cli/text/arguments.hpp"

namespace {

using namespace gable::cli;

// GNU's rule (coreutils, "Block size"): a letter alone or with iB is a power of 1024, with B a power of 1000.
TEST(Bytes, LettersArePowersOf1024AndWithBOf1000) {
  const std::string letters = "KMGT";
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const int power = static_cast<int>(i) + 1;
    const std::string letter(1, letters[i]);
    EXPECT_EQ(bytes_from("3" + letter), 3 * std::pow(1024, power));
    EXPECT_EQ(bytes_from("3" + letter + "iB"), 3 * std::pow(1024, power));
    EXPECT_EQ(bytes_from("3" + letter + "B"), 3 * std::pow(1000, power));
  }
}

TEST(Bytes, NumbersWithAndWithoutUnits) {
  EXPECT_EQ(bytes_from("3e9"), 3e9);
  EXPECT_EQ(bytes_from("0"), 0);
  EXPECT_EQ(bytes_from("64 mb"), 64e6);
  EXPECT_EQ(bytes_from("1.5g"), 1.5 * (1 << 30));
  EXPECT_EQ(bytes_from("12b"), 12);
  EXPECT_EQ(bytes_from("0.3"), 0.3);
}

TEST(Bytes, OtherTextsAreNone) {
  for (const char* text :
       {"", "-1", "-1M", "M", "10X", "10KBB", "10 M B", "1e400", "nan", "inf", "0x10", "1,5M", " "})
    EXPECT_FALSE(bytes_from(text)) << text;
}

// Options get the exact number of bytes.
TEST(Bytes, OptionsLoseNothing) {
  double amount = 0;
  std::uint64_t size = 0;
  CLI::App app;
  app.add_option("--amount", amount)->transform(amount_of_bytes());
  app.add_option("--size", size)->transform(size_in_bytes());
  app.parse("--amount 3GiB --size 3GiB");
  EXPECT_EQ(amount, 3221225472.0);
  EXPECT_EQ(size, 3221225472u);
  app.parse("--amount 0.3 --size 1.5K");
  EXPECT_EQ(amount, 0.3);
  EXPECT_EQ(size, 1536u);
  EXPECT_THROW(app.parse("--size 1e30"), CLI::ValidationError);
  EXPECT_THROW(app.parse("--amount 5Q"), CLI::ValidationError);
}

}  // namespace
