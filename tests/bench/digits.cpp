// Reading numbers eight characters at a time gives the same results as the standard library.

#include "bench/apps/graphs/edge_text.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <random>
#include <string>

namespace {

using gable::bench::read_digits;

TEST(Digits, AsTheStandardLibraryReadsThem) {
  std::mt19937_64 engine(11);
  for (int round = 0; round < 200'000; ++round) {
    const auto draw = [&](unsigned below) { return static_cast<unsigned>(engine() % below); };
    const unsigned digits = draw(21);
    std::string text;
    for (unsigned i = 0; i < digits; ++i) text += static_cast<char>('0' + draw(10));
    char behind = static_cast<char>(draw(256));
    if (behind >= '0' && behind <= '9') behind = '\n';
    text += behind;
    for (int i = 0; i < 16; ++i) text += static_cast<char>(draw(256));

    std::uint64_t number = 0, expected = 0;
    const char* at = text.data();
    const bool read = read_digits(at, number);
    ASSERT_EQ(read, digits >= 1 && digits <= 15) << text;
    if (!read) continue;
    std::from_chars(text.data(), text.data() + digits, expected);
    ASSERT_EQ(number, expected) << text;
    ASSERT_EQ(at, text.data() + digits);
  }
}

}  // namespace
