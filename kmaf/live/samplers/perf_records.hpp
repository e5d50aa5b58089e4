#pragma once

// Records in perf_event_open(2)'s ring buffers, as written by events that PerfEvents opens.

#include <cstddef>
#include <cstdint>
#include <span>

#include "kmaf/live/samplers/event.hpp"

namespace gable::kmaf::live {

struct PerfRecords {
  Events events;
  std::uint64_t lost = 0;  ///< events that the kernel dropped
};

/// Parses consecutive records. Skips records of other kinds, and a truncated one at the
/// end.
void parse_records(std::span<const std::byte> bytes, PerfRecords& into);

}  // namespace gable::kmaf::live
