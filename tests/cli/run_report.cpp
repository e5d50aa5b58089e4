// What gable kmaf run says of a run that cost more than it was allowed to.

#include "cli/kmaf/run.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace gable::cli {
namespace {

kmaf::live::Report report_of(double spent, double budget, double seconds) {
  kmaf::live::Report report;
  report.policy = gable::kmaf::live::Policy::kmaf;
  report.sampler = "hint-faults";
  report.managed = true;
  report.ending.seconds = seconds;
  report.cpu_seconds = seconds;
  report.spent.tables = spent;
  report.budget = budget;
  return report;
}

bool says(const kmaf::live::Report& report, const char* text) {
  return run_report_text(report).find(text) != std::string::npos;
}

TEST(RunReport, SaysThatTheBudgetWasExceeded) {
  const auto dear = report_of(0.02, 0.01, 0.5);
  EXPECT_TRUE(says(dear, "over budget         4.000 % of the CPU time, and 1 % is allowed"))
      << run_report_text(dear);
  EXPECT_TRUE(says(dear, "the run lasted 0.5 s"));
  EXPECT_TRUE(run_report_json(dear)["over_budget"].get<bool>());
  EXPECT_EQ(run_report_json(dear)["overhead_budget"], 0.01);
  EXPECT_FALSE(says(report_of(2, 0.01, 100), "the run lasted")) << "a long run has no such excuse";
}

TEST(RunReport, TellsWhichMemoriesAreAccessed) {
  auto report = report_of(0.004, 0.01, 0.5);
  EXPECT_FALSE(says(report, "accesses by node"));
  EXPECT_TRUE(run_report_json(report)["access"].empty());
  report.access = {{0, 0, 0.5, {}}, {0, 3, 0.25, 0.5}, {1, 3, 0.25, {}}};
  report.access_samples = 194;
  EXPECT_EQ(run_report_json(report)["access_samples"], 194);
  EXPECT_TRUE(
      says(report, "accesses by node    50.0 % to node 0, 50.0 % to node 3, by 194 samples, each ± 7 %\n"))
      << run_report_text(report);
  EXPECT_EQ(run_report_json(report)["access"][2].dump(),
            R"({"cluster":1,"node":3,"share":0.25,"stores":null})");
  EXPECT_EQ(run_report_json(report)["access"][1]["stores"], 0.5);
  EXPECT_FALSE(says(report, "of its memory alone"));
  report.access_seen_in = 0.25;
  EXPECT_TRUE(says(report, "these samples are near 25 % of its memory alone")) << run_report_text(report);
  EXPECT_EQ(run_report_json(report)["access_seen_in"], 0.25);
}

TEST(RunReport, SaysNothingOfABudgetThatWasKept) {
  const auto kept = report_of(0.004, 0.01, 0.5);
  EXPECT_FALSE(says(kept, "over budget"));
  EXPECT_FALSE(run_report_json(kept)["over_budget"].get<bool>());
}

}  // namespace
}  // namespace gable::cli
