#pragma once

// The latency of loads by how much is used between two uses of a line: the working-set ladder shows it, and
// no single size does.

#include <optional>

#include "model/points/needs/measured.hpp"

namespace gable::model {

/// Nanoseconds of a load at the end of a chain whose lines are `span` bytes apart in use: what the cluster's
/// ladder of one thread shows at this size.
///
/// The ladder has one size of pages. What pages of another size add was measured at few sizes and rises with
/// the size: between two of them it lies between what they add, most likely on the straight line over the
/// logarithm. Data on another node than the ladder's takes as much longer as memory of this node does.
/// Nothing without a ladder.
std::optional<MeasuredRange> latency_at(const Roofs& roofs, const Point& point, int cluster,
                                        const Level& level, double span);

/// The same by the ladder if there is one and the span is known (0: it is not), otherwise as latency_of().
std::optional<MeasuredRange> latency_of_span(const Roofs& roofs, const Point& point, int cluster,
                                             const Level& level, double span);

/// The geometric mean of the spans of the lines that a level serves of an amount of bytes with such sums of
/// spans (LevelBytes); `next`: of the level behind it. 0: not known.
double served_span(double bytes, double spans, double next_bytes, double next_spans);

}  // namespace gable::model
