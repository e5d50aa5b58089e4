#pragma once

// What passes between a cache of a given size and what lies behind it, from reuse distances. A use whose
// distance is at least the number of the cache's lines misses (Mattson and others, 1970: a cache that
// replaces the line used least recently). Within a bucket, distances are spread evenly over the logarithm.

#include <array>

#include "model/records/profile.hpp"

namespace gable::model {

/// Bytes that a cache fetches from behind it and writes back.
struct Traffic {
  std::array<double, access_orders> read{}, written{};  ///< fetched for loads and for stores, by AccessOrder
  double written_back = 0;
  double streamed = 0;  ///< stored past all caches, and so of the memory's traffic only

  double fetched() const;
  double fetched(AccessOrder order) const;
  double total() const { return fetched() + written_back + streamed; }
  Traffic& operator+=(const Traffic& more);
};

/// The traffic behind a cache of so many bytes. Lines that other threads have written are fetched too: by a
/// thread's own cache from the cache that all share.
Traffic traffic_behind(const LineUses& uses, double cache_bytes);

/// Lines (or pages) with at least this distance, first uses included.
double at_least(const Distances& distances, double distance);

}  // namespace gable::model
