#pragma once

// What passes between a cache of a given size and what lies behind it, from reuse distances. A use whose
// distance is at least the number of the cache's lines misses (Mattson and others, 1970: a cache that
// replaces the line used least recently). Within a bucket, distances are spread evenly over the logarithm.
//
// A cache of S sets with A ways misses if the depth in the set is at least A. On pages of 4 KiB, an address
// selects one of 64 sets (the lines of a page); on pages of 2 MiB, it selects one of all sets. Two lines that
// share one of the 64 sets also share one of S sets with the probability 64 / S, because pages lie anywhere
// (Hill and Smith, IEEE Transactions on Computers 38(12), 1989).

#include <array>
#include <string>

#include "model/records/profile.hpp"

namespace gable::model {

struct ProfileCache {
  std::string level;        ///< "L1", "L2", ...
  double bytes = 0;         ///< its size
  bool is_shared = false;   ///< by all threads of the program; otherwise each thread has its own
  int cores_sharing = 1;    ///< one of them
  int ways = 0;             ///< lines of a set; 0: not known, it counts as fully associative
  double huge_pages = 0;    ///< part of the program's data on pages of 2 MiB; the rest is on pages of 4 KiB
  double stream_bytes = 0;  ///< the size for lines in order; 0: it is the same
  /// Its lines are spread over its sets by chance, as pages are over the memory behind a memory-side cache.
  bool by_chance = false;
};

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

/// The traffic behind a fully associative cache of so many bytes. Lines that other threads have written are
/// fetched too: by a thread's own cache from the cache that all share.
Traffic traffic_behind(const UseCounts& uses, double cache_bytes);

/// The traffic behind a set-associative cache with 64 sets or more.
Traffic traffic_behind_sets(const LineUses& uses, const ProfileCache& cache);

/// Whether the sets that were followed differ so much that they may be unlike the others. A search in an
/// array of 2^n numbers, for example, comes to most of its lines in a few sets.
bool is_far_from_all_sets(const Profile& profile);

/// Whether the profile has the depths from which the conflicts of the cache follow, of enough sets.
bool knows_conflicts(const Profile& profile, const ProfileCache& cache);

/// Whether what the cache writes back is a lower bound: chance decides which lines share its sets, and is not
/// the same for a line's uses one after the other.
bool writes_back_at_least(const ProfileCache& cache);

/// The traffic of a record of the profile behind a cache, with conflicts if they are known or due to chance,
/// and those of chance if too few sets were followed.
Traffic traffic_behind(const Profile& profile, const ProfileUses& uses, const ProfileCache& cache);

/// The same if lines were spread over the S sets by chance: each line that was used since the last use is in
/// the same set with the probability 1 / S.
Traffic traffic_behind_spread(const UseCounts& uses, const ProfileCache& cache);

/// Bytes of the lines that a thread's own cache gets from those of other threads, because they have written
/// them. Of `fetched` bytes behind the cache, these are at most the lines that others have written since, and
/// at most those that are still in one of the caches: lines that a cache as large as all of them holds.
double from_other_caches(const ProfileUses& uses, double fetched, double bytes_of_all_caches);

/// The number of sets of the cache. It is 0 if the cache counts as fully associative, because its ways are
/// not known or it has fewer than 64 sets.
double sets_of(const ProfileCache& cache);

/// Lines (or pages) with at least this distance, first uses included.
double at_least(const Distances& distances, double distance);

}  // namespace gable::model
