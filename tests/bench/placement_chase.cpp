// A chase reads each of its lines once before it returns to the first, whatever its memory held before.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "placements.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::first_cpu;
using gable::bench::tests::MiB;
using gable::bench::tests::run_of;
using gable::kernels::Arguments;
using gable::kernels::Kernel;
using gable::model::Kind;

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

}  // namespace
