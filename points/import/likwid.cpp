// likwid-perfctr -O: tables, each introduced by a line "TABLE,..."; raw tables have one row per event
// and one column per hardware thread.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "points/counters/events.hpp"
#include "points/import/csv.hpp"
#include "points/import/import.hpp"

namespace gable::points {

namespace {

struct Region {
  std::string name;
  std::map<std::string, double> events;  // over all hardware threads
  std::optional<double> seconds;
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
    if (kind_ == Kind::raw && first != "call count") event(row);
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
    const auto known = std::find_if(regions.begin(), regions.end(),
                                    [&](const Region& region) { return region.name == name; });
    at_ = static_cast<std::size_t>(known - regions.begin());
    if (known == regions.end()) regions.push_back({name, {}, {}, 0});
    has_counter_column_ = false;
    columns_ = 0;
  }

  void head(const CsvRow& row) {
    has_counter_column_ = row.cells.size() > 1 && row.cells[1] == "Counter";
    columns_ = static_cast<std::size_t>(std::count_if(
        row.cells.begin(), row.cells.end(),
        [](const std::string& cell) { return cell.starts_with("HWThread ") || cell.starts_with("Core "); }));
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
        fail(row, fmt::format("column {}: '{}' of {} is not a count", i + 1,
                              i < row.cells.size() ? row.cells[i] : "", row.cells.front()));
      }
      numbers.push_back(number);
    }
    return numbers;
  }

  void seconds(const CsvRow& row) {
    for (const double value : values(row))
      regions[at_].seconds = std::max(regions[at_].seconds.value_or(0), value);
  }

  void event(const CsvRow& row) {
    double sum = 0;
    for (const double value : values(row)) sum += value;
    regions[at_].events.emplace(event_name(row.cells.front()), sum);  // of several groups, keep the first
  }

  std::string path_;
  Kind kind_ = Kind::none;
  std::size_t at_ = 0;
  std::size_t columns_ = 0;
  bool has_counter_column_ = false;
};

}  // namespace

std::vector<ImportedRegion> import_likwid(const std::string& text, const std::string& path) {
  Reader reader(path);
  for (const CsvRow& row : csv_rows(text, ',', path)) reader.read(row);
  if (reader.regions.empty())
    throw Error::format(path, "no table; write it with `likwid-perfctr -O -o FILE.csv`");
  std::vector<ImportedRegion> imported;
  for (const Region& region : reader.regions) {
    const EventSums sums = sums_of(region.events);
    ImportedRegion one;
    one.name = region.name;
    one.work.flops = sums.flops;
    one.loads = sums.loads;
    one.stores = sums.stores;
    one.seconds = region.seconds;
    one.threads = region.threads;
    if (!sums.missing.empty()) {
      one.notes.push_back(fmt::format("flops may be too low, as these were not counted: {}", sums.missing));
    }
    imported.push_back(one);
  }
  return imported;
}

}  // namespace gable::points
