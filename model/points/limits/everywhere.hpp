#pragma once

// Two tiers of memory while all clusters run (model/hybrid/everywhere.hpp).

#include <optional>

#include "model/hybrid/hybrid.hpp"
#include "model/points/limits/limits.hpp"
#include "model/points/limits/spread.hpp"

namespace gable::model {

/// How a Point of all clusters uses a tier.
struct TierUse {
  LoadStore share;     ///< of all bytes
  LoadStore gb_per_s;  ///< what the tier gives a cluster of loads alone and of stores alone; 0: not known
};

/// Replaces the bounds of a mix of two tiers, each of which has a node of the cluster, by the model's figure
/// or estimate; leaves the mix as it is, with the reason, if the model has none.
void predict_mix(Limit& mix, const Roofs& roofs, const Point& point, int cluster, const AccessSpread& spread,
                 const MixModel& hybrid);

/// A Point as the hybrid model of a pair sees it.
struct OnPair {
  Quantities shares = {};   ///< of all bytes
  HybridFit fit;            ///< the pair's; of an estimate, with the bandwidths of all clusters
  bool everywhere = false;  ///< of all clusters
  bool estimated = false;   ///< the pair was not measured in this case
};

/// Nothing for a Point that uses other memories than those of the pair, by 2 % or more, and for one of a
/// cluster alone if the pair is of all clusters. Of a Point of all clusters memories of the same tiers count
/// as the pair's.
std::optional<OnPair> on_pair(const Roofs& roofs, const Point& point, const HybridPair& pair);

}  // namespace gable::model
