// likwid's tables, valid and damaged.

#include <algorithm>

#include "tests/points/importing.hpp"

namespace gable::points {
namespace {

using tests::expect_error;
using tests::with;

constexpr const char* likwid =
    "STRUCT,Info,3,,\n"
    "CPU name:,Intel(R) Xeon(R) Gold 6254 CPU @ 3.10GHz,,,\n"
    "CPU type:,Intel Cascadelake SP processor,,,\n"
    "CPU clock:,3.1 GHz,,,\n"
    "TABLE,Region triad one,Group 1 Raw,FLOPS_DP,5\n"
    "Region Info,HWThread 0,HWThread 1,,\n"
    "RDTSC Runtime [s],1.500000,1.250000,,\n"
    "call count,10,10,,\n"
    "Event,Counter,HWThread 0,HWThread 1,\n"
    "INSTR_RETIRED_ANY,FIXC0,5000,6000,\n"
    "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE,PMC2,1000000,2000000,\n"
    "FP_ARITH_INST_RETIRED_SCALAR_DOUBLE,PMC1,10,20,\n"
    "MEM_INST_RETIRED_ALL_LOADS,PMC0,400,500,\n"
    "MEM_INST_RETIRED_ALL_STORES,PMC3,100,100,\n"
    "TABLE,Region triad one,Group 1 Raw STAT,FLOPS_DP,5\n"
    "Event,Counter,Sum,Min,Max\n"
    "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE STAT,PMC2,3000000,1000000,2000000\n"
    "TABLE,Region triad one,Group 1 Metric,FLOPS_DP,2\n"
    "Metric,HWThread 0,HWThread 1,,\n"
    "Runtime (RDTSC) [s],1.5,1.25,,\n"
    "DP [MFLOP/s],2.6,6.4,,\n"
    "TABLE,Region other,Group 1 Raw,FLOPS_DP,5\n"
    "Region Info,HWThread 0,HWThread 1,,\n"
    "RDTSC Runtime [s],0.1,0.2,,\n"
    "call count,1,1,,\n"
    "Event,Counter,HWThread 0,HWThread 1,\n"
    "FP_ARITH_INST_RETIRED_SCALAR_DOUBLE,PMC1,1,2,\n";

TEST(ImportLikwid, RegionsSumTheirThreadsAndLastAsTheSlowest) {
  const auto regions = import_likwid(likwid, "f.csv");
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].name, "triad one");
  EXPECT_EQ(regions[0].work.flop_count(), 4u * 3000000 + 30);
  EXPECT_FALSE(regions[0].work.load_bytes.has_value());
  EXPECT_EQ(regions[0].loads, 900);
  EXPECT_EQ(regions[0].seconds, 1.5);
  EXPECT_EQ(regions[0].threads, 2);
  EXPECT_EQ(regions[1].work.flop_count(), 3u);
  EXPECT_EQ(import_format(likwid, "f.csv"), "likwid");
}

TEST(ImportLikwid, AnUnmarkedProgramIsOneRegion) {
  const std::string text =
      "STRUCT,Info,3\nTABLE,Group 1 Raw,FLOPS_DP,2\nEvent,Counter,HWThread 4\n"
      "RETIRED_SSE_AVX_FLOPS_ALL,PMC2,12\nTABLE,Group 1 Metric,FLOPS_DP,1\nMetric,HWThread 4\n"
      "Runtime (RDTSC) [s],0.25\n";
  const auto regions = import_likwid(text, "f");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].name, "");
  EXPECT_EQ(regions[0].work.flop_count(), 12u);
  EXPECT_EQ(regions[0].seconds, 0.25);
}

// One group as likwid writes it: with its own runtime.
std::string group_of(int number, const std::string& region, const std::string& seconds,
                     const std::string& events, int calls = 1) {
  const std::string table =
      "TABLE," + (region.empty() ? "" : "Region " + region + ",") + "Group " + std::to_string(number);
  if (region.empty())
    return table + " Raw,G,2\nEvent,Counter,HWThread 0\n" + events + table +
           " Metric,G,1\nMetric,HWThread 0\nRuntime (RDTSC) [s]," + seconds + "\n";
  return table + " Raw,G,2\nRegion Info,HWThread 0\nRDTSC Runtime [s]," + seconds + "\ncall count," +
         std::to_string(calls) + "\nEvent,Counter,HWThread 0\n" + events;
}

double gflop_per_s(const ImportedRegion& region) {
  return static_cast<double>(region.work.flop_count()) / *region.seconds / 1e9;
}

// Groups take turns: 4e9 flops in the 0.4 s of the first, 1.6e9 loads in the 1.6 s of the second.
TEST(ImportLikwid, EachGroupHasItsOwnRuntime) {
  const std::string text =
      group_of(1, "", "0.4", "RETIRED_SSE_AVX_FLOPS_ALL,PMC0,4000000000\n") +
      group_of(2, "", "1.6", "LS_DISPATCH_LOADS,PMC0,1600000000\nLS_DISPATCH_STORES,PMC1,800000000\n");
  const auto regions = import_likwid(text, "f");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_DOUBLE_EQ(*regions[0].seconds, 2);
  EXPECT_DOUBLE_EQ(gflop_per_s(regions[0]), 10);
  EXPECT_DOUBLE_EQ(*regions[0].loads / *regions[0].seconds, 1e9);
  EXPECT_DOUBLE_EQ(*regions[0].stores / *regions[0].seconds, 5e8);
  ASSERT_FALSE(regions[0].notes.empty());
  EXPECT_NE(sentence(regions[0].notes.back()).find("Group 1 (G) 0.4 s, Group 2 (G) 1.6 s"),
            std::string::npos);
}

// A region that was entered 6 times while the first group counted, and 30 times for the second one.
TEST(ImportLikwid, ARegionsGroupsTakeTurnsToo) {
  const std::string text = group_of(1, "sweep", "0.6", "RETIRED_SSE_AVX_FLOPS_ALL,PMC0,6000000000\n", 6) +
                           group_of(2, "sweep", "3", "LS_DISPATCH_LOADS,PMC0,1\n", 30) +
                           group_of(1, "other", "1", "RETIRED_SSE_AVX_FLOPS_ALL,PMC0,5000000000\n");
  const auto regions = import_likwid(text, "f");
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_DOUBLE_EQ(gflop_per_s(regions[0]), 10);
  EXPECT_DOUBLE_EQ(*regions[0].seconds, 3.6);
  EXPECT_DOUBLE_EQ(gflop_per_s(regions[1]), 5);
}

// Two groups split it by precision; an event of both counts in the time of both.
TEST(ImportLikwid, FlopsOfSeveralGroupsAddUp) {
  const std::string both = "FP_ARITH_INST_RETIRED_SCALAR_DOUBLE,PMC0,",
                    single =
                        "FP_ARITH_INST_RETIRED_SCALAR_SINGLE,"
                        "PMC1,3000000000\n";
  const auto regions = import_likwid(
      group_of(1, "", "1", both + "1000000000\n") + group_of(2, "", "3", both + "3000000000\n" + single),
      "f");
  EXPECT_DOUBLE_EQ(gflop_per_s(regions.at(0)), 2);
}

TEST(ImportLikwid, GroupsThatCannotBeComparedAreRefused) {
  const std::string flops = "RETIRED_SSE_AVX_FLOPS_ALL,PMC0,5\n", loads = "LS_DISPATCH_LOADS,PMC0,1\n";
  expect_error([&] { import_likwid(group_of(1, "", "1", flops) + group_of(1, "", "1", flops), "f.csv"); },
               "f.csv:7: a second table of Group 1 Raw");
  expect_error([&] { import_likwid(group_of(1, "", "1", loads) + group_of(2, "", "0", flops), "f"); },
               "RETIRED_SSE_AVX_FLOPS_ALL was counted for 0 s");
  const std::string timeless = "TABLE,Group 2 Raw,G,1\nEvent,Counter,HWThread 0\n" + loads;
  expect_error([&] { import_likwid(group_of(1, "", "1", flops) + timeless, "f"); },
               "not every one has its runtime");
}

// likwid writes '-' where a hardware thread has no such counter, as those of the memory on most.
TEST(ImportLikwid, RowsThatAreNotUsedMayHoldAnything) {
  const auto regions = import_likwid(
      with(likwid, "INSTR_RETIRED_ANY,FIXC0,5000,6000,", "CAS_COUNT_RD,MBOX0C0,5000,-,\nTEMP,X,nan,\n"), "f");
  EXPECT_EQ(regions.at(0).work.flop_count(), 4u * 3000000 + 30);
  expect_error([&] { import_likwid(with(likwid, "PMC1,10,20", "PMC1,10,-"), "f.csv"); },
               "f.csv:12: column 4: '-' of FP_ARITH_INST_RETIRED_SCALAR_DOUBLE");
}

TEST(ImportLikwid, SemicolonsAndTabsSeparateToo) {
  for (const char separator : {';', '\t'}) {
    std::string text = likwid;
    std::ranges::replace(text, ',', separator);
    EXPECT_EQ(import_format(text, "f"), "likwid");
    EXPECT_EQ(import_likwid(text, "f").at(0).work.flop_count(), 4u * 3000000 + 30);
  }
  std::string commas = likwid;
  std::ranges::replace(commas, ',', ';');
  expect_error([&] { import_likwid(with(commas, "1.500000", "1,500000"), "f"); }, "LC_ALL=C");
}

TEST(ImportLikwid, ErrorsNameLineAndColumn) {
  const auto import = [](const std::string& text) { return [text] { import_likwid(text, "f.csv"); }; };
  expect_error(import(with(likwid, "PMC2,1000000,2000000", "PMC2,1000000")), "f.csv:11: column 4");
  expect_error(import(with(likwid, "PMC1,10,20", "PMC1,10,nan")), "f.csv:12: column 4: 'nan'");
  expect_error(import(with(likwid, "Event,Counter,HWThread 0,HWThread 1,", "Event,Counter,,,")),
               "f.csv:9: no column");
  expect_error(import(with(likwid, "TABLE,Region triad one,Group 1 Raw,", "TABLE,what,")),
               "f.csv:5: column 2");
  expect_error(import("TABLE,Group 1 Raw,X,1\nFP,PMC0,1\n"), "f.csv:2: 'FP' comes before");
  expect_error(import("hello\n"), "no table");
  expect_error(import("TABLE,Group 1 Raw,X,1\nEvent,\"Counter,HWThread 0\nFP,PMC0,1\n"), "f.csv:2: a quote");
}

}  // namespace
}  // namespace gable::points
