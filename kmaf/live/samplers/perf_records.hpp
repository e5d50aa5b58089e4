#pragma once

// Records of perf_event_open(2)'s ring buffers, as events that are opened by PerfEvents write them.

#include <cstddef>
#include <cstdint>
#include <span>

#include "kmaf/live/samplers/event.hpp"

namespace gable::kmaf::live {

struct PerfRecords {
  Events events;
  std::uint64_t lost = 0;  ///< events that the kernel could not write
};

/// Takes apart whole records that follow each other. Records of other kinds, and one that is cut off at the
/// end, are passed over.
void parse_records(std::span<const std::byte> bytes, PerfRecords& into);

}  // namespace gable::kmaf::live
