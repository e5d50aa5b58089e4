#include "points/import/import.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/reading.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "points/counters/events.hpp"

namespace gable::points {

namespace {

// Whether a line begins with the word and is a row of several cells.
bool has_row(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || text[at - 1] == '\n';
    if (begins && end < text.size() && std::string_view(",;\t").find(text[end]) != std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

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

void add_level(ImportedRegion& region, const model::Level& level, double read, double written) {
  const auto known = std::ranges::find(region.levels, level, &model::LevelBytes::level);
  if (known != region.levels.end()) {
    known->read += read;
    known->written += written;
    return;
  }
  region.levels.push_back({level, read, written});
  sort_by(region.levels, &model::LevelBytes::level);
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

std::string import_format(const std::string& text, const std::string& path) {
  if (text.starts_with('{') || text.find("\"counter-value\"") != std::string::npos) return "perf";
  if (has_row(text, "TABLE")) return "likwid";
  if (text.find("\nevents:") != std::string::npos && text.find("desc: D1 cache:") != std::string::npos)
    return "cachegrind";
  constexpr std::size_t enough = 20000;
  const std::string start = lower_case(text.substr(0, enough));
  for (const char* column : {"self_gflop", "self gflop", "loops", "loop_name"}) {
    if (start.find(column) != std::string::npos) return "advisor";
  }
  const bool is_of_perf = start.find("# started on") != std::string::npos ||
                          start.find("performance counter stats") != std::string::npos;
  throw Error::format(path, 1,
                      is_of_perf ? "perf stat wrote it without -j: write it with `perf stat -j -o FILE`"
                                 : "not recognized as likwid-perfctr -O, perf stat -j, a survey of "
                                   "Advisor or cachegrind.out; name it with --format");
}

}  // namespace gable::points
