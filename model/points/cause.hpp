#pragma once

// A Reading in words.

#include <map>
#include <optional>
#include <string>

#include "model/points/binding.hpp"

namespace gable::model {

/// From this share of its roof on, in per cent, a Point is called bound by it.
inline constexpr double bound_from_percent = 80;
/// Below this share of the nearest roof, bandwidth and peaks explain nothing.
inline constexpr double far_below_percent = 40;

/// What the sentences are made of, beside the Reading.
struct Surroundings {
  std::map<int, double> shares;  ///< of the Point's pages by node; empty: not known
  bool above_memory = false;     ///< faster than the memory its data lies in
  bool memory_known = false;     ///< there is a roof for that memory
  Limit better;                  ///< the best other memory; its name is empty where none is faster
  double gain = 1;               ///< how many times as fast the Point could be there, at most
  bool no_peak = false;          ///< it computes, and no peak of its precision is known
  /// The FMA peak, above the one that binds: whether the Point computes by FMA is not known.
  std::optional<Limit> peak_beyond;
};

/// One to three sentences: what binds the Point, what that means, what could help.
std::string cause(const Point& point, const Reading& reading, const Surroundings& around);

}  // namespace gable::model
