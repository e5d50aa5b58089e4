// Mispredicted branches, page walks and integer instructions as needs of their own, and programs whose
// functions are bound by different things.

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "base/error.hpp"
#include "model/json/points.hpp"
#include "model/profile/levels.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

using LimitKind = Limit::Kind;

// A hash join: probes at random addresses, and branches that depend on what they find.
Point hash_join(double seconds, double mispredicted) {
  constexpr double lines = 7 * 8e6;
  Point join = program(0, 100 * lines, 0, seconds,
                       {bytes("L2", 64 * lines, 0, 64 * lines), bytes("L3", 64 * lines, 0, 64 * lines),
                        bytes("memory", 64 * lines, 0, 64 * lines)});
  join.instructions = {60 * lines, 30 * lines, 4 * lines, mispredicted};
  return join;
}

TEST(Stalls, MispredictedBranchesThatWaitForMemoryMayBind) {
  Roofs roofs = with_chases();
  add_random_loads(roofs, 200, 140);
  constexpr double branches = 7 * 6e6;
  const Point join = hash_join(0.7, branches);
  const Need need = need_of(needs_of(roofs, join, 0, {}), LimitKind::branches);
  EXPECT_TRUE(need.is_range);
  EXPECT_NEAR(need.hi, 6e6 * 100e-9 / 0.7, 1e-9) << "one after the other in each thread";
  EXPECT_LT(need.lo, 0.2);
  const Reading reading = read_point(roofs, join);
  EXPECT_TRUE(says(reading, "is undecided")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "of what is known only waiting at mispredicted branches may bind it"))
      << reading.verdict.text();
  EXPECT_TRUE(says(reading, "9 % to 86 % of its time for 42 million mispredicted branches"))
      << reading.verdict.text();
  EXPECT_TRUE(says(reading, "Next: irregular access to memory 49 %")) << reading.verdict.text();
  EXPECT_EQ(reading.roof, "mispredicted branches");
  // Random loads may bind it, too, if it is as fast as they allow.
  const Reading fast = read_point(roofs, hash_join(0.35, branches));
  EXPECT_TRUE(says(fast, "irregular access to memory (80 % to 100 %) or waiting at mispredicted branches"))
      << fast.verdict.text();
  EXPECT_FALSE(reading.headroom_known);
  // Predictable branches leave what the random loads need.
  EXPECT_EQ(need_of(needs_of(roofs, hash_join(0.7, 0), 0, {}), LimitKind::branches).hi, 0);
  EXPECT_FALSE(says(read_point(roofs, hash_join(0.7, 0)), "waiting at mispredicted"));
}

// Columns of a matrix by rows have another advice than a table that is searched.
TEST(Stalls, ConstantDistancesAskForAnotherOrderOfLoops) {
  Roofs roofs = with_chases();
  add_random_loads(roofs, 200, 140);
  Point columns = hash_join(0.35, 0);
  const auto advises_loops = [&] { return says(read_point(roofs, columns), "exchange loops"); };
  EXPECT_FALSE(advises_loops()) << read_point(roofs, columns).verdict.text();
  columns.levels.back().strided = 0.4 * columns.levels.back().irregular;
  EXPECT_FALSE(advises_loops()) << read_point(roofs, columns).verdict.text();
  columns.levels.back().strided = 0.6 * columns.levels.back().irregular;
  EXPECT_TRUE(advises_loops()) << read_point(roofs, columns).verdict.text();
  EXPECT_EQ(points_from_json(points_to_json({columns}, {Reading{}}), "p"), std::vector{columns});
  columns.levels.back().strided = 1.1 * columns.levels.back().irregular;
  EXPECT_NE(contradiction(columns), "") << "more than there are";
}

Roof step(Kind kind, double bytes, double value) {
  Roof roof = joe0::bandwidth(0, "L3", "ladder", -1, value);
  roof.spec.kind = kind;
  roof.spec.op = kind == Kind::latency ? operations::chase : operations::load;
  roof.spec.bytes = static_cast<std::uint64_t>(bytes);
  roof.spec.threads = 1;
  roof.unit = kind == Kind::latency ? "ns" : "GB/s";
  return roof;
}

// Latencies say that L3 ends at 2 MiB, and bandwidths that it ends at 16 MiB, as where others use it too.
Roofs with_unsure_cache() {
  constexpr double mib = 1 << 20;
  Roofs roofs = with_chases();
  add_random_loads(roofs, 200, 140);
  for (const auto& [size, ns, gb] : {std::tuple{2 * mib, 20.0, 80.0},
                                     {4 * mib, 140.0, 80.0},
                                     {16 * mib, 140.0, 78.0},
                                     {32 * mib, 140.0, 15.0}}) {
    roofs.ladder.push_back(step(Kind::latency, size, ns));
    roofs.ladder.push_back(step(Kind::bandwidth, size, gb));
  }
  CacheLevel cache;
  cache.level = Level("L3");
  cache.claimed_bytes = 32 << 20;
  cache.measured_bytes = 2 << 20;
  roofs.levels = {cache};
  return roofs;
}

TEST(Stalls, LinesThatACacheMayHoldLeaveItUndecided) {
  const auto program_with = [](double span) {
    Point join = hash_join(0.35, 0);
    join.levels.back().irregular_spans = join.levels.back().irregular * std::log2(span);
    return join;
  };
  const Roofs roofs = with_unsure_cache();
  const Point between = program_with(8 << 20), behind = program_with(64 << 20);
  const Need need = need_of(needs_of(roofs, between, 0, {}), LimitKind::irregular);
  EXPECT_TRUE(need.is_range);
  EXPECT_EQ(need.perhaps_in, "L3");
  EXPECT_LT(need.lo, 0.3 * need.hi);
  EXPECT_TRUE(says(read_point(roofs, between), "unless L3 holds them"))
      << read_point(roofs, between).verdict.text();
  EXPECT_TRUE(says(read_point(roofs, between), "undecided"));
  EXPECT_TRUE(need_of(needs_of(roofs, behind, 0, {}), LimitKind::irregular).perhaps_in.empty());
  EXPECT_FALSE(says(read_point(roofs, behind), "unless L3")) << "it has no room for these";
  Roofs confirmed = roofs;
  confirmed.levels.front().confirmed = true;
  EXPECT_TRUE(need_of(needs_of(confirmed, between, 0, {}), LimitKind::irregular).perhaps_in.empty());
}

// They may take more than half of the time, and nothing else much.
TEST(Stalls, MispredictedBranchesMayTakeMost) {
  Roofs roofs = with_chases();
  add_random_loads(roofs, 200, 140);
  Point sort = hash_join(1.2, 7 * 6e6);
  const Reading reading = read_point(roofs, sort);
  EXPECT_TRUE(says(reading, "only waiting at mispredicted branches may take most, 5 % to 50 % of its time"))
      << reading.verdict.text();
  EXPECT_TRUE(says(reading, "Next: irregular access to memory 28 %")) << reading.verdict.text();
  EXPECT_TRUE(says(read_point(roofs, hash_join(1.6, 7 * 6e6)), "is bound by none")) << "up to 37 %";
  sort.other_cpus = 1;
  EXPECT_TRUE(says(read_point(roofs, sort), "because other programs took its time"));
}

// Branches of one function do not wait for the lines of another one.
TEST(Stalls, BranchesWaitForTheLinesOfTheirOwnFunction) {
  Point join = hash_join(0.7, 7 * 6e6);
  FunctionWork probe = {"probe", "app", 0, join.load_bytes, 0, join.levels};
  FunctionWork sort = {"sort", "app", 0, 1e9, 0, {bytes("L2", 1e9), bytes("memory", 1e8)}};
  sort.instructions = join.instructions;
  join.functions = {probe, sort};
  EXPECT_EQ(need_of(needs_of(with_chases(), join, 0, {}), LimitKind::branches).hi, 0);
  std::swap(join.functions[0].instructions, join.functions[1].instructions);
  EXPECT_GT(need_of(needs_of(with_chases(), join, 0, {}), LimitKind::branches).hi, 0.8);
}

Roof latency_of_memory(Pages pages, double ns) {
  Roof roof = joe0::bandwidth(0, "memory", "local", 0, ns);
  roof.spec.kind = Kind::latency;
  roof.spec.op = operations::chase;
  roof.spec.pages = pages;
  roof.unit = "ns";
  return roof;
}

// Walks for pages that are not in the TLB follow each other, or wait for as small a part of each other as
// random loads do: small pages cost a random load of seven threads 35 ns, and a chain's load 70 ns. Walks
// that are cheaper than those of random loads have a smaller least time than these.
TEST(Stalls, WalksOverlapAtMostLikeThoseOfRandomLoads) {
  Roofs roofs = joe0::roofs();
  add_random_loads(roofs, 200, 100);
  Point transpose = program(0, 20e9, 20e9, 1, {bytes("L2", 20e9, 10e9), bytes("memory", 10e9, 10e9)});
  transpose.translation = Translation{{150e6, 4.4, 4.6}, {}};
  transpose.huge_pages_percent = 0;
  const auto walks = [&] { return need_of(needs_of(roofs, transpose, 0, {}), LimitKind::walks); };
  EXPECT_NEAR(walks().lo, 0.1 * 4.4 / 7, 1e-9) << "it is not known what a chain loses";
  roofs.roofs.push_back(latency_of_memory(Pages(2 << 20), 100));
  roofs.roofs.push_back(latency_of_memory(Pages(4096), 170));
  EXPECT_NEAR(walks().hi, 4.6 / 7, 1e-9);
  EXPECT_NEAR(walks().lo, 0.5 * 4.4 / 7, 1e-9);
  transpose.translation->small = {150e6, 0.3, 0.4};
  EXPECT_NEAR(walks().lo, 0.5 * 0.3 / 7, 1e-9) << "2 ns each in a larger TLB, however much random loads lose";
  transpose.translation->small = {150e6, 8, 9};
  EXPECT_NEAR(walks().lo, 0.5 * 8 / 7, 1e-9);
  EXPECT_NEAR(walks().hi, 1, 1e-9) << "all of the time";
  const Reading reading = read_point(roofs, transpose);
  EXPECT_TRUE(says(reading, "address translation")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "use huge pages")) << reading.verdict.text();
  // On huge pages it needs nothing; nothing is said if the TLB is not known.
  transpose.huge_pages_percent = 100;
  EXPECT_EQ(need_of(needs_of(roofs, transpose, 0, {}), LimitKind::walks).hi, 0);
  transpose.huge_pages_percent = 0;
  transpose.translation.reset();
  EXPECT_EQ(need_of(needs_of(roofs, transpose, 0, {}), LimitKind::walks).hi, 0);
}

// The figures of irregular and chained lines contain a walk for each of them, and the bandwidth of lines in
// order contains one for each of their pages.
TEST(Stalls, WalksInTheFiguresOfLinesDoNotCountTwice) {
  Profile profile;
  profile.places = {{"probe", "app", "", 0}};
  profile.objects = {{}};
  ProfileUses uses;
  uses.own.read[0] = uses.all.read[0] = {{never_used, 3200}};  // on 50 pages
  uses.own.read[1] = uses.all.read[1] = {{never_used, 400}, {1, 100}};
  uses.pages = {{0, 300}, {41, 550}};  // 1024 pages
  profile.uses = {uses};
  const ProfileTlb tlb = {{{2 << 20, 9, 11}, {64 << 20, 80, 100}}, {}};
  const ProfileRow row =
      profile_rows(profile, ProfileKey::function, {{"L1", 32 << 10, false}, {"L2", 1 << 20, true}}, tlb)
          .front();
  EXPECT_EQ(row.translation.small.walks, 550 - 50 - 400);
  EXPECT_NEAR(row.translation.small.seconds_hi, 100 * 11e-9, 1e-15) << "64 MiB hold all of its pages";
  EXPECT_EQ(row.translation.huge, PageWalks{});
}

TEST(Stalls, IntegerInstructionsAreComparedWithTheMeasuredRateOfAdditions) {
  Roofs roofs = joe0::roofs();
  Point point = program(0, 10e9, 1e9, 1, {bytes("memory", 1e6)});
  constexpr double additions = 7 * 4 * 2e9;  // seven cores of 2 GHz
  point.instructions = {1.5 * additions, 0.9 * additions, 1e9, 1e6};
  EXPECT_EQ(need_of(needs_of(roofs, point, 0, {}), LimitKind::integer).hi, 0) << "no rate was measured";
  for (Roof& roof : roofs.roofs) {
    roof.clock_ghz = 2;
    roof.adds_per_cycle = roof.spec.cluster == 0 ? 4 : 40;
  }
  EXPECT_NEAR(need_of(needs_of(roofs, point, 0, {}), LimitKind::integer).share, 0.9, 1e-9);
  const Reading reading = read_point(roofs, point);
  EXPECT_TRUE(says(reading, "integer arithmetic binds it")) << reading.verdict.text();
  // What is not bound has the rate of its instructions and its mispredicted branches.
  point.instructions.integer = 0.1 * additions;
  const Reading other = read_point(roofs, point);
  EXPECT_TRUE(says(other, "6.0 instructions per cycle and core")) << other.verdict.text();
  EXPECT_TRUE(says(other, "may be bound by the number of its instructions, which is 150 %"))
      << other.verdict.text();
  EXPECT_FALSE(other.headroom_known) << "cores may execute more";
  // Also if something takes most of the time.
  point.instructions.integer = 0.6 * additions;
  const Reading most = read_point(roofs, point);
  EXPECT_TRUE(says(most, "may be bound by the number of its instructions, which is 150 %"))
      << most.verdict.text();
  EXPECT_TRUE(says(most, "integer arithmetic, would take 60 % of its time")) << most.verdict.text();
  EXPECT_FALSE(most.headroom_known);
  point.instructions.executed = 0.7 * additions;
  EXPECT_TRUE(says(read_point(roofs, point), "integer arithmetic takes most"))
      << read_point(roofs, point).verdict.text();
  point.instructions.integer = 0.1 * additions;
  EXPECT_TRUE(says(read_point(roofs, point), "is bound by none of its transfers")) << "cores are less busy";
  point.instructions.executed = 1.5 * additions;
  EXPECT_TRUE(says(other, "less than 1 % of its 1000 million branches are mispredicted"))
      << other.verdict.text();
}

// One function is bound by memory for half of the time, then another one, or a loop of it, by arithmetic.
Point bound_in_turns() {
  Point point = program(0.45 * 189.4e9, 100e9, 0, 1, {bytes("L3", 25e9), bytes("memory", 0.5 * 36.1e9)});
  point.fma_flops_percent = 100;
  point.functions = {{"compute", "app", point.flops, 80e9, 0, {bytes("L3", 4e9), bytes("memory", 1e6)}},
                     {"stream", "app", 0, 20e9, 0, {bytes("L3", 21e9), bytes("memory", 0.5 * 36.1e9)}}};
  return point;
}

TEST(Stalls, FunctionsThatAreBoundByDifferentThingsExplainTheTimeTogether) {
  Point point = bound_in_turns();
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_TRUE(says(reading, "is bound by one thing after the other, which take 95 % of its time"))
      << reading.verdict.text();
  EXPECT_TRUE(says(reading, "local memory in stream (50 %)")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "arithmetic in compute (45 %)")) << reading.verdict.text();
  EXPECT_NEAR(reading.headroom_percent, 100 / 0.95 - 100, 0.5);
  point.functions[1].function = "compute";
  point.functions[0].loop = 0x1234;
  point.functions[1].loop = 0x1300;
  point.functions[1].line = "app.c:9";
  const Reading of_loops = read_point(joe0::roofs(), point);
  EXPECT_TRUE(says(of_loops, "local memory in compute, loop at app.c:9 (50 %)")) << of_loops.verdict.text();
  EXPECT_TRUE(says(of_loops, "arithmetic in compute, loop at 0x1234 (45 %)")) << of_loops.verdict.text();
}

// The same if its functions have so many of 10 000 samples.
Reading reading_with_samples(double of_compute, double of_stream) {
  Point point = bound_in_turns();
  point.samples.all = 10000;
  point.functions[0].samples = of_compute;
  point.functions[1].samples = of_stream;
  return read_point(joe0::roofs(), point);
}

// A function explains no more than the time that it took.
TEST(Stalls, FunctionsExplainNoMoreThanTheirOwnTime) {
  const Reading reading = reading_with_samples(4500, 4600);
  EXPECT_FALSE(says(reading, "(50 %)")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "is bound by one thing after the other, which take 92 % of its time"))
      << reading.verdict.text();
  EXPECT_TRUE(says(reading, "local memory in stream (47 %); arithmetic in compute (45 %)"))
      << reading.verdict.text();
}

// Half of the time for a function that took a third of it is wrong, whatever the function is.
TEST(Stalls, ProgramsNeedNoMoreThanTheirFunctionsTook) {
  const Reading reading = reading_with_samples(6500, 3000);
  ASSERT_EQ(reading.functions[1].measured->verdict, FunctionVerdict::contradiction);
  EXPECT_TRUE(says(reading, "arithmetic takes most: 45 % of its time")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "Next: local memory 31 %")) << "not 50 %: " << reading.verdict.text();
}

// Together they take two thirds of the time; a quarter of it in the kernel is not theirs to explain.
TEST(Stalls, FunctionsMayExplainMostOfTheTime) {
  Point point = bound_in_turns();
  point.seconds = point.seconds_lo = point.seconds_hi = 1.45;
  const Reading most = read_point(joe0::roofs(), point);
  EXPECT_TRUE(says(most, "is mostly bound by one thing after the other, which take 66 % of its time"))
      << most.verdict.text();
  EXPECT_FALSE(most.headroom_known);
  point.kernel_seconds = 0.25 * 1.45 * point.threads;
  point.user_seconds = 0.75 * 1.45 * point.threads;
  const Reading outside = read_point(joe0::roofs(), point);
  EXPECT_TRUE(says(outside, "is bound by one thing after the other")) << outside.verdict.text();
  Point little = bound_in_turns();
  little.seconds = little.seconds_lo = little.seconds_hi = 4;
  EXPECT_TRUE(says(read_point(joe0::roofs(), little), "is bound by none of its transfers"));
}

TEST(Stalls, FunctionsThatNeedTheSameThingAreBoundByIt) {
  Point point = bound_in_turns();
  point.functions[0].flops = 0;
  point.functions[0].levels = point.functions[1].levels;
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_FALSE(says(reading, "one thing after the other")) << reading.verdict.text();
}

TEST(Stalls, InstructionsAndTranslationAreWrittenAndRead) {
  Point point = program(1e9, 20e9, 4e9, 1, {bytes("memory", 4e9, 1e9)});
  point.instructions = {100, 50, 20, 10};
  point.translation = Translation{{3, 0.5, 0.75}, {1, 0, 0.25}};
  point.functions = {{"one", "app", 1e9, 20e9, 4e9}};
  point.functions[0].instructions = {60, 50, 5, 1, {}, 12};
  point.functions[0].translation = point.translation;
  EXPECT_EQ(points_from_json(points_to_json({point}, {Reading{}}), "p"), std::vector{point});
  point.instructions.mispredicted = 21;
  EXPECT_THROW(points_from_json(points_to_json({point}, {Reading{}}), "p"), Error);
}

}  // namespace
}  // namespace gable::model
