#include "model/hybrid/grid_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <tuple>

#include "base/csv.hpp"
#include "base/error.hpp"
#include "base/reading.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "model/hybrid/phases.hpp"

namespace gable::model {
namespace {

constexpr std::array<const char*, 5> names = {"load_slow_bytes", "store_slow_bytes", "load_fast_bytes",
                                              "store_fast_bytes", "seconds"};

struct Repetition {
  Quantities bytes;
  double seconds;
};

// Where the columns are, by the first line.
class GridColumns {
 public:
  GridColumns(const CsvRow& header, const std::string& path) : path_(path), width_(header.cells.size()) {
    std::vector<std::string_view> missing;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto found = std::ranges::find(header.cells, names[i], trimmed);
      if (found == header.cells.end()) missing.emplace_back(names[i]);
      at_[i] = static_cast<std::size_t>(found - header.cells.begin());
      if (std::ranges::count(header.cells, names[i], trimmed) > 1)
        fail(header, fmt::format("column {} appears twice", names[i]));
    }
    if (!missing.empty())
      fail(header, fmt::format("no column {}; the first line must name {}", fmt::join(missing, ", "),
                               fmt::join(names, ", ")));
  }

  Repetition read(const CsvRow& row) const {
    if (row.cells.size() != width_)
      fail(row, fmt::format("{} fields, but the first line names {}", row.cells.size(), width_));
    Repetition read;
    for (std::size_t x = 0; x < read.bytes.size(); ++x) {
      read.bytes[x] = number(row, x) + 0.0;  // no -0
      if (read.bytes[x] < 0) fail(row, fmt::format("{} is {}, expected 0 or more", names[x], read.bytes[x]));
    }
    read.seconds = number(row, 4);
    if (read.seconds <= 0) fail(row, fmt::format("seconds is {}, expected more than 0", read.seconds));
    const double bytes = total(read.bytes);
    if (bytes <= 0) fail(row, "all bytes are 0: nothing was moved");
    for (const double part : read.bytes) {
      const double rate = part / read.seconds;
      if (part > 0 && (rate < 1e-30 || rate > 1e30 || bytes > 1e30))
        fail(row, fmt::format("{} bytes in {} seconds is not a bandwidth", part, read.seconds));
    }
    return read;
  }

 private:
  [[noreturn]] void fail(const CsvRow& row, const std::string& what) const {
    throw Error::format(path_, row.line, what);
  }

  double number(const CsvRow& row, std::size_t column) const {
    const std::string& cell = row.cells[at_[column]];
    double value = 0;
    if (!to_number(cell, value))
      fail(row, fmt::format("{} is '{}', expected a number", names[column], trimmed(cell).substr(0, 40)));
    return value;
  }

  const std::string& path_;
  std::size_t width_;
  std::array<std::size_t, names.size()> at_ = {};
};

Cell cell_of(std::vector<Repetition>::const_iterator begin, std::vector<Repetition>::const_iterator end) {
  if (end - begin == 1) return {begin->bytes, {begin->seconds, begin->seconds, begin->seconds, 1}};
  std::vector<double> seconds;
  for (auto repetition = begin; repetition != end; ++repetition) seconds.push_back(repetition->seconds);
  return {begin->bytes, estimate_median(std::move(seconds))};
}

}  // namespace

CsvGrid grid_from_csv(std::string_view text, const std::string& path) {
  const std::string content(unmarked_text(text, path));
  const std::vector<CsvRow> header = csv_rows(content, ',', path, 1);  // alone: the file may be no CSV
  if (header.empty()) throw Error::format(path, 1, "empty file, expected a grid as CSV");
  const GridColumns columns(header.front(), path);
  const std::vector<CsvRow> lines = csv_rows(content, ',', path);
  std::vector<Repetition> rows;
  for (const CsvRow& row : std::span(lines).subspan(1)) rows.push_back(columns.read(row));
  if (rows.empty()) throw Error::format(path, lines.front().line, "no row after the header");
  sort_by(rows, [](const Repetition& row) { return std::tie(row.bytes, row.seconds); });
  CsvGrid grid;
  grid.rows = static_cast<int>(rows.size());
  for (auto begin = rows.cbegin(); begin != rows.cend();) {
    const auto end =
        std::find_if(begin, rows.cend(), [&](const Repetition& row) { return row.bytes != begin->bytes; });
    grid.cells.push_back(cell_of(begin, end));
    begin = end;
  }
  return grid;
}

}  // namespace gable::model
