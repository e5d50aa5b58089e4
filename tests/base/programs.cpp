// Running programs: how they start and end, their outputs, and the signals that reach them.

#include "base/programs/program.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace gable {
namespace {

Ending ending_of(const std::vector<std::string>& command) {
  return RunningProgram({.command = command}).finish();
}

// The error number with which it could not be started; 0 if it was.
int fault_of(const ProgramCall& call) {
  try {
    RunningProgram program(call);
    program.go();
  } catch (const std::system_error& error) {
    return error.code().value();
  }
  return 0;
}

// A program gets them before it has started, too.
TEST(Programs, GetTheSignalsThatAskThisProcessToEnd) {
  for (const int number : {SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1}) {
    signal(number, SIG_DFL);  // jobs of a shell in the background ignore some
    RunningProgram program({.command = {"sleep", "60"}, .waits = true});
    kill(getpid(), number);
    program.go();
    EXPECT_EQ(program.finish().signal, number);
  }
}

TEST(Programs, EndWithTheirStatusOrTheirSignal) {
  const Ending exited = ending_of({"sh", "-c", "exit 3"});
  EXPECT_EQ(exited.status, 3);
  EXPECT_EQ(exited.signal, 0);
  EXPECT_GT(exited.seconds, 0);
  EXPECT_GE(exited.usage.cpu_seconds(), 0);
  const Ending killed = ending_of({"sh", "-c", "kill -9 $$"});
  EXPECT_EQ(killed.status, 128 + SIGKILL);
  EXPECT_EQ(killed.signal, SIGKILL);
}

TEST(Programs, RunUntilTheyEnd) {
  RunningProgram program({.command = {"sleep", "60"}});
  EXPECT_FALSE(program.ended());
  program.send(SIGKILL, false);
  EXPECT_EQ(program.finish().signal, SIGKILL);
  EXPECT_EQ(program.ended()->signal, SIGKILL);
}

TEST(Programs, ThatCannotBeExecutedAreErrors) {
  EXPECT_EQ(fault_of({.command = {"/no/such/program"}}), ENOENT);
  EXPECT_EQ(fault_of({.command = {"/no/such/program"}, .waits = true}), ENOENT);
  // The copy must not go on with this process's work.
  EXPECT_EQ(fault_of({.command = {"true"}, .prepare = [] { throw std::bad_alloc(); }}), ENOMEM);
}

TEST(Programs, LeaveTheHandlingOfSignalsAsItWas) {
  signal(SIGTERM, SIG_IGN);
  ending_of({"true"});
  EXPECT_EQ(signal(SIGTERM, SIG_DFL), SIG_IGN);
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGTERM), 0);
}

// Gable itself ignores them, which a program must not inherit.
TEST(Programs, AreEndedByClosedPipes) {
  signal(SIGPIPE, SIG_IGN);
  const Captured status = output_of({"sh", "-c", "(sh -c 'kill -PIPE $$'); echo $?"});
  signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(status.output, std::to_string(128 + SIGPIPE) + "\n");
}

TEST(Programs, OutputsComeApartOrTogether) {
  const std::vector<std::string> speaks = {"sh", "-c", "echo a; echo b >&2; cat; exit 3"};
  const Captured apart = output_of(speaks), together = output_of(speaks, Outputs::together);
  EXPECT_EQ(apart.status, 3);
  EXPECT_EQ(apart.output, "a\n");
  EXPECT_EQ(apart.errors, "b\n");
  EXPECT_EQ(together.output, "a\nb\n");
  EXPECT_EQ(output_of({"/no/such/program"}).status, 127);
  EXPECT_EQ(output_of({"/no/such/program"}).error, ENOENT);
}

TEST(Programs, RunInAFolderAndWithoutVariables) {
  setenv("GABLE_TEST_LEFT_OUT", "1", 1);
  setenv("GABLE_TEST_KEPT", "2", 1);
  const Captured told = output_of({.command = {"sh", "-c", "pwd; echo $GABLE_TEST_LEFT_OUT $GABLE_TEST_KEPT"},
                                   .without = {"GABLE_TEST_LEFT"},
                                   .folder = "/proc/self",
                                   .outputs = Outputs::apart});
  unsetenv("GABLE_TEST_LEFT_OUT");
  unsetenv("GABLE_TEST_KEPT");
  EXPECT_TRUE(told.output.starts_with("/proc/") && told.output.ends_with("\n2\n")) << told.output;
  const Captured nowhere =
      output_of({.command = {"true"}, .folder = "/no/such/folder", .outputs = Outputs::apart});
  EXPECT_EQ(nowhere.error, ENOENT);
}

TEST(Programs, WhoseOutputsAreReadCanBeEnded) {
  RunningProgram program({.command = {"sleep", "100"}, .outputs = Outputs::apart});
  EXPECT_TRUE(program.wait(0.05));
  program.send(SIGTERM);
  while (program.wait(1)) {
  }
  EXPECT_EQ(program.finish().status, 128 + SIGTERM);
}

TEST(Lines, AreTakenWhenTheyAreComplete) {
  std::string text = "a\n\nb\nc";
  EXPECT_EQ(take_lines(text, false), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(text, "c");
  EXPECT_EQ(take_lines(text, true), std::vector<std::string>{"c"});
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace gable
