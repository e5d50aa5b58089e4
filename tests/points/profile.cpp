// Memory profiles of loops whose traffic is known in closed form, over cache sizes from 32 KiB to 64 MiB, and
// of two threads.

#include <algorithm>
#include <cmath>

#include "model/profile/levels.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

using model::ProfileCache;
using model::ProfileKey;
using model::ProfileRow;
using model::Traffic;

// The traffic of the function, its loops included, behind a cache.
Traffic behind(const model::Profile& profile, const std::string& function, double bytes,
               bool is_shared = false) {
  Traffic sum;
  bool is_there = false;
  for (const ProfileRow& row : profile_rows(profile, ProfileKey::function, {{"cache", bytes, is_shared}})) {
    if (row.name != function) continue;
    sum += row.behind.front();
    is_there = true;
  }
  EXPECT_TRUE(is_there) << function << " is not in the profile";
  return sum;
}

double in_order(const Traffic& traffic) {
  return traffic.read[0] + traffic.written[0];
}

constexpr double mib = 1024 * 1024;

// The value is within 2 % of the truth, but for `slack` bytes: what main() left in the cache, and what is
// dirty in it at the end.
#define EXPECT_TRAFFIC(actual, truth, slack) EXPECT_NEAR(actual, truth, 0.02 * (truth) + (slack))

TEST(Profile, TriadTransfersEachArrayInEveryPassThatDoesNotFit) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 100000, times = 4;
  const double array = 8.0 * n;
  const model::Profile profile = profile_of("triad", n, times);
  EXPECT_EQ(profile.lines_followed, 1);
  for (const double bytes : {32e3, 256e3, 1 * mib, 2 * mib}) {
    const Traffic traffic = behind(profile, "triad", bytes);
    EXPECT_TRAFFIC(traffic.fetched(), 3 * array * times, bytes) << bytes;
    EXPECT_TRAFFIC(traffic.written_back, array * times, bytes) << bytes;
    EXPECT_GT(in_order(traffic), 0.99 * traffic.fetched());
  }
  for (const double bytes : {4 * mib, 64 * mib}) {
    EXPECT_TRAFFIC(behind(profile, "triad", bytes).fetched(), 0, 3 * array)
        << bytes;  // main has touched them
  }
}

// Stores past the caches fetch nothing, are written to the memory at once, and leave no line in any cache.
TEST(Profile, StoresPastTheCachesFetchNothing) {
  SKIP_WITHOUT_VALGRIND();
#ifndef __x86_64__
  GTEST_SKIP() << "no such stores are known of this architecture";
#endif
  constexpr int n = 100000, times = 4;
  const double array = 8.0 * n;
  const model::Profile profile = profile_of("triad past caches", n, times);
  for (const double bytes : {32e3, 256e3, 1 * mib}) {
    const Traffic traffic = behind(profile, "triad_past_caches", bytes);
    EXPECT_TRAFFIC(traffic.fetched(), 2 * array * times, bytes) << bytes;
    EXPECT_TRAFFIC(traffic.streamed, array * times, 64) << bytes;
    EXPECT_LE(traffic.written_back, bytes) << "main has written the array before";
  }
  // What is stored is in no cache, however large it is.
  EXPECT_TRAFFIC(behind(profile, "sum", 64 * mib).fetched(), array * times, 64);
  EXPECT_TRAFFIC(behind(profile, "triad_past_caches", 64 * mib).streamed, array * times, 64);
  EXPECT_EQ(behind(profile_of("triad", 1000, 2), "triad", 32e3).streamed, 0);
}

TEST(Profile, AccessesAreExactAndBelongToTheirObjects) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 10000, times = 3;
  const model::Profile profile = profile_of("triad", n, times);
  double loads = 0, stores = 0;
  for (const model::ProfileAccesses& of : profile.accesses) {
    if (profile.places[of.place].function != "triad" || of.object < 0) continue;
    if (profile.objects[of.object].kind != gable::model::ObjectKind::heap) continue;
    loads += of.load_bytes;
    stores += of.store_bytes;
    const model::ProfileObject& object = profile.objects[of.object];
    ASSERT_GE(object.asker, 0);
    EXPECT_NE(object.callers[object.asker].function, "array") << "it allocates for its caller";
  }
  EXPECT_EQ(loads, 16.0 * n * times);
  EXPECT_EQ(stores, 8.0 * n * times);
}

TEST(Profile, WhatARecursionAllocatesIsOneObject) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int depth = 9;
  const model::Profile profile = profile_of("tree", depth, 1);
  double nodes = 0, most = 0;
  for (const model::ProfileObject& object : profile.objects) {
    if (object.name != "node") continue;
    nodes += static_cast<double>(object.blocks);
    most = std::max(most, static_cast<double>(object.blocks));
  }
  EXPECT_EQ(nodes, (2 << depth) - 1);
  EXPECT_GE(most, nodes - 1) << "the root alone has another caller";
}

// Layer conditions: with three layers in the cache, each point of the grid is fetched once; with three rows,
// in each of the three layers that it is read for. The outermost rows of the neighbouring layers are not
// read.
TEST(Profile, AStencilFollowsItsLayerConditions) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 128, times = 2;
  const double inner = n - 2, row = 8.0 * n, layer = row * n;
  const model::Profile profile = profile_of("stencil", n, times);
  const double written = inner * inner * row * times;
  const Traffic layers = behind(profile, "stencil", 6 * layer);
  EXPECT_TRAFFIC(layers.fetched(), (inner * n + 2 * inner) * row * times + written, 0);
  const Traffic rows = behind(profile, "stencil", 1.2 * layer);
  EXPECT_TRAFFIC(rows.fetched(), (n + 2 * inner) * inner * row * times + written, 0);
  EXPECT_TRAFFIC(rows.written_back, written, 1.2 * layer);
}

TEST(Profile, ATransposeFetchesALineForEachElementUnlessARowOfLinesFits) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 1024, times = 1;
  const double elements = 1.0 * n * n;
  const model::Profile profile = profile_of("transpose", n, times);
  const Traffic small = behind(profile, "transpose", 32e3);  // a column of lines is 64 KiB
  EXPECT_TRAFFIC(small.fetched(), (8 + 64) * elements, 32e3);
  EXPECT_TRAFFIC(small.written_back, 64 * elements, 32e3);
  const Traffic large = behind(profile, "transpose", 256e3);
  EXPECT_TRAFFIC(large.fetched(), 16 * elements, 256e3);
}

TEST(Profile, AProductOfMatricesReadsOneOfThemForEveryRow) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 160;
  const double matrix = 8.0 * n * n;
  const model::Profile profile = profile_of("multiply", n, 1);
  const Traffic small = behind(profile, "multiply", 0.6 * matrix);
  EXPECT_TRAFFIC(small.fetched(), (n + 2) * matrix, 0);
  const Traffic large = behind(profile, "multiply", 4 * matrix);
  EXPECT_LT(large.fetched(), 0.1 * matrix);  // they were set before
}

// A cache that holds a few blocks fetches two blocks for each product of two, and the result once.
TEST(Profile, AProductInBlocksReadsTwoBlocksForEachProduct) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 160, block = 32;
  const double matrix = 8.0 * n * n, part = 8.0 * block * block, products = std::pow(n / block, 3);
  const model::Profile profile = profile_of("multiply blocks", n, 1);
  const Traffic small = behind(profile, "multiply_blocks", 6 * part);
  EXPECT_TRAFFIC(small.fetched(), 2 * part * products + matrix, 6 * part);
  EXPECT_TRAFFIC(small.written_back, matrix, 6 * part);
  EXPECT_LT(behind(profile, "multiply_blocks", 4 * matrix).fetched(), 0.1 * matrix);  // they were set before
}

TEST(Profile, ACopyFetchesBothArraysAndWritesOne) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 100000, times = 4;
  const double array = 8.0 * n;
  const model::Profile profile = profile_of("copy", n, times);
  for (const double bytes : {32e3, 256e3, 1 * mib}) {
    const Traffic traffic = behind(profile, "copy", bytes);
    EXPECT_TRAFFIC(traffic.fetched(), 2 * array * times, bytes) << bytes;
    EXPECT_TRAFFIC(traffic.written_back, array * times, bytes) << bytes;
  }
  EXPECT_TRAFFIC(behind(profile, "copy", 4 * mib).fetched(), 0, 2 * array);
}

// For each row: three entries of 12 bytes, the start, and 8 bytes of a vector for each time that a loop goes
// through one: p and q; p and q; r; x and p; r and q; p and r.
TEST(Profile, ConjugateGradientsReadTheMatrixAndElevenVectors) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 30000, times = 3;
  const double matrix = (3 * 12.0 + 4) * n, vector = 8.0 * n;
  const model::Profile profile = profile_of("gradients", n, times);
  for (const double bytes : {32e3, 64e3, 128e3}) {
    const Traffic traffic = behind(profile, "iterate", bytes);
    EXPECT_TRAFFIC(traffic.fetched(), (matrix + 11 * vector) * times, bytes) << bytes;
    EXPECT_TRAFFIC(traffic.written_back, 4 * vector * times, bytes) << bytes;
  }
  EXPECT_TRAFFIC(behind(profile, "iterate", 8 * mib).fetched(), 0, matrix);
}

// An update of a random line misses with the probability that it is not among those used last.
TEST(Profile, RandomUpdatesMissByTheCachesShareOfTheTable) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int lines = 40000, times = 10;
  const model::Profile profile = profile_of("histogram", lines, times);
  const double table = 64.0 * lines;
  for (const double part : {0.1, 0.25, 0.5}) {
    const Traffic traffic = behind(profile, "histogram", part * table);
    EXPECT_TRAFFIC(traffic.fetched(), (1 - part) * times * table, 0) << part;
    EXPECT_TRAFFIC(traffic.written_back, (1 - part) * times * table, part * table) << part;
    EXPECT_GT(traffic.read[1], 0.95 * traffic.fetched()) << "irregular, and no load waits for another";
  }
}

// Two threads that read one array together fetch it once into the cache that they share; two arrays need
// twice the cache.
TEST(Profile, ThreadsShareWhatTheyUseTogether) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 100000, times = 4;
  const double array = 8.0 * n;
  const model::Profile same = profile_of("same", n, times), apart = profile_of("apart", n, times);
  EXPECT_EQ(same.threads, 3);
  EXPECT_GE(same.busiest_thread, 1.0 / 3);
  EXPECT_LT(same.busiest_thread, 0.7) << "two of them do the same";
  EXPECT_EQ(profile_of("triad", 1000, 2).busiest_thread, 1);
  for (const model::Profile* profile : {&same, &apart}) {
    EXPECT_TRAFFIC(behind(*profile, "sum", 0.5 * array).fetched(), 2 * times * array, 0.5 * array);
    EXPECT_LT(behind(*profile, "sum", 1.2 * array).fetched(), 2.1 * array);  // the first passes
  }
  const double together = behind(same, "sum", 0.5 * array, true).fetched();
  // They begin together and take turns that are short against the cache, so only the one ahead misses.
  EXPECT_TRAFFIC(together, times * array, 0) << "the threads run in turns, not one after the other";
  EXPECT_TRAFFIC(behind(apart, "sum", 1.5 * array, true).fetched(), 2 * times * array, 1.5 * array);
  EXPECT_LT(behind(apart, "sum", 2.5 * array, true).fetched(), 2.1 * array);
}

model::Instructions instructions_of(const model::Profile& profile, const std::string& function) {
  return work_of(profile, function).instructions;
}

// For a core a string instruction is one instruction, however many elements it copies.
TEST(Profile, AStringInstructionIsOneInstruction) {
  SKIP_WITHOUT_VALGRIND();
#ifndef __x86_64__
  GTEST_SKIP() << "this architecture has none";
#endif
  constexpr int n = 300, times = 50;
  const model::Profile profile = profile_of("copy string", n, times);
  const model::Instructions instructions = instructions_of(profile, "copy_string");
  EXPECT_LT(instructions.executed, 10.0 * times);
  EXPECT_LT(instructions.path[model::LatencyClass::integer], 10.0 * times);
  EXPECT_EQ(work_of(profile, "copy_string").store_bytes, 1.0 * n * times);
}

// Each of eight more multiplications takes four cycles.
TEST(Profile, MispredictedBranchesWaitForTheOperationsThatDecideThem) {
  SKIP_WITHOUT_VALGRIND();
  const model::Profile profile = profile_of({program("branches"), "300000"});
  const auto waits = [&](const char* function) {
    const model::Instructions instructions = instructions_of(profile, function);
    EXPECT_GT(instructions.mispredicted, 0.4 * 300000) << function;
    return instructions.resolving_cycles / instructions.mispredicted;
  };
  const double after_8 = waits("branch_after_8"), after_16 = waits("branch_after_16");
  EXPECT_GT(after_8, 8 * 4) << "all of its operations begin after the branch before";
  EXPECT_LT(after_8, 8 * 4 + 25) << "the next number, its conversion and the comparison";
  EXPECT_NEAR(after_16 - after_8, 8 * 4, 4) << "more instructions enter the core a little later";
  const model::Instructions steady = instructions_of(profile, "steady_after_16");
  EXPECT_LT(steady.resolving_cycles, 300000 * 0.1) << "predicted branches wait for nothing";
}

// One of two branches is mispredicted, and waits for its own load alone.
TEST(Profile, MispredictedBranchesWaitForTheLoadsThatDecideThem) {
  SKIP_WITHOUT_VALGRIND();
  constexpr double n = 300000;
  const model::Profile profile = profile_of({program("branches"), "300000"});
  const model::Instructions on = instructions_of(profile, "branch_on_loads"),
                            beside = instructions_of(profile, "branch_beside_loads");
  for (const model::Instructions& instructions : {on, beside}) {
    EXPECT_NEAR(instructions.mispredicted / n, 0.5, 0.05);
    EXPECT_NEAR(instructions.unordered_loads / n, 1, 0.15);
  }
  EXPECT_NEAR(on.waited_loads / on.unordered_loads, 0.5, 0.06) << "one load for each mispredicted branch";
  EXPECT_LT(beside.waited_loads, 0.02 * n);
}

TEST(Profile, InstructionsAndBranchesAreCountedAndThoseWithoutAPatternMispredicted) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int iterations = 100000;
  const model::Profile profile = profile_of({program("branches"), std::to_string(iterations)});
  const model::Instructions random = instructions_of(profile, "branch_at_random");
  EXPECT_NEAR(random.branches, 2 * iterations, 2);
  EXPECT_NEAR(random.mispredicted / iterations, 0.5, 0.02);
  const model::Instructions in_turns = instructions_of(profile, "branch_in_turns");
  EXPECT_NEAR(in_turns.branches, 2 * iterations, 2);
  EXPECT_LT(in_turns.mispredicted, 0.005 * iterations);
  const model::Instructions in_loops = instructions_of(profile, "branch_in_loops");
  EXPECT_GE(in_loops.branches, iterations);
  EXPECT_LT(in_loops.mispredicted, 0.05 * iterations / 100) << "their ends are learned";
  const model::Instructions seldom = instructions_of(profile, "branch_seldom");
  EXPECT_NEAR(seldom.mispredicted / iterations, 0.125, 0.01) << "nothing predicts them better";
  const model::Instructions random_calls = instructions_of(profile, "call_at_random");
  EXPECT_NEAR(random_calls.branches, 2 * iterations, 2);
  EXPECT_NEAR(random_calls.mispredicted / iterations, 0.75, 0.01) << "one of four is right by chance";
  const model::Instructions calls_in_turns = instructions_of(profile, "call_in_turns");
  EXPECT_NEAR(calls_in_turns.branches, 2 * iterations, 2);
  EXPECT_LT(calls_in_turns.mispredicted, 0.005 * iterations);
  const model::Instructions integer = instructions_of(profile, "add_integers");
  EXPECT_NEAR(integer.executed, 5 * iterations, 8);
  EXPECT_NEAR(integer.integer, 3 * iterations, 4);
  EXPECT_EQ(integer.branches, iterations);
  EXPECT_EQ(integer.vector_loads, 0);
  EXPECT_EQ(instructions_of(profile, "load_numbers").vector_loads, 2 * iterations);
  EXPECT_EQ(instructions_of(profile, "load_numbers").stores, 0);
  const model::Instructions triad = instructions_of(profile_of("triad", 1000, 2), "triad");
  EXPECT_LE(triad.integer + triad.branches, triad.executed);
}

// A core begins anew where a mispredicted call leads to.
TEST(Profile, TheTimeOfMispredictedCallsIsThatOfTheFunctionsThatTheyCall) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 100000;
  const model::Profile profile = profile_of({program("branches"), std::to_string(n)});
  const model::Instructions caller = instructions_of(profile, "call_at_random");
  EXPECT_NEAR(caller.mispredicted_jumps / n, 0.75, 0.01);
  EXPECT_LT(caller.flushes(), 0.01 * n);
  double resolving = 0;
  for (const char* called : {"add_0", "add_1", "add_2", "add_3"}) {
    const model::Instructions entered = instructions_of(profile, called);
    EXPECT_EQ(entered.mispredicted, 0);
    EXPECT_NEAR(entered.flushes() / n, 0.75 / 4, 0.01);
    resolving += entered.resolving_cycles;
  }
  EXPECT_GT(resolving, 0.75 * n);
  EXPECT_LT(caller.resolving_cycles, 0.1 * resolving);
  model::Instructions all;
  for (const model::FunctionWork& work : profile.functions) all += work.instructions;
  EXPECT_EQ(all.mispredicted_entries, all.mispredicted_jumps) << "each leads somewhere";
  EXPECT_EQ(all.flushes(), all.mispredicted);
}

// However Valgrind lays out a loop: it may translate several iterations as one.
TEST(Profile, AnIterationIsAJumpBack) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 100000;
  const model::Profile profile = profile_of({program("branches"), std::to_string(n)});
  for (const char* function : {"add_integers", "load_numbers", "branch_at_random", "branch_in_turns"})
    EXPECT_NEAR(instructions_of(profile, function).iterations, n, 2) << function;
  EXPECT_NEAR(instructions_of(profile, "branch_in_loops").iterations, n, n / 50) << "both loops";
}

TEST(Profile, FunctionsHaveTheirFlopsByKind) {
  SKIP_WITHOUT_VALGRIND();
  int computing = 0;
  for (const model::FunctionWork& work : profile_of("triad", 1000, 2).functions) {
    double sum = 0;
    for (const model::Arithmetic& arithmetic : work.arithmetic) sum += arithmetic.flops;
    EXPECT_EQ(sum, work.flops) << work.function;
    computing += work.flops > 0;
  }
  EXPECT_GT(computing, 0);
}

}  // namespace
}  // namespace gable::points::tests
