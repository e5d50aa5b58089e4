// Events under the names of three tools, with literal counts.

#include "points/counters/events.hpp"

#include <gtest/gtest.h>

namespace gable::points {
namespace {

std::uint64_t flop_count(const EventSums& sums) {
  Work work;
  work.flops = sums.flops;
  return work.flop_count();
}

TEST(Events, OneNameForWhatEveryToolWrites) {
  const std::string name = "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE";
  EXPECT_EQ(event_name("fp_arith_inst_retired.256b_packed_double"), name);
  EXPECT_EQ(event_name("fp_arith_inst_retired.256b_packed_double:u"), name);
  EXPECT_EQ(event_name("cpu/fp_arith_inst_retired.256b_packed_double/ukP"), name);
  EXPECT_EQ(event_name("FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE"), name);
  EXPECT_EQ(event_name("FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE"), name);
  EXPECT_EQ(event_name(""), "");
}

// 1000 vector FMAs of AVX2 doubles: the counter shows 2000, with four lanes each: 8000 flops.
TEST(Events, IntelCountsInstructionsTimesLanes) {
  const EventSums sums = sums_of({{"FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE", 2000},
                                  {"FP_ARITH_INST_RETIRED_SCALAR_SINGLE", 7},
                                  {"FP_ARITH_INST_RETIRED_512B_PACKED_SINGLE", 10},
                                  {"FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE", 3}});
  EXPECT_EQ(flop_count(sums), 8000u + 7 + 160 + 6);
  ASSERT_EQ(sums.flops.size(), 4u);
  EXPECT_EQ(sums.flops[0], (Flops{Flops::Operation::any, Flops::Precision::sp, 0, 7}));
  EXPECT_EQ(
      sums.missing,
      "FP_ARITH_INST_RETIRED of SCALAR_DOUBLE, 128B_PACKED_SINGLE, 256B_PACKED_SINGLE, 512B_PACKED_DOUBLE");
}

TEST(Events, EveryWidthCountedMissesNone) {
  std::map<std::string, double> counts;
  double expected = 0;
  for (const auto& [width, sp, dp] : {std::tuple("SCALAR_", 1, 1),
                                      {"128B_PACKED_", 4, 2},
                                      {"256B_PACKED_", 8, 4},
                                      {"512B_PACKED_", 16, 8}}) {
    counts[std::string("FP_ARITH_INST_RETIRED_") + width + "SINGLE"] = 100;
    counts[std::string("FP_ARITH_INST_RETIRED_") + width + "DOUBLE"] = 10;
    expected += 100.0 * sp + 10.0 * dp;
  }
  const EventSums sums = sums_of(counts);
  EXPECT_EQ(sums.missing, "");
  EXPECT_EQ(static_cast<double>(flop_count(sums)), expected);
}

TEST(Events, AmdCountsOperationsAndNoneTwice) {
  EXPECT_EQ(
      flop_count(sums_of({{"FP_RET_SSE_AVX_OPS_MAC_FLOPS", 800}, {"FP_RET_SSE_AVX_OPS_ADD_SUB_FLOPS", 20}})),
      820u);
  EXPECT_EQ(flop_count(sums_of({{"FP_RET_SSE_AVX_OPS_MAC_FLOPS", 800}, {"FP_RET_SSE_AVX_OPS_ALL", 820}})),
            820u);
  EXPECT_EQ(flop_count(sums_of({{"RETIRED_SSE_AVX_FLOPS_ALL", 5}})), 5u);
  const EventSums zen = sums_of({{"FP_RET_SSE_AVX_OPS_DP_MULT_ADD_FLOPS", 4}});
  EXPECT_EQ(zen.flops.at(0).precision, Flops::Precision::dp);
  EXPECT_EQ(zen.missing, "");
}

// An FMA of a whole 512-bit vector of doubles: 16 operations, counted as 4 per 128 bits.
TEST(Events, ScalableVectorsOfArmCountByTheirLength) {
  const EventSums sums =
      sums_of({{"FP_SCALE_OPS_SPEC", 400}, {"FP_FIXED_OPS_SPEC", 7}, {"LD_SPEC", 30}, {"ST_SPEC", 4}}, 512);
  EXPECT_EQ(flop_count(sums), 1607u);
  EXPECT_EQ(sums.missing, "");
  EXPECT_EQ(sums.loads, 30);
  EXPECT_EQ(sums.stores, 4);
  const EventSums parts = sums_of({{"FP_DP_SCALE_OPS_SPEC", 400},
                                   {"FP_DP_FIXED_OPS_SPEC", 1},
                                   {"FP_SP_SCALE_OPS_SPEC", 8},
                                   {"FP_SP_FIXED_OPS_SPEC", 0}},
                                  128);
  EXPECT_EQ(flop_count(parts), 409u);
  EXPECT_EQ(parts.missing, "");
}

TEST(Events, ArmWithoutALengthOrAnEventIsNamed) {
  const EventSums unknown = sums_of({{"FP_SCALE_OPS_SPEC", 400}, {"FP_FIXED_OPS_SPEC", 7}}, 0);
  EXPECT_EQ(flop_count(unknown), 7u);
  EXPECT_NE(unknown.missing.find("FP_SCALE_OPS_SPEC (it counts per 128 bits"), std::string::npos)
      << unknown.missing;
  EXPECT_EQ(sums_of({{"FP_SCALE_OPS_SPEC", 0}, {"FP_FIXED_OPS_SPEC", 7}}, 0).missing, "");
  EXPECT_EQ(sums_of({{"FP_FIXED_OPS_SPEC", 7}}, 512).missing, "FP_SCALE_OPS_SPEC");
}

TEST(Events, LoadsAreNotBytes) {
  const EventSums sums =
      sums_of({{"MEM_INST_RETIRED_ALL_LOADS", 30}, {"MEM_UOPS_RETIRED_STORES_ALL", 4}, {"CYCLES", 9}});
  EXPECT_EQ(sums.loads, 30);
  EXPECT_EQ(sums.stores, 4);
  EXPECT_TRUE(sums.flops.empty());
  EXPECT_EQ(sums.unknown, std::vector<std::string>{"CYCLES"});
  EXPECT_FALSE(sums_of({}).loads.has_value());
}

}  // namespace
}  // namespace gable::points
