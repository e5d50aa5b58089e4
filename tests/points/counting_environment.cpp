// The C library copies and sets memory in the same way under Valgrind and without, and OpenMP threads do not
// spin.

#include "points/counters/environment.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "base/programs/program.hpp"
#include "base/temporary_folder.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

// The sizes in what the loader of `sh` lists, but for those from which on string instructions are used.
std::map<std::string, std::string> sizes_in(std::istream&& list) {
  std::map<std::string, std::string> sizes;
  for (std::string name, value, rest; list >> name >> value && std::getline(list, rest);) {
    const bool is_of_strings = name.find("_rep_") != std::string::npos;
    if (name.starts_with("glibc.cpu.x86_") && value.starts_with("0x") && !is_of_strings) sizes[name] = value;
  }
  return sizes;
}

TEST(CountingEnvironment, HasTheSameSizesUnderValgrind) {
  SKIP_WITHOUT_VALGRIND();
  const TemporaryFolder folder("c_library");
  const std::string list =
      "$(sed -n 's/.* \\(\\/.*\\/ld-linux[^ ]*\\)$/\\1/p' /proc/self/maps | head -n 1) --list-tunables";
  const std::string file = (folder.path / "list").string();
  ASSERT_EQ(output_of({"sh", "-c", list + " >" + file}).status, 0);
  const auto natively = sizes_in(std::ifstream(file));
  if (natively.empty()) GTEST_SKIP() << "this C library has no such sizes";
  count({"sh", "-c", list + " >" + file});
  EXPECT_EQ(sizes_in(std::ifstream(file)), natively);
}

TEST(CountingEnvironment, WhatTheUserHasSetIsKept) {
  setenv("GLIBC_TUNABLES", "glibc.malloc.check=1:glibc.cpu.hwcaps=-AVX2", 1);
  const std::vector<std::string> set = sampling_environment();
  unsetenv("GLIBC_TUNABLES");
  if (set.empty()) GTEST_SKIP() << "this C library has no such sizes";
  EXPECT_TRUE(
      set.front().starts_with("GLIBC_TUNABLES=glibc.malloc.check=1:glibc.cpu.hwcaps=-AVX2:glibc.cpu."))
      << set.front();
}

// A program that fails is not counted.
TEST(CountingEnvironment, OpenMpThreadsDoNotSpinUnlessTheUserSaysHow) {
  SKIP_WITHOUT_VALGRIND();
  const auto policy_is = [](const std::string& value) {
    count({"sh", "-c", "test \"$OMP_WAIT_POLICY\" = \"" + value + "\""});
  };
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"}) unsetenv(name);
  EXPECT_NO_THROW(policy_is("passive"));
  EXPECT_THROW(policy_is(""), Error);
  setenv("GOMP_SPINCOUNT", "1000", 1);
  EXPECT_NO_THROW(policy_is(""));
  unsetenv("GOMP_SPINCOUNT");
}

}  // namespace
}  // namespace gable::points::tests
