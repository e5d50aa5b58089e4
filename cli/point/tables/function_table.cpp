#include "cli/point/tables/function_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/words.hpp"
#include "cli/point/tables/function_times.hpp"
#include "cli/text/table_text.hpp"

namespace gable::cli {
namespace {

using model::FunctionWork;

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
  std::ranges::stable_sort(rows, std::greater<>(), amount_of_work);
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
  const auto found = std::ranges::find_if(point.functions, [&](const FunctionWork& each) {
    return each.function == work.function && each.object == work.object;
  });
  if (found == point.functions.end()) return nullptr;
  return function_reading(reading, static_cast<std::size_t>(found - point.functions.begin()));
}

std::vector<Column> columns_of_functions(bool has_needs, bool has_times) {
  std::vector<std::string> figures = {"flops", "loaded B", "stored B", "flop/byte"};
  if (has_needs) figures.insert(figures.end(), {"memory B", "largest need"});
  if (has_times) figures.insert(figures.end(), {"time", "remains"});
  return columns({}, figures, {"function (by itself)"});
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
  cells.emplace_back((one.function.empty() ? "?" : one.function) +
                     (object.empty() ? "" : " (" + object + ")"));
  return cells;
}

}  // namespace

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

}  // namespace gable::cli
