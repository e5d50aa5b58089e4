// Writes that are seen through userfaultfd: what may be protected, what samples say, and that programs that
// are hard on whoever protects their pages compute what they should.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "kmaf/live/address_space.hpp"
#include "kmaf/live/program.hpp"
#include "kmaf/live/samplers/samplers.hpp"
#include "kmaf/live/userfault.hpp"
#include "kmaf/live/visitor.hpp"
#include "kmaf/live/written_ranges.hpp"

namespace gable::kmaf::live {
namespace {

namespace fs = std::filesystem;

TEST(Watchable, IsPrivateAnonymousAndWritable) {
  const auto ranges =
      watchable(parse_maps("55d000000000-55d000040000 rw-p 00020000 fe:01 1234 /bin/program\n"
                           "55d000040000-55d000080000 rw-p 00000000 00:00 0 \n"
                           "55d0a0000000-55d0a0040000 rw-p 00000000 00:00 0 [heap]\n"
                           "7f0000000000-7f0000010000 rw-p 00000000 00:00 0 [anon:array]\n"
                           "7f0000010000-7f000001f000 rw-p 00000000 00:00 0 \n"
                           "7f0000100000-7f0000200000 r--p 00000000 00:00 0 \n"
                           "7f0000200000-7f0000300000 rw-s 00000000 00:01 77 /dev/zero (deleted)\n"
                           "7f0000300000-7f0000400000 rwxp 00000000 00:00 0 \n"
                           "7f0000400000-7f0000500000 ---p 00000000 00:00 0 \n"
                           "7f0000600000-7f0000800000 rw-p 00000000 00:0f 31 /anon_hugepage (deleted)\n"
                           "7ffd00000000-7ffd00100000 rw-p 00000000 00:00 0 [stack]\n"
                           "7ffd00200000-7ffd00220000 rw-p 00000000 00:00 0 [vvar]\n"));
  const std::vector<AddressRange> expected = {
      {0x55d000040000, 0x55d000080000}, {0x55d0a0000000, 0x55d0a0040000}, {0x7f0000000000, 0x7f0000010000}};
  EXPECT_EQ(ranges, expected) << "of its own file, of 60 KiB, and so on are not";
}

// A stack, its control block at the end, and an array above it are one mapping where nothing lies between
// them.
TEST(Protectable, BeginsBehindTheLastControlBlock) {
  const std::vector<AddressRange> watched = {{0x10000, 0x40000}, {0x50000, 0x60000}};
  EXPECT_EQ(protectable(watched, {}, 0x1000), watched);
  EXPECT_EQ(protectable(watched, {0x186c0}, 0x1000),
            (std::vector<AddressRange>{{0x1a000, 0x40000}, {0x50000, 0x60000}}));
  EXPECT_EQ(protectable(watched, {0x206c0, 0x186c0}, 0x1000),
            (std::vector<AddressRange>{{0x22000, 0x40000}, {0x50000, 0x60000}}));
  EXPECT_EQ(protectable(watched, {0x3f6c0, 0x5fff8}, 0x1000), std::vector<AddressRange>{});
  EXPECT_EQ(protectable(watched, {0x4fff0}, 0x1000),
            (std::vector<AddressRange>{{0x10000, 0x40000}, {0x51000, 0x60000}}))
      << "the number of a thread is a little behind where its block begins";
}

TEST(UnitsAt, StayWithinTheirRange) {
  const Stretch ranges({{0x201000, 0x203000}, {0x3ff000, 0x800000}});
  EXPECT_EQ(ranges.bytes(), 0x403000u);
  using Units = std::vector<AddressRange>;
  EXPECT_EQ(ranges.units_at(0x10, 0x1000, 1), (Units{{0x201000, 0x202000}}));
  EXPECT_EQ(ranges.units_at(0x1fff, 0x1000, 4), (Units{{0x202000, 0x203000}}));
  EXPECT_EQ(ranges.units_at(0x2000, 0x1000, 2), (Units{{0x3ff000, 0x400000}, {0x400000, 0x401000}}));
  EXPECT_EQ(ranges.units_at(0x10, 0x200000, 2), (Units{{0x201000, 0x203000}}));
  EXPECT_EQ(ranges.units_at(0x2000, 0x200000, 2), (Units{{0x3ff000, 0x400000}, {0x400000, 0x600000}}));
  EXPECT_EQ(ranges.units_at(0x3000, 0x200000, 1), (Units{{0x400000, 0x600000}}));
  EXPECT_EQ(ranges.units_at(0x2000 + 0x401000, 0x1000, 1), Units{});
}

TEST(TakesMemory, ByWhatIsOpen) {
  for (const char* const link : {"/dev/infiniband/uverbs0", "/dev/nvidia0", "/dev/vfio/vfio",
                                 "/dev/dri/card0", "anon_inode:[io_uring]", "anon_inode:[userfaultfd]"})
    EXPECT_TRUE(takes_memory(link)) << link;
  for (const char* const link : {"/dev/null", "/dev/pts/3", "/dev/shm/x", "/dev/urandom", "/home/me/data",
                                 "pipe:[17]", "socket:[8]", "anon_inode:[eventpoll]", ""})
    EXPECT_FALSE(takes_memory(link)) << link;
}

TEST(LoadsDevice, ByWhatIsMapped) {
  const std::string libc = "7f00-7f01 r-xp 00000000 fe:01 7 /usr/lib/x86_64-linux-gnu/libc.so.6\n";
  EXPECT_FALSE(loads_device(libc));
  for (const char* const name : {"libibverbs.so.1.14.44.0", "libcuda.so.535.54", "liburing.so.2.3"})
    EXPECT_TRUE(loads_device(libc + "7f02-7f03 r-xp 00000000 fe:01 8 /usr/lib/" + name + "\n")) << name;
}

class WriteFaults : public testing::Test {
 protected:
  WriteFaults() : output_(fs::temp_directory_path() / ("gable_written_" + std::to_string(getpid()))) {}
  ~WriteFaults() override { fs::remove(output_); }

  void SetUp() override {
    Settings settings("/");
    Offer offer = write_faults_sampler.make(settings, 0.01);
    sampler_ = std::move(offer.sampler);
    if (!sampler_) GTEST_SKIP() << offer.missing.what << " " << offer.missing.command;
  }

  // What tests/kmaf/written.c does in a mode, with so many pages protected in a second. Its words are in
  // words_.
  Ending run(const std::string& mode, double per_second, unsigned unit_bytes = 4096) {
    const std::string program = fs::read_symlink("/proc/self/exe").parent_path() / "written";
    Program running({program, mode, "1500"}, [&] {
      const int file = open(output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      dup2(file, STDOUT_FILENO);
      close(file);
      sampler_->prepare();
    });
    sampler_->set_unit(unit_bytes);
    sampler_->attach(running.pid());
    sampler_->set_rate(per_second, 0);
    running.go();
    std::optional<Ending> ending;
    while (!ending) {
      usleep(5000);
      ending = running.ended();
      for (const Event& event : sampler_->read()) {
        if (event.kind == Event::Kind::access) samples_.push_back(event);
      }
    }
    ended_ = sampler_->finish();
    std::ifstream file(output_);
    std::ostringstream text;
    text << file.rdbuf();
    words_ = text.str();
    return *ending;
  }
  bool said(const std::string& what) const {
    for (const std::string& note : ended_.notes) {
      if (note.find(what) != std::string::npos) return true;
    }
    return false;
  }
  // Samples of the memory that the only writer in words_ has told of.
  long samples_of_the_writer() const {
    const auto all = writers();
    if (all.size() != 1) return 0;
    const Writer& its = all.begin()->second;
    return std::count_if(samples_.begin(), samples_.end(), [&](const Event& event) {
      return event.tid == its.tid && event.address >= its.first &&
             event.address < its.first + its.pages * 4096;
    });
  }
  // It ended well and everything was right.
  void expect_right(const Ending& ending) const {
    EXPECT_EQ(ending.status, 0);
    EXPECT_NE(words_.find("right"), std::string::npos) << words_;
    EXPECT_TRUE(ended_.managed);
  }

  struct Writer {
    pid_t tid = 0;
    unsigned pu = 0;
    std::uint64_t first = 0, pages = 0;
    int byte = 0;
  };
  std::map<pid_t, Writer> writers() const {
    std::map<pid_t, Writer> all;
    std::istringstream lines(words_);
    for (Writer each; lines >> each.tid >> each.pu >> each.first >> each.pages >> each.byte;)
      all[each.tid] = each;
    return all;
  }

  fs::path output_;
  std::unique_ptr<Sampler> sampler_;
  Events samples_;
  Sampler::Ended ended_;
  std::string words_;
};

TEST_F(WriteFaults, TellWhoWroteWhichByteWhere) {
  expect_right(run("pages", 2000));
  const auto all = writers();
  ASSERT_EQ(all.size(), 3u);
  std::map<pid_t, std::set<std::uint64_t>> pages;
  for (const Event& event : samples_) {
    const auto writer = all.find(event.tid);
    if (writer == all.end()) continue;
    const Writer& its = writer->second;
    for (const auto& [other, theirs] : all) {
      const bool in_theirs =
          event.address >= theirs.first && event.address < theirs.first + theirs.pages * 4096;
      EXPECT_FALSE(other != event.tid && in_theirs);
    }
    if (event.address < its.first || event.address >= its.first + its.pages * 4096) continue;
    EXPECT_EQ(event.pu, its.pu);
    EXPECT_EQ(event.address % 4096, static_cast<std::uint64_t>(its.byte));
    pages[event.tid].insert(event.address / 4096);
  }
  for (const auto& [tid, writer] : all) EXPECT_GE(pages[tid].size(), 32u) << "of 64";
}

// 2 MiB units, of which one write is one sample, whatever else is in them.
TEST_F(WriteFaults, TellOfHugeUnitsToo) {
  expect_right(run("pages", 200, 2 << 20));
  EXPECT_GT(samples_.size(), 10u);
}

TEST_F(WriteFaults, TellOfTransparentHugePages) {
  expect_right(run("huge", 1000, 2 << 20));
  EXPECT_GT(samples_of_the_writer(), 10);
}

TEST_F(WriteFaults, TellOfPartsOfTransparentHugePages) {
  expect_right(run("huge", 1000));
  EXPECT_GT(samples_of_the_writer(), 100);
}

TEST_F(WriteFaults, OfTheKernelInSystemCallsWaitAsWell) {
  expect_right(run("reads", 2000));
  EXPECT_GT(samples_of_the_writer(), 100);
}

// Nobody who joins them waits for ever: their control blocks are never protected.
TEST_F(WriteFaults, LeaveTheControlBlocksOfThreadsAlone) {
  expect_right(run("joins", 20000));
}

TEST_F(WriteFaults, LeaveThoseOfC11ThreadsAlone) {
  expect_right(run("c11", 20000));
}

TEST_F(WriteFaults, LeaveProgramsAloneWhoseMutexesWouldFail) {
  const Ending ending = run("mutexes", 20000);
  expect_right(ending);
  EXPECT_TRUE(said("1 process left alone"));
}

TEST_F(WriteFaults, DoNotDisturbSpawnedAndForkedChildren) {
  expect_right(run("spawns", 5000));
  EXPECT_GT(samples_.size(), 100u);
  EXPECT_FALSE(said("left alone"));
}

// What is loaded so makes its threads past the library that lists them.
TEST_F(WriteFaults, LeaveProgramsAloneThatLoadPastTheirLibrary) {
  for (const char* const mode : {"deep", "apart"}) {
    SetUp();
    expect_right(run(mode, 20000));
    EXPECT_TRUE(said("1 process left alone")) << mode;
  }
}

TEST_F(WriteFaults, GoOnWhenSomethingHasBeenLoaded) {
  expect_right(run("loads", 5000));
  EXPECT_GT(samples_of_the_writer(), 10);
  EXPECT_FALSE(said("left alone"));
}

// The words of a program that waits until the other end has answered each of its threads.
class Leaving : public testing::Test {
 protected:
  std::optional<Visitor> next_visitor(int patience_ms) {
    pollfd news = {door_.listening.get(), POLLIN, 0};
    if (poll(&news, 1, patience_ms) != 1) return {};
    connections_.emplace_back(accept4(door_.listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
    return hear_visitor(connections_.back().get());
  }
  std::string words() const {
    std::ostringstream text;
    text << std::ifstream(output_).rdbuf();
    return text.str();
  }
  ~Leaving() override { fs::remove(output_); }

  Door door_ = open_door();
  std::vector<Descriptor> connections_;
  fs::path output_ = fs::temp_directory_path() / ("gable_leaving_" + std::to_string(getpid()));
};

TEST_F(Leaving, EveryThreadWaitsUntilNothingIsProtected) {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path library = folder / "libexec/gable/kmaf/write_faults.so";
  if (!fs::exists(library)) GTEST_SKIP() << "the library was not built";
  Program running({folder / "written", "leaves", "0"}, [&] {
    dup2(open(output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    setenv("LD_PRELOAD", library.c_str(), 1);
    setenv(GABLE_WRITE_FAULTS, door_.name.c_str(), 1);
  });
  running.go();
  constexpr int patience_ms = 5000;
  const auto joins = next_visitor(patience_ms);
  ASSERT_TRUE(joins);
  if (joins->hello.word == gable_cannot) GTEST_SKIP() << "no userfaultfd";
  ASSERT_EQ(joins->hello.word, static_cast<std::uint32_t>(gable_joins));
  for (int thread = 0; thread < 3; ++thread) {
    if (thread == 2) kill(running.pid(), SIGUSR1);
    const auto leaves = next_visitor(patience_ms);
    ASSERT_TRUE(leaves) << "thread " << thread << " did not ask";
    EXPECT_EQ(leaves->hello.word, static_cast<std::uint32_t>(gable_leaves));
  }
  EXPECT_EQ(words(), "") << "somebody went on without an answer";
  for (const Descriptor& connection : connections_) answer_visitor(connection.get());
  std::optional<Ending> ending;
  while (!(ending = running.ended())) usleep(5000);
  EXPECT_EQ(ending->status, 0);
  EXPECT_NE(words().find("right"), std::string::npos) << words();
}

TEST_F(WriteFaults, GoOnWhenMemoryIsMadeLarger) {
  expect_right(run("grows", 5000));
  EXPECT_GT(samples_.size(), 100u);
}

TEST(UserfaultTrial, IsRightWhereThereIsOne) {
  const UserfaultTrial trial = try_userfault();
  if (trial.error != 0) GTEST_SKIP() << "no userfaultfd: errno " << trial.error;
  EXPECT_TRUE(trial.right);
  EXPECT_GT(trial.seconds, 0);
}

}  // namespace
}  // namespace gable::kmaf::live
