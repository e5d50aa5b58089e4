// The ISAs of x86-64 and their operations.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "model/domain/latency_class.hpp"
#include "tests/kernels/check.hpp"

namespace gable::kernels {
namespace {

using Names = std::vector<std::string>;

TEST(Isas, WeakestFirst) {
  EXPECT_EQ(isas(sse2), Names{"sse2"});
  EXPECT_EQ(isas(sse2 | avx2 | fma), (Names{"sse2", "avx2"}));
  EXPECT_EQ(isas(sse2 | avx2 | fma | avx512f | clwb), (Names{"sse2", "avx2", "avx512"}));
}

TEST(Runs, OnlyWithEveryFeature) {
  EXPECT_TRUE(runs(*find("load", "avx2"), sse2 | avx2));
  EXPECT_FALSE(runs(*find("triad", "avx2"), sse2 | avx2));
  EXPECT_TRUE(runs(*find("triad", "avx2"), sse2 | avx2 | fma));
  EXPECT_FALSE(runs(*find("load", "avx512"), sse2 | avx2 | fma));
  EXPECT_FALSE(runs(*find("store_clwb", "sse2"), sse2 | clflushopt));
  EXPECT_TRUE(runs(*find("store_clflushopt", "sse2"), sse2 | clflushopt));
  EXPECT_TRUE(runs(*find("chase", "x86"), 0));
  EXPECT_TRUE(runs(*find("chain_mul", "x86"), 0));
  EXPECT_FALSE(runs(*find("chain_fma", "x86"), sse2 | avx2));
}

// Every vector ISA has all operations that it can express.
TEST(Table, OperationsOfEachIsa) {
  std::map<std::string, std::set<std::string>> ops;
  for (const Kernel& kernel : all()) ops[kernel.isa].insert(kernel.op);
  EXPECT_EQ(ops["avx2"], ops["avx512"]);
  std::set<std::string> missing;
  for (const std::string& op : ops["avx2"]) {
    if (!ops["sse2"].contains(op)) missing.insert(op);
  }
  std::set<std::string> need_nt_load_or_fma = {"load_nt", "triad_split",   "fma_dp",
                                               "fma_sp",  "fma_scalar_dp", "fma_scalar_sp"};
  for (const char* fmas : {"1", "2", "3", "4", "6", "8", "12", "16", "24", "32", "48", "64"}) {
    need_nt_load_or_fma.insert(std::string("load_fma") + fmas);
    need_nt_load_or_fma.insert(std::string("load_fma") + fmas + "_prefetch");
  }
  EXPECT_EQ(missing, need_nt_load_or_fma);

  const std::set<std::string> plain = {"load",          "load_halves",    "load_short",
                                       "store",         "store_nt",       "copy",
                                       "copy_nt",       "store_clwb",     "store_clflushopt",
                                       "scale",         "scale_nt",       "add",
                                       "add_nt",        "triad",          "triad_nt",
                                       "ddot",          "add_dp",         "add_sp",
                                       "mul_dp",        "mul_sp",         "div_dp",
                                       "div_sp",        "sqrt_dp",        "sqrt_sp",
                                       "add_scalar_dp", "add_scalar_sp",  "div_scalar_dp",
                                       "div_scalar_sp", "sqrt_scalar_dp", "sqrt_scalar_sp"};
  std::set<std::string> expected = plain;
  for (const char* ratio : {"8_1", "4_1", "3_1", "2_1", "3_2", "1_1", "2_3", "1_2", "1_3", "1_4", "1_8"}) {
    expected.insert(std::string("mix") + ratio);
    expected.insert(std::string("mix") + ratio + "_nt");
  }
  for (const char* bytes : {"64", "128", "256", "512", "1024", "2048", "4096"}) {
    for (const char* way : {"", "_nt", "_clwb", "_clflushopt"})
      expected.insert(std::string("block") + bytes + way);
  }
  expected.insert({"read64", "read256"});
  EXPECT_EQ(ops["sse2"], expected);
  std::set<std::string> general = {"adds",       "branch_random", "branch_steady", "chase",      "clock",
                                   "copy_movsb", "random",        "random_apart",  "store_apart"};
  for (const model::LatencyClassRow& row : model::latency_class_rows) {
    if (!row.operation.empty()) general.emplace(row.operation);
  }
  EXPECT_EQ(ops["x86"], general);
}

}  // namespace
}  // namespace gable::kernels
