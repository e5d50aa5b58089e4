// Lines without an order that are fetched for stores, compared with a core that is simulated store by store.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "model/points/needs/stalls/window.hpp"
#include "model/roofs/window.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

constexpr double every_load = 1e9;  // a core with room for so many instructions waits for no load

// A function with so many stores, of which every one of `apart` is to a line that memory has to send.
FunctionWork scatter(double stores, double apart) {
  FunctionWork work;
  work.function = "scatter";
  work.levels = {bytes("memory", 64 * stores / apart, 0, 64 * stores / apart)};
  work.levels.back().irregular_stored = work.levels.back().irregular;
  work.instructions.executed = 10 * stores;
  work.instructions.stores = stores;
  return work;
}

Point point_with(const FunctionWork& work) {
  Point point = program(0, 1e9, 0, 1, work.levels);
  point.instructions = work.instructions;
  point.functions = {work};
  return point;
}

// The latencies that so many stores take: each asks for its line when it enters, as soon as there is room,
// and leaves when it has come and all before it have left.
double simulated_stores(std::size_t stores, std::size_t apart, std::size_t room) {
  std::vector<double> left;
  for (std::size_t i = 0; i < stores; ++i) {
    const double entered = i < room ? 0 : left[i - room];
    const double comes = entered + (i % apart == 0 ? 1 : 0);
    left.push_back(std::max(comes, left.empty() ? 0 : left.back()));
  }
  return left.back();
}

TEST(StoreWindow, ALoopWaitsAsASimulatedCoreDoes) {
  constexpr std::size_t stores = 100000;
  for (const std::size_t room : {42U, 72U, 112U}) {
    for (const std::size_t apart : {1U, 2U, 8U, 16U, 40U, 200U}) {
      const Point loop = point_with(scatter(stores, static_cast<double>(apart)));
      const double waited = lines_waited_for(loop, 0, every_load, static_cast<double>(room));
      const double simulated = simulated_stores(stores, apart, room);
      const double lines = static_cast<double>(stores) / static_cast<double>(apart);
      EXPECT_LE(simulated, 1.02 * waited + 1) << room << " " << apart;
      EXPECT_GE(simulated, 0.98 * waited / (1 + waited / lines)) << room << " " << apart;
    }
  }
}

TEST(StoreWindow, WaitingForLoadsAndStoresOverlaps) {
  FunctionWork both = scatter(16e6, 16);
  both.levels.back() += bytes("memory", 64e6, 0, 64e6);
  EXPECT_NEAR(lines_waited_for(point_with(both), 0, 200, 80), 160e6 / 200, 1) << "more for its loads";
  EXPECT_NEAR(lines_waited_for(point_with(both), 0, 1600, 80), 16e6 / 80, 1) << "more for its stores";
  EXPECT_NEAR(lines_waited_for(point_with(both), 0, 1600), 160e6 / 1600, 1)
      << "it has always room for stores";
  both.instructions.stores = 0;
  EXPECT_NEAR(lines_waited_for(point_with(both), 0, 1600, 80), 160e6 / 1600, 1) << "they were not counted";
}

// What waits for the memory does not wait for the cache too.
TEST(StoreWindow, LinesOfACacheAreUnderWayWithThoseOfTheMemory) {
  FunctionWork work = scatter(16e6, 64);
  work.levels.insert(work.levels.begin(), scatter(16e6, 16).levels.front());
  work.levels.front().level = Level("L3");
  EXPECT_NEAR(lines_waited_for(point_with(work), 1, every_load, 80), 16e6 / 80, 1);
  EXPECT_NEAR(lines_waited_for(point_with(work), 0, every_load, 80), 0, 1);
}

// The figure of the kernel on a core with this window, whose latency is 100 ns.
Roofs with_store_window(std::size_t room, double error) {
  constexpr std::size_t stores = 160000, apart = 16;
  Roofs roofs = with_chases();
  add_window(roofs, operations::store_apart, stores / (100 * simulated_stores(stores, apart, room)), error);
  return roofs;
}

TEST(StoreWindow, IsFoundFromALoopOnASimulatedCore) {
  for (const std::size_t room : {42U, 56U, 64U, 72U, 104U, 112U}) {
    const Roofs roofs = with_store_window(room, 0.1);
    const auto found = store_window(roofs.roofs, 0);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->value, static_cast<double>(room), 9) << "half an iteration";
    EXPECT_EQ(found->unit, "stores");
    EXPECT_FALSE(instruction_window(roofs.roofs, 0)) << "that is of another loop";
    EXPECT_TRUE(store_window_of(roofs, 0).is_measured);
  }
  EXPECT_FALSE(store_window_of(with_chases(), 0).is_measured);
}

// A program that writes to many places in turns: a line in 16 stores, with room for 64.
TEST(StoreWindow, StoresToManyPlacesBindAProgram) {
  Roofs roofs = with_store_window(72, 0.02);
  add_random_loads(roofs, 700, 700);
  Point work = point_with(scatter(7 * 16 * 10e6, 16));
  work.huge_pages_percent = 100;
  work.seconds = work.seconds_lo = work.seconds_hi = 10e6 * 16 / 64 * 100e-9;
  const Need need = need_of(needs_of(roofs, work, 0, {}), Limit::Kind::irregular);
  EXPECT_NEAR(need.share, 1, 0.12);
  EXPECT_TRUE(need.room == Need::Room::stores && !need.is_range);
  EXPECT_EQ(read_point(roofs, work).verdict.advice,
            "store to fewer places in turns: partition in several passes, or collect the lines in a buffer");
  Roofs without = with_chases();
  add_random_loads(without, 700, 700);
  EXPECT_TRUE(need_of(needs_of(without, work, 0, {}), Limit::Kind::irregular).is_range) << "not measured";
  work.functions.front().instructions.stores = work.instructions.stores = 0;
  EXPECT_LT(need_of(needs_of(roofs, work, 0, {}), Limit::Kind::irregular).hi, 0.5) << "as random loads";
}

}  // namespace
}  // namespace gable::model
