// A process whose pages are protected, from outside: what one write releases, and when nothing may be
// protected any more.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "kmaf/live/clocks.hpp"
#include "kmaf/live/visitor.hpp"
#include "kmaf/live/watched_process.hpp"

namespace gable::kmaf::live {
namespace {

constexpr std::uint64_t unit = 2 << 20, page = 4096;

struct Command {
  enum { shut, write, run_another, take_priority } what = shut;
  std::uint64_t offset = 0;
};
struct Beginning {
  int fd = -1;
  std::uint64_t memory = 0;  // two units
};

// In the child: touches nothing but its stack and what it is told to.
[[noreturn]] void obey(int commands, int answers) {
  int error = 0;
  auto faults = Userfault::open_here(error);
  void* const room =
      mmap(nullptr, 3 * unit, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  const std::uint64_t memory = (reinterpret_cast<std::uint64_t>(room) + unit - 1) / unit * unit;
  const Beginning begin{faults ? faults->descriptor() : -1, memory};
  if (write(answers, &begin, sizeof begin) != sizeof begin) _exit(1);
  for (Command command; read(commands, &command, sizeof command) == sizeof command;) {
    if (command.what == Command::shut) close(begin.fd);
    if (command.what == Command::write) *reinterpret_cast<volatile char*>(memory + command.offset) = 1;
    if (command.what == Command::run_another) execl("/bin/sleep", "sleep", "60", nullptr);
    const sched_param least = {1};
    const bool done =
        command.what != Command::take_priority || sched_setscheduler(0, SCHED_FIFO, &least) == 0;
    if (write(answers, &done, sizeof done) != sizeof done) break;
  }
  _exit(0);
}

class Watched : public testing::Test {
 protected:
  void SetUp() override {
    int commands[2], answers[2];
    ASSERT_EQ(pipe2(commands, O_CLOEXEC), 0);
    ASSERT_EQ(pipe2(answers, O_CLOEXEC), 0);
    pid_ = fork();
    if (pid_ == 0) obey(commands[0], answers[1]);
    close(commands[0]), close(answers[1]);
    commands_ = commands[1], answers_ = answers[0];
    ASSERT_EQ(read(answers_, &begin_, sizeof begin_), static_cast<ssize_t>(sizeof begin_));
    const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
    Userfault faults(Descriptor(static_cast<int>(syscall(SYS_pidfd_getfd, process.get(), begin_.fd, 0))));
    if (begin_.fd < 0 || faults.descriptor() < 0 || faults.begin() != 0)
      GTEST_SKIP() << "no userfaultfd of another process is to be had";
    command({Command::shut});
    void* const list =
        mmap(nullptr, sizeof(gable_threads), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto& threads = *static_cast<gable_threads*>(list);
    threads.count = 1;
    threads.thread_pointer[0] = page;  // in nothing that is mapped
    watched_.emplace(pid_, std::move(faults), Mapped({static_cast<std::byte*>(list), sizeof(gable_threads)}),
                     now_);
    ASSERT_TRUE(answered());
  }
  void TearDown() override {
    watched_.reset();
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    close(commands_), close(answers_);
  }

  void command(Command what) {
    ASSERT_EQ(write(commands_, &what, sizeof what), static_cast<ssize_t>(sizeof what));
  }
  // Waits for it; false when it is not done, or does not come.
  bool answered() {
    pollfd news = {answers_, POLLIN, 0};
    bool done = false;
    constexpr int patience_ms = 5000;
    return poll(&news, 1, patience_ms) == 1 && read(answers_, &done, sizeof done) == sizeof done && done;
  }
  bool waits() {
    pollfd news[] = {{watched_->descriptor(), POLLIN, 0}, {answers_, POLLIN, 0}};
    constexpr int patience_ms = 5000;
    return poll(news, 2, patience_ms) > 0 && news[0].revents != 0;
  }
  std::size_t protect(std::uint64_t unit_bytes) {
    std::uint64_t at = 0;
    for (const AddressRange& range : protectable(watchable(mappings_of(pid_)), {}, page)) {
      if (begin_.memory >= range.begin && begin_.memory < range.end)
        return watched_->protect(at + begin_.memory - range.begin, unit_bytes, 1, now_);
      at += range.bytes();
    }
    return 0;
  }
  void look() {
    ASSERT_EQ(watched_->look(now_), WatchedProcess::Standing::watched);
    ASSERT_GE(watched_->protectable_bytes(now_), 2 * unit);
  }

  pid_t pid_ = -1;
  int commands_ = -1, answers_ = -1;
  Beginning begin_;
  double now_ = monotonic_seconds();
  std::optional<WatchedProcess> watched_;
};

// Any byte of the unit waits, once: when it has been written so may all the others.
TEST_F(Watched, OneWriteReleasesItsWholeUnit) {
  look();
  for (const std::uint64_t offset : {std::uint64_t{0}, 100 * page + 7, unit - 1}) {
    ASSERT_EQ(protect(unit), 1u);
    command({Command::write, unit});
    EXPECT_TRUE(answered()) << "the next unit is not protected";
    command({Command::write, offset});
    ASSERT_TRUE(waits());
    const auto served = watched_->serve();
    ASSERT_TRUE(served && served->write);
    EXPECT_EQ(served->write->address, begin_.memory + offset);
    EXPECT_EQ(served->write->tid, pid_);
    EXPECT_TRUE(served->pu);
    ASSERT_TRUE(answered());
    for (const std::uint64_t other : {std::uint64_t{1}, page, unit - page}) {
      command({Command::write, other});
      ASSERT_TRUE(answered()) << other << " still waits";
    }
    EXPECT_FALSE(watched_->serve());
  }
}

TEST_F(Watched, IsGoneWhenItRunsAnotherProgram) {
  look();
  command({Command::run_another});
  pollfd ended = {answers_, POLLIN, 0};  // closed by execve(2)
  ASSERT_EQ(poll(&ended, 1, 5000), 1);
  EXPECT_EQ(watched_->look(now_), WatchedProcess::Standing::gone);
}

// What it is about to load may hand memory to a device.
TEST_F(Watched, HoldsStillUntilItIsLookedAtAgain) {
  look();
  ASSERT_EQ(protect(unit), 1u);
  watched_->hold_still(now_);
  EXPECT_EQ(watched_->protectable_bytes(now_), 0u);
  command({Command::write, 0});
  EXPECT_TRUE(answered()) << "nobody serves it";
  EXPECT_GT(watched_->next_look(), now_);
  look();
}

TEST_F(Watched, IsNotProtectedWhereTheLastLookIsOld) {
  EXPECT_EQ(watched_->protectable_bytes(now_), 0u) << "there was none";
  look();
  EXPECT_GT(watched_->protectable_bytes(watched_->next_look()), 0u);
  EXPECT_EQ(watched_->protectable_bytes(now_ + 10), 0u);
}

// One that spins on all processors would keep whoever serves it from running.
TEST_F(Watched, IsLeftAloneWithRealTimePriority) {
  look();
  command({Command::take_priority});
  if (!answered()) GTEST_SKIP() << "real-time priority is refused";
  EXPECT_EQ(watched_->look(now_), WatchedProcess::Standing::left_alone);
}

}  // namespace
}  // namespace gable::kmaf::live
