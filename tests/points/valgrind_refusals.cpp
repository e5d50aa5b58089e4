// What the Valgrind counter says of programs that it cannot count, and of a Valgrind that does not start.

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.hpp"
#include "points/counters/pmu.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

namespace fs = std::filesystem;

class ValgrindRefusals : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_VALGRIND(); }
};

// What a test says in a copy of this program that is alone in a folder, or with this script as the tool.
std::string said_in_a_copy(const std::string& test, const std::string& tool) {
  const TemporaryFolder folder("alone");
  fs::copy_file("/proc/self/exe", folder.path / "test");
  if (!tool.empty()) {
    const fs::path launch = folder.path / "libexec/gable/valgrind/launch";
    fs::create_directories(launch.parent_path());
    std::ofstream(launch) << "#!/bin/sh\n" << tool;
    fs::permissions(launch, fs::perms::owner_all);
  }
  const std::string command = (folder.path / "test").string() + " --gtest_filter=Valgrind." + test + " 2>&1";
  FILE* const output = popen(command.c_str(), "r");
  std::string said;
  for (int c = 0; (c = fgetc(output)) != EOF;) said += static_cast<char>(c);
  pclose(output);
  return said;
}

TEST_F(ValgrindRefusals, SaysThatItsPackageIsMissing) {
  const std::string said = said_in_a_copy("CountsWhatIsDynamicAndStatic", "");
  EXPECT_TRUE(says(said, "Valgrind is missing")) << said;
}

// Valgrind says it on standard error, which is that of the program.
TEST_F(ValgrindRefusals, SaysWhyItDoesNotStart) {
  const std::string said = said_in_a_copy("TwoRunsAgreeToTheByte",
                                          "echo 'valgrind: No start:\nvalgrind:    no room' >&2\nexit 1\n");
  EXPECT_TRUE(says(said, "could not be started under Valgrind: No start: no room")) << said;
  const std::string nothing = said_in_a_copy("TwoRunsAgreeToTheByte", "kill -SEGV $$\n");
  EXPECT_TRUE(says(nothing, "under Valgrind: it says nothing, and was killed by signal 11")) << nothing;
}

TEST_F(ValgrindRefusals, SaysWhatIsMissing) {
  EXPECT_TRUE(says(refusal({"./no_such_program"}, 127), "./no_such_program: no such program"));
  EXPECT_TRUE(says(refusal({"no_such_program_anywhere"}, 127), "no folder in PATH has this program"));
  EXPECT_TRUE(says(refusal({testing::TempDir()}, 126), "a folder"));
  EXPECT_TRUE(says(refusal({std::string(GABLE_SOURCE_DIR) + "/README.md"}, 126), "not executable"));
  EXPECT_TRUE(says(refusal({}, 127), "no program"));
}

TEST_F(ValgrindRefusals, SaysHowTheProgramEnded) {
  EXPECT_TRUE(says(refusal({program("misbehave"), "fail"}, 3), "exit status 3"));
  EXPECT_TRUE(says(refusal({program("misbehave"), "crash"}, 128 + SIGSEGV), "signal 11"));
  EXPECT_TRUE(says(refusal({program("misbehave"), "killed"}, 128 + SIGKILL), "signal 9"));
}

TEST_F(ValgrindRefusals, OffersThePmuForAvx512WhereItWorks) {
  const bool works = pmu_unavailable().empty();
  for (const char* how : {"avx512", "opmask"}) {
    const std::string why = refusal({program("misbehave"), how}, 128 + SIGILL);
    EXPECT_TRUE(says(why, "AVX-512") && says(why, "AVX2") && says(why, "--counter pmu") == works) << why;
  }
  const std::string in_child = refusal({"sh", "-c", program("misbehave") + " avx512; exit 9"}, 9);
  EXPECT_TRUE(says(in_child, "AVX-512")) << in_child;
  const std::string other = refusal({program("misbehave"), "clwb"}, 128 + SIGILL);
  EXPECT_TRUE(!says(other, "AVX-512") && says(other, "66 0f ae")) << other;
}

// Its parent may succeed all the same. A program that tries an instruction goes on.
TEST_F(ValgrindRefusals, AChildThatDiesOfAvx512SpoilsTheCounts) {
  const std::string why = refusal({"sh", "-c", program("misbehave") + " avx512; true"}, 1);
  EXPECT_TRUE(says(why, "was killed at AVX-512")) << why;
  EXPECT_NO_THROW(count({program("misbehave"), "try_avx512"}));
}

TEST_F(ValgrindRefusals, AKilledChildSpoilsTheCounts) {
  EXPECT_TRUE(says(refusal({program("misbehave"), "kill_child"}, 1), "was killed"));
}

TEST_F(ValgrindRefusals, TooManyThreadsAreSaid) {
  EXPECT_TRUE(says(refusal({program("misbehave"), "crowd"}, 1), "threads"));
}

TEST_F(ValgrindRefusals, SaysThatTooFewFilesMayBeOpen) {
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int child = fork();
  if (child == 0) {  // the hard limit cannot be raised again
    const rlimit few = {20, 20};
    setrlimit(RLIMIT_NOFILE, &few);
    const std::string why = refusal({program("misbehave"), "silent"}, 1);
    if (valgrind_unavailable() != why) _exit(2);  // it is known before anything runs
    _exit(says(why, "at most 20 files may be open") && says(why, "Valgrind needs 12") ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(ValgrindRefusals, RefusesSetuid) {
  const fs::path copy = fs::path(testing::TempDir()) / ("setuid_" + std::to_string(getpid()));
  fs::copy_file(program("misbehave"), copy);
  ASSERT_EQ(chmod(copy.c_str(), 04755), 0);
  const std::string why = refusal({copy, "silent"}, 126);
  fs::remove(copy);
  EXPECT_TRUE(says(why, "setuid") && says(why, "a copy without")) << why;
}

TEST_F(ValgrindRefusals, RefusesOtherMachinesPrograms) {
  const fs::path copy = fs::path(testing::TempDir()) / ("aarch64_" + std::to_string(getpid()));
  fs::copy_file(program("misbehave"), copy);
  std::fstream(copy).seekp(18).put('\xb7');  // e_machine
  const std::string why = refusal({copy, "silent"}, 126);
  fs::remove(copy);
  EXPECT_TRUE(says(why, "only x86-64 programs")) << why;
}

}  // namespace
}  // namespace gable::points::tests
