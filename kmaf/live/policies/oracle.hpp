#pragma once

// The oracle of a running program. It samples no accesses but uses a record of an earlier run.
// Threads are mapped before the run by their sharing in the whole earlier run and bound as they start. Each
// page moves to the node that accessed it most. Threads and pages that are not in the record are left to the
// OS.

#include <map>

#include "kmaf/live/movers/binder.hpp"
#include "kmaf/live/policies/known_pages.hpp"
#include "kmaf/live/policies/known_threads.hpp"
#include "kmaf/live/policies/management.hpp"
#include "kmaf/live/samplers/sampler.hpp"

namespace gable::kmaf::live {

class Oracle : public Management {
 public:
  struct Setup {
    Knowledge knowledge;
    bool threads = true, pages = true;  ///< what is placed
    double budget = 0.01;               ///< share of the program's CPU time
    pid_t program = 0;
    double began = 0;  ///< when, as in Event
  };
  /// `follower` reports threads and CPU time.
  Oracle(Setup setup, const Hierarchy& hierarchy, Sampler& follower, Kernel& kernel, Binder& binder);

  void take(const Events& events, double now) override;
  void finish(Report& report) override;

 private:
  void follow(const Event& event);
  bool affordable();
  std::map<int, double> accesses_of_others() const;
  AccessWeights access_weights() const;
  std::optional<double> seen_share() const;

  Setup setup_;
  Mapping leaves_;
  std::vector<int> clusters_;  // of each task
  Sampler& follower_;
  Names names_;
  KnownThreads threads_;
  KnownPages pages_;
  std::vector<pid_t> processes_;
  Spent spent_;
  double accounted_ = 0;
};

}  // namespace gable::kmaf::live
