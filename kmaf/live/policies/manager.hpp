#pragma once

// Connects the sampler, the engine, the rate controller and the movers for a running program.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>

#include "kmaf/engine/engine.hpp"
#include "kmaf/engine/rate.hpp"
#include "kmaf/live/movers/binder.hpp"
#include "kmaf/live/policies/learner.hpp"
#include "kmaf/live/policies/management.hpp"
#include "kmaf/live/program/address_space.hpp"
#include "kmaf/live/samplers/sampler.hpp"

namespace gable::kmaf::live {

/// Pages are hidden in groups, so samples come in bursts, and unused allowance of the last second may be used
/// later. First touches can fault without limit, though; then only one in N samples is processed.
class Allowance {
 public:
  /// `per_second`: the target rate.
  explicit Allowance(double per_second) : samples_(at_once_seconds * per_second) {}

  /// Time passes with this target rate; up to twice as many samples may be processed.
  void pass(double seconds, double per_second) {
    samples_ = std::min(samples_ + 2 * per_second * seconds, 2 * per_second * saved_seconds);
  }

  /// The N such that one in N of a burst of `count` samples is processed now.
  std::size_t stride(std::size_t count) const {
    return std::max<std::size_t>(1, (count + most() - 1) / most());
  }

  /// There are so many that sampling should pause.
  bool is_flood(std::size_t count) const { return count / flood > most(); }

  void looked_at(std::size_t count) { samples_ -= static_cast<double>(count); }

 private:
  static constexpr double saved_seconds = 1, at_once_seconds = 0.1;
  static constexpr std::size_t flood = 8;  // times the allowance

  std::size_t most() const { return samples_ < 1 ? 1 : static_cast<std::size_t>(samples_); }

  double samples_;
};

/// kMAF itself: see kmaf/engine/engine.hpp.
class Manager : public Management {
 public:
  struct Setup {
    Config config;
    double budget = 0.01;      ///< share of the program's CPU time
    double fault_seconds = 0;  ///< what a sample costs the program
    pid_t program = 0;
    double began = 0;     ///< when, as in Event
    bool learns = false;  ///< process every sample and put the record into the report
    /// How much the program has done so far, for Config::trials; empty: not known now.
    std::function<std::optional<double>()> progress;
  };
  Manager(const Setup& setup, Hierarchy hierarchy, Sampler& sampler, Kernel& kernel, Binder& binder);

  void take(const Events& events, double now) override;
  void finish(Report& report) override;

  const Engine& engine() const { return engine_; }

 private:
  struct Seen {  // an access, and the page it belongs to
    const Event* event = nullptr;
    Place place;
    int node = -1;
    bool movable = true;
  };
  struct SeenAt {
    AddressSpaces::Location at;
    pid_t thread = 0;
  };
  struct Tally {
    double seconds = 0;
    Locality locality;
    AccessWeights access;
  };
  std::vector<Seen> look_at(const Events& events, double now);
  void find_nodes(std::vector<Seen>& seen);
  void sample(const Seen& seen);
  void count_locality(const Seen& seen, unsigned pu);
  void follow(const Event& event);
  void follow_memory(const Event& event);
  void carry_out();
  void adapt(double now);
  AccessWeights access_weights() const;
  void note_memory();
  void note_cpu_times();
  void note_progress(double now);
  int memory_of(int node) const;

  Setup setup_;
  Engine engine_;
  RateController rate_;
  Sampler& sampler_;
  Kernel& kernel_;
  Binder& binder_;
  PageMover mover_;
  double wanted_ = 0;  // samples a second
  Allowance allowance_;
  AddressSpaces spaces_;
  std::optional<Learner> learner_;
  std::unordered_map<Page, SeenAt, PageHash> seen_at_;  // sampled in this turn
  std::vector<std::uint64_t> gone_;                     // objects still in the tables
  std::unordered_map<pid_t, pid_t> process_of_;         // of each thread
  std::map<pid_t, double> cpu_times_;                   // seconds of each thread when it was last asked
  double cpu_times_at_ = 0;
  std::optional<double> progress_;  // when it was last asked
  double progress_at_ = 0;
  std::uint64_t tasks_moved_seen_ = 0;
  std::unordered_map<unsigned, int> node_index_, node_of_pu_;
  Interval interval_;
  std::vector<Tally> tallies_;
  Locality before_;
  double adapted_at_ = 0, cpu_seen_ = 0, spent_seen_ = 0, last_ = 0;
  double accounted_ = 0;  // CPU time of this thread that is in spent_ or not attributed
  std::uint64_t samples_ = 0, passed_over_ = 0, not_memory_ = 0;
  std::size_t table_bytes_ = 0, index_bytes_ = 0, matrix_bytes_ = 0;  // the most so far
  Spent spent_;
  bool acted_ = false;
};

}  // namespace gable::kmaf::live
