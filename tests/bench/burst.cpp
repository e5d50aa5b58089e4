// Bursts: every thread records a timeline, keeps to its share, and stops on request.

#include "bench/threads/burst.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "bench/threads/core_probe.hpp"
#include "kernels/kernel.hpp"
#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::cpus;
using gable::bench::tests::KiB;
using gable::kernels::Kernel;

Work work_on(unsigned cpu, const Kernel& kernel, std::vector<double>& memory) {
  Work work;
  work.cpu = cpu;
  work.kernel = &kernel;
  work.per_iteration = kernel.load_bytes + kernel.store_bytes;
  work.arguments.scalar = 1;
  memory.assign(3 * 4096 + 8, 1.0);
  auto* base = reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
  work.arguments.load[0] = base;
  work.arguments.load[1] = base + 32 * KiB;
  work.arguments.store = base + 64 * KiB;
  work.arguments.iterations_per_pass = 8;
  return work;
}

void expect_timeline(const Trace& trace, const Work& work) {
  const auto& ticks = trace.timeline.ticks;
  ASSERT_GE(ticks.size(), 2u);
  EXPECT_EQ(ticks.front().iterations, 0u);
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    EXPECT_GE(ticks[i].ns, ticks[i - 1].ns);
    EXPECT_GE(ticks[i].iterations, ticks[i - 1].iterations);
    EXPECT_EQ(ticks[i].iterations % std::max<std::uint64_t>(1, work.chunk), 0u);
  }
  EXPECT_EQ(trace.timeline.work_per_iteration, work.per_iteration);
}

// The time from the first start to the last end; a delayed thread covers less of it, and probes are not part
// of it.
double seconds_of(const std::vector<Trace>& traces) {
  std::int64_t from = traces.front().timeline.ticks.front().ns, to = from;
  for (const Trace& trace : traces) {
    from = std::min(from, trace.timeline.ticks.front().ns);
    to = std::max(to, trace.timeline.ticks.back().ns);
  }
  return static_cast<double>(to - from) * 1e-9;
}

TEST(Burst, EveryThreadKeepsATimeline) {
  Team team;
  const std::vector<unsigned> all = cpus();
  std::vector<std::vector<double>> memory(all.size());
  std::vector<Work> work;
  for (std::size_t i = 0; i < all.size(); ++i) {
    work.push_back(work_on(all[i], *gable::kernels::best("load"), memory[i]));
  }
  const std::atomic<bool> stop{false};
  const auto traces = run_burst(team, work, 0.01, stop);
  ASSERT_EQ(traces.size(), all.size());
  EXPECT_GT(seconds_of(traces), 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    expect_timeline(traces[i], work[i]);
    EXPECT_GT(traces[i].timeline.ticks.back().iterations, 0u);
    EXPECT_EQ(traces[i].cpus_seen, std::vector<unsigned>{all[i]});
  }
}

TEST(Burst, AThreadAtNoLoadWaits) {
  Team team;
  std::vector<double> memory;
  std::vector<Work> work = {work_on(cpus().front(), *gable::kernels::best("store"), memory)};
  work.front().percent = 0;
  std::ranges::fill(memory, 7.0);
  const std::atomic<bool> stop{false};
  const auto traces = run_burst(team, work, 0.005, stop);
  expect_timeline(traces.front(), work.front());
  EXPECT_GT(seconds_of(traces), 0);
  EXPECT_EQ(traces.front().timeline.ticks.back().iterations, 0u);
  for (const double each : memory) EXPECT_EQ(each, 7.0);
}

// A chunk of work never starts before the previous one and its pause are over.
TEST(Burst, AThrottledThreadKeepsToItsShare) {
  Team team;
  for (const int percent : {10, 50, 90}) {
    std::vector<double> memory;
    std::vector<Work> work = {work_on(cpus().front(), *gable::kernels::best("load"), memory)};
    work.front().percent = percent;
    const std::atomic<bool> stop{false};
    const auto traces = run_burst(team, work, 0.01, stop);
    const auto& ticks = traces.front().timeline.ticks;
    const double chunks =
        static_cast<double>(ticks.back().iterations) / static_cast<double>(work.front().chunk);
    const double ns = static_cast<double>(ticks.back().ns - ticks.front().ns);
    EXPECT_LE(chunks * work.front().chunk_ns, percent / 100.0 * ns + work.front().chunk_ns) << percent;
    EXPECT_GT(chunks, 0) << percent;
  }
}

TEST(Burst, StopsWhenAsked) {
  Team team;
  std::vector<double> memory;
  std::vector<Work> work = {work_on(cpus().front(), *gable::kernels::best("load"), memory)};
  std::atomic<bool> stop{false};
  std::thread asks([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
  });
  const auto traces = run_burst(team, work, 60, stop);
  asks.join();
  const auto& ticks = traces.front().timeline.ticks;
  EXPECT_LT(ticks.back().ns - ticks.front().ns, 30'000'000'000);
}

TEST(Burst, TheClockIsMeasured) {
  const double clock = measure_clock_ghz();
  EXPECT_GT(clock, 0.01);
  EXPECT_LT(clock, 20);
}

}  // namespace
