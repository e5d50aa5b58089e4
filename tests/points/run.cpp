// Running a program: how it ended, and the signals that reach it.

#include "points/run.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <string>

#include "points/counters/counts.hpp"

namespace gable::points {
namespace {

TEST(Run, AProgramEndsWithItsStatusOrItsSignal) {
  const Ending exited = run({"sh", "-c", "exit $CODE"}, {"CODE=3"});
  EXPECT_EQ(exited.status, 3);
  EXPECT_EQ(exited.signal, 0);
  EXPECT_EQ(in_words(exited), "ended with exit status 3");
  const Ending killed = run({"sh", "-c", "kill -9 $$"}, {});
  EXPECT_EQ(killed.status, 128 + SIGKILL);
  EXPECT_EQ(in_words(killed), "was killed by signal 9 (Killed)");
  EXPECT_THROW(require_success("it", killed), ProgramError);
}

// The program sends them to this process.
TEST(Run, SignalsOfProcessesArePassedOn) {
  for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) {
    signal(number, SIG_DFL);  // jobs of a shell in the background ignore some
    const std::string command = "ulimit -c 0; kill -" + std::to_string(number) + " $PPID; exec sleep 3";
    EXPECT_EQ(run({"sh", "-c", command}, {}).signal, number);
  }
}

}  // namespace
}  // namespace gable::points
