// Pages that are not where, or not as large as, a run needs them are named.

#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <optional>
#include <string>

#include "base/error.hpp"
#include "placements.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::first_cpu;
using gable::bench::tests::first_node;
using gable::bench::tests::MiB;
using gable::bench::tests::run_of;
using gable::bench::tests::total;
using gable::model::Kind;

TEST(Placement, HugePagesThatTheKernelDoesNotGiveAreMissed) {
  if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) GTEST_SKIP() << "PR_SET_THP_DISABLE is not allowed here";
  Team team;
  KeptBuffers kept;
  auto run = run_of(8 * MiB);
  run.cases.front().pages = *gable::model::pages_named("2m");
  try {
    const Placement placement(run, 0, {{first_cpu()}}, std::nullopt, team, kept);
    ADD_FAILURE() << "small pages passed for huge ones";
  } catch (const gable::Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("only 0 % of the buffer has 2 MiB pages"))
        << error.what();
  }
  prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
}

TEST(Placement, MisplacedPagesAreNamed) {
  Team team;
  KeptBuffers kept;
  const Placement on_one(run_of(MiB), 0, {{first_cpu()}}, std::nullopt, team, kept);
  const int node = first_node();
  EXPECT_TRUE(on_one.misplaced(0, {{node, 100 * MiB}}, false).empty());
  EXPECT_NE(sentence(on_one.misplaced(0, {{node, 99 * MiB}, {77, MiB}}, false)).find("node 77"),
            std::string::npos);
  EXPECT_NE(sentence(on_one.misplaced(0, {{node, 99 * MiB}, {-2, MiB}}, false)).find("not in memory"),
            std::string::npos);
  EXPECT_TRUE(on_one.misplaced(0, {}, true).empty());
  EXPECT_NE(sentence(on_one.misplaced(0, {}, false)).find("move_pages"), std::string::npos);
}

TEST(Placement, AnUnevenInterleaveIsNamed) {
  Team team;
  KeptBuffers kept;
  auto run = run_of(MiB);
  // Without a second node the buffer cannot be bound, but the judgement of invented figures is the same.
  run.shares.front().nodes = {static_cast<unsigned>(first_node()), 1};
  try {
    const Placement on_two(run, 0, {{first_cpu()}}, std::nullopt, team, kept);
    const int node = first_node();
    EXPECT_TRUE(on_two.misplaced(0, {{node, 50 * MiB}, {1, 52 * MiB}}, false).empty());
    EXPECT_FALSE(on_two.misplaced(0, {{node, 70 * MiB}, {1, 30 * MiB}}, false).empty());
    EXPECT_NE(sentence(on_two.misplaced(0, {{node, 100 * MiB}}, false)).find("even share"),
              std::string::npos);
  } catch (const gable::Error& error) {
    GTEST_SKIP() << error.what();
  }
}

TEST(Placement, ResidenceIsThatOfTheThreadsThatRun) {
  Team team;
  KeptBuffers kept;
  const auto machine = gable::machines::this_machine();
  const auto pus = pus_of(machine.clusters.at(0), 0, false);
  Placement placement(run_of(MiB, Kind::bandwidth, static_cast<int>(pus.size())), 0, {pus}, std::nullopt,
                      team, kept);
  for (std::size_t threads = 1; threads <= pus.size(); ++threads) {
    EXPECT_EQ(total(placement.residence(0, threads, MiB)), threads * MiB);
  }
}

}  // namespace
