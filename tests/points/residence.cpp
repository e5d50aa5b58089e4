// Location of pages of programs with known memory.

#include "points/residence.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "base/temporary_folder.hpp"
#include "machines/affinity.hpp"
#include "machines/machine.hpp"
#include "points/run.hpp"

namespace gable::points {
namespace {

std::uint64_t bytes_of(const Residence& residence) {
  std::uint64_t sum = 0;
  for (const auto& [node, bytes] : residence.node_bytes) sum += bytes;
  return sum;
}

const std::string touches = std::string(GABLE_PROGRAMS) + "/touches";

// A grandchild holds 64 MiB for a second.
TEST(Residence, SeesTheProcessTree) {
  Residence residence;
  for (int i = 0; i < 10 && (residence.threads == 0 || residence.node_bytes.empty()); ++i) {
    ResidenceWatch watch;
    const Ending ending = run({"/bin/sh", "-c", touches + " 65536 1000 first; exit $?"}, {});
    residence = watch.stop(ending);
    ASSERT_EQ(ending.status, 0);
    if (residence.samples == 0) GTEST_SKIP() << "/proc shows no numa_maps here";
  }
  ASSERT_EQ(residence.too_little_seen, "") << "in ten runs";
  EXPECT_GT(bytes_of(residence), 60u << 20);
  EXPECT_LT(bytes_of(residence), 70u << 20);
  EXPECT_EQ(residence.processes.size(), 2u);
  EXPECT_EQ(residence.threads, 1) << "the shell only waits";
}

// A size is right or not known, however short the program lives.
TEST(Residence, NoSizeIsAnotherThanTheProgramS) {
  for (const std::uint64_t mib : {8, 64}) {
    for (const char* const milliseconds : {"0", "5", "20"}) {
      for (const char* const when : {"first", "last"}) {
        ResidenceWatch watch;
        const Ending ending = run({touches, std::to_string(mib << 10), milliseconds, when}, {});
        const Residence residence = watch.stop(ending);
        ASSERT_EQ(ending.status, 0);
        const auto bytes = static_cast<double>(bytes_of(residence)), held = static_cast<double>(mib << 20);
        if (bytes == 0) {
          EXPECT_TRUE(residence.samples == 0 || !residence.too_little_seen.empty());
          continue;
        }
        EXPECT_EQ(residence.too_little_seen, "");
        EXPECT_GT(bytes, 0.8 * held) << milliseconds << " ms, " << when;
        EXPECT_LT(bytes, 1.2 * held) << milliseconds << " ms, " << when;
      }
    }
  }
}

// A process before its exec, which may take long on a busy machine, still has the memory of its
// parent.
TEST(Residence, OurOwnPagesAreNotThoseOfTheProgram) {
  const std::vector<char> ours(64 << 20, 1);
  ResidenceWatch watch;
  const pid_t child = vfork();  // NOLINT(bugprone-unsafe-functions): the child has this process's memory
  if (child == 0) {
    usleep(200000);
    execl("/bin/sleep", "sleep", "0.2", nullptr);
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  const Residence residence = watch.stop({});
  if (residence.samples == 0) GTEST_SKIP() << "/proc shows no numa_maps here";
  EXPECT_LT(bytes_of(residence), ours.size() / 8);
}

// `gable kmaf run`, here a script that holds 64 MiB, and the program that it started.
TEST(Residence, TheManagerIsNotTheProgram) {
  const TemporaryFolder folder("manager");
  std::ofstream(folder.path / "kmaf")
      << "x=$(head -c 67108864 /dev/zero | tr '\\0' x)\nsleep 0.7\nexit ${#x}\n";
  ResidenceWatch watch;
  const std::string start = "cd '" + folder.path.string() + "' && exec -a /x/gable bash kmaf run -- sleep";
  const Ending ending = run({"/bin/bash", "-c", start}, {});
  ASSERT_EQ(ending.status, 67108864 % 256);
  const Residence residence = watch.stop(ending);
  if (residence.samples == 0) GTEST_SKIP() << "/proc shows no numa_maps here";
  EXPECT_LT(bytes_of(residence), 32u << 20);
  for (const ProcessPlaces& process : residence.processes) EXPECT_NE(process.command.front(), "/x/gable");
}

TEST(Residence, AThreadRanWhereItIsBound) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  unsigned last = 0;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) last = CPU_ISSET(cpu, &allowed) ? cpu : last;
  ResidenceWatch watch;
  const std::string busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
  const Ending ending = run({"/usr/bin/taskset", "-c", std::to_string(last), "/bin/sh", "-c", busy}, {});
  ASSERT_EQ(ending.status, 0);
  const Residence residence = watch.stop(ending);
  const auto shell = std::ranges::find_if(
      residence.processes, [](const ProcessPlaces& process) { return process.command.front() == "/bin/sh"; });
  if (shell == residence.processes.end() || shell->threads.empty()) GTEST_SKIP() << "it was not observed";
  ASSERT_EQ(shell->threads.size(), 1u);
  ASSERT_EQ(shell->threads.front().size(), 1u);
  EXPECT_EQ(shell->threads.front().begin()->first, last);
}

// Shell loops that work one after the other, and two of them on one CPU.
TEST(Residence, ThreadsAreThoseThatWorkAtOnce) {
  std::ifstream schedstat("/proc/self/schedstat");
  std::uint64_t running = 0;
  if (!(schedstat >> running) || running == 0) GTEST_SKIP() << "the kernel does not tell who waits for a CPU";
  const std::string loop = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
  const auto seen = [](const std::vector<std::string>& command) {
    ResidenceWatch watch({}, machines::this_machine().clusters);
    const Ending ending = run(command, {});
    EXPECT_EQ(ending.status, 0);
    return watch.stop(ending);
  };
  Residence after, shared;
  for (int i = 0; i < 5 && after.threads == 0; ++i)
    after = seen({"/bin/sh", "-c", "(" + loop + "); " + loop + "; (" + loop + ")"});
  if (after.samples == 0) GTEST_SKIP() << "/proc shows no numa_maps here";
  EXPECT_LE(after.threads, 1) << "one after the other";
  const std::string cpu = std::to_string(machines::affinity_of(0).back());
  for (int i = 0; i < 5 && shared.threads == 0; ++i)
    shared = seen({"/usr/bin/taskset", "-c", cpu, "/bin/sh", "-c", loop + " & " + loop + "; wait"});
  if (after.threads == 0 || shared.threads == 0) GTEST_SKIP() << "they were seen too rarely";
  EXPECT_EQ(shared.threads, 2);
  EXPECT_EQ(shared.cores, 1);
}

TEST(Residence, NothingStartedIsNothingSeen) {
  ResidenceWatch watch;
  const Residence residence = watch.stop({});
  EXPECT_EQ(residence.samples, 0);
  EXPECT_TRUE(residence.node_bytes.empty());
}

}  // namespace
}  // namespace gable::points
