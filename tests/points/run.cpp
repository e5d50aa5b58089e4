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

// A loop of a shell computes; dd of zeros spends its time in system calls.
TEST(Run, AProgramsUseOfTheKernelIsKnown) {
  const Usage idle = run({"sleep", "0.1"}, {}).usage;
  EXPECT_LT(idle.user_seconds + idle.kernel_seconds, 0.1);
  EXPECT_GT(idle.page_faults, 10) << "every program faults its own code in";
  const Usage busy = run({"sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done"}, {}).usage;
  EXPECT_GT(busy.user_seconds, 5 * busy.kernel_seconds);
  const Usage calls =
      run({"dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=1000", "status=none"}, {}).usage;
  EXPECT_GT(calls.kernel_seconds, 5 * calls.user_seconds);
  Usage both = busy;
  both += calls;
  EXPECT_DOUBLE_EQ(both.page_faults, busy.page_faults + calls.page_faults);
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
