// Trials of other places for the threads, judged by the program's progress.

#include "kmaf/engine/trial.hpp"

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <map>
#include <set>

#include "kmaf/engine/engine.hpp"
#include "kmaf/engine/places.hpp"
#include "kmaf/live/samplers/perf_events.hpp"
#include "kmaf/live/samplers/store_counter.hpp"
#include "machines.hpp"
#include "random.hpp"

namespace gable::kmaf {
namespace {

TEST(Trial, KeepsWhatIsFasterBeyondChance) {
  const auto verdict = [](const std::vector<double>& before, const std::vector<double>& after) {
    Trial trial(4);
    for (const double rate : before) EXPECT_FALSE(trial.report(rate, true));
    EXPECT_TRUE(trial.is_ready());
    trial.begin();
    std::optional<bool> found;
    for (const double rate : after) found = trial.report(rate, true);
    EXPECT_EQ(trial.runs(), !found);
    return found;
  };
  EXPECT_EQ(verdict({100, 101, 99, 100}, {105, 104, 106, 105}), true);
  EXPECT_EQ(verdict({100, 100, 100, 100}, {100.5, 100.5, 100.5, 100.5}), false) << "half a percent";
  EXPECT_EQ(verdict({80, 120, 90, 110}, {105, 95, 115, 93}), false) << "chance";
  EXPECT_EQ(verdict({100, 100, 100, 100}, {105, 105, 105}), std::nullopt) << "one report is missing";
  EXPECT_EQ(verdict({100, 100, 100, 100}, {85}), false) << "much slower";
  EXPECT_EQ(verdict({100, 82, 100, 100}, {85}), std::nullopt) << "as slow as once before";
  EXPECT_EQ(verdict({100, 101, 99, 100}, {97, 96, 97}), false) << "slower beyond chance";
  EXPECT_EQ(verdict({100, 110, 90, 100}, {97, 96, 97}), std::nullopt) << "slower by chance";
  EXPECT_EQ(verdict({100, 100, 100, 100}, {97, 97}), std::nullopt)
      << "two reports do not tell what is chance";
}

TEST(Trial, WaitsForPagesToSettle) {
  Trial trial(1);
  trial.report(50, false);
  EXPECT_FALSE(trial.is_ready());
  trial.report(100, true);
  trial.begin();
  EXPECT_EQ(trial.report(111, false), false) << "they do not settle";
  Trial longer(3);
  for (int i = 0; i < 3; ++i) longer.report(100, true);
  longer.begin();
  for (int i = 0; i < 2; ++i) EXPECT_EQ(longer.report(95, false), std::nullopt) << "pages still follow";
  for (int i = 0; i < 2; ++i) EXPECT_EQ(longer.report(110, true), std::nullopt);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(longer.report(95, false), std::nullopt);
  EXPECT_EQ(longer.report(110, true), true);
}

// Four nodes of eight cores with two hardware threads; threads that share nothing, each in a place of its
// own.
class Program {
 public:
  explicit Program(int threads, bool trials = true) : engine_(config(trials), hierarchy_of(test::x7550())) {
    for (int thread = 0; thread < threads; ++thread)
      at_.push_back(static_cast<int>(engine_.hierarchy().leaves.size()) / threads * thread);
  }
  // `rate`: of the program's progress, by the places of its threads.
  void run(double seconds, const std::function<double(const Mapping&)>& rate) {
    for (const double end = now_ + seconds; now_ < end; now_ += 0.1) {
      for (std::size_t thread = at_.size(); thread-- > 0;)
        engine_.sample(
            {static_cast<Tasks::Id>(thread), 0, thread % data_ << 20, leaf(at_[thread]).pu, now_, -1});
      const Mapping before = at_;
      engine_.progressed(0.1 * rate(at_), 0.1);
      for (const Action& action : engine_.take_actions()) {
        if (const auto* move = std::get_if<MoveTask>(&action))
          at_[static_cast<std::size_t>(move->task)] = *engine_.hierarchy().leaf_of_pu(move->pu);
      }
      remaps_ += at_ != before ? 1 : 0;
    }
  }
  // Threads whose numbers differ by `count` use the same data from now on.
  void share(std::size_t count) { data_ = count; }
  void shuffle(test::Random& random) {
    for (std::size_t i = at_.size(); i > 1; --i) std::swap(at_[i - 1], at_[random.below(i)]);
  }
  int nodes() const { return nodes_used(at_, std::vector<bool>(at_.size(), true), engine_.hierarchy()); }
  const Mapping& places() const { return at_; }
  int remaps() const { return remaps_; }
  Engine& engine() { return engine_; }

 private:
  static Config config(bool trials) {
    Config config;
    config.trials = trials;
    config.trial_reports = 2;
    return config;
  }
  const Leaf& leaf(int number) const { return engine_.hierarchy().leaves[static_cast<std::size_t>(number)]; }

  Engine engine_;
  std::vector<int> at_;
  std::size_t data_ = 1 << 20;
  double now_ = 0;
  int remaps_ = 0;
};

TEST(Trials, PackThreadsWhereThatIsFaster) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  Program program(16);
  const auto rate = [&](const Mapping&) { return program.nodes() == 1 ? 2.0 : 1.0; };
  program.run(10, rate);
  EXPECT_EQ(program.nodes(), 1);
  EXPECT_EQ(std::set<int>(program.places().begin(), program.places().end()).size(), 16u);
  const int remaps = program.remaps();
  program.run(60, rate);
  EXPECT_EQ(program.remaps(), remaps) << "what was kept stays";
  program.run(10, [&](const Mapping&) { return program.nodes() == 1 ? 1.0 : 3.0; });
  EXPECT_GT(program.remaps(), remaps) << "its progress halved: another phase";
}

// What the program's progress decided, sharing does not undo. The unit of progress is the program's own.
TEST(Trials, CountMoreThanSharing) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  for (const double unit : {0.001, 1.0, 1e6}) {
    Program program(16);
    const auto rate = [&](const Mapping&) { return program.nodes() == 1 ? 2 * unit : unit; };
    program.run(10, rate);
    ASSERT_EQ(program.nodes(), 1) << unit;
    const int remaps = program.remaps();
    program.share(8);
    program.run(20, rate);
    EXPECT_EQ(program.remaps(), remaps) << unit;
  }
}

TEST(Trials, PutThreadsBackWhereThatWasFaster) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  for (const double packed : {0.5, 0.97, 1.0}) {
    Program program(16);
    const Mapping before = program.places();
    program.run(60, [&](const Mapping&) { return program.nodes() == 1 ? packed : 1.0; });
    EXPECT_EQ(program.places(), before) << packed;
    EXPECT_EQ(program.remaps(), 4) << packed << ": two trials";
  }
}

// Whatever the rate depends on, threads end up in no slower places than at the beginning.
TEST(Trials, NeverEndInSlowerPlaces) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  test::Random random(7);
  for (int i = 0; i < 20; ++i) {
    std::map<Mapping, double> rates;
    const auto rate = [&](const Mapping& places) {
      return rates.try_emplace(places, 1 + static_cast<double>(random.below(1000)) / 1000).first->second;
    };
    Program program(i % 2 == 0 ? 12 : 64);
    program.shuffle(random);
    const double before = rate(program.places());
    program.run(30, rate);
    EXPECT_GE(rate(program.places()), before);
    EXPECT_GE(rates.size(), 2u);
    for (const auto& [places, value] : rates) EXPECT_LE(value, 1.011 * rate(program.places())) << "not kept";
  }
}

// The order is the same whichever thread was seen first.
TEST(Trials, PutThreadsInTheOrderOfTheirIds) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  test::Random random(5);
  Program program(64);
  program.shuffle(random);
  const auto pairs = [&](const Mapping& places) {  // of neighbours on a core
    int count = 0;
    for (std::size_t i = 0; i < places.size(); i += 2) count += places[i] / 2 == places[i + 1] / 2 ? 1 : 0;
    return count;
  };
  ASSERT_LT(pairs(program.places()), 16);
  program.run(30, [&](const Mapping& places) { return pairs(places) == 32 ? 1.1 : 1.0; });
  EXPECT_EQ(pairs(program.places()), 32);
}

TEST(Trials, NeedReportsAndTheOption) {
  Program program(16, false);
  program.run(10, [&](const Mapping&) { return program.nodes() == 1 ? 2.0 : 1.0; });
  EXPECT_EQ(program.remaps(), 0);
  Engine silent({.trials = true}, hierarchy_of(test::x7550()));
  for (Tasks::Id task = 0; task < 4; ++task) silent.sample({task, 0, 0, 0, 0, -1});
  silent.advance(10);
  EXPECT_EQ(silent.counts().places_tried, 0);
}

// Two of the threads end during a trial: it has no result, and nobody moves them.
TEST(Trials, EndWithTheirThreads) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  Engine engine({.patience = 1, .trials = true, .trial_reports = 1}, hierarchy_of(test::small()));
  engine.sample({1, 0, 0, 0, 0, -1});
  engine.sample({2, 0, 4096, 2, 0, -1});
  engine.advance(0.1);
  engine.progressed(1, 1);
  engine.take_actions();
  ASSERT_EQ(engine.counts().places_tried, 1);
  engine.ended(1);
  engine.progressed(0.1, 1);
  EXPECT_EQ(engine.counts().places_kept, 0);
  for (const Action& action : engine.take_actions()) EXPECT_NE(std::get<MoveTask>(action).task, 1);
}

// Page faults stand for the stores, which few virtual machines can count.
constexpr live::CountedEvent faults{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS};

void fault(std::size_t pages) {
  void* const memory = mmap(nullptr, pages << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(memory, pages << 12, MADV_NOHUGEPAGE);
  for (std::size_t page = 0; page < pages; ++page) static_cast<volatile char*>(memory)[page << 12] = 1;
  munmap(memory, pages << 12);
}

const live::KnownWork right{[] { fault(1000); }, 1000}, wrong{[] { fault(1000); }, 2000};

TEST(StoreCounter, IsAnEventThatCountsKnownWorkRight) {
  if (live::PerfEvents::refusal(live::PerfEvents::What::page_faults) != 0)
    GTEST_SKIP() << "perf is not allowed here";
  const live::CountedEvent clock{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
      unknown{PERF_TYPE_SOFTWARE, 999};
  const auto found = live::find_event({unknown, clock, faults}, right);
  ASSERT_TRUE(found.event);
  EXPECT_EQ(found.event->config, faults.config);
  EXPECT_FALSE(live::find_event({clock, faults}, wrong).event);
  EXPECT_EQ(live::find_event({clock, faults}, wrong).error, ERANGE);
  EXPECT_EQ(live::find_event({unknown, faults}, wrong).error, ENOENT) << "the first attempt's";
}

TEST(StoreCounter, CountsStoresOrSaysWhyNot) {
  const auto [event, error] = live::find_event(live::store_events(), live::known_stores());
  EXPECT_NE(event.has_value(), error != 0);
}

TEST(StoreCounter, CountsAProgramFromItsExecOn) {
  if (live::PerfEvents::refusal(live::PerfEvents::What::page_faults) != 0)
    GTEST_SKIP() << "perf is not allowed here";
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t program = fork();
  if (program == 0) {
    char byte = 0;
    if (read(ends[0], &byte, 1) == 1) execl("/bin/sh", "sh", "-c", "(exit 0); exec sleep 60", nullptr);
    _exit(1);
  }
  const live::StoreCounter counter(program, faults);
  EXPECT_EQ(counter.count().value_or(0), 0) << "before its exec";
  ASSERT_EQ(write(ends[1], "x", 1), 1);
  double count = 0;
  for (int i = 0; i < 1000 && count == 0; ++i) {
    usleep(10000);
    count = counter.count().value_or(0);
  }
  EXPECT_GT(count, 0);
  kill(program, SIGKILL);
  waitpid(program, nullptr, 0);
  EXPECT_GE(counter.count().value_or(0), count) << "it keeps what was counted";
  for (const int end : ends) close(end);
}

}  // namespace
}  // namespace gable::kmaf
