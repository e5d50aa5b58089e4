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

std::vector<const char*> isas_of_table() {
  std::map<std::string_view, const char*> names;
  for (const kernels::Kernel& kernel : kernels::all()) names.emplace(kernel.isa, kernel.isa);
  std::vector<const char*> all;
  for (const auto& [isa, name] : names) all.push_back(name);
  return all;
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

INSTANTIATE_TEST_SUITE_P(Each, KernelsOfIsa, testing::ValuesIn(isas_of_table()),
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
  EXPECT_EQ(kernels::find("chase", kernels::isas().back()), kernels::find("chase", kernels::general_isa));
}

TEST(Table, BestIsTheWidestThatRuns) {
  ASSERT_NE(kernels::best("load"), nullptr);
  for (const std::string& isa : kernels::isas())
    EXPECT_LE(kernels::find("load", isa)->vector_bytes, kernels::best("load")->vector_bytes);
  EXPECT_EQ(kernels::best("no_such_operation"), nullptr);
  EXPECT_EQ(kernels::best("chase")->isa, kernels::general_isa);
}

class Sabotage : public testing::TestWithParam<tests::Broken> {};

TEST_P(Sabotage, IsNoticed) {
  if (!kernels::runs(tests::sabotaged().front())) GTEST_SKIP() << "this CPU cannot run the broken kernels";
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

INSTANTIATE_TEST_SUITE_P(Each, Sabotage, testing::ValuesIn(tests::broken_kernels()),
                         [](const auto& info) { return std::string(info.param.isa); });

}  // namespace
}  // namespace gable
