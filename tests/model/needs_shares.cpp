// Shares of the time: they are those of the bytes, of each function by itself, and leave the headroom.

#include <gtest/gtest.h>

#include <cmath>

#include "model/json/points.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

TEST(Needs, MoreThanTheTimeIsAContradiction) {
  const Point point = program(1e9, 80e9, 0, 1, {bytes("memory", 1.3 * 36.1e9)});
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "");
  EXPECT_TRUE(says(reading, "not from the same machine")) << reading.verdict.text();
}

// A need is time: twice the bytes need twice as much, and a cluster's even share of all clusters as much.
TEST(Needs, SharesAreProportionalToTheBytes) {
  const std::vector<LevelBytes> levels = {bytes("L2", 9e9, 3e9), bytes("L3", 5e9, 1e9),
                                          bytes("memory", 4e9, 1e9)};
  const Point one = program(1e9, 20e9, 4e9, 1, levels);
  Point two = one;
  two.flops *= 2;
  two.load_bytes *= 2;
  two.store_bytes *= 2;
  for (LevelBytes& level : two.levels) {
    level.read *= 2;
    level.written *= 2;
  }
  const auto once = needs_of(joe0::roofs(), one, 0, {}), twice = needs_of(joe0::roofs(), two, 0, {});
  ASSERT_EQ(once.size(), twice.size());
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(2 * once[i].share, twice[i].share, 1e-12);
}

// The largest need is what the headroom leaves: the Point cannot be faster than it.
TEST(Needs, TheHeadroomIsThatOfTheLargestNeed) {
  const Point point = program(1e9, 80e9, 0, 1, {bytes("L3", 0.6 * 154e9), bytes("memory", 0.5 * 36.1e9)});
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_NEAR(reading.headroom_percent, 100 / 0.6 - 100, 1e-9);
  EXPECT_TRUE(says(reading, "L3 takes most")) << reading.verdict.text();
}

// One function streams, the other computes on what a cache holds.
TEST(Needs, EachFunctionHasWhatItNeedsMost) {
  Point point = program(40e9, 100e9, 0, 1, {bytes("L3", 25e9), bytes("memory", 20e9)});
  point.fma_flops_percent = 100;
  point.functions = {{"compute", "app", 39e9, 80e9, 0, {bytes("L3", 4e9), bytes("memory", 1e6)}},
                     {"stream", "app", 1e9, 20e9, 0, {bytes("L3", 21e9), bytes("memory", 20e9)}},
                     {"other", "libc.so.6", 0, 0.01e9, 0, {bytes("memory", 0.01e9)}}};
  const std::vector<FunctionReading> functions = read_point(joe0::roofs(), point).functions;
  ASSERT_EQ(functions.size(), 2);  // the third does next to nothing
  EXPECT_EQ(functions[0].function, 1);
  EXPECT_EQ(functions[0].what, "local memory");
  EXPECT_NEAR(functions[0].share, 20 / 36.1, 1e-9);
  EXPECT_EQ(functions[1].function, 0);
  EXPECT_EQ(functions[1].what, "arithmetic");
  EXPECT_NEAR(functions[1].share, 39e9 / (1.99 * 2 * 4 * 7 * 1.7e9), 1e-9);
  EXPECT_EQ(points_from_json(points_to_json({point}, {Reading{}}), "p"), std::vector{point});
}

TEST(Needs, AllBytesOfALevelAreAddedAndScaled) {
  LevelBytes half = bytes("memory", 8, 4, 2, 1);
  half.streamed = 3;
  const LevelBytes whole = half;
  half *= 0.5;
  half += LevelBytes(half);
  EXPECT_EQ(half, whole);
  half *= 0;
  EXPECT_EQ(half, bytes("memory", 0));
}

TEST(Needs, LevelsAreWrittenAndRead) {
  Point point = program(1e9, 20e9, 4e9, 1, {bytes("L2", 9e9, 3e9, 1e9, 2e9), bytes("memory", 4e9, 1e9)});
  EXPECT_EQ(points_from_json(points_to_json({point}, {Reading{}}), "p"), std::vector{point});
  const auto wrong = [&](std::vector<LevelBytes> levels) {
    point.levels = std::move(levels);
    return contradiction(point);
  };
  EXPECT_NE(wrong({bytes("L1", 1)}), "");
  EXPECT_NE(wrong({bytes("memory", 1), bytes("L2", 1)}), "");
  EXPECT_NE(wrong({bytes("L2", 1), bytes("L2", 1)}), "");
  EXPECT_NE(wrong({bytes("L2", -1)}), "");
  EXPECT_NE(wrong({bytes("L2", NAN)}), "");
  EXPECT_NE(wrong({bytes("L2", 1, 0, 1, 1)}), "");
  EXPECT_EQ(wrong({bytes("L2", 1), bytes("memory", 1)}), "");
}

}  // namespace
}  // namespace gable::model
