#pragma once

// Why a Point has no binding roof, in words.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/points/binding.hpp"

namespace gable::model {

/// Why a Point of all clusters cannot be compared with the roofs of one of them: the clusters have several
/// kinds of cores, or are more than its threads. Empty if it can.
std::string uneven_words(const Roofs& roofs, const Point& point);

/// Why no roof is above the Point; `limits` are those that could stop it.
std::string above_all_words(const Roofs& roofs, const Point& point, int cluster,
                            const std::vector<Limit>& limits);

/// The roofs of the location of a Point's data.
struct AtLocation {
  const std::vector<Limit>& memory;
  const std::vector<Limit>& side_caches;
  const std::vector<Limit>& caches;
  std::optional<Level> in_cache;        ///< the level in which its data stays
  const std::map<int, double>& shares;  ///< of the Point's pages by node; empty: unknown
};

/// Why the Point is not compared with its nearest roof, a cache's or a peak: no roof is known of the memory
/// that holds its data, of the memory-side cache in front of it, or of the cache that may serve it. Empty if
/// these are known.
std::string unknown_location_words(const Roofs& roofs, const Point& point, const Reading& reading,
                                   const AtLocation& at);

/// That the memory or the caches may limit a Point whose instructions access more bytes than its
/// memory transfers, and that is far below the roofs of the caches.
Verdict undecided_verdict(const Reading& reading, const Limit& memory);

}  // namespace gable::model
