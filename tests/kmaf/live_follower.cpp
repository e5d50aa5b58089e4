// Programs that are started and followed: events that the kernel loses are counted, and addresses are fixed.

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "kmaf/live/program/inherited.hpp"
#include "kmaf/live/samplers/perf_events.hpp"
#include "kmaf/live/samplers/sampler.hpp"

namespace gable::kmaf::live {
namespace {

// More threads start and end on one hardware thread than its buffer holds, without a read.
TEST(Follower, CountsLostEvents) {
  if (PerfEvents::refusal(PerfEvents::What::tasks) != 0) GTEST_SKIP() << "perf is not allowed here";
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t program = fork();
  if (program == 0) {
    char go = 0;
    const int cpu = sched_getcpu();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(cpu), &one);
    sched_setaffinity(0, sizeof one, &one);
    if (read(ends[0], &go, 1) == 1)
      execlp("sh", "sh", "-c", "i=0; while [ $i -lt 7000 ]; do (:); i=$((i+1)); done; kill -STOP $$; (:)",
             nullptr);
    _exit(1);
  }
  const auto follower = make_follower();
  follower->attach(program);
  EXPECT_EQ(write(ends[1], "g", 1), 1);
  int status = -1;
  waitpid(program, &status, WUNTRACED);
  EXPECT_TRUE(WIFSTOPPED(status));
  follower->read();
  kill(program, SIGCONT);  // the kernel reports it with the next event
  waitpid(program, &status, 0);
  EXPECT_EQ(status, 0);
  follower->read();
  close(ends[0]);
  close(ends[1]);
  EXPECT_GT(follower->lost(), 0u);
}

// A program that inherits it has its stack at the same address in both runs.
TEST(Inherited, AddressesAreFixed) {
  if (fix_addresses_refusal() != 0) GTEST_SKIP() << "personality is refused here";
  const auto stack_of_a_program = [] {
    int ends[2];
    if (pipe(ends) != 0) return std::string();
    if (fork() == 0) {
      fix_addresses();
      dup2(ends[1], STDOUT_FILENO);
      execlp("grep", "grep", "-F", "[stack]", "/proc/self/maps", nullptr);
      _exit(1);
    }
    close(ends[1]);
    std::string text(256, 0);
    const ssize_t got = read(ends[0], text.data(), text.size());
    close(ends[0]);
    return text.substr(0, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  };
  const std::string first = stack_of_a_program();
  EXPECT_NE(first, "");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(stack_of_a_program(), first);
}

}  // namespace
}  // namespace gable::kmaf::live
