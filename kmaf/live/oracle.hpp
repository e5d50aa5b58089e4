#pragma once

// The oracle of a running program: it looks at no access, for it knows them from an earlier run. Threads are
// mapped beforehand by the whole run's sharing and bound as they begin; each page goes to where it was used
// most. What the record lacks is left to the OS.

#include "kmaf/live/manager.hpp"
#include "kmaf/live/movers/known_pages.hpp"
#include "kmaf/live/movers/known_threads.hpp"

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
  /// `follower` tells of threads and CPU time.
  Oracle(Setup setup, const Hierarchy& hierarchy, Sampler& follower, Kernel& kernel, Binder& binder);

  void take(const Events& events, double now) override;
  void finish(Report& report) override;

 private:
  void follow(const Event& event);
  bool affordable();

  Setup setup_;
  Mapping leaves_;
  Sampler& follower_;
  Names names_;
  KnownThreads threads_;
  KnownPages pages_;
  std::vector<pid_t> processes_;
  Spent spent_;
  double accounted_ = 0;
};

}  // namespace gable::kmaf::live
