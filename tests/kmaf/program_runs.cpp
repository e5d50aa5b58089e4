// The runs of a program: each in its own order, under every policy.

#include "kmaf/replay/runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "base/error.hpp"
#include "kmaf/replay/oracle.hpp"
#include "recorded.hpp"
#include "replayed.hpp"

namespace gable::kmaf {
namespace {

// Eight threads add to shared lines under a lock, and work between that, each a little more or less than the
// others.
std::vector<Access> counting_program(int sections, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Section> program(static_cast<std::size_t>(sections), Section(8));
  for (Section& section : program) {
    for (std::uint32_t thread = 0; thread < 8; ++thread) {
      std::vector<Access>& steps = section[thread];
      for (std::uint64_t step = 0; step < 20; ++step) {
        steps.push_back(event(thread, Event::work, 900 + random.below(40)));
        steps.push_back({(thread + 1) << 20 | step * 64, thread, 8, true, 3});
        steps.push_back(event(thread, Event::lock, lock_object));
        for (std::uint64_t line = 0; line < 8; ++line) steps.push_back({line * 64, thread, 8, true, 3});
        steps.push_back(event(thread, Event::unlock, lock_object));
      }
    }
  }
  return Recorder(program, seed).trace();
}

std::vector<const PolicyEntry*> entries(const std::vector<std::string>& names) {
  std::vector<const PolicyEntry*> found;
  for (const std::string& name : names) found.push_back(&policy(name));
  return found;
}

bool same(const Record& a, const Record& b) {
  return a.thread == b.thread && a.page == b.page && a.line == b.line && a.write == b.write &&
         a.event == b.event;
}

TEST(ProgramOrders, RunsHaveOtherOrdersOfTheSameWork) {
  ProgramOrders orders(order_of(counting_program(30, 1)), 0, two_nodes(2), {});
  ASSERT_TRUE(orders.differ());
  const ScaledTrace zero = orders.of_run(0), one = orders.of_run(1);
  EXPECT_EQ(zero.trace, &orders.first());
  const auto of_zero = records_of(*zero.trace), of_one = records_of(*one.trace);
  EXPECT_FALSE(std::ranges::equal(of_zero, of_one, same));
  EXPECT_EQ(zero.trace->accesses(), one.trace->accesses());
  EXPECT_NEAR(zero.scale * static_cast<double>(zero.trace->steady_accesses()),
              one.scale * static_cast<double>(one.trace->steady_accesses()), 1e-6 * zero.scale);
  orders.drop(1);
  EXPECT_TRUE(std::ranges::equal(records_of(*orders.of_run(1).trace), of_one, same));
}

TEST(ProgramOrders, AreAllTheSameWithoutEvents) {
  ProgramOrders orders(order_of({{0, 1, 8, true}, {64, 2, 8, true}, {0, 2, 8, true}}), 0, two_nodes(2), {});
  EXPECT_FALSE(orders.differ());
  EXPECT_EQ(orders.of_run(5).trace, &orders.first());
  EXPECT_EQ(orders.of_run(5).scale, orders.first_scale());
  EXPECT_THROW(ProgramOrders(ParallelOrder(), 0, two_nodes(2), {}), Error);
}

TEST(ProgramRuns, AreTheSameWithAnyNumberOfJobs) {
  const auto machine = two_nodes(2);
  const auto policies = entries({"os", "compact", "random", "kmaf"});
  std::vector<std::vector<ReplayResult::OfPolicy>> results;
  for (const int jobs : {1, 3}) {
    ProgramOrders orders(order_of(counting_program(30, 1)), 0, machine, {});
    results.push_back(run_policies(orders, machine, policies, 4, jobs, {}));
  }
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const auto &one = results[0][i].outcomes, &other = results[1][i].outcomes;
    ASSERT_EQ(one.size(), 4u);
    EXPECT_TRUE(std::ranges::equal(one, other, {}, &Outcome::seconds, &Outcome::seconds))
        << policies[i]->name;
    EXPECT_NE(one[0].seconds, one[1].seconds) << policies[i]->name;
  }
}

TEST(ProgramRuns, OneStandsForAllThatAreTheSame) {
  const auto machine = two_nodes(2);
  ProgramOrders orders(order_of({{0, 1, 8, true}, {64, 2, 8, true}, {0, 2, 8, true}}), 0, machine, {});
  const auto results = run_policies(orders, machine, entries({"os", "compact"}), 3, 2, {});
  EXPECT_EQ(results[0].outcomes.size(), 3u);
  EXPECT_EQ(results[1].outcomes.size(), 1u);
  EXPECT_TRUE(results[1].deterministic);
}

// Every number up to the last once, of a total that is known from the first run on.
TEST(ProgramRuns, ProgressCountsToItsEnd) {
  const auto machine = two_nodes(4);
  ProgramOrders orders(order_of(counting_program(40, 1)), 0, machine, {});
  ReplayOptions options;
  std::mutex guard;
  std::map<int, int> told;  // runs that have ended, of how many
  options.progress = [&](int ended, int all) {
    const std::lock_guard lock(guard);
    EXPECT_TRUE(told.emplace(ended, all).second);
  };
  const auto expect_complete = [&] {
    ASSERT_FALSE(told.empty());
    const int all = told.begin()->second;
    EXPECT_EQ(told.begin()->first, 1);
    EXPECT_EQ(told.rbegin()->first, all);
    EXPECT_EQ(told.size(), static_cast<std::size_t>(all));
    for (const auto& [ended, of] : told) EXPECT_EQ(of, all);
    told.clear();
  };
  best_for(orders, 5, machine, options, 2);
  expect_complete();
  run_policies(orders, machine, entries({"os", "compact"}), 5, 2, options);
  expect_complete();
}

TEST(ProgramRuns, AnExceptionEndsThem) {
  std::atomic<int> begun = 0;
  const auto task = [&](std::size_t number) {
    ++begun;
    if (number == 5) throw std::runtime_error("five");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  EXPECT_THROW(do_all(1000, 3, task), std::runtime_error);
  EXPECT_LT(begun, 1000);
}

// A few instructions more or less change who gets the lock. With a single order, what is gained differs by
// 3 %.
TEST(ProgramRuns, AProgramTracedTwiceGainsTheSame) {
  const auto machine = two_nodes(4);
  std::vector<double> gains;
  for (const std::uint64_t seed : {1, 2, 3}) {
    ProgramOrders orders(order_of(counting_program(40, seed)), 0, machine, {});
    ReplayOptions options;
    const OracleChoice best = best_for(orders, 8, machine, options, 1);
    options.mapping = best.mapping;
    options.pages = best.pages;
    const auto results = run_policies(orders, machine, entries({"os", "oracle"}), 8, 1, options);
    ReplayResult result;
    result.policies = results;
    gains.push_back(ratios_to_os(result).front().of_policy[1]->value);
  }
  EXPECT_LT(gains.front(), 0.98);
  EXPECT_LT(*std::ranges::max_element(gains) / *std::ranges::min_element(gains), 1.02);
}

}  // namespace
}  // namespace gable::kmaf
