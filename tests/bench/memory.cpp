// Buffers and placements: memory lies where it was asked for, in pages of the size asked for, and streams
// stay inside it.

#include <gtest/gtest.h>
#include <numa.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "bench/placement.hpp"
#include "bench/residence.hpp"
#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::kernels::Arguments;
using gable::kernels::Kernel;

constexpr std::uint64_t MiB = 1 << 20;

std::uint64_t total(const std::map<int, std::uint64_t>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& entry) { return sum + entry.second; });
}

int first_node() {
  return static_cast<int>(gable::machines::this_machine().nodes.at(0).os_index);
}

TEST(Buffer, LiesOnTheNodeThatWasAskedFor) {
  for (const auto& node : gable::machines::this_machine().nodes) {
    std::vector<std::string> notes;
    const Buffer buffer(3 * MiB, {node.os_index}, "4k", notes);
    buffer.fill(buffer.size());
    if (!notes.empty()) GTEST_SKIP() << notes.front();
    const auto found = buffer.residence(buffer.size());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found.begin()->first, static_cast<int>(node.os_index));
    EXPECT_EQ(found.begin()->second, buffer.size());
  }
}

TEST(Buffer, InterleavesOverAllNodes) {
  std::vector<unsigned> nodes;
  for (const auto& node : gable::machines::this_machine().nodes) nodes.push_back(node.os_index);
  std::vector<std::string> notes;
  const Buffer buffer(8 * MiB, nodes, "4k", notes);
  buffer.fill(buffer.size());
  if (!notes.empty()) GTEST_SKIP() << notes.front();
  const auto found = buffer.residence(buffer.size());
  EXPECT_EQ(found.size(), nodes.size());
  EXPECT_EQ(total(found), buffer.size());
}

TEST(Buffer, PagesThatWereNotTouchedAreInNoMemory) {
  std::vector<std::string> notes;
  const Buffer buffer(MiB, {}, "4k", notes);
  for (const auto& [node, bytes] : buffer.residence(buffer.size())) EXPECT_LT(node, 0);
}

TEST(Buffer, SmallPagesAreSmallAndLargeOnesLarge) {
  std::vector<std::string> notes;
  const Buffer small(8 * MiB, {}, "4k", notes);
  small.fill(small.size());
  EXPECT_EQ(HugePages().share(small.data(), small.size()), 0);
  if (!huge_pages_can_be_had()) GTEST_SKIP() << "no 2 MiB pages here";
  const Buffer large(8 * MiB, {}, "2m", notes);
  large.fill(large.size());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.data()) % (2 * MiB), 0u);
  EXPECT_GT(HugePages().share(large.data(), large.size()), 0.7);
}

TEST(Buffer, IsFilledWithOnesAsFarAsAsked) {
  std::vector<std::string> notes;
  const Buffer buffer(5000, {}, "4k", notes);
  EXPECT_EQ(buffer.size(), 8192u);
  buffer.fill(4096);
  const auto* doubles = reinterpret_cast<const double*>(buffer.data());
  EXPECT_EQ(std::count(doubles, doubles + 1024, 1.0), 512);
  buffer.fill(1u << 30);
  EXPECT_EQ(std::count(doubles, doubles + 1024, 1.0), 1024);
}

TEST(Buffer, ANodeThatIsNotThereIsAPlacementError) {
  std::vector<std::string> notes;
  for (const char* pages : {"4k", "2m"}) {
    try {
      const Buffer buffer(MiB, {9999}, pages, notes);
      EXPECT_FALSE(notes.empty()) << "bound to node 9999";
    } catch (const PlacementError& error) {
      EXPECT_NE(error.reason.find("9999"), std::string::npos) << error.reason;
    }
  }
}

TEST(Buffer, MoreThanTheAddressSpaceIsAPlacementError) {
  std::vector<std::string> notes;
  for (const char* pages : {"4k", "2m", "1g"}) {
    EXPECT_THROW(Buffer(std::size_t{1} << 60, {}, pages, notes), PlacementError) << pages;
  }
}

TEST(Residence, EveryPageIsAskedForWhileTheyAreFew) {
  const auto chosen = representative_pages(1000, 1000);
  ASSERT_EQ(chosen.size(), 1000u);
  for (std::size_t i = 0; i < chosen.size(); ++i) EXPECT_EQ(chosen[i], i);
}

TEST(Residence, APartFindsAlternatingPagesOnEveryNode) {
  for (const std::size_t pages : {16385u, 32768u, 65536u, 131072u, 1000000u}) {
    for (std::size_t nodes = 2; nodes <= 16; ++nodes) {
      const auto chosen = representative_pages(pages, 16384);
      EXPECT_LE(chosen.size(), 16384u);
      EXPECT_TRUE(std::ranges::is_sorted(chosen));
      EXPECT_LT(chosen.back(), pages);
      std::vector<double> found(nodes, 0);
      for (const std::size_t page : chosen) ++found[page % nodes];
      const double fair = static_cast<double>(chosen.size()) / static_cast<double>(nodes);
      for (const double here : found) EXPECT_NEAR(here, fair, 0.1 * fair) << pages << " over " << nodes;
    }
  }
}

TEST(Residence, NumaMapsAreReadByAddress) {
  std::istringstream maps(
      "00400000 default file=/bin/x mapped=7 N0=7 kernelpagesize_kB=4\n"
      "7f0000000000 bind:1 anon=512 dirty=512 N1=500 N3=12 kernelpagesize_kB=4\n"
      "7f0000400000 default\n");
  EXPECT_EQ(mapped_pages(maps, 0x7f0000001000), (std::map<int, std::uint64_t>{{1, 500}, {3, 12}}));
  std::istringstream empty("7f0000400000 default\n");
  EXPECT_TRUE(mapped_pages(empty, 0x7f0000400000).empty());
}

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

// Whatever came before, a chase of n lines takes n steps to come round.
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
  EXPECT_NE(smaller.notes().front().find("memory is short"), std::string::npos);
  Arguments arguments;
  EXPECT_LT(smaller.lay_out(*gable::kernels::best("load"), 0, 0, 8 * MiB, arguments), 6 * MiB);
}

TEST(Placement, MisplacedPagesAreNamed) {
  Team team;
  const Placement on_one(run_of(MiB), {{first_cpu()}}, std::nullopt, team);
  const int node = first_node();
  EXPECT_EQ(on_one.misplaced(0, {{node, 100 * MiB}}, false), "");
  EXPECT_NE(on_one.misplaced(0, {{node, 99 * MiB}, {77, MiB}}, false).find("node 77"), std::string::npos);
  EXPECT_NE(on_one.misplaced(0, {{node, 99 * MiB}, {-2, MiB}}, false).find("no memory"), std::string::npos);
  EXPECT_EQ(on_one.misplaced(0, {}, true), "");
  EXPECT_NE(on_one.misplaced(0, {}, false).find("move_pages"), std::string::npos);
}

TEST(Placement, AnUnevenInterleaveIsNamed) {
  Team team;
  auto run = run_of(MiB);
  // Where there is no second node the buffer cannot be bound; what is made of made-up figures is the same.
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
