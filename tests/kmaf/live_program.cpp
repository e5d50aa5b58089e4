// Handling of a program before and after it starts.

#include "kmaf/live/program/program.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace gable::kmaf::live {
namespace {

// Before it has started, too.
TEST(Program, GetsTheSignalsThatAskItsManagerToEnd) {
  for (const int number : {SIGTERM, SIGINT, SIGQUIT}) {
    signal(number, SIG_DFL);  // jobs of a shell in the background ignore some
    Program program({"sleep", "60"}, [] {
      signal(SIGINT, SIG_DFL);
      signal(SIGQUIT, SIG_DFL);
    });
    kill(getpid(), number);
    program.go();
    std::optional<Ending> ending;
    while (!(ending = program.ended())) usleep(1000);
    EXPECT_EQ(ending->signal, number);
  }
}

Ending ending_of(const std::vector<std::string>& command) {
  Program program(command, {});
  program.go();
  std::optional<Ending> ending;
  while (!(ending = program.ended())) usleep(1000);
  return *ending;
}

TEST(Program, EndsWithItsStatusOrItsSignal) {
  const Ending exited = ending_of({"sh", "-c", "exit 3"});
  EXPECT_EQ(exited.status, 3);
  EXPECT_EQ(exited.signal, 0);
  EXPECT_GT(exited.seconds, 0);
  EXPECT_GE(exited.cpu_seconds, 0);
  const Ending killed = ending_of({"sh", "-c", "kill -9 $$"});
  EXPECT_EQ(killed.status, 128 + SIGKILL);
  EXPECT_EQ(killed.signal, SIGKILL);
}

TEST(Program, ThatCannotBeExecutedIsAnError) {
  Program program({"/no/such/program"}, {});
  try {
    program.go();
    ADD_FAILURE();
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), ENOENT) << error.what();
  }
}

// The copy must not go on with the manager's work.
TEST(Program, ThatRunsOutOfMemoryBeforeItsStartIsAnError) {
  Program program({"true"}, [] { throw std::bad_alloc(); });
  try {
    program.go();
    ADD_FAILURE();
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), ENOMEM) << error.what();
  }
}

TEST(Program, LeavesTheHandlingOfSignalsAsItWas) {
  signal(SIGTERM, SIG_IGN);
  ending_of({"true"});
  EXPECT_EQ(signal(SIGTERM, SIG_DFL), SIG_IGN);
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGTERM), 0);
}

}  // namespace
}  // namespace gable::kmaf::live
