#pragma once

// What a program needs if its cores do not compute while lines of memory are on their way: prefetchers of the
// hardware may be too late for loops that use several streams, or lines of several levels
// (docs/programs/verdicts.md).

#include <cstddef>
#include <vector>

#include "model/points/needs/needs.hpp"

namespace gable::model {

struct Reading;

/// Parts of the Point's time.
struct NoOverlap {
  double computing = 0;  ///< the largest need of the core, and its mispredicted branches
  double transfers = 0;  ///< of all caches but the first, and of the memory
  double saved = 0;      ///< what would be gained if computing and the memory worked at the same time
};

/// Of a function with these needs and bytes. Lines without an order have needs of their own: a function that
/// uses many of them saves nothing.
NoOverlap without_overlap(const std::vector<Need>& needs, const std::vector<LevelBytes>& levels);

/// The sums over all functions. Nothing is saved if they do not explain the time that the Point spent outside
/// of the kernel, or if it is too little for a word.
struct PointWithoutOverlap : NoOverlap {
  std::size_t function = 0;  ///< the one that saves most, as an index in the Point's functions
};
PointWithoutOverlap without_overlap(const Point& point, const Reading& reading);

}  // namespace gable::model
