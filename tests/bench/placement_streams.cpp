// Streams are disjoint and inside their buffer, and those over two memories are where they were found.

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "base/pages.hpp"
#include "placements.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::first_cpu;
using gable::bench::tests::MiB;
using gable::bench::tests::run_of;
using gable::bench::tests::total;
using gable::kernels::Arguments;
using gable::kernels::Kernel;

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
Run mixed_run(const Kernel& kernel, std::uint64_t bytes) {
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

}  // namespace
