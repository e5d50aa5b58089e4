#pragma once

// From the visits of the memory benchmarks to figures of tiers, and how tiers stand to each other.

#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "model/roofs/roofs.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

/// The TierCase's identity, on one line.
std::string key(const TierCase& asked);

/// What the visits to one TierCase amount to.
struct TierFigure {
  TierCase asked;
  Estimate estimate;  ///< GB/s (1e9 B/s), or ns of a latency; nothing where the status is not ok
  Status status = Status::ok;
  std::string reason;
  std::string kernel, kind, how;
  bool persistent = false;
  double vendor_gb_per_s = 0;  ///< 0: not given
  std::vector<std::string> notes;
  std::string source;  ///< of a published figure: the work and its table; empty: measured
};

/// One for each TierCase, in the order in which they first appear: the median visit's median repetition
/// (what a program may expect), and its interval. A case with no ok visit has the last one's status and
/// reason.
std::vector<TierFigure> tier_figures(const std::vector<TierSample>& samples);

/// The published roofs of local memory as figures of tiers; those that were measured here are left out, since
/// they were had in another way.
std::vector<TierFigure> published_figures(const Roofs& roofs);

/// The ok figure of the best (most GB/s, fewest ns) among those of `figures` that `wanted` accepts; nullptr
/// where there is none.
template <typename Wanted>
const TierFigure* best_figure(const std::vector<TierFigure>& figures, Wanted wanted) {
  const TierFigure* best = nullptr;
  for (const TierFigure& figure : figures) {
    if (figure.status != Status::ok || !wanted(figure)) continue;
    const bool better =
        best == nullptr || (figure.asked.what == "latency" ? figure.estimate.value < best->estimate.value
                                                           : figure.estimate.value > best->estimate.value);
    if (better) best = &figure;
  }
  return best;
}

}  // namespace gable::model
