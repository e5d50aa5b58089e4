#pragma once

// How many loads of lines without an order a core has under way at once. They are among the instructions that
// the core works on at the same time, and these are limited (Karkhanis and Smith, A First-Order Superscalar
// Processor Model, ISCA 2004): code with many instructions for each such load waits for them one
// after the other, far below the rate of random loads.

#include <cstddef>

#include "model/records/point.hpp"

namespace gable::model {

/// Instructions that a core works on at once. Cores of servers have room for 128 (Neoverse N1), 224
/// (Skylake), 256 (Zen 3), 320 (Zen 4) to 512 (Golden Cove); the hardware threads of a core share it. Gable
/// does not measure it.
inline constexpr double least_window = 128, likely_window = 224, most_window = 512;

/// The loads of a level's lines without an order for which the Point's threads wait one after the other, with
/// room for `window` instructions. The loads of each function count as evenly spread over its instructions. A
/// Point without functions counts as one. Loads that are under way together with another one are not counted,
/// nor lines that are fetched for stores, for which a core does not wait.
double lines_waited_for(const Point& point, std::size_t level, double window);

}  // namespace gable::model
