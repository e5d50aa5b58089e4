// Every kernel that this CPU can run matches the reference, and the checker detects broken kernels.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/kernels/check.hpp"

namespace gable {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

class KernelsOfIsa : public testing::TestWithParam<const char*> {};

TEST_P(KernelsOfIsa, DoWhatTheReferenceDoes) {
  int ran = 0;
  for (const kernels::Kernel& kernel : kernels::all()) {
    if (kernel.isa != std::string(GetParam()) || !kernels::runs(kernel)) continue;
    ++ran;
    EXPECT_EQ(joined(tests::faults(kernel)), "") << kernel.name;
  }
  if (ran == 0) GTEST_SKIP() << "this CPU has no " << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Each, KernelsOfIsa, testing::Values("x86", "sse2", "avx2", "avx512"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Table, EntriesAreConsistent) {
  for (const kernels::Kernel& kernel : kernels::all()) {
    EXPECT_EQ(joined(tests::entry_faults(kernel)), "") << kernel.name;
  }
}

TEST(Table, NamesAreUniqueAndFound) {
  std::set<std::string> names;
  for (const kernels::Kernel& kernel : kernels::all()) {
    EXPECT_TRUE(names.insert(kernel.name).second) << kernel.name;
    EXPECT_EQ(kernels::find(kernel.op, kernel.isa), &kernel);
  }
  EXPECT_EQ(kernels::find("load", "avx1024"), nullptr);
  EXPECT_EQ(kernels::find("chase", "avx2"), kernels::find("chase", "x86"));
}

TEST(Table, BestIsTheWidestThatRuns) {
  const std::string widest = kernels::isas().back();
  ASSERT_NE(kernels::best("load"), nullptr);
  EXPECT_EQ(kernels::best("load")->isa, widest);
  EXPECT_EQ(kernels::best("no_such_operation"), nullptr);
  EXPECT_EQ(std::string(kernels::best("chase4")->name), "chase4_x86");
}

// Every vector ISA has all operations that it can express.
TEST(Table, OperationsOfEachIsa) {
  std::map<std::string, std::set<std::string>> ops;
  for (const kernels::Kernel& kernel : kernels::all()) ops[kernel.isa].insert(kernel.op);
  EXPECT_EQ(ops["avx2"], ops["avx512"]);
  std::set<std::string> missing;
  for (const std::string& op : ops["avx2"]) {
    if (!ops["sse2"].contains(op)) missing.insert(op);
  }
  std::set<std::string> need_nt_load_or_fma = {"load_nt", "fma_dp", "fma_sp"};
  for (const char* fmas : {"1", "2", "3", "4", "6", "8", "12", "16", "24", "32", "48", "64"}) {
    need_nt_load_or_fma.insert(std::string("load_fma") + fmas);
    need_nt_load_or_fma.insert(std::string("load_fma") + fmas + "_prefetch");
  }
  EXPECT_EQ(missing, need_nt_load_or_fma);

  const std::set<std::string> plain = {
      "load",   "store",    "store_nt", "copy",   "copy_nt", "store_clwb", "store_clflushopt",
      "scale",  "scale_nt", "add",      "add_nt", "triad",   "triad_nt",   "ddot",
      "add_dp", "add_sp",   "mul_dp",   "mul_sp"};
  std::set<std::string> expected = plain;
  for (const char* ratio : {"8_1", "4_1", "3_1", "2_1", "3_2", "1_1", "2_3", "1_2", "1_3", "1_4", "1_8"}) {
    expected.insert(std::string("mix") + ratio);
    expected.insert(std::string("mix") + ratio + "_nt");
  }
  for (const char* bytes : {"64", "128", "256", "512", "1024", "2048", "4096"}) {
    for (const char* way : {"", "_nt", "_clwb", "_clflushopt"})
      expected.insert(std::string("block") + bytes + way);
  }
  EXPECT_EQ(ops["sse2"], expected);
  EXPECT_EQ(ops["x86"], (std::set<std::string>{"chase", "chase2", "chase4", "chase8", "chase12", "clock"}));
}

struct Broken {
  const char* isa;    // names the fault
  const char* fault;  // part of the expected fault; empty if nothing is broken
};

std::ostream& operator<<(std::ostream& out, const Broken& broken) {
  return out << broken.isa;
}

class Sabotage : public testing::TestWithParam<Broken> {};

TEST_P(Sabotage, IsNoticed) {
  if (!(kernels::cpu_features() & kernels::avx2)) GTEST_SKIP() << "this CPU has no AVX2";
  const auto [isa, fault] = GetParam();
  for (const kernels::Kernel& kernel : tests::sabotaged()) {
    if (kernel.isa != std::string(isa)) continue;
    const std::string found = joined(tests::faults(kernel)) + joined(tests::entry_faults(kernel));
    if (*fault == 0) {
      EXPECT_EQ(found, "");
    } else {
      EXPECT_NE(found.find(fault), std::string::npos) << found;
    }
    return;
  }
  FAIL() << "no broken kernel named " << isa;
}

INSTANTIATE_TEST_SUITE_P(
    Each, Sabotage,
    testing::Values(Broken{"nothing", ""}, Broken{"overreads", "outside its streams"},
                    Broken{"underreads", "outside its streams"}, Broken{"overwrites", "what it wrote"},
                    Broken{"clobbers", "r13 is not preserved"}, Broken{"sets_direction", "direction flag"},
                    Broken{"flushes_to_zero", "MXCSR"}, Broken{"forgets_position", "position differs"},
                    Broken{"whole", ""}, Broken{"stays", "what it wrote"},
                    Broken{"skips_line", "not as long as its name"}, Broken{"keeps_upper", "no vzeroupper"},
                    Broken{"claims_load", "how far it advances"}),
    [](const auto& info) { return std::string(info.param.isa); });

}  // namespace
}  // namespace gable
