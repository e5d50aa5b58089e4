#include "bench/c2c/exchange.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "bench/buffers/chase.hpp"
#include "bench/threads/core_probe.hpp"
#include "bench/threads/crew.hpp"
#include "bench/threads/relax.hpp"

namespace gable::bench {

namespace {

using model::C2cMeasure;

constexpr std::int64_t least_tick_ns = 50'000, most_tick_ns = 200'000;
constexpr std::uint64_t over = 1ull << 63;  // a value that ends the exchange

// The shortest time between two readings of the clock.
std::int64_t clock_cost_ns() {
  constexpr int readings = 100;
  std::int64_t least = longest_probe_ns;
  for (int i = 0; i < readings; ++i) {
    const std::int64_t begin = now_ns();
    least = std::min(least, now_ns() - begin);
  }
  return least;
}

struct Job {
  const Exchange& exchange;
  C2cLines& lines;
  const std::atomic<bool>& stop;
  std::atomic<std::int64_t> deadline{0};  // set by the first thread to start
  std::atomic<std::uint64_t> total{0};    // of the work of threads that contend

  bool is_open(std::int64_t now, const std::vector<Tick>& ticks) const {
    return (now < deadline || ticks.size() < least_ticks) && !stop.load(std::memory_order_relaxed);
  }
};

// Works in pieces until the time is over; `work(pieces)` does so many pieces of `each` units of work.
template <typename DoWork>
std::uint64_t keep_ticking(const Job& job, std::uint64_t each, Trace& trace, const DoWork& work) {
  std::vector<Tick>& ticks = trace.timeline.ticks;
  std::uint64_t done = 0, pieces = 1;
  std::int64_t now = now_ns();
  ticks.push_back({now, 0});
  while (job.is_open(now, ticks)) {
    work(pieces);
    done += pieces * each;
    const std::int64_t before = now;
    now = now_ns();
    ticks.push_back({now, done});
    trace.see_cpu();
    if (now - before < least_tick_ns) pieces *= 2;
    if (now - before > most_tick_ns && pieces > 1) pieces /= 2;
  }
  return done;
}

// Increments the word by a locked compare-and-exchange once it has the value `mine`. Both threads try again
// and again, as core-to-core-latency does. Returns whether the exchange goes on.
template <bool emulated>
bool take_turn(std::atomic<std::uint64_t>& word, std::uint64_t mine, std::uint64_t next) {
  std::uint64_t found = mine;
  while (!word.compare_exchange_strong(found, next, std::memory_order_relaxed, std::memory_order_relaxed)) {
    if ((found & over) != 0) return false;
    if constexpr (emulated) relax();
    found = mine;
  }
  return true;
}

template <bool emulated>
void hand_over(const Job& job, std::size_t thread, Trace& trace) {
  std::atomic<std::uint64_t>& word = job.lines.word();
  std::uint64_t value = thread;
  if (thread == 1) {
    while (take_turn<emulated>(word, value, value + 1)) value += 2;
    trace.see_cpu();
    return;
  }
  keep_ticking(job, 2, trace, [&](std::uint64_t round_trips) {
    for (std::uint64_t i = 0; i < round_trips; ++i, value += 2) take_turn<emulated>(word, value, value + 1);
  });
  take_turn<emulated>(word, value, over);
}

// Waits until it is the thread's turn; returns whether the exchange goes on.
bool await(const std::atomic<std::uint64_t>& turn, std::uint64_t mine) {
  std::uint64_t found = 0;
  while ((found = turn.load(std::memory_order_acquire)) != mine) {
    if ((found & over) != 0) return false;
    relax();
  }
  return true;
}

// The owner brings all lines into its caches, modified or not.
void own_lines(const Job& job, Trace& trace) {
  const C2cLines& lines = job.lines;
  for (std::uint64_t turn = 0; await(lines.turn(), turn); turn += 2) {
    if (job.exchange.measure == C2cMeasure::modified) {
      lines.write_all(turn);
    } else {
      lines.drop_from_caches();
      lines.read_all();
    }
    lines.turn().store(turn + 1, std::memory_order_release);
  }
  trace.see_cpu();
}

// The reader follows the pointers. Only the time of its loads counts.
void read_lines(const Job& job, Trace& trace) {
  const C2cLines& lines = job.lines;
  const kernels::Kernel& chase = *kernels::find("chase", kernels::general_isa);
  kernels::Arguments arguments;
  start_chase(chase, static_cast<std::byte*>(lines.first()), C2cLines::count, arguments);
  const std::uint64_t iterations = arguments.iterations_per_pass;
  const auto cost = static_cast<double>(clock_cost_ns());
  std::vector<Tick>& ticks = trace.timeline.ticks;
  ticks.push_back({0, 0});
  double spent = 0;
  std::uint64_t read = 0;
  for (std::uint64_t turn = 1; await(lines.turn(), turn); turn += 2) {
    spent += std::max(1.0, run_for(chase, arguments, iterations) - cost);
    read += C2cLines::count;
    ticks.push_back({static_cast<std::int64_t>(spent), read});
    const bool goes_on = job.is_open(now_ns(), ticks);
    lines.turn().store(goes_on ? turn + 1 : over, std::memory_order_release);
    if (!goes_on) break;
  }
  trace.see_cpu();
}

void increment(Job& job, Trace& trace) {
  std::atomic<std::uint64_t>& word = job.lines.word();
  job.total += keep_ticking(job, 1, trace, [&](std::uint64_t times) {
    for (std::uint64_t i = 0; i < times; ++i) word.fetch_add(1, std::memory_order_relaxed);
  });
}

// A test-and-test-and-set lock, which guards a number in another line.
void lock_and_increment(Job& job, Trace& trace) {
  std::atomic<std::uint64_t>& word = job.lines.word();
  std::atomic<std::uint64_t>& guarded = job.lines.guarded();
  job.total += keep_ticking(job, 1, trace, [&](std::uint64_t times) {
    for (std::uint64_t i = 0; i < times; ++i) {
      while (word.exchange(1, std::memory_order_acquire) != 0)
        while (word.load(std::memory_order_relaxed) != 0) relax();
      guarded.store(guarded.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      word.store(0, std::memory_order_release);
    }
  });
}

void do_part(Job& job, std::size_t thread, Trace& trace) {
  switch (job.exchange.measure) {
    case C2cMeasure::handoff:
      return job.exchange.emulated ? hand_over<true>(job, thread, trace)
                                   : hand_over<false>(job, thread, trace);
    case C2cMeasure::modified:
    case C2cMeasure::shared:
      return thread == 0 ? own_lines(job, trace) : read_lines(job, trace);
    case C2cMeasure::increments:
      return increment(job, trace);
    case C2cMeasure::lock:
      return lock_and_increment(job, trace);
  }
}

// What the threads counted together must be what is in memory.
void check_total(const Job& job) {
  const C2cMeasure measure = job.exchange.measure;
  if (model::row_of(measure).of_pairs) return;
  const std::uint64_t found =
      measure == C2cMeasure::lock ? job.lines.guarded().load() : job.lines.word().load();
  if (found != job.total)
    throw Error::failed("contended increments were lost: this machine does not compute as it should");
}

}  // namespace

std::vector<ExchangeTrace> run_exchange(Team& team, const Exchange& exchange, C2cLines& lines,
                                        const std::atomic<bool>& stop) {
  std::vector<ExchangeTrace> traces(exchange.cpus.size());
  for (ExchangeTrace& each : traces) {  // not between the threads' measurements
    each.trace.timeline.work_per_iteration = 1;
    each.trace.timeline.ticks.reserve(static_cast<std::size_t>(exchange.seconds * 1e9 / least_tick_ns) + 64);
    each.trace.cpus_seen.reserve(8);
  }
  lines.reset();
  Job job{exchange, lines, stop};
  Crew crew(team, exchange.cpus);
  Barrier start(crew, !exchange.emulated);
  crew.run([&](std::size_t thread) {
    ExchangeTrace& each = traces[thread];
    CoreProbe probe;
    const bool probes = exchange.own_cores && !exchange.emulated;
    if (probes) each.adds_per_cycle = probe.adds_per_cycle();
    each.trace.clock_ghz_before = measure_clock_ghz();
    each.trace.see_cpu();
    start.wait();
    std::int64_t unset = 0;
    job.deadline.compare_exchange_strong(unset, now_ns() + static_cast<std::int64_t>(exchange.seconds * 1e9));
    do_part(job, thread, each.trace);
    each.trace.clock_ghz_after = measure_clock_ghz();
    if (probes) each.adds_per_cycle = std::min(each.adds_per_cycle, probe.adds_per_cycle());
  });
  check_total(job);
  return traces;
}

}  // namespace gable::bench
