// Visits: pages or threads moved by others make a sample invalid.

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "model/records/records.hpp"
#include "visit_fixture.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::cpus;
using gable::bench::tests::Fixture;
using gable::bench::tests::tiny_options;
using gable::bench::tests::usable;
using gable::model::Sample;
using gable::model::Status;

// Threads of this process that are pinned to `cpu` alone.
std::vector<pid_t> pinned_to(unsigned cpu) {
  std::vector<pid_t> found;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    const pid_t tid = std::stoi(task.path().filename());
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(tid, sizeof set, &set) != 0) continue;
    if (CPU_COUNT(&set) == 1 && CPU_ISSET(cpu, &set)) found.push_back(tid);
  }
  return found;
}

// On a busy machine a saboteur may have no CPU for the time of many visits.
constexpr int most_visits = 200;

void expect_moved_thread_is_seen(const gable::machines::Host& host) {
  const std::vector<unsigned> all = cpus();
  if (all.size() < 2) GTEST_SKIP() << "one CPU: nowhere to move a thread to";
  Fixture fixture(tiny_options({"L1,latency"}), host);
  const auto run = fixture.plan().runs.front();
  fixture.visit(run);
  std::atomic<bool> over{false};
  std::thread saboteur([&] {
    cpu_set_t other;
    CPU_ZERO(&other);
    CPU_SET(all[1], &other);
    while (!over) {
      for (const pid_t tid : pinned_to(all[0])) sched_setaffinity(tid, sizeof other, &other);
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  const std::string moved = "ran on CPU " + std::to_string(all[1]);
  Sample sample;
  for (int i = 0; i < most_visits && sentence(sample.reason).find(moved) == std::string::npos; ++i)
    sample = fixture.visit(run).front();
  over = true;
  saboteur.join();
  EXPECT_EQ(sample.status, Status::invalid);
  EXPECT_NE(sentence(sample.reason).find(moved), std::string::npos) << sentence(sample.reason);
  usable(fixture.visit(run).front());  // the next visit has its threads where they belong
}

gable::machines::Host emulated_host() {
  gable::machines::Host host;
  host.emulated = true;
  return host;
}

TEST(Visit, AThreadThatIsMovedSpoilsTheSample) {
  expect_moved_thread_is_seen({});
}

TEST(Visit, AThreadThatIsMovedSpoilsTheSampleOfAnEmulatedMachine) {
  expect_moved_thread_is_seen(emulated_host());
}

// Other processes do not matter: an emulated machine has no meaningful times.
TEST(Visit, ACoRunnerSpoilsNothingUnderEmulation) {
  Fixture fixture(tiny_options({"L1"}), emulated_host());
  std::atomic<bool> over{false};
  std::thread runner([&] {
    while (!over) {
    }
  });
  for (const auto& run : fixture.plan().runs) {
    for (const Sample& sample : fixture.visit(run)) {
      if (sample.status == Status::skipped) continue;
      EXPECT_EQ(sample.status, Status::ok) << sentence(sample.reason);
      EXPECT_EQ(sample.disturbed, 0);
      ASSERT_FALSE(sample.notes.empty());
      EXPECT_EQ(sample.notes.front().code, gable::model::NoteCode::emulated);
    }
  }
  over = true;
  runner.join();
}

TEST(Visit, ACoRunnerDisturbsRepetitions) {
  Fixture fixture(tiny_options({"L1,latency"}));
  const auto run = fixture.plan().runs.front();
  const pid_t child = fork();
  if (child == 0) {
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(cpus().front(), &here);
    sched_setaffinity(0, sizeof here, &here);
    while (getppid() != 1) {
    }
    _exit(0);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  int disturbed = 0;
  for (int i = 0; i < most_visits && disturbed == 0; ++i) disturbed += fixture.visit(run).front().disturbed;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_GT(disturbed, 0);
}

}  // namespace
