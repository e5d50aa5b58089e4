#pragma once

// The interface of all policies.

#include "kmaf/live/report.hpp"
#include "kmaf/live/samplers/event.hpp"

namespace gable::kmaf::live {

/// Manages a running program. One class per policy.
class Management {
 public:
  virtual ~Management() = default;
  /// Takes the sampler's events since the last call. Called every few milliseconds, also without events.
  virtual void take(const Events& events, double now) = 0;
  /// The program has ended.
  virtual void finish(Report& report) = 0;
};

}  // namespace gable::kmaf::live
