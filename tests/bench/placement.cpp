// Placements: streams are disjoint and inside their buffer, and misplaced pages are named.

#include "bench/buffers/placement.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>

#include "base/pages.hpp"
#include "bench/buffers/free_memory.hpp"
#include "bench/plan/node_room.hpp"
#include "bench/schedule/regions.hpp"
#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::first_node;
using gable::bench::tests::MiB;
using gable::bench::tests::total;
using gable::kernels::Arguments;
using gable::kernels::Kernel;
using gable::model::Kind;

// A run of one cluster on this machine's first node.
Run run_of(std::uint64_t bytes, Kind kind = Kind::bandwidth, int threads = 1) {
  Run run;
  auto& spec = run.cases.emplace_back();
  spec.kind = kind;
  spec.pages = *gable::model::pages_named("4k");
  spec.bytes = bytes;
  spec.threads = threads;
  if (has_load(kind)) run.loader_bytes = bytes;
  run.shares = {{0, {static_cast<unsigned>(first_node())}}};
  return run;
}

// Whether it says so.
bool is_smaller(const Placement& placement) {
  return has(placement.notes(), gable::model::NoteCode::smaller_buffers);
}

unsigned first_cpu() {
  return gable::machines::this_machine().clusters.at(0).cores.at(0).pus.at(0);
}

struct Stream {
  const std::byte* begin;
  std::uint64_t bytes;
};

std::vector<Stream> streams_of(const Kernel& kernel, const Arguments& arguments) {
  const void* bases[] = {arguments.load[0], arguments.load[1], arguments.store};
  std::vector<Stream> streams;
  for (int s = 0; s < 3; ++s) {
    if (kernel.stream_bytes[s] == 0) continue;
    streams.push_back(
        {static_cast<const std::byte*>(bases[s]), arguments.iterations_per_pass * kernel.stream_bytes[s]});
  }
  return streams;
}

TEST(Placement, StreamsOfEveryKernelStayApartAndInside) {
  Team team;
  KeptBuffers kept;
  for (const std::uint64_t bytes : {4096u, 16384u, 57344u, 1u << 20}) {
    Placement placement(run_of(bytes), 0, {{first_cpu()}}, std::nullopt, team, kept);
    const std::byte* base = nullptr;
    for (const Kernel& kernel : gable::kernels::all()) {
      if (kernel.kind != gable::kernels::Kind::stream) continue;
      SCOPED_TRACE(testing::Message() << kernel.name << " in " << bytes);
      Arguments arguments;
      const std::uint64_t used = placement.lay_out(kernel, 0, 0, bytes, arguments);
      const auto streams = streams_of(kernel, arguments);
      if (base == nullptr) base = streams.front().begin;
      std::uint64_t sum = 0;
      for (const Stream& stream : streams) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(stream.begin) % 64, 0u);
        EXPECT_GE(stream.begin, base);
        EXPECT_LE(stream.begin + stream.bytes, base + bytes + 4 * 4096);
        sum += stream.bytes;
        for (const Stream& other : streams) {
          const bool apart = &other == &stream || other.begin >= stream.begin + stream.bytes ||
                             stream.begin >= other.begin + other.bytes;
          EXPECT_TRUE(apart);
        }
      }
      EXPECT_EQ(sum, used);
      EXPECT_LE(used, bytes);
      EXPECT_GT(used, bytes / 2);
      EXPECT_EQ(arguments.position, 0u);
    }
  }
}

// Its pages are split between two memories, here the same one twice.
gable::bench::Run mixed_run(const Kernel& kernel, std::uint64_t bytes) {
  auto run = run_of(bytes);
  run.cases.front().kernel = kernel.name;
  run.shares.front().nodes.push_back(run.shares.front().nodes.front());
  run.shares.front().node_percent = 50;
  return run;
}

// The same where pages are split between two memories.
TEST(Placement, MixedStreamsAreNumbersAndWhereTheyWereFound) {
  SKIP_WITHOUT_NUMA();
  Team team;
  KeptBuffers kept;
  const std::uint64_t bytes = MiB;
  std::set<std::array<unsigned, 3>> shapes;
  for (const Kernel& kernel : gable::kernels::all()) {
    if (kernel.kind != gable::kernels::Kind::stream) continue;
    const auto& each = kernel.stream_bytes;
    if (!shapes.insert({each[0], each[1], each[2]}).second) continue;
    SCOPED_TRACE(kernel.name);
    const auto run = mixed_run(kernel, bytes);
    Placement placement(run, 0, {{first_cpu()}}, std::nullopt, team, kept);
    Arguments arguments;
    const std::uint64_t used = placement.lay_out(kernel, 0, 0, bytes, arguments);
    std::uint64_t sum = 0;
    for (const Stream& stream : streams_of(kernel, arguments)) {
      const auto* doubles = reinterpret_cast<const double*>(stream.begin);
      const auto count = static_cast<std::ptrdiff_t>(stream.bytes / 8);
      EXPECT_EQ(std::count(doubles, doubles + count, 1.0), count);
      sum += stream.bytes;
    }
    EXPECT_EQ(sum, used);
    const MixedResidence residence = placement.mixed_residence(0);
    EXPECT_TRUE(residence.fault.empty());
    EXPECT_EQ(total(residence.bytes), used);
  }
}

// Pages that two rounds and all kernels share are placed anew after one of them was not where it belongs.
TEST(Placement, MixedPagesAreNotUsedAgainAfterAFault) {
  SKIP_WITHOUT_NUMA();
  Team team;
  KeptBuffers kept;
  const Kernel& load = *gable::kernels::best("load");
  const auto place = [&] {
    return Placement(mixed_run(load, MiB), 1, {{first_cpu()}}, std::nullopt, team, kept);
  };
  Arguments arguments;
  Placement first = place();
  first.lay_out(load, 0, 0, MiB, arguments);
  ASSERT_EQ(madvise(const_cast<void*>(arguments.load[0]), gable::small_page(), MADV_DONTNEED), 0);
  EXPECT_FALSE(first.mixed_residence(0).fault.empty());
  EXPECT_TRUE(place().mixed_residence(0).fault.empty());
}

// All clusters at once: each has pages of its own in its own shares.
TEST(Placement, MixedPagesOfSeveralClustersAreApart) {
  SKIP_WITHOUT_NUMA();
  const std::vector<unsigned> two = gable::bench::tests::cpus();
  if (two.size() < 2) GTEST_SKIP() << "one core";
  Team team;
  KeptBuffers kept;
  const Kernel& load = *gable::kernels::best("load");
  auto run = mixed_run(load, MiB);
  run.cases.push_back(run.cases.front());
  run.cases.back().bytes = 2 * MiB;
  run.shares.push_back(run.shares.front());
  Placement placement(run, 0, {{two[0]}, {two[1]}}, std::nullopt, team, kept);
  Arguments first, second;
  const std::uint64_t used = placement.lay_out(load, 0, 0, MiB, first);
  const std::uint64_t more = placement.lay_out(load, 1, 0, 2 * MiB, second);
  EXPECT_GT(more, used);
  const std::less_equal<const void*> before;
  EXPECT_TRUE(before(static_cast<const char*>(first.load[0]) + used, second.load[0]) ||
              before(static_cast<const char*>(second.load[0]) + more, first.load[0]));
  EXPECT_EQ(total(placement.mixed_residence(0).bytes), used);
  EXPECT_EQ(total(placement.mixed_residence(1).bytes), more);
}

// A chase has memory of its own, so the streams beside it are numbers at any time.
TEST(Placement, AChaseLeavesTheNumbersOfStreams) {
  Team team;
  KeptBuffers kept;
  const std::uint64_t bytes = MiB;
  const Kernel& chase = *gable::kernels::best("chase");
  const Kernel& load = *gable::kernels::best("load");
  Arguments arguments;
  for (const std::uint64_t part : {bytes, bytes / 4, bytes / 2}) {
    Placement placement(run_of(part, Kind::loaded_latency), 0, {{first_cpu()}}, std::nullopt, team, kept);
    EXPECT_LE(placement.lay_chase(chase, 0, part, arguments), part);
    EXPECT_NE(arguments.cursor, nullptr);
    placement.lay_out(load, 0, 0, part, arguments);
    const auto* doubles = static_cast<const double*>(arguments.load[0]);
    EXPECT_EQ(std::count(doubles, doubles + part / 8, 1.0), static_cast<std::ptrdiff_t>(part / 8));
  }
}

// Linked by all threads, and after any earlier use, a chase of n lines returns to its start after n steps.
TEST(Placement, AChaseIsWholeAfterAnyOther) {
  Team team;
  KeptBuffers kept;
  const std::uint64_t bytes = 256 * 1024;
  const auto pus = pus_of(gable::machines::this_machine().clusters.at(0), 0, false);
  const Kernel& chase = *gable::kernels::best("chase");
  for (const std::uint64_t part :
       {bytes, bytes / 2, bytes, std::uint64_t{4096}, bytes / 2, 16 * bytes, bytes}) {
    Arguments arguments;
    Placement placement(run_of(part, Kind::latency), 0, {pus}, std::nullopt, team, kept);
    const std::uint64_t lines = placement.lay_chase(chase, 0, part, arguments) / 64;
    std::uint64_t steps = 0;
    void* at = arguments.cursor;
    do {
      at = *static_cast<void**>(at);
      ++steps;
    } while (at != arguments.cursor && steps <= lines);
    EXPECT_EQ(steps, lines);
  }
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

// A visit reads only a part of a chase through memory. If all visits read the same part, a cache would hold
// it.
TEST(Placement, AChaseGoesOnWhereItStopped) {
  Team team;
  KeptBuffers kept;
  const std::vector<std::vector<unsigned>> pus = {{first_cpu()}};
  const Kernel& chase = *gable::kernels::best("chase");
  const auto run = run_of(8 * MiB, Kind::latency);
  std::set<const void*> read;
  std::size_t steps = 0;
  for (int visit = 0; visit < 4; ++visit) {
    Placement placement(run, visit, pus, std::nullopt, team, kept);
    Arguments arguments;
    placement.lay_chase(chase, 0, 8 * MiB, arguments);
    arguments.iterations = 50;
    for (void* at = arguments.cursor; steps < 50 * (chase.load_bytes / 8) * (visit + 1u); ++steps) {
      read.insert(at);
      at = *static_cast<void**>(at);
    }
    chase.code(&arguments);
    placement.chase_stopped(0, arguments.cursor);
  }
  EXPECT_EQ(read.size(), steps) << "a line was read twice";
  Placement shorter(run_of(2 * MiB, Kind::latency), 0, pus, std::nullopt, team, kept);
  Arguments arguments;
  shorter.lay_chase(chase, 0, 2 * MiB, arguments);
  EXPECT_EQ(arguments.cursor, shorter.chase(0)) << "another chase starts at its first line";
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
  const Placement large(run_of(8 * MiB), 0, pus, 14 * MiB, team, kept);
  const Placement chase(run_of(8 * MiB, Kind::latency), 0, pus, 14 * MiB, team, kept);
  EXPECT_FALSE(is_smaller(chase));
  EXPECT_LT(kept.touched(), 9 * MiB);
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

TEST(Placement, AFewPagesLessNeedNoNote) {
  Team team;
  KeptBuffers kept;
  const auto available = static_cast<std::uint64_t>(0.996 * 8 * MiB / most_of_memory);
  Placement smaller(run_of(8 * MiB), 0, {{first_cpu()}}, available, team, kept);
  EXPECT_TRUE(smaller.notes().empty()) << sentence(smaller.notes().front());
  Arguments arguments;
  EXPECT_LT(smaller.lay_out(*gable::kernels::best("load"), 0, 0, 8 * MiB, arguments), 8 * MiB - 4096);
}

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
