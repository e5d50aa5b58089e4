// What management costs in replays, and who pays.

#include <gtest/gtest.h>

#include "kmaf/replay/replay.hpp"
#include "machines.hpp"
#include "replayed.hpp"

namespace gable::kmaf {
namespace {

// A thread that works alone, on its own pages or on those that another thread has touched, is slower by what
// it pays for faults and moved pages.
TEST(Replay, ManagementTakesTheTimeOfTheThreadThatPays) {
  const auto machine = simulated_machine(test::small(), test::timing, {});
  for (const std::uint32_t worker : {0u, 1u}) {
    std::vector<Access> accesses;
    for (std::uint64_t page = 0; page < 64; ++page) accesses.push_back({page * 4096, 0, 8, true});
    for (std::uint64_t i = 0; i < 60'000; ++i) accesses.push_back({i * 64 % (64 * 4096), worker, 8, false});
    const PreparedTrace trace = prepared(accesses);
    ReplayOptions options = still();
    options.program_seconds = 20;
    options.costs.fault = 1e-2;
    options.costs.page_move = 1;
    const double scale = scale_of(trace, machine, options);
    const Outcome paid = replay(trace, machine, policy("autonuma"), scale, 1, options);
    options.costs.fault = options.costs.page_move = 0;
    const Outcome free = replay(trace, machine, policy("autonuma"), scale, 1, options);
    EXPECT_EQ(paid.policy.pages_moved, worker == 0 ? 0u : 64u);
    EXPECT_EQ(paid.policy.overhead.page_moves, static_cast<double>(paid.policy.pages_moved));
    const double overhead = paid.policy.overhead.sum();
    EXPECT_NEAR(paid.seconds - free.seconds, overhead, 0.05 * overhead) << worker;
  }
}

// The budget is a share of the CPU time that the program takes, not of that which its threads could take:
// most of them wait for one that works alone on many pages, and pays for all faults.
TEST(Replay, ThreadsThatWaitAddNothingToTheBudget) {
  ParallelProgram program(64);
  for (std::uint32_t page = 0; page < 1024; ++page) program.access(0, page << 12, true);
  for (std::uint32_t loop = 0; loop < 24; ++loop) {
    for (std::uint32_t thread = 0; thread < 64; ++thread) program.access(thread, (2048 + thread) << 12, true);
    for (std::uint32_t page = 0; page < 1024; ++page) program.access(0, page << 12, loop % 2 == 0, 100);
    program.barrier();
  }
  const auto machine = x7550();
  const PreparedTrace trace = prepared(program, 12);
  ReplayOptions options = still();
  options.program_seconds = 6;
  const double scale = scale_of(trace, machine, options);
  const Outcome kmaf = replay(trace, machine, policy("kmaf"), scale, 1, options),
                os = replay(trace, machine, policy("os"), scale, 1, options);
  EXPECT_LT(kmaf.cpu_seconds, 4 * kmaf.seconds) << "of 64";
  EXPECT_GT(kmaf.policy.samples, 1000);
  EXPECT_LT(kmaf.overhead_percent, 1.1);
  EXPECT_LT(kmaf.seconds, 1.03 * os.seconds);
}

// Eight threads compute and share a little; packed onto the cores of a node, which is tried, they are slower.
TEST(Replay, ATrialOfWorsePlacesIsShort) {
  ParallelProgram program(8);
  for (std::uint32_t thread = 0; thread < 8; ++thread) program.access(thread, thread << 20, true);
  program.barrier();
  for (std::uint32_t loop = 0; loop < 40; ++loop) {
    for (std::uint32_t thread = 0; thread < 8; ++thread) {
      program.work(thread, 20'000);
      for (std::uint32_t line = 0; line < 8; ++line)
        program.access(thread, (thread / 2 * 2 << 20) + line * 64, (loop + thread) % 2 == 0, 0);
    }
    program.barrier();
  }
  const auto machine = two_nodes(4);
  const PreparedTrace trace = prepared(program, 12);
  const double scale = scale_of(trace, machine, still());
  const auto of = [&](const char* name) { return replay(trace, machine, policy(name), scale, 1, still()); };
  const Outcome with = of("kmaf"), without = of("kmaf-sharing");
  EXPECT_GT(with.policy.tasks_moved, without.policy.tasks_moved) << "other places are tried";
  EXPECT_LT(with.seconds, without.seconds + 0.3)
      << "0.1 s of the program at 1 / 1.6 of the speed, two others";
}

// Short traces of few threads: what the engine knows of their places is often out of date when a trial
// begins.
TEST(Replay, ATrialThatMovesNoThreadEnds) {
  const auto machine = x7550();
  const PreparedTrace trace = prepared("ring", {4, 32, 20000});
  const double scale = scale_of(trace, machine, {});
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Outcome outcome = replayed(trace, machine, "kmaf", scale, seed, {});
    EXPECT_GT(outcome.seconds, 1) << "of 30";
    EXPECT_LT(outcome.seconds, 60);
  }
}

}  // namespace
}  // namespace gable::kmaf
