// Location of pages: from texts in the kernel's format, and of a program with known memory.

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
#include "points/run.hpp"

namespace gable::points {
namespace {

constexpr const char* maps =
    "558a00000000-558a00001000 r-xp 00000000 fe:00 1 /home/me/my app\n"
    "558a00002000-558a00003000 rw-p 00002000 fe:00 1 /home/me/my app\n"
    "7f0000000000-7f0000400000 rw-p 00000000 00:00 0 \n"
    "7f1000000000-7f1000400000 r--s 00000000 fe:00 2 /data/graph.bin\n"
    "7f2000000000-7f2000001000 r-xp 00000000 fe:00 3 /usr/lib/libc.so.6\n";

TEST(Residence, DataCountsAndCodeDoesNot) {
  const std::string numa_maps =
      "558a00000000 default file=/home/me/my\\040app mapped=10 N0=10 kernelpagesize_kB=4\n"
      "558a00002000 default file=/home/me/my\\040app anon=2 dirty=2 N0=2 kernelpagesize_kB=4\n"
      "558a00003000 default heap anon=7 dirty=7 N0=3 N1=4 kernelpagesize_kB=4\n"
      "7f0000000000 interleave:0-1 anon=1024 dirty=1024 N0=512 N1=512 kernelpagesize_kB=4\n"
      "7f0800000000 default huge anon=3 dirty=3 N2=3 kernelpagesize_kB=2048\n"
      "7f1000000000 default file=/data/graph.bin mapped=100 N1=100 kernelpagesize_kB=4\n"
      "7f2000000000 default file=/usr/lib/libc.so.6 mapped=300 mapmax=30 N0=300 kernelpagesize_kB=4\n"
      "7ffc00000000 default stack anon=3 dirty=3 N0=3 kernelpagesize_kB=4\n"
      "7ffc00100000 default\n";
  const std::map<int, std::uint64_t> expected = {
      {0, (3 + 512 + 3) * 4096}, {1, (4 + 512 + 100) * 4096}, {2, 3 * 2097152}};
  EXPECT_EQ(resident_bytes(numa_maps, maps), expected);
}

TEST(Residence, NonsenseIsNoPages) {
  EXPECT_TRUE(resident_bytes("", "").empty());
  EXPECT_TRUE(resident_bytes("N0 N=3 Nx=3 N1= N1=-4 N1=x file= =\n\n\x01", "x\n").empty());
}

// A grandchild holds 64 MiB for a second.
TEST(Residence, SeesTheProcessTree) {
  ResidenceWatch watch;
  const char* const hold = "head -c 67108864 /dev/zero | (x=$(tr '\\0' x); sleep 0.7; test ${#x} = 67108864)";
  const Ending ending = run({"/bin/bash", "-c", hold}, {});
  const Residence residence = watch.stop();
  ASSERT_EQ(ending.status, 0);
  if (residence.samples == 0) GTEST_SKIP() << "/proc shows no numa_maps here";
  std::uint64_t bytes = 0;
  for (const auto& [node, more] : residence.node_bytes) bytes += more;
  EXPECT_GT(bytes, 32u << 20);
  EXPECT_LT(bytes, 400u << 20);
  EXPECT_GE(residence.threads, 2);
}

// A process before its exec, which may take long on a busy machine, still has the memory of its
// parent.
TEST(Residence, OurOwnPagesAreNotThoseOfTheProgram) {
  const std::vector<char> ours(64 << 20, 1);
  ResidenceWatch watch;
  const pid_t child = vfork();
  if (child == 0) {
    usleep(200000);
    execl("/bin/sleep", "sleep", "0.2", nullptr);
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  const Residence residence = watch.stop();
  if (residence.samples == 0) GTEST_SKIP() << "/proc shows no numa_maps here";
  std::uint64_t bytes = 0;
  for (const auto& [node, more] : residence.node_bytes) bytes += more;
  EXPECT_LT(bytes, ours.size() / 8);
}

// `gable kmaf run`, here a script that holds 64 MiB, and the program that it started.
TEST(Residence, TheManagerIsNotTheProgram) {
  const TemporaryFolder folder("manager");
  std::ofstream(folder.path / "kmaf")
      << "x=$(head -c 67108864 /dev/zero | tr '\\0' x)\nsleep 0.7\nexit ${#x}\n";
  ResidenceWatch watch;
  const std::string start = "cd '" + folder.path.string() + "' && exec -a /x/gable bash kmaf run -- sleep";
  ASSERT_EQ(run({"/bin/bash", "-c", start}, {}).status, 67108864 % 256);
  const Residence residence = watch.stop();
  if (residence.samples == 0) GTEST_SKIP() << "/proc shows no numa_maps here";
  std::uint64_t bytes = 0;
  for (const auto& [node, more] : residence.node_bytes) bytes += more;
  EXPECT_LT(bytes, 32u << 20);
  for (const ProcessPlaces& process : residence.processes) EXPECT_NE(process.command.front(), "/x/gable");
}

TEST(Residence, AThreadRanWhereItIsBound) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  unsigned last = 0;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) last = CPU_ISSET(cpu, &allowed) ? cpu : last;
  ResidenceWatch watch;
  const std::string busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
  ASSERT_EQ(run({"/usr/bin/taskset", "-c", std::to_string(last), "/bin/sh", "-c", busy}, {}).status, 0);
  const Residence residence = watch.stop();
  const auto shell = std::ranges::find_if(
      residence.processes, [](const ProcessPlaces& process) { return process.command.front() == "/bin/sh"; });
  if (shell == residence.processes.end()) GTEST_SKIP() << "it was not observed";
  ASSERT_EQ(shell->threads.size(), 1u);
  ASSERT_EQ(shell->threads.front().size(), 1u);
  EXPECT_EQ(shell->threads.front().begin()->first, last);
}

TEST(Residence, NothingStartedIsNothingSeen) {
  ResidenceWatch watch;
  const Residence residence = watch.stop();
  EXPECT_EQ(residence.samples, 0);
  EXPECT_TRUE(residence.node_bytes.empty());
}

}  // namespace
}  // namespace gable::points
