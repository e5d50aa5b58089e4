#pragma once

// The levels of the TLB, from the page-walk ladder: how far each level reaches, and the cost of a miss.
//
// Both kinds of accesses, spread and packed, touch as many cache lines, so that their difference is what the
// translation of addresses costs. Over the working set w it is modelled as
//
//   t(w) = offset + sum over levels of cost * (1 - (reach / w)^shape) for w > reach.
//
// With shape 1 a TLB replaces its entries at random; a larger shape comes nearer to least recently used,
// under which nothing is found again as soon as the working set no longer fits. The number of levels (at most
// three) and the shape (1, 2 or 4) are those with the least Bayesian information criterion.

#include <cstddef>
#include <vector>

#include "model/records/note.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

struct WalkPoint {
  double bytes = 0;  ///< working set
  double ns = 0;     ///< of an access, beyond that of a packed one
  double error = 0;  ///< standard error
};

struct TlbLevel {
  Estimate reach;  ///< bytes
  Estimate cost;   ///< ns of a miss, beyond what a miss of the levels before costs
};

struct WalkFit {
  std::vector<TlbLevel> levels;  ///< by reach, ascending
  double shape = 1;
  double offset = 0;  ///< ns
  Estimate beyond;    ///< ns: what all levels cost together, far beyond their reach
  double misfit = 0;  ///< root mean square of the points' distances from the curve, ns
  Note unknown;       ///< why there is no fit; empty if there is one

  /// The curve, in ns.
  double at(double bytes) const;
  /// Share of accesses, 0 to 1, that miss this level.
  double misses(std::size_t level, double bytes) const;
};

/// Six points or more. If points fall with the working set by more than their errors, all errors are larger
/// than they say. The intervals (95 %) come from fits to points that are disturbed by their errors or, if the
/// curve fits worse than these say, by what it misses.
WalkFit fit_walks(const std::vector<WalkPoint>& points);

}  // namespace gable::model
