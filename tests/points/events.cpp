// Events under the names of three tools, with literal counts.

#include "points/counters/events.hpp"

#include <gtest/gtest.h>

#include "points/counters/flop_events.hpp"

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
  EXPECT_EQ(zen.missing, "FP_RET_SSE_AVX_OPS of ADD_SUB_FLOPS, MULT_FLOPS, DIV_FLOPS, SP_MULT_ADD_FLOPS");
}

TEST(Events, NamesOfUnitsAndModifiers) {
  EXPECT_EQ(event_modifiers("cycles:ukP"), "ukP");
  EXPECT_EQ(event_modifiers("cpu_core/cycles/u"), "u");
  EXPECT_EQ(event_modifiers("cpu/event=0xc7,umask=0x1/:k"), "k");
  EXPECT_EQ(event_modifiers("FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"), "");
  EXPECT_EQ(event_modifiers("cycles"), "");
  EXPECT_EQ(event_unit("cpu_atom/cycles/u"), "cpu_atom");
  EXPECT_EQ(event_unit("cpu/cycles/"), "");
  EXPECT_EQ(event_unit("cycles:u"), "");
  EXPECT_EQ(event_name("fp_flops_retired.all:uI"), "FP_FLOPS_RETIRED_ALL");
}

// SCALAR, 4_FLOPS and 8_FLOPS select vectors of as many elements; with the widths left over they are all
// flops.
TEST(Events, IntelsEventsOfSeveralWidthsCountByTheirElements) {
  const EventSums sums = sums_of({{"FP_ARITH_INST_RETIRED_SCALAR", 5},
                                  {"FP_ARITH_INST_RETIRED_4_FLOPS", 100},
                                  {"FP_ARITH_INST_RETIRED_8_FLOPS", 10},
                                  {"FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE", 3},
                                  {"FP_ARITH_INST_RETIRED_512B_PACKED_SINGLE", 2}});
  EXPECT_EQ(flop_count(sums), 5u + 400 + 80 + 6 + 32);
  EXPECT_EQ(sums.missing, "");
  EXPECT_TRUE(sums.untold.empty());
  EXPECT_EQ(flop_count(sums_of({{"FP_ARITH_OPS_RETIRED_4_FLOPS", 7}})), 28u) << "Lunar Lake's name";
}

TEST(Events, WhatTwoEventsSelectCountsOnce) {
  EXPECT_EQ(flop_count(sums_of(
                {{"FP_ARITH_INST_RETIRED_4_FLOPS", 100}, {"FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE", 60}})),
            400u);
  const EventSums both = sums_of({{"FP_ARITH_INST_RETIRED_SCALAR", 9},
                                  {"FP_ARITH_INST_RETIRED_SCALAR_SINGLE", 2},
                                  {"FP_ARITH_INST_RETIRED_SCALAR_DOUBLE", 7}});
  EXPECT_EQ(flop_count(both), 9u);
  EXPECT_EQ(both.flops.size(), 2u) << "those that tell the precision";
  // AMD by kind and by type: the kinds are complete.
  EXPECT_EQ(flop_count(sums_of({{"FP_RET_SSE_AVX_OPS_MAC_FLOPS", 80},
                                {"FP_RET_SSE_AVX_OPS_ADD_SUB_FLOPS", 20},
                                {"FP_RET_SSE_AVX_OPS_MULT_FLOPS", 4},
                                {"FP_RET_SSE_AVX_OPS_DIV_FLOPS", 1},
                                {"FP_RET_SSE_AVX_OPS_SCALAR_DOUBLE_FLOPS", 50}})),
            105u);
  EXPECT_EQ(flop_count(sums_of(
                {{"FP_FLOPS_RETIRED_ALL", 30}, {"FP_FLOPS_RETIRED_FP64", 20}, {"FP_FLOPS_RETIRED_DP", 20}})),
            30u);
}

TEST(Events, TheFewestAreLeftOutOfACover) {
  EXPECT_EQ(best_cover({}), std::vector<std::size_t>{});
  EXPECT_EQ(best_cover({0b0110, 0b0011, 0b1100}), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(best_cover({0b1111, 0b0011, 0b1100}), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(best_cover({0b1111, 0b0011}), std::vector<std::size_t>{0});
}

// Counts of instructions of unknown width, and codes, which differ between processors.
TEST(Events, CountsThatTellNoFlopsAreNamed) {
  for (const std::string name :
       {"FP_ARITH_INST_RETIRED_VECTOR", "FP_ARITH_INST_RETIRED_DOUBLE", "FP_OPS_RETIRED_BY_TYPE_VECTOR_ALL",
        "FP_OPS_RETIRED_BY_WIDTH_PACK_256_UOPS_RETIRED", "FP_INST_RETIRED_256B_DP", "VFP_SPEC",
        "EVENT_0XC7_UMASK_0X1", "R01C7", "MY_FLOPS", "SIMD_FP_256_PACKED_DOUBLE"}) {
    EXPECT_EQ(sums_of({{name, 5}}).untold, std::vector<std::string>{name});
    EXPECT_TRUE(sums_of({{name, 0}}).untold.empty()) << name;
    EXPECT_FALSE(untold_reason(name).empty());
  }
  for (const std::string name :
       {"FP_ASSIST_ANY", "FP_ARITH_DISPATCHED_PORT_0", "ASSISTS_SSE_AVX_MIX", "SSE_AVX_OPS_RETIRED_ALL",
        "FP_DISP_FAULTS_ALL", "CYCLES", "RESOURCE_STALLS_ANY", "MEM_INST_RETIRED_ALL_LOADS"})
    EXPECT_TRUE(sums_of({{name, 5}}).untold.empty()) << name;
}

TEST(Events, BesideAllFlopsTheyDoNotMatter) {
  const EventSums amd = sums_of({{"FP_RET_SSE_AVX_OPS_ALL", 8}, {"FP_OPS_RETIRED_BY_TYPE_VECTOR_ALL", 2}});
  EXPECT_TRUE(amd.untold.empty());
  EXPECT_EQ(amd.missing, "");
  const EventSums half = sums_of({{"FP_RET_SSE_AVX_OPS_ALL", 8}, {"FP_RET_X87_FP_OPS_ALL", 2}});
  EXPECT_EQ(half.missing, "those of FP_RET_X87_FP_OPS_ALL");
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
  EXPECT_EQ(unknown.untold, std::vector<std::string>{"FP_SCALE_OPS_SPEC"});
  EXPECT_NE(untold_reason("FP_SCALE_OPS_SPEC").find("it counts per 128 bits"), std::string::npos);
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
