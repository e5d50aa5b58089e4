#include "kmaf/replay/replay.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/numbers.hpp"
#include "kmaf/replay/machine/running_threads.hpp"
#include "kmaf/replay/machine/traffic_means.hpp"
#include "kmaf/replay/trace/thread_clocks.hpp"

namespace gable::kmaf {

namespace {

constexpr std::size_t tick_of_thread = 16;  // records
// gable kmaf run judges places by twenty reports of progress, one every 0.1 s. Three passes stand for them.
// The first one of a trial is as long as a report, the others twice as long as the one before.
constexpr double report_seconds = 0.1, reports_seconds = 2;

// The share of the program that each pass represents: half of the passes represent twice as much as the one
// before, since most moves come early; the others are alike.
std::vector<double> shares_of_passes(int passes) {
  std::vector<double> shares;
  double sum = 0;
  for (int pass = 0; pass < passes; ++pass) {
    shares.push_back(std::ldexp(1, std::min(pass, (passes - 1) / 2)));
    sum += shares.back();
  }
  for (double& share : shares) share /= sum;
  return shares;
}

class Simulation {
 public:
  Simulation(const PreparedTrace& trace, const SimulatedMachine& machine, const PolicyEntry& entry,
             double scale, std::uint64_t seed, const ReplayOptions& options)
      : trace_(trace),
        machine_(machine),
        scale_(scale),
        random_(seed),
        placement_{std::vector<int>(index(trace.threads()), -1), std::vector<std::int16_t>(trace.pages(), -1),
                   std::vector<std::uint8_t>(trace.pages(), 1)},
        settled_(index(trace.threads()), -1),
        owed_(index(trace.threads())),
        ran_(index(trace.threads())),
        memory_(machine, placement_.home),
        traffic_(memory_, machine),
        clocks_(trace.threads(), trace.objects()),
        running_(trace.threads(), machine),
        tick_(tick_of_thread * index(trace.threads())),
        watch_(options.watch),
        // If nothing moves, all passes are the same.
        shares_(shares_of_passes(!trace.is_looped() || entry.still ? 1 : options.passes)),
        program_seconds_(options.program_seconds),
        policy_(entry.make({machine, trace, options, placement_, random_, owed_, ran_, moved_, piece_})) {}

  // The time of the steady part, in ns, if nothing changes.
  double steady_ns() {
    touch();
    settle();
    return run_pass();
  }

  Outcome run() {
    touch();
    for (double left : shares_) {
      while (left > 0) {
        const double share = std::min(left, longest_share());
        pass(share);
        left -= share;
      }
    }
    return outcome();
  }

 private:
  // The largest share of the program that the next pass may represent. Progress is reported in looped traces
  // only.
  double longest_share() {
    const Trials trials = trace_.is_looped() ? policy_->trials() : Trials::none;
    if (trials == Trials::none) return 1;
    if (trials == Trials::expected) {
      trial_seconds_ = 0;
      return reports_seconds / 3 / program_seconds_;
    }
    // A trial moves no thread if the engine's knowledge of where it runs is out of date.
    const bool goes_on = trial_seconds_ > 0 && settled_ == placement_.leaf;
    trial_seconds_ = goes_on ? 2 * trial_seconds_ : report_seconds;
    return trial_seconds_ / program_seconds_;
  }

  // One pass, which represents this share of the program.
  void pass(double share) {
    const auto settled_ns = settle();
    represents_ = scale_ * share;
    traffic_.begin();
    const double ns = run_pass();
    passed_ += 1e-9 * ns * represents_;
    if (settled_ns) passed_ += 1e-9 * std::max(0.0, *settled_ns - ns);
    traffic_.end(share);
  }

  // The start of the program: threads start and pages are touched for the first time. It takes no time beside
  // the steady part.
  void touch() {
    trace_.replay(PreparedTrace::Part::start, [&](const Record* records, std::size_t count) {
      if (watch_) watch_();
      for (std::size_t i = 0; i < count; ++i) {
        if (records[i].event == Event::access && placement_.hidden[records[i].page] != 0) show(records[i]);
      }
    });
    if (trace_.is_looped()) clocks_.restart();
  }

  // Threads move between two passes of a looped trace. Their caches are filled again once, however many
  // repetitions the next pass represents: in a pass of its own, whose time is returned.
  std::optional<double> settle() {
    if (!trace_.is_looped() || (is_warm_ && settled_ == placement_.leaf)) return {};
    is_warm_ = true;
    settled_ = placement_.leaf;
    represents_ = 0;
    return run_pass();
  }

  double run_pass() {
    std::size_t in_tick = 0;
    std::uint64_t position = 0;
    trace_.replay(PreparedTrace::Part::steady, [&](const Record* records, std::size_t count) {
      if (watch_) watch_();
      for (std::size_t i = 0; i < count; ++i) {
        take(records[i]);
        if (++in_tick != tick_) continue;
        in_tick = 0;
        position += tick_;
        if (!trace_.is_looped()) {
          piece_ = static_cast<int>(std::min<std::uint64_t>(
              PreparedTrace::pieces - 1, position * PreparedTrace::pieces / trace_.steady_records()));
        }
        manage(clocks_.mean());
      }
    });
    pay(true);
    for (int thread = 0; thread < trace_.threads(); ++thread) {
      if (running_.core(thread) < 0) continue;
      clocks_.set(thread, running_.drained(thread, clocks_.of(thread)));
      if (clocks_.runs(thread)) running_.stop(thread);
    }
    const double ns = clocks_.latest();
    manage(ns);
    if (represents_ > 0 && trace_.is_looped() && settled_ == placement_.leaf)
      policy_->progressed(represents_, 1e-9 * ns * represents_);
    if (trace_.is_looped()) {
      clocks_.restart();
      memory_.restart();
    }
    return ns;
  }

  void take(const Record& record) {
    const int thread = record.thread;
    if (placement_.leaf[record.thread] < 0) start(thread);
    const int leaf = trace_.is_looped() ? settled_[record.thread] : placement_.leaf[record.thread];
    const int core = machine_.hierarchy.leaves[index(leaf)].core;
    if (clocks_.resume(thread)) {
      running_.start(thread, core);
    } else if (running_.core(thread) != core) {
      running_.stop(thread);
      running_.start(thread, core);
    }
    const double before = clocks_.of(thread);
    const double now = running_.after(thread, before, record.instructions);
    const bool is_access = record.event == Event::access;
    clocks_.set(thread, is_access ? access(record, core, now) : running_.drained(thread, now));
    ran_[index(thread)] += 1e-9 * (clocks_.of(thread) - before) * represents_;
    if (is_access) return;
    if (clocks_.take(record)) running_.stop(thread);
  }

  // Returns the time at which the thread goes on.
  double access(const Record& record, int core, double now) {
    const int thread = record.thread;
    if (placement_.hidden[record.page] != 0) show(record);
    if (record.repeats > 0) memory_.count_l1_hits(record.repeats);
    const std::uint64_t line =
        line_of(record.page, trace_.page_number(record.page), std::uint64_t{record.line} << 6);
    if (memory_.access_l1(core, line, record.write)) return now;  // within the time of its instructions
    now = running_.free_for_miss(thread, now);
    running_.miss(thread, now + memory_.access(core, line, record.write, now));
    return now;
  }

  void start(int thread) {
    placement_.leaf[index(thread)] = policy_->first_leaf(thread);
    if (trace_.is_looped()) settled_[index(thread)] = placement_.leaf[index(thread)];
  }

  // A page fault: the page is touched for the first time, or was hidden.
  void show(const Record& record) {
    if (placement_.leaf[record.thread] < 0) start(record.thread);
    std::int16_t& home = placement_.home[record.page];
    placement_.hidden[record.page] = 0;
    const bool first_touch = home < 0;
    if (first_touch) home = static_cast<std::int16_t>(policy_->first_home(record.page, record.thread));
    policy_->fault(record, told_, first_touch);
  }

  // Threads pay for management while they run, at the end of a pass all do.
  void pay(bool all) {
    if (represents_ == 0) return;
    for (std::size_t thread = 0; thread < owed_.size(); ++thread) {
      if (owed_[thread] == 0 || placement_.leaf[thread] < 0) continue;
      const int number = static_cast<int>(thread);
      if (!all && !clocks_.runs(number)) continue;
      clocks_.set(number, clocks_.of(number) + 1e9 * owed_[thread] / represents_);
      owed_[thread] = 0;
    }
    for (const auto& [from, to] : moved_) memory_.copy(from, to, 4096 / represents_, clocks_.mean());
    moved_.clear();
  }

  // The time of this pass is `ns`: the policy may act.
  void manage(double ns) {
    if (represents_ == 0) return;
    pay(false);
    const double seconds = std::max(told_, passed_ + 1e-9 * ns * represents_);
    const double interval = seconds - told_;
    told_ = seconds;
    policy_->advance(seconds, interval);
  }

  Outcome outcome() const {
    Outcome outcome;
    outcome.seconds = passed_;
    outcome.counts = traffic_.counts();
    outcome.link_bytes = traffic_.link_bytes();
    outcome.access = traffic_.access();
    outcome.policy = policy_->counts();
    outcome.joules = 1e-9 * traffic_.access_nj() * scale_ + machine_.energy.static_watts * outcome.seconds;
    outcome.cpu_seconds = std::accumulate(ran_.begin(), ran_.end(), 0.0);
    outcome.overhead_percent =
        outcome.cpu_seconds > 0 ? 100 * outcome.policy.overhead.sum() / outcome.cpu_seconds : 0;
    return outcome;
  }

  const PreparedTrace& trace_;
  const SimulatedMachine& machine_;
  double scale_;
  std::mt19937_64 random_;
  Placement placement_;
  std::vector<int> settled_;  // the leaves of a looped trace's threads in the present pass
  bool is_warm_ = false;      // caches have been filled
  std::vector<double> owed_, ran_;
  std::vector<std::pair<int, int>> moved_;
  int piece_ = -1;
  MemorySystem memory_;
  TrafficMeans traffic_;
  ThreadClocks clocks_;
  RunningThreads running_;
  std::size_t tick_;
  const std::function<void()>& watch_;
  std::vector<double> shares_;  // of the program that each pass represents
  double program_seconds_;
  double trial_seconds_ = 0;  // what the latest pass of a trial of places represents; 0: before its first
  double represents_ = 1;     // repetitions of the program, by the present pass; 0: it settles
  double passed_ = 0;         // seconds of the program before the present pass
  double told_ = 0;
  std::unique_ptr<Policy> policy_;
};

}  // namespace

double scale_of(const PreparedTrace& trace, const SimulatedMachine& machine, const ReplayOptions& options) {
  ReplayOptions still = options;
  still.swaps_per_second = 0;
  return 1e9 * options.program_seconds /
         Simulation(trace, machine, policies().front(), 1, 0, still).steady_ns();
}

Outcome replay(const PreparedTrace& trace, const SimulatedMachine& machine, const PolicyEntry& policy,
               double scale, std::uint64_t seed, const ReplayOptions& options) {
  return Simulation(trace, machine, policy, scale, seed, options).run();
}

}  // namespace gable::kmaf
