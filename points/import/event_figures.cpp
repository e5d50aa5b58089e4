#include "points/import/event_figures.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "points/counters/events.hpp"

namespace gable::points {

bool add_events(ImportedRegion& region, const EventCounts& counts, const std::string& path) {
  std::map<std::string, double> by_name;
  std::map<std::string, std::string> written;
  for (const auto& [name, count] : counts) {
    by_name[event_name(name)] += count;
    written.emplace(event_name(name), name);
  }
  const EventSums sums = sums_of(by_name);
  for (const std::string& name : sums.untold)
    throw Error::format(path, fmt::format("{}: {}", written.at(name), untold_reason(name)));
  Work more;
  more.flops = sums.flops;
  region.work += more;
  if (sums.loads) region.loads = region.loads.value_or(0) + *sums.loads;
  if (sums.stores) region.stores = region.stores.value_or(0) + *sums.stores;
  if (!sums.missing.empty()) region.notes.push_back({model::NoteCode::flops_not_counted, {sums.missing}});
  return !sums.flops.empty() && sums.missing.empty();
}

void note_no_flops(ImportedRegion& region) {
  if (region.work.flops.empty()) region.notes.emplace_back(model::NoteCode::no_flop_events);
}

bool counts_flops(const std::string& written) {
  const EventSums sums = sums_of({{event_name(written), 1}});
  return !sums.flops.empty() || !sums.untold.empty();
}

bool is_used(const std::string& written) {
  const EventSums sums = sums_of({{event_name(written), 1}});
  return !sums.flops.empty() || !sums.untold.empty() || sums.loads || sums.stores;
}

}  // namespace gable::points
