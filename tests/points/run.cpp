// Running a program: how it ended, and the signals that reach it.

#include "points/run.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/temporary_folder.hpp"
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
  EXPECT_THROW(require_success("it", killed), Error);
}

// A loop of a shell computes; dd of zeros spends its time in system calls.
TEST(Run, AProgramsUseOfTheKernelIsKnown) {
  const Ending idle = run({"sleep", "0.3"}, {});
  EXPECT_LT(idle.usage.user_seconds + idle.usage.kernel_seconds, 0.5 * idle.seconds);
  EXPECT_GT(idle.usage.page_faults, 10) << "every program faults its own code in";
  const Usage busy = run({"sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done"}, {}).usage;
  EXPECT_GT(busy.user_seconds, 5 * busy.kernel_seconds);
  // Long enough for many ticks: the kernel tells user from kernel time by what it finds at each.
  const Usage calls =
      run({"dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=30000", "status=none"}, {}).usage;
  EXPECT_GT(calls.kernel_seconds, 5 * calls.user_seconds);
  Usage both = busy;
  both += calls;
  EXPECT_DOUBLE_EQ(both.page_faults, busy.page_faults + calls.page_faults);
}

// The peak is that of a program larger than the copy of this process from which it starts, not that of this
// process.
TEST(Run, APeakIsTheProgramsOwn) {
  constexpr std::uint64_t mib = 1 << 20;
  const std::vector<std::string> touches = {std::string(GABLE_PROGRAMS) + "/touches", "262144", "0", "first"};
  const Peak own = run(touches, {}).peak;
  EXPECT_GT(own.copy_bytes, 0u);
  EXPECT_GT(own.bytes, 250 * mib);
  EXPECT_LT(own.bytes, std::max(own.copy_bytes + 30 * mib, 280 * mib));
  const std::vector<char> ours(400 * mib, 1);
  const Peak hidden = run(touches, {}).peak;
  EXPECT_GT(hidden.copy_bytes, ours.size() - 30 * mib);
  EXPECT_GT(hidden.bytes, ours.size() - 30 * mib);
}

TEST(Run, WhatCannotBeExecutedIsTold) {
  const TemporaryFolder folder("broken");
  const std::string file = folder.path / "broken";
  std::ofstream(file) << "\x7f"
                         "ELF";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  try {
    run({file}, {});
    FAIL() << "it ran";
  } catch (const Error& error) {
    EXPECT_EQ(error.status, 126);
    EXPECT_NE(std::string(error.what()).find("Exec format error"), std::string::npos) << error.what();
  }
}

// The program sends them to this process.
TEST(Run, SignalsOfProcessesArePassedOn) {
  for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) {
    signal(number, SIG_DFL);  // jobs of a shell in the background ignore some
    const std::string command = "ulimit -c 0; kill -" + std::to_string(number) + " $PPID; exec sleep 60";
    EXPECT_EQ(run({"sh", "-c", command}, {}).signal, number);
  }
}

}  // namespace
}  // namespace gable::points
