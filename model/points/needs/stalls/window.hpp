#pragma once

// How many loads of lines without an order a core has under way at once. They are among the instructions that
// the core works on at the same time, and these are limited (Karkhanis and Smith, A First-Order Superscalar
// Processor Model, ISCA 2004): code with many instructions for each such load waits for them one
// after the other, far below the rate of random loads.

#include <cstddef>

#include "model/records/point.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// Instructions or stores that a core works on at once; its hardware threads share them.
struct Window {
  double least = 0, likely = 0, most = 0;
  bool is_measured = false;
};

/// Instructions that the critical path of a profile looks ahead
/// (points/valgrind/profile/path/critical_path.h).
inline constexpr double window_of_path = 512;

/// As measured (model/roofs/window.hpp), otherwise what cores of servers have room for: 128 (Neoverse N1),
/// 224 (Skylake), 256 (Zen 3), 320 (Zen 4) to 512 (Golden Cove).
Window window_of(const Roofs& roofs, int cluster);

/// The same of stores: 42 (Haswell), 64 (Zen 4), 72 (Ice Lake) to 112 (Golden Cove).
Window store_window_of(const Roofs& roofs, int cluster);

/// The loads of a level's lines without an order for which the Point's threads wait one after the other, with
/// room for `window` instructions. The loads of each function count as evenly spread over the instructions
/// near them (LevelBytes::near) or, if these are not known, over all of its instructions. A Point without
/// functions counts as one. Loads that are under way together with another one, or with one from a level
/// behind, are not counted. A core waits for lines that are fetched for stores if it has no room for more
/// stores: it has room for `stores`, and those of each function count as evenly spread over all of its
/// stores; 0: it has always room. Waiting for loads and waiting for stores overlap.
double lines_waited_for(const Point& point, std::size_t level, double window, double stores = 0);

/// The chains of loads that each core follows at once, with room for `window` instructions, such as searches
/// of a tree that do not wait for each other: 1 at least, and most_at_once at most. With room for those of
/// the critical path they are the chained loads over the steps of the longest chain, and fewer by as much as
/// the room is smaller. It ends at a mispredicted branch. The mean over functions counts the time of each. 1
/// if the path is not known.
double chains_side_by_side(const Point& point, double window);

}  // namespace gable::model
