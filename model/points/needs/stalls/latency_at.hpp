#pragma once

// This file finds the latency of loads from their span: the bytes that a program uses between two uses of a
// line. The working-set ladder has the latency for each size.

#include <optional>

#include "model/points/needs/measured.hpp"

namespace gable::model {

/// Returns the nanoseconds of a load at the end of a chain whose lines have this span, from the cluster's
/// ladder of one thread.
///
/// The ladder has one size of pages. The latency that the other size of pages adds was measured at a few
/// spans and rises with the span. Between two of them it lies between the two values, most likely on a
/// straight line over the logarithm of the span. For data on another node than the ladder's, the latency is
/// scaled by the latencies of the two memories. Returns nothing without a ladder.
std::optional<MeasuredRange> latency_at(const Roofs& roofs, const Point& point, int cluster,
                                        const Level& level, double span);

/// Returns latency_at() if there is a ladder and the span is known (0: it is not), otherwise latency_of().
std::optional<MeasuredRange> latency_of_span(const Roofs& roofs, const Point& point, int cluster,
                                             const Level& level, double span);

/// Returns the geometric mean of the spans of the lines that a level serves; 0: not known. `bytes` and
/// `spans` are the fields of LevelBytes for this level, `next_bytes` and `next_spans` those of the level
/// behind it.
double served_span(double bytes, double spans, double next_bytes, double next_spans);

}  // namespace gable::model
