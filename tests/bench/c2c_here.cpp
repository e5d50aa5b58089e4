// Measures between two cores of this host: threads and pages are in their places, and all work is counted.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bench/buffers/chase.hpp"
#include "bench/c2c/c2c_campaign.hpp"
#include "bench/c2c/c2c_visit.hpp"
#include "machines.hpp"

namespace gable::bench::tests {
namespace {

using model::C2cCase;
using model::C2cMeasure;
using model::C2cSample;

const std::atomic<bool> not_interrupted{false};

// On this host, every measure between the first two hardware threads of different cores.
class C2cHere : public testing::Test {
 protected:
  void SetUp() override {
    for (const machines::Place& place : places_)
      if (pus_.empty() || place.core != places_.front().core) pus_.push_back(place.pu);
    if (pus_.size() < 2) GTEST_SKIP() << "one core";
    if (const std::string why = numa_refused(); !why.empty()) GTEST_SKIP() << why;
    pus_.resize(2);
  }
  C2cSample visit(C2cMeasure measure) {
    C2cCase spec;
    spec.measure = measure;
    spec.pus = pus_;
    spec.node = places_.front().node;
    spec.between = class_of(machine_, places_[0], *std::ranges::find(places_, pus_[1], &machines::Place::pu));
    C2cSample sample;
    C2cBench bench(host_, places_, machine_.nodes.size(), not_interrupted);
    // What a busy machine prevents once is tried again.
    for (int i = 0; i < 20; ++i) {
      sample = bench.visit(spec, 0, 0.01);
      if (sample.status == model::Status::ok) break;
    }
    return sample;
  }

  const machines::Machine machine_ = machines::this_machine();
  const machines::Host host_ = machines::this_host();
  const std::vector<machines::Place> places_ = places_of(machine_);
  std::vector<unsigned> pus_;
};

TEST_F(C2cHere, EveryMeasureHasThreadsAndPagesInTheirPlaces) {
  for (const auto& row : model::c2c_measure_rows) {
    const C2cSample sample = visit(row.value);
    EXPECT_EQ(sample.node_bytes.size(), 1u) << row.name;
    EXPECT_EQ(sample.node_bytes.begin()->first, places_.front().node) << row.name;
    EXPECT_EQ(sample.cpus, pus_) << row.name;
    if (sample.status != model::Status::ok) {
      EXPECT_EQ(sample.status, model::Status::invalid) << row.name << ": a busy machine";
      continue;
    }
    EXPECT_GE(sample.work.size(), least_repetitions) << row.name;
    EXPECT_EQ(sample.by_threads.size(), row.of_pairs ? 0u : 2u) << row.name;
    for (const double work : sample.by_threads) EXPECT_GT(work, 0) << row.name;
  }
}

TEST_F(C2cHere, PagesElsewhereAreNamed) {
  const C2cLines lines(places_.front().node);
  EXPECT_TRUE(lines.misplaced(lines.residence(), 2).empty());
  EXPECT_FALSE(lines.misplaced({{places_.front().node + 1, 4096}}, 2).empty());
  EXPECT_FALSE(lines.misplaced({}, 2).empty());
  EXPECT_TRUE(lines.misplaced({}, 1).empty());
}

// The lines that are read form one cycle and spread over the sets of a cache.
TEST_F(C2cHere, TheCycleVisitsEveryLineOnce) {
  const C2cLines lines(-1);
  std::set<const void*> seen;
  std::map<std::uintptr_t, int> sets;
  const void* at = lines.first();
  do {
    EXPECT_TRUE(seen.insert(at).second);
    ++sets[reinterpret_cast<std::uintptr_t>(at) / line_bytes() % 64];
    at = *static_cast<const void* const*>(at);
  } while (at != lines.first() && seen.size() <= C2cLines::count);
  EXPECT_EQ(seen.size(), C2cLines::count);
  EXPECT_EQ(sets.size(), 64u);
  for (const auto& [set, count] : sets) EXPECT_EQ(count, 4) << set;
}

// A thread that has all makes the exchange unfair.
TEST_F(C2cHere, ALockCountsEveryAcquisition) {
  C2cLines lines(-1);
  Team team;
  const auto traces = run_exchange(team, {C2cMeasure::lock, pus_, 0.01, false, true}, lines, not_interrupted);
  std::uint64_t sum = 0;
  for (const ExchangeTrace& each : traces) sum += each.trace.timeline.ticks.back().iterations;
  EXPECT_EQ(lines.guarded(), sum);
}

}  // namespace
}  // namespace gable::bench::tests
