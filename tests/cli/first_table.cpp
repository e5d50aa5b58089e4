// When the first tables are printed, and what of.

#include <gtest/gtest.h>

#include <string>

#include "base/files.hpp"
#include "base/temporary_folder.hpp"
#include "cli/measure/progress.hpp"
#include "model/json/lines.hpp"

namespace gable::cli {
namespace {

// A visit in which a cluster computes 100 GFlop/s.
model::Sample peak() {
  model::Sample sample;
  sample.spec.kind = model::Kind::flops;
  sample.spec.level = model::Level::core();
  sample.spec.pattern = model::Pattern::core;
  sample.spec.op = model::operations::fma;
  sample.spec.kernel = "fma_dp_avx2";
  sample.spec.precision = model::Precision::dp;
  sample.spec.threads = 2;
  sample.seconds.assign(20, 1e-3);
  sample.work.assign(20, 1e8);
  sample.started = "2026-01-01T00:00:00Z";
  return sample;
}

std::string printed(FirstTable& table) {
  testing::internal::CaptureStdout();
  table.print();
  return testing::internal::GetCapturedStdout();
}

TEST(FirstTable, IsDueOnceAfterItsTimeAndWhileMuchIsLeft) {
  const TemporaryFolder folder("first_table");
  EXPECT_FALSE(FirstTable(folder.path, 3600).is_due(1e6)) << "too early";
  FirstTable table(folder.path, 1e-9);
  EXPECT_TRUE(table.is_due(1));
  EXPECT_FALSE(table.is_due(0)) << "the end is near";
  EXPECT_EQ(printed(table), "") << "no sample is there";
  EXPECT_FALSE(table.is_due(1)) << "it was printed";
}

TEST(FirstTable, IsNotDueForAFolderThatWasFitted) {
  const TemporaryFolder folder("first_table");
  write_whole(folder.path / "roofs.json", "{}");
  EXPECT_FALSE(FirstTable(folder.path, 1e-9).is_due(1));
}

TEST(FirstTable, ShowsTheSamples) {
  const TemporaryFolder folder("first_table");
  append_line(folder.path / "samples.jsonl", model::to_line(peak()));
  FirstTable table(folder.path, 0);
  const std::string text = printed(table);
  EXPECT_NE(text.find("peak FMA DP, GFlop/s"), std::string::npos) << text;
  EXPECT_NE(text.find("100.0"), std::string::npos) << text;
  EXPECT_NE(text.find("the rest is being measured"), std::string::npos) << text;
}

}  // namespace
}  // namespace gable::cli
