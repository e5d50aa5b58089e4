// The ISAs of AArch64 and their operations.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "model/domain/latency_class.hpp"
#include "tests/kernels/check.hpp"

namespace gable::kernels {
namespace {

using Names = std::vector<std::string>;

TEST(Isas, WeakestFirst) {
  EXPECT_EQ(isas(neon), Names{"neon"});
  EXPECT_EQ(isas(neon | sve | cvap), (Names{"neon", "sve"}));
}

TEST(Runs, OnlyWithEveryFeature) {
  EXPECT_TRUE(runs(*find("triad", "neon"), neon));
  EXPECT_FALSE(runs(*find("triad", "sve"), neon));
  EXPECT_FALSE(runs(*find("store_cvap", "neon"), neon));
  EXPECT_TRUE(runs(*find("store_cvap", "neon"), neon | cvap));
  EXPECT_FALSE(runs(*find("store_zva", "neon"), neon));
  EXPECT_TRUE(runs(*find("chase", "neon"), 0));
}

// What needs lines or blocks of a known size is not expressed in vectors without one.
TEST(Table, OperationsOfEachIsa) {
  std::map<std::string, std::set<std::string>> ops;
  for (const Kernel& kernel : all()) ops[kernel.isa].insert(kernel.op);
  std::set<std::string> expected = {
      "load",          "load_halves",   "load_short",     "load_nt",       "store",         "store_nt",
      "copy",          "copy_nt",       "scale",          "scale_nt",      "add",           "add_nt",
      "triad",         "triad_split",   "triad_nt",       "ddot",          "fma_dp",        "fma_sp",
      "add_dp",        "add_sp",        "mul_dp",         "mul_sp",        "div_dp",        "div_sp",
      "sqrt_dp",       "sqrt_sp",       "add_scalar_dp",  "add_scalar_sp", "fma_scalar_dp", "fma_scalar_sp",
      "div_scalar_dp", "div_scalar_sp", "sqrt_scalar_dp", "sqrt_scalar_sp"};
  for (const char* ratio : {"8_1", "4_1", "3_1", "2_1", "3_2", "1_1", "2_3", "1_2", "1_3", "1_4", "1_8"}) {
    expected.insert(std::string("mix") + ratio);
    expected.insert(std::string("mix") + ratio + "_nt");
  }
  for (const char* fmas : {"1", "2", "3", "4", "6", "8", "12", "16", "24", "32", "48", "64"}) {
    expected.insert(std::string("load_fma") + fmas);
    expected.insert(std::string("load_fma") + fmas + "_prefetch");
  }
  EXPECT_EQ(ops["sve"], expected);
  expected.insert("store_cvap");
  for (const char* bytes : {"64", "128", "256", "512", "1024", "2048", "4096"}) {
    for (const char* way : {"", "_nt", "_cvap"}) expected.insert(std::string("block") + bytes + way);
  }
  expected.insert({"read64", "read256"});
  EXPECT_EQ(ops["neon"], expected);
  std::set<std::string> general = {"adds",   "branch_random", "branch_steady", "chase",    "clock",
                                   "random", "random_apart",  "store_apart",   "store_zva"};
  for (const model::LatencyClassRow& row : model::latency_class_rows) {
    if (!row.operation.empty()) general.emplace(row.operation);
  }
  EXPECT_EQ(ops["aarch64"], general);
}

}  // namespace
}  // namespace gable::kernels
