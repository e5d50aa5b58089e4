// perf stat -j: one JSON object per line and counter.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "points/counters/events.hpp"
#include "points/import/import.hpp"
#include "points/import/perf_counters.hpp"

namespace gable::points {

namespace {

// Takes the wall clock time out of the counts.
std::optional<double> take_seconds(PerfCounters& counters) {
  std::optional<double> seconds;
  for (auto& [name, unit] : counters.units) {
    std::erase_if(unit.counts, [&](const auto& entry) {
      if (event_name(entry.first) != "DURATION_TIME") return false;
      seconds = entry.second / 1e9;
      return true;
    });
  }
  return seconds;
}

// A kind of cores of a hybrid processor.
bool is_kind_of_core(const std::string& unit) {
  return unit.starts_with("cpu_");
}

bool has_counts(const PerfUnit& unit) {
  return std::ranges::any_of(unit.counts, [](const auto& entry) { return entry.second > 0; });
}

// Whether the program ran on other kinds of cores alone, so that perf counted nothing on these.
bool is_idle(const PerfCounters& counters, const std::string& name) {
  const auto runs = [](const auto& each) { return is_kind_of_core(each.first) && has_counts(each.second); };
  return is_kind_of_core(name) && !has_counts(counters.units.at(name)) &&
         std::ranges::any_of(counters.units, runs);
}

// Adds a unit's counts to the program's.
void add_unit(ImportedRegion& whole, const PerfUnit& unit, const std::string& path) {
  const bool is_complete = add_events(whole, unit.counts, path);
  for (const std::string& event : unit.lost) {
    if (counts_flops(event) && !is_complete)
      throw Error::format(
          path,
          fmt::format(
              "perf did not count {}: this machine has no such counter, or the run was too short for it",
              event));
    whole.notes.push_back({model::NoteCode::event_not_counted, {event}});
  }
}

// A kind of cores whose flops nobody counted, though the program ran there.
void note_uncounted_kinds(const PerfCounters& counters, ImportedRegion& whole) {
  for (const auto& [name, unit] : counters.units) {
    const bool counts_any =
        std::ranges::any_of(unit.counts, [](const auto& entry) { return counts_flops(entry.first); });
    if (is_kind_of_core(name) && has_counts(unit) && !counts_any && !whole.work.flops.empty())
      whole.notes.push_back({model::NoteCode::flops_of_not_counted, {name}});
  }
}

}  // namespace

std::vector<ImportedRegion> import_perf(const std::string& text, const std::string& path) {
  PerfCounters counters = perf_counters(text, path);
  if (counters.units.empty())
    throw Error::format(path, "no counter; write it with `perf stat -j -o FILE -e duration_time,... ./app`");
  ImportedRegion whole;
  whole.seconds = take_seconds(counters);
  for (const auto& [name, unit] : counters.units) {
    if (!is_idle(counters, name)) add_unit(whole, unit, path);
  }
  note_uncounted_kinds(counters, whole);
  note_no_flops(whole);
  if (counters.least_running < 99.9)
    whole.notes.push_back({model::NoteCode::multiplexed_by_perf, {counters.least_running}});
  return {whole};
}

}  // namespace gable::points
