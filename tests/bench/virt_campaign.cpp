// The virtualization set as a whole: it resumes, says why it skips, and notes what runs beside it.

#include "bench/virt/virt_campaign.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "bench/visit/watch.hpp"
#include "machines/affinity.hpp"
#include "machines/machine.hpp"

namespace {

// While it is set, allocations of all other threads fail.
std::atomic<pid_t> allocating_thread = 0;

}  // namespace

void* operator new(std::size_t size) {
  const pid_t thread = allocating_thread;
  const bool fails = thread != 0 && thread != gettid();
  void* const memory = fails ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// An address sanitizer would have its own, whose memory `delete` below must not free.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
  return operator new(size);
} catch (const std::bad_alloc&) {
  return nullptr;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace {

using namespace gable::bench;

const std::atomic<bool> never{false};

// Processes that compute without end, and end with this object.
class Burners {
 public:
  explicit Burners(int count) {
    for (int i = 0; i < count; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        while (getpid() > 0) {
        }
      }
      children_.push_back(child);
    }
  }
  Burners(const Burners&) = delete;
  Burners& operator=(const Burners&) = delete;
  ~Burners() {
    for (const pid_t child : children_) kill(child, SIGKILL);
    for (const pid_t child : children_) waitpid(child, nullptr, 0);
  }

 private:
  std::vector<pid_t> children_;
};

// Other processes are noted, and the visit stays.
TEST(VirtCampaign, OtherProcessesAreNoted) {
  const gable::machines::Machine machine = gable::machines::this_machine();
  const auto cpu = static_cast<int>(machine.clusters.at(0).cores.at(0).pus.at(0));
  const int few = static_cast<int>(2 * tolerated_others(cpu_times().cpus)) + 1;
  const Burners burners(few);
  const std::vector<VirtCell> cells = {
      {{gable::model::VirtKind::noise, "detours", gable::model::VirtPages::none, cpu, 0}, 1, 0.4},
      {{gable::model::VirtKind::program, "dgemm", gable::model::VirtPages::none, -1, 1 << 20}, 1, 0.1}};
  // The burners may get no time for a moment.
  const auto are_noted = [&] {
    int noted = 0;
    const VirtHooks hooks = {[&](const gable::model::VirtSample& sample) {
                               EXPECT_EQ(sample.status, gable::model::Status::ok) << sample.spec.what;
                               noted += has(sample.notes, gable::model::NoteCode::others_busy);
                             },
                             [](const VirtProgress&) {}};
    EXPECT_TRUE(run_virt(gable::machines::Host(), cells, 0, {}, hooks, never));
    return noted == 2;
  };
  EXPECT_TRUE(are_noted() || are_noted() || are_noted());
}

// One that fails before all of them start leaves no other one waiting.
TEST(VirtCampaign, NoThreadWaitsForOneThatLacksMemory) {
  const std::vector<unsigned> cpus = gable::machines::affinity_of(0);
  if (cpus.size() < 2) GTEST_SKIP() << "one CPU";
  std::vector<VirtCell> cells;
  for (const unsigned cpu : {cpus[0], cpus[1]})
    cells.push_back(
        {{gable::model::VirtKind::noise, "detours", gable::model::VirtPages::none, static_cast<int>(cpu), 0},
         1,
         0.1});
  int skipped = 0;
  const VirtHooks hooks = {[&](const gable::model::VirtSample& sample) {
                             skipped += sample.status == gable::model::Status::skipped;
                             EXPECT_EQ(sample.reason, gable::model::NoteCode::no_memory_left);
                           },
                           [](const VirtProgress&) {}};
  const auto measure = [&] {
    alarm(60);
    allocating_thread = gettid();
    run_virt(gable::machines::Host(), cells, 0, {}, hooks, never);
    _exit(skipped);
  };
  EXPECT_EXIT(measure(), testing::ExitedWithCode(2), "");
}

TEST(VirtCampaign, ResumesAndSkipsWithReasons) {
  gable::machines::Host host;
  host.emulated = true;  // small amounts
  VirtOptions options;
  options.kinds = {gable::model::VirtKind::environment, gable::model::VirtKind::walk};
  const gable::machines::Machine machine = gable::machines::from_synthetic("core:1 pu:1");
  const std::vector<VirtCell> cells = virt_cells(machine, host, options);
  ASSERT_GT(cells.size(), 10u);
  Visited done;
  int ok = 0, skipped = 0;
  const VirtHooks hooks = {
      [&](const gable::model::VirtSample& sample) {
        if (sample.status == gable::model::Status::ok) {
          ++ok;
          EXPECT_TRUE(done.insert({key(sample.spec), sample.round}).second);
        } else {
          ++skipped;
          EXPECT_TRUE(sentence(sample.reason).find("hugetlb") != std::string::npos ||
                      sentence(sample.reason).find("transparent huge") != std::string::npos)
              << sentence(sample.reason);
        }
      },
      [](const VirtProgress&) {}};
  EXPECT_TRUE(run_virt(host, cells, 0, done, hooks, never));
  EXPECT_GT(ok, 20);
  EXPECT_LE(skipped, 3);  // each page size once
  const int before = ok;
  EXPECT_TRUE(run_virt(host, cells, 0, done, hooks, never));
  EXPECT_EQ(ok, before) << "what is there is not measured again";
}

}  // namespace
