#pragma once

// The verdict on a Reading of which the bytes by level are not known, and words for its roof.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "model/points/binding.hpp"

namespace gable::model {

/// Below this share of the nearest roof, bandwidths and peaks do not explain the speed.
inline constexpr double far_below_percent = 40;

/// What the sentences need in addition to the Reading.
struct Surroundings {
  std::map<int, double> shares;  ///< of the Point's pages by node; empty: unknown
  bool above_memory = false;     ///< faster than the memory its data lies in
  Limit behind;                  ///< that memory's highest roof; its name is empty if it is not faster
  bool memory_known = false;     ///< a roof for that memory is known
  Limit higher;  ///< another roof that its data may have, higher than the one that is read; its name is empty
                 ///< if there is none
  int fewer_threads = 0;      ///< the most threads of roofs that have too few for the Point; 0: none has
  bool more_threads = false;  ///< the roof is of more threads than the cores that the Point used, or may have
  int cores = 0;              ///< of the cluster
  int cores_used = 0;         ///< by the Point's threads
  std::uint64_t data_bytes = 0;        ///< of the Point that are resident, if a cache holds them all: ...
  std::string fitting_cache;           ///< ... "L3 (32 MiB, measured up to 16 MiB)"; else empty
  std::optional<Level> fitting_level;  ///< ... L3
  bool no_peak = false;                ///< it computes, but no peak of its precision is known
  /// The FMA peak, if it is above the binding peak and it is unknown whether the Point uses FMA.
  std::optional<Limit> peak_beyond;
};

/// "the bandwidth of cluster 0 from its local node 0 (DRAM)": the reading's roof, of a cluster of so many
/// cores.
std::string roof_words(const Point& point, const Reading& reading, int cores);

/// "local memory", "L3", "arithmetic".
std::string culprit(const Limit& limit);

/// The same in a cell of a table: "dependent loads".
std::string short_culprit(const Limit& limit);

/// "Other processes kept 1.0 CPUs busy while it was timed: ..."; empty if none did.
std::string competitors_remark(const Point& point);

/// What binds a Point that has a roof.
Verdict verdict(const Point& point, const Reading& reading, const Surroundings& around);

}  // namespace gable::model
