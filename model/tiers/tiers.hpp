#pragma once

// Computes the figures of tiers from the visits of the memory benchmarks.

#include <string>
#include <vector>

#include "model/records/tier.hpp"
#include "model/roofs/roofs.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

/// The result of all visits to one TierCase.
struct TierFigure {
  TierCase spec;
  Estimate estimate;  ///< GB/s (1e9 B/s), or ns of a latency; empty if the status is not ok
  Status status = Status::ok;
  Note reason;
  std::string kernel;
  Tier kind = plain_tier;
  std::string how;
  bool persistent = false;
  double vendor_gb_per_s = 0;  ///< 0: unknown
  Notes notes;
  std::string source;  ///< of a published figure: the work and its table; empty: measured
};

/// One figure per TierCase, in order of appearance: the median over the visits of their median repetition
/// (what a program may expect), and its interval. If no visit is ok, the figure has the status and reason of
/// the last one.
std::vector<TierFigure> tier_figures(const std::vector<TierSample>& samples);

/// The published roofs of local memory as figures of tiers. Roofs measured here are left out, because they
/// were measured by another method.
std::vector<TierFigure> published_figures(const Roofs& roofs);

/// The best ok figure (most GB/s, fewest ns) among those of `figures` that `wanted` accepts; nullptr if there
/// is none.
template <typename Wanted>
const TierFigure* best_figure(const std::vector<TierFigure>& figures, Wanted wanted) {
  const TierFigure* best = nullptr;
  for (const TierFigure& figure : figures) {
    if (figure.status != Status::ok || !wanted(figure)) continue;
    const bool better =
        best == nullptr || (is_latency(figure.spec) ? figure.estimate.value < best->estimate.value
                                                    : figure.estimate.value > best->estimate.value);
    if (better) best = &figure;
  }
  return best;
}

}  // namespace gable::model
