// The Valgrind counter: counts of several processes and threads, and messages if there are no
// counts.

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "points/counters/pmu.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

namespace fs = std::filesystem;

class Valgrind : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_VALGRIND(); }
};

std::uint64_t divisions(const Work& work) {
  std::uint64_t count = 0;
  for (const Flops& sort : work.flops) {
    if (sort.operation == Op::div) count += sort.count;
  }
  return count;
}

std::vector<std::uint64_t> divisions_of_processes(const Counts& counts) {
  std::vector<std::uint64_t> each;
  for (const ProcessCounts& process : counts.processes) {
    std::uint64_t sum = 0;
    for (const Work& thread : process.threads) sum += divisions(thread);
    each.push_back(sum);
  }
  return each;
}

// Runs it, checks the status and returns the error message.
std::string refusal(const std::vector<std::string>& command, int status) {
  try {
    count(command);
  } catch (const Error& error) {
    EXPECT_EQ(error.status, status) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "it was counted";
  return {};
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Valgrind, CountsWhatIsDynamicAndStatic) {
  for (const char* name : {"misbehave", "misbehave_static"}) {
    const Counts counts = count({program(name), "silent", "1000"});
    EXPECT_EQ(divisions(counts.total), 1000u) << name;
    EXPECT_EQ(counts.counter, "valgrind");
    ASSERT_EQ(counts.processes.size(), 1u);
    EXPECT_EQ(counts.processes[0].command, (std::vector<std::string>{program(name), "silent", "1000"}));
    EXPECT_TRUE(counts.functions.empty());
  }
}

TEST_F(Valgrind, TwoRunsAgreeToTheByte) {
  const Work once = count({program("misbehave"), "silent"}).total;
  EXPECT_EQ(count({program("misbehave"), "silent"}).total, once);
}

TEST_F(Valgrind, LeavesTheOutputAlone) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  count({program("misbehave"), "speak"});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "to stdout\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "to stderr\n");
}

TEST_F(Valgrind, AProgramMayCloseEverything) {
  EXPECT_EQ(divisions(count({program("misbehave"), "close"}).total), 10u);
}

TEST_F(Valgrind, AThreadMayEndTheProgram) {
  EXPECT_EQ(divisions(count({program("misbehave"), "exit_in_thread"}).total), 10u);
}

TEST_F(Valgrind, ForksAreCountedAndListed) {
  const Counts counts = count({program("misbehave"), "fork"});
  EXPECT_EQ(divisions_of_processes(counts), (std::vector<std::uint64_t>{10, 100, 100, 100}));
  EXPECT_EQ(divisions(counts.total), 310u);
}

TEST_F(Valgrind, AProcessThatExecutesAnotherIsTwoImages) {
  const Counts counts = count({program("misbehave"), "exec"});
  EXPECT_EQ(divisions_of_processes(counts), (std::vector<std::uint64_t>{10, 1000}));
  EXPECT_EQ(counts.processes[0].pid, counts.processes[1].pid);
  EXPECT_EQ(counts.processes[1].command, (std::vector<std::string>{program("misbehave"), "silent", "1000"}));
}

TEST_F(Valgrind, AnExecThatFailsLosesNothing) {
  EXPECT_EQ(divisions_of_processes(count({program("misbehave"), "exec_nothing"})),
            (std::vector<std::uint64_t>{110}));
}

TEST_F(Valgrind, SpawnedProgramsAreCounted) {
  const Counts counts = count({program("misbehave"), "spawn"});
  EXPECT_EQ(divisions(counts.total), 1010u);
}

TEST_F(Valgrind, OrphansAreWaitedFor) {
  EXPECT_EQ(divisions(count({program("misbehave"), "orphan"}).total), 110u);
}

TEST_F(Valgrind, ScriptsAreCountedThroughTheirInterpreter) {
  const fs::path script = fs::path(testing::TempDir()) / ("script with 'quotes' " + std::to_string(getpid()));
  std::ofstream(script) << "#!/bin/sh\n" << program("misbehave") << " silent 77\n";
  fs::permissions(script, fs::perms::owner_all);
  const Counts counts = count({script});
  fs::remove(script);
  EXPECT_EQ(divisions(counts.total), 77u);
  EXPECT_EQ(counts.processes.at(0).command, std::vector<std::string>{script});
}

// Invalid UTF-8 is replaced, because the counts are JSON.
TEST_F(Valgrind, ArgumentsMayHoldAnything) {
  const Counts counts =
      count({program("misbehave"), "silent", "10", "", "\"q\" \\ \n\t\x01 ä€😀", "\xff\xc0\xafx"});
  const std::vector<std::string> expected = {
      program("misbehave"), "silent", "10", "", "\"q\" \\ \n\t\x01 ä€😀", "\ufffd\ufffd\ufffdx"};
  EXPECT_EQ(counts.processes.at(0).command, expected);
}

TEST_F(Valgrind, EveryThreadIsListedThoughIdsAreUsedAgain) {
  const Counts counts = count({program("misbehave"), "threads"});
  ASSERT_EQ(counts.processes.at(0).threads.size(), 513u);
  for (const Work& thread : counts.processes[0].threads) EXPECT_EQ(divisions(thread), 10u);
}

TEST_F(Valgrind, TheEnvironmentIsPassedOn) {
  const Program asked = {{"sh", "-c", "exec \"$COUNTED\" silent \"$DIVISIONS\""},
                         {"COUNTED=" + program("misbehave"), "DIVISIONS=1234"},
                         false};
  EXPECT_EQ(divisions(count_with_valgrind(asked).total), 1234u);
}

// The same program without the tool in its folder.
TEST_F(Valgrind, SaysThatItsPackageIsMissing) {
  const fs::path copy = fs::path(testing::TempDir()) / ("alone_" + std::to_string(getpid()));
  fs::copy_file("/proc/self/exe", copy);
  const std::string command = copy.string() + " --gtest_filter=Valgrind.CountsWhatIsDynamicAndStatic 2>&1";
  FILE* const output = popen(command.c_str(), "r");
  std::string said;
  for (int c = 0; (c = fgetc(output)) != EOF;) said += static_cast<char>(c);
  pclose(output);
  fs::remove(copy);
  EXPECT_TRUE(says(said, "Valgrind is missing")) << said;
}

TEST_F(Valgrind, SaysWhatIsMissing) {
  EXPECT_TRUE(says(refusal({"./no_such_program"}, 127), "./no_such_program: no such program"));
  EXPECT_TRUE(says(refusal({"no_such_program_anywhere"}, 127), "no folder in PATH has this program"));
  EXPECT_TRUE(says(refusal({testing::TempDir()}, 126), "a folder"));
  EXPECT_TRUE(says(refusal({std::string(GABLE_SOURCE_DIR) + "/README.md"}, 126), "not executable"));
  EXPECT_TRUE(says(refusal({}, 127), "no program"));
}

TEST_F(Valgrind, SaysHowTheProgramEnded) {
  EXPECT_TRUE(says(refusal({program("misbehave"), "fail"}, 3), "exit status 3"));
  EXPECT_TRUE(says(refusal({program("misbehave"), "crash"}, 128 + SIGSEGV), "signal 11"));
  EXPECT_TRUE(says(refusal({program("misbehave"), "killed"}, 128 + SIGKILL), "signal 9"));
}

TEST_F(Valgrind, OffersThePmuForAvx512WhereItWorks) {
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
TEST_F(Valgrind, AChildThatDiesOfAvx512SpoilsTheCounts) {
  const std::string why = refusal({"sh", "-c", program("misbehave") + " avx512; true"}, 1);
  EXPECT_TRUE(says(why, "was killed at AVX-512")) << why;
  EXPECT_EQ(divisions(count({program("misbehave"), "try_avx512"}).total), 10u);
}

TEST_F(Valgrind, AKilledChildSpoilsTheCounts) {
  EXPECT_TRUE(says(refusal({program("misbehave"), "kill_child"}, 1), "was killed"));
}

TEST_F(Valgrind, TooManyThreadsAreSaid) {
  EXPECT_TRUE(says(refusal({program("misbehave"), "crowd"}, 1), "threads"));
}

TEST_F(Valgrind, RefusesSetuid) {
  const fs::path copy = fs::path(testing::TempDir()) / ("setuid_" + std::to_string(getpid()));
  fs::copy_file(program("misbehave"), copy);
  ASSERT_EQ(chmod(copy.c_str(), 04755), 0);
  const std::string why = refusal({copy, "silent"}, 126);
  fs::remove(copy);
  EXPECT_TRUE(says(why, "setuid") && says(why, "a copy without")) << why;
}

TEST_F(Valgrind, RefusesOtherMachinesPrograms) {
  const fs::path copy = fs::path(testing::TempDir()) / ("aarch64_" + std::to_string(getpid()));
  fs::copy_file(program("misbehave"), copy);
  std::fstream(copy).seekp(18).put('\xb7');  // e_machine
  const std::string why = refusal({copy, "silent"}, 126);
  fs::remove(copy);
  EXPECT_TRUE(says(why, "only x86-64 programs")) << why;
}

TEST_F(Valgrind, LeavesNoFilesBehind) {
  const fs::path folder = fs::path(testing::TempDir()) / ("empty_" + std::to_string(getpid()));
  fs::create_directory(folder);
  setenv("TMPDIR", folder.c_str(), 1);
  count({program("misbehave"), "fork"});
  EXPECT_TRUE(fs::is_empty(folder));
  setenv("TMPDIR", "/no/such/folder", 1);
  EXPECT_TRUE(says(refusal({program("misbehave"), "silent"}, 1), "TMPDIR"));
  unsetenv("TMPDIR");
  fs::remove(folder);
}

}  // namespace
}  // namespace gable::points::tests
