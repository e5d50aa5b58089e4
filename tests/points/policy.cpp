// Memory policies: valid and invalid texts, and applying them in the kernel.

#include "points/policy.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>
#include <numaif.h>
#include <sched.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.hpp"

namespace gable::points {
namespace {

namespace fs = std::filesystem;
using Kind = Policy::Kind;

const std::vector<unsigned> nodes = {0, 1, 4};

TEST(Policy, IsUnderstood) {
  EXPECT_EQ(parse_policy("first-touch", nodes), (Policy{Kind::first_touch, {}, {}}));
  EXPECT_EQ(parse_policy("interleave", nodes), (Policy{Kind::interleave, {0, 1, 4}, {}}));
  EXPECT_EQ(parse_policy("interleave:4,1", nodes), (Policy{Kind::interleave, {1, 4}, {}}));
  EXPECT_EQ(parse_policy("bind:4", nodes), (Policy{Kind::bind, {4}, {}}));
  EXPECT_EQ(parse_policy("preferred:1", nodes), (Policy{Kind::preferred, {1}, {}}));
  EXPECT_EQ(parse_policy("weighted:0=3,4=1", nodes), (Policy{Kind::weighted, {0, 4}, {{0, 3}, {4, 1}}}));
  EXPECT_EQ(parse_policy("weighted", nodes), (Policy{Kind::weighted, {0, 1, 4}, {}}));
}

TEST(Policy, AnythingElseIsRefusedByName) {
  for (const char* text : {"",
                           "local",
                           "bind",
                           "bind:",
                           "bind:2",
                           "bind:x",
                           "bind:0,",
                           "bind:0,0",
                           "bind:0 1",
                           "bind:-1",
                           "first-touch:0",
                           "preferred",
                           "preferred:0,1",
                           "interleave:",
                           "interleave:9",
                           "weighted:0",
                           "weighted:0=0",
                           "weighted:0=256",
                           "weighted:0=1,",
                           "bind:0=1",
                           "bind:99999999999999999999"}) {
    try {
      parse_policy(text, nodes);
      ADD_FAILURE() << "understood: " << text;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(std::string("--policy ") + text + ": "))
          << error.what();
    }
  }
}

TEST(Policy, WeightsAreComparedWithTheSystems) {
  const TemporaryFolder folder("weights");
  const fs::path& root = folder.path;
  const fs::path weights = root / "sys/kernel/mm/mempolicy/weighted_interleave";
  const Policy policy = parse_policy("weighted:0=3,1=1", nodes);
  EXPECT_NE(wrong_weights(policy, root).find("no weighted interleave"), std::string::npos);
  fs::create_directories(weights);
  std::ofstream(weights / "node0") << "3\n";
  std::ofstream(weights / "node1") << "2\n";
  EXPECT_TRUE(wrong_weights(policy, root).ends_with("echo 1 > " + (weights / "node1").string()));
  std::ofstream(weights / "node1") << "1\n";
  EXPECT_EQ(wrong_weights(policy, root), "");
  EXPECT_EQ(wrong_weights(parse_policy("weighted", nodes), root), "");
  EXPECT_EQ(wrong_weights(parse_policy("bind:0", nodes), "/nowhere"), "");
}

int mode_now() {
  int mode = -1;
  return get_mempolicy(&mode, nullptr, 0, nullptr, 0) == 0 ? mode : -1;
}

TEST(AppliedPolicy, HoldsAsLongAsItLives) {
  if (mode_now() < 0) GTEST_SKIP() << "get_mempolicy is not allowed here";
  {
    const AppliedPolicy applied(parse_policy("bind:0", {0}));
    EXPECT_EQ(mode_now(), MPOL_BIND);
  }
  EXPECT_EQ(mode_now(), MPOL_DEFAULT);
  try {
    const AppliedPolicy absent(Policy{Kind::bind, {1000}, {}});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("nvalid argument"), std::string::npos) << error.what();
  }
  EXPECT_THROW(AppliedPolicy(Policy{Kind::bind, {5000}, {}}), Error);
}

TEST(AppliedCpus, HoldAsLongAsTheyLive) {
  cpu_set_t before, now;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  unsigned first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  {
    const AppliedCpus applied({first});
    ASSERT_EQ(sched_getaffinity(0, sizeof now, &now), 0);
    EXPECT_EQ(CPU_COUNT(&now), 1);
    EXPECT_TRUE(CPU_ISSET(first, &now));
  }
  ASSERT_EQ(sched_getaffinity(0, sizeof now, &now), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &now));
  EXPECT_THROW(AppliedCpus({8191}), Error);  // larger than a cpu_set_t, and not on this machine
  EXPECT_THROW(AppliedCpus({100000}), Error);
  ASSERT_EQ(sched_getaffinity(0, sizeof now, &now), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &now));
}

}  // namespace
}  // namespace gable::points
