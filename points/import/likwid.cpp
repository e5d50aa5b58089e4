// likwid-perfctr -O: tables, each introduced by a line "TABLE,..."; raw tables have one row per event
// and one column per hardware thread. Each group of events was counted for a time of its own.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/csv.hpp"
#include "base/error.hpp"
#include "points/import/import.hpp"

namespace gable::points {

namespace {

struct Group {
  std::string title;              // "Group 1 (FLOPS_DP)"
  EventCounts events;             // over all hardware threads
  EventCounts volumes;            // GB, likewise, by their metrics
  std::optional<double> seconds;  // of the slowest hardware thread
  bool has_table = false, has_metrics = false;
};

// "NAME [GBytes]", also "NAME (channels 0-3) [GBytes]": what a level gives or takes.
struct Volume {
  const char* name;
  const char* level;
  double model::LevelBytes::*amount;  // nullptr: both together
};

constexpr Volume volumes[] = {{"L2D load data volume", "L2", &model::LevelBytes::read},
                              {"L2D evict data volume", "L2", &model::LevelBytes::written},
                              {"L2 data volume", "L2", nullptr},
                              {"L3 load data volume", "L3", &model::LevelBytes::read},
                              {"L3 evict data volume", "L3", &model::LevelBytes::written},
                              {"L3 data volume", "L3", nullptr},
                              {"Memory read data volume", "memory", &model::LevelBytes::read},
                              {"Memory load data volume", "memory", &model::LevelBytes::read},
                              {"Memory write data volume", "memory", &model::LevelBytes::written},
                              {"Memory evict data volume", "memory", &model::LevelBytes::written},
                              {"Memory writeback data volume", "memory", &model::LevelBytes::written},
                              {"Memory data volume", "memory", nullptr}};

const Volume* volume_named(const std::string& metric) {
  const std::size_t unit = metric.find(" [GByte");
  if (unit == std::string::npos) return nullptr;
  std::string name = metric.substr(0, unit);
  if (const std::size_t channels = name.find(" (channels "); channels != std::string::npos)
    name.resize(channels);
  const auto* const found =
      std::ranges::find_if(volumes, [&](const Volume& each) { return name == each.name; });
  return found == std::end(volumes) ? nullptr : found;
}

struct Region {
  std::string name;
  std::map<std::string, Group> groups;  // by "Group 1"
  int threads = 0;
};

// The tables of one region and group.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  void read(const CsvRow& row) {
    const std::string& first = row.cells.front();
    if (first == "TABLE") return open(row);
    if (first == "STRUCT") kind_ = Kind::none;
    if (kind_ == Kind::none) return;
    if (first == "Event" || first == "Metric" || first == "Region Info") return head(row);
    if (first == "RDTSC Runtime [s]" || first == "Runtime (RDTSC) [s]") return seconds(row);
    if (kind_ == Kind::raw && first != "call count" && is_used(first)) event(row);
    if (kind_ == Kind::metric && volume_named(first) != nullptr) volume(row);
  }

  std::vector<Region> regions;

 private:
  enum class Kind { none, raw, metric };

  [[noreturn]] void fail(const CsvRow& row, const std::string& what) const {
    throw Error::format(path_, row.line, what);
  }

  // "TABLE,Group 1 Raw,FLOPS_DP,7" or "TABLE,Region sum,Group 1 Raw,FLOPS_DP,7"
  void open(const CsvRow& row) {
    const auto cell = [&](std::size_t i) { return i < row.cells.size() ? row.cells[i] : std::string(); };
    const bool marked = cell(1).starts_with("Region ");
    const std::string title = cell(marked ? 2 : 1), name = marked ? cell(1).substr(7) : "";
    if (!title.starts_with("Group "))
      fail(row, fmt::format("column 2: '{}' is not a table that likwid-perfctr -O writes", title));
    kind_ = title.ends_with(" Raw") ? Kind::raw : title.ends_with(" Metric") ? Kind::metric : Kind::none;
    has_counter_column_ = false;
    columns_ = 0;
    if (kind_ == Kind::none) return;
    const auto known = std::ranges::find(regions, name, &Region::name);
    at_ = static_cast<std::size_t>(known - regions.begin());
    if (known == regions.end()) regions.push_back({name, {}, 0});
    const std::string number = title.substr(0, title.rfind(' '));
    group_ = &regions[at_].groups[number];
    group_->title = fmt::format("{} ({})", number, cell(marked ? 3 : 2));
    bool& seen = kind_ == Kind::raw ? group_->has_table : group_->has_metrics;
    if (seen)
      fail(row,
           fmt::format("a second table of {}: the file holds several runs; import them one by one", title));
    seen = true;
  }

  void head(const CsvRow& row) {
    has_counter_column_ = row.cells.size() > 1 && row.cells[1] == "Counter";
    columns_ = static_cast<std::size_t>(std::ranges::count_if(row.cells, [](const std::string& cell) {
      return cell.starts_with("HWThread ") || cell.starts_with("Core ");
    }));
    if (columns_ == 0) fail(row, "no column of a hardware thread (\"HWThread 0\"); was the file cut?");
    regions[at_].threads = std::max(regions[at_].threads, static_cast<int>(columns_));
  }

  std::vector<double> values(const CsvRow& row) const {
    if (columns_ == 0) fail(row, fmt::format("'{}' comes before the table's header", row.cells.front()));
    std::vector<double> numbers;
    const std::size_t first = has_counter_column_ ? 2 : 1;
    for (std::size_t i = first; i < first + columns_; ++i) {
      double number = 0;
      if (i >= row.cells.size() || !to_number(row.cells[i], number) || number < 0) {
        const std::string cell = i < row.cells.size() ? row.cells[i] : "";
        fail(row, fmt::format("column {}: '{}' of {} is not a count{}", i + 1, cell, row.cells.front(),
                              comma_advice(cell)));
      }
      numbers.push_back(number);
    }
    return numbers;
  }

  void seconds(const CsvRow& row) {
    for (const double value : values(row)) group_->seconds = std::max(group_->seconds.value_or(0), value);
  }

  void event(const CsvRow& row) {
    for (const double value : values(row)) group_->events[row.cells.front()] += value;
  }

  // Counters of a memory belong to one hardware thread of each socket; others may have none.
  void volume(const CsvRow& row) {
    CsvRow filled = row;
    for (std::string& cell : filled.cells) {
      if (cell == "-" || cell == "nan") cell = "0";
    }
    for (const double value : values(filled)) group_->volumes[row.cells.front()] += value;
  }

  std::string path_;
  Kind kind_ = Kind::none;
  std::size_t at_ = 0;
  Group* group_ = nullptr;
  std::size_t columns_ = 0;
  bool has_counter_column_ = false;
};

// The seconds of all groups together, which took turns; nothing if one has none.
std::optional<double> seconds_of(const Region& region) {
  double all = 0;
  for (const auto& [number, group] : region.groups) {
    if (!group.seconds) return std::nullopt;
    all += *group.seconds;
  }
  return all;
}

// The counts of all groups as if each had counted for the `seconds` of all: an event of several groups by the
// time of these.
EventCounts scaled_counts(const Region& region, EventCounts Group::*of, double seconds,
                          const std::string& path) {
  EventCounts counts, counted_for;
  for (const auto& [number, group] : region.groups) {
    for (const auto& [event, count] : group.*of) {
      counts[event] += count;
      counted_for[event] += *group.seconds;
    }
  }
  for (auto& [event, count] : counts) {
    if (counted_for[event] <= 0)
      throw Error::format(
          path,
          event + " was counted for 0 s: the program ended before the turn of its group; measure it alone");
    count *= seconds / counted_for[event];
  }
  return counts;
}

// What is read and written; where a level tells both together, all of it counts as read.
void add_volumes(const EventCounts& counts, ImportedRegion& region) {
  std::map<std::string, double> together;
  for (const auto& [metric, gigabytes] : counts) {
    const Volume& volume = *volume_named(metric);
    model::LevelBytes bytes;
    if (volume.amount == nullptr) {
      together[volume.level] += gigabytes;
    } else {
      bytes.*volume.amount = 1e9 * gigabytes;
      add_level(region, model::Level(volume.level), bytes.read, bytes.written);
    }
  }
  for (const auto& [level, gigabytes] : together) {
    if (std::ranges::find(region.levels, model::Level(level), &model::LevelBytes::level) !=
        region.levels.end())
      continue;
    add_level(region, model::Level(level), 1e9 * gigabytes, 0);
    region.notes.push_back({model::NoteCode::level_bytes_together, {level}});
  }
}

ImportedRegion imported_from(const Region& region, const std::string& path) {
  ImportedRegion one;
  one.name = region.name;
  one.threads = region.threads;
  const bool several = region.groups.size() > 1;
  one.seconds = seconds_of(region);
  if (several && !one.seconds) throw Error::format(path, "several groups, and not every one has its runtime");
  const auto counts = [&](EventCounts Group::*of) {
    return several ? scaled_counts(region, of, *one.seconds, path) : region.groups.begin()->second.*of;
  };
  add_events(one, counts(&Group::events), path);
  add_volumes(counts(&Group::volumes), one);
  note_no_flops(one);
  if (!several) return one;
  std::string parts;
  for (const auto& [number, group] : region.groups)
    parts += fmt::format("{}{} {:.4g} s", parts.empty() ? "" : ", ", group.title, *group.seconds);
  one.notes.push_back({model::NoteCode::groups_took_turns, {parts}});
  return one;
}

}  // namespace

std::vector<ImportedRegion> import_likwid(const std::string& text, const std::string& path) {
  Reader reader(path);
  const std::size_t table = std::min(text.find("TABLE"), text.size());
  const char separator = separator_in(std::string_view(text).substr(table, text.find('\n', table) - table));
  for (const CsvRow& row : csv_rows(text, separator, path)) reader.read(row);
  std::vector<ImportedRegion> imported;
  for (const Region& region : reader.regions) imported.push_back(imported_from(region, path));
  if (imported.empty()) throw Error::format(path, "no table; write it with `likwid-perfctr -O -o FILE.csv`");
  return imported;
}

}  // namespace gable::points
