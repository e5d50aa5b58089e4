// Memory is kept for later runs, in another part each round, and never takes more than there is.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "bench/buffers/free_memory.hpp"
#include "bench/plan/node_room.hpp"
#include "bench/schedule/regions.hpp"
#include "placements.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::first_cpu;
using gable::bench::tests::first_node;
using gable::bench::tests::MiB;
using gable::bench::tests::run_of;
using gable::bench::tests::total;
using gable::kernels::Arguments;
using gable::kernels::Kernel;
using gable::model::Kind;

bool is_smaller(const Placement& placement) {
  return has(placement.notes(), gable::model::NoteCode::smaller_buffers);
}

// Memory is touched as far as a run needs it, once, and the next run has the same.
TEST(Placement, MemoryIsKeptForLaterRuns) {
  Team team;
  KeptBuffers kept;
  const std::vector<std::vector<unsigned>> pus = {{first_cpu()}};
  Arguments small, large, again;
  const Kernel& load = *gable::kernels::best("load");
  auto first = run_of(MiB);
  first.shares.front().stream_room = 16 * MiB;
  Placement(first, 0, pus, std::nullopt, team, kept).lay_out(load, 0, 0, MiB, small);
  const std::uint64_t touched = kept.touched();
  EXPECT_GE(touched, MiB);
  EXPECT_LT(touched, 2 * MiB);
  Placement(run_of(8 * MiB), 0, pus, std::nullopt, team, kept).lay_out(load, 0, 0, 8 * MiB, large);
  EXPECT_EQ(small.load[0], large.load[0]);
  const std::uint64_t more = kept.touched();
  EXPECT_GE(more, 8 * MiB);
  Placement(first, 0, pus, std::nullopt, team, kept).lay_out(load, 0, 0, MiB, again);
  EXPECT_EQ(kept.touched(), more);
  const auto* doubles = static_cast<const double*>(large.load[0]);
  EXPECT_EQ(std::count(doubles, doubles + MiB, 1.0), static_cast<std::ptrdiff_t>(MiB));
}

// The speed of a cache depends on the addresses, so no figure may be that of one place.
TEST(Placement, EveryRoundHasAnotherPartOfTheKeptMemory) {
  Team team;
  KeptBuffers kept;
  const std::vector<std::vector<unsigned>> pus = {{first_cpu()}};
  const Kernel& load = *gable::kernels::best("load");
  const Kernel& chase = *gable::kernels::best("chase");
  Arguments large, arguments;
  Placement(run_of(8 * MiB), 0, pus, std::nullopt, team, kept).lay_out(load, 0, 0, 8 * MiB, large);
  // NOLINTNEXTLINE(bugprone-unused-raii): what it links stays in `kept`.
  Placement(run_of(8 * MiB, Kind::latency), 0, pus, std::nullopt, team, kept);
  const std::uint64_t touched = kept.touched();
  const auto* const base = static_cast<const std::byte*>(large.load[0]);
  std::set<const void*> streams, chases;
  for (int round = 0; round < 5; ++round) {
    Placement small(run_of(MiB), round, pus, std::nullopt, team, kept);
    small.lay_out(load, 0, 0, MiB, arguments);
    const auto* begin = static_cast<const std::byte*>(arguments.load[0]);
    EXPECT_GE(begin, base);
    EXPECT_LE(begin + MiB, base + 8 * MiB);
    const auto* doubles = static_cast<const double*>(arguments.load[0]);
    EXPECT_EQ(std::count(doubles, doubles + MiB / 8, 1.0), static_cast<std::ptrdiff_t>(MiB / 8));
    EXPECT_EQ(total(small.residence(0, 1, MiB)), MiB);
    streams.insert(begin);
    Placement linked(run_of(MiB, Kind::latency), round, pus, std::nullopt, team, kept);
    const std::uint64_t lines = linked.lay_chase(chase, 0, MiB, arguments) / 64;
    chases.insert(arguments.cursor);
    void* at = arguments.cursor;
    for (std::uint64_t step = 1; step < lines; ++step) {
      at = *static_cast<void**>(at);
      ASSERT_NE(at, arguments.cursor);
    }
    EXPECT_EQ(*static_cast<void**>(at), arguments.cursor);
  }
  EXPECT_EQ(streams.size(), 5u);
  EXPECT_EQ(chases.size(), 5u);
  EXPECT_EQ(kept.touched(), touched) << "no memory is touched for it";
}

// A chase through a cache and streams take turns in the same memory.
TEST(Placement, StreamsFindNumbersWhereChasesWere) {
  Team team;
  KeptBuffers kept;
  const std::vector<std::vector<unsigned>> pus = {{first_cpu()}};
  Arguments arguments;
  for (const std::uint64_t chase : {MiB, 4 * MiB, 16 * MiB}) {
    for (const int round : {0, 2}) {
      Placement linked(run_of(chase, Kind::latency), round, pus, std::nullopt, team, kept);
      const std::uint64_t lines = linked.lay_chase(*gable::kernels::best("chase"), 0, chase, arguments) / 64;
      void* at = arguments.cursor;
      for (std::uint64_t step = 1; step < lines; ++step)
        ASSERT_NE(at = *static_cast<void**>(at), arguments.cursor);
      EXPECT_EQ(*static_cast<void**>(at), arguments.cursor);
    }
    Placement streams(run_of(8 * MiB), 0, pus, std::nullopt, team, kept);
    streams.lay_out(*gable::kernels::best("load"), 0, 0, 8 * MiB, arguments);
    const auto* doubles = static_cast<const double*>(arguments.load[0]);
    EXPECT_EQ(std::count(doubles, doubles + MiB, 1.0), static_cast<std::ptrdiff_t>(MiB));
  }
}

TEST(Placement, ASmallRunAloneHasSeveralPlacesWhereMemoryIsPlenty) {
  const std::vector<std::vector<unsigned>> pus = {{first_cpu()}};
  auto run = run_of(MiB);
  run.shares.front().stream_room = gable::bench::varied_bytes;
  const auto places = [&](std::optional<std::uint64_t> available) {
    Team team;
    KeptBuffers kept;
    std::set<const void*> found;
    Arguments arguments;
    for (int round = 0; round < 5; ++round) {
      Placement(run, round, pus, available, team, kept)
          .lay_out(*gable::kernels::best("load"), 0, 0, MiB, arguments);
      found.insert(arguments.load[0]);
    }
    return found.size();
  };
  EXPECT_EQ(places(8 * MiB), 1u) << "the places would take memory that is needed";
  const auto free = gable::bench::free_bytes(static_cast<unsigned>(first_node()));
  if (free.value_or(0) >= 2048 * MiB) {
    EXPECT_EQ(places(std::nullopt), 5u);
  }
}

TEST(Placement, MemoryThatIsKeptMakesWay) {
  Team team;
  KeptBuffers kept;
  const std::vector<std::vector<unsigned>> pus = {{first_cpu()}};
  const Placement first(run_of(8 * MiB), 0, pus, 14 * MiB, team, kept);
  auto own = run_of(8 * MiB);
  own.shares.front().own = true;
  const Placement second(own, 0, pus, 14 * MiB, team, kept);
  EXPECT_FALSE(is_smaller(second));
  EXPECT_LT(kept.touched(), 9 * MiB);
}

// Rounds that need a little more than there is do not touch everything in each round again.
TEST(Placement, OnlyAsMuchMakesWayAsIsNeeded) {
  Team team;
  KeptBuffers kept;
  const std::vector<std::vector<unsigned>> pus = {{first_cpu()}};
  const auto run = [](int cluster, Kind kind) {
    auto made = run_of(8 * MiB, kind);
    made.shares.front().cluster = cluster;
    made.shares.front().own = true;
    return made;
  };
  const auto available = static_cast<std::uint64_t>(27 * MiB / most_of_memory);  // three of four
  std::uint64_t touched = 0;
  constexpr int rounds = 5;
  for (int round = 0; round < rounds; ++round) {
    for (const int cluster : {0, 1}) {
      for (const Kind kind : {Kind::bandwidth, Kind::loaded_latency}) {
        const auto asked = run(cluster, kind);
        const KeptBuffer* before =
            kept.find(kind == Kind::loaded_latency ? chase_name(asked, 0) : region_name(asked, 0));
        touched += before == nullptr ? 1 : 0;
        EXPECT_FALSE(is_smaller(Placement(asked, round, pus, available, team, kept)));
      }
    }
  }
  EXPECT_LE(touched, 4 + 2 * (rounds - 1));
}

TEST(Placement, WhatAWholeRoundDidWithoutMakesWayFirst) {
  KeptBuffers kept;
  const auto get = [&](int round, const char* name) {
    kept.begin_visit(round);
    kept.get(name, MiB, {static_cast<unsigned>(first_node())}, gable::model::Pages());
  };
  get(0, "once");
  for (int round = 0; round < 3; ++round) {
    get(round, "first");
    get(round, "last");
  }
  kept.begin_visit(3);
  ASSERT_TRUE(kept.drop_one_but({"first"}));
  EXPECT_EQ(kept.find("once"), nullptr);
  EXPECT_NE(kept.find("last"), nullptr);
  ASSERT_TRUE(kept.drop_one_but({}));
  EXPECT_EQ(kept.find("last"), nullptr) << "it is needed last";
  EXPECT_FALSE(kept.drop_one_but({"first"}));
  EXPECT_FALSE(kept.drop_one_but({}, first_node() + 1)) << "another node gains nothing";
}

TEST(Placement, TouchingEndsWhenItIsTooLate) {
  Team team;
  KeptBuffers kept;
  kept.too_late = [] { return true; };
  EXPECT_THROW(Placement(run_of(8 * MiB), 0, {{first_cpu()}}, std::nullopt, team, kept), gable::Error);
}

TEST(Placement, MoreThanThereIsIsRefusedAndALittleLessIsSmaller) {
  Team team;
  KeptBuffers kept;
  const std::vector<std::vector<unsigned>> pus = {{first_cpu()}};
  EXPECT_THROW(Placement(run_of(std::uint64_t{1} << 50), 0, pus, std::nullopt, team, kept), gable::Error);
  EXPECT_THROW(Placement(run_of(8 * MiB), 0, pus, 4 * MiB, team, kept), gable::Error);
  Placement smaller(run_of(8 * MiB), 0, pus, 8 * MiB, team, kept);
  EXPECT_TRUE(is_smaller(smaller));
  Arguments arguments;
  EXPECT_LT(smaller.lay_out(*gable::kernels::best("load"), 0, 0, 8 * MiB, arguments), 6 * MiB);
}

TEST(Placement, LessThanWasAskedForMayStillBeAsLargeAsTheDefault) {
  Team team;
  for (const double ample : {0.5, 0.9}) {
    KeptBuffers kept;
    auto run = run_of(8 * MiB);
    run.ample_share = ample;
    const Placement smaller(run, 0, {{first_cpu()}}, 8 * MiB, team, kept);
    EXPECT_EQ(is_smaller(smaller), ample > most_of_memory);
    EXPECT_EQ(has(smaller.notes(), gable::model::NoteCode::smaller_ample_buffers), ample < most_of_memory);
  }
}

TEST(Placement, AFewPagesLessNeedNoNote) {
  Team team;
  KeptBuffers kept;
  const auto available = static_cast<std::uint64_t>(0.996 * 8 * MiB / most_of_memory);
  Placement smaller(run_of(8 * MiB), 0, {{first_cpu()}}, available, team, kept);
  EXPECT_TRUE(smaller.notes().empty()) << sentence(smaller.notes().front());
  Arguments arguments;
  EXPECT_LT(smaller.lay_out(*gable::kernels::best("load"), 0, 0, 8 * MiB, arguments), 8 * MiB - 4096);
}

}  // namespace
