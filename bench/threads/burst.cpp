#include "bench/threads/burst.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "bench/threads/core_probe.hpp"
#include "bench/threads/crew.hpp"
#include "bench/threads/relax.hpp"

namespace gable::bench {

namespace {

constexpr double tick_ns =
    500'000;  // a core may change its state at every call, so a repetition has few calls
constexpr double throttled_tick_ns = 3'000;
constexpr double warm_up_ns = 500'000;
constexpr double warm_up_pass_ns = 4'000'000;  // a longer pass exceeds the caches and needs no warm-up
constexpr int chunk_probes = 8;                // the fastest counts; a throttled thread sets its pace from it

// Reads twice, for caches that are filled only by evictions from another.
void read_through(const Work& work) {
  for (int pass = 0; pass < 2; ++pass) {
    for (std::uint64_t at = 0; at < work.sweep_bytes; at += 64) {
      static_cast<void>(*reinterpret_cast<const volatile std::byte*>(work.sweep + at));
    }
  }
}

// Finds the iterations per tick, then runs until the caches are warm.
void warm_up(Work& work) {
  double spent = 0;
  if (work.chunk == 0) read_through(work);
  if (work.chunk == 0) {
    std::uint64_t iterations = 1;
    double ns = run_for(*work.kernel, work.arguments, iterations);
    while (ns < tick_ns / 2) {
      iterations *= ns < tick_ns / 32 ? 8 : 2;
      ns = run_for(*work.kernel, work.arguments, iterations);
      spent += ns;
    }
    const double target = work.percent < 100 ? throttled_tick_ns : tick_ns;
    work.chunk =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(iterations) * target / ns));
    work.chunk_ns = run_for(*work.kernel, work.arguments, work.chunk);
    for (int i = 0; work.percent < 100 && i < chunk_probes; ++i) {
      work.chunk_ns = std::min(work.chunk_ns, run_for(*work.kernel, work.arguments, work.chunk));
    }
  }
  const double passes_ns = 2 * work.chunk_ns * static_cast<double>(work.arguments.iterations_per_pass) /
                           static_cast<double>(work.chunk);
  const double enough = passes_ns <= warm_up_pass_ns ? std::max(passes_ns, warm_up_ns) : warm_up_ns;
  while (spent < enough) spent += run_for(*work.kernel, work.arguments, work.chunk);
}

void wait_until(std::int64_t when) {
  while (now_ns() < when) relax();
}

// The measured loop. Probes of the core between two chunks are not part of the timeline.
void keep_running(Work& work, std::int64_t deadline, const std::atomic<bool>& stop, Trace& trace) {
  std::vector<Tick>& ticks = trace.timeline.ticks;
  CoreProbe probe;
  const bool probes = work.percent == 100;
  std::uint64_t done = 0;
  std::int64_t probed_ns = 0;
  const double adds_at_start = probes ? probe.adds_per_cycle() : 0;
  std::int64_t now = now_ns();
  ticks.push_back({now, 0, adds_at_start});
  const double each_ns = work.percent > 0 ? work.chunk_ns * 100 / work.percent : tick_ns;
  double next = static_cast<double>(now);
  double next_tick = static_cast<double>(now) + tick_ns;
  work.arguments.iterations = work.chunk;
  // A late thread still records a timeline.
  while ((now < deadline || ticks.size() < least_ticks) && !stop.load(std::memory_order_relaxed)) {
    if (work.percent > 0) {
      work.kernel->code(&work.arguments);
      done += work.chunk;
    }
    if (work.percent < 100) {
      next += each_ns;
      wait_until(static_cast<std::int64_t>(next));
    }
    now = now_ns();
    if (static_cast<double>(now) < next_tick && work.percent < 100 && now < deadline) continue;
    next_tick = static_cast<double>(now) + tick_ns;
    ticks.push_back({now - probed_ns, done});
    if (probes) {
      ticks.back().adds_per_cycle = probe.adds_per_cycle();
      probed_ns += std::min(now_ns() - now, longest_probe_ns);
    }
    trace.see_cpu();  // not before the probe: a kernel that follows a probe at once may load 1 % less from L1
  }
}

}  // namespace

void Trace::see_cpu() {
  const auto cpu = static_cast<unsigned>(sched_getcpu());
  if (cpus_seen.empty() || cpus_seen.back() != cpu) cpus_seen.push_back(cpu);
}

std::vector<Trace> run_burst(Team& team, std::vector<Work>& work, double seconds,
                             const std::atomic<bool>& stop) {
  std::vector<Trace> traces(work.size());
  std::vector<unsigned> cpus;
  cpus.reserve(work.size());
  for (const Work& each : work) cpus.push_back(each.cpu);
  for (Trace& trace : traces) {  // not between the threads' measurements
    trace.timeline.ticks.reserve(static_cast<std::size_t>(seconds * 1e9 / tick_ns * 1.5) + 64);
    trace.cpus_seen.reserve(8);
  }
  Crew crew(team, std::move(cpus));
  Barrier start(crew, true);
  std::atomic<std::int64_t> deadline{
      0};  // set by the first thread to start, so that a delayed thread costs the others no time
  crew.run([&](std::size_t i) {
    Trace& trace = traces[i];
    trace.timeline.work_per_iteration = work[i].per_iteration;
    if (work[i].percent > 0) warm_up(work[i]);
    trace.clock_ghz_before = measure_clock_ghz();
    start.wait();
    std::int64_t unset = 0;
    deadline.compare_exchange_strong(unset, now_ns() + static_cast<std::int64_t>(seconds * 1e9));
    keep_running(work[i], deadline, stop, trace);
    trace.clock_ghz_after = measure_clock_ghz();
  });
  return traces;
}

}  // namespace gable::bench
