// The Valgrind counter: counts of several processes and threads.

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/files.hpp"
#include "points/processes.hpp"
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

// The processes that run a program of this name under the tool.
std::vector<int> processes_of(const std::string& name) {
  std::vector<int> pids;
  for (const int pid : numbers_in("/proc")) {
    const std::vector<std::string> command = command_of(pid);
    if (std::ranges::find(command, name) != command.end() && pid != getpid()) pids.push_back(pid);
  }
  return pids;
}

// A copy of its own, whose processes are found by its name.
TEST_F(Valgrind, WhatRunsOnIsRefusedAndEnded) {
  const fs::path copy = fs::path(testing::TempDir()) / ("daemon_" + std::to_string(getpid()));
  fs::copy_file(program("misbehave"), copy);
  const std::string why = refusal({copy, "daemon"}, 1);
  EXPECT_TRUE(says(why, "still running after the program's end")) << why;
  EXPECT_TRUE(processes_of(copy).empty()) << "a Valgrind process stays behind";
  fs::remove(copy);
}

TEST_F(Valgrind, TellsHowOftenAProgramAskedForTheTime) {
  const Counts asks = count({program("misbehave"), "ask_the_time"});
  EXPECT_EQ(asks.clock_reads, count({program("misbehave"), "silent"}).clock_reads + 7);
  EXPECT_GT(asks.user_seconds, 0);
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
  setenv("DIVISIONS", "1234", 1);
  const Counts counts = count({"sh", "-c", "exec \"$0\" silent \"$DIVISIONS\"", program("misbehave")});
  unsetenv("DIVISIONS");
  EXPECT_EQ(divisions(counts.total), 1234u);
}

TEST_F(Valgrind, LeavesNoFilesBehind) {
  const fs::path folder = fs::path(testing::TempDir()) / ("empty_" + std::to_string(getpid()));
  fs::create_directory(folder);
  setenv("TMPDIR", folder.c_str(), 1);
  count({program("misbehave"), "fork"});
  EXPECT_TRUE(fs::is_empty(folder));
  const fs::path odd = folder / "100% %p %";
  fs::create_directory(odd);
  setenv("TMPDIR", odd.c_str(), 1);
  EXPECT_EQ(divisions(count({program("misbehave"), "silent"}).total), 10u);
  EXPECT_TRUE(fs::is_empty(odd));
  fs::remove(odd);
  setenv("TMPDIR", "/no/such/folder", 1);
  EXPECT_TRUE(says(refusal({program("misbehave"), "silent"}, 1), "TMPDIR"));
  unsetenv("TMPDIR");
  fs::remove(folder);
}

}  // namespace
}  // namespace gable::points::tests
