// When virtualization is measured: with the rest, later, or alone.

#include <gtest/gtest.h>

#include "cli/measure/extras.hpp"

namespace gable::cli {
namespace {

enum class Part { nothing, with_rest, alone };

struct Call {
  std::string preset = "standard", hypervisor = "kvm", when = "";
  std::vector<std::string> only = {};
  double budget_seconds = 0;
  bool emulated = false;
};

Part part_of(const Call& call) {
  bench::Options options;
  options.preset = bench::find_preset(call.preset);
  options.only = call.only;
  options.budget_seconds = call.budget_seconds;
  machines::Host host;
  host.hypervisor = call.hypervisor;
  host.emulated = call.emulated;
  const auto request = virt_request(options, host, call.when);
  return !request ? Part::nothing : request->alone ? Part::alone : Part::with_rest;
}

TEST(VirtRequest, AGuestMeasuresItWithTheRestOrInACallOfItsOwn) {
  EXPECT_EQ(part_of({}), Part::with_rest);
  EXPECT_EQ(part_of({.when = "later"}), Part::nothing);
  EXPECT_EQ(part_of({.when = "now"}), Part::alone);
}

TEST(VirtRequest, NobodyWantsItElsewhere) {
  for (const char* when : {"", "later", "now"}) {
    EXPECT_EQ(part_of({.hypervisor = "", .when = when}), Part::nothing);
    EXPECT_EQ(part_of({.when = when, .emulated = true}), Part::nothing);
    EXPECT_EQ(part_of({.preset = "quick", .when = when}), Part::nothing);
    EXPECT_EQ(part_of({.when = when, .only = {"L1"}}), Part::nothing);
  }
}

TEST(VirtRequest, WhatANameAsksForIsNotLeftForLater) {
  for (const char* when : {"", "later"}) {
    EXPECT_EQ(part_of({.hypervisor = "", .when = when, .only = {"virt"}}), Part::alone);
    EXPECT_EQ(part_of({.when = when, .only = {"virt", "L1"}}), Part::with_rest);
  }
  EXPECT_EQ(part_of({.when = "now", .only = {"virt"}}), Part::nothing);
}

TEST(VirtRequest, ABudgetIsThatOfOneCall) {
  EXPECT_EQ(part_of({.when = "later", .budget_seconds = 60}), Part::with_rest);
  EXPECT_EQ(part_of({.when = "now", .budget_seconds = 60}), Part::nothing);
}

}  // namespace
}  // namespace gable::cli
