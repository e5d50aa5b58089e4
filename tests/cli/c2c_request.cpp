// When lines between cores are measured: with the rest, alone, or not.

#include <gtest/gtest.h>

#include "cli/measure/extras.hpp"

namespace gable::cli {
namespace {

enum class C2cPart { nothing, with_rest, alone };

C2cPart c2c_part_of(const char* preset, std::vector<std::string> only, const char* when = "") {
  bench::Options options;
  options.preset = bench::find_preset(preset);
  options.only = std::move(only);
  const bool any = !options.only.empty();
  const auto request = c2c_request(options, any, when);
  for (const std::string& filter : options.only) EXPECT_NE(filter, "c2c");
  return !request ? C2cPart::nothing : request->alone ? C2cPart::alone : C2cPart::with_rest;
}

TEST(C2cRequest, StandardAndFullHaveIt) {
  EXPECT_EQ(c2c_part_of("standard", {}), C2cPart::with_rest);
  EXPECT_EQ(c2c_part_of("full", {}), C2cPart::with_rest);
  EXPECT_EQ(c2c_part_of("quick", {}), C2cPart::nothing);
}

TEST(C2cRequest, AFilterAsksForItOrForSomethingElse) {
  EXPECT_EQ(c2c_part_of("quick", {"c2c"}), C2cPart::alone);
  EXPECT_EQ(c2c_part_of("standard", {"c2c", "L1"}), C2cPart::with_rest);
  EXPECT_EQ(c2c_part_of("standard", {"L1"}), C2cPart::nothing);
}

TEST(C2cRequest, TheCallForWhatWasLeftOutDoesNotRepeatIt) {
  EXPECT_EQ(c2c_part_of("standard", {}, "now"), C2cPart::nothing);
  EXPECT_EQ(c2c_part_of("standard", {}, "later"), C2cPart::with_rest);
}

}  // namespace
}  // namespace gable::cli
