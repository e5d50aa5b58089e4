#pragma once

// Records in perf_event_open(2)'s buffers, as events with PERF_SAMPLE_IP, TID and TIME write them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "points/samples/mapped_code.hpp"

namespace gable::points {

struct CodeRecords {
  std::vector<CodeEvent> events;
  std::uint64_t lost = 0;  ///< samples that the kernel dropped
};

/// Parses consecutive records. Skips records of other kinds, and a truncated one at the end.
void parse_code_records(std::span<const std::byte> bytes, CodeRecords& into);

}  // namespace gable::points
