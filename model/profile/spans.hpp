#pragma once

// The span of a line is the number of bytes that a program uses between two uses of it. This file computes
// spans of lines that do not come in order. A load of such a line has the latency of a chain of loads through
// so many bytes.

#include "model/profile/traffic.hpp"
#include "model/statistics/span_moments.hpp"

namespace gable::model {

/// Sums over fetched bytes.
struct Spans {
  SpanSums irregular, chained;

  Spans& operator+=(const Spans& more);
};

/// Returns the sums for the `traffic` behind a cache of so many bytes. The span of a first use is the
/// `footprint` of the program.
Spans spans_of(const LineUses& uses, const Traffic& traffic, double cache_bytes, double footprint);

/// Returns the bytes of all lines that the program uses.
double footprint_of(const Profile& profile);

/// Returns the traffic behind a cache that has another size for lines in order. Lines in order and
/// written-back lines are those of `streams`, and the others those of `traffic`.
Traffic with_streams(Traffic traffic, const Traffic& streams);

/// The traffic `behind` a cache that may have another size for lines in order.
template <class Behind>
Traffic of_all_lines(const ProfileCache& cache, const Behind& behind) {
  if (cache.stream_bytes <= 0) return behind(cache);
  ProfileCache of_streams = cache;
  of_streams.bytes = cache.stream_bytes;
  return with_streams(behind(cache), behind(of_streams));
}

}  // namespace gable::model
