#pragma once

// This file finds the latency of loads from their span: the bytes that a program uses between two uses of a
// line. The working-set ladder has the latency for each size.

#include <optional>

#include "model/points/needs/measured.hpp"
#include "model/statistics/span_moments.hpp"

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

/// The spans in bytes of lines that a level serves.
struct ServedSpans {
  double mean = 0;  ///< geometric; 0: not known
  /// Two spans that stand for all of them (Gaussian quadrature over the logarithms), and the part of the
  /// lines for which the larger one stands. Both are the mean if the spread is not known.
  double smaller = 0, larger = 0, part_of_larger = 0;
};

/// Returns the mean of latency_at() over the spans if there is a ladder and they are known, otherwise
/// latency_of(). A mean span would not do: where a latency rises with the span, the long spans take most of
/// the time.
std::optional<MeasuredRange> latency_of_spans(const Roofs& roofs, const Point& point, int cluster,
                                              const Level& level, const ServedSpans& spans);

/// `own` are the sums of the lines behind the cache before a level, `next` those of the level behind it.
ServedSpans served_spans(const SpanSums& own, const SpanSums& next);

}  // namespace gable::model
