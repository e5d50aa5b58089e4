// Output of other tools in their documented formats, valid and damaged.

#include "points/import/import.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace gable::points {
namespace {

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

constexpr const char* perf =
    "# started on Mon Jan  1 00:00:00 2024\n\n"
    "{\"counter-value\" : \"4000000.000000\", \"unit\" : \"\", \"event\" : "
    "\"fp_arith_inst_retired.256b_packed_double:u\", "
    "\"event-runtime\" : 1000, \"pcnt-running\" : 100.00}\n"
    "{\"counter-value\" : \"300.000000\", \"unit\" : \"\", \"event\" : \"mem_inst_retired.all_loads\", "
    "\"event-runtime\" : 1000, "
    "\"pcnt-running\" : 66.70}\n"
    "{\"metric-value\" : 4.0, \"metric-unit\" : \"CPUs utilized\"}\n"
    "{\"counter-value\" : \"2500000000.000000\", \"unit\" : \"ns\", \"event\" : \"duration_time\", "
    "\"event-runtime\" : 1, "
    "\"pcnt-running\" : 100.00}\n";

constexpr const char* advisor =
    "ID,Function Call Sites and Loops,Self Elapsed Time,Self GFLOP,Self Loaded GB,Self Stored GB,Thread "
    "Count\n"
    "1,\"[loop in triad at triad.c:10, \"\"hot\"\"]\",0.50s,2,24,8,4\n"
    "2,[loop in main at main.c:3],0.1s,,,,1\n"
    "3,f,1.5s,0.25,1 000.5,0,1\n";

void expect_error(const std::function<void()>& import, const std::string& words) {
  try {
    import();
    ADD_FAILURE() << "imported, without: " << words;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

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

TEST(ImportPerf, AddsUpWhatItKnows) {
  const auto regions = import_perf(perf, "f.json");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].work.flop_count(), 16000000u);
  EXPECT_EQ(regions[0].seconds, 2.5);
  EXPECT_EQ(regions[0].loads, 300);
  EXPECT_FALSE(regions[0].stores.has_value());
  ASSERT_EQ(regions[0].notes.size(), 2u);
  EXPECT_NE(regions[0].notes[1].find("67 % of the time"), std::string::npos) << regions[0].notes[1];
  EXPECT_EQ(import_format(perf, "f.json"), "perf");
}

TEST(ImportPerf, ErrorsNameLineAndEvent) {
  const auto import = [](const std::string& text) { return [text] { import_perf(text, "f.json"); }; };
  expect_error(
      import(
          "{\"counter-value\" : \"<not supported>\", \"event\" : \"fp_arith_inst_retired.scalar_double\"}\n"
          "{\"counter-value\" : \"1\", \"event\" : \"duration_time\"}\n"),
      "did not count fp_arith_inst_retired.scalar_double");
  expect_error(import(with(perf, "\"4000000.000000\"", "\"4,0\"")),
               "f.json:3: \"counter-value\" of fp_arith");
  expect_error(import(with(perf, "\"counter-value\" : \"300.000000\", ", "")),
               "f.json:4: mem_inst_retired.all_loads has no");
  expect_error(import(with(perf, "{\"metric", "oops {\"metric")), "f.json:5: not a line");
  expect_error(import("{\"interval\" : 1.0, \"counter-value\" : \"1\", \"event\" : \"x\"}\n"),
               "f.json:1: written with perf stat -I");
  expect_error(import(""), "no counter");
}

TEST(ImportAdvisor, RowsWithFlopsAndTime) {
  const auto regions = import_advisor(advisor, "f.csv");
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].name, "[loop in triad at triad.c:10, \"hot\"]");
  EXPECT_EQ(regions[0].work.flop_count(), 2000000000u);
  EXPECT_EQ(regions[0].work.load_bytes, 24000000000u);
  EXPECT_EQ(regions[0].work.store_bytes, 8000000000u);
  EXPECT_EQ(regions[0].seconds, 0.5);
  EXPECT_EQ(regions[0].threads, 4);
  EXPECT_EQ(regions[1].work.load_bytes, 1000500000000u);
  EXPECT_EQ(import_format(advisor, "f.csv"), "advisor");
}

TEST(ImportAdvisor, ThePythonApisTableTooAndLoadsWithStores) {
  const std::string text =
      "\tloop_name\tself_elapsed_time\tself_gflop\tself_memory_gb\n0\tsum\t2\t4\t8\n1\tidle\tnan\tnan\tnan\n";
  const auto regions = import_advisor(text, "f.csv");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].work.load_bytes, 8000000000u);
  EXPECT_NE(regions[0].notes.at(0).find("together"), std::string::npos);
}

TEST(ImportAdvisor, ErrorsNameLineAndColumn) {
  const auto import = [](const std::string& text) { return [text] { import_advisor(text, "f.csv"); }; };
  expect_error(import(with(advisor, "Self Elapsed Time", "Self Time")),
               "f.csv:1: no column 'self_elapsed_time'");
  expect_error(import(with(advisor, "Self GFLOP", "x")), "no column 'self_gflop'");
  expect_error(import(with(advisor, "Self Stored GB", "x")), "no column 'self_stored_gb'");
  expect_error(import(with(advisor, "0.50s", "fast")), "f.csv:2: column 3 (self_elapsed_time): 'fast'");
  expect_error(import(with(advisor, "3,f,1.5s,0.25,1 000.5,0,1", "3,f,1.5s")),
               "f.csv:4: 3 columns, the header has 7");
  expect_error(import("a,b\n1,2\n"), "not a survey");
  expect_error(import("loop_name,self_elapsed_time,self_gflop,self_memory_gb\n"), "no row");
}

TEST(ImportFormat, AnythingElseIsRefused) {
  EXPECT_THROW(import_format("hello", "f"), Error);
  EXPECT_THROW(import_format("", "f"), Error);
}

}  // namespace
}  // namespace gable::points
