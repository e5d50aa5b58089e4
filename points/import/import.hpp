#pragma once

// Figures measured by other tools: likwid-perfctr -O, perf stat -j, Intel Advisor's survey as CSV,
// cachegrind.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "points/counters/counts.hpp"

namespace gable::points {

/// A program, or one of its regions, loops or functions.
struct ImportedRegion {
  std::string name;                       ///< empty: the whole program
  Work work;                              ///< bytes only if the tool counts those that instructions requested
  std::optional<double> loads, stores;    ///< instructions, of unknown width
  std::optional<double> seconds;          ///< wall clock
  std::vector<model::LevelBytes> levels;  ///< ascending; empty: the tool did not count them
  int threads = 0;                        ///< 0: unknown
  model::Notes notes;
};

/// "likwid", "perf", "advisor" or "cachegrind", recognized from the text. Throws Error::format.
std::string import_format(const std::string& text, const std::string& path);

/// `likwid-perfctr -O` (5.x), with or without marked regions: the raw events of all hardware threads
/// together; seconds of the slowest. Several groups, which took turns, have the seconds of all together, and
/// each count is scaled to these. Levels have the data volumes of the groups L2, L3 and MEM. Throws
/// Error::format, also for several runs and events of flops that cannot be told (events.hpp).
std::vector<ImportedRegion> import_likwid(const std::string& text, const std::string& path);

/// `perf stat -j`: one JSON object per line; seconds from the event duration_time. What was counted on
/// different CPUs, sockets or units is added up; the same event in two groups counts once. Throws
/// Error::format, as above.
std::vector<ImportedRegion> import_perf(const std::string& text, const std::string& path);

/// Advisor's survey with flops and memory (columns of its command line's CSV report, or of a table that its
/// Python API wrote): one region for each row with flops or bytes and an elapsed time. Levels have what its
/// simulation of caches tells. Throws Error::format.
std::vector<ImportedRegion> import_advisor(const std::string& text, const std::string& path);

/// `cachegrind.out.PID`, or callgrind's with --cache-sim=yes: the whole program. Misses of D1 are lines from
/// L2, those of LL lines from the memory. Written back are at least the lines that stores missed. There is no
/// time. Throws Error::format.
std::vector<ImportedRegion> import_cachegrind(const std::string& text, const std::string& path);

/// Adds bytes of a level to the region.
void add_level(ImportedRegion& region, const model::Level& level, double read, double written);

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
