// Placements: streams are disjoint and inside their buffer, and misplaced pages are named.

#include "bench/buffers/placement.hpp"

#include <gtest/gtest.h>

#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::first_node;
using gable::bench::tests::MiB;
using gable::bench::tests::total;
using gable::kernels::Arguments;
using gable::kernels::Kernel;

// A run of one cluster on this machine's first node.
Run run_of(std::uint64_t bytes, const std::string& pages = "4k") {
  Run run;
  auto& asked = run.cases.emplace_back();
  asked.kind = "bandwidth";
  asked.pages = pages;
  asked.bytes = bytes;
  run.shares = {{0, {static_cast<unsigned>(first_node())}}};
  run.capacity_bytes = run.first_capacity_bytes = bytes;
  return run;
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
  for (const std::uint64_t bytes : {4096u, 16384u, 57344u, 1u << 20}) {
    Placement placement(run_of(bytes), {{first_cpu()}}, std::nullopt, team);
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

TEST(Placement, NumbersComeBackAfterAChase) {
  Team team;
  const std::uint64_t bytes = MiB;
  Placement placement(run_of(bytes), {{first_cpu()}}, std::nullopt, team);
  const Kernel& chase = *gable::kernels::best("chase");
  const Kernel& load = *gable::kernels::best("load");
  Arguments arguments;
  for (const std::uint64_t part : {bytes, bytes / 4, bytes / 2}) {
    EXPECT_LE(placement.lay_chase(chase, 0, 0, part, arguments), part);
    EXPECT_NE(arguments.cursor[0], nullptr);
  }
  placement.lay_out(load, 0, 0, bytes, arguments);
  const auto* doubles = static_cast<const double*>(arguments.load[0]);
  EXPECT_EQ(std::count(doubles, doubles + bytes / 8, 1.0), static_cast<std::ptrdiff_t>(bytes / 8));
}

// After any earlier use, a chase of n lines returns to its start after n steps.
TEST(Placement, AChaseIsWholeAfterAnyOther) {
  Team team;
  const std::uint64_t bytes = 256 * 1024;
  Placement placement(run_of(bytes), {{first_cpu()}}, std::nullopt, team);
  const Kernel& chase = *gable::kernels::best("chase");
  const Kernel& store = *gable::kernels::best("store");
  Arguments arguments;
  for (const std::uint64_t part : {bytes, bytes / 2, bytes, std::uint64_t{4096}, bytes / 2, bytes}) {
    const std::uint64_t lines = placement.lay_chase(chase, 0, 0, part, arguments) / 64;
    std::uint64_t steps = 0;
    void* at = arguments.cursor[0];
    do {
      at = *static_cast<void**>(at);
      ++steps;
    } while (at != arguments.cursor[0] && steps <= lines);
    EXPECT_EQ(steps, lines);
    if (part == bytes / 2) placement.lay_out(store, 0, 0, 8192, arguments);
  }
}

TEST(Placement, ServesWhatFits) {
  Team team;
  const std::vector<std::vector<unsigned>> pus = {{first_cpu()}};
  const Placement placement(run_of(MiB), pus, std::nullopt, team);
  EXPECT_TRUE(placement.serves(run_of(MiB), pus));
  EXPECT_TRUE(placement.serves(run_of(MiB / 2), pus));
  EXPECT_FALSE(placement.serves(run_of(2 * MiB), pus));
  EXPECT_FALSE(placement.serves(run_of(MiB, "2m"), pus));
  EXPECT_FALSE(placement.serves(run_of(MiB), {{first_cpu() + 1}}));
  auto other = run_of(MiB);
  other.shares.front().nodes = {7};
  EXPECT_FALSE(placement.serves(other, pus));
}

TEST(Placement, MoreThanThereIsIsRefusedAndALittleLessIsSmaller) {
  Team team;
  const std::vector<std::vector<unsigned>> pus = {{first_cpu()}};
  EXPECT_THROW(Placement(run_of(std::uint64_t{1} << 50), pus, std::nullopt, team), PlacementError);
  EXPECT_THROW(Placement(run_of(8 * MiB), pus, 4 * MiB, team), PlacementError);
  Placement smaller(run_of(8 * MiB), pus, 8 * MiB, team);
  ASSERT_EQ(smaller.notes().size(), 1u);
  EXPECT_NE(smaller.notes().front().find("requested size"), std::string::npos);
  Arguments arguments;
  EXPECT_LT(smaller.lay_out(*gable::kernels::best("load"), 0, 0, 8 * MiB, arguments), 6 * MiB);
}

TEST(Placement, MisplacedPagesAreNamed) {
  Team team;
  const Placement on_one(run_of(MiB), {{first_cpu()}}, std::nullopt, team);
  const int node = first_node();
  EXPECT_EQ(on_one.misplaced(0, {{node, 100 * MiB}}, false), "");
  EXPECT_NE(on_one.misplaced(0, {{node, 99 * MiB}, {77, MiB}}, false).find("node 77"), std::string::npos);
  EXPECT_NE(on_one.misplaced(0, {{node, 99 * MiB}, {-2, MiB}}, false).find("not in memory"),
            std::string::npos);
  EXPECT_EQ(on_one.misplaced(0, {}, true), "");
  EXPECT_NE(on_one.misplaced(0, {}, false).find("move_pages"), std::string::npos);
}

TEST(Placement, AnUnevenInterleaveIsNamed) {
  Team team;
  auto run = run_of(MiB);
  // Without a second node the buffer cannot be bound, but the judgement of invented figures is the same.
  run.shares.front().nodes = {static_cast<unsigned>(first_node()), 1};
  try {
    const Placement on_two(run, {{first_cpu()}}, std::nullopt, team);
    const int node = first_node();
    EXPECT_EQ(on_two.misplaced(0, {{node, 50 * MiB}, {1, 52 * MiB}}, false), "");
    EXPECT_NE(on_two.misplaced(0, {{node, 70 * MiB}, {1, 30 * MiB}}, false), "");
    EXPECT_NE(on_two.misplaced(0, {{node, 100 * MiB}}, false).find("even share"), std::string::npos);
  } catch (const PlacementError& error) {
    GTEST_SKIP() << error.reason;
  }
}

TEST(Placement, ResidenceIsThatOfTheThreadsThatRun) {
  Team team;
  const auto machine = gable::machines::this_machine();
  const auto pus = pus_of(machine.clusters.at(0), 0, false);
  Placement placement(run_of(MiB), {pus}, std::nullopt, team);
  for (std::size_t threads = 1; threads <= pus.size(); ++threads) {
    EXPECT_EQ(total(placement.residence(0, threads, MiB)), threads * MiB);
  }
}

}  // namespace
