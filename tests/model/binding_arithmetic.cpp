// The binding roof of points that arithmetic may bind: peaks, precisions and operations.

#include "model/points/binding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "tests/model/ddot.hpp"
#include "tests/model/joe0.hpp"

namespace gable::model {
namespace {

TEST(Binding, ArithmeticBindsDgemmWhereverItsDataLies) {
  for (const int node : {0, 1, 3}) {
    Point dgemm = on_node(1, node, true);
    dgemm.flops = 0.93e9 * 1.99 * 2 * 4 * 7 * 1.7;
    dgemm.load_bytes = dgemm.flops / 2;  // well above any memory
    const Reading reading = read_point(joe0::roofs(), dgemm);
    EXPECT_EQ(reading.roof, "FMA DP");
    EXPECT_NEAR(reading.headroom_percent, 100 / 0.93 - 100, 1e-9);
    EXPECT_TRUE(says(reading, "arithmetic binds it")) << reading.verdict.text();
  }
}

// Random loads, divisions, roots and scalar operations are figures that no program is compared with by
// itself.
TEST(Binding, FiguresOfTheirOwnChangeNoReading) {
  Roofs more = joe0::roofs();
  for (const char* op : {"div", "sqrt", "add_scalar", "fma_scalar"})
    more.roofs.push_back(joe0::peak(0, op, 12));
  Roof random = joe0::bandwidth(0, "memory", "local", 0, 300);
  random.spec.kind = Kind::random;
  random.spec.op = operations::random;
  random.unit = "M/s";
  more.roofs.push_back(random);
  for (const double flops : {1e9, 11.9e9, 150e9}) {
    for (const double gb_per_s : {1.0, 30.0, 290.0}) {
      Point point = on_node(gb_per_s, 0, true);
      point.flops = flops;
      const Reading before = read_point(joe0::roofs(), point), after = read_point(more, point);
      EXPECT_EQ(before.roof, after.roof);
      EXPECT_EQ(before.verdict.text(), after.verdict.text());
    }
  }
}

TEST(Binding, UnknownPrecisionIsTakenForDoubles) {
  Roofs roofs = joe0::roofs();
  roofs.roofs.push_back(joe0::peak(0, "add", 100));
  roofs.roofs.back().spec.precision = Precision::sp;
  roofs.roofs.push_back(joe0::peak(0, "fma", 380));
  roofs.roofs.back().spec.precision = Precision::sp;
  Point point = on_node(1, 0, true);
  point.precision = Precision::none;
  point.flops = 99e9;
  EXPECT_EQ(read_point(roofs, point).roof, "FMA DP");
  point.flops = 300e9;
  EXPECT_EQ(read_point(roofs, point).roof, "FMA SP");
  point.precision = Precision::sp;
  point.flops = 99e9;
  EXPECT_EQ(read_point(roofs, point).roof, "ADD SP");
}

// Right of the ridge point a memory's roof is above the peak and does not bind.
TEST(Binding, AboveThePeakThereIsNoRoofThoughAMemoryWouldGiveMore) {
  Point point = on_node(1, 0, true);  // far below the memory's 36.1 GB/s
  point.flops = 200 * (point.load_bytes + point.store_bytes);
  const Reading above = read_point(joe0::roofs(), point);
  EXPECT_NEAR(above.gflop_per_s, 200, 1e-9);  // of 189.4
  EXPECT_EQ(above.roof, "");
  EXPECT_TRUE(says(above, "the highest peak")) << above.verdict.text();
  point.flops *= 0.9;
  EXPECT_EQ(read_point(joe0::roofs(), point).limit.kind, Limit::Kind::flops);
}

TEST(Binding, WithoutFlopsOrWithoutBytes) {
  Point integers = on_node(0.9 * 36.1, 0, true);
  integers.flops = 0;
  EXPECT_EQ(read_point(joe0::roofs(), integers).roof, "DRAM node 0, local (load)");
  Point registers = ddot(0);
  registers.flops = 40e9;
  const Reading reading = read_point(joe0::roofs(), registers);
  EXPECT_EQ(reading.roof, "ADD DP");
  EXPECT_TRUE(std::isinf(reading.flop_per_byte));
}

TEST(Binding, TheOperationNearestToTheMixIsTheRoof) {
  Roofs roofs = joe0::roofs();
  for (const auto& [op, value] : {std::pair("store", 15.0), {"mix2_1", 25.0}, {"store_nt", 20.0}}) {
    roofs.roofs.push_back(joe0::bandwidth(0, "memory", "local", 0, value));
    roofs.roofs.back().spec.op = Operation(op);
  }
  Point point = on_node(24, 0, true);
  point.store_bytes = 8e9;
  point.load_bytes = 16e9;
  EXPECT_EQ(read_point(roofs, point).roof, "DRAM node 0, local (mix2_1)");
  point.store_bytes = 19e9;
  point.load_bytes = 0;
  EXPECT_EQ(read_point(roofs, point).roof, "DRAM node 0, local (store_nt)");  // the better of two stores
}

TEST(Binding, ThePeakIsThatOfTheOperations) {
  Point point = on_node(1, 0, true);
  point.flops = 0.93 * 94.7e9;  // of the 94.7 of multiplications; FMA: 189.4
  Reading reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "MUL DP");
  EXPECT_TRUE(says(reading, " % of the FMA DP peak")) << reading.verdict.text();
  point.fma_flops_percent = 99;
  reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "FMA DP");
  EXPECT_NEAR(reading.reached_percent, 46.5, 0.1);
  EXPECT_FALSE(says(reading, "the peak of additions")) << reading.verdict.text();
  point.fma_flops_percent = 0;
  reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "MUL DP");
  EXPECT_FALSE(says(reading, "the peak of additions")) << reading.verdict.text();
}

// The peaks of other operations may be lower or higher.
TEST(Binding, APointOfOneOperationHasThePeakOfThat) {
  Roofs roofs = joe0::roofs();
  roofs.roofs.push_back(joe0::peak(0, "add", 100));
  Point point = on_node(1, 0, true);
  for (const auto& [operation, gflop, roof] : {std::tuple{"add", 94.0, "ADD DP"},
                                               {"mul", 94.0, "MUL DP"},
                                               {"add", 99.0, "ADD DP"},
                                               {"mul", 99.0, ""},
                                               {"add", 120.0, ""},
                                               {"", 120.0, "FMA DP"}}) {
    point.operation = Operation(operation);
    point.fma_flops_percent = 0;
    point.flops = gflop * 1e9;
    EXPECT_EQ(read_point(roofs, point).roof, roof) << operation << " " << gflop;
  }
  std::erase_if(roofs.roofs, [](const Roof& roof) { return roof.spec.op == operations::add; });
  point.operation = operations::add;
  EXPECT_EQ(read_point(roofs, point).roof, "FMA DP") << "its own is not known";
}

TEST(Binding, APeakThatIsNotKnownIsSaid) {
  Point point = on_node(0.05, 0, true);
  point.precision = Precision::sp;
  point.flops = 300e9;
  EXPECT_TRUE(says(read_point(joe0::roofs(), point), "No SP peak of cluster 0 is known"));
  point.flops = 0;
  EXPECT_FALSE(says(read_point(joe0::roofs(), point), "peak of cluster 0 is known"));
}

}  // namespace
}  // namespace gable::model
