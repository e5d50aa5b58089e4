#include "cli/point/tables/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/sorting.hpp"
#include "base/words.hpp"
#include "cli/text/arguments.hpp"
#include "cli/text/columns.hpp"
#include "model/records/profile.hpp"
#include "model/records/short_function.hpp"

namespace gable::cli {

namespace {

using model::FunctionReading;
using model::FunctionWork;
using model::LevelBytes;
using model::Point;

constexpr double worth_a_row = 0.05;

struct TimedRow {
  std::string name;
  double samples = 0;
  const FunctionReading* reading = nullptr;
};

std::vector<TimedRow> functions_by_time(const Point& point, const model::Reading& reading) {
  std::vector<TimedRow> rows;
  for (std::size_t i = 0; i < point.functions.size(); ++i) {
    const model::FunctionWork& work = point.functions[i];
    rows.push_back({fmt::format("{} ({})", model::short_function(work), model::without_folders(work.object)),
                    work.samples, function_reading(reading, i)});
  }
  sort_down_by(rows, &TimedRow::samples);
  return rows;
}

// The kernel, and code that was not counted.
std::vector<TimedRow> others_by_time(const model::Samples& samples) {
  std::vector<TimedRow> rows = {{"(in the kernel)", samples.kernel}};
  for (const auto& [file, count] : samples.elsewhere)
    rows.push_back(
        {file.empty() ? "(generated code)" : fmt::format("(other code of {})", model::without_folders(file)),
         count});
  sort_down_by(rows, &TimedRow::samples);
  return rows;
}

std::string file_of(const FunctionWork& function) {
  return std::filesystem::path(function.object).filename();
}

// ld-linux-x86-64.so.2, ld-2.31.so, ld-musl-x86_64.so.1
bool is_of_loader(const FunctionWork& function) {
  const std::string file = file_of(function);
  return file.starts_with("ld-") && file.find(".so") != std::string::npos;
}

double amount_of_work(const FunctionWork& function) {
  return function.flops + function.load_bytes + function.store_bytes;
}

// The functions of the program, and the loader as if it were one.
std::vector<FunctionWork> rows_of(const model::Point& point) {
  std::vector<FunctionWork> rows;
  FunctionWork loader;
  int count = 0;
  for (const FunctionWork& one : point.functions) {
    if (!is_of_loader(one)) {
      rows.push_back(one);
      continue;
    }
    ++count;
    loader.object = one.object;
    loader.flops += one.flops;
    loader.load_bytes += one.load_bytes;
    loader.store_bytes += one.store_bytes;
    loader.samples += one.samples;
  }
  if (count == 0) return rows;
  loader.function = count_text(count, "function") + " of the dynamic loader";
  rows.push_back(loader);
  sort_down_by(rows, amount_of_work);
  return rows;
}

// Removes those that do little of the work of all rows: the start and the end of any program take dozens.
void drop_small(const model::Point& point, std::vector<FunctionWork>& rows) {
  model::Point all;
  all.samples = point.samples;
  for (const FunctionWork& one : rows) {
    all.flops += one.flops;
    all.load_bytes += one.load_bytes;
    all.store_bytes += one.store_bytes;
  }
  std::erase_if(rows, [&](const FunctionWork& one) { return is_small(one, all); });
}

const model::FunctionReading* reading_of(const model::Point& point, const model::Reading& reading,
                                         const FunctionWork& work) {
  const auto found = std::ranges::find_if(
      point.functions, [&](const FunctionWork& each) { return key_of(each) == key_of(work); });
  if (found == point.functions.end()) return nullptr;
  return function_reading(reading, static_cast<std::size_t>(found - point.functions.begin()));
}

std::vector<Column> columns_of_functions(bool has_needs, bool has_times) {
  std::vector<std::string> figures = {"flops", "loaded B", "stored B", "flop/byte"};
  if (has_needs) figures.insert(figures.end(), {"memory B", "largest need"});
  if (has_times) figures.insert(figures.end(), {"time", "remains"});
  return columns({}, figures, {"function (by itself)"});
}

// "62 % (59 to 65)": the share of the CPU time; "-" without samples.
Cell time_cell(const model::Samples& all, double samples) {
  const auto time = model::time_share(all, samples);
  if (!time) return "-";
  return {percent_text(100 * time->value), fmt::format("({:.0f} to {:.0f})", 100 * time->lo, 100 * time->hi)};
}

// "82 % local memory": what a function needs most, as a part of the program's time, with bounds that are far
// apart; "-": not known.
std::string need_text(const FunctionReading* reading) {
  constexpr double far_apart = 2, little = 0.005;
  if (reading == nullptr) return "-";
  const std::string share =
      reading->hi > far_apart * reading->lo && reading->hi >= little
          ? fmt::format("{:.0f} to {}", 100 * reading->lo, percent_text(100 * reading->hi))
          : percent_text(100 * reading->share);
  return fmt::format("{} {}", share, reading->what);
}

// "9 % (binds)": the part of its time that the largest need does not take, and the verdict; "-": not known.
std::string remains_text(const FunctionReading* reading) {
  if (reading == nullptr || !reading->measured) return "-";
  const auto words = std::string(row_of(reading->measured->verdict).words);
  if (reading->measured->verdict == model::FunctionVerdict::few_samples) return words;
  return fmt::format("{} ({})", percent_text(100 * reading->measured->remains), words);
}

Row cells_of(const model::Point& point, const model::Reading& reading, const FunctionWork& one) {
  const double bytes = one.load_bytes + one.store_bytes;
  Row cells = {fmt::format("{:.3g}", one.flops), fmt::format("{:.3g}", one.load_bytes),
               fmt::format("{:.3g}", one.store_bytes),
               bytes > 0 ? fmt::format("{:.3g}", one.flops / bytes) : "-"};
  const model::FunctionReading* const its = reading_of(point, reading, one);
  if (!reading.functions.empty()) {
    const double memory = one.levels.empty() ? 0 : one.levels.back().read + one.levels.back().written;
    cells.emplace_back(one.levels.empty() ? "-" : fmt::format("{:.3g}", memory));
    cells.emplace_back(need_text(its));
  }
  if (point.samples.all > 0) {
    cells.push_back(time_cell(point.samples, one.samples));
    cells.emplace_back(remains_text(its));
  }
  const std::string object = file_of(one);
  cells.emplace_back((one.function.empty() ? "?" : model::short_function(one)) +
                     (object.empty() ? "" : " (" + object + ")"));
  return cells;
}

std::vector<Column> columns_of_objects(const model::Point& point) {
  std::vector<std::string> figures = {"size"};
  for (const LevelBytes& level : point.levels)
    figures.push_back(is_memory(level.level) ? "memory reads" : "from " + level.level.name());
  if (is_memory(point.levels.back().level)) figures.insert(figures.end(), {"writes", "of all"});
  return columns({}, figures, {"object"});
}

Row cells_of(const model::ObjectBytes& object, const LevelBytes& all) {
  Row cells = {bytes_cell(static_cast<double>(object.peak_bytes))};
  for (const LevelBytes& level : object.levels)
    cells.emplace_back(bytes_cell(is_memory(level.level) ? level.read : level.read + level.written));
  if (is_memory(all.level)) {
    const double own = object.levels.back().read + object.levels.back().written, of = all.read + all.written;
    cells.emplace_back(bytes_cell(object.levels.back().written));
    cells.emplace_back(of > 0 ? percent_text(100 * own / of) : "-");
  }
  cells.emplace_back(object.name);
  return cells;
}

}  // namespace

Table function_times(const Point& point, const model::Reading& reading, std::size_t most) {
  Table table{"", columns({}, {"time", "largest need", "remains"}, {"function (by itself)"})};
  const model::Samples& samples = point.samples;
  if (!samples.missing.empty())
    table.notes.push_back("The time of functions was not measured: " + sentence(samples.missing) + ".");
  if (samples.all <= 0) return table;
  const auto add = [&](const std::vector<TimedRow>& rows, std::size_t at_most) {
    for (const TimedRow& row : rows) {
      if (row.samples < worth_a_row * samples.all || at_most-- == 0) return;
      table.rows.push_back(
          {time_cell(samples, row.samples), need_text(row.reading), remains_text(row.reading), row.name});
    }
  };
  add(functions_by_time(point, reading), most);
  add(others_by_time(samples), most);
  if (const double busy = model::busy_share(point); busy < 1 - worth_a_row)
    table.notes.push_back(fmt::format("Times are shares of its CPU time; its threads ran {} of the time.",
                                      percent_text(100 * busy)));
  return table;
}

std::string function_table(const model::Point& point, const model::Reading& reading) {
  if (point.functions.empty()) return {};
  constexpr std::size_t shown = 30;
  std::vector<FunctionWork> rows = rows_of(point);
  const std::size_t all = rows.size();
  drop_small(point, rows);
  rows.resize(std::min(shown, rows.size()));
  Table table{"", columns_of_functions(!reading.functions.empty(), point.samples.all > 0)};
  for (const FunctionWork& one : rows) table.rows.push_back(cells_of(point, reading, one));
  table.notes = function_times(point, reading, shown).notes;
  std::string text = table_text(table, false);
  if (all > rows.size()) text += fmt::format("  and {} with less work, in points.json\n", all - rows.size());
  return text;
}

std::string object_table(const model::Point& point) {
  constexpr std::size_t most = 5;
  if (point.objects.empty() || point.levels.empty()) return {};
  Table table{"", columns_of_objects(point)};
  for (const model::ObjectBytes& object : point.objects) {
    if (table.rows.size() < most) table.rows.push_back(cells_of(object, point.levels.back()));
  }
  std::string text = table_text(table, false);
  if (point.objects.size() > most)
    text += fmt::format("  and {} with less, in points.json\n", point.objects.size() - most);
  return text;
}

}  // namespace gable::cli
