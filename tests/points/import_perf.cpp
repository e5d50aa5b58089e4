// Output of perf stat -j, valid and damaged.

#include "tests/points/importing.hpp"

namespace gable::points {
namespace {

using tests::expect_error;
using tests::with;

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

TEST(ImportPerf, AddsUpWhatItKnows) {
  const auto regions = import_perf(perf, "f.json");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].work.flop_count(), 16000000u);
  EXPECT_EQ(regions[0].seconds, 2.5);
  EXPECT_EQ(regions[0].loads, 300);
  EXPECT_FALSE(regions[0].stores.has_value());
  ASSERT_EQ(regions[0].notes.size(), 2u);
  EXPECT_NE(sentence(regions[0].notes[1]).find("67 % of the time"), std::string::npos)
      << sentence(regions[0].notes[1]);
  EXPECT_EQ(import_format(perf, "f.json"), "perf");
}

// A line as perf writes it.
std::string perf_line(const std::string& event, double count, const std::string& place = "",
                      double running = 100) {
  return "{" + place + "\"counter-value\" : \"" + std::to_string(count) +
         "\", \"unit\" : \"\", \"event\" : \"" + event +
         "\", \"event-runtime\" : 1000, \"pcnt-running\" : " + std::to_string(running) + "}\n";
}

std::uint64_t perf_flops(const std::string& text) {
  return import_perf(text, "f.json").at(0).work.flop_count();
}

constexpr const char* amd_all = "fp_ret_sse_avx_ops.all";

TEST(ImportPerf, TheSameEventInTwoGroupsCountsOnce) {
  EXPECT_EQ(perf_flops(perf_line(amd_all, 8e9) + perf_line(amd_all, 8e9)), 8000000000u);
  EXPECT_EQ(perf_flops(perf_line(amd_all, 8e9) + perf_line("cpu/fp_ret_sse_avx_ops.all/", 8.01e9)),
            8000000000u);
  // Multiplexed: the one that counted longer.
  EXPECT_EQ(perf_flops(perf_line(amd_all, 9e9, "", 25) + perf_line(amd_all, 8e9, "", 75)), 8000000000u);
}

TEST(ImportPerf, DifferentPlacesAddUp) {
  for (const char* field : {"cpu", "core", "socket", "node", "thread", "cgroup"}) {
    const auto at = [&](const char* which) { return "\"" + std::string(field) + "\" : \"" + which + "\", "; };
    EXPECT_EQ(perf_flops(perf_line(amd_all, 5e9, at("0")) + perf_line(amd_all, 3e9, at("1"))), 8000000000u);
    EXPECT_EQ(perf_flops(perf_line(amd_all, 5e9, at("0")) + perf_line(amd_all, 5e9, at("0"))), 5000000000u);
  }
  const std::string hybrid = perf_line("cpu_core/fp_arith_inst_retired.scalar_double/u", 2e9) +
                             perf_line("cpu_atom/fp_flops_retired.all/u", 3e9);
  EXPECT_EQ(perf_flops(hybrid), 5000000000u);
}

TEST(ImportPerf, ModifiersThatExcludeEachOtherAddUp) {
  EXPECT_EQ(
      perf_flops(perf_line("fp_ret_sse_avx_ops.all:u", 8e9) + perf_line("fp_ret_sse_avx_ops.all:k", 1e9)),
      9000000000u);
  EXPECT_EQ(perf_flops(perf_line("fp_ret_sse_avx_ops.all:u", 8e9) + perf_line(amd_all, 9e9)), 9000000000u);
  EXPECT_EQ(perf_flops(perf_line("fp_ret_sse_avx_ops.all:ppp", 8e9)), 8000000000u);
}

TEST(ImportPerf, SeveralRunsAreRefused) {
  const std::string run = "# started on Mon\n\n" + perf_line(amd_all, 8e9);
  expect_error([&] { import_perf(run + run, "f.json"); }, "f.json:4: a second run begins here");
  expect_error([&] { import_perf(perf_line(amd_all, 8e9) + perf_line(amd_all, 4e9), "f.json"); },
               "f.json:2: fp_ret_sse_avx_ops.all is there a second time, with another count");
}

TEST(ImportPerf, WhatCannotBeMappedIsRefusedByName) {
  const auto refused = [](const std::string& event) {
    expect_error([&] { import_perf(perf_line(event, 5) + perf_line("cycles", 9), "f.json"); },
                 "f.json: " + event);
  };
  refused("fp_arith_inst_retired.vector");
  refused("fp_ops_retired_by_type.vector_all");
  refused("cpu/event=0xc7,umask=0x1/");
  refused("cpu/event=0xc7,umask=0x1/u");
  refused("r01c7:u");
  EXPECT_EQ(perf_flops(perf_line("fp_arith_inst_retired.4_flops:u", 5)), 20u);
  EXPECT_EQ(perf_flops(perf_line("fp_flops_retired.all", 5)), 5u);
  EXPECT_EQ(perf_flops(perf_line(amd_all, 5) + perf_line("r01c7", 9)), 5u) << "all flops are counted";
}

TEST(ImportPerf, NoFlopsAreSaid) {
  const auto regions = import_perf(perf_line("cycles", 5) + perf_line("mem_inst_retired.all_loads", 9), "f");
  ASSERT_EQ(regions.at(0).notes.size(), 1u);
  EXPECT_EQ(regions[0].notes[0], gable::model::NoteCode::no_flop_events);
}

// An event that perf never counted; on a hybrid processor a program may run on cores of one kind only.
TEST(ImportPerf, LostCountsOfFlopsAreRefused) {
  const std::string lost =
      "{\"counter-value\" : \"<not counted>\", \"event\" : \"fp_arith_inst_retired.256b_packed_double\"}\n";
  expect_error([&] { import_perf(lost + perf_line("fp_arith_inst_retired.scalar_double", 5), "f"); },
               "perf did not count fp_arith_inst_retired.256b_packed_double");
  const std::string idle =
      "{\"counter-value\" : \"<not counted>\", \"event\" : \"cpu_atom/fp_flops_retired.all/\"}\n";
  EXPECT_EQ(perf_flops(idle + perf_line("cpu_core/fp_arith_inst_retired.scalar_double/", 5)), 5u);
  const auto partly = import_perf(
      perf_line("cpu_atom/cycles/", 7) + perf_line("cpu_core/fp_arith_inst_retired.scalar_double/", 5), "f");
  EXPECT_EQ(partly.at(0).notes.back(),
            gable::model::Note(gable::model::NoteCode::flops_of_not_counted, {"cpu_atom"}));
}

TEST(ImportPerf, DecimalCommasAreNamed) {
  std::string line = perf_line(amd_all, 8);
  expect_error([&] { import_perf(with(line, "100.000000", "100,000000"), "f.json"); },
               "f.json:1: not JSON; it has a decimal comma: run the tool with LC_ALL=C");
  expect_error([&] { import_perf(with(line, "8.000000", "8,000000"), "f.json"); }, "LC_ALL=C");
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

}  // namespace
}  // namespace gable::points
