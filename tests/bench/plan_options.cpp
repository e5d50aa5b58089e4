// The effects of a plan's options, and invalid options.

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "bench/schedule/make_plan.hpp"
#include "kernels/kernel.hpp"
#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::options_of;
using gable::bench::tests::sockets;
using gable::machines::Machine;
using gable::model::Case;
using gable::model::Kind;
using gable::model::Pattern;

// All cells in memory have the requested working set, including load threads, and a note about it.
TEST(PlanOptions, AMemorySetHoldsForAllThatLiesInMemory) {
  constexpr std::uint64_t set = 80u << 20;
  Options options = options_of("quick");
  options.pages = {*gable::model::pages_named("4k")};
  options.memory_set_bytes = set;
  const Machine machine = sockets(2, 8);
  std::uint64_t top = 0;
  int loaded = 0;
  for (const auto& run : make_plan(machine, {}, options).runs) {
    for (const Case& spec : run.cases) {
      if (spec.pattern == Pattern::ladder) top = std::max(top, spec.bytes);
      if (!is_memory(spec.level)) continue;
      EXPECT_TRUE(spec.threads == 8 || spec.kind != Kind::bandwidth) << key(spec);
      const auto threads = static_cast<std::uint64_t>(streams(spec.kind) ? spec.threads : 1);
      EXPECT_EQ(spec.bytes * threads, set) << key(spec);
      EXPECT_EQ(run.loader_bytes, has_load(spec.kind) ? set / 8 : 0) << key(spec);
      loaded += has_load(spec.kind);
      const gable::model::Note small = {gable::model::NoteCode::small_set_asked,
                                        {80.0 * (1 << 20), 256.0 * (1 << 20)}};
      EXPECT_EQ(std::ranges::count(run.notes, small), 1);
    }
  }
  EXPECT_GT(loaded, 0);
  EXPECT_EQ(top, 64u << 20) << "the ladder's last step below the set";
}

TEST(PlanOptions, AMemorySetOfTheDefaultSizeOrMoreIsNotCalledSmall) {
  for (const std::uint64_t set : {256u << 20, 512u << 20}) {
    Options options = options_of("quick");
    options.memory_set_bytes = set;
    for (const auto& run : make_plan(sockets(2, 8), {}, options).runs)
      EXPECT_FALSE(has(run.notes, gable::model::NoteCode::small_set_asked));
  }
}

// A budget changes no Case, however short it is: caches hold more of a smaller working set, and the figures
// would not be replaced when the measurement goes on without a budget.
TEST(PlanOptions, ABudgetChangesNoCase) {
  for (const Machine& machine : {sockets(1, 2), sockets(8, 8)}) {
    Options options = options_of("standard");
    const Plan without = make_plan(machine, {}, options);
    for (const double seconds : {0.1, 1.0, 3.0, 60.0}) {
      options.budget_seconds = seconds;
      const Plan with = make_plan(machine, {}, options);
      ASSERT_EQ(with.runs.size(), without.runs.size());
      for (std::size_t i = 0; i < with.runs.size(); ++i) {
        EXPECT_EQ(with.runs[i].cases, without.runs[i].cases);
        EXPECT_EQ(with.runs[i].notes, without.runs[i].notes);
      }
    }
  }
}

TEST(PlanOptions, RefusesAMemorySetThatTheCachesMayHold) {
  Options options = options_of("quick");
  options.memory_set_bytes = 63u << 20;
  try {
    make_plan(sockets(2, 8), {}, options);
    FAIL() << "twice an L3 of 32 MiB is 64 MiB";
  } catch (const gable::Error& error) {
    EXPECT_NE(std::string(error.what()).find("64 MiB"), std::string::npos) << error.what();
  }
  options.memory_set_bytes = 64u << 20;
  EXPECT_NO_THROW(make_plan(sockets(2, 8), {}, options));
}

TEST(PlanOptions, RefusesAMemorySetThatNoNodeHolds) {
  Options options = options_of("quick");
  options.memory_set_bytes = 64ull << 30;
  EXPECT_NO_THROW(make_plan(sockets(2, 8), {}, options));
  options.memory_set_bytes += 1;
  try {
    make_plan(sockets(2, 8), {}, options);
    FAIL() << "a node has 64 GiB";
  } catch (const gable::Error& error) {
    EXPECT_NE(std::string(error.what()).find("64 GiB"), std::string::npos) << error.what();
  }
}

TEST(PlanOptions, AForcedIsaIsInEveryName) {
  for (const std::string& isa : gable::kernels::isas()) {
    Options options = options_of("full");
    options.isa = isa;
    for (const auto& run : make_plan(sockets(2, 4), {}, options).runs) {
      for (const Case& spec : run.cases) {
        EXPECT_TRUE(spec.kernel.ends_with("_" + isa) || spec.kernel.ends_with("_x86")) << spec.kernel;
      }
    }
  }
}

TEST(PlanOptions, Sse2HasNoFma) {
  Options options = options_of("quick", {"op=fma"});
  options.isa = "sse2";
  for (const auto& run : make_plan(sockets(1, 4), {}, options).runs) {
    EXPECT_NE(sentence(run.skip).find("sse2 has no fma"), std::string::npos) << sentence(run.skip);
  }
}

void expect_refused(const Options& options, const std::string& word, const std::string& other) {
  try {
    make_plan(sockets(2, 4), {}, options);
    FAIL() << "took " << word;
  } catch (const gable::Error& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(other), std::string::npos) << error.what();
  }
}

TEST(PlanOptions, RefusesUnknownValues) {
  Options options = options_of("quick");
  options.isa = "mmx";
  expect_refused(options, "--isa mmx", "sse2");
  options = options_of("quick");
  options.pages = {*gable::model::pages_named("4k"), *gable::model::pages_named("3k")};
  expect_refused(options, "--pages 3k", "4k, 2m");
  expect_refused(options_of("quick", {"nosuch=1"}), "nosuch", "pattern");
  expect_refused(options_of("quick", {"L9"}), "--only", "nothing");
  expect_refused(options_of("quick", {"load,L1", "op=load,,level=L1"}), "--only", "empty");
  expect_refused(options_of("quick", {""}), "--only", "empty");
  expect_refused(options_of("quick", {","}), "--only", "empty");
}

TEST(PlanOptions, PagesThatTheKernelHasNotAreSkipped) {
  gable::machines::Host host;
  host.page_bytes = {4096, 2u << 20};
  Options options = options_of("quick");
  options.pages = {*gable::model::pages_named("1g")};
  for (const auto& run : make_plan(sockets(1, 4), host, options).runs) {
    if (run.cases.front().pages.empty()) continue;
    EXPECT_FALSE(run.skip.empty()) << key(run.cases.front());
  }
}

}  // namespace
