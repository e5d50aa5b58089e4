#pragma once

// How much a program uses between two uses of a line, for lines that do not come in order: what serves them
// is as fast as a chain of loads through so many bytes.

#include "model/profile/traffic.hpp"

namespace gable::model {

/// Bytes that are fetched, each times the binary logarithm of its line's span in bytes.
struct Spans {
  double irregular = 0, chained = 0;

  Spans& operator+=(const Spans& more);
};

/// Of what a cache of so many bytes fetches (`traffic`). First uses of lines count as if the program had used
/// all of its `footprint` since.
Spans spans_of(const LineUses& uses, const Traffic& traffic, double cache_bytes, double footprint);

/// The bytes of all lines that the program ever uses.
double footprint_of(const Profile& profile);

/// The traffic behind a cache that holds more of lines in order: these, and what is written back, are those
/// of `streams`.
Traffic with_streams(Traffic traffic, const Traffic& streams);

}  // namespace gable::model
