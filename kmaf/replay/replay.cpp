#include "kmaf/replay/replay.hpp"

#include <algorithm>
#include <numeric>

namespace gable::kmaf {

namespace {

constexpr std::size_t window_of_thread = 256, tick_of_thread = 16;  // accesses

class Simulation {
 public:
  Simulation(const PreparedTrace& trace, const SimulatedMachine& machine, const PolicyEntry& entry,
             double scale, std::uint64_t seed, const ReplayOptions& options)
      : trace_(trace),
        machine_(machine),
        scale_(scale),
        random_(seed),
        placement_{std::vector<int>(size_of(trace.threads()), -1),
                   std::vector<std::int16_t>(trace.pages(), -1), std::vector<std::uint8_t>(trace.pages(), 1)},
        owed_(size_of(trace.threads())),
        memory_(machine, placement_.home),
        busy_(machine.hierarchy.leaves.size()),
        window_(window_of_thread * size_of(trace.threads())),
        tick_(tick_of_thread * size_of(trace.threads())),
        watch_(options.watch),
        policy_(entry.make({machine, trace, options, placement_, random_, owed_, moved_})) {}

  Outcome run() {
    trace_.replay([&](const Record* records, std::size_t count) {
      if (watch_) watch_();
      for (std::size_t i = 0; i < count; ++i) {
        access(records[i]);
        if (++in_window_ == window_) {
          end_window();
        } else if (in_window_ % tick_ == 0) {
          tell(trace_ns_ +
               std::accumulate(busy_.begin(), busy_.end(), 0.0) / static_cast<double>(owed_.size()));
        }
      }
    });
    end_window();
    return outcome();
  }

 private:
  static std::size_t size_of(int number) { return static_cast<std::size_t>(number); }

  void access(Record record) {
    const auto thread = static_cast<std::size_t>(thread_of(record));
    const std::uint64_t page = page_of(record);
    if (placement_.hidden[page] != 0) show(record);
    const Leaf& leaf = machine_.hierarchy.leaves[size_of(
        placement_.leaf[thread] < 0 ? start(static_cast<int>(thread)) : placement_.leaf[thread])];
    busy_[size_of(placement_.leaf[thread])] += memory_.access(
        leaf.core, line_of(page, trace_.page_number(page), offset_of(record)), is_write(record));
  }

  int start(int thread) { return placement_.leaf[size_of(thread)] = policy_->first_leaf(thread); }

  // A page fault: the page is touched for the first time, or was hidden.
  void show(Record record) {
    const int thread = thread_of(record);
    if (placement_.leaf[size_of(thread)] < 0) start(thread);
    std::int16_t& home = placement_.home[page_of(record)];
    placement_.hidden[page_of(record)] = 0;
    const bool first_touch = home < 0;
    if (first_touch) home = static_cast<std::int16_t>(policy_->first_home(page_of(record), thread));
    policy_->fault(record, told_, first_touch);
  }

  double now() const { return 1e-9 * trace_ns_ * scale_; }

  void end_window() {
    if (in_window_ == 0) return;
    in_window_ = 0;
    for (std::size_t thread = 0; thread < owed_.size(); ++thread) {
      if (owed_[thread] == 0) continue;
      if (placement_.leaf[thread] < 0) continue;  // it pays when it runs
      busy_[size_of(placement_.leaf[thread])] += 1e9 * owed_[thread] / scale_;
      owed_[thread] = 0;
    }
    for (const auto& [from, to] : moved_) memory_.add_traffic(from, to, 4096 / scale_);
    moved_.clear();
    const auto most = [](const std::vector<double>& values) {
      return *std::max_element(values.begin(), values.end());
    };
    // 1 GB/s is 1 byte/ns.
    const double ns = std::max({most(busy_), most(memory_.link_bytes()) / machine_.timing.link_gb_per_s,
                                most(memory_.memory_bytes()) / machine_.timing.memory_gb_per_s});
    link_bytes_ += std::accumulate(memory_.link_bytes().begin(), memory_.link_bytes().end(), 0.0);
    memory_.clear_traffic();
    std::fill(busy_.begin(), busy_.end(), 0.0);
    trace_ns_ += ns;
    tell(trace_ns_);
  }

  // Tells the policy that the time is `trace_ns`; within a window this is the mean of the threads' times.
  void tell(double trace_ns) {
    const double seconds = 1e-9 * trace_ns * scale_;
    policy_->advance(seconds, seconds - told_);
    told_ = seconds;
  }

  Outcome outcome() const {
    Outcome outcome;
    outcome.trace_seconds = 1e-9 * trace_ns_;
    outcome.seconds = now();
    outcome.counts = memory_.counts();
    outcome.link_bytes = link_bytes_;
    outcome.policy = policy_->counts();
    const Energy& energy = machine_.energy;
    const AccessCounts& counts = outcome.counts;
    const auto times = [](std::uint64_t count, double nj) { return static_cast<double>(count) * nj; };
    const std::uint64_t beyond_l1 = counts.accesses - counts.l1_hits, beyond_l2 = beyond_l1 - counts.l2_hits;
    const double nj = times(counts.accesses, energy.l1_nj) + times(beyond_l1, energy.l2_nj) +
                      times(beyond_l2, energy.l3_nj) +
                      times(counts.from_local + counts.from_remote + counts.write_backs, energy.memory_nj) +
                      link_bytes_ * energy.link_nj_per_byte;
    outcome.joules = 1e-9 * nj * scale_ + energy.static_watts * outcome.seconds;
    outcome.overhead_percent =
        outcome.seconds > 0 ? 100 * outcome.policy.overhead.sum() / (outcome.seconds * trace_.threads()) : 0;
    return outcome;
  }

  const PreparedTrace& trace_;
  const SimulatedMachine& machine_;
  double scale_;
  std::mt19937_64 random_;
  Placement placement_;
  std::vector<double> owed_;
  std::vector<std::pair<int, int>> moved_;
  MemorySystem memory_;
  std::vector<double> busy_;
  std::size_t window_, tick_, in_window_ = 0;
  double trace_ns_ = 0, told_ = 0, link_bytes_ = 0;
  const std::function<void()>& watch_;
  std::unique_ptr<Policy> policy_;
};

}  // namespace

double scale_of(const PreparedTrace& trace, const SimulatedMachine& machine, const ReplayOptions& options) {
  ReplayOptions still = options;
  still.swaps_per_second = 0;
  const Outcome once = replay(trace, machine, policies().front(), 1, 0, still);
  return options.program_seconds / once.trace_seconds;
}

Outcome replay(const PreparedTrace& trace, const SimulatedMachine& machine, const PolicyEntry& policy,
               double scale, std::uint64_t seed, const ReplayOptions& options) {
  return Simulation(trace, machine, policy, scale, seed, options).run();
}

}  // namespace gable::kmaf
