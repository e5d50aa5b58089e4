#pragma once

// These turn the counts of events into the figures of a region, for the tools that count events.

#include <map>
#include <string>

#include "points/import/import.hpp"

namespace gable::points {

/// Counts of events as a tool wrote their names.
using EventCounts = std::map<std::string, double>;

/// Adds the flops, loads and stores of one kind of core to the region, with a note on flops that were not
/// counted, and returns whether all flops were. Throws Error::format, which names `path` and the event, for
/// counts of flops that cannot be told.
bool add_events(ImportedRegion& region, const EventCounts& counts, const std::string& path);

/// Adds a note to a region for which no flops were counted.
void note_no_flops(ImportedRegion& region);

/// Whether the event counts flops, also in a way that cannot be told.
bool counts_flops(const std::string& written);

/// Whether flops, loads or stores are derived from the event.
bool is_used(const std::string& written);

}  // namespace gable::points
