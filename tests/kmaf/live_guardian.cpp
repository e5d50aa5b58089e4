// Everything that a run has changed is restored: below a temporary root, and in the test's processes.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "kmaf/live/guardian/guardian.hpp"
#include "kmaf/live/guardian/settings.hpp"
#include "machines/affinity.hpp"

namespace gable::kmaf::live {
namespace {

namespace fs = std::filesystem;

constexpr const char* knob = "/sys/kernel/knob";

class Root : public testing::Test {
 protected:
  Root() : root_(fs::temp_directory_path() / ("gable-root-" + std::to_string(getpid()))) {
    fs::create_directories(root_ / "run");
    for (const char* const path : {numa_balancing, knob}) {
      fs::create_directories(file(path).parent_path());
      set(path, "0");
    }
  }
  ~Root() override { fs::remove_all(root_); }

  fs::path file(const std::string& path) const { return root_ / fs::path(path).relative_path(); }
  void set(const std::string& path, const std::string& value) { std::ofstream(file(path)) << value << "\n"; }
  std::string get(const std::string& path) const {
    std::string line;
    std::ifstream in(file(path));
    std::getline(in, line);
    return line;
  }
  std::string journal() const {
    std::ifstream in(root_ / "run/gable-kmaf.journal");
    return {std::istreambuf_iterator<char>(in), {}};
  }
  Journal open_journal() { return Journal::named(root_ / "run", root_, repaired_); }

  // A manager that changes settings in a separate process and does not end by itself.
  pid_t manager(const std::function<void(Guardian&, Journal&)>& more = {},
                const std::function<void()>& before = {}) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    const pid_t pid = fork();
    if (pid == 0) {
      close(ready[0]);
      if (before) before();
      Journal journal = open_journal();
      Guardian guardian(journal, root_);
      Settings settings(root_);
      settings.record_in(journal);
      settings.write(numa_balancing, "1");
      settings.write(knob, "1000");
      settings.write(knob, "2000");
      if (more) more(guardian, journal);
      const pid_t guarded_by = guardian.pid();
      if (write(ready[1], &guarded_by, sizeof guarded_by) < 0) _exit(1);
      for (;;) pause();
    }
    close(ready[1]);
    EXPECT_EQ(read(ready[0], &guardian_, sizeof guardian_), static_cast<ssize_t>(sizeof guardian_));
    close(ready[0]);
    return pid;
  }
  static void kill_and_wait(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  // In some containers no process waits for those whose parent has ended.
  static bool has_ended(pid_t pid) {
    std::string stat;
    std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), stat);
    return stat.empty() || stat.find(") Z ") != std::string::npos;
  }
  // Waits are short; the limit is for a guardian that hangs.
  static bool becomes_true(const std::function<bool()>& condition) {
    for (int i = 0; i < 1000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return condition();
  }

  fs::path root_;
  std::vector<std::string> repaired_;
  pid_t guardian_ = 0;
};

TEST_F(Root, PutBackAtTheEnd) {
  Journal journal = open_journal();
  Settings settings(root_);
  settings.record_in(journal);
  {
    Guardian guardian(journal, root_);
    EXPECT_TRUE(settings.write(numa_balancing, "1"));
    EXPECT_EQ(get(numa_balancing), "1");
    EXPECT_TRUE(guardian.dismiss().empty());
  }
  EXPECT_EQ(get(numa_balancing), "0");
  EXPECT_EQ(journal.text(), "");
}

TEST_F(Root, PutBackWhenTheManagerIsKilled) {
  const pid_t pid = manager();
  EXPECT_EQ(get(knob), "2000");
  kill_and_wait(pid);
  EXPECT_TRUE(becomes_true([&] { return get(knob) == "0" && get(numa_balancing) == "0"; }));
  EXPECT_TRUE(becomes_true([&] { return journal().empty(); }));
}

TEST_F(Root, PutBackWhenItsWholeProcessGroupIsKilled) {
  const pid_t pid = manager({}, [] { setpgid(0, 0); });
  kill(-pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  EXPECT_TRUE(becomes_true([&] { return get(knob) == "0"; }));
}

TEST_F(Root, ItsGroupIsNotTheManagers) {
  Journal journal = open_journal();
  const Guardian guardian(journal, root_);
  EXPECT_NE(getpgid(guardian.pid()), getpgid(0)) << "from the first moment on";
}

TEST_F(Root, ARunThatChangedNothingNeedsNoRepair) {
  std::ofstream(root_ / "run/gable-kmaf.journal") << "manager 1\n";
  const Journal next = open_journal();
  EXPECT_TRUE(repaired_.empty());
}

TEST_F(Root, PutBackByTheNextRunWhenBothWereKilled) {
  const pid_t pid = manager();
  kill(guardian_, SIGKILL);
  kill_and_wait(pid);
  EXPECT_TRUE(becomes_true([&] { return has_ended(guardian_); }));
  EXPECT_EQ(get(knob), "2000");
  const Journal next = open_journal();
  EXPECT_EQ(get(knob), "0");
  EXPECT_EQ(get(numa_balancing), "0");
  ASSERT_FALSE(repaired_.empty());
  EXPECT_NE(repaired_[0].find("killed"), std::string::npos);
}

TEST_F(Root, PutBackByTheManagerWhenTheGuardianWasKilled) {
  Journal journal = open_journal();
  Settings settings(root_);
  settings.record_in(journal);
  Guardian guardian(journal, root_);
  settings.write(knob, "5");
  kill(guardian.pid(), SIGKILL);
  guardian.dismiss();
  EXPECT_EQ(get(knob), "0");
}

TEST_F(Root, OneRunAtATime) {
  const pid_t pid = manager();
  try {
    open_journal();
    FAIL() << "two runs at a time";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("process " + std::to_string(pid)), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(get(knob), "2000") << "the other run's";
  kill_and_wait(pid);
  EXPECT_TRUE(becomes_true([&] {
    try {
      open_journal();
      return true;
    } catch (const std::runtime_error&) {
      return false;
    }
  }));
}

TEST_F(Root, SettingsOfOthersAreKept) {
  std::vector<std::string> left;
  {
    Journal journal = open_journal();
    Settings settings(root_);
    settings.record_in(journal);
    Guardian guardian(journal, root_);
    settings.write(knob, "1000");
    settings.write(numa_balancing, "1");
    set(knob, "7");
    left = guardian.dismiss();
  }
  EXPECT_EQ(get(knob), "7");
  EXPECT_EQ(get(numa_balancing), "0");
  ASSERT_EQ(left.size(), 1u);
  EXPECT_NE(left[0].find("another program"), std::string::npos);
}

// The process was killed while it wrote a line: that change was not made yet.
TEST_F(Root, ATruncatedLineIsIgnored) {
  set(knob, "1000");
  EXPECT_TRUE(put_back("setting /sys/kernel/knob 0\nwrote /sys/kernel/knob 10", root_).empty());
  EXPECT_EQ(get(knob), "1000");
  put_back("setting /sys/kernel/knob 0\nwrote /sys/kernel/knob 1000\n", root_);
  EXPECT_EQ(get(knob), "0");
}

TEST_F(Root, SettingsThatAreNotThere) {
  Journal journal = open_journal();
  Settings settings(root_);
  settings.record_in(journal);
  EXPECT_FALSE(settings.read("/sys/none"));
  EXPECT_FALSE(settings.write("/sys/none", "1"));
  EXPECT_FALSE(fs::exists(file("/sys/none")));
  EXPECT_FALSE(settings.can_write("/sys/none"));
}

// A refused write changes nothing, so that what stands there is still known as this run's, and is put back.
TEST_F(Root, ARefusedWriteLeavesTheSetting) {
  set(knob, "40217");
  const auto refused = [&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit none{0, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &none);
    _exit(write_setting(file(knob), "0") ? 1 : 0);
  };
  EXPECT_EXIT(refused(), testing::ExitedWithCode(0), "");
  EXPECT_EQ(get(knob), "40217");
}

TEST_F(Root, ThreadsOfAProgramAreReleased) {
  const auto all = gable::machines::affinity_of(0);
  if (all.size() < 2) GTEST_SKIP() << "needs two hardware threads";
  const pid_t program = fork();
  if (program == 0) {
    for (;;) pause();
  }
  const pid_t own = fork();  // has bound itself where the manager has bound no thread
  if (own == 0) {
    for (;;) pause();
  }
  gable::machines::set_affinity(own, {all.back()});
  const pid_t pid = manager([&](Guardian&, Journal& journal) {
    journal.mask(all);
    journal.process(program);
    journal.process(own);
    journal.bound(program, program, all.front());
    gable::machines::set_affinity(program, {all.front()});
  });
  EXPECT_EQ(gable::machines::affinity_of(program), std::vector{all.front()});
  kill_and_wait(pid);
  EXPECT_TRUE(becomes_true([&] { return gable::machines::affinity_of(program) == all; }));
  EXPECT_EQ(gable::machines::affinity_of(own), std::vector{all.back()});
  kill_and_wait(program);
  kill_and_wait(own);
}

// The pid of a killed process may have been reused.
TEST_F(Root, AnotherProcessOfThatNumberIsLeft) {
  const auto all = gable::machines::affinity_of(0);
  if (all.size() < 2) GTEST_SKIP() << "needs two hardware threads";
  const pid_t other = fork();
  if (other == 0) {
    for (;;) pause();
  }
  const std::string pu = std::to_string(all.front()), pid = std::to_string(other);
  gable::machines::set_affinity(other, {all.front()});
  put_back("mask 0 1\nprocess " + pid + " 1\nbound " + pid + " " + pid + " " + pu + "\n", root_);
  EXPECT_EQ(gable::machines::affinity_of(other), std::vector{all.front()});
  kill_and_wait(other);
}

}  // namespace
}  // namespace gable::kmaf::live
