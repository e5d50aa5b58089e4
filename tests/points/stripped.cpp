// Functions of programs without symbols: where they begin is known from the tables for unwinding.

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/temporary_folder.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

// The program, with its symbols and without them, under the same name.
class Stripped : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_VALGRIND();
    std::filesystem::copy_file(program("profiled"), with_symbols_);
    std::filesystem::create_directory(folder_.path / "stripped");
    const std::string strip = "strip -o " + without_symbols_ + " " + with_symbols_;
    if (std::system(strip.c_str()) != 0) GTEST_SKIP() << "no strip";
  }

  static Counts counts_of(const std::string& file) {
    return count({file, "three loops", "50000", "1"}, true);
  }

  TemporaryFolder folder_{"stripped"};
  const std::string with_symbols_ = (folder_.path / "profiled").string();
  const std::string without_symbols_ = (folder_.path / "stripped/profiled").string();
};

TEST_F(Stripped, ProgramsHaveTheSameFunctionsByOffset) {
  std::map<std::uint64_t, Work> named;
  for (const FunctionCounts& function : counts_of(with_symbols_).functions) {
    if (function.object == with_symbols_ && function.code.size() == 1)
      named.try_emplace(function.code.front().from, Work{{}, 0, 0}).first->second += function.work;
  }
  ASSERT_GE(named.size(), 3);
  std::map<std::string, Work> nameless;
  for (const FunctionCounts& function : counts_of(without_symbols_).functions)
    nameless.try_emplace(function.function, Work{{}, 0, 0}).first->second += function.work;
  for (const auto& [offset, work] : named) {
    const auto found = nameless.find(fmt::format("profiled+{:#x}", offset));
    ASSERT_NE(found, nameless.end()) << std::hex << offset;
    EXPECT_EQ(in_words(found->second), in_words(work)) << std::hex << offset;
  }
}

}  // namespace
}  // namespace gable::points::tests
