// Sampling: pauses, and the handling of more samples than the budget allows.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <thread>

#include "kmaf/live/policies/manager.hpp"
#include "kmaf/live/samplers/perf_events.hpp"
#include "machines.hpp"
#include "played_kernel.hpp"

namespace gable::kmaf::live {
namespace {

class Memory {
 public:
  explicit Memory(std::size_t pages) : bytes_(pages * page) {
    first_ = static_cast<char*>(
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    madvise(first_, bytes_, MADV_NOHUGEPAGE);
  }
  ~Memory() { munmap(first_, bytes_); }
  std::uint64_t address(std::size_t number) const {
    return reinterpret_cast<std::uint64_t>(first_) + number * page;
  }
  void touch(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) *static_cast<volatile char*>(first_ + i * page) = 1;
  }

 private:
  static constexpr std::size_t page = 4096;
  std::size_t bytes_;
  char* first_ = nullptr;
};

TEST(PerfEvents, PauseForAccessesAndNotForThreads) {
  if (PerfEvents::refusal(PerfEvents::What::page_faults) != 0) GTEST_SKIP() << "perf is not allowed here";
  Memory memory(300);
  PerfEvents events(PerfEvents::What::page_faults, getpid());
  events.enable();
  const auto touched = [&](std::size_t from, std::size_t to) {
    memory.touch(from, to);
    const Events seen = events.read();
    return std::count_if(seen.begin(), seen.end(), [&](const Event& event) {
      return event.kind == Event::Kind::access && event.address >= memory.address(0) &&
             event.address < memory.address(300);
    });
  };
  EXPECT_EQ(touched(0, 100), 100);
  events.pause();
  EXPECT_EQ(touched(100, 200), 0);
  pid_t tid = 0;
  std::thread([&] {
    tid = gettid();
    memory.touch(190, 195);
  }).join();
  const Events meanwhile = events.read();
  for (const Event::Kind kind : {Event::Kind::started, Event::Kind::ended}) {
    EXPECT_TRUE(std::any_of(meanwhile.begin(), meanwhile.end(),
                            [&](const Event& event) { return event.kind == kind && event.tid == tid; }));
  }
  events.resume();
  EXPECT_EQ(touched(200, 300), 100);
}

class PlayedSampler : public Sampler {
 public:
  void attach(pid_t) override {}
  Events read() override { return {}; }
  void set_rate(double per_second, double) override { rate = per_second; }
  void pause() override { paused = true; }
  void resume() override { paused = false; }
  bool tells_stores() const override { return tells; }
  std::optional<double> cpu_seconds() override { return cpu; }

  double rate = 0, cpu = 0;
  bool paused = false, tells = false;
};

class Samples : public testing::Test {
 protected:
  Samples() : binder_(kernel_, journal_, {0, 1, 2, 3}) {
    kernel_.masks[getpid()] = {0, 1, 2, 3};
    Manager::Setup setup;
    setup.budget = 0.01;
    setup.fault_seconds = 2e-6;
    setup.program = getpid();
    setup.began = 100;
    manager_.emplace(setup, hierarchy_of(test::small()), sampler_, kernel_, binder_);
  }
  // `count` accesses just before `now`.
  void come(std::size_t count, double now) {
    Events events;
    for (std::size_t i = 0; i < count; ++i)
      events.push_back(
          {Event::Kind::access, getpid(), getpid(), 0, 0, memory_.address(next_++ % pages), 0, now});
    manager_->take(events, now);
  }
  Report report() {
    Report report;
    manager_->finish(report);
    return report;
  }

  static constexpr std::size_t pages = 1 << 16;
  Memory memory_{pages};
  std::size_t next_ = 0;
  PlayedKernel kernel_;
  PlayedSampler sampler_;
  Journal journal_ = Journal::unnamed();
  Binder binder_;
  std::optional<Manager> manager_;
};

TEST_F(Samples, ThatComeAsWantedAreAllLookedAt) {
  for (int i = 1; i <= 100; ++i) {
    sampler_.cpu += 1;
    come(10, 100 + 0.01 * i);
  }
  EXPECT_EQ(report().samples, 1000u);
  EXPECT_EQ(report().passed_over, 0u);
  EXPECT_FALSE(sampler_.paused);
}

TEST_F(Samples, OfMemoryThatIsGoneLeaveTheTablesEmptyAndWereInThem) {
  come(10, 100.01);
  manager_->take({{Event::Kind::ended, getpid(), getpid(), 0, 0, 0, 0, 100.02}}, 100.02);
  EXPECT_EQ(manager_->engine().table().entries(), 0u);
  EXPECT_EQ(report().table_bytes, 10 * entry_bytes(Config(), 2));
}

// Two threads on two nodes; the program does twice as much while they share a node. Reports of a time in
// which they move do not count.
TEST_F(Samples, ComeWithReportsOfProgress) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  const pid_t one = 1'000'001, other = 1'000'002;
  double work = 0;
  Manager::Setup setup;
  setup.program = getpid();
  setup.began = 100;
  setup.config.trials = true;
  setup.progress = [&] { return std::optional(work); };
  for (const pid_t tid : {one, other}) kernel_.masks[tid] = {0, 1, 2, 3};
  manager_.emplace(setup, hierarchy_of(test::small()), sampler_, kernel_, binder_);
  std::map<pid_t, unsigned> at = {{one, 0}, {other, 2}};
  for (double now = 100; now < 130; now += 0.1) {
    Events events;
    for (const auto& [tid, pu] : at)
      events.push_back(
          {Event::Kind::access, getpid(), tid, 0, 0, memory_.address(tid == one ? 0 : 1), pu, now});
    manager_->take(events, now);
    for (auto& [tid, pu] : at) pu = binder_.bound_to(tid).value_or(pu);
    work += at[one] / 2 == at[other] / 2 ? 2 : 1;
  }
  EXPECT_EQ(at[one] / 2, at[other] / 2);
  EXPECT_EQ(report().engine.places_kept, 1);
}

// The kernel hides many pages at a time.
TEST_F(Samples, ThatComeTogetherAfterAWhileAreLookedAtToo) {
  const double rate = sampler_.rate;
  ASSERT_GT(rate, 100);
  come(0, 100.05);
  come(static_cast<std::size_t>(rate * 0.1), 100.06);
  EXPECT_EQ(report().passed_over, 0u);
}

TEST_F(Samples, TellThatAProcessThatStartedOthersWorksItself) {
  manager_->take({{Event::Kind::started, 1'000'001, 1'000'001, getpid(), getpid(), 0, 0, 100}}, 100);
  EXPECT_TRUE(binder_.waits(getpid()));
  come(1, 100.1);
  EXPECT_TRUE(binder_.waits(getpid()));
  come(1, 100.7);
  EXPECT_FALSE(binder_.waits(getpid()));
}

// A thread of the second node accesses pages of the first.
TEST_F(Samples, TellTheLocalityBeforeTheFirstPageWasMoved) {
  Manager::Setup setup;
  setup.program = getpid();
  setup.began = 100;
  setup.config.map_threads = false;
  manager_.emplace(setup, hierarchy_of(test::small()), sampler_, kernel_, binder_);
  for (double now = 100; now < 110; now += 0.01) {
    Events events;
    for (std::size_t i = 0; i < 8; ++i)
      events.push_back({Event::Kind::access, getpid(), getpid(), 0, 0, memory_.address(i), 2, now});
    manager_->take(events, now);
  }
  const Report moved = report();
  EXPECT_GT(moved.before.remote, 0u);
  EXPECT_EQ(moved.before.local, 0u);
  EXPECT_GT(moved.after.local, 100u);
}

// For a quarter of the time it accesses pages of the first node, and is sampled often.
TEST_F(Samples, TellForHowLongMemoriesAreAccessed) {
  Manager::Setup setup;
  setup.program = getpid();
  setup.began = 100;
  setup.config.map_threads = setup.config.move_pages = false;
  manager_.emplace(setup, hierarchy_of(test::small()), sampler_, kernel_, binder_);
  constexpr std::size_t of_each = 8;
  for (std::size_t page = 0; page < of_each; ++page) kernel_.node[memory_.address(of_each + page)] = 1;
  const auto accessed = [&](std::size_t from, std::size_t count, double now) {
    Events events;
    for (std::size_t i = from; i < from + count; ++i)
      events.push_back({Event::Kind::access, getpid(), getpid(), 0, 0, memory_.address(i), 2, now});
    manager_->take(events, now);
  };
  accessed(0, 2 * of_each, 100);  // first touches
  for (double now = 101; now < 102; now += 0.1) accessed(0, of_each, now);
  for (double now = 102; now < 105.05; now += 0.1) accessed(of_each, 1, now);
  const Report seen = report();
  ASSERT_EQ(seen.access.size(), 2u);
  for (const AccessShare& access : seen.access) {
    EXPECT_EQ(access.cluster, 1);
    EXPECT_NEAR(access.share, access.node == 0 ? 0.25 : 0.75, 0.03) << access.node;
  }
  // About 80 samples weigh 1/80 s each, and 30 weigh 0.1 s.
  EXPECT_NEAR(seen.access_samples, 45, 10);
}

// It loads from the first node, and stores half of what it accesses on the second.
TEST_F(Samples, TellStoresApartWhereTheSamplerDoes) {
  for (const bool tells : {false, true}) {
    sampler_.tells = tells;
    Manager::Setup setup;
    setup.program = getpid();
    setup.began = 100;
    setup.learns = true;  // looks at every sample
    setup.config.map_threads = setup.config.move_pages = false;
    manager_.emplace(setup, hierarchy_of(test::small()), sampler_, kernel_, binder_);
    constexpr std::size_t of_each = 8;
    for (std::size_t page = 0; page < of_each; ++page) kernel_.node[memory_.address(of_each + page)] = 1;
    for (double now = 100; now < 103; now += 0.1) {
      Events events;
      for (std::size_t i = 0; i < 2 * of_each; ++i)
        events.push_back({Event::Kind::access, getpid(), getpid(), 0, 0, memory_.address(i), 2, now,
                          i >= of_each && i % 2 == 0});
      manager_->take(events, now);
    }
    const Report seen = report();
    ASSERT_EQ(seen.access.size(), 2u);
    for (const AccessShare& access : seen.access) {
      EXPECT_NEAR(access.share, 0.5, 0.03);
      EXPECT_EQ(access.stores.has_value(), tells);
      EXPECT_NEAR(access.stores.value_or(0), tells && access.node == 1 ? 0.5 : 0, 0.03);
    }
  }
}

// A thread of the second node alone accesses pages on the first node, on a node that is not managed, and
// pages that a policy binds to the first node.
TEST_F(Samples, OfPagesThatStayMoveNone) {
  Manager::Setup setup;
  setup.program = getpid();
  setup.began = 100;
  setup.config.map_threads = false;
  manager_.emplace(setup, hierarchy_of(test::small()), sampler_, kernel_, binder_);
  constexpr std::size_t of_each = 8;
  std::size_t page = 0;
  for (; page < of_each; ++page) kernel_.node[memory_.address(page)] = 0;
  for (; page < 2 * of_each; ++page) kernel_.node[memory_.address(page)] = 7;
  kernel_.mappings = {{0, {}}, {memory_.address(page), {true, {}}}, {memory_.address(3 * of_each), {}}};
  for (double now = 100; now < 110; now += 0.01) {
    Events events;
    for (std::size_t i = 0; i < 3 * of_each; ++i)
      events.push_back({Event::Kind::access, getpid(), getpid(), 0, 0, memory_.address(i), 2, now});
    manager_->take(events, now);
  }
  const int first = kernel_.node[memory_.address(0)];
  EXPECT_NE(first, 0) << "pages without a policy come to their thread";
  for (std::size_t i = 0; i < of_each; ++i) {
    EXPECT_EQ(kernel_.node[memory_.address(i)], first);
    EXPECT_EQ(kernel_.node[memory_.address(of_each + i)], 7);
    EXPECT_EQ(kernel_.node[memory_.address(2 * of_each + i)], 0);
  }
  EXPECT_EQ(report().pages.done, of_each);
  EXPECT_EQ(report().engine.samples, report().samples) << "they still tell what threads share";
  EXPECT_LE(kernel_.readings, 60) << "what stays is not ordered at every access";
}

TEST_F(Samples, OfAFloodAreMostlyIgnoredAndThenPaused) {
  come(20'000, 100.01);
  EXPECT_GT(report().passed_over, 15'000u);
  EXPECT_GT(report().samples, 0u);
  EXPECT_TRUE(sampler_.paused);
  come(0, 100.05);
  EXPECT_TRUE(sampler_.paused) << "until the rate is adapted";
  sampler_.cpu = 0.2;
  come(0, 100.15);
  EXPECT_TRUE(sampler_.paused) << "what was spent is saved first";
  EXPECT_GT(sampler_.rate, 0)
      << "pages are hidden all the same: the kernel has a process wait out a long period";
  EXPECT_LT(sampler_.rate, 0.01 * 0.2 / 0.15 / 2e-6);
  double now = 100.15;
  for (int i = 0; i < 1000 && sampler_.paused; ++i) {
    sampler_.cpu += 0.2;
    come(0, now += 0.1);
  }
  EXPECT_FALSE(sampler_.paused);
}

}  // namespace
}  // namespace gable::kmaf::live
