#pragma once

// Points on the surface of a pair's hybrid model (LARM paper, figure 17): their share of the fast memory,
// their share of loads, and their bandwidth beside the model's.

#include <optional>
#include <string>
#include <vector>

#include "model/points/limits/everywhere.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::charts {

/// A Point whose accesses go to the two memories of a pair.
struct HybridPoint {
  std::size_t index = 0;  ///< among the recorded points
  model::OnPair on;
  double gb_per_s = 0, lo = 0, hi = 0;  ///< of a cluster, at memory level; by the interval of its time
  std::optional<double> model;          ///< GB/s of its mix by the model
  std::string reason;                   ///< why the model does not give it

  double fast_percent() const;
  double load_percent() const;
  /// The model at this share of data in the fast memory, with the Point's mix of loads and stores in each.
  std::optional<double> with_fast(double percent) const;
  /// The model at this share of loads, with the Point's distribution of loads and of stores.
  std::optional<double> with_loads(double percent) const;
  /// "3 % below the model"; why there is none.
  std::string distance_text() const;
};

/// The points of the pair's cluster, and of all clusters, that are not hidden.
std::vector<HybridPoint> points_on(const Recorded& recorded, const model::HybridPair& pair);

}  // namespace gable::charts
