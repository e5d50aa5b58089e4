// Intel Advisor's survey as CSV: one row per loop or function. Column names differ between its command line
// and its Python API; they are compared in lower case with `_` for all other characters.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/csv.hpp"
#include "base/error.hpp"
#include "base/reading.hpp"
#include "points/import/import.hpp"

namespace gable::points {

namespace {

std::string plain(const std::string& name) {
  std::string made;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte)) {
      made += static_cast<char>(std::tolower(byte));
    } else if (!made.empty() && made.back() != '_') {
      made += '_';
    }
  }
  while (made.ends_with('_')) made.pop_back();
  return made;
}

// Parses "0.52s" and "1 234.5", as Advisor prints them.
std::optional<double> number_in(std::string cell) {
  std::erase_if(cell, [](char c) { return c == ' ' || c == '\t'; });
  if (cell.ends_with('s')) cell.pop_back();
  double number = 0;
  if (!to_number(cell, number) || number < 0) return std::nullopt;
  return number;
}

// The separator of the line with the names of the columns.
char separator_of(const std::string& text) {
  TextStream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string names = plain(line);
    if (names.find("function_call_sites_and_loops") != std::string::npos ||
        names.find("loop_name") != std::string::npos)
      return separator_in(line);
  }
  return ',';
}

class Survey {
 public:
  Survey(const std::string& text, const std::string& path) : path_(path) {
    rows_ = csv_rows(text, separator_of(text), path_);
    const auto is_head = [&](const CsvRow& row) {
      return std::ranges::any_of(row.cells, [](const std::string& cell) {
        const std::string name = plain(cell);
        return name == "function_call_sites_and_loops" || name == "loop_name";
      });
    };
    const auto head = std::ranges::find_if(rows_, is_head);
    if (head == rows_.end())
      throw Error::format(
          path, 1, "no column \"Function Call Sites and Loops\" or \"loop_name\": not a survey of Advisor");
    for (const std::string& cell : head->cells) columns_.push_back(plain(cell));
    head_line_ = head->line;
    rows_.erase(rows_.begin(), head + 1);
  }

  const std::vector<CsvRow>& rows() const { return rows_; }

  /// Position of the first of these columns that exists; throws if none exists and one is required.
  std::optional<std::size_t> column(const std::vector<std::string>& names, bool needed) const {
    for (const std::string& name : names) {
      const auto found = std::ranges::find(columns_, name);
      if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
    }
    if (!needed) return std::nullopt;
    throw Error::format(path_, head_line_,
                        fmt::format("no column '{}'", names.front()) +
                            (names.front() == "self_elapsed_time"
                                 ? ": a point needs the wall-clock time (self_time is the sum over threads)"
                                 : ": collect with `--flop` and report it"));
  }

  /// The number in a cell; nothing if it is empty.
  std::optional<double> number(const CsvRow& row, std::optional<std::size_t> column) const {
    if (!column) return std::nullopt;
    if (*column >= row.cells.size())
      throw Error::format(path_, row.line,
                          fmt::format("{} columns, the header has {}", row.cells.size(), columns_.size()));
    const std::string& cell = row.cells[*column];
    if (cell.find_first_not_of(" \t") == std::string::npos || cell == "nan") return std::nullopt;
    const auto value = number_in(cell);
    if (!value)
      throw Error::format(path_, row.line,
                          fmt::format("column {} ({}): '{}' is not a number{}", *column + 1,
                                      columns_[*column], cell, comma_advice(cell)));
    return value;
  }

 private:
  std::string path_;
  std::vector<CsvRow> rows_;
  std::vector<std::string> columns_;
  int head_line_ = 1;
};

// Where the simulation of caches was on: what each level gives and takes.
void add_levels(const Survey& survey, const CsvRow& row, ImportedRegion& region) {
  for (const auto& [prefix, level] :
       {std::pair("self_l2", "L2"), {"self_l3", "L3"}, {"self_dram", "memory"}}) {
    const auto loaded = survey.column({fmt::format("{}_loaded_gb", prefix)}, false);
    const auto stored = survey.column({fmt::format("{}_stored_gb", prefix)}, false);
    const auto read = survey.number(row, loaded), written = survey.number(row, stored);
    if (read && written) add_level(region, model::Level(level), 1e9 * *read, 1e9 * *written);
  }
  const auto is_empty = [](const model::LevelBytes& bytes) { return bytes.read + bytes.written <= 0; };
  if (std::ranges::all_of(region.levels, is_empty)) region.levels.clear();
}

std::uint64_t giga(double value) {
  return static_cast<std::uint64_t>(std::llround(value * 1e9));
}

}  // namespace

std::vector<ImportedRegion> import_advisor(const std::string& text, const std::string& path) {
  const Survey survey(text, path);
  const auto name = survey.column({"function_call_sites_and_loops", "loop_name"}, true);
  const auto time = survey.column({"self_elapsed_time"}, true);
  const auto flops = survey.column({"self_gflop"}, true);
  const auto loaded = survey.column({"self_loaded_gb"}, false);
  const auto stored = survey.column({"self_stored_gb"}, loaded.has_value());
  const auto both = survey.column({"self_memory_gb"}, !loaded);
  const auto threads = survey.column({"thread_count"}, false);
  std::vector<ImportedRegion> imported;
  for (const CsvRow& row : survey.rows()) {
    ImportedRegion one;
    one.name = *name < row.cells.size() ? row.cells[*name] : "";
    one.seconds = survey.number(row, time);
    const auto count = survey.number(row, flops);
    if (!one.seconds || *one.seconds <= 0 || !count) continue;
    one.work.flops = {{Flops::Operation::any, Flops::Precision::any, Flops::unknown_bits, giga(*count)}};
    if (loaded) {
      one.work.load_bytes = giga(survey.number(row, loaded).value_or(0));
      one.work.store_bytes = giga(survey.number(row, stored).value_or(0));
    } else {
      one.work.load_bytes = giga(survey.number(row, both).value_or(0));
      one.work.store_bytes = 0;
      one.notes.emplace_back(model::NoteCode::loads_and_stores_together);
    }
    add_levels(survey, row, one);
    one.threads = static_cast<int>(std::min(1e6, survey.number(row, threads).value_or(0)));
    if (one.work.flop_count() + *one.work.load_bytes + *one.work.store_bytes > 0) imported.push_back(one);
  }
  if (imported.empty()) throw Error::format(path, "no row has both flops and an elapsed time");
  return imported;
}

}  // namespace gable::points
